import * as fc from 'fast-check'
import { Decimal } from 'decimal.js'
import { expect, test } from 'vitest'
import { explain } from './explain.ts'
import type { ExplainedPrice, Explanation } from '../explanation.ts'
import { drawAccount, drawProduct } from '../arbitrary/arbitrary-inputs.ts'
import { drawsFrom, type Draw } from '../arbitrary/draws.ts'
import type { AccountInputs, ProductInputs, RuleInput } from '../inputs.ts'
import { anAccount, anOffer, aProduct, aRule, aStore, compileAccount } from '../fixtures.ts'
import type { PriceStep } from '../prices/price.ts'

// Repeats the calculation of `explain` with nothing but its steps and a 40-digit calculator: rounding is in whole 10^-12 units,
// and its bounds are those that earlier steps name.

const seed = Number(process.env['SEED'] ?? 20_261_121)
const Calculator = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP })
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3, CLF: 4 }
const SCALE = 12

/** Inputs drawn from one list of numbers match rules far more often than independently drawn members. */
const numbers = fc.array(fc.nat(), { maxLength: 800, size: 'max' })

const units = (amount: Decimal) =>
  BigInt(amount.toDecimalPlaces(SCALE, Decimal.ROUND_HALF_UP).times(`1e${SCALE}`).toFixed())
const floored = (a: bigint, b: bigint) => a / b - (a % b < 0n ? 1n : 0n)

/** The bounds of the price from the steps so far (`max` and `min`), in units. */
interface Limits {
  floor: bigint | null
  ceiling: bigint | null
}

const isWithin = (price: bigint, { floor, ceiling }: Limits) =>
  price > 0n && (floor === null || price >= floor) && (ceiling === null || price <= ceiling)

/** The result of a rounding step. */
function roundedBy(text: string, value: bigint, limits: Limits, currency: string): bigint {
  const match = /^step (\S+) ending (\S+) (up|down|nearest|within_bounds)$/.exec(text)
  if (match !== null) {
    const [, step = '', ending = '', way] = match
    const [s, e] = [units(new Calculator(step)), units(new Calculator(ending))]
    const lower = floored(value - e, s) * s + e
    const upper = lower === value ? value : lower + s
    if (way === 'within_bounds') {
      expect(isWithin(lower, limits), 'one neighbour is out of bounds, the other is not').toBe(!isWithin(upper, limits))
      return isWithin(lower, limits) ? lower : upper
    }
    return way === 'up' || (way === 'nearest' && value - lower >= upper - value) ? upper : lower
  }
  const unit = 10n ** BigInt(SCALE - (DIGITS[currency] ?? 2))
  const down = floored(value, unit) * unit
  const up = down === value ? value : down + unit
  const ways: Record<string, bigint> = {
    minor_digits: value - down >= up - value ? up : down,
    'minor_digits up': up,
    'minor_digits down': down,
  }
  expect(ways).toHaveProperty([text])
  return ways[text] ?? 0n
}

function settled(value: Decimal): Decimal {
  return new Calculator(value.toFixed(SCALE, Decimal.ROUND_HALF_UP))
}

/** Recomputes each step and expects its result. @returns the last result. */
function followed(steps: readonly PriceStep[], currency: string): Decimal {
  let value = new Calculator(0)
  const limits: Limits = { floor: null, ceiling: null }
  for (const { step, op, by, result } of steps) {
    const said = new Calculator(result)
    if (op === 'round' && step === 'rounding') {
      expect(units(said), JSON.stringify(steps)).toBe(roundedBy(by, units(value), limits, currency))
    } else {
      const operand = step === 'settle' ? settled(value) : new Calculator(by)
      if (op === 'max' && (limits.floor === null || units(operand) > limits.floor)) limits.floor = units(operand)
      if (op === 'min') limits.ceiling = units(operand)
      const made = {
        '=': operand,
        '*': value.times(operand),
        '/': op === '/' ? value.dividedBy(operand) : value,
        '+': value.plus(operand),
        max: Calculator.max(value, operand),
        min: Calculator.min(value, operand),
        round: operand,
      }[op]
      expect(said.toFixed(), `${step} ${op} ${by}`).toBe(made.toFixed())
    }
    value = said
  }
  return value
}

