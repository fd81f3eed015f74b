import { expect, test } from 'vitest'
import { OPTIONAL_NAMES, OPTIONAL_TEXTS } from '../../contract/product-fields.ts'
import { recordHash } from '../../src/catalog/products/offers/offer-state.ts'
import type { OfferRecord } from '../../src/model/offer.ts'
import type { ComparedRow } from '../../src/supplier-files/offer-facts.ts'
import type { Mapping } from '../../src/supplier-files/mapping/mapping.ts'
import type { ReadRow } from '../../src/supplier-files/reading.ts'
import { RowPage, rowsOf } from '../../src/file-readers/row-pages.ts'

const MAPPING = {
  fields: { sku: 'sku' },
  skip: [
    { column: 'a', in: ['1'] },
    { column: 'b', in: ['2'] },
  ],
} as unknown as Mapping

const OFFERS: readonly OfferRecord[] = [
  { sku: 'A' },
  {
    sku: 'B "\u00fc\ud83d\ude00\n\\',
    eans: ['4006381333931'],
    cost: '12.50',
    currency: 'EUR',
    quantity: 3,
    texts: { de: { title: 'Stift', description: null }, en: { title: 'Pen \ud800' } },
    manufacturer: 'Stabilo',
    category: 'Office/Pens',
    attributes: [{ key: 'size', value: '28 cm' }],
    keptAttributes: ['color'],
    images: ['https://images.example.com/1.jpg'],
  },
  { sku: 'C', eans: [], cost: null, currency: null, quantity: 0, texts: { de: { title: null } }, images: [] },
  { sku: 'D', manufacturer: null, category: null, attributes: [], keptAttributes: 'all' },
  ...OPTIONAL_NAMES.flatMap((field) => [
    { sku: field, [field]: 'x' },
    { sku: `${field} empty`, [field]: null },
  ]),
  ...OPTIONAL_TEXTS.map((field) => ({ sku: field, texts: { pl: { [field]: 'x' } } })),
  // much longer than the first page's limit
  { sku: 'E', texts: { de: { description: 'ü'.repeat(400_000) } } },
  { sku: 'F', cost: '0', quantity: 1 },
]

function sent(rows: readonly ReadRow[], page = new RowPage(MAPPING)): ComparedRow[] {
  for (const row of rows) page.add(row)
  return rowsOf(Buffer.concat(page.take(7)), MAPPING)
}

test('an offer that a record lists keeps its number in it', () => {
  const rows = sent([
    { line: 1, offer: { sku: 'A' } },
    { line: 2, article: 1, offer: { sku: 'B' } },
    { line: 2, article: 2, offer: { sku: 'C' } },
  ])
  expect(rows.map((row) => 'offer' in row && row.article)).toEqual([undefined, 1, 2])
})

test('offers are the same after they were sent, and have the hash that the service gives them', () => {
  const received = sent(OFFERS.map((offer, i) => ({ line: i + 2, offer })))
  expect(received.map((row) => 'offer' in row && row.offer)).toEqual(OFFERS)
  expect(received.map((row) => 'offer' in row && row.facts.hash)).toEqual(OFFERS.map(recordHash))
  expect(received.map(({ line }) => line)).toEqual(OFFERS.map((_, i) => i + 2))
  expect(received.slice(0, 3).map((row) => 'offer' in row && row.facts)).toMatchObject([
    { sku: 'A', cost: undefined, currency: undefined, quantity: undefined, titles: 'nothing', eans: 'nothing' },
    { cost: 12.5, currency: 'EUR', quantity: 3, titles: 'some', images: 'some', eans: 'some', isQuantityEmpty: false },
    { cost: null, currency: null, quantity: 0, titles: 'none', images: 'none', eans: 'none' },
  ])
})

test('rows without an offer keep their places and their conditions, what was dropped its row, and the next page begins anew', () => {
  const faults = [{ name: 'cost', reason: 'is no amount' }]
  const page = new RowPage(MAPPING)
  const rows: ReadRow[] = [
    { line: 1, skipped: true, condition: MAPPING.skip![1]!, row: ['x', '2'] },
    { line: 2, offer: { sku: 'A', quantity: 0 }, isQuantityEmpty: true },
    { line: 3, sku: null, faults, about: null },
    { line: 4, skipped: true, condition: null, row: ['Sum'], remark: 'sum', about: ['Sum'] },
    { line: 5, offer: { sku: 'B' }, dropped: faults },
    { line: 6, skipped: true, condition: null, row: ['part'] },
  ]
  expect(sent(rows, page)).toEqual([
    { line: 1, skipped: true, condition: MAPPING.skip![1], row: ['x', '2'] },
    expect.objectContaining({ line: 2, facts: expect.objectContaining({ sku: 'A', isQuantityEmpty: true }) }),
    { line: 3, sku: null, faults, about: null },
    { line: 4, skipped: true, condition: null, row: ['Sum'], remark: 'sum', about: ['Sum'] },
    expect.objectContaining({ line: 5, dropped: faults }),
    { line: 6, skipped: true, condition: null, row: ['part'] },
  ])
  expect([page.rows, page.size]).toEqual([0, 0])
  expect(sent([{ line: 7, offer: { sku: 'C' } }], page)).toMatchObject([{ line: 7, offer: { sku: 'C' } }])
  expect(sent([], page)).toEqual([])
})

test('values without a limit of their own count towards the size of a page', () => {
  const page = new RowPage(MAPPING)
  page.add({ line: 1, sku: null, faults: [], about: ['x'.repeat(10_000)] })
  expect(page.size).toBeGreaterThan(10_000)
  page.add({ line: 2, offer: { sku: 'A' }, dropped: [{ name: 'title', reason: 'y'.repeat(10_000) }] })
  expect(page.size).toBeGreaterThan(20_000)
  page.add({ line: 3, offer: { sku: 'B', texts: { de: { title: 'z'.repeat(10_000) } } } })
  expect(page.size).toBeGreaterThan(30_000)
})
