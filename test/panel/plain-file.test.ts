import { expect, test } from 'vitest'
import { isImportedCompletely, isCertain } from '../../panel/pages/import/plain-file.ts'
import type { Detected, PreviewedRow } from '../../panel/pages/import/preview-file.ts'

// Which files of a new account are compared at once: those that raise no questions.

const KNOWN: Pick<Detected, 'preset' | 'mapping' | 'prices' | 'warnings' | 'remarks'> = {
  preset: null,
  mapping: { fields: { sku: 'No', 'title.de': 'Name', cost: 'EK', quantity: { column: 'Stock' } } },
  prices: [
    { column: 'EK', kind: 'purchase', vat: 'unknown' },
    { column: 'VK', kind: 'selling', vat: 'included' },
  ],
  warnings: [],
  remarks: [],
}
const without = (field: string) => {
  const { [field]: _, ...fields } = KNOWN.mapping['fields'] as Record<string, unknown>
  return { ...KNOWN, mapping: { fields } }
}

test('a proposal that asks nothing and knows key, title, cost and quantity is certain', () => {
  expect(isCertain(KNOWN)).toBe(true)
  expect(
    isCertain({ ...KNOWN, mapping: { fields: { sku: 'No', title: 'Name', cost: 'EK', quantity: 'Stock' } } }),
  ).toBe(true)
})

test('a question of the proposal is asked', () => {
  expect(
    isCertain({
      ...KNOWN,
      remarks: [{ text: 'no column was found for the cost: which one is it?', code: 'no_cost', parameters: {} }],
    }),
  ).toBe(false)
})

test('a question of an older process, which has no remarks beside it, is asked as well', () => {
  const { remarks: _, ...older } = KNOWN
  expect(isCertain(older)).toBe(true)
  expect(isCertain({ ...older, warnings: ['no column was found for the cost: which one is it?'] })).toBe(false)
})

test.each(['title.de', 'cost', 'quantity'])('a file without %s is looked at', (field) => {
  expect(isCertain(without(field))).toBe(false)
})

test('a cost that is probably a selling price is looked at', () => {
  const fields = { ...(KNOWN.mapping['fields'] as object), cost: { calc: 'gross / 1.19', of: { gross: 'VK' } } }
  expect(isCertain({ ...KNOWN, mapping: { fields } })).toBe(false)
})

test('of a ready mapping any selling price is looked at, because its columns are not known here', () => {
  const ready = { ...KNOWN, preset: 'magento', mapping: { preset: 'magento' } }
  expect(isCertain(ready)).toBe(false)
  expect(isCertain({ ...ready, prices: [] })).toBe(true)
})

test('rows come in whole, or the mapping is shown', () => {
  const row: PreviewedRow = {
    line: 2,
    row: {},
    offer: { sku: 'A', cost: '1.5' },
    errors: [],
    dropped: [],
    is_left_out: false,
    condition: null,
    left_out_kind: null,
  }
  expect(isImportedCompletely([row, row])).toBe(true)
  expect(isImportedCompletely([])).toBe(false)
  expect(
    isImportedCompletely([row, { ...row, offer: null, errors: [{ name: 'cost', reason: 'must be a number' }] }]),
  ).toBe(false)
  expect(isImportedCompletely([row, { ...row, offer: null, is_left_out: true }])).toBe(false)
  expect(isImportedCompletely([row, { ...row, offer: { sku: 'B', cost: null } }])).toBe(false)
  expect(isImportedCompletely([row, { ...row, dropped: [{ name: 'ean', reason: 'is no EAN' }] }])).toBe(false)
})
