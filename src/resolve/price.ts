import { Exact, toMinor } from '../model/money.ts'
import type { Price } from '../model/payload.ts'
import type { Converter } from './currency.ts'
import type { GroupInput, ProductInputs, StoreInput } from './inputs.ts'
import type { PricedRule } from './price-rules.ts'
import { roundPrice, settle, type Bounds, type RoundedBy } from './rounding.ts'
import type { Candidate } from './sourcing.ts'

const ZERO = new Exact(0)

/** A cost and its currency. */
export interface Cost {
  amount: Exact
  currency: string
  /** The supplier whose offer has it; null for own cost. */
  supplierId: number | null
  source: 'own_stock' | 'best_offer' | 'own_cost'
}

/**
 * What the product costs the merchant: own cost while own stock is left (it sells first), else the best offer's cost,
 * else own cost; null when none is known.
 */
export function baseCost(
  ownStock: ProductInputs['ownStock'],
  best: Candidate | undefined,
  accountCurrency: string,
): Cost | null {
  const ownCost = ownStock === null || ownStock.cost === null ? null : new Exact(ownStock.cost)
  const own = (source: Cost['source']): Cost | null =>
    ownCost === null ? null : { amount: ownCost, currency: accountCurrency, supplierId: null, source }
  if (ownCost !== null && ownStock !== null && ownStock.quantity > 0) return own('own_stock')
  if (best !== undefined && best.cost !== null) {
    return {
      amount: best.cost,
      currency: best.offer.currency,
      supplierId: best.supplier.supplierId,
      source: 'best_offer',
    }
  }
  return own('own_cost')
}

/**
 * One line of a price's arithmetic: the result before, `op`, `by` gives `result`. Unrounded decimal texts. The lines
 * alone give the price, to the last digit: what rounding did beside half up or its direction is said in its `by`.
 */
export interface PriceStep {
  step:
    | 'cost'
    | 'list_price'
    | 'rate'
    | 'markup'
    | 'margin'
    | 'fixed'
    | 'addition'
    | 'ceiling'
    | 'floor_margin'
    | 'floor_profit'
    | 'floor_price'
    | 'floor_zero'
    | 'settle'
    | 'rounding'
    | 'held'
  /** `=` replaces the result before by `by`; `max` and `min` take the greater and the smaller of the two. */
  op: '=' | '*' | '/' | '+' | 'max' | 'min' | 'round'
  by: string
  result: string
}

/**
 * A rule's price from the unrounded cost in the store's currency: markup, margin or fixed price; addition; ceiling;
 * floors, which win over the ceiling; never below 0; rounding, once.
 * @param trace receives each step, for `explain`.
 */
export function priceBy(
  rule: PricedRule,
  cost: Exact,
  currency: string,
  trace?: PriceStep[],
): { price: Exact; by: RoundedBy } {
  let price = cost
  const step = (name: PriceStep['step'], op: PriceStep['op'], by: Exact, result: Exact) => {
    price = result
    trace?.push({ step: name, op, by: by.toFixed(), result: result.toFixed() })
  }
  if (rule.factor !== null) step('markup', '*', rule.factor, price.times(rule.factor))
  else if (rule.divisor !== null) step('margin', '/', rule.divisor, price.dividedBy(rule.divisor))
  else if (rule.fixed !== null) step('fixed', '=', rule.fixed, rule.fixed)
  if (rule.addition !== null) step('addition', '+', rule.addition, price.plus(rule.addition))
  const bounds = boundsOf(rule, cost)
  if (rule.ceilingPrice !== null) step('ceiling', 'min', rule.ceilingPrice, Exact.min(price, rule.ceilingPrice))
  if (bounds.margin !== null) step('floor_margin', 'max', bounds.margin, Exact.max(price, bounds.margin))
  if (bounds.profit !== null) step('floor_profit', 'max', bounds.profit, Exact.max(price, bounds.profit))
  if (rule.floorPrice !== null) step('floor_price', 'max', rule.floorPrice, Exact.max(price, rule.floorPrice))
  if (price.isNegative()) step('floor_zero', 'max', ZERO, ZERO)
  const settled = settle(price)
  if (trace !== undefined && !settled.equals(price)) step('settle', 'round', settled, settled)
  const rounded = roundPrice(settled, rule.rounding, bounds, currency)
  trace?.push({ step: 'rounding', op: 'round', by: roundedTo(rule, rounded.by), result: rounded.price.toFixed() })
  return rounded
}

