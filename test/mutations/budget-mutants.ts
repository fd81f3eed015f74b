import { ACCOUNT_MUTANTS } from './account-mutants.ts'
import type { Mutant } from './mutant.ts'

const PACED = 'test/import/paced.full.pg.test.ts'

const DOORS = 'test/accounts/budgets.pg.test.ts'
const CROWD = 'test/accounts/budgets.full.pg.test.ts'

/** Faults in the budgets of accounts. */
export const BUDGET_MUTANTS: readonly Mutant[] = [
  ...ACCOUNT_MUTANTS,
  {
    name: 'a-budget-is-not-checked',
    edits: [
      {
        file: 'src/accounts/limits/use.ts',
        from: 'if (limit !== null && used > limit) throw',
        to: 'if (limit !== null && used - amount > limit) throw',
      },
    ],
    file: CROWD,
    test: 'writers at once of products and offers',
  },
  {
    name: 'a-deletion-frees-no-budget',
    edits: [
      {
        file: 'src/catalog/products/products.sql.ts',
        from: 'await changeUse(tx, accountId, { products: -gone.length, offers: -live, overrides: -overrides })',
        to: 'await changeUse(tx, accountId, { offers: -live, overrides: -overrides })',
      },
    ],
    file: DOORS,
    test: 'what is deleted makes room',
  },
  {
    name: 'use-is-counted-while-others-count',
    edits: [{ file: 'src/accounts/limits/use.ts', from: '  await usesLock(tx, accountId)\n', to: '' }],
    file: DOORS,
    test: 'what is noted is what is there',
  },
  {
    name: 'new-offers-need-no-room-in-an-import',
    edits: [
      {
        file: 'src/imports/room-for-new.ts',
        from: 'if (left.offers < 1) return',
        to: 'if (left.offers < -1_000) return',
      },
    ],
    file: DOORS,
    test: 'refuses the new offers that there is no room for',
  },
  {
    name: 'an-account-may-send-what-its-tokens-may',
    edits: [
      {
        file: 'src/accounts/token-rate.ts',
        from: 'bucket.available = Math.min(bucket.available, row.left - bucket.owed)',
        to: 'void 0',
      },
    ],
    file: CROWD,
    test: 'five tokens of an account at two processes',
  },
  {
    name: 'a-request-keeps-its-place',
    edits: [
      {
        file: 'src/serve/account-places.ts',
        from: "reply.raw.once('close', () => place.end())",
        to: "reply.raw.once('unpipe', () => place.end())",
      },
    ],
    file: DOORS,
    test: 'requests at the same time',
  },
  {
    name: 'an-import-does-not-wait-for-its-budget',
    edits: [{ file: 'src/accounts/token-rate.ts', from: 'if (lacking > 0) {', to: 'if (lacking > Infinity) {' }],
    file: PACED,
    test: 'an import waits for room in the budget, says why, leaves its place and a part of the budget to others, and goes on',
  },
  {
    name: 'an-import-never-comes-before-other-writers',
    edits: [
      {
        file: 'src/accounts/token-rate.ts',
        from: 'if (waitedMs < LIMITS.importPaceWaitMs)',
        to: 'if (waitedMs < Infinity)',
      },
    ],
    file: PACED,
    test: 'beside a writer that uses the whole budget an import goes on, a page at a time',
  },
  {
    name: 'an-import-that-waits-keeps-its-place',
    edits: [{ file: 'src/imports/runs/loop/loop.ts', from: 'aside >= LIMITS.importRunsAsideMax', to: 'aside >= 0' }],
    file: PACED,
    test: 'an import waits for room in the budget, says why, leaves its place and a part of the budget to others, and goes on',
  },
  {
    name: 'an-undoing-is-not-paced',
    edits: [
      { file: 'src/imports/runs/loop/undo-changes.ts', from: '    await pace.beforePage(page.length)\n', to: '' },
    ],
    file: PACED,
    test: 'the undoing of an import is paced as well',
  },
]