/**
 * A rule whose bounds are close to each other, to the cost and to 0, have more digits than the currency, and sometimes
 * contradict each other.
 */
function drawNarrow(draw: Draw): Partial<RuleInput> {
  const pick = <T>(...list: readonly [T, ...T[]]): T => list[draw(list.length - 1)] ?? list[0]
  return {
    action: 'markup',
    percent: pick('0', '33.3333', '-50'),
    addition: pick<string | null>(null, null, '-9.996', '-100', '0.001', '-0.004'),
    floorPrice: pick<string | null>(null, '9.999', '5', '0.004', '10.001', '12.604'),
    ceilingPrice: pick<string | null>(null, '10.001', '4', '12.606', '0.001', '13.5'),
    floorMarginPercent: pick<string | null>(null, null, '33.3333', '-20'),
    floorProfit: pick<string | null>(null, null, '-3', '0.001'),
    currency: pick<string | null>(null, null, 'PLN'),
    rounding: pick<RuleInput['rounding']>(
      {},
      { EUR: { step: '1', ending: '0.99', direction: pick('up', 'down', 'nearest') } },
      { EUR: { step: '100', ending: '0', direction: pick('up', 'down', 'nearest') } },
      { JPY: { step: '100', ending: '80', direction: 'down' } },
    ),
  }
}

/** The account with the narrow rule as its default rule or before its others. */
function drawNarrowAccount(draw: Draw): AccountInputs {
  const narrow = drawNarrow(draw)
  const isFirst = draw(1) === 0
  const account = drawAccount(draw)
  const rules = account.rules.map((rule) => (rule.isDefault ? { ...rule, ...narrow, fixedPrice: null } : rule))
  return { ...account, rules: isFirst ? [...rules, aRule({ ruleId: 98, priority: -9, ...narrow })] : rules }
}

/** Costs are near the narrow rule's bounds half of the time. */
function drawNarrowProduct(draw: Draw): ProductInputs {
  const costs = ['10', '9.999', '0.005', '12.604000', '0.000001', '30.0', '1000.50'] as const
  const near = draw(1) === 0
  const cost = near ? (costs[draw(costs.length - 1)] ?? '10') : null
  const product = drawProduct(draw)
  if (cost === null) return product
  return { ...product, offers: product.offers.map((offer) => ({ ...offer, cost: offer.cost === null ? null : cost })) }
}

/** What decided each rounding, by the words of the steps. */
function cases(steps: readonly PriceStep[]): string[] {
  const named = steps.map(({ step, by }) =>
    step === 'rounding' ? (by.startsWith('minor') ? by : (by.split(' ').at(-1) ?? '')) : step,
  )
  const ceiling = steps.find(({ step }) => step === 'ceiling')
  const floors = steps.filter(({ step }) => /^floor_(?!zero)/.test(step))
  const isOver = ceiling !== undefined && floors.some(({ by }) => new Calculator(by).greaterThan(ceiling.by))
  return isOver ? [...named, 'floor over ceiling'] : named
}

