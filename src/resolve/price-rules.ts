import { Exact } from '../model/money.ts'
import { byPriority, categoryTest, foldName, idTest, nameTest, type ProductFacts } from './conditions.ts'
import type { Converter } from './currency.ts'
import type { RuleInput } from './inputs.ts'
import { compileRounding, type Rounding } from './rounding.ts'

const HUNDRED = new Exact(100)

/** What the conditions of a pricing rule look at. */
export interface PriceFacts extends ProductFacts {
  /** The supplier of the offer whose cost is used; null for own cost. */
  supplierId: number | null
  /** In the account's currency; null without a rate. */
  cost: Exact | null
}

/** Where and when a rule is tried. */
export interface PricePlace {
  storeId: number
  groupId: number
  /** `YYYY-MM-DD` */
  day: string
}

/** The conditions of a rule, by the names that `explain` shows. */
export type PriceCondition =
  | 'active'
  | 'store'
  | 'group'
  | 'valid_from'
  | 'valid_to'
  | 'product'
  | 'supplier'
  | 'manufacturer'
  | 'category'
  | 'cost_min'
  | 'cost_below'
  | 'rate'

/** A rule, compiled for any store. */
export interface CompiledRule {
  rule: RuleInput
  /** Conditions on store, group and day: the same for all products. */
  placeTests: readonly { name: PriceCondition; test: (place: PricePlace) => boolean }[]
  /** Conditions on the product. */
  productTests: readonly { name: PriceCondition; test: (facts: PriceFacts) => boolean }[]
}

/** Rules in the order in which they are tried; the default rule last. */
export function compileRules(rules: readonly RuleInput[]): CompiledRule[] {
  const ordered = byPriority(rules)
  return [...ordered.filter((rule) => !rule.isDefault), ...ordered.filter((rule) => rule.isDefault)].map(compileRule)
}

function compileRule(rule: RuleInput): CompiledRule {
  const placeTests: CompiledRule['placeTests'][number][] = []
  const productTests: CompiledRule['productTests'][number][] = []
  const { isActive, storeIds, groupIds, validFrom, validTo, productIds, supplierIds, manufacturers, categories } = rule
  if (!isActive) placeTests.push({ name: 'active', test: () => false })
  if (storeIds !== null) placeTests.push({ name: 'store', test: on(idTest(storeIds), (place) => place.storeId) })
  if (groupIds !== null) placeTests.push({ name: 'group', test: on(idTest(groupIds), (place) => place.groupId) })
  // dates in this form compare as text
  if (validFrom !== null) placeTests.push({ name: 'valid_from', test: (place) => place.day >= validFrom })
  if (validTo !== null) placeTests.push({ name: 'valid_to', test: (place) => place.day <= validTo })
  if (productIds !== null)
    productTests.push({ name: 'product', test: on(idTest(productIds), (facts) => facts.productId) })
  if (supplierIds !== null)
    productTests.push({ name: 'supplier', test: on(idTest(supplierIds), (facts) => facts.supplierId) })
  if (manufacturers !== null)
    productTests.push({ name: 'manufacturer', test: on(nameTest(manufacturers), (facts) => facts.manufacturer) })
  if (categories !== null)
    productTests.push({ name: 'category', test: on(categoryTest(categories), (facts) => facts.category) })
  if (rule.costMin !== null) {
    const least = new Exact(rule.costMin)
    productTests.push({ name: 'cost_min', test: ({ cost }) => cost !== null && cost.greaterThanOrEqualTo(least) })
  }
  if (rule.costBelow !== null) {
    const bound = new Exact(rule.costBelow)
    productTests.push({ name: 'cost_below', test: ({ cost }) => cost !== null && cost.lessThan(bound) })
  }
  return { rule, placeTests, productTests }
}

function on<From, Value>(test: (value: Value) => boolean, pick: (from: From) => Value): (from: From) => boolean {
  return (from) => test(pick(from))
}

