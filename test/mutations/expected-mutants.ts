import type { Mutant } from './mutant.ts'

// Mutants of rows with expected values.

const EXPECTED = 'test/operations/expected.pg.test.ts'

export const EXPECTED_MUTANTS: readonly Mutant[] = [
  {
    name: 'an-override-replaces-whatever-is-there',
    edits: [
      {
        file: 'src/catalog/products/overrides/write-override-rows.ts',
        from: 'if (row.expected !== undefined && row.expected !== (old ?? null))',
        to: 'if (row.expected !== undefined && count < 0)',
      },
    ],
    file: EXPECTED,
    test: 'the second of two writers who read the same state gets a conflict',
  },
  {
    name: 'own-stock-replaces-whatever-is-there',
    edits: [
      {
        file: 'src/operations/bulk/stock.ts',
        from: 'if (expected !== undefined && !isSame(expected, now))',
        to: 'if (expected !== undefined && !isSame(expected, expected))',
      },
    ],
    file: EXPECTED,
    test: 'own stock is written where it is as it was read; costs are compared as numbers',
  },
  {
    name: 'an-exclusion-replaces-whatever-is-there',
    edits: [
      {
        file: 'src/operations/bulk/exclusions.ts',
        from: 'expected === undefined || expected === (reasons.get(place) ?? null)',
        to: 'expected === undefined || expected !== 0',
      },
    ],
    file: EXPECTED,
    test: 'an exclusion is written where the reason is the one that was read',
  },
]
