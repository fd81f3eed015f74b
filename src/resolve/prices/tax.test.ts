import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { amountText } from '../../model/money.ts'
import { explain } from '../explain/explain.ts'
import {
  aGroup,
  anAccount,
  anOffer,
  aProduct,
  aRule,
  aStore,
  aSupplier,
  compileAccount,
  payloadOf,
} from '../fixtures.ts'
import type { AccountInputs, OfferInput, RuleInput, TaxClassInput } from '../inputs.ts'
import { resolve, resolvePriceHalves } from '../resolve.ts'

const STANDARD: TaxClassInput = {
  key: 'standard',
  isDefault: true,
  codes: ['VAT 19'],
  rates: [
    { country: 'DE', validFrom: '2007-01-01', percent: '19' },
    { country: 'FI', validFrom: '2024-09-01', percent: '25.5' },
  ],
}
const REDUCED: TaxClassInput = {
  key: 'reduced',
  isDefault: false,
  codes: ['7'],
  rates: [{ country: 'DE', validFrom: '1983-07-01', percent: '7' }],
}
const GERMAN = aStore({ taxCountry: 'DE', pricesIncludeTax: true })
const WITH_TAX = anAccount({ stores: [GERMAN], taxClasses: [STANDARD, REDUCED] })

/** The price and tax of a store's only group; null: no price. Expects both ways of resolving and explain to agree. */
function priced(account: AccountInputs, offer: Partial<OfferInput> = {}, rule: Partial<RuleInput> = {}) {
  const compiled = compileAccount({ ...account, rules: [aRule({ isDefault: true, ...rule })] })
  const product = aProduct({ offers: [anOffer(1, offer)] })
  const [whole] = resolve(compiled, product)
  const [alone] = resolvePriceHalves(compiled, product)
  const prices = whole?.payload?.price.prices ?? []
  expect(alone?.price?.prices).toEqual(prices)
  const [price] = prices
  const explained = explain(compiled, product, 1)
  expect(explained?.prices[0]?.price ?? null).toBe(price === undefined ? null : amountText(price.computedPrice))
  if (price === undefined) return null
  const { isIncluded, rate, taxClass } = price.tax ?? {}
  return {
    cost: amountText(price.baseCost),
    price: amountText(price.computedPrice),
    ...(price.tax === null ? {} : { isIncluded, rate: rate?.percent.toFixed() ?? null, taxClass }),
  }
}

