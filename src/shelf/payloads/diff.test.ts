import { describe, expect, it, test } from 'vitest'
import { NO_GAPS } from '../../model/gaps.ts'
import { Exact } from '../../model/money.ts'
import type { Payload } from '../../model/payload.ts'
import { anAccount, aProduct, payloadOf } from '../../resolve/fixtures.ts'
import { dated, encodeResolved, diffPayload, type Fresh } from './diff.ts'
import type { ShelvedRow } from './payloads.sql.ts'

const payload = (over: { title?: string; stock?: number; price?: string; gaps?: number } = {}): Payload => ({
  content: {
    ...payloadOf(anAccount(), aProduct({ productId: 7 }))!.content,
    title: over.title ?? 'Spade',
    images: ['https://i.example/a.jpg'],
    excluded: false,
    exclusion_reason: null,
    attributes: [{ key: 'color', label: 'Colour', value: 'red' }],
  },
  price: {
    prices: [
      {
        groupId: 1,
        group: 'Retail',
        baseCost: new Exact('8'),
        computedPrice: new Exact(over.price ?? '10'),
        currency: 'EUR',
        ruleId: 3,
        isDefault: null,
        compareAtPrice: null,
        sale: null,
        tax: null,
        tiers: [],
        unitPrice: null,
      },
    ],
    stock: over.stock ?? 5,
  },
})
const fresh = (over: Parameters<typeof payload>[0] = {}) =>
  dated(encodeResolved(1, 7, payload(over), { content: over.gaps ?? 0, price: 0 }), null)
const LEFT = dated(encodeResolved(1, 7, null, NO_GAPS), null)

/** The row that shelving `entry` would have left. */
function stored(entry: Fresh): ShelvedRow {
  const { halves } = entry
  return {
    storeId: 1,
    productId: 7,
    contentTag: halves!.contentTag,
    priceTag: halves!.priceTag,
    exclusion: halves!.exclusion,
    shown: halves!.shown,
    gaps: halves!.gaps,
    resolver: 1,
    updatedAt: halves!.updatedAt,
  }
}

describe('comparing a payload with the stored tags', () => {
  it.each([
    [
      'a product that enters is price then content',
      fresh(),
      undefined,
      {
        writeContent: true,
        writePrice: true,
        shown: 'EUR 1:10',
        isRepriced: true,
        change: { price: true, content: true, removed: false },
        delta: 1,
      },
    ],
    [
      'an equal payload writes nothing',
      fresh(),
      stored(fresh()),
      { writeContent: false, writePrice: false, shown: null, isRepriced: false, change: null, delta: 0 },
    ],
    [
      'a different stock is a price change, without a new price',
      fresh({ stock: 6 }),
      stored(fresh()),
      {
        writeContent: false,
        writePrice: true,
        shown: 'EUR 1:10',
        isRepriced: false,
        change: { price: true, content: false, removed: false },
        delta: 0,
      },
    ],
    [
      'a different price is a price change',
      fresh({ price: '9.9' }),
      stored(fresh()),
      {
        writeContent: false,
        writePrice: true,
        shown: 'EUR 1:9.9',
        isRepriced: true,
        change: { price: true, content: false, removed: false },
        delta: 0,
      },
    ],
    [
      'a different stock starts the price history of a row without one',
      fresh({ stock: 6 }),
      { ...stored(fresh()), shown: null },
      {
        writeContent: false,
        writePrice: true,
        shown: 'EUR 1:10',
        isRepriced: true,
        change: { price: true, content: false, removed: false },
        delta: 0,
      },
    ],
    [
      'a different title is a content change',
      fresh({ title: 'Hoe' }),
      stored(fresh()),
      {
        writeContent: true,
        writePrice: false,
        shown: null,
        isRepriced: false,
        change: { price: false, content: true, removed: false },
        delta: 0,
      },
    ],
    [
      'both halves can change together',
      fresh({ title: 'Hoe', stock: 6 }),
      stored(fresh()),
      {
        writeContent: true,
        writePrice: true,
        shown: 'EUR 1:10',
        isRepriced: false,
        change: { price: true, content: true, removed: false },
        delta: 0,
      },
    ],
    [
      'a gap more is written with its count, without a change',
      fresh({ gaps: 5 }),
      stored(fresh({ gaps: 3 })),
      {
        writeContent: true,
        writePrice: false,
        shown: null,
        isRepriced: false,
        change: null,
        delta: 0,
        gapDeltas: [0, -1, 1, 0, 0],
      },
    ],
    [
      'a product that enters with a gap is counted',
      fresh({ gaps: 2 }),
      undefined,
      {
        writeContent: true,
        writePrice: true,
        shown: 'EUR 1:10',
        isRepriced: true,
        change: { price: true, content: true, removed: false },
        delta: 1,
        gapDeltas: [0, 1, 0, 0, 0],
      },
    ],
    [
      'a product that leaves takes its gaps along',
      LEFT,
      { ...stored(fresh()), gaps: { content: 1, price: 2 } },
      {
        writeContent: false,
        writePrice: false,
        shown: null,
        isRepriced: true,
        change: { price: false, content: false, removed: true },
        delta: -1,
        gapDeltas: [-1, 0, 0, 0, -1],
      },
    ],
    [
      'a product that leaves is removed',
      LEFT,
      stored(fresh()),
      {
        writeContent: false,
        writePrice: false,
        shown: null,
        isRepriced: true,
        change: { price: false, content: false, removed: true },
        delta: -1,
      },
    ],
    [
      'a product that was never listed is no change',
      LEFT,
      undefined,
      { writeContent: false, writePrice: false, shown: null, isRepriced: false, change: null, delta: 0 },
    ],
  ])('%s', (_name, entry, row, expected) => {
    expect(diffPayload(entry, row, undefined)).toEqual({
      fresh: entry,
      before: row ?? null,
      gapDeltas: null,
      ...expected,
    })
  })
})