function boundsOf(rule: PricedRule, cost: Exact): Bounds & { margin: Exact | null; profit: Exact | null } {
  const { floorDivisor, floorProfit, floorPrice } = rule
  // settled as the floor is: else the two would differ where both are the same third of something
  const ceilingPrice = rule.ceilingPrice === null ? null : settle(rule.ceilingPrice)
  if (floorDivisor === null && floorProfit === null && floorPrice === null) {
    return { margin: null, profit: null, floor: null, ceiling: ceilingPrice }
  }
  const margin = floorDivisor === null ? null : cost.dividedBy(floorDivisor)
  const profit = floorProfit === null ? null : cost.plus(floorProfit)
  const floors = [margin, profit, floorPrice].filter((floor) => floor !== null)
  return { margin, profit, floor: settle(Exact.max(...floors)), ceiling: ceilingPrice }
}

function roundedTo({ rounding }: PricedRule, by: RoundedBy): string {
  if (rounding === null || (by !== 'direction' && by !== 'bounds')) return by
  const way = by === 'direction' ? rounding.direction : 'within_bounds'
  return `step ${rounding.step.toFixed()} ending ${rounding.ending.toFixed()} ${way}`
}

/** A price as the rules make it, before it is held or left out. */
export interface ComputedPrice extends Price {
  /** See PricedRule. */
  isStated: boolean
  isFree: boolean
}

/** A customer group as its prices show it. */
export interface PricedGroup extends GroupInput {
  /** The account has chosen that each price says whether it is the default group's (contract/additional-members.ts). */
  saysDefault: boolean
}

/** What has been computed of one product's cost. Stores of a currency have the same rules, so each price is computed once for them. */
export interface MadePrices {
  /** By currency; null: there is no rate. */
  costs: Map<string, { amount: Exact; rounded: Exact } | null>
  prices: Map<PricedRule, Exact>
}

export const noPricesMade = (): MadePrices => ({ costs: new Map(), prices: new Map() })

/**
 * One price per customer group, in the groups' order; [] when the cost is unknown or has no rate into the store's
 * currency. Prices are computed from the unrounded cost and rounded once.
 * @param made of the same cost, in other stores.
 */
export function resolvePrices(
  cost: Cost | null,
  store: StoreInput,
  groups: readonly PricedGroup[],
  ruleFor: (groupId: number) => PricedRule | undefined,
  money: Converter,
  made: MadePrices = noPricesMade(),
): ComputedPrice[] {
  if (cost === null) return []
  const base = costIn(cost, store.currency, money, made)
  if (base === null) return []
  const prices: ComputedPrice[] = []
  for (const group of groups) {
    const rule = ruleFor(group.groupId)
    if (rule === undefined) continue
    let price = made.prices.get(rule)
    if (price === undefined) {
      price = priceBy(rule, base.amount, store.currency).price
      made.prices.set(rule, price)
    }
    prices.push({
      groupId: group.groupId,
      group: group.name,
      baseCost: base.rounded,
      computedPrice: price,
      currency: store.currency,
      ruleId: rule.rule.ruleId,
      isDefault: group.saysDefault ? group.isDefault : null,
      compareAtPrice: null,
      isStated: rule.isStated,
      isFree: rule.isFree,
    })
  }
  return prices
}

function costIn({ amount: stated, currency: from }: Cost, currency: string, money: Converter, { costs }: MadePrices) {
  let cost = costs.get(currency)
  if (cost === undefined) {
    const amount = money.convert(stated, from, currency)
    cost = amount === null ? null : { amount, rounded: toMinor(settle(amount), currency) }
    costs.set(currency, cost)
  }
  return cost
}

/** Whether a price is 0 without a rule that states it: then the product has no price in the store, for any group. */
export function isAccidentallyFree({ computedPrice, isFree }: ComputedPrice): boolean {
  return computedPrice.isZero() && !isFree
}
