import { plus, times } from '../../model/arithmetic.ts'
import { Exact, exactOf, toMinor } from '../../model/money.ts'
import type { Price, PriceTax, TaxRate, Tier } from '../../model/payload.ts'
import type { CostTier } from '../../model/offer.ts'
import type { Converter } from '../currency.ts'
import type { GroupInput, ProductInputs, StoreInput } from '../inputs.ts'
import type { PricedRule } from './price-rules.ts'
import { roundPrice, settle, type Bounds, type RoundedBy } from './rounding.ts'
import type { Candidate } from '../sourcing/sourcing.ts'

const ZERO = new Exact(0)
const NO_TIERS: readonly Tier[] = []

/** A cost and its currency. */
export interface Cost {
  /** Without tax. */
  amount: Exact
  /** The offer's cost as stated, if that includes tax; null: it does not. */
  withTax: { amount: Exact; rate: TaxRate } | null
  currency: string
  /** The offer's cost tiers as stated, including tax if the cost does; null: none. */
  tiers: readonly CostTier[] | null
  /** The supplier whose offer it is; null for own cost. */
  supplierId: number | null
  source: 'own_stock' | 'best_offer' | 'own_cost'
}

/**
 * The product's base cost: own cost while own stock is left (it sells first), otherwise the best offer's cost, otherwise own cost; null if none is
 * known.
 */
export function baseCost(
  ownStock: ProductInputs['ownStock'],
  best: Candidate | undefined,
  accountCurrency: string,
): Cost | null {
  const ownCost = ownStock === null || ownStock.cost === null ? null : exactOf(ownStock.cost)
  const own = (source: Cost['source']): Cost | null =>
    ownCost === null
      ? null
      : { amount: ownCost, withTax: null, tiers: null, currency: accountCurrency, supplierId: null, source }
  if (ownCost !== null && ownStock !== null && ownStock.quantity > 0) return own('own_stock')
  if (best !== undefined && best.cost !== null) {
    return {
      amount: best.cost,
      withTax:
        best.tax === null || best.offer.cost === null ? null : { amount: exactOf(best.offer.cost), rate: best.tax },
      tiers: best.offer.costTiers,
      currency: best.offer.currency,
      supplierId: best.supplier.supplierId,
      source: 'best_offer',
    }
  }
  return own('own_cost')
}

/**
 * One step of a price's calculation: the previous result, `op` and `by` give `result`. Unrounded decimal texts. The steps reproduce the price to the
 * last digit: `by` of a rounding step states what it rounded by.
 */
export interface PriceStep {
  step:
    | 'cost'
    | 'list_price'
    | 'sale_price'
    | 'rate'
    | 'tax'
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
    | 'price_list'
    | 'held'
    | 'sale'
    | 'price'
    | 'percent_off'
    | 'amount_off'
    | 'tier_price'
    | 'reference'
    | 'content'
  /** `=` replaces the previous result by `by`; `max` and `min` take the greater and the smaller of the two. */
  op: '=' | '*' | '/' | '+' | 'max' | 'min' | 'round'
  by: string
  result: string
}

/**
 * A rule's price from the unrounded cost in the store's currency: markup, margin or fixed price; addition; tax; ceiling; floors, which override the
 * ceiling; never below 0; rounded once. A fixed price, a ceiling and a floor price are as shown; cost, margins and profits are without tax.
 * docs/decisions/177-tax-acts-on-the-price-as-it-is-shown.md says why.
 * @param tax the factor of the tax that prices include; null: none.
 * @param trace receives each step, for `explain`.
 */
export function priceBy(
  rule: PricedRule,
  cost: Exact,
  currency: string,
  tax: Exact | null,
  trace?: PriceStep[],
): { price: Exact; by: RoundedBy } {
  let price = cost
  const step = (name: PriceStep['step'], op: PriceStep['op'], by: Exact, result: Exact) => {
    price = result
    trace?.push({ step: name, op, by: by.toFixed(), result: result.toFixed() })
  }
  if (rule.factor !== null) step('markup', '*', rule.factor, times(price, rule.factor))
  else if (rule.divisor !== null) step('margin', '/', rule.divisor, price.dividedBy(rule.divisor))
  else if (rule.fixed !== null) step('fixed', '=', rule.fixed, rule.fixed)
  if (rule.addition !== null) step('addition', '+', rule.addition, plus(price, rule.addition))
  if (tax !== null && rule.fixed === null) step('tax', '*', tax, times(price, tax))
  return boundedBy(rule, price, cost, currency, tax, trace)
}