describe('comparing with a row that an older release wrote', () => {
  const now = fresh()
  const halves = now.halves!
  const older = { ...stored(now), contentTag: 'older', priceTag: 'older', resolver: 0 }
  const bodies = (change: (content: string, price: string) => [string, string]) => {
    const [content, price] = change(halves.content, halves.price)
    return { content, price }
  }
  const change = (old: { content: string; price: string }) => diffPayload(now, older, old).change

  it('members that this release added, at any depth, are written without a change', () => {
    // the release added: manufacturer to the product, label to an attribute, applied_rule_id to a price
    const old = bodies((content, price) => [
      content.replace(',"manufacturer":null', '').replace(',"label":"Colour"', ''),
      price.replace(',"applied_rule_id":3', ''),
    ])
    expect(old.content).not.toBe(halves.content)
    expect(old.price).not.toBe(halves.price)
    expect(diffPayload(now, older, old)).toEqual({
      fresh: now,
      before: older,
      writeContent: true,
      writePrice: true,
      shown: 'EUR 1:10',
      isRepriced: false,
      change: null,
      delta: 0,
      gapDeltas: null,
    })
  })

  it('members in another order are no change', () => {
    const old = bodies((content, price) => [content.replace('"id":7,"sku":"A"', '"sku":"A","id":7'), price])
    expect(change(old)).toBeNull()
  })

  it('a member that is missing, or has a different value, is a change of its half', () => {
    const gone = bodies((content, price) => [`${content},"gone":1`, price])
    expect(change(gone)).toEqual({ price: false, content: true, removed: false })
    const renamed = bodies((content, price) => [content.replace('"label":"Colour"', '"label":"Color"'), price])
    expect(change(renamed)).toEqual({ price: false, content: true, removed: false })
    const cheaper = bodies((content, price) => [content, price.replace('"computed_price":10', '"computed_price":9.99')])
    expect(change(cheaper)).toEqual({ price: true, content: false, removed: false })
    const both = bodies((content, price) => [
      content.replace('"red"', '"blue"'),
      price.replace('"stock":5', '"stock":4'),
    ])
    expect(change(both)).toEqual({ price: true, content: true, removed: false })
  })

  it('null is a value: null to text and text to null are changes', () => {
    expect(
      change(bodies((content, price) => [content.replace('"title":"Spade"', '"title":null'), price])),
    ).toMatchObject({ content: true })
    expect(change(bodies((content, price) => [content.replace('"ean":null', '"ean":"1"'), price]))).toMatchObject({
      content: true,
    })
  })

  it('an entry more or fewer in a list is a change', () => {
    const more = bodies((content, price) => [
      content.replace('"images":[', '"images":["https://i.example/b.jpg",'),
      price,
    ])
    expect(change(more)).toMatchObject({ content: true, price: false })
    const less = bodies((content, price) => [content.replace(/"images":\[[^\]]*\]/, '"images":[]'), price])
    expect(change(less)).toMatchObject({ content: true, price: false })
    const noPrices = bodies((content, price) => [content, price.replace(/"prices":\[.*\],/, '"prices":[],')])
    expect(change(noPrices)).toMatchObject({ content: false, price: true })
  })

  it('equal bodies are written again, so that the row carries the new version, without a change', () => {
    expect(diffPayload(now, { ...stored(now), resolver: 0 }, { content: halves.content, price: halves.price })).toEqual(
      {
        fresh: now,
        before: { ...stored(now), resolver: 0 },
        writeContent: true,
        writePrice: true,
        shown: 'EUR 1:10',
        isRepriced: false,
        change: null,
        delta: 0,
        gapDeltas: null,
      },
    )
  })
})

