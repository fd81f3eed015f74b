import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { minorDigits } from '../model/money.ts'
import type { AccountInputs, OfferInput, ProductInputs } from './inputs.ts'
import { compileResolver } from './resolve.ts'

// Arbitrary inputs within what the schema can hold: unique keys where it has unique keys, any text where it has text.

const seed = Number(process.env['SEED'] ?? 20_261_121)
const RUNS = { seed, numRuns: 300 }
const LOCALES = ['en', 'pl', 'pl-PL', 'de-AT', 'zh-Hant-TW', 'und']
const CURRENCIES = ['EUR', 'JPY', 'KWD', 'PLN', 'XAU', 'ZZZ']

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('', ' ', '"', '\u2028', '\0', '\ud800', '__proto__', 'constructor'))
const id = fc.integer({ min: 1, max: 4 })
const decimal = (whole: bigint, decimals: number) =>
  fc.tuple(fc.bigInt(0n, whole), fc.bigInt(0n, 10n ** BigInt(decimals) - 1n)).map(([a, b]) => `${a}.${String(b).padStart(decimals, '0')}`)
const cost = fc.option(fc.oneof(decimal(50n, 6), decimal(999_999_999_999_999n, 6), fc.constantFrom('0', '0.000000', '0.005')))
const locale = fc.constantFrom(...LOCALES)
const currency = fc.constantFrom(...CURRENCIES)
const quantity = fc.oneof(fc.integer({ min: -3, max: 9 }), fc.integer({ min: 0, max: 2_147_483_647 }))
const unique = <T>(entry: fc.Arbitrary<T>, key: (value: T) => string, maxLength = 4) => fc.uniqueArray(entry, { selector: key, maxLength })
const texts = fc.dictionary(locale, fc.record({ title: fc.option(text), description: fc.option(text) }, { requiredKeys: [] }), { maxKeys: 3 })

const offers: fc.Arbitrary<OfferInput[]> = unique(
  fc.record({
    supplierId: id, supplierSku: text, cost, currency, quantity, manufacturer: fc.option(text), texts,
    attributes: fc.array(fc.record({ key: text, value: text }), { maxLength: 3 }), images: fc.array(text, { maxLength: 3 }),
  }),
  (row) => `${row.supplierId} ${row.supplierSku}`,
)
const account: fc.Arbitrary<AccountInputs> = fc.record({
  currency, locale,
  stores: unique(fc.record({ storeId: id, slug: text, locale, currency }), (row) => String(row.storeId), 3),
  groups: unique(fc.record({ groupId: id, name: text }), (row) => String(row.groupId), 3),
  rules: unique(
    fc.record({
      ruleId: fc.integer({ min: 1, max: 9 }), priority: fc.integer({ min: -2, max: 2 }), storeId: fc.option(id), groupId: fc.option(id),
      markupPercent: fc.constantFrom('-100', '-33.3333', '0', '25.0000', '99999999.9999'), isDefault: fc.boolean(),
    }),
    (row) => String(row.ruleId), 6),
  rates: fc.dictionary(currency, fc.constantFrom('0.000000000001', '1', '3', '4.2875', '162.535', '999999999999.999999999999'), { maxKeys: 5 }),
  suppliers: unique(
    fc.record({ supplierId: id, priority: fc.integer({ min: 0, max: 1 }), safetyBuffer: fc.integer({ min: 0, max: 4 }), isActive: fc.boolean() }),
    (row) => String(row.supplierId)),
  attributes: unique(
    fc.record({ key: text, unit: fc.option(text), position: fc.integer({ min: -1, max: 1 }), labels: fc.dictionary(locale, text, { maxKeys: 2 }) }),
    (row) => row.key),
})
const eans = unique(
  fc.record({ ean: fc.stringMatching(/^\d{1,14}$/), isPrimary: fc.constant(false), supplierId: fc.integer({ min: 0, max: 4 }), supplierSku: text, position: fc.integer({ min: 0, max: 2 }) }),
  (row) => `${row.supplierId} ${row.supplierSku} ${row.ean}`,
)
const product: fc.Arbitrary<ProductInputs> = fc.record({
  productId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), sku: fc.option(text), isDeleted: fc.boolean(),
  eans: fc.tuple(eans, fc.boolean()).map(([rows, chosen]) => rows.map((row, i) => ({ ...row, isPrimary: chosen && i === 0 }))),
  offers, ownStock: fc.option(fc.record({ quantity, cost })),
  overrides: unique(
    fc.oneof(
      fc.record({ field: fc.constantFrom('title' as const, 'description' as const), locale, value: text }),
      fc.record({ field: fc.constant('manufacturer' as const), locale: fc.constant(''), value: text })),
    (row) => `${row.field} ${row.locale}`),
  attributeOverrides: unique(fc.record({ key: text, locale: fc.oneof(locale, fc.constant('')), value: fc.option(text) }), (row) => `${row.locale} ${row.key}`),
  unlistedStoreIds: fc.uniqueArray(id, { maxLength: 2 }),
})