/**
 * An amount as shown, limited by a rule's ceiling and floors and rounded by it.
 * @param cost without tax, for the floors on margin and profit. @param tax, @param trace as for priceBy.
 */
export function boundedBy(
  rule: PricedRule,
  amount: Exact,
  cost: Exact,
  currency: string,
  tax: Exact | null,
  trace?: PriceStep[],
): { price: Exact; by: RoundedBy } {
  let price = amount
  const step = (name: PriceStep['step'], op: PriceStep['op'], by: Exact, result: Exact) => {
    price = result
    trace?.push({ step: name, op, by: by.toFixed(), result: result.toFixed() })
  }
  const bounds = boundsOf(rule, cost, tax)
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

function boundsOf(
  rule: PricedRule,
  cost: Exact,
  tax: Exact | null,
): Bounds & { margin: Exact | null; profit: Exact | null } {
  const { floorDivisor, floorProfit, floorPrice } = rule
  // settled like the floor: otherwise the two would differ where both are, for example, the same third
  const ceilingPrice = rule.ceilingPrice === null ? null : settle(rule.ceilingPrice)
  if (floorDivisor === null && floorProfit === null && floorPrice === null) {
    return { margin: null, profit: null, floor: null, ceiling: ceilingPrice }
  }
  const asShown = (net: Exact) => (tax === null ? net : times(net, tax))
  const margin = floorDivisor === null ? null : asShown(cost.dividedBy(floorDivisor))
  const profit = floorProfit === null ? null : asShown(plus(cost, floorProfit))
  const floors = [margin, profit, floorPrice].filter((floor) => floor !== null)
  return { margin, profit, floor: settle(Exact.max(...floors)), ceiling: ceilingPrice }
}

function roundedTo({ rounding }: PricedRule, by: RoundedBy): string {
  if (rounding === null || (by !== 'direction' && by !== 'bounds')) return by
  const way = by === 'direction' ? rounding.direction : 'within_bounds'
  return `step ${rounding.step.toFixed()} ending ${rounding.ending.toFixed()} ${way}`
}

/** A price as rules and lists make it, before it is held, left out or reduced. */
export interface ComputedPrice extends Price {
  /** See PricedRule. */
  isStated: boolean
  isFree: boolean
  /** Whether its rule precedes price lists. */
  isOverLists: boolean
  /**
   * Its prices in lists that do not apply (not in force, or the rule precedes lists), as decimal texts; null: none. A change from one of these
   * is not held, because a person stated it.
   */
  listed: readonly string[] | null
  /** The rule that makes its tiers; null: none. */
  tiersBy: PricedRule | null
  /** The rule that makes its list price if nobody states one; null: none. */
  listPriceBy: PricedRule | null
}

/** A customer group as its prices show it. */
export interface PricedGroup extends GroupInput {
  /** Whether the account has enabled `prices_is_default` (contract/additional-members.ts). */
  saysDefault: boolean
}

/** A cache of amounts made from one product's cost. Stores with the same currency have the same rules, so each price is computed once for them. */
export interface MadePrices {
  /** By currency; null: an exchange rate is missing. */
  costs: Map<string, { amount: Exact; rounded: Exact } | null>
  prices: Map<PricedRule, Exact>
  /** Prices that include tax, by rate; `prices` has those without. */
  taxed: Map<TaxRate, Map<PricedRule, Exact>> | null
  /** The last tiers of each rule, with the price and rate that they were made from. */
  tiers: Map<PricedRule, { price: Exact; rate: TaxRate | null; tiers: readonly Tier[] }> | null
}

export const noPricesMade = (): MadePrices => ({ costs: new Map(), prices: new Map(), taxed: null, tiers: null })

function pricesMade(made: MadePrices, rate: TaxRate | null): Map<PricedRule, Exact> {
  if (rate === null) return made.prices
  made.taxed ??= new Map()
  const known = made.taxed.get(rate)
  if (known !== undefined) return known
  const prices = new Map<PricedRule, Exact>()
  made.taxed.set(rate, prices)
  return prices
}

/**
 * A rule's price for a cost, computed once for all stores of a currency. @param cost in that currency. @param rate of the tax that the price
 * includes; null: none.
 */
export function madePrice(
  rule: PricedRule,
  cost: Exact,
  currency: string,
  rate: TaxRate | null,
  made: MadePrices,
): Exact {
  const known = pricesMade(made, rate)
  let price = known.get(rule)
  if (price === undefined) {
    price = priceBy(rule, cost, currency, rate?.factor ?? null).price
    known.set(rule, price)
  }
  return price
}

/**
 * One price per customer group, in the groups' order. [] if the cost is unknown or has no exchange rate into the store's currency, or if the prices
 * of any group include a tax without a rate: a product has a price for every group or for none. Prices are computed from the unrounded cost and
 * rounded once.
 * @param taxOf the tax of a group's prices; null: none stated.
 * @param made cached prices of the same cost.
 */
export function resolvePrices(
  cost: Cost | null,
  store: StoreInput,
  groups: readonly PricedGroup[],
  ruleFor: (groupId: number) => PricedRule | undefined,
  money: Converter,
  taxOf: (group: PricedGroup) => PriceTax | null,
  made: MadePrices = noPricesMade(),
): ComputedPrice[] {
  if (cost === null) return []
  const base = costIn(cost, store.currency, money, made)
  if (base === null) return []
  const prices: ComputedPrice[] = []
  for (const group of groups) {
    const rule = ruleFor(group.groupId)
    if (rule === undefined) continue
    const tax = taxOf(group)
    if (isUntaxable(tax)) return []
    const rate = shownRate(tax)
    const price = madePrice(rule, base.amount, store.currency, rate, made)
    prices.push({
      groupId: group.groupId,
      group: group.name,
      baseCost: base.rounded,
      computedPrice: price,
      currency: store.currency,
      ruleId: rule.rule.ruleId,
      isDefault: group.saysDefault ? group.isDefault : null,
      compareAtPrice: null,
      sale: null,
      tax,
      tiers: NO_TIERS,
      // a supplier's tiers belong to this cost; mostly there are none
      tiersBy: rule.tiers === null || (rule.tiers.stated === null && cost.tiers === null) ? null : rule,
      listPriceBy: rule.listPrice,
      unitPrice: null,
      isStated: rule.isStated,
      isFree: rule.isFree,
      isOverLists: rule.rule.overPriceLists,
      listed: null,
    })
  }
  return prices
}

/** The rate of the tax that a price includes; null: it includes none. */
export const shownRate = (tax: PriceTax | null): TaxRate | null => (tax?.isIncluded === true ? tax.rate : null)

/** Whether prices include tax and the rate is missing: a price without it would be sold as one with it. */
export const isUntaxable = (tax: PriceTax | null): boolean => tax !== null && tax.isIncluded && tax.rate === null

/** The cost in a store's currency, unrounded and rounded; null if an exchange rate is missing. */
function costIn({ amount: stated, currency: from }: Cost, currency: string, money: Converter, { costs }: MadePrices) {
  let cost = costs.get(currency)
  if (cost === undefined) {
    const amount = money.convert(stated, from, currency)
    cost = amount === null ? null : { amount, rounded: toMinor(settle(amount), currency) }
    costs.set(currency, cost)
  }
  return cost
}

/** The unrounded cost in the currency of these prices, which were made from it; undefined if there are none. */
export function costOfPrices(
  [first]: readonly Price[],
  cost: Cost,
  money: Converter,
  made: MadePrices,
): Exact | undefined {
  return first === undefined ? undefined : costIn(cost, first.currency, money, made)?.amount
}

/** Whether a price is 0 and no rule states that: the product then has no price in the store, for any group. */
export function isAccidentallyFree({ computedPrice, isFree }: ComputedPrice): boolean {
  return computedPrice.isZero() && !isFree
}
