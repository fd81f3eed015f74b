import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ALWAYS, arbitraryAccount, arbitraryProduct, withDefaults } from '../../test/harness/arbitrary-inputs.ts'
import { minorDigits } from '../model/money.ts'
import { anAccount, anOffer, aProduct, aStore, aSupplier, compileAccount } from './fixtures.ts'
import type { OfferInput, ProductInputs } from './inputs.ts'
import { resolve, resolvePriceHalves } from './resolve.ts'

const seed = Number(process.env['SEED'] ?? 20_261_121)
const RUNS = { seed, numRuns: 600 }

/** A copy that throws when any part of it is written to. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}

describe(`resolve of arbitrary inputs (SEED=${seed})`, () => {
  it('always returns one entry per store, and does not modify its inputs', () => {
    fc.assert(
      fc.property(arbitraryAccount, arbitraryProduct, (inputs, product) => {
        const results = resolve(compileAccount(frozen(inputs)), frozen(product))
        expect(results.map((row) => row.store.storeId)).toEqual(inputs.stores.map((row) => row.storeId))
        for (const { store, payload } of results) {
          const manual = product.listings.find((row) => row.storeId === store.storeId)
          if (product.isDeleted || manual?.isListed === false) expect(payload).toBeNull()
          else if (manual !== undefined) expect(payload).not.toBeNull()
        }
      }),
      RUNS,
    )
  })

  it('is the same for equal inputs, also with an account that was used for other products before', () => {
    fc.assert(
      fc.property(arbitraryAccount, arbitraryProduct, arbitraryProduct, (inputs, product, other) => {
        const compiled = compileAccount(inputs)
        const first = JSON.stringify(resolve(compiled, product))
        resolve(compiled, other)
        expect(JSON.stringify(resolve(compiled, product))).toBe(first)
        expect(JSON.stringify(resolve(compileAccount(structuredClone(inputs)), structuredClone(product)))).toBe(first)
      }),
      RUNS,
    )
  })

  it('gives prices in the store’s currency and digits, a stock of 0 or more, and a reason exactly when excluded', () => {
    let priced = 0
    fc.assert(
      fc.property(arbitraryAccount, arbitraryProduct, (inputs, product) => {
        const compiled = compileAccount({
          ...withDefaults(inputs),
          assortmentRules: [],
          stores: inputs.stores.map((row) => ({ ...row, listsByDefault: true })),
        })
        for (const { store, payload } of resolve(compiled, { ...product, isDeleted: false, listings: [], holds: [] })) {
          const { content, price } = payload!
          // one entry per group, or none at all
          expect([0, compiled.groups.length]).toContain(price.prices.length)
          for (const entry of price.prices) {
            priced++
            expect(entry.currency).toBe(store.currency)
            expect(entry.baseCost.decimalPlaces()).toBeLessThanOrEqual(minorDigits(store.currency))
            expect(entry.computedPrice.decimalPlaces()).toBeLessThanOrEqual(minorDigits(store.currency))
            expect(entry.computedPrice.isNegative() && !entry.computedPrice.isZero()).toBe(false)
          }
          const ids = price.prices.map((entry) => entry.groupId)
          expect(ids).toEqual(ids.toSorted((a, b) => a - b))
          expect(Number.isSafeInteger(price.stock) && price.stock >= 0).toBe(true)
          expect(content.exclusion_reason === null).toBe(!content.excluded)
          if (price.prices.length === 0) expect(content.exclusion_reason).toBe('no_price')
          expect(content.attributes.some((entry) => entry.value === '' && entry.label === '')).toBe(false)
        }
      }),
      RUNS,
    )
    // otherwise the property might hold only because lists are empty
    expect(priced).toBeGreaterThan(100)
  })

  it('gives the same price halves and exclusions alone as with the whole, where no rule reads the content half', () => {
    let compared = 0
    fc.assert(
      fc.property(arbitraryAccount, arbitraryProduct, (inputs, product) => {
        const compiled = compileAccount(inputs)
        if (!compiled.isPriceAlone) return
        const offers = product.offers.map((offer) => ({ ...offer, texts: {}, attributes: [], images: [] }))
        const halves = resolvePriceHalves(compiled, { ...product, offers, eans: [], attributeOverrides: [] })
        for (const [i, { payload, pricing }] of resolve(compiled, product).entries()) {
          compared++
          expect(JSON.stringify(halves[i]?.price)).toBe(JSON.stringify(payload?.price ?? null))
          expect(halves[i]?.exclusionReason).toBe(payload?.content.exclusion_reason ?? null)
          expect(JSON.stringify(halves[i]?.pricing)).toBe(JSON.stringify(pricing))
        }
      }),
      RUNS,
    )
    expect(compared).toBeGreaterThan(100)
  })
})

const base = anAccount({
  stores: [aStore({ locale: 'pl-PL' })],
  rules: [ALWAYS],
  suppliers: [1, 2, 3].map((supplierId) =>
    aSupplier(supplierId, { priority: 4 - supplierId, safetyBuffer: 1, isActive: supplierId !== 3 }),
  ),
})
const offer = (supplierId: number, over: Partial<OfferInput> = {}) =>
  anOffer(supplierId, {
    cost: String(supplierId),
    texts: { en: { title: `Title ${supplierId}` } },
    images: [`https://i.example/${supplierId}.jpg`],
    ...over,
  })
const product = aProduct({ productId: 9 })
const only = (over: Partial<ProductInputs>) => resolve(compileAccount(base), { ...product, ...over })[0]!.payload!

test('texts and images follow supplier priority, cost and stock follow the best offer', () => {
  const { content, price } = only({ offers: [offer(1), offer(2), offer(3)] })
  expect(content).toMatchObject({ title: 'Title 2', images: ['https://i.example/2.jpg'] })
  expect(price.prices[0]?.baseCost.toFixed()).toBe('1')
  expect(price.stock).toBe(4)
})

test('an inactive supplier gives texts where no other supplier does, and neither cost nor stock', () => {
  const { content, price } = only({ offers: [offer(3)] })
  expect(content).toMatchObject({ title: 'Title 3', excluded: true, exclusion_reason: 'no_price' })
  expect(price).toEqual({ prices: [], stock: 0 })
})

test('own stock and the best offer’s quantity add up', () => {
  expect(only({ offers: [offer(1)], ownStock: { quantity: 3, cost: null } }).price.stock).toBe(7)
  expect(only({ offers: [offer(1, { quantity: 0 })], ownStock: { quantity: -3, cost: null } }).price.stock).toBe(0)
})

test('the EAN is the owner’s choice, else the first one of the first supplier that has any', () => {
  const ean = (code: string, supplierId: number, position = 0, isPrimary = false) => ({
    ean: code,
    supplierId,
    supplierSku: supplierId === 0 ? '' : `S${supplierId}`,
    position,
    isPrimary,
  })
  const stated = [ean('33', 3), ean('11', 1, 1), ean('12', 1, 0), ean('22', 2, 5)]
  const offers = [offer(1), offer(2), offer(3)]
  expect(only({ offers, eans: stated }).content.ean).toBe('22')
  expect(only({ offers: [offer(1), offer(3)], eans: stated }).content.ean).toBe('12')
  expect(only({ offers, eans: [...stated, ean('99', 0, 0, true)] }).content.ean).toBe('99')
  expect(only({ offers }).content.ean).toBeNull()
})

test('a field with a source order takes these suppliers first, the others by priority', () => {
  const ordered = {
    ...base,
    sourceOrders: [
      { field: 'title' as const, supplierIds: [1] },
      { field: 'images' as const, supplierIds: [3, 1] },
    ],
  }
  const { content } = resolve(compileAccount(ordered), { ...product, offers: [offer(1), offer(2), offer(3)] })[0]!
    .payload!
  // supplier 3 is paused: it comes after active ones, whether named or not
  expect(content).toMatchObject({ title: 'Title 1', images: ['https://i.example/1.jpg'] })
})

test('the SKU follows the account’s pattern, by source order and not by the best offer; it is null where a part is missing', () => {
  const skuOf = (skuPattern: string, over: Partial<ProductInputs>) =>
    resolve(compileAccount({ ...base, skuPattern }), { ...product, ...over })[0]!.payload!.content.sku
  expect(skuOf('{supplier_code|upper}-{supplier_sku}', { offers: [offer(1), offer(2)] })).toBe('S2-S2')
  expect(skuOf('{ean}', { offers: [offer(1)] })).toBeNull()
  expect(skuOf('{ean|default:none}-{id|pad:4}', {})).toBe('none-0009')
})
