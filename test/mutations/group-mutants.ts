import type { Mutant } from './mutant.ts'
import { SLUG_MUTANTS } from './slug-mutants.ts'

// Protections of groups of variants, which are derived from the statements of all suppliers.

const GROUPS = 'src/shelf/inputs/product-groups.ts'
const TEST = 'test/shelf/variant-groups.pg.test.ts'
const OWN = 'test/shelf/own-variant-groups.pg.test.ts'
const ANSWERED = 'test/shelf/joined-groups.pg.test.ts'
const LINES = 'test/panel/lines.pg.test.ts'
const IN_ONE_LINE = 'whatever is asked, each product that matches is in one line'
const JOINED = 'two suppliers that group the same articles make one group with one id'

export const GROUP_MUTANTS: readonly Mutant[] = [
  ...SLUG_MUTANTS,
  {
    name: 'groups-change-without-a-turn',
    edits: [{ file: GROUPS, from: '  await groupsTurn(tx, accountId)\n', to: '  void groupsTurn\n' }],
    file: TEST,
    test: 'a shelver that changes groups waits for another one that does, and sees what that one has said',
  },
  {
    name: 'others-of-a-joined-group-wait',
    edits: [
      {
        file: 'src/shelf/shelve.ts',
        from: 'const shelving = { withOthers: true, ...options }',
        to: 'const shelving = options',
      },
    ],
    file: ANSWERED,
    test: 'whoever shelves the product that joins two groups shelves the others with it',
  },
  {
    name: 'many-others-of-a-joined-group-wait',
    edits: [
      {
        file: 'src/shelf/shelf.ts',
        from: 'return marked.length === 0 ? [] :',
        to: 'return marked.length >= 0 ? [] :',
      },
    ],
    file: ANSWERED,
    test: 'others that are more than a batch are shelved as far as the time of the write allows, and the workers are told of the rest',
  },
  {
    name: 'suppliers-decide-beside-the-owner',
    edits: [
      {
        file: 'src/resolve/content/variant-group.ts',
        from: 'if (ownGroup !== null) {',
        to: 'if (ownGroup !== null && ownGroup.groupId !== null) {',
      },
    ],
    file: OWN,
    test: 'the owner puts products into a group, moves them and takes one out, and suppliers change none of it',
  },
  {
    name: 'groups-never-fall-apart',
    edits: [
      {
        file: GROUPS,
        from: '(knownOf.get(row.productId)?.length ?? 0) > 1 ? [row.groupId] : []',
        to: '(knownOf.get(row.productId)?.length ?? 0) > 100 ? [row.groupId] : []',
      },
    ],
    file: TEST,
    test: JOINED,
  },
  {
    name: 'products-of-a-joined-group-are-not-marked',
    edits: [
      {
        file: GROUPS,
        from: 'const changed = written.filter(({ wasId, groupId }) => wasId !== groupId)',
        to: 'const changed = written.filter(() => false)',
      },
    ],
    file: TEST,
    test: JOINED,
  },
  {
    name: 'a-large-group-is-read-whole',
    edits: [
      { file: GROUPS, from: 'const isTooLarge = members.length > max', to: 'const isTooLarge = members.length < 0' },
    ],
    file: TEST,
    test: 'groups that are too large to be read whole are neither joined nor taken apart',
  },
  {
    name: 'a-group-has-a-line-for-each-first-position',
    edits: [
      {
        file: 'src/overview/product-filter.sql.ts',
        from: 'and (position, product_id) < (own.position, s.product_id) offset 0',
        to: 'and position < own.position offset 0',
      },
    ],
    file: LINES,
    test: IN_ONE_LINE,
  },
  {
    name: 'a-line-has-products-that-do-not-match',
    edits: [
      {
        file: 'src/overview/product-lines.sql.ts',
        from: `      where found.is_wanted),
    half as materialized`,
        to: `      where found.is_wanted or true),
    half as materialized`,
      },
    ],
    file: LINES,
    test: IN_ONE_LINE,
  },
  {
    name: 'a-group-is-a-line-only-by-its-very-first-product',
    edits: [
      {
        file: 'src/overview/product-filter.sql.ts',
        from: '    where other.is_wanted)`',
        to: '    where other.is_wanted or true)`',
      },
    ],
    file: LINES,
    test: IN_ONE_LINE,
  },
]
