import * as fc from 'fast-check'
import { Decimal } from 'decimal.js'
import { expect, test } from 'vitest'
import { compileAccount } from './compile.ts'
import { explain } from './explain.ts'
import type { ExplainedPrice } from './explanation.ts'
import { drawAccount, drawProduct, drawsFrom } from './arbitrary-inputs.ts'
import { anAccount, anOffer, aProduct, aRule, aStore } from './fixtures.ts'
import type { PriceStep } from './price.ts'

// The steps of explain done again by somebody who has nothing but the steps and a pocket calculator of 40 digits:
// rounding is in whole millionths of millionths, and its bounds are those that the steps before it name.

const seed = Number(process.env['SEED'] ?? 20_261_121)
const Calculator = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP })
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3, CLF: 4 }
const SCALE = 12

/** What inputs are drawn from: these match rules far more often than independent members do. */
const numbers = fc.array(fc.nat(), { maxLength: 600, size: 'max' })

const units = (amount: Decimal) =>
  BigInt(amount.toDecimalPlaces(SCALE, Decimal.ROUND_HALF_UP).times(`1e${SCALE}`).toFixed())
const floored = (a: bigint, b: bigint) => a / b - (a % b < 0n ? 1n : 0n)

/** What one price may become: `value` in units, between what the steps called `max` and `min`. */
interface Limits {
  floor: bigint | null
  ceiling: bigint | null
}

const isWithin = (price: bigint, { floor, ceiling }: Limits) =>
  price > 0n &&
  (floor === null || price >= floor) &&
  (ceiling === null || price <= ceiling || (floor !== null && floor > ceiling))

function roundedBy(text: string, value: bigint, limits: Limits, currency: string): bigint[] {
  if (value <= 0n) return [0n]
  const match = /^step (\S+) ending (\S+) (up|down|nearest|within_bounds)$/.exec(text)
  if (match !== null) {
    const [, step = '', ending = '', way] = match
    const [s, e] = [units(new Calculator(step)), units(new Calculator(ending))]
    const lower = floored(value - e, s) * s + e
    const upper = lower === value ? value : lower + s
    // by a bound: that one of the two is out of bounds, and the other is not
    if (way === 'within_bounds')
      return isWithin(lower, limits) === isWithin(upper, limits) ? [] : [isWithin(lower, limits) ? lower : upper]
    const chosen = way === 'up' || (way === 'nearest' && value - lower >= upper - value) ? upper : lower
    return isWithin(chosen, limits) ? [chosen] : []
  }
  expect(text).toBe('minor_digits')
  const unit = 10n ** BigInt(SCALE - (DIGITS[currency] ?? 2))
  const down = floored(value, unit) * unit
  const up = down === value ? value : down + unit
  const half = value - down >= up - value ? up : down
  if (limits.floor !== null && half < limits.floor) return [up]
  // down to the ceiling, unless that would fall through the floor, which wins
  if (limits.ceiling !== null && half > limits.ceiling && (limits.floor === null || down >= limits.floor)) return [down]
  return [half]
}

function settled(value: Decimal): Decimal {
  return new Calculator(value.toFixed(SCALE, Decimal.ROUND_HALF_UP))
}

/** Follows the steps and expects each to come to what it says. @returns what comes out. */
function followed(steps: readonly PriceStep[], currency: string): Decimal {
  let value = new Calculator(0)
  const limits: Limits = { floor: null, ceiling: null }
  for (const { step, op, by, result } of steps) {
    const said = new Calculator(result)
    if (op === 'round' && step === 'rounding') {
      expect(roundedBy(by, units(value), limits, currency), JSON.stringify(steps)).toContain(units(said))
    } else {
      const operand = step === 'settle' ? settled(value) : new Calculator(by)
      if (op === 'max')
        limits.floor = limits.floor === null || units(operand) > limits.floor ? units(operand) : limits.floor
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

test(`every price follows from its steps by independent arithmetic (SEED=${seed})`, () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(numbers, numbers, (forAccount, forProduct) => {
      const compiled = compileAccount(drawAccount(drawsFrom(forAccount)))
      const product = drawProduct(drawsFrom(forProduct))
      for (const { store } of compiled.stores) {
        const explanation = explain(compiled, product, store.storeId)
        for (const { steps, price } of explanation?.prices ?? []) {
          if (price === null) continue
          expect(followed(steps, store.currency).toFixed()).toBe(price)
          for (const { step, by } of steps) {
            seen.add(step === 'rounding' ? (by.split(' ').at(-1) ?? '') : step)
          }
        }
      }
    }),
    { seed, numRuns: 600, interruptAfterTimeLimit: 20_000 },
  )
  const steps = [
    'cost',
    'markup',
    'margin',
    'fixed',
    'addition',
    'ceiling',
    'floor_margin',
    'floor_profit',
    'floor_price',
    'settle',
    'held',
    'up',
    'down',
    'nearest',
    'within_bounds',
    'minor_digits',
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