/** What a client would see, by store, as comparable text. */
function shown(inputs: AccountInputs, goods: ProductInputs): Record<string, string> {
  return Object.fromEntries(compileResolver(inputs).resolve(goods).map(({ store, payload }) => [store.storeId, JSON.stringify(payload)]))
}

/** The same list in another order, which `key` decides. */
function shuffled<T>(list: readonly T[], key: number): T[] {
  const rotated = [...list.slice(key % (list.length || 1)), ...list.slice(0, key % (list.length || 1))]
  return key % 2 === 0 ? rotated.reverse() : rotated
}

describe(`resolve of arbitrary inputs (SEED=${seed})`, () => {
  it('always answers: one entry per store, and null exactly where it is not listed', () => {
    fc.assert(
      fc.property(account, product, (inputs, goods) => {
        const results = compileResolver(inputs).resolve(goods)
        expect(results.map((row) => row.store.storeId)).toEqual(inputs.stores.map((row) => row.storeId))
        for (const { store, payload } of results) {
          expect(payload === null).toBe(goods.isDeleted || goods.unlistedStoreIds.includes(store.storeId))
        }
      }),
      RUNS,
    )
  })

  it('is the same for equal inputs, and for a resolver that has served other products before', () => {
    fc.assert(
      fc.property(account, product, product, (inputs, goods, other) => {
        const resolver = compileResolver(inputs)
        const first = JSON.stringify(resolver.resolve(goods))
        resolver.resolve(other)
        expect(JSON.stringify(resolver.resolve(goods))).toBe(first)
        expect(JSON.stringify(compileResolver(structuredClone(inputs)).resolve(structuredClone(goods)))).toBe(first)
      }),
      RUNS,
    )
  })

  it('does not depend on the order in which anything was read', () => {
    fc.assert(
      fc.property(account, product, fc.nat(1_000), (inputs, goods, key) => {
        const others: AccountInputs = {
          ...inputs,
          stores: shuffled(inputs.stores, key), groups: shuffled(inputs.groups, key + 1), rules: shuffled(inputs.rules, key + 2),
          suppliers: shuffled(inputs.suppliers, key + 3), attributes: shuffled(inputs.attributes, key),
          rates: Object.fromEntries(shuffled(Object.entries(inputs.rates), key)),
        }
        const same: ProductInputs = {
          ...goods,
          eans: shuffled(goods.eans, key), offers: shuffled(goods.offers, key + 1), overrides: shuffled(goods.overrides, key + 2),
          attributeOverrides: shuffled(goods.attributeOverrides, key + 3), unlistedStoreIds: shuffled(goods.unlistedStoreIds, key),
        }
        expect(shown(others, same)).toEqual(shown(inputs, goods))
      }),
      RUNS,
    )
  })

  it('prices have the store’s currency and digits, stock is a whole number from 0, excluded means no prices', () => {
    let priced = 0
    fc.assert(
      fc.property(account, product, (inputs, goods) => {
        const rules = [...inputs.rules, { ruleId: 99, priority: 0, storeId: null, groupId: null, markupPercent: '7.5', isDefault: true }]
        const groups = [...inputs.groups, { groupId: 99, name: 'Default' }]
        const resolver = compileResolver({ ...inputs, rules, groups })
        for (const { store, payload } of resolver.resolve({ ...goods, isDeleted: false, unlistedStoreIds: [] })) {
          const { content, price } = payload!
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
          expect([content.excluded, content.exclusionReason]).toEqual(price.prices.length === 0 ? [true, 'no_price'] : [false, null])
          expect(content.attributes.some((entry) => entry.value === '')).toBe(false)
        }
      }),
      RUNS,
    )
    // the property would hold of nothing but empty lists as well
    expect(priced).toBeGreaterThan(100)
  })
})