describe('a price with tax', () => {
  it.each<[string, Partial<RuleInput>, string]>([
    // 10 × 1.25 × 1.19 = 14.875
    ['is the markup, then the tax', { percent: '25' }, '14.88'],
    // 10 / 0.8 × 1.19
    ['is the margin, then the tax', { action: 'margin', percent: '20' }, '14.88'],
    // (10 × 1.25 + 2) × 1.19 = 17.255
    ['has tax on what is added', { percent: '25', addition: '2' }, '17.26'],
    // 14.875 -> 14.99; the net price 12.5 -> 12.99 would be 15.46
    [
      'has its ending as it is shown',
      { percent: '25', rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' } } },
      '14.99',
    ],
    ['is a fixed price as it is shown', { action: 'fixed', percent: null, fixedPrice: '19.99' }, '19.99'],
    [
      'is a fixed price and what is added to it, as it is shown',
      { action: 'fixed', percent: null, fixedPrice: '19.99', addition: '1' },
      '20.99',
    ],
    ['is not below a floor price as it is shown', { percent: '25', floorPrice: '15' }, '15'],
    ['is not above a ceiling as it is shown', { percent: '25', ceilingPrice: '14' }, '14'],
    // (10 + 5) × 1.19 = 17.85
    ['leaves a profit without tax', { percent: '25', floorProfit: '5' }, '17.85'],
    // 10 / 0.5 × 1.19 = 23.8
    ['leaves a margin without tax', { percent: '25', floorMarginPercent: '50' }, '23.8'],
    // 11.90 is shown, of which 10 remain without tax: the floor of 11 without tax is 13.09
    [
      'leaves it to a fixed price, too',
      { action: 'fixed', percent: null, fixedPrice: '11.90', floorProfit: '1' },
      '13.09',
    ],
  ])('%s', (_name, rule, price) => {
    expect(priced(WITH_TAX, {}, rule)).toEqual({
      cost: '10',
      price,
      isIncluded: true,
      rate: '19',
      taxClass: 'standard',
    })
  })

  it('is missing where its rate is not known, and explain says so', () => {
    const account = { ...WITH_TAX, stores: [aStore({ taxCountry: 'PL', pricesIncludeTax: true })] }
    expect(priced(account)).toBeNull()
    const explained = explain(compileAccount(account), aProduct({ offers: [anOffer(1)] }), 1)
    expect(explained?.tax).toEqual({
      class: 'standard',
      by: 'default',
      category: null,
      country: 'PL',
      rate: null,
      isIncluded: true,
      isPriceless: true,
    })
    expect(explained?.prices.map(({ appliedRuleId, steps }) => [appliedRuleId, steps])).toEqual([[null, []]])
  })

  it('has a rate of half a percent exactly, and one of 0 as well', () => {
    const finnish = { ...WITH_TAX, stores: [aStore({ taxCountry: 'FI', pricesIncludeTax: true })] }
    expect(priced(finnish, { cost: '100' })).toMatchObject({ price: '125.5', rate: '25.5' })
    const zero = { ...STANDARD, rates: [{ country: 'DE', validFrom: '2000-01-01', percent: '0' }] }
    expect(priced({ ...WITH_TAX, taxClasses: [zero] })).toMatchObject({ price: '10', rate: '0', isIncluded: true })
  })
})

describe('a price without tax', () => {
  const net = { ...WITH_TAX, stores: [aStore({ taxCountry: 'DE' })] }

  it('says the rate, and needs none', () => {
    expect(priced(net, {}, { percent: '25' })).toEqual({
      cost: '10',
      price: '12.5',
      isIncluded: false,
      rate: '19',
      taxClass: 'standard',
    })
    const polish = { ...net, stores: [aStore({ taxCountry: 'PL' })] }
    expect(priced(polish)).toMatchObject({ price: '10', isIncluded: false, rate: null, taxClass: 'standard' })
    expect(priced({ ...polish, taxClasses: [] })).toMatchObject({ isIncluded: false, rate: null, taxClass: null })
  })

  it('says nothing of tax where the store has no country', () => {
    expect(priced({ ...WITH_TAX, stores: [aStore()] })).toEqual({ cost: '10', price: '10' })
  })
})

describe('a product’s tax class', () => {
  const classOf = (tax_class: string | null, over: Partial<AccountInputs> = {}) =>
    priced({ ...WITH_TAX, ...over }, { tax_class })?.taxClass

  it.each([
    ['reduced', 'reduced'],
    [' Reduced ', 'reduced'],
    ['7', 'reduced'],
    ['vat 19', 'standard'],
    ['luxury', 'standard'],
    [null, 'standard'],
  ])('is by key or code, else the default: %j is %s', (stated, key) => {
    expect(classOf(stated)).toBe(key)
  })

  it('is none without a default, and a key wins over a code', () => {
    const none = { ...STANDARD, isDefault: false }
    expect(classOf('luxury', { taxClasses: [none] })).toBeUndefined()
    expect(classOf('reduced', { taxClasses: [{ ...STANDARD, codes: ['reduced'] }, REDUCED] })).toBe('reduced')
  })

  it('is the owner’s, then that of the first supplier that states one, and explained', () => {
    const account = { ...WITH_TAX, suppliers: [aSupplier(1), aSupplier(2, { priority: 1 })] }
    const offers = [anOffer(1, { tax_class: 'standard' }), anOffer(2, { tax_class: '7', cost: '20' })]
    const compiled = compileAccount(account)
    const by = (product: Parameters<typeof aProduct>[0]) => {
      const explained = explain(compiled, aProduct(product), 1)
      return [explained?.tax?.class, explained?.tax?.by, explained?.tax_class.value]
    }
    expect(by({ offers })).toEqual(['reduced', 'supplier', '7'])
    expect(by({ offers, overrides: [{ field: 'tax_class', locale: '', value: 'standard' }] })).toEqual([
      'standard',
      'override',
      'standard',
    ])
    expect(by({ offers: [anOffer(1, { tax_class: 'luxury' })] })).toEqual(['standard', 'default', 'luxury'])
  })
})

describe('a product’s tax class by category', () => {
  const category = (categoryId: number, path: string, taxClass: string | null) => ({
    categoryId,
    path,
    names: {},
    externalId: null,
    supplierPaths: [path],
    taxClass,
  })
  const FOOD = category(1, 'Food', 'reduced')
  const TREE = [FOOD, category(2, 'Food/Drinks', null), category(3, 'Food/Drinks/Wine', 'standard')]
  const found = (path: string | null, over: Partial<OfferInput> = {}, categories = TREE, tax_class?: string) => {
    const offers = [anOffer(1, { category: path, ...over })]
    const overrides = tax_class === undefined ? [] : [{ field: 'tax_class', locale: '', value: tax_class } as const]
    const compiled = compileAccount({ ...WITH_TAX, categories })
    const { tax } = explain(compiled, aProduct({ offers, overrides }), 1) ?? {}
    if (overrides.length === 0)
      expect(priced({ ...WITH_TAX, categories }, { category: path, ...over })?.taxClass).toBe(tax?.class)
    return [tax?.class, tax?.by, tax?.category]
  }

  it('is that of the nearest category upward which names one, and explained', () => {
    expect(found('Food')).toEqual(['reduced', 'category', 'Food'])
    expect(found('Food/Drinks')).toEqual(['reduced', 'category', 'Food'])
    expect(found('Food/Drinks/Wine/Red')).toEqual(['standard', 'category', 'Food/Drinks/Wine'])
    // the account has no category `Food/Fish`, but `Food` is mapped with everything below it
    expect(found('food / Fish')).toEqual(['reduced', 'category', 'Food'])
  })

  it('is behind what the product itself states, and before the default', () => {
    expect(found('Food', { tax_class: 'vat 19' })).toEqual(['standard', 'supplier', null])
    expect(found('Food', { tax_class: '7' }, TREE, 'standard')).toEqual(['standard', 'override', null])
    expect(found('Food', { tax_class: 'luxury' })).toEqual(['reduced', 'category', 'Food'])
    expect(found('Toys')).toEqual(['standard', 'default', null])
    expect(found(null)).toEqual(['standard', 'default', null])
  })

  it('is none of a supplier’s path that is not mapped, and of categories that name none', () => {
    expect(found('Food', {}, [{ ...FOOD, supplierPaths: [] }])).toEqual(['standard', 'default', null])
    expect(found('Food', {}, [category(1, 'Food', null)])).toEqual(['standard', 'default', null])
  })

  it('takes the tax out of costs, too', () => {
    const account = { ...WITH_TAX, categories: TREE, suppliers: [aSupplier(1, { costTaxCountry: 'DE' })] }
    expect(priced(account, { cost: '10.70', category: 'Food' })).toMatchObject({ cost: '10', price: '10.7', rate: '7' })
  })
})

describe('a customer group', () => {
  const ofAustria = { country: 'AT', validFrom: '2020-01-01', percent: '20' }
  const AUSTRIAN: TaxClassInput = { ...STANDARD, rates: [...STANDARD.rates, ofAustria] }
  const shown = (account: Partial<AccountInputs>, ...groups: Parameters<typeof aGroup>[0][]) => {
    const compiled = compileAccount({
      ...WITH_TAX,
      taxClasses: [AUSTRIAN, REDUCED],
      rules: [aRule({ isDefault: true, percent: '25' })],
      ...account,
      groups: [
        aGroup(),
        ...groups.map((group, i) => aGroup({ groupId: i + 2, name: `G${i}`, isDefault: false, ...group })),
      ],
    })
    const product = aProduct({ offers: [anOffer(1)] })
    const prices = resolve(compiled, product)[0]?.payload?.price.prices ?? []
    expect(resolvePriceHalves(compiled, product)[0]?.price?.prices).toEqual(prices)
    const explained = explain(compiled, product, 1)?.prices ?? []
    for (const { groupId, price, tax } of explained) {
      const made = prices.find((entry) => entry.groupId === groupId)
      expect(price).toBe(made === undefined ? null : amountText(made.computedPrice))
      expect(tax?.isIncluded).toBe(made === undefined ? tax?.isIncluded : made.tax?.isIncluded)
      if (made !== undefined) expect(tax?.rate ?? undefined).toBe(made.tax?.rate?.percent.toFixed())
    }
    return prices.map(({ computedPrice, tax }) => [
      amountText(computedPrice),
      tax?.isIncluded,
      tax?.rate?.percent.toFixed(),
    ])
  }

  it('is shown prices without tax where it says so, and with the tax of its own country', () => {
    expect(shown({}, { pricesIncludeTax: false }, { taxCountry: 'AT' }, {})).toEqual([
      ['14.88', true, '19'],
      ['12.5', false, '19'],
      ['15', true, '20'],
      ['14.88', true, '19'],
    ])
  })

  it('is what the example in docs/rules.md says', () => {
    const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
    const lines = [...page.matchAll(/^\| (says nothing|`--[^|]*`) \| ([\d.]+, with.*) % \| ([\d.]+, with.*) % \|$/gm)]
    expect(lines).toHaveLength(4)
    for (const [, options = '', ...cells] of lines) {
      const group = {
        taxCountry: options.includes('--tax-country AT') ? 'AT' : null,
        pricesIncludeTax: options.includes('--prices without-tax') ? false : null,
      }
      const reduced = { ...REDUCED, rates: [...REDUCED.rates, { ...ofAustria, percent: '10' }] }
      const found = [true, false].map((isStandard) => {
        const taxClasses = [
          { ...AUSTRIAN, isDefault: isStandard },
          { ...reduced, isDefault: !isStandard },
        ]
        const [, [price, isIncluded, rate] = []] = shown({ taxClasses }, group)
        return `${Number(price).toFixed(2)}, ${isIncluded === true ? 'with' : 'without'} ${String(rate)}`
      })
      expect(found).toEqual(cells)
    }
  })

  it('is shown prices with tax in a store that shows them without', () => {
    const stores = [aStore({ taxCountry: 'DE' })]
    expect(shown({ stores }, { pricesIncludeTax: true })).toEqual([
      ['12.5', false, '19'],
      ['14.88', true, '19'],
    ])
  })

  it('says nothing of tax where the store has no country', () => {
    expect(shown({ stores: [aStore()] }, { pricesIncludeTax: true, taxCountry: 'AT' })).toEqual([
      ['12.5', undefined, undefined],
      ['12.5', undefined, undefined],
    ])
  })

  it('leaves no price for any where its rate is not known: a product has one for every group, or for none', () => {
    expect(shown({}, { taxCountry: 'PL' })).toEqual([])
    expect(shown({}, { taxCountry: 'PL', pricesIncludeTax: false })).toEqual([
      ['14.88', true, '19'],
      ['12.5', false, undefined],
    ])
  })
})

test('the rate is the latest that has begun on the account’s day', () => {
  const rates = [
    { country: 'DE', validFrom: '2026-11-21', percent: '21' },
    { country: 'DE', validFrom: '2020-07-01', percent: '16' },
    { country: 'DE', validFrom: '2021-01-01', percent: '19' },
  ]
  const rateOn = (day: string) => priced({ ...WITH_TAX, day, taxClasses: [{ ...STANDARD, rates }] })?.rate
  expect(['2020-06-30', '2020-07-01', '2020-12-31', '2021-01-01', '2026-11-20', '2026-11-21'].map(rateOn)).toEqual([
    undefined,
    '16',
    '16',
    '19',
    '19',
    '21',
  ])
})

describe('a cost with tax in it', () => {
  const gross = { ...WITH_TAX, suppliers: [aSupplier(1, { costTaxCountry: 'DE' }), aSupplier(2)] }

  it('is taken without it', () => {
    expect(priced({ ...gross, stores: [aStore()] }, { cost: '11.90' }, { percent: '25' })).toEqual({
      cost: '10',
      price: '12.5',
    })
    expect(priced(gross, { cost: '10.70', tax_class: 'reduced' })).toMatchObject({ cost: '10', price: '10.7' })
  })

  it('is compared without it: 11.90 with tax is less than 10.01 without', () => {
    const offers = [anOffer(1, { cost: '11.90' }), anOffer(2, { cost: '10.01' })]
    const compiled = compileAccount(gross)
    expect(explain(compiled, aProduct({ offers }), 1)?.baseCost).toMatchObject({ supplierId: 1, amount: '11.9' })
    expect(
      explain(compiled, aProduct({ offers }), 1)?.baseCost?.steps.map(({ step, op, by }) => [step, op, by]),
    ).toEqual([
      ['cost', '=', '11.9'],
      ['tax', '/', '1.19'],
    ])
  })

  it('does not compete where its rate is not known', () => {
    const polish = { ...gross, suppliers: [aSupplier(1, { costTaxCountry: 'PL' })] }
    expect(priced(polish)).toBeNull()
    const explained = explain(compileAccount(polish), aProduct({ offers: [anOffer(1)] }), 1)
    expect(explained?.offers.map(({ ineligible, cost }) => [ineligible, cost])).toEqual([['no_tax_rate', '10']])
    // without a cost there is nothing to take the tax out of
    expect(payloadOf(polish, aProduct({ offers: [anOffer(1, { cost: null })] }))?.price.stock).toBe(5)
  })

  it('is not so of own stock', () => {
    const own = aProduct({ ownStock: { quantity: 1, cost: '10' }, offers: [] })
    expect(payloadOf({ ...gross, stores: [aStore()] }, own)?.price.prices[0]?.baseCost.toFixed()).toBe('10')
  })
})

test('an exclusion by margin looks at the margin without tax, one by price at the price as it is shown', () => {
  const rule = (kind: 'margin_below' | 'price_above', amount: string) => ({
    ruleId: 1,
    name: 'R',
    reason: 'low',
    priority: 1,
    isActive: true,
    storeIds: null,
    kind,
    names: null,
    supplierIds: null,
    amount,
    currency: null,
  })
  // 10 without tax costs 8: a margin of 20 %; including the tax it would seem to be 32.8 %
  const excluded = (...[kind, amount]: Parameters<typeof rule>) =>
    payloadOf(
      { ...WITH_TAX, rules: [aRule({ isDefault: true, percent: '25' })], exclusionRules: [rule(kind, amount)] },
      aProduct({ offers: [anOffer(1, { cost: '8' })] }),
    )?.content.excluded
  expect([excluded('margin_below', '20'), excluded('margin_below', '20.0001')]).toEqual([false, true])
  expect([excluded('price_above', '11.90'), excluded('price_above', '11.89')]).toEqual([false, true])
})

/** Fractions, as an independent way to calculate without decimals. */
interface Fraction {
  n: bigint
  d: bigint
}
const fraction = (text: string): Fraction => {
  const [whole = '', digits = ''] = text.split('.')
  return { n: BigInt(whole + digits), d: 10n ** BigInt(digits.length) }
}
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d })
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n })
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d })
const most = (a: Fraction, b: Fraction) => (a.n * b.d >= b.n * a.d ? a : b)
const least = (a: Fraction, b: Fraction) => (a.n * b.d <= b.n * a.d ? a : b)
/** In units of 10^-digits, rounded half up; for fractions that are not negative. */
const inUnits = ({ n, d }: Fraction, digits: number) => (2n * n * 10n ** BigInt(digits) + d) / (2n * d)
const ONE: Fraction = { n: 1n, d: 1n }
const share = (percent: string) => over(fraction(percent), { n: 100n, d: 1n })

