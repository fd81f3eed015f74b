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

/** Names of a rule's conditions, as `explain` shows them. */
export type PriceCondition = PriceReason

/** A rule, compiled for any store. */
export interface CompiledRule {
  rule: RuleInput
  /** Conditions on store, group and day, which are the same for all products. */
  placeTests: readonly {
    name: PriceCondition
    /** The part of the place that it tests; for an inactive rule, any. */
    of: keyof PricePlace
    test: (place: PricePlace) => boolean
  }[]
  /** Conditions on the product. */
  productTests: readonly { name: PriceCondition; test: (facts: PriceFacts) => boolean }[]
}

/** Rules in the order in which they are tried: by priority and id, the default rule last. */
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
  /** null: the rule makes none. */
  tiers: PricedTiers | null
  /** Makes the list price from the cost: rounded like the rule's prices, without floors and ceiling; null: the rule makes none. */
  listPrice: PricedRule | null
  /** Whether it is a fixed price for a single product, as the owner stated it: no cost can change it, so it is not guarded. */
  isStated: boolean
  /** Whether it states the price 0. A price of 0 made otherwise is no price. */
  isFree: boolean
}

/** The rule's amounts in a store's currency; null if an exchange rate is missing. */
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

/** A rule's quantity prices in one store's currency. */
export interface PricedTiers {
  /** By ascending quantity; for `percent_off`, `amount` is the factor of the price. null: made from the supplier's cost tiers. */
  stated: readonly StatedTier[] | null
  /** Whether they may be at or above the price. */
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

/** Whether a list names a single product, perhaps repeatedly. */
function isOne(ids: readonly number[]): boolean {
  return ids.length > 0 && ids.every((id) => id === ids[0])
}

/** The share of the price that remains for the cost at a margin. */
function shareLeft(margin: Exact): Exact {
  return new Exact(1).minus(margin)
}

/** The rules of one store and group. */
export interface RuleTable {
  find(facts: PriceFacts): PricedRule | undefined
}

/** A set of rules by their ranks in the order of trial, as bits: several thousand tables take little memory. */
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

  /** The intersection. */
  and(other: Ranks): Ranks {
    const both = new Ranks(32 * this.#words.length)
    both.#words.set(this.#words.map((word, i) => word & must(other.#words[i])))
    return both
  }
}

/** The most products that are indexed by look-up. Longer lists, and those beyond this total, are tested one by one. */
const INDEXED_PRODUCTS_MAX = 200_000
/** Manufacturers whose matching rules are cached. */
const REMEMBERED_MAX = 10_000

/**
 * The rules of an account, indexed once for all stores and groups, so that a product is tested against few of them: ten thousand rules
 * for single products cost one look-up per product. The rules that name a manufacturer are found when it first occurs.
 */
export class RuleIndex {
  readonly #byProduct = new Map<number, number[]>()
  /** Ranks of rules that name many products; below, those that name manufacturers, and all others. */
  readonly #ofManyProducts: number[] = []
  readonly #ofManufacturers: { rank: number; names: ReadonlySet<string> }[] = []
  readonly #rest: number[] = []
  /** Ranks of the rules that name a manufacturer. */
  readonly #naming = remembered(REMEMBERED_MAX, (manufacturer: string): readonly number[] =>
    this.#ofManufacturers.filter(({ names }) => names.has(manufacturer)).map(({ rank }) => rank),
  )

  /** @param rules in the order in which they are tried. */
  constructor(rules: readonly CompiledRule[]) {
    // index the shortest lists first
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
   * @param here rules that can apply there.
   * @param priced all rules by rank, in the currency of the store.
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

/** The length up to which lists are indexed, so that they hold at most INDEXED_PRODUCTS_MAX products in all. */
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