test(`every price and every cost follows from the lines alone, by independent arithmetic (SEED=${seed})`, () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(numbers, numbers, (forAccount, forProduct) => {
      const account = drawNarrowAccount(drawsFrom(forAccount))
      const compiled = compileAccount(account)
      const product = drawNarrowProduct(drawsFrom(forProduct))
      for (const { store } of compiled.stores) {
        // nothing but the printed values
        const { prices, baseCost, listPriceInStore, offers, attributes } = JSON.parse(
          JSON.stringify(explain(compiled, product, store.storeId)),
        ) as Explanation
        const cost = baseCost === null || baseCost.shown === null ? null : followed(baseCost.steps, store.currency)
        const halfUp = (exact: Decimal) => {
          const unit = 10n ** BigInt(SCALE - (DIGITS[store.currency] ?? 2))
          return floored(units(settled(exact)) + unit / 2n, unit) * unit
        }
        if (cost !== null) expect(units(new Calculator(baseCost?.shown ?? ''))).toBe(halfUp(cost))
        for (const listPrice of [listPriceInStore, ...prices.map((price) => price.listPrice)]) {
          if (listPrice === null || listPrice.shown === null) continue
          expect(units(new Calculator(listPrice.shown))).toBe(halfUp(followed(listPrice.steps, store.currency)))
          for (const { step, op } of listPrice.steps) if (step === 'tax') seen.add(`list price ${op} tax`)
        }
        for (const price of prices)
          if (price.compareAtPrice !== null && price.sale !== 'shown')
            expect(price.compareAtPrice).toBe(
              (price.listPrice ?? listPriceInStore)?.shown ?? price.madeListPrice?.price,
            )
        for (const { steps, price, isUnstatedZero, unitPrice, tiers, madeListPrice } of prices) {
          if (madeListPrice !== null) {
            expect(followed(madeListPrice.steps, store.currency).toFixed()).toBe(madeListPrice.price)
            seen.add(`made list price ${madeListPrice.leftOut ?? 'shown'}`)
          }
          if (unitPrice !== null) {
            expect(unitPrice.steps[0]?.result).toBe(price)
            const made = followed(unitPrice.steps, store.currency).toFixed()
            expect(unitPrice.value ?? made).toBe(made)
            seen.add(unitPrice.leftOut ?? 'unit price')
          }
          if (steps.length === 0) {
            expect(price).toBeNull()
            continue
          }
          const made = followed(steps, store.currency).toFixed()
          // a zero that no rule states leaves no group a price
          if (isUnstatedZero) expect([made, price]).toEqual(['0', null])
          else expect([made, null]).toContain(price)
          if (price === null) expect(prices.some((other) => other.isUnstatedZero)).toBe(true)
          // the price starts from the cost as the cost's own steps leave it
          expect(steps[0]?.result).toBe(cost?.toFixed())
          for (const name of cases(steps)) seen.add(name)
          for (const tier of tiers) {
            expect(followed(tier.steps, store.currency).toFixed()).toBe(tier.price)
            const [first] = tier.steps
            if (first?.step === 'price') expect(first.by).toBe(price)
            for (const name of cases(tier.steps)) seen.add(name)
            seen.add(`tier ${tier.leftOut ?? 'shown'}`)
          }
        }
        for (const { supplierId, supplierSku, cost: said, rank } of offers) {
          const stated =
            product.offers.find((row) => row.supplierId === supplierId && row.supplierSku === supplierSku)?.cost ?? null
          // a cost is written in one notation, whether the offer competes or not
          expect(said).toBe(stated === null ? null : new Calculator(stated).toFixed())
          if (rank === 1 && baseCost?.source === 'best_offer') expect(baseCost.amount).toBe(said)
        }
        for (const { source } of attributes)
          if (source.from === 'override') expect(source.locale, 'as the API names it').toMatch(/./)
      }
    }),
    { seed, numRuns: 4_000, interruptAfterTimeLimit: 20_000 },
  )
  const steps = [
    'cost',
    'tax',
    'markup',
    'margin',
    'fixed',
    'addition',
    'ceiling',
    'floor_margin',
    'floor_profit',
    'floor_price',
    'floor_zero',
    'settle',
    'price_list',
    'held',
    'up',
    'down',
    'nearest',
    'within_bounds',
    'minor_digits',
    'minor_digits up',
    'minor_digits down',
    'floor over ceiling',
    'price',
    'percent_off',
    'amount_off',
    'tier_price',
    'tier shown',
    'tier zero',
    'tier not_below_price',
    'tier not_below_tier',
    'list price / tax',
    'list price * tax',
    'made list price shown',
    'made list price not_above_price',
    'made list price held',
  ]
  expect(steps.filter((step) => !seen.has(step))).toEqual([])
})

