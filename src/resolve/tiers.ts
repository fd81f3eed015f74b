import type { TierLeftOut } from '../../contract/tiers.ts'
import type { Exact } from '../model/money.ts'
import type { TaxRate, Tier } from '../model/payload.ts'
import type { Converter } from './currency.ts'
import type { ExplainedTier } from './explanation.ts'
import { boundedBy, costIn, type ComputedPrice, type Cost, type MadePrices, type PriceStep } from './price.ts'
import type { PricedRule, PricedTiers } from './price-rules.ts'

// Prices from a quantity on. docs/decisions/174-tiers-follow-from-the-price-that-is-shown.md says why they come last.

/** Prices as clients read them, each with its tiers; the same array where no rule makes any. @param made of the same cost. */
export function withTiers(
  prices: readonly ComputedPrice[],
  cost: Cost | null,
  money: Converter,
  made: MadePrices,
): readonly ComputedPrice[] {
  if (cost === null || prices.every(({ tiersBy }) => tiersBy === null)) return prices
  return prices.map((price) => {
    const base = price.tiersBy === null ? null : costIn(cost, price.currency, money, made)
    return price.tiersBy === null || base === null
      ? price
      : { ...price, tiers: tiersMade(price.tiersBy, price, base.amount, made) }
  })
}

/** Stores of a currency have the same rules, and mostly the same prices. */
function tiersMade(rule: PricedRule, price: ComputedPrice, cost: Exact, made: MadePrices): readonly Tier[] {
  const rate = shownRate(price)
  const known = made.tiers?.get(rule)
  if (known !== undefined && known.price === price.computedPrice && known.rate === rate) return known.tiers
  const tiers = tiersOf(rule, price, cost)
  made.tiers ??= new Map()
  made.tiers.set(rule, { price: price.computedPrice, rate, tiers })
  return tiers
}

const shownRate = ({ tax }: ComputedPrice): TaxRate | null => (tax?.isIncluded === true ? tax.rate : null)

/**
 * The tiers that a rule makes of a price as it is shown, a held one too: within the rule's bounds, rounded by it, and falling. What does not
 * fall is left out: it would be no offer.
 * @param cost unrounded, without tax, in the currency of the price.
 * @param explained receives each that the rule states, also those that are left out.
 */
export function tiersOf(rule: PricedRule, price: ComputedPrice, cost: Exact, explained?: ExplainedTier[]): Tier[] {
  const { tiers } = rule
  if (tiers === null) return []
  const factor = shownRate(price)?.factor ?? null
  const shown: Tier[] = []
  for (const { quantity, ...tier } of tiers.stated) {
    const trace: PriceStep[] | undefined = explained === undefined ? undefined : []
    const amount = tierAmount(tier, price.computedPrice, trace)
    const made = boundedBy(rule, amount, cost, price.currency, factor, trace).price
    const leftOut = whyLeftOut(made, price.computedPrice, shown.at(-1), tiers)
    if (leftOut === null) shown.push({ quantity, price: made })
    explained?.push({ quantity, steps: trace ?? [], price: made.toFixed(), leftOut })
  }
  return shown
}

/** What a tier states of a price, before bounds and rounding. */
function tierAmount(
  { by, amount }: Pick<PricedTiers['stated'][number], 'by' | 'amount'>,
  price: Exact,
  trace: PriceStep[] | undefined,
): Exact {
  const step = (name: PriceStep['step'], op: PriceStep['op'], operand: Exact, result: Exact) => {
    trace?.push({ step: name, op, by: operand.toFixed(), result: result.toFixed() })
    return result
  }
  if (by === 'price') return step('tier_price', '=', amount, amount)
  step('price', '=', price, price)
  return by === 'percent_off'
    ? step('percent_off', '*', amount, price.times(amount))
    : step('amount_off', '+', amount.negated(), price.minus(amount))
}

function whyLeftOut(
  made: Exact,
  price: Exact,
  before: Tier | undefined,
  { mayBeAbove }: PricedTiers,
): TierLeftOut | null {
  if (made.isZero()) return 'zero'
  if (!mayBeAbove && !made.lessThan(price)) return 'not_below_price'
  return before !== undefined && !made.lessThan(before.price) ? 'not_below_tier' : null
}
