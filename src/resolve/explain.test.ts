import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ALWAYS, arbitraryAccount, arbitraryProduct, withDefaults } from '../../test/harness/arbitrary-inputs.ts'
import { Exact, minorDigits } from '../model/money.ts'
import { compileAccount } from './compile.ts'
import { explain } from './explain.ts'
import type { Explanation } from './explanation.ts'
import { contentExplained } from './arbitrary-inputs.ts'
import type { PriceStep } from './price.ts'
import { resolve } from './resolve.ts'

const FIXED_SEED = 20_261_121
const seed = Number(process.env['SEED'] ?? FIXED_SEED)
const RUNS = { seed, numRuns: 600 }

/**
 * Goes through the steps with arithmetic of its own, and expects each to give what it says. @returns what comes out.
 */
function followed(steps: readonly PriceStep[], currency: string): string {
  let value = new Exact(0)
  for (const { step, op, by, result } of steps) {
    const operand = /^-?\d/.test(by) ? new Exact(by) : null
    const next: Record<PriceStep['op'], () => InstanceType<typeof Exact>> = {
      '=': () => operand!,
      '*': () => value.times(operand!),
      '/': () => value.dividedBy(operand!),
      '+': () => value.plus(operand!),
      max: () => (value.lessThan(operand!) ? operand! : value),
      min: () => (value.greaterThan(operand!) ? operand! : value),
      round: () =>
        step === 'settle'
          ? value.toDecimalPlaces(12, Exact.ROUND_HALF_UP)
          : rounded(value, by, currency, new Exact(result)),
    }
    value = next[op]()
    expect(value.toFixed(), `${step} ${op} ${by}`).toBe(new Exact(result).toFixed())
  }
  return value.toFixed()
}

/** What a rounding step may have made of a value: the result itself when it is one of those, else what it should be. */
function rounded(
  value: InstanceType<typeof Exact>,
  by: string,
  currency: string,
  result: InstanceType<typeof Exact>,
): InstanceType<typeof Exact> {
  const match = /^step (\S+) ending (\S+) (up|down|nearest|within_bounds)$/.exec(by)
  if (match === null) {
    // to the minor digits: half up, or to the side that is named, where a floor or a ceiling would be crossed
    const [, way] = /^minor_digits(?: (up|down))?$/.exec(by) ?? []
    return value.toDecimalPlaces(
      minorDigits(currency),
      way === 'up' ? Exact.ROUND_UP : way === 'down' ? Exact.ROUND_DOWN : Exact.ROUND_HALF_UP,
    )
  }
  const [, step = '1', ending = '0', way = ''] = match
  const lower = value.minus(ending).dividedBy(step).floor().times(step).plus(ending)
  const upper = lower.equals(value) ? lower : lower.plus(step)
  if (way === 'within_bounds') return result.equals(lower) || result.equals(upper) ? result : lower
  if (way === 'nearest') return value.minus(lower).lessThan(upper.minus(value)) ? lower : upper
  return way === 'up' ? upper : lower
}

function agree(
  explanation: Explanation,
  currency: string,
  payload: ReturnType<typeof resolve>[number]['payload'],
): void {
  expect(explanation.listing.isListed).toBe(payload !== null)
  if (payload === null) return
  const { content, price } = payload
  expect(contentExplained(explanation)).toEqual(content)
  const { own, bestSupplier, total } = explanation.stock
  expect([total, own + bestSupplier]).toEqual([price.stock, price.stock])
  const shown = explanation.prices.filter((entry) => entry.price !== null)
  expect(shown.map((entry) => [entry.groupId, entry.price, entry.appliedRuleId])).toEqual(
    price.prices.map((entry) => [entry.groupId, entry.computedPrice.toFixed(), entry.ruleId]),
  )
  for (const entry of shown) expect(followed(entry.steps, currency)).toBe(entry.price)
  if (explanation.baseCost !== null && price.prices.length > 0) {
    const converted = followed(explanation.baseCost.steps, currency)
    const toShow = new Exact(converted)
      .toDecimalPlaces(12, Exact.ROUND_HALF_UP)
      .toDecimalPlaces(minorDigits(currency), Exact.ROUND_HALF_UP)
    expect(explanation.baseCost.shown).toBe(toShow.toFixed())
    for (const entry of explanation.prices)
      if (entry.held === null && entry.steps.length > 0) expect(entry.steps[0]?.result).toBe(converted)
  }
}

describe(`explain of arbitrary inputs (SEED=${seed})`, () => {
  it('agrees with resolve in every field, and its arithmetic reproduces every number', () => {
    let prices = 0
    let held = 0
    fc.assert(
      fc.property(arbitraryAccount, arbitraryProduct, (inputs, product) => {
        const compiled = compileAccount(withDefaults(inputs))
        for (const { store, payload } of resolve(compiled, product)) {
          const explanation = explain(compiled, product, store.storeId)!
          agree(explanation, store.currency, payload)
          prices += payload?.price.prices.length ?? 0
          held += explanation.prices.filter((entry) => entry.held !== null).length
          // it goes into an answer as it stands
          expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation)
        }
      }),
      RUNS,
    )
    // most drawn products are listed nowhere, so how many prices 600 runs come to depends on the seed
    expect(prices).toBeGreaterThan(30)
    // held prices are rare: 600 runs of another seed may draw none
    if (seed === FIXED_SEED) expect(held).toBeGreaterThan(0)
  })

  it('shows the rule that applies, why each rule before it does not, and what decided for the best offer', () => {
    fc.assert(
      fc.property(arbitraryAccount, arbitraryProduct, (inputs, product) => {
        const compiled = compileAccount(withDefaults(inputs))
        for (const { store } of compiled.stores) {
          const { prices, offers, exclusion } = explain(compiled, product, store.storeId)!
          for (const { rules, steps } of prices) {
            const at = rules.findIndex((rule) => rule.isApplied)
            expect(at >= 0).toBe(steps.length > 0)
            if (at < 0) continue
            expect(rules[at]?.unmet).toEqual([])
            for (const rule of rules.slice(0, at)) expect(rule.unmet.length, rule.name).toBeGreaterThan(0)
            expect(rules.filter((rule) => rule.isApplied)).toHaveLength(1)
          }
          expect(offers).toHaveLength(product.offers.length)
          for (const [i, offer] of offers.entries()) {
            expect(offer.rank === null).toBe(offer.ineligible !== null)
            if (offer.rank !== null) expect(offer.rank).toBe(i + 1)
            expect(offer.behindBestBy === null).toBe(offer.rank === null || offer.rank === 1)
          }
          expect(exclusion.found.filter((entry) => entry.by === 'rule').map((entry) => entry.ruleId)).toEqual(
            exclusion.rules.filter((rule) => rule.isMatch).map((rule) => rule.ruleId),
          )
        }
      }),
      RUNS,
    )
  })
})

test('a store that the account does not have has no explanation', () => {
  const [inputs] = fc.sample(arbitraryAccount, { numRuns: 1, seed: 1 })
  const [product] = fc.sample(arbitraryProduct, { numRuns: 1, seed: 1 })
  expect(explain(compileAccount({ ...inputs!, rules: [ALWAYS] }), product!, 999)).toBeNull()
})
