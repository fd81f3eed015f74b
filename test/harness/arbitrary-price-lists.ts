import * as fc from 'fast-check'
import type { PriceListEntryInput, PriceListInput } from '../../src/resolve/inputs.ts'

const id = fc.integer({ min: 1, max: 4 })

/** Up to two lists of one account. */
export const priceLists: fc.Arbitrary<PriceListInput[]> = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom('spring', 'trade'),
    name: fc.constantFrom('A', ''),
    currency: fc.constantFrom('EUR', 'PLN', 'JPY'),
    storeIds: fc.option(fc.uniqueArray(id, { maxLength: 2 })),
    groupId: fc.option(id),
    validFrom: fc.constantFrom(null, '2026-11-20', '2026-11-21'),
    validTo: fc.constantFrom(null, '2026-11-20', '2026-11-19'),
    priority: fc.integer({ min: 0, max: 1 }),
    isActive: fc.boolean(),
    createdAt: fc.constantFrom('2026-01-01', '2026-02-01'),
  }),
  { selector: (list) => list.key, maxLength: 2 },
)

/** Entries of price lists for a product; the list `gone` does not exist. */
export const listEntries: fc.Arbitrary<PriceListEntryInput[]> = fc.uniqueArray(
  fc.record({
    listKey: fc.constantFrom('spring', 'trade', 'gone'),
    groupId: fc.integer({ min: 0, max: 4 }),
    amount: fc.constantFrom('9.99', '1000', '0.01'),
  }),
  { selector: (entry) => `${entry.listKey} ${entry.groupId}`, maxLength: 3 },
)
