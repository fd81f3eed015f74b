import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHANGE_KINDS, type ChangeKind } from '../../model/change.ts'
import {
  announce,
  announceNow,
  cutWindow,
  startOf,
  startsAfterEdit,
  startsAt,
  type Entry,
  type Listing,
  type StartNumbers,
} from './plan.ts'

const entry = (number: number, productId: number, storeId = 1, kind: ChangeKind = 'price'): Entry => ({
  number,
  kind,
  storeId,
  productId,
  changedAt: 1_000 + number,
})
const listing = (products: Record<number, number[]>): Listing =>
  new Map(Object.entries(products).map(([id, stores]) => [Number(id), new Set(stores)]))
const ALL: StartNumbers = startsAt({ kinds: CHANGE_KINDS, storeId: null }, 0)

describe('a window', () => {
  const numbers = (cut: { entries: Entry[] }) => cut.entries.map(({ number }) => number)

  test('without entries moves to the end of the scan', () => {
    expect(cutWindow([], ALL, 500, 77, false)).toEqual({ entries: [], position: 77 })
    expect(cutWindow([], ALL, 500, 77, true)).toEqual({ entries: [], position: 77 })
  })

  test('takes all of a scan that is not full, up to the head', () => {
    const scan = [entry(3, 1), entry(5, 2), entry(6, 1, 2)]
    expect(cutWindow(scan, ALL, 500, 9, false)).toEqual({ entries: scan, position: 9 })
  })

  test('ends before the first product too many; products already in it cost nothing', () => {
    const scan = [entry(1, 1), entry(2, 1, 2), entry(4, 2), entry(5, 1, 3), entry(8, 3), entry(9, 1, 1, 'content')]
    expect(cutWindow(scan, ALL, 2, 20, false)).toEqual({ entries: scan.slice(0, 4), position: 7 })
    expect(cutWindow(scan, ALL, 1, 20, false)).toEqual({ entries: scan.slice(0, 2), position: 3 })
    expect(cutWindow(scan, ALL, 3, 20, false)).toEqual({ entries: scan, position: 20 })
  })

  test('with exactly as many products as it may have is taken whole', () => {
    const scan = Array.from({ length: 500 }, (_, i) => entry(i + 1, i + 1))
    expect(cutWindow(scan, ALL, 500, 500, false)).toEqual({ entries: scan, position: 500 })
    const more = [...scan, entry(501, 501)]
    expect(cutWindow(more, ALL, 500, 501, false)).toEqual({ entries: scan, position: 500 })
  })

  test('of a full scan leaves its last product to the next, whose other stores may lie beyond', () => {
    const scan = [entry(1, 1), entry(2, 2), entry(3, 2, 2), entry(4, 3), entry(5, 3, 2)]
    expect(cutWindow(scan, ALL, 500, 5, true)).toEqual({ entries: scan.slice(0, 3), position: 3 })
  })

  test('of a full scan with one product alone takes that', () => {
    const scan = [entry(4, 3), entry(5, 3, 2)]
    expect(cutWindow(scan, ALL, 500, 5, true)).toEqual({ entries: scan, position: 5 })
  })

  test('of a full scan whose last product was there before ends where others end', () => {
    const scan = [entry(1, 3), entry(2, 1), entry(3, 2), entry(4, 3, 2)]
    const cut = cutWindow(scan, ALL, 500, 4, true)
    expect(cut.position).toBeLessThan(4)
    expect(numbers(cut)).toEqual([1, 2, 3].filter((number) => number <= cut.position))
  })

  test('skips what is before the start of its kind or store, and kinds that are not subscribed', () => {
    const starts: StartNumbers = { price: { '0': 10, '7': 4 }, content: { '7': 0 } }
    const scan = [
      entry(4, 1, 7),
      entry(5, 2, 7),
      entry(6, 3, 8),
      entry(10, 4, 8),
      entry(11, 5, 8),
      entry(12, 6, 8, 'content'),
      entry(13, 7, 7, 'content'),
      entry(14, 8, 7, 'removed'),
    ]
    expect(numbers(cutWindow(scan, starts, 500, 20, false))).toEqual([5, 11, 13])
  })

  test('does not count products that are not for it', () => {
    const starts: StartNumbers = { price: { '7': 0 } }
    const scan = [entry(1, 1, 8), entry(2, 2, 7), entry(3, 3, 8), entry(4, 4, 8)]
    expect(cutWindow(scan, starts, 1, 9, false)).toEqual({ entries: [scan[1]], position: 9 })
  })

  /** A log as the database has it: each kind once per product and store; kinds, stores and numbers are random. */
  const logs = fc
    .uniqueArray(
      fc.record({
        productId: fc.integer({ min: 1, max: 12 }),
        storeId: fc.integer({ min: 1, max: 4 }),
        kind: fc.constantFrom(...CHANGE_KINDS),
        gap: fc.integer({ min: 1, max: 3 }),
      }),
      {
        maxLength: 60,
        selector: ({ productId, storeId, kind }) => `${productId}.${storeId}.${kind}`,
      },
    )
    .map((rows) => {
      let number = 0
      return rows.map(({ gap, ...row }): Entry => ({ ...row, number: (number += gap), changedAt: 0 }))
    })
  const numberedStarts = fc.dictionary(fc.constantFrom('0', '1', '2', '3'), fc.integer({ min: 0, max: 60 }), {
    noNullPrototype: true,
  })
  const someStarts = fc.record<StartNumbers>(
    { price: numberedStarts, content: numberedStarts, removed: numberedStarts },
    { requiredKeys: [] },
  )

  test('walking a log in windows of any size sees exactly what is for the endpoint, and positions ascend', () => {
    const sizes = fc.record({
      scanned: fc.integer({ min: 1, max: 25 }),
      products: fc.integer({ min: 1, max: 6 }),
      from: fc.integer({ min: 0, max: 20 }),
      store: fc.option(fc.integer({ min: 1, max: 4 })),
    })
    fc.assert(
      fc.property(logs, someStarts, sizes, (log, starts, { scanned, products, from, store }) => {
        const head = (log.at(-1)?.number ?? 0) + 1
        const isMine = ({ storeId }: Entry) => store === null || storeId === store
        const isFor = (row: Entry) => {
          const start = starts[row.kind]?.[String(row.storeId)] ?? starts[row.kind]?.['0']
          return isMine(row) && start !== undefined && row.number > start
        }
        const seen: Entry[] = []
        let position = from
        while (position < head) {
          // like the scan: all stores count towards its limit, and those of others are left out afterwards
          const found = log.filter((row) => row.number > position && starts[row.kind] !== undefined).slice(0, scanned)
          const isFull = found.length === scanned
          const scan = found.filter(isMine)
          const cut = cutWindow(scan, starts, products, isFull ? (found.at(-1)?.number ?? head) : head, isFull)
          expect(cut.position).toBeGreaterThan(position)
          const taken = new Set(cut.entries)
          expect(cut.entries.every((row) => row.number <= cut.position && scan.includes(row))).toBe(true)
          expect(
            log
              .filter((row) => isFor(row) && row.number > position && !taken.has(row))
              .every((row) => row.number > cut.position),
          ).toBe(true)
          expect(new Set(cut.entries.map((row) => row.productId)).size).toBeLessThanOrEqual(products)
          seen.push(...cut.entries)
          ;({ position } = cut)
        }
        expect(position).toBe(Math.max(head, from))
        expect(seen).toEqual(log.filter((row) => row.number > from && isFor(row)))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('store_id', () => {
  test('on an endpoint of one store it is that store, whoever else lists the product', () => {
    expect(announce([entry(1, 5, 7), entry(2, 6, 7), entry(3, 5, 7, 'content')], null)).toEqual([
      { event: 'price', storeId: 7, productIds: [5, 6] },
      { event: 'content', storeId: 7, productIds: [5] },
    ])
  })

  test('with one active store it is that store', () => {
    expect(announce([entry(1, 5)], listing({ 5: [1] }))).toEqual([{ event: 'price', storeId: 1, productIds: [5] }])
  })

  test('with two stores: null where both have it pending, else the one', () => {
    const both = listing({ 5: [1, 2], 6: [1, 2] })
    expect(announce([entry(1, 5, 1), entry(2, 5, 2), entry(3, 6, 2)], both)).toEqual([
      { event: 'price', storeId: null, productIds: [5] },
      { event: 'price', storeId: 2, productIds: [6] },
    ])
  })

  test('with three stores: two of three are two of their own', () => {
    const three = listing({ 5: [1, 2, 3], 6: [1, 2, 3] })
    expect(announce([entry(1, 5, 1), entry(2, 5, 3), entry(3, 6, 1), entry(4, 6, 2), entry(5, 6, 3)], three)).toEqual([
      { event: 'price', storeId: 1, productIds: [5] },
      { event: 'price', storeId: 3, productIds: [5] },
      { event: 'price', storeId: null, productIds: [6] },
    ])
  })

  test('kinds are judged each by itself', () => {
    expect(announce([entry(1, 5, 1), entry(2, 5, 2, 'content')], listing({ 5: [1, 2] }))).toEqual([
      { event: 'price', storeId: 1, productIds: [5] },
      { event: 'content', storeId: 2, productIds: [5] },
    ])
  })

  test('only stores that list the product count: two of three list it and both have it pending', () => {
    expect(announce([entry(1, 5, 1), entry(2, 5, 3)], listing({ 5: [1, 3] }))).toEqual([
      { event: 'price', storeId: null, productIds: [5] },
    ])
  })

  test('an inactive store lists nothing: what is pending there makes nothing null, and misses nothing', () => {
    // store 3 is inactive and so not in the listing
    expect(announce([entry(1, 5, 1), entry(2, 5, 3)], listing({ 5: [1] }))).toContainEqual({
      event: 'price',
      storeId: 1,
      productIds: [5],
    })
    expect(announce([entry(1, 5, 1), entry(2, 5, 2)], listing({ 5: [1, 2] }))).toEqual([
      { event: 'price', storeId: null, productIds: [5] },
    ])
  })

  test.each([
    ['one of one', [1], [], 1],
    ['one of two', [1], [2], 1],
    ['two of two', [1, 2], [], null],
    ['all three', [1, 2, 3], [], null],
  ] as const)('removed from %s', (_, left, stay, storeId) => {
    const entries = left.map((store, i) => entry(i + 1, 5, store, 'removed'))
    expect(announce(entries, listing({ 5: [...stay] }))).toEqual([{ event: 'removed', storeId, productIds: [5] }])
  })

  test('removed from two of three: each of the two', () => {
    expect(announce([entry(1, 5, 1, 'removed'), entry(2, 5, 3, 'removed')], listing({ 5: [2] }))).toEqual([
      { event: 'removed', storeId: 1, productIds: [5] },
      { event: 'removed', storeId: 3, productIds: [5] },
    ])
  })

  test('a product that nobody lists or ever removed is not in the listing at all', () => {
    expect(announce([entry(1, 5, 1, 'removed'), entry(2, 5, 2, 'removed')], new Map())).toEqual([
      { event: 'removed', storeId: null, productIds: [5] },
    ])
    expect(announce([entry(1, 5, 1, 'removed')], new Map())).toEqual([
      { event: 'removed', storeId: 1, productIds: [5] },
    ])
  })

  test('one body for each kind and store, the oldest change in the first; products in the order of the log, each once', () => {
    const two = listing({ 1: [1, 2], 2: [1, 2], 3: [1, 2] })
    const log = [
      entry(1, 3, 1, 'content'),
      entry(2, 2, 1),
      entry(3, 2, 2),
      entry(4, 2, 1, 'content'),
      entry(5, 1, 1),
      entry(6, 1, 2),
      entry(7, 3, 2, 'content'),
    ]
    const groups = announce(log, two)
    expect(groups[0]).toEqual({ event: 'content', storeId: null, productIds: [3] })
    expect(groups).toHaveLength(3)
    expect(groups).toContainEqual({ event: 'price', storeId: null, productIds: [2, 1] })
    expect(groups).toContainEqual({ event: 'content', storeId: 1, productIds: [2] })
  })
})

describe('a redelivery, by the current state', () => {
  const now = (
    event: ChangeKind,
    storeId: number | null,
    productIds: number[],
    listed: Record<number, number[]>,
    asked: readonly ChangeKind[] = CHANGE_KINDS,
  ) => announceNow({ event, storeId, productIds }, asked, listing(listed))

  test.each(['price', 'content'] as const)('%s of what is still listed is the same again', (event) => {
    expect(now(event, 1, [5, 6], { 5: [1], 6: [1, 2] })).toEqual([{ event, storeId: 1, productIds: [5, 6] }])
    expect(now(event, null, [5, 6], { 5: [1, 2], 6: [1, 2] })).toEqual([{ event, storeId: null, productIds: [5, 6] }])
  })

  test('what is no longer listed is removed, for subscribers of removed', () => {
    expect(now('price', 1, [5, 6], { 5: [1], 6: [2] })).toEqual([
      { event: 'price', storeId: 1, productIds: [5] },
      { event: 'removed', storeId: 1, productIds: [6] },
    ])
    expect(now('price', 1, [5, 6], { 5: [1], 6: [2] }, ['price'])).toEqual([
      { event: 'price', storeId: 1, productIds: [5] },
    ])
    expect(now('price', 1, [6], {}, ['price', 'content'])).toEqual([])
  })

  test('a product listed again is never announced as removed, but as content, or as price if only that is subscribed', () => {
    expect(now('removed', 1, [5, 6], { 5: [1] })).toEqual([
      { event: 'content', storeId: 1, productIds: [5] },
      { event: 'removed', storeId: 1, productIds: [6] },
    ])
    expect(now('removed', 1, [5], { 5: [1] }, ['price', 'removed'])).toEqual([
      { event: 'price', storeId: 1, productIds: [5] },
    ])
    expect(now('removed', 1, [5], { 5: [1] }, ['removed'])).toEqual([])
  })

  test('of all stores: null while at least two list it, the one that does, removed when none does', () => {
    expect(now('content', null, [5, 6, 7], { 5: [1, 2], 6: [2] })).toEqual([
      { event: 'content', storeId: null, productIds: [5] },
      { event: 'content', storeId: 2, productIds: [6] },
      { event: 'removed', storeId: null, productIds: [7] },
    ])
  })

  test('a kind that the endpoint no longer subscribes to is not announced', () => {
    expect(now('price', 1, [5], { 5: [1] }, ['content', 'removed'])).toEqual([])
  })
})

describe('where an endpoint starts', () => {
  test('a new one starts at the head, in its kinds and its store alone', () => {
    const one = startsAt({ kinds: ['price', 'removed'], storeId: 7 }, 40)
    expect([startOf(one, 'price', 7), startOf(one, 'removed', 7)]).toEqual([40, 40])
    expect([startOf(one, 'content', 7), startOf(one, 'price', 8)]).toEqual([null, null])
    const all = startsAt({ kinds: ['content'], storeId: null }, 40)
    expect([startOf(all, 'content', 7), startOf(all, 'content', 8), startOf(all, 'price', 7)]).toEqual([40, 40, null])
  })

  const all: StartNumbers = startsAt({ kinds: ['price', 'content'], storeId: null }, 10)
  const one: StartNumbers = startsAt({ kinds: ['price', 'content'], storeId: 7 }, 10)

  test.each([
    ['all stores', all, null],
    ['one store', one, 7],
  ] as const)('%s: an added kind starts at the head, a kept one goes on, a dropped one ends', (_, before, storeId) => {
    const after = startsAfterEdit(before, { kinds: ['content', 'removed'], storeId }, 99)
    expect([startOf(after, 'content', 7), startOf(after, 'removed', 7), startOf(after, 'price', 7)]).toEqual([
      10,
      99,
      null,
    ])
    const again = startsAfterEdit(after, { kinds: CHANGE_KINDS, storeId }, 120)
    expect([startOf(again, 'content', 7), startOf(again, 'removed', 7), startOf(again, 'price', 7)]).toEqual([
      10, 99, 120,
    ])
  })

  test('another store starts at the head, and the first one ends', () => {
    const after = startsAfterEdit(one, { kinds: ['price'], storeId: 8 }, 99)
    expect([startOf(after, 'price', 8), startOf(after, 'price', 7)]).toEqual([99, null])
  })

  test('from all stores to one: it goes on', () => {
    const after = startsAfterEdit(all, { kinds: ['price'], storeId: 7 }, 99)
    expect([startOf(after, 'price', 7), startOf(after, 'price', 8)]).toEqual([10, null])
  })

  test('from one store to all: that one goes on, all others start at the head', () => {
    const after = startsAfterEdit(one, { kinds: ['price'], storeId: null }, 99)
    expect([startOf(after, 'price', 7), startOf(after, 'price', 8)]).toEqual([10, 99])
  })

  test('there and back: what was left in between starts at the head', () => {
    const narrowed = startsAfterEdit(all, { kinds: ['price'], storeId: 7 }, 50)
    const back = startsAfterEdit(narrowed, { kinds: ['price'], storeId: null }, 99)
    expect([startOf(back, 'price', 7), startOf(back, 'price', 8)]).toEqual([10, 99])
  })

  test('an edit that leaves the subscription as it is moves nothing', () => {
    expect(startsAfterEdit(all, { kinds: ['price', 'content'], storeId: null }, 99)).toEqual(all)
    expect(startsAfterEdit(one, { kinds: ['price', 'content'], storeId: 7 }, 99)).toEqual(one)
  })
})
