import type { TierBy } from '../../../contract/tiers.ts'
import { PRICING_CONDITIONS, type PriceReason } from '../../../contract/rule-conditions.ts'
import { Exact } from '../../model/money.ts'
import { byPriority, factTest, nameSet } from '../rules/conditions.ts'
import type { Converter } from '../currency.ts'
import { PLACE_FACTS, PRICING_FACTS, type PriceFacts, type PricePlace } from '../rules/facts.ts'
import type { RuleInput } from '../inputs.ts'
import { compileRounding, type Rounding } from './rounding.ts'
import { must } from '../../platform/must.ts'
import { remembered } from '../../platform/caches/remembered.ts'

const HUNDRED = new Exact(100)

/** The conditions of a rule, by the names that `explain` shows. */
export type PriceCondition = PriceReason

/** A rule, compiled for any store. */
export interface CompiledRule {
  rule: RuleInput
  /** Conditions on store, group and day: the same for all products. */
  placeTests: readonly {
    name: PriceCondition
    /** The part of the place that it looks at; of a rule that is not active, any. */
    of: keyof PricePlace
    test: (place: PricePlace) => boolean
  }[]
  /** Conditions on the product. */
  productTests: readonly { name: PriceCondition; test: (facts: PriceFacts) => boolean }[]
}

/** Rules in the order in which they are tried; the default rule last. */
export function orderedRules(rules: readonly RuleInput[]): RuleInput[] {
  const ordered = byPriority(rules)
  return [...ordered.filter((rule) => !rule.isDefault), ...ordered.filter((rule) => rule.isDefault)]
}

/** Compiles a rule for any store. */
export function compileRule(rule: RuleInput): CompiledRule {
  const placeTests: CompiledRule['placeTests'][number][] = []
  const productTests: CompiledRule['productTests'][number][] = []
  if (!rule.isActive) placeTests.push({ name: 'active', of: 'storeId', test: () => false })
  for (const condition of PRICING_CONDITIONS) {
    const value = rule[condition.field]
    if (value === null) continue
    const name = condition.reason
    if (condition.of === 'place') {
      const { of, read } = PLACE_FACTS[condition.fact]
      placeTests.push({ name, of, test: factTest(condition, value, read) })
    } else productTests.push({ name, test: factTest(condition, value, PRICING_FACTS[condition.fact]) })
  }
  return { rule, placeTests, productTests }
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
  /** null: it makes none. */
  tiers: PricedTiers | null
  /** Makes the list price of the cost, rounded as its prices are, without its floors and ceiling; null: it makes none. */
  listPrice: PricedRule | null
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
    tiers: tiersIn(rule, amount),
    listPrice: null,
    isStated:
      rule.action === 'fixed' &&
      rule.productIds !== null &&
      isOne(rule.productIds) &&
      rule.floorMarginPercent === null &&
      rule.floorProfit === null,
    isFree: rule.action === 'fixed' && rule.fixedPrice !== null && new Exact(rule.fixedPrice).isZero(),
  }
  if (!isConvertible) return null
  return rule.listPricePercent === null
    ? priced
    : { ...priced, listPrice: listPriceRule(priced, rule.listPricePercent) }
}

function listPriceRule(priced: PricedRule, percent: string): PricedRule {
  return {
    ...priced,
    factor: new Exact(percent).dividedBy(HUNDRED).plus(1),
    divisor: null,
    fixed: null,
    addition: null,
    floorDivisor: null,
    floorProfit: null,
    floorPrice: null,
    ceilingPrice: null,
    tiers: null,
  }
}

export interface StatedTier {
  quantity: number
  by: TierBy
  amount: Exact
}

/** Prices from a quantity on, as a rule makes them in one store's currency. */
export interface PricedTiers {
  /** By rising quantity; `amount` is a factor of the price where it is percent off. null: they are made of those of the cost. */
  stated: readonly StatedTier[] | null
  /** Whether they need not be below the price. */
  mayBeAbove: boolean
}

function tiersIn(rule: RuleInput, amount: (text: string) => Exact | null): PricedTiers | null {
  if (rule.tiersFromSupplier) return { stated: null, mayBeAbove: rule.tiersAbovePrice }
  if (rule.tiers === null) return null
  const inOrder = rule.tiers.toSorted((a, b) => a.quantity - b.quantity)
  const stated = inOrder.flatMap(({ quantity, by, amount: text }) => {
    const exact = by === 'percent_off' ? shareLeft(new Exact(text).dividedBy(HUNDRED)) : amount(text)
    return exact === null ? [] : [{ quantity, by, amount: exact }]
  })
  return { stated, mayBeAbove: rule.tiersAbovePrice }
}