test('a fresh payload has its halves, their tags and its SKU; one that is not listed has none', () => {
  const { halves } = fresh()
  expect(halves).toMatchObject({ sku: 'A' })
  expect(halves!.contentTag).not.toBe(halves!.priceTag)
  expect(fresh({ stock: 6 }).halves!.contentTag).toBe(halves!.contentTag)
  expect(fresh({ stock: 6 }).halves!.priceTag).not.toBe(halves!.priceTag)
  expect(LEFT).toEqual({ storeId: 1, productId: 7, halves: null })
})

describe('when the content last changed, in accounts whose payloads say it', () => {
  const [first, later] = ['2026-11-20T10:00:00+00:00', '2026-11-20T10:00:01+00:00']
  const shelved = (before: Fresh | undefined, entry: Fresh, time: string) =>
    diffPayload(entry, before === undefined ? undefined : stored(before), undefined, time)
  const timeOf = (diff: ReturnType<typeof diffPayload>) => {
    const { content, updatedAt } = diff.fresh.halves!
    expect(content.endsWith(`,"updated_at":"${updatedAt}"`)).toBe(true)
    return updatedAt
  }

  it('is the time of the transaction at first, and stays while the content does, whatever prices do', () => {
    const entered = shelved(undefined, fresh(), first)
    expect(timeOf(entered)).toBe(first)
    const same = shelved(entered.fresh, fresh(), later)
    expect([timeOf(same), same.writeContent, same.writePrice, same.change]).toEqual([first, false, false, null])
    const priced = shelved(entered.fresh, fresh({ price: '9' }), later)
    expect([timeOf(priced), priced.writeContent, priced.change]).toEqual([
      first,
      false,
      { price: true, content: false, removed: false },
    ])
    const gaps = shelved(entered.fresh, fresh({ gaps: 4 }), later)
    expect([timeOf(gaps), gaps.writeContent, gaps.change]).toEqual([first, true, null])
  })

  it('is a new one with other content, never an earlier one than before', () => {
    const entered = shelved(undefined, fresh(), later)
    for (const [time, expected] of [
      [first, later],
      ['2026-11-20T10:00:02+00:00', '2026-11-20T10:00:02+00:00'],
    ] as const) {
      const changed = shelved(entered.fresh, fresh({ title: 'Shovel' }), time)
      expect([timeOf(changed), changed.change?.content]).toEqual([expected, true])
    }
  })

  it('stays where a newer resolver adds members to what an older one wrote, and moves where it changes one', () => {
    const old = dated(fresh(), first)
    const row = { ...stored(old), resolver: 0 }
    const { content, price } = old.halves!
    const without = content.replace(',"attributes":[{"key":"color","label":"Colour","value":"red"}]', '')
    const added = diffPayload(fresh(), { ...row, contentTag: 'other' }, { content: without, price }, later)
    expect([timeOf(added), added.writeContent, added.change]).toEqual([first, true, null])
    const changed = diffPayload(fresh({ title: 'Shovel' }), row, { content, price }, later)
    expect([timeOf(changed), changed.change?.content]).toEqual([later, true])
  })

  it('comes with the choice and goes with it, as any other member', () => {
    const chosen = diffPayload(fresh(), stored(fresh()), undefined, later)
    expect([timeOf(chosen), chosen.change?.content]).toEqual([later, true])
    const given = diffPayload(fresh(), stored(chosen.fresh), undefined)
    expect([given.fresh.halves?.updatedAt, given.writeContent, given.change?.content]).toEqual([null, true, true])
    expect(diffPayload(LEFT, stored(chosen.fresh), undefined, later).change?.removed).toBe(true)
  })
})