const HOW = {
  percent: '50',
  addition: '-1',
  ceilingPrice: '13',
  floorPrice: '5',
  rounding: { GBP: { step: '1', ending: '0.99', direction: 'up' as const } },
}
const GBP = anAccount({
  currency: 'EUR',
  rates: { PLN: '4', GBP: '0.8' },
  stores: [aStore({ currency: 'GBP' })],
  rules: [aRule({ ruleId: 7, ...HOW })],
})
const stepTexts = ({ steps }: Pick<ExplainedPrice, 'steps'>) =>
  steps.map(({ step, op, by, result }) => `${step} ${op} ${by}: ${result}`)

test('a price is explained from the cost to the rounding, a cost from its own currency through both rates', () => {
  const explained = explain(compileAccount(GBP), aProduct({ offers: [anOffer(2, { cost: '40', currency: 'PLN' })] }), 1)
  // 40 PLN × 0.8 / 4 = 8 GBP; 13 EUR are 10.40 GBP, 5 EUR are 4, −1 EUR is −0.80
  expect(explained?.baseCost).toMatchObject({
    source: 'best_offer',
    supplierId: 2,
    amount: '40',
    currency: 'PLN',
    shown: '8',
  })
  expect(stepTexts(explained!.baseCost!)).toEqual(['cost = 40: 40', 'rate * 0.8: 32', 'rate / 4: 8'])
  // 8 × 1.5 = 12; − 0.8 = 11.2; at most 10.4; at least 4; 10.99 would be above 10.4, so 9.99
  expect(explained?.prices.map(stepTexts)).toEqual([
    [
      'cost = 8: 8',
      'markup * 1.5: 12',
      'addition + -0.8: 11.2',
      'ceiling min 10.4: 10.4',
      'floor_price max 4: 10.4',
      'rounding round step 1 ending 0.99 within_bounds: 9.99',
    ],
  ])
})

test('a held price is explained with the wanted price and the rule that gives it', () => {
  const holds = [{ storeId: 1, groupId: 1, currency: 'GBP', shownPrice: '4.99', shownRuleId: 3 }]
  const explained = explain(
    compileAccount({ ...GBP, priceJumpFactor: '2' }),
    aProduct({ holds, offers: [anOffer(2, { cost: '40', currency: 'PLN' })] }),
    1,
  )
  // 9.99 > 2 × 4.99 = 9.98
  expect(explained?.prices).toMatchObject([
    {
      price: '4.99',
      appliedRuleId: 3,
      held: { wantedPrice: '9.99', wantedRuleId: 7, factor: '2' },
      rules: [{ ruleId: 7, isApplied: true }],
    },
  ])
  expect(stepTexts(explained!.prices[0]!).at(-1)).toBe('held = 4.99: 4.99')
})

test('a price below 0, a bound at the minor digits and a floor over the ceiling are explained to the digit', () => {
  const lines = (cost: string, rule: Partial<RuleInput>) =>
    explain(
      compileAccount(anAccount({ rules: [aRule(rule)] })),
      aProduct({ ownStock: { quantity: 1, cost } }),
      1,
    )?.prices.flatMap(stepTexts)
  const up = { EUR: { step: '100', ending: '0', direction: 'up' as const } }
  // 5 − 8 = −3, which is no price
  expect(lines('5', { addition: '-8' })).toEqual([
    'cost = 5: 5',
    'markup * 1: 5',
    'addition + -8: -3',
    'floor_zero max 0: 0',
    'rounding round minor_digits: 0',
  ])
  // half up 12.604 is 12.60, below the floor; 12.606 is 12.61, above the ceiling
  expect(lines('1', { floorPrice: '12.604' })?.at(-1)).toBe('rounding round minor_digits up: 12.61')
  expect(lines('20', { ceilingPrice: '12.606' })?.at(-1)).toBe('rounding round minor_digits down: 12.6')
  // nothing is between 5 and 4
  expect(lines('1', { ceilingPrice: '4', floorPrice: '5', rounding: up })).toEqual([
    'cost = 1: 1',
    'markup * 1: 1',
    'ceiling min 4: 1',
    'floor_price max 5: 5',
    'rounding round minor_digits: 5',
  ])
})
