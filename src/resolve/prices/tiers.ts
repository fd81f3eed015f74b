import type { TierLeftOut } from '../../../contract/tiers.ts'
import { minus, times } from '../../model/arithmetic.ts'
import { exactOf, isBelow, type Exact } from '../../model/money.ts'
import type { CostTier } from '../../model/offer.ts'
import type { Tier } from '../../model/payload.ts'
import { amountIn, amountLines } from './amount.ts'
import type { Converter } from '../currency.ts'
import type { ExplainedTier } from '../explanation.ts'
import { isHeld, isJump, type Held } from './guard.ts'
import {
  boundedBy,
  costOfPrices,
  priceBy,
  shownRate,
  type ComputedPrice,
  type Cost,
  type MadePrices,
  type PriceStep,
} from './price.ts'
import type { PricedRule, PricedTiers, StatedTier } from './price-rules.ts'

// Prices from a quantity on. docs/decisions/174-tiers-follow-from-the-price-that-is-shown.md says why they are computed last, and
// docs/decisions/181-tiers-from-the-supplier.md why a supplier's cost tiers are priced like the cost itself.

/** The values besides price and rule that tiers are made from: the same for all prices of a product in one store. */
export interface TierBasis {
  cost: Cost
  /** The cost in the currency of the price: unrounded, without tax. */
  amount: Exact
  money: Converter
  /** Groups whose price is held. */
  held: readonly Pick<Held, 'groupId'>[]
  jumpFactor: Exact | null
}

/**
 * The prices that clients read, each with its tiers; the same array if no rule makes any.
 * @param held the prices among them that are held. @param made cached prices of the same cost.
 */
export function withTiers(
  prices: readonly ComputedPrice[],
  cost: Cost | null,
  { money, jumpFactor }: Pick<TierBasis, 'money' | 'jumpFactor'>,
  held: readonly Held[],
  made: MadePrices,
): readonly ComputedPrice[] {
  if (cost === null || prices.every(({ tiersBy }) => tiersBy === null)) return prices
  const amount = costOfPrices(prices, cost, money, made)
  if (amount === undefined) return prices
  const basis: TierBasis = { cost, amount, money, held, jumpFactor }
  return prices.map((price) =>
    price.tiersBy === null ? price : { ...price, tiers: tiersMade(price.tiersBy, price, basis, made) },
  )
}

/** Tiers from the cache if possible: stores with the same currency have the same rules, and mostly the same prices. */
function tiersMade(rule: PricedRule, price: ComputedPrice, basis: TierBasis, made: MadePrices): readonly Tier[] {
  // not cached: a price may be held in one store and not in the next
  if (isHeld(price, basis.held)) return tiersOf(rule, price, basis)
  const rate = shownRate(price.tax)
  const known = made.tiers?.get(rule)
  if (known !== undefined && known.price === price.computedPrice && known.rate === rate) return known.tiers
  const tiers = tiersOf(rule, price, basis)
  made.tiers ??= new Map()
  made.tiers.set(rule, { price: price.computedPrice, rate, tiers })
  return tiers
}

/**
 * The tiers that a rule makes from the price as shown, held or not, or from the supplier's cost tiers; limited and rounded by the rule. A
 * tier that is not below the price and the tier before it is left out, because it would be no offer.
 * @param explained receives every tier, including those left out.
 */
export function tiersOf(rule: PricedRule, price: ComputedPrice, basis: TierBasis, explained?: ExplainedTier[]): Tier[] {
  const { tiers } = rule
  if (tiers === null) return []
  const isOfSupplier = tiers.stated === null
  const doubt = isOfSupplier && isHeld(price, basis.held) ? 'held' : null
  if (doubt !== null && explained === undefined) return []
  const factor = shownRate(price.tax)?.factor ?? null
  const shown: Tier[] = []
  const add = (quantity: number, made: Exact, steps: PriceStep[] | undefined) => {
    const leftOut = doubt ?? whyLeftOut(made, price.computedPrice, shown.at(-1), tiers, isOfSupplier ? basis : null)
    if (leftOut === null) shown.push({ quantity, price: made })
    explained?.push({ quantity, steps: steps ?? [], price: made.toFixed(), leftOut })
  }
  const lines = (): PriceStep[] | undefined => (explained === undefined ? undefined : [])
  if (tiers.stated === null)
    for (const tier of basis.cost.tiers ?? []) {
      const trace = lines()
      const cost = costOf(tier, basis, price.currency, trace)
      if (cost !== null) add(tier.quantity, priceBy(rule, cost, price.currency, factor, trace).price, trace)
    }
  else
    for (const { quantity, ...tier } of tiers.stated) {
      const trace = lines()
      const amount = tierAmount(tier, price.computedPrice, trace)
      add(quantity, boundedBy(rule, amount, basis.amount, price.currency, factor, trace).price, trace)
    }
  return shown
}

/** A cost tier without tax, unrounded, in the currency of a price. */
function costOf(
  { cost: stated }: CostTier,
  { cost, money }: TierBasis,
  currency: string,
  trace: PriceStep[] | undefined,
): Exact | null {
  const amount = exactOf(stated)
  const tax = { out: cost.withTax?.rate ?? null, in: null }
  if (trace === undefined) return amountIn(amount, tax, [cost.currency, currency], money)
  const { steps, converted } = amountLines('cost', amount, tax, [cost.currency, currency], money)
  trace.push(...steps)
  return converted
}

/** A stated tier's amount for a price, before bounds and rounding. */
function tierAmount(
  { by, amount }: Pick<StatedTier, 'by' | 'amount'>,
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
    ? step('percent_off', '*', amount, times(price, amount))
    : step('amount_off', '+', amount.negated(), minus(price, amount))
}

/** @param supplied the basis of a supplier's tiers, which are guarded; null: the rule states its own, which are not. */
function whyLeftOut(
  made: Exact,
  price: Exact,
  before: Tier | undefined,
  { mayBeAbove }: PricedTiers,
  supplied: TierBasis | null,
): TierLeftOut | null {
  if (made.isZero()) return 'zero'
  if (!mayBeAbove && !isBelow(made, price)) return 'not_below_price'
  if (before !== undefined && !isBelow(made, before.price)) return 'not_below_tier'
  const isGuarded = supplied !== null && supplied.jumpFactor !== null && isJump(price, made, supplied.jumpFactor)
  return isGuarded ? 'guarded' : null
}