/** Whether a list names one product, however often. */
function isOne(ids: readonly number[]): boolean {
  return ids.length > 0 && ids.every((id) => id === ids[0])
}

/** The share of the price that a margin leaves for the cost. */
function shareLeft(margin: Exact): Exact {
  return new Exact(1).minus(margin)
}

/** The rules of one store and group. */
export interface RuleTable {
  find(facts: PriceFacts): PricedRule | undefined
}

/** A set of rules by their ranks, the places in which they are tried: some thousands of tables take few bytes each. */
export class Ranks {
  readonly #words: Uint32Array

  constructor(count: number) {
    this.#words = new Uint32Array(Math.ceil(count / 32))
  }

  add(rank: number): void {
    const at = rank >>> 5
    this.#words[at] = must(this.#words[at]) | (1 << (rank & 31))
  }

  has(rank: number): boolean {
    return (must(this.#words[rank >>> 5]) & (1 << (rank & 31))) !== 0
  }

  /** What is in both. */
  and(other: Ranks): Ranks {
    const both = new Ranks(32 * this.#words.length)
    both.#words.set(this.#words.map((word, i) => word & must(other.#words[i])))
    return both
  }
}

/** Products of rules that are found by a look-up: of longer lists, and beyond so many in all, each list is asked. */
const INDEXED_PRODUCTS_MAX = 200_000
/** Manufacturers whose rules are remembered. */
const REMEMBERED_MAX = 10_000

/**
 * The rules of an account, indexed once for all stores and groups so that a product is tested against few of them: ten thousand rules for
 * single products cost each product one look-up. Which rules name a manufacturer is found when it is first asked for.
 */
export class RuleIndex {
  readonly #byProduct = new Map<number, number[]>()
  /** Ranks of the rules that name many products, of those that name manufacturers, and of the rest. */
  readonly #ofManyProducts: number[] = []
  readonly #ofManufacturers: { rank: number; names: ReadonlySet<string> }[] = []
  readonly #rest: number[] = []
  /** Which rules name a manufacturer, by rank. */
  readonly #naming = remembered(REMEMBERED_MAX, (manufacturer: string): readonly number[] =>
    this.#ofManufacturers.filter(({ names }) => names.has(manufacturer)).map(({ rank }) => rank),
  )

  /** @param rules in the order in which they are tried. */
  constructor(rules: readonly CompiledRule[]) {
    // the shortest lists first
    const lengths = rules.map(({ rule }) => rule.productIds?.length ?? 0)
    const most = longestIndexed(lengths)
    rules.forEach(({ rule: { productIds, manufacturers } }, rank) => {
      if (productIds !== null) {
        if (productIds.length > most) this.#ofManyProducts.push(rank)
        else
          for (const id of new Set(productIds)) {
            const ranks = this.#byProduct.get(id)
            if (ranks === undefined) this.#byProduct.set(id, [rank])
            else ranks.push(rank)
          }
      } else if (manufacturers !== null) this.#ofManufacturers.push({ rank, names: nameSet(manufacturers) })
      else this.#rest.push(rank)
    })
  }

  /**
   * The rules of one place.
   * @param here those that can apply there.
   * @param priced all rules by rank in the currency of the store.
   */
  table(here: Ranks, priced: readonly (PricedRule | null)[]): RuleTable {
    const first = (ranks: readonly number[] | undefined, facts: PriceFacts, before: number): number => {
      if (ranks === undefined) return before
      for (const rank of ranks) {
        if (rank >= before) return before
        if (here.has(rank) && priced[rank]?.productTests.every(({ test }) => test(facts)) === true) return rank
      }
      return before
    }
    return {
      find: (facts) => {
        let best = first(this.#byProduct.get(facts.productId), facts, Infinity)
        best = first(this.#ofManyProducts, facts, best)
        if (facts.manufacturer !== null) best = first(this.#naming(facts.manufacturer), facts, best)
        return priced[first(this.#rest, facts, best)] ?? undefined
      },
    }
  }
}

/** The longest list that is indexed, so that all that are indexed hold at most INDEXED_PRODUCTS_MAX. */
function longestIndexed(lengths: readonly number[]): number {
  let sum = 0
  let longest = 0
  for (const length of lengths.toSorted((a, b) => a - b)) {
    sum += length
    if (sum > INDEXED_PRODUCTS_MAX) return longest === length ? length - 1 : longest
    longest = length
  }
  return longest
}
