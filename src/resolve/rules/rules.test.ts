import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ALWAYS, arbitraryAccount, arbitraryProduct } from '../../../test/harness/arbitrary-inputs.ts'
import { Exact } from '../../model/money.ts'
import { compileAssortment, findListing } from './assortment.ts'
import { basisOf } from '../basis.ts'
import { A_PLACE, aStore, compileAccount, compileRules, CONDITION_CASES, SOME_FACTS } from '../fixtures.ts'
import { converter } from '../currency.ts'
import { compileExclusions, findExclusions, type ExclusionFacts } from './exclusion.ts'
import { holdPrices, isJump, type Held } from '../prices/guard.ts'
import type { AssortmentRuleInput, ExclusionRuleInput, RuleInput } from '../inputs.ts'
import type { PriceFacts, PricePlace } from './facts.ts'
import { priceRuleIn, Ranks, RuleIndex } from '../prices/price-rules.ts'
import type { ComputedPrice } from '../prices/price.ts'

const money = converter('EUR', { PLN: '4' })
const rule = (ruleId: number, over: Partial<RuleInput> = {}): RuleInput => ({
  ...ALWAYS,
  ruleId,
  isDefault: false,
  priority: 100,
  ...over,
})

/** The rule that applies, found as in resolving. */
function chosen(
  rules: RuleInput[],
  place: Partial<PricePlace> = {},
  facts: Partial<PriceFacts> = {},
): number | undefined {
  const here = compileRules(rules).filter(({ placeTests }) =>
    placeTests.every(({ test: holds }) => holds({ ...A_PLACE, ...place })),
  )
  const all = new Ranks(here.length)
  here.forEach((_, rank) => all.add(rank))
  const priced = here.map((entry) => priceRuleIn(entry, 'EUR', 'EUR', money))
  return new RuleIndex(here).table(all, priced).find({ ...SOME_FACTS, ...facts })?.rule.ruleId
}

describe('which pricing rule applies', () => {
  it('is the one with the lowest priority number, then the lower id, however narrow; the default rule is last whatever its priority', () => {
    expect(chosen([rule(1, { priority: 30 }), rule(2, { priority: -5 }), rule(3, { priority: 20 })])).toBe(2)
    expect(chosen([rule(12, { storeIds: [1], productIds: [5] }), rule(9)])).toBe(9)
    expect(chosen([rule(1, { isDefault: true, priority: -1_000 }), rule(2, { priority: 1_000 })])).toBe(2)
    expect(chosen([rule(1, { isDefault: true }), rule(2, { storeIds: [5] })])).toBe(1)
    expect(chosen([])).toBeUndefined()
  })

  it.each<[string, Partial<RuleInput>, Partial<RuleInput>]>([
    ['active', {}, { isActive: false }],
    ...Object.entries(CONDITION_CASES).map(
      ([field, { met, unmet }]): [string, Partial<RuleInput>, Partial<RuleInput>] => [
        `${field}, just met and just not`,
        { [field]: met },
        { [field]: unmet },
      ],
    ),
    ['category with superfluous slashes', { categories: ['/Tools/'] }, { categories: ['/'] }],
    ['category above', { categories: ['TOOLS'] }, { categories: ['tool'] }],
    [
      'all of them',
      { storeIds: [1], manufacturers: ['acme'], costMin: '1' },
      { storeIds: [1], manufacturers: ['acme'], costMin: '11' },
    ],
  ])('%s', (_name, met, unmet) => {
    expect(chosen([rule(1, met), rule(2)])).toBe(1)
    expect(chosen([rule(1, unmet), rule(2)])).toBe(2)
  })

  it('never matches a condition on the supplier of own cost, or on anything unknown', () => {
    expect(chosen([rule(1, { supplierIds: [2] }), rule(2)], {}, { supplierId: null })).toBe(2)
    expect(chosen([rule(1, { manufacturers: ['acme'] }), rule(2)], {}, { manufacturer: null })).toBe(2)
    expect(chosen([rule(1, { categories: ['tools'] }), rule(2)], {}, { category: null })).toBe(2)
    expect(chosen([rule(1, { costMin: '0' }), rule(2)], {}, { cost: null })).toBe(2)
  })

  it('tiers that meet have no gap and no overlap', () => {
    const tiers = [
      rule(1, { costBelow: '10' }),
      rule(2, { costMin: '10', costBelow: '100' }),
      rule(3, { costMin: '100' }),
    ]
    expect(
      ['0', '9.999999', '10', '99.999999', '100', '1000'].map((cost) => chosen(tiers, {}, { cost: new Exact(cost) })),
    ).toEqual([1, 1, 2, 2, 3, 3])
  })

  it('is the same by look-up as by testing all rules in order', () => {
    fc.assert(
      fc.property(arbitraryAccount, arbitraryProduct, (inputs, product) => {
        const compiled = compileAccount(inputs)
        const { facts } = basisOf(compiled, product)
        for (const { store, ruleTables, pricedRules } of compiled.stores) {
          for (const group of compiled.groups) {
            const place = { storeId: store.storeId, groupId: group.groupId, day: inputs.day }
            const plain = compiled.rules.find(
              (entry) =>
                pricedRules.get(entry) !== null &&
                entry.placeTests.every(({ test: holds }) => holds(place)) &&
                entry.productTests.every(({ test: holds }) => holds(facts)),
            )
            expect(ruleTables.get(group.groupId)?.find(facts)?.rule).toBe(plain?.rule)
          }
        }
      }),
      { numRuns: 600 },
    )
  })
})

