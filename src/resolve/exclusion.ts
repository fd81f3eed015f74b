import { Exact } from '../model/money.ts'
import type { Price } from '../model/payload.ts'
import { byPriority, categoryTest, idTest, nameTest, type ProductFacts } from './conditions.ts'
import type { Converter } from './currency.ts'
import type { ExclusionRuleInput, StoreInput } from './inputs.ts'

const HUNDRED = new Exact(100)

/** What an exclusion rule may ask: the finished payload of one store. */
export interface ExclusionFacts extends ProductFacts {
  /** Of the best offer; null without one. */
  supplierId: number | null
  ean: string | null
  title: string | null
  imageCount: number
  stock: number
  /** The default customer group's price as shown. */
  price: Price | null
}

export interface CompiledExclusion {
  rule: ExclusionRuleInput
  test: (facts: ExclusionFacts) => boolean
}

/** A store's exclusion rules in the order in which they are tried; inactive ones and other stores' are left out. */
export function compileExclusions(
  rules: readonly ExclusionRuleInput[],
  store: StoreInput,
  accountCurrency: string,
  money: Converter,
): CompiledExclusion[] {
  return byPriority(
    rules.filter((rule) => rule.isActive && (rule.storeIds === null || rule.storeIds.includes(store.storeId))),
  ).map((rule) => ({
    rule,
    test: exclusionTest(rule, store, accountCurrency, money),
  }))
}

function exclusionTest(
  rule: ExclusionRuleInput,
  store: StoreInput,
  accountCurrency: string,
  money: Converter,
): CompiledExclusion['test'] {
  const bound = () =>
    rule.amount === null
      ? null
      : money.convert(new Exact(rule.amount), rule.currency ?? accountCurrency, store.currency)
  switch (rule.kind) {
    case 'manufacturer': {
      const isNamed = nameTest(rule.names ?? [])
      return (facts) => isNamed(facts.manufacturer)
    }
    case 'category': {
      const isNamed = categoryTest(rule.names ?? [])
      return (facts) => isNamed(facts.category)
    }
    case 'supplier': {
      const isNamed = idTest(rule.supplierIds ?? [])
      return (facts) => isNamed(facts.supplierId)
    }
    case 'no_ean':
      return (facts) => facts.ean === null
    case 'no_title':
      return (facts) => facts.title === null
    case 'no_image':
      return (facts) => facts.imageCount === 0
    case 'no_price':
      return (facts) => facts.price === null
    case 'no_stock':
      return (facts) => facts.stock === 0
    case 'price_below': {
      // without a rate into the store's currency there is nothing to compare with
      const least = bound()
      return ({ price }) => least !== null && price !== null && price.computedPrice.lessThan(least)
    }
    case 'price_above': {
      const most = bound()
      return ({ price }) => most !== null && price !== null && price.computedPrice.greaterThan(most)
    }
    case 'margin_below': {
      const least = rule.amount === null ? null : new Exact(rule.amount)
      return ({ price }) => least !== null && price !== null && isMarginBelow(price, least)
    }
    default:
      // a kind that this release does not know excludes nothing
      return () => false
  }
}

/** (price - cost) / price x 100 < least, without dividing: a price of 0 has the worst margin there is. */
function isMarginBelow({ computedPrice, baseCost }: Price, least: Exact): boolean {
  if (computedPrice.isZero()) return true
  return computedPrice.minus(baseCost).times(HUNDRED).lessThan(least.times(computedPrice))
}

/** One thing that keeps a product out of a store's export. */
export interface Exclusion {
  by: 'no_price' | 'hand' | 'rule'
  reason: string
  ruleId: number | null
}

/**
 * All that excludes a product from a store, the first being what is shown: that it has no price, then the hand, then
 * rules by priority.
 * @param isFirstOnly stop at the first: what resolving needs.
 */
export function findExclusions(
  storeId: number,
  rules: readonly CompiledExclusion[],
  byHand: readonly { storeId: number; reason: string }[],
  facts: ExclusionFacts,
  hasPrices: boolean,
  isFirstOnly: boolean,
): Exclusion[] {
  const found: Exclusion[] = []
  if (!hasPrices) found.push({ by: 'no_price', reason: 'no_price', ruleId: null })
  if (isFirstOnly && found.length > 0) return found
  // the store's own word before the one for every store
  for (const id of [storeId, 0]) {
    const entry = byHand.find((row) => row.storeId === id)
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
