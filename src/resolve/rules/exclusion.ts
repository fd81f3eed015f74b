import { needOf, type ExclusionKind } from '../../../contract/exclusion-kinds.ts'
import { Exact } from '../../model/money.ts'
import type { Price } from '../../model/payload.ts'
import { byPriority, categoryTest, idTest, nameTest, type ProductFacts } from './conditions.ts'
import type { Converter } from '../currency.ts'
import type { ExclusionRuleInput, StoreInput } from '../inputs.ts'

const ZERO = new Exact(0)
const HUNDRED = new Exact(100)
const NONE: readonly never[] = []

/** The facts that exclusion rules test: the resolved product in one store. */
export interface ExclusionFacts extends ProductFacts {
  /** The supplier of the best offer; null if there is no offer that competes. */
  supplierId: number | null
  ean: string | null
  title: string | null
  imageCount: number
  stock: number
  /** The default customer group's price as shown; null: none. */
  price: Price | null
}

/** A rule's values, compiled for one store. */
interface Operands {
  /** Whether the rule names the manufacturer, category or supplier. */
  isManufacturer: (name: string | null) => boolean
  isCategory: (path: string | null) => boolean
  isSupplier: (id: number | null) => boolean
  /** In the store's currency if it is money. A rule whose kind needs an amount is never tested without one. */
  amount: Exact
}

interface Kind {
  /** Whether it reads facts of the content half: title, images or EAN. */
  readsContent: boolean
  excludes: (facts: ExclusionFacts, operands: Operands) => boolean
}

/** The condition of each kind. The values that a kind needs are in contract/exclusion-kinds.ts. */
const KINDS: Readonly<Record<ExclusionKind, Kind>> = {
  manufacturer: { readsContent: false, excludes: (facts, rule) => rule.isManufacturer(facts.manufacturer) },
  category: { readsContent: false, excludes: (facts, rule) => rule.isCategory(facts.category) },
  supplier: { readsContent: false, excludes: (facts, rule) => rule.isSupplier(facts.supplierId) },
  no_ean: { readsContent: true, excludes: (facts) => facts.ean === null },
  no_title: { readsContent: true, excludes: (facts) => facts.title === null },
  no_image: { readsContent: true, excludes: (facts) => facts.imageCount === 0 },
  no_category: { readsContent: false, excludes: (facts) => facts.category === null },
  no_price: { readsContent: false, excludes: (facts) => facts.price === null },
  no_stock: { readsContent: false, excludes: (facts) => facts.stock === 0 },
  price_below: {
    readsContent: false,
    excludes: ({ price }, { amount }) => price !== null && price.computedPrice.lessThan(amount),
  },
  price_above: {
    readsContent: false,
    excludes: ({ price }, { amount }) => price !== null && price.computedPrice.greaterThan(amount),
  },
  margin_below: {
    readsContent: false,
    excludes: ({ price }, { amount }) => price !== null && isMarginBelow(price, amount),
  },
}

/** Whether rules of a kind need the content half of a product. */
export function readsContent(kind: ExclusionKind): boolean {
  return Object.hasOwn(KINDS, kind) && KINDS[kind].readsContent
}

export interface CompiledExclusion {
  rule: ExclusionRuleInput
  test: (facts: ExclusionFacts) => boolean
}

/** A store's exclusion rules in the order in which they are tried, without inactive ones and those of other stores. */
export function compileExclusions(
  rules: readonly ExclusionRuleInput[],
  store: StoreInput,
  accountCurrency: string,
  money: Converter,
): CompiledExclusion[] {
  return byPriority(
    rules.filter((rule) => rule.isActive && (rule.storeIds === null || rule.storeIds.includes(store.storeId))),
  ).map((rule) => ({ rule, test: exclusionTest(rule, store, accountCurrency, money) }))
}

function exclusionTest(
  rule: ExclusionRuleInput,
  store: StoreInput,
  accountCurrency: string,
  money: Converter,
): CompiledExclusion['test'] {
  // a kind from a newer release excludes nothing
  if (!Object.hasOwn(KINDS, rule.kind)) return () => false
  const need = needOf(rule.kind)
  const given = rule.amount === null ? null : new Exact(rule.amount)
  const amount =
    given !== null && need.amount?.hasCurrency === true
      ? money.convert(given, rule.currency ?? accountCurrency, store.currency)
      : given
  // without an exchange rate into the store's currency there is nothing to compare with
  if (need.member === 'amount' && amount === null) return () => false
  const { excludes } = KINDS[rule.kind]
  const operands: Operands = {
    // names are folded by what they name
    isManufacturer: rule.kind === 'manufacturer' ? nameTest(rule.names ?? NONE) : () => false,
    isCategory: rule.kind === 'category' ? categoryTest(rule.names ?? NONE) : () => false,
    isSupplier: idTest(rule.supplierIds ?? NONE),
    amount: amount ?? ZERO,
  }
  return (facts) => excludes(facts, operands)
}

/**
 * (price - cost) / price x 100 < least, without dividing: a price of 0 has the worst margin. If the price includes tax, it is added to the
 * cost as well, which gives the same margin.
 */
function isMarginBelow({ computedPrice, baseCost, tax }: Price, least: Exact): boolean {
  if (computedPrice.isZero()) return true
  const cost = tax?.isIncluded === true && tax.rate !== null ? baseCost.times(tax.rate.factor) : baseCost
  return computedPrice.minus(cost).times(HUNDRED).lessThan(least.times(computedPrice))
}

/** One reason to exclude a product in a store. */
export interface Exclusion {
  /** `hand`: excluded manually. */
  by: 'no_price' | 'hand' | 'rule'
  reason: string
  ruleId: number | null
}

/**
 * All reasons to exclude a product in a store, in order: no price; manual exclusions; rules by priority. Clients read the first.
 * @param isFirstOnly stop at the first, which is all that resolving needs.
 */
export function findExclusions(
  storeId: number,
  rules: readonly CompiledExclusion[],
  manual: readonly { storeId: number; reason: string }[],
  facts: ExclusionFacts,
  hasPrices: boolean,
  isFirstOnly: boolean,
): Exclusion[] {
  const found: Exclusion[] = []
  if (!hasPrices) found.push({ by: 'no_price', reason: 'no_price', ruleId: null })
  if (isFirstOnly && found.length > 0) return found
  // the exclusion for this store before the one for every store
  for (const id of [storeId, 0]) {
    const entry = manual.find((row) => row.storeId === id)
    if (entry !== undefined) found.push({ by: 'hand', reason: entry.reason, ruleId: null })
  }
  if (isFirstOnly && found.length > 0) return found
  for (const { rule, test } of rules) {
    if (!test(facts)) continue
    found.push({ by: 'rule', reason: rule.reason, ruleId: rule.ruleId })
    if (isFirstOnly) return found
  }
  return found
}