describe('what a store lists', () => {
  const store = aStore()
  const entry = (ruleId: number, over: Partial<AssortmentRuleInput>): AssortmentRuleInput => ({
    ruleId,
    storeId: 1,
    name: '',
    priority: 100,
    isActive: true,
    isListed: false,
    supplierIds: null,
    manufacturers: null,
    categories: null,
    ...over,
  })
  const facts = { productId: 5, manufacturer: 'acme', category: 'tools/saws', supplierIds: [2, 3] }
  const listed = (
    rules: AssortmentRuleInput[],
    listsByDefault = true,
    listings: { storeId: number; isListed: boolean }[] = [],
  ) => findListing({ ...store, listsByDefault }, compileAssortment(rules, 1), { isDeleted: false, listings }, facts)

  it('is decided by a manual listing, else by the first rule that matches, else by its default', () => {
    expect(listed([])).toEqual({ isListed: true, by: 'default', ruleId: null })
    expect(listed([], false)).toMatchObject({ isListed: false, by: 'default' })
    expect(
      listed([entry(1, { categories: ['Tools'] }), entry(2, { isListed: true, priority: 5, manufacturers: ['ACME'] })]),
    ).toEqual({ isListed: true, by: 'rule', ruleId: 2 })
    expect(listed([entry(1, { supplierIds: [3] })])).toMatchObject({ isListed: false, ruleId: 1 })
    expect(
      listed([entry(1, { supplierIds: [4] }), entry(2, { storeId: 9 }), entry(3, { isActive: false })]),
    ).toMatchObject({ by: 'default' })
    expect(listed([entry(1, {})], true, [{ storeId: 1, isListed: true }])).toMatchObject({ isListed: true, by: 'hand' })
    expect(listed([], true, [{ storeId: 1, isListed: false }])).toMatchObject({ isListed: false, by: 'hand' })
    expect(
      findListing(store, [], { isDeleted: true, listings: [{ storeId: 1, isListed: true }] }, facts),
    ).toMatchObject({ isListed: false, by: 'deleted' })
  })
})

