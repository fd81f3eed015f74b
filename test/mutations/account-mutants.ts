import type { Mutant } from './mutant.ts'

const SUSPENSION = 'test/accounts/suspension.pg.test.ts'
const WORK = 'rests: sweeps, deliveries and imports begin when it goes on'
const DELIVERER = 'src/webhooks/deliver/loop.ts'

/** Of accounts that are suspended. */
export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  {
    name: 'requests-of-a-suspended-account-are-answered',
    edits: [{ file: 'src/serve/guard.ts', from: '  requireActive(context.db, caller.accountId)\n', to: '' }],
    file: SUSPENSION,
    test: 'are answered again once it goes on, with the same token',
  },
  {
    name: 'a-suspended-account-is-looked-up-at-notifications-only',
    edits: [
      {
        file: 'src/accounts/suspensions.ts',
        from: 'idleMs: LIMITS.directoryTtlMs',
        to: 'idleMs: 3_600_000',
      },
    ],
    file: SUSPENSION,
    test: 'are refused within seconds when the notification is lost, and others are not',
  },
  {
    name: 'sweeps-of-a-suspended-account-go-on',
    edits: [{ file: 'src/shelf/shelf.ts', from: 'this.#db.resting.has(accountId)', to: 'accountId < 0' }],
    file: SUSPENSION,
    test: WORK,
  },
  {
    name: 'deliveries-of-a-suspended-account-go-on',
    edits: [
      {
        file: DELIVERER,
        from: 'this.#schedule.isStopping || this.#db.resting.has(accountId)',
        to: 'this.#schedule.isStopping',
      },
      { file: DELIVERER, from: 'results.length === 0 && this.#db.resting.has(accountId)', to: 'accountId < 0' },
    ],
    file: SUSPENSION,
    test: WORK,
  },
  {
    name: 'imports-of-a-suspended-account-begin',
    edits: [{ file: 'src/imports/runs/loop.ts', from: '        if (db.resting.has(accountId)) continue\n', to: '' }],
    file: SUSPENSION,
    test: WORK,
  },
]
