import { Exact, toMinor } from '../model/money.ts'
import type { Price } from '../model/payload.ts'
import type { Converter } from './currency.ts'
import type { GroupInput, ProductInputs, RuleInput, StoreInput } from './inputs.ts'
import type { Candidate } from './sourcing.ts'

const HUNDRED = new Exact(100)

/** A rule made ready: the factor is 1 + markup / 100. */
export interface CompiledRule {
  ruleId: number
  storeId: number | null
  groupId: number | null
  factor: Exact
}

/** Rules in the order in which they are tried; the default rule last. */
export function compileRules(rules: readonly RuleInput[]): CompiledRule[] {
  return [...rules]
    .sort(
      (a, b) => Number(a.isDefault) - Number(b.isDefault) || a.priority - b.priority || a.ruleId - b.ruleId,
    )
    .map((rule) => ({
      ruleId: rule.ruleId,
      storeId: rule.storeId,
      groupId: rule.groupId,
      factor: new Exact(rule.markupPercent).dividedBy(HUNDRED).plus(1),
    }))
}

/** The first rule that matches the store and the group; undefined only where an account has lost its default rule. */
export function matchRule(
  rules: readonly CompiledRule[],
  storeId: number,
  groupId: number,
): CompiledRule | undefined {
  return rules.find(
    (rule) =>
      (rule.storeId === null || rule.storeId === storeId) && (rule.groupId === null || rule.groupId === groupId),
  )
}

/** A cost and the currency it is stated in. */
export interface Cost {
  amount: Exact
  currency: string
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
  const own: Cost | null =
    ownStock === null || ownStock.cost === null
      ? null
      : { amount: new Exact(ownStock.cost), currency: accountCurrency }
  if (own !== null && ownStock !== null && ownStock.quantity > 0) return own
  if (best !== undefined && best.cost !== null) return { amount: best.cost, currency: best.offer.currency }
  return own
}

/**
 * One price per customer group, in the groups' order; [] when the cost is unknown or has no rate into the store's
 * currency. Prices are computed from the unrounded cost and rounded once, half up, to the currency's minor digits.
 */
export function resolvePrices(
  cost: Cost | null,
  store: StoreInput,
  groups: readonly GroupInput[],
  ruleFor: (groupId: number) => CompiledRule | undefined,
  money: Converter,
): Price[] {
  if (cost === null) return []
  const amount = money.convert(cost.amount, cost.currency, store.currency)
  if (amount === null) return []
  const rounded = toMinor(amount, store.currency)
  const prices: Price[] = []
  for (const group of groups) {
    const rule = ruleFor(group.groupId)
    if (rule === undefined) continue
    prices.push({
      groupId: group.groupId,
      group: group.name,
      baseCost: rounded,
      computedPrice: toMinor(amount.times(rule.factor), store.currency),
      currency: store.currency,
      ruleId: rule.ruleId,
    })
  }
  return prices
}