describe('what is excluded', () => {
  const store = {
    storeId: 1,
    slug: 'main',
    locale: 'en',
    currency: 'PLN',
    listsByDefault: true,
    taxCountry: null,
    pricesIncludeTax: false,
  }
  const price = (cost: string, computed: string): ComputedPrice => ({
    groupId: 1,
    group: 'Retail',
    baseCost: new Exact(cost),
    computedPrice: new Exact(computed),
    currency: 'PLN',
    ruleId: 1,
    isDefault: null,
    compareAtPrice: null,
    sale: null,
    tax: null,
    tiers: [],
    tiersBy: null,
    listPriceBy: null,
    unitPrice: null,
    isStated: false,
    isFree: false,
    isOverLists: false,
    listed: null,
  })
  const facts: ExclusionFacts = {
    productId: 5,
    manufacturer: 'acme',
    category: 'tools/saws',
    supplierId: 2,
    ean: '1',
    title: 'T',
    imageCount: 1,
    stock: 3,
    price: price('80', '100'),
  }
  const entry = (over: Partial<ExclusionRuleInput>): ExclusionRuleInput => ({
    ruleId: 1,
    name: '',
    reason: 'r',
    priority: 100,
    isActive: true,
    storeIds: null,
    kind: 'no_ean',
    names: null,
    supplierIds: null,
    amount: null,
    currency: null,
    ...over,
  })
  const isExcluded = (over: Partial<ExclusionRuleInput>, change: Partial<ExclusionFacts> = {}) =>
    findExclusions(1, compileExclusions([entry(over)], store, 'EUR', money), [], { ...facts, ...change }, true, false)
      .length === 1

  it.each<[string, Partial<ExclusionRuleInput>, Partial<ExclusionFacts>, Partial<ExclusionFacts>]>([
    ['a manufacturer', { kind: 'manufacturer', names: ['ACME'] }, {}, { manufacturer: 'bolt' }],
    ['a category and what is below it', { kind: 'category', names: ['Tools'] }, {}, { category: 'toolsmith' }],
    ['supplier of the best offer', { kind: 'supplier', supplierIds: [2] }, {}, { supplierId: null }],
    ['no EAN', { kind: 'no_ean' }, { ean: null }, {}],
    ['no title', { kind: 'no_title' }, { title: null }, {}],
    ['no image', { kind: 'no_image' }, { imageCount: 0 }, {}],
    ['no category', { kind: 'no_category' }, { category: null }, {}],
    ['no price', { kind: 'no_price' }, { price: null }, {}],
    ['no stock', { kind: 'no_stock' }, { stock: 0 }, {}],
    [
      'a price below, not at, a bound',
      { kind: 'price_below', amount: '100', currency: 'PLN' },
      { price: price('80', '99.99') },
      {},
    ],
    [
      'a price above, not at, a bound',
      { kind: 'price_above', amount: '100', currency: 'PLN' },
      { price: price('80', '100.01') },
      {},
    ],
    // 25 EUR are 100 PLN
    ['a bound in the account’s currency', { kind: 'price_above', amount: '25' }, { price: price('80', '100.01') }, {}],
    // 100 - 80 = 20 % of 100
    ['a margin below, not at, a bound', { kind: 'margin_below', amount: '20' }, { price: price('80.01', '100') }, {}],
    ['a price of 0 has the worst margin', { kind: 'margin_below', amount: '-1000' }, { price: price('0', '0') }, {}],
  ])('%s', (_name, over, met, unmet) => {
    expect(isExcluded(over, met)).toBe(true)
    expect(isExcluded(over, unmet)).toBe(false)
  })

  it('a bound without a rate, an inactive rule and one of another store exclude nothing', () => {
    expect(isExcluded({ kind: 'price_above', amount: '0', currency: 'SEK' })).toBe(false)
    expect(isExcluded({ kind: 'no_ean', isActive: false }, { ean: null })).toBe(false)
    expect(isExcluded({ kind: 'no_ean', storeIds: [2] }, { ean: null })).toBe(false)
  })

  it('the reason shown is the first: no price, manual exclusion in this store, in every store, rules by priority', () => {
    const rules = compileExclusions(
      [entry({ ruleId: 1, reason: 'later', priority: 9 }), entry({ ruleId: 2, reason: 'sooner', priority: 1 })],
      store,
      'EUR',
      money,
    )
    const manual = [
      { storeId: 0, reason: 'everywhere' },
      { storeId: 1, reason: 'here' },
      { storeId: 2, reason: 'elsewhere' },
    ]
    const all = findExclusions(1, rules, manual, { ...facts, ean: null }, false, false)
    expect(all.map((found) => found.reason)).toEqual(['no_price', 'here', 'everywhere', 'sooner', 'later'])
    for (const hasPrices of [true, false]) {
      for (const exclusions of [manual, []]) {
        const whole = findExclusions(1, rules, exclusions, { ...facts, ean: null }, hasPrices, false)
        expect(findExclusions(1, rules, exclusions, { ...facts, ean: null }, hasPrices, true)[0]).toEqual(whole[0])
      }
    }
  })
})

describe('the guard against jumps', () => {
  it.each([
    ['exactly the factor up', '10', '20', false],
    ['a cent more', '10', '20.01', true],
    ['exactly the factor down', '10', '5', false],
    ['a cent less', '10', '4.99', true],
    ['to nothing', '10', '0', true],
    ['from nothing', '0', '10', false],
    ['not at all', '10', '10', false],
  ])('%s', (_name, from, to, isHeld) => {
    expect(isJump(new Exact(from), new Exact(to), new Exact(2))).toBe(isHeld)
  })

  test('a hold shows its price while the price jumps away from it, in its store, group and currency alone', () => {
    const wanted: ComputedPrice = {
      groupId: 1,
      group: 'Retail',
      baseCost: new Exact('30'),
      computedPrice: new Exact('40'),
      currency: 'EUR',
      ruleId: 9,
      isDefault: null,
      compareAtPrice: null,
      sale: null,
      tax: null,
      tiers: [],
      tiersBy: null,
      listPriceBy: null,
      unitPrice: null,
      isStated: false,
      isFree: false,
      isOverLists: false,
      listed: null,
    }
    const hold = { storeId: 1, groupId: 1, currency: 'EUR', shownPrice: '10', shownRuleId: 3 }
    const shown = (over: Partial<typeof hold>, factor: string | null = '2') => {
      const held: Held[] = []
      const [price] = holdPrices(1, [wanted], [{ ...hold, ...over }], factor === null ? null : new Exact(factor), held)
      return [price!.computedPrice.toFixed(), price!.baseCost.toFixed(), price!.ruleId, held.length]
    }
    // the base cost is today's
    expect(shown({})).toEqual(['10', '30', 3, 1])
    expect(shown({}, '4')).toEqual(['40', '30', 9, 0])
    expect(shown({}, null)).toEqual(['40', '30', 9, 0])
    for (const over of [{ storeId: 2 }, { groupId: 2 }, { currency: 'PLN' }, { shownPrice: '20' }])
      expect(shown(over)).toEqual(['40', '30', 9, 0])
  })
})