const base: AccountInputs = {
  currency: 'EUR', locale: 'en', stores: [{ storeId: 1, slug: 'main', locale: 'pl-PL', currency: 'EUR' }],
  groups: [{ groupId: 1, name: 'Retail' }], rates: {}, attributes: [],
  rules: [{ ruleId: 1, priority: 0, storeId: null, groupId: null, markupPercent: '25', isDefault: true }],
  suppliers: [1, 2, 3].map((supplierId) => ({ supplierId, priority: 4 - supplierId, safetyBuffer: 1, isActive: supplierId !== 3 })),
}
const offer = (supplierId: number, over: Partial<OfferInput> = {}): OfferInput => ({
  supplierId, supplierSku: `S${supplierId}`, cost: String(supplierId), currency: 'EUR', quantity: 5, manufacturer: null,
  texts: { en: { title: `Title ${supplierId}` } }, attributes: [], images: [`https://i.example/${supplierId}.jpg`], ...over,
})
const goods: ProductInputs = {
  productId: 9, sku: 'A', isDeleted: false, eans: [], offers: [], ownStock: null, overrides: [], attributeOverrides: [], unlistedStoreIds: [],
}
const only = (over: Partial<ProductInputs>) => compileResolver(base).resolve({ ...goods, ...over })[0]!.payload!

test('texts and images follow supplier priority, cost and stock follow the best offer', () => {
  const { content, price } = only({ offers: [offer(1), offer(2), offer(3)] })
  expect(content).toMatchObject({ title: 'Title 2', images: ['https://i.example/2.jpg'] })
  expect(price.prices[0]?.baseCost.toFixed()).toBe('1')
  expect(price.stock).toBe(4)
})

test('an inactive supplier gives texts where nobody else does, and neither cost nor stock', () => {
  const { content, price } = only({ offers: [offer(3)] })
  expect(content).toMatchObject({ title: 'Title 3', excluded: true, exclusionReason: 'no_price' })
  expect(price).toEqual({ prices: [], stock: 0 })
})

test('own stock and the best offer’s quantity add up', () => {
  expect(only({ offers: [offer(1)], ownStock: { quantity: 3, cost: null } }).price.stock).toBe(7)
  expect(only({ offers: [offer(1, { quantity: 0 })], ownStock: { quantity: -3, cost: null } }).price.stock).toBe(0)
})

test('the EAN shown is the owner’s choice, else the first of the first supplier that states one', () => {
  const ean = (code: string, supplierId: number, position = 0, isPrimary = false) => ({ ean: code, supplierId, supplierSku: supplierId === 0 ? '' : `S${supplierId}`, position, isPrimary })
  const stated = [ean('33', 3), ean('11', 1, 1), ean('12', 1, 0), ean('22', 2, 5)]
  const offers = [offer(1), offer(2), offer(3)]
  expect(only({ offers, eans: stated }).content.ean).toBe('22')
  expect(only({ offers: [offer(1), offer(3)], eans: stated }).content.ean).toBe('12')
  expect(only({ offers, eans: [...stated, ean('99', 0, 0, true)] }).content.ean).toBe('99')
  expect(only({ offers }).content.ean).toBeNull()
})
