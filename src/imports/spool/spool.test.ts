import { expect, test } from 'vitest'
import type { OfferRecord } from '../../model/offer.ts'
import { recordText } from '../../model/record-text.ts'
import { openSpool, type SpoolEntry, type Spooled } from './spool.ts'

const entries = (count: number): ({ absent: string } & SpoolEntry)[] =>
  Array.from({ length: count }, (_, i) => ({ absent: `${i} \u2028 ü ${'x'.repeat(i % 700)}` }))

test('an offer is read back unchanged, with the hash of its text and the reason why it was spooled', async () => {
  await using spool = await openSpool()
  const offers = [
    { sku: 'A "1"\n\u2028' },
    {
      sku: 'B',
      eans: null,
      cost: null,
      currency: 'EUR',
      quantity: 0,
      texts: { de: { title: 'Größe', description: null } },
      manufacturer: null,
      mpn: 'M-1',
      attributes: [{ key: 'Farbe', value: 'rot' }],
      keptAttributes: ['Größe'],
      images: [],
      group: { key: 'G', title: { de: 'Hemd' }, options: [{ key: 'size', label: null, value: 'XL' }], position: 1 },
    },
    { sku: 'C', attributes: [], keptAttributes: 'all' as const, group: null },
  ] as unknown as OfferRecord[]
  const purposes = [{}, { isNew: true as const }, { isEqual: true as const }]
  await spool.add(offers.map((offer, i) => ({ text: recordText(offer), hash: `hash-${i}_`, ...purposes[i] })))
  for await (const page of spool.pages(10))
    expect(page).toStrictEqual(offers.map((offer, i) => ({ offer, hash: `hash-${i}_`, ...purposes[i] })))
})

test.for([1, 7, 1_000, 5_000])('pages of %i have every entry once, in the order they were added', async (rows) => {
  await using spool = await openSpool()
  const added = entries(4_000)
  await spool.add(added.slice(0, 1_500))
  await spool.add([])
  await spool.add(added.slice(1_500))
  expect(spool.size).toBe(4_000)
  for (let time = 0; time < 2; time++) {
    const pages: Spooled[][] = []
    for await (const page of spool.pages(rows)) pages.push(page)
    expect(pages.flat()).toEqual(added)
    expect(pages.slice(0, -1).every((page) => page.length === rows)).toBe(true)
  }
})

test('a page of long rows ends early, and has at least one row', async () => {
  await using spool = await openSpool()
  const added = [...entries(40), { absent: 'y'.repeat(9_000) }, { absent: 'z'.repeat(30_000) }, ...entries(40)]
  await spool.add(added)
  expect(spool.bytes).toBe(added.reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)) + 1, 0))
  const pages: Spooled[][] = []
  for await (const page of spool.pages(1_000, 10_000)) pages.push(page)
  expect(pages.flat()).toEqual(added)
  expect(pages.map(({ length }) => length)).toEqual([41, 1, 40])
})

test('an import that is interrupted leaves no read of a file that is closed', async () => {
  for (let time = 0; time < 30; time++) {
    await using spool = await openSpool()
    await spool.add(entries(4_000))
    for await (const page of spool.pages(10)) {
      expect(page).toHaveLength(10)
      break
    }
  }
  // an unhandled error fails the test run
  await new Promise((resolve) => setTimeout(resolve, 50))
})