const seed = Number(process.env['SEED'] ?? 20_261_127)
const amounts = fc.tuple(fc.nat(200_000), fc.constantFrom(2, 3, 6)).map(([n, digits]) => {
  const text = String(n + 1).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
})
const percents = fc.constantFrom('0', '5.5', '7', '19', '25.5', '33.3333', '100')
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 1 })

test(`prices with tax are what the decision says, by fractions of whole numbers (SEED=${seed})`, () => {
  const drawn = fc.record({
    cost: amounts,
    rate: percents,
    costRate: maybe(percents),
    isIncluded: fc.boolean(),
    action: fc.constantFrom('markup', 'margin', 'fixed'),
    percent: fc.constantFrom('0', '12.5', '33.3333', '80'),
    fixedPrice: amounts,
    addition: maybe(amounts),
    ceilingPrice: maybe(amounts),
    floorMarginPercent: maybe(fc.constantFrom('10', '33.3333')),
    floorProfit: maybe(amounts),
    floorPrice: maybe(amounts),
  })
  fc.assert(
    fc.property(drawn, ({ cost, rate, costRate, isIncluded, action, percent, fixedPrice, ...limits }) => {
      const ofDay = (country: string, of: string) => ({ country, validFrom: '2020-01-01', percent: of })
      const account = anAccount({
        stores: [aStore({ taxCountry: 'DE', pricesIncludeTax: isIncluded })],
        suppliers: [aSupplier(1, { costTaxCountry: costRate === null ? null : 'PL' })],
        taxClasses: [{ ...STANDARD, rates: [ofDay('DE', rate), ofDay('PL', costRate ?? '50')] }],
      })
      const { addition, ceilingPrice, floorMarginPercent, floorProfit, floorPrice } = limits
      const made = priced(
        account,
        { cost },
        {
          action,
          percent: action === 'fixed' ? null : percent,
          fixedPrice: action === 'fixed' ? fixedPrice : null,
          ...limits,
        },
      )
      // 1, 2: the cost without tax
      const net = costRate === null ? fraction(cost) : over(fraction(cost), plus(ONE, share(costRate)))
      const tax = isIncluded ? plus(ONE, share(rate)) : ONE
      // 3, 4: the price without tax, then the tax; or the price as stated
      const stated = action === 'fixed' ? fraction(fixedPrice) : null
      const minus = (a: Fraction, b: Fraction) => plus(a, { n: -b.n, d: b.d })
      const gained =
        stated ?? (action === 'markup' ? times(net, plus(ONE, share(percent))) : over(net, minus(ONE, share(percent))))
      const added = addition === null ? gained : plus(gained, fraction(addition))
      let price = stated === null ? times(added, tax) : added
      // 5: ceiling, then floors
      const floors = [
        floorMarginPercent === null ? null : times(over(net, minus(ONE, share(floorMarginPercent))), tax),
        floorProfit === null ? null : times(plus(net, fraction(floorProfit)), tax),
        floorPrice === null ? null : fraction(floorPrice),
      ].filter((floor) => floor !== null)
      if (ceilingPrice !== null) price = least(price, fraction(ceilingPrice))
      for (const floor of floors) price = most(price, floor)
      // 6: cents, half up, within the bounds unless they contradict each other
      const floor = floors.length === 0 ? null : inUnits(floors.reduce(most), 12)
      const ceiling = ceilingPrice === null ? null : inUnits(fraction(ceilingPrice), 12)
      const settled = inUnits(price, 12)
      const cent = 10n ** 10n
      const down = (settled / cent) * cent
      const up = down === settled ? down : down + cent
      const near = settled - down >= up - settled ? up : down
      const isBelow = (amount: bigint) => floor !== null && amount < floor
      const isAbove = (amount: bigint) => ceiling !== null && amount > ceiling
      let expected = near
      if (floor === null || ceiling === null || floor <= ceiling) {
        if (isBelow(near)) expected = up
        else if (isAbove(near)) expected = isBelow(down) ? near : down
      }
      const cents = made === null ? 0n : inUnits(fraction(made.price), 2)
      expect(cents * cent).toBe(expected)
      if (made !== null) expect(inUnits(fraction(made.cost), 2)).toBe((inUnits(net, 12) + cent / 2n) / cent)
    }),
    { seed, numRuns: 3_000, interruptAfterTimeLimit: 20_000 },
  )
})
