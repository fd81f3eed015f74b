import { localeChain } from '../model/locale.ts'
import { Exact } from '../model/money.ts'
import { parseSkuPattern, type SkuPattern } from '../model/sku-pattern.ts'
import { compileAssortment, type CompiledAssortmentRule } from './assortment.ts'
import { compileDefinitions, overridePlaces, type Definitions } from './attributes.ts'
import { compileCategories } from './category.ts'
import { foldCategory, foldName } from './conditions.ts'
import { converter, type Converter } from './currency.ts'
import { compileExclusions, readsContent, type CompiledExclusion } from './exclusion.ts'
import type { AccountInputs, GroupInput, StoreInput, SupplierInput } from './inputs.ts'
import {
  compileRules,
  priceRuleIn,
  ruleTable,
  type CompiledRule,
  type PricedRule,
  type RuleTable,
} from './price-rules.ts'
import { sourceOrders, type SourceOrders } from './sources.ts'
import type { TextLocales } from './text.ts'

/** One store of an account, compiled once for any number of products. */
export interface CompiledStore {
  store: StoreInput
  texts: TextLocales
  /** Where overrides of attributes are looked for. */
  overridePlaces: readonly string[]
  definitions: Definitions
  /** The pricing rules that can apply here and today, by customer group. */
  ruleTables: ReadonlyMap<number, RuleTable>
  /** Every rule's arithmetic in the store's currency; null where its amounts have no rate. */
  pricedRules: ReadonlyMap<CompiledRule, PricedRule | null>
  exclusions: readonly CompiledExclusion[]
  assortment: readonly CompiledAssortmentRule[]
}

/** What all products of an account share, compiled once. */
export interface CompiledAccount {
  account: AccountInputs
  money: Converter
  suppliers: ReadonlyMap<number, SupplierInput>
  /** By id. */
  groups: readonly GroupInput[]
  defaultGroupId: number | null
  /** In the order in which they are tried. */
  rules: readonly CompiledRule[]
  sources: SourceOrders
  skuPattern: SkuPattern | null
  jumpFactor: Exact | null
  /** No exclusion rule reads anything that only the content half has: price halves can be resolved without it. */
  isPriceAlone: boolean
  stores: readonly CompiledStore[]
  /** In which locales stores show titles, each once: the account's first, then by their tags. */
  titleLocales: readonly TextLocales[]
  foldName(name: string): string
  foldCategory(path: string): string
  /** The account's category that a supplier's path is mapped to; null when there is none. */
  ownCategory(supplierPath: string): string | null
}

/**
 * Prepares the part of resolving that does not depend on the product. Never throws: what cannot be used is left out.
 */
export function compileAccount(account: AccountInputs): CompiledAccount {
  const money = converter(account.currency, account.rates)
  const suppliers = new Map(account.suppliers.map((supplier) => [supplier.supplierId, supplier]))
  const groups = [...account.groups].sort((a, b) => a.groupId - b.groupId)
  const rules = compileRules(account.rules)
  const ownPaths = compileCategories(account.categories)
  const foldPath = memoized(foldCategory)
  const parsed = account.skuPattern === null ? null : parseSkuPattern(account.skuPattern)
  const pricedIn = memoized(
    (currency) => new Map(rules.map((rule) => [rule, priceRuleIn(rule, currency, account.currency, money)])),
  )
  const stores = account.stores.map((store): CompiledStore => {
    const pricedRules = pricedIn(store.currency)
    const tableFor = (group: GroupInput) => {
      const place = { storeId: store.storeId, groupId: group.groupId, day: account.day }
      const here = rules.filter((rule) => rule.placeTests.every(({ test }) => test(place)))
      return ruleTable(here.map((rule) => pricedRules.get(rule) ?? null).filter((rule) => rule !== null))
    }
    return {
      store,
      texts: { chain: localeChain(store.locale, account.locale), isAnyAllowed: account.anyLocale },
      overridePlaces: overridePlaces(store.locale, account.locale),
      definitions: compileDefinitions(account.attributes, store.locale, account.locale),
      ruleTables: new Map(groups.map((group) => [group.groupId, tableFor(group)])),
      pricedRules,
      exclusions: compileExclusions(account.exclusionRules, store, account.currency, money),
      assortment: compileAssortment(account.assortmentRules, store.storeId),
    }
  })
  return {
    account,
    money,
    suppliers,
    groups,
    defaultGroupId: groups.find((group) => group.isDefault)?.groupId ?? null,
    rules,
    sources: sourceOrders(suppliers, account.sourceOrders),
    skuPattern: parsed !== null && 'pattern' in parsed ? parsed.pattern : null,
    jumpFactor: account.priceJumpFactor === null ? null : new Exact(account.priceJumpFactor),
    isPriceAlone: !account.exclusionRules.some(({ kind }) => readsContent(kind)),
    stores,
    titleLocales: [...new Set([account.locale, ...account.stores.map(({ locale }) => locale).sort()])].map(
      (locale) => ({
        chain: localeChain(locale, account.locale),
        isAnyAllowed: account.anyLocale,
      }),
    ),
    foldName: memoized(foldName),
    foldCategory: foldPath,
    ownCategory: (supplierPath) => ownPaths(foldPath(supplierPath)),
  }
}

/** Beyond so many entries names are folded each time: caching those of a whole catalog would not pay. */
const MEMOIZED_MAX = 10_000

function memoized<Value>(fold: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    let folded = known.get(text)
    if (folded === undefined) {
      folded = fold(text)
      if (known.size < MEMOIZED_MAX) known.set(text, folded)
    }
    return folded
  }
}