/** A rule with its amounts in one store's currency. */
export interface PricedRule {
  rule: RuleInput
  productTests: CompiledRule['productTests']
  /** price = cost x factor, or cost / divisor, or fixed; exactly one is set. */
  factor: Exact | null
  divisor: Exact | null
  fixed: Exact | null
  addition: Exact | null
  floorDivisor: Exact | null
  floorProfit: Exact | null
  floorPrice: Exact | null
  ceilingPrice: Exact | null
  rounding: Rounding | null
  /** Its price is what the merchant stated for one product alone: no cost can move it, so it is not guarded. */
  isStated: boolean
  /** It states the price 0, which no other rule makes: else 0 is no price. */
  isFree: boolean
}

/** The rule's amounts in a store's currency; null when a rate is missing. */
export function priceRuleIn(
  compiled: CompiledRule,
  currency: string,
  accountCurrency: string,
  money: Converter,
): PricedRule | null {
  const { rule, productTests } = compiled
  let isConvertible = true
  const amount = (text: string | null): Exact | null => {
    if (text === null) return null
    const converted = money.convert(new Exact(text), rule.currency ?? accountCurrency, currency)
    if (converted === null) isConvertible = false
    return converted
  }
  const percent = rule.percent === null ? null : new Exact(rule.percent).dividedBy(HUNDRED)
  const priced: PricedRule = {
    rule,
    productTests,
    factor: rule.action === 'markup' && percent !== null ? percent.plus(1) : null,
    divisor: rule.action === 'margin' && percent !== null ? shareLeft(percent) : null,
    fixed: amount(rule.action === 'fixed' ? rule.fixedPrice : null),
    addition: amount(rule.addition),
    floorDivisor:
      rule.floorMarginPercent === null ? null : shareLeft(new Exact(rule.floorMarginPercent).dividedBy(HUNDRED)),
    floorProfit: amount(rule.floorProfit),
    floorPrice: amount(rule.floorPrice),
    ceilingPrice: amount(rule.ceilingPrice),
    rounding: compileRounding(rule.rounding[currency]),
    isStated:
      rule.action === 'fixed' &&
      rule.productIds !== null &&
      new Set(rule.productIds).size === 1 &&
      rule.floorMarginPercent === null &&
      rule.floorProfit === null,
    isFree: rule.action === 'fixed' && rule.fixedPrice !== null && new Exact(rule.fixedPrice).isZero(),
  }
  return isConvertible ? priced : null
}

/** The share of the price that a margin leaves for the cost. */
function shareLeft(margin: Exact): Exact {
  return new Exact(1).minus(margin)
}

/** The rules of one store and group, indexed so that a product is tested against few of them. */
export interface RuleTable {
  find(facts: PriceFacts): PricedRule | undefined
}

interface Ranked {
  rank: number
  rule: PricedRule
}

/**
 * Rules that name products or manufacturers are found by key, the rest is scanned in order: ten thousand rules for
 * single products cost each product one look-up.
 */
export function ruleTable(rules: readonly PricedRule[]): RuleTable {
  const byProduct = new Map<number, Ranked[]>()
  const byManufacturer = new Map<string, Ranked[]>()
  const rest: Ranked[] = []
  const put = <Key>(map: Map<Key, Ranked[]>, key: Key, ranked: Ranked) => {
    const list = map.get(key)
    if (list === undefined) map.set(key, [ranked])
    else list.push(ranked)
  }
  rules.forEach((rule, rank) => {
    const ranked = { rank, rule }
    const { productIds, manufacturers } = rule.rule
    if (productIds !== null) for (const id of new Set(productIds)) put(byProduct, id, ranked)
    else if (manufacturers !== null)
      for (const name of new Set(manufacturers.map(foldName))) put(byManufacturer, name, ranked)
    else rest.push(ranked)
  })
  const first = (list: readonly Ranked[] | undefined, facts: PriceFacts, before: number): Ranked | undefined => {
    if (list === undefined) return undefined
    for (const ranked of list) {
      if (ranked.rank >= before) return undefined
      if (ranked.rule.productTests.every(({ test }) => test(facts))) return ranked
    }
    return undefined
  }
  return {
    find(facts) {
      let best = first(byProduct.get(facts.productId), facts, Infinity)
      if (facts.manufacturer !== null)
        best = first(byManufacturer.get(facts.manufacturer), facts, best?.rank ?? Infinity) ?? best
      return (first(rest, facts, best?.rank ?? Infinity) ?? best)?.rule
    },
  }
}
