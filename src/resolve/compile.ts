import { localeChain } from '../model/locale.ts'
import { Exact } from '../model/money.ts'
import { parseSkuPattern, type SkuPattern } from '../model/sku-pattern.ts'
import { compileAssortment, type CompiledAssortmentRule } from './rules/assortment.ts'
import { compilingDefinitions, overridePlaces, sharingDefinitions, type Definitions } from './content/attributes.ts'
import { compilingCategories, type CategoryFinder, type OwnCategories } from './content/category.ts'
import { foldCategory, foldName } from './rules/conditions.ts'
import { converter, type Converter } from './currency.ts'
import { compileExclusions, readsContent, type CompiledExclusion } from './rules/exclusion.ts'
import type { PricePlace } from './rules/facts.ts'
import type { AccountInputs, CategoryInput, StoreInput, SupplierInput } from './inputs.ts'
import type { PricedGroup } from './prices/price.ts'
import { listsIn, orderedLists, type PlacedLists } from './prices/price-lists.ts'
import {
  compileRule,
  orderedRules,
  priceRuleIn,
  Ranks,
  RuleIndex,
  type CompiledRule,
  type PricedRule,
  type RuleTable,
} from './prices/price-rules.ts'
import { sourceOrders, type SourceOrders } from './sourcing/sources.ts'
import { compileTax, type CompiledTax } from './prices/tax.ts'
import type { TextLocales } from './content/text.ts'

/** One store of an account, compiled once for any number of products. */
export interface CompiledStore {
  store: StoreInput
  texts: TextLocales
  /** The locales in which attribute overrides are looked for, in order. */
  overridePlaces: readonly string[]
  definitions: Definitions
  /** The payload entry of one of the account's categories in this store. */
  shownCategory(category: CategoryInput): ReturnType<OwnCategories['shown']>
  /** By customer group, the pricing rules that can apply in this store today. */
  ruleTables: ReadonlyMap<number, RuleTable>
  /** Each rule's arithmetic in the store's currency; null if an exchange rate for its amounts is missing. */
  pricedRules: ReadonlyMap<CompiledRule, PricedRule | null>
  /** Price lists for this store, including those not in force today; null: none. */
  priceLists: PlacedLists | null
  exclusions: readonly CompiledExclusion[]
  assortment: readonly CompiledAssortmentRule[]
}

/** The inputs that all products of an account share, compiled once. */
export interface CompiledAccount {
  account: AccountInputs
  money: Converter
  suppliers: ReadonlyMap<number, SupplierInput>
  /** null: the account has no tax classes. */
  tax: CompiledTax | null
  /** By id. */
  groups: readonly PricedGroup[]
  defaultGroupId: number | null
  /** In the order in which they are tried. */
  rules: readonly CompiledRule[]
  sources: SourceOrders
  skuPattern: SkuPattern | null
  jumpFactor: Exact | null
  /** Whether price halves can be resolved without content halves: no exclusion rule reads the content. */
  isPriceAlone: boolean
  stores: readonly CompiledStore[]
  /** Rough memory of the attribute definitions for all stores, in bytes. */
  attributeBytes: number
  /**
   * The locale chains for product titles in the panel: the account's first, then each store's, without duplicates, sorted
   * by locale.
   */
  titleLocales: readonly TextLocales[]
  foldName(name: string): string
  foldCategory(path: string): string
  ownCategories: CategoryFinder
}

/**
 * Compiles the inputs that products share, in small steps so that the caller can do other work in between: an account may
 * have ten thousand rules and a hundred stores. Never throws; unusable inputs are left out.
 */
export function* compilingAccount(account: AccountInputs): Generator<void, CompiledAccount, void> {
  const money = converter(account.currency, account.rates)
  const suppliers = new Map(account.suppliers.map((supplier) => [supplier.supplierId, supplier]))
  // an account's choice, not a change of the resolver version: docs/decisions/172-prices-say-which-is-public.md
  const saysDefault = account.additionalMembers.includes('prices_is_default')
  const groups = account.groups.map((group) => ({ ...group, saysDefault })).sort((a, b) => a.groupId - b.groupId)
  const rules: CompiledRule[] = []
  for (const rule of orderedRules(account.rules)) {
    rules.push(compileRule(rule))
    yield
  }
  const own = yield* compilingCategories(account.categories)
  const index = new RuleIndex(rules)
  yield
  /** By currency, the arithmetic of each rule, by rule and by rank. */
  const priced = new Map<string, { of: ReadonlyMap<CompiledRule, PricedRule | null>; byRank: (PricedRule | null)[] }>()
  const attributes = yield* sharingDefinitions(account.attributes)
  const definitions = new Map<string, Definitions>()
  const shownCategories = new Map<string, CompiledStore['shownCategory']>()
  for (const { currency, locale } of account.stores) {
    if (!definitions.has(locale)) {
      definitions.set(locale, yield* compilingDefinitions(attributes, locale, account.locale))
      shownCategories.set(locale, shownIn(own, localeChain(locale, account.locale)))
      yield
    }
    if (priced.has(currency)) continue
    const inCurrency = new Map<CompiledRule, PricedRule | null>()
    for (const rule of rules) {
      inCurrency.set(rule, priceRuleIn(rule, currency, account.currency, money))
      yield
    }
    priced.set(currency, { of: inCurrency, byRank: [...inCurrency.values()] })
  }
  // conditions on store, group and day are independent, so each is evaluated once
  const placed = new Map<number, Ranks>()
  for (const { groupId } of groups) {
    placed.set(groupId, ranksOf(rules, { groupId }))
    yield
  }
  const lists = orderedLists(account.priceLists)
  const stores: CompiledStore[] = []
  for (const store of account.stores) {
    const { storeId, locale, currency } = store
    const pricedIn = priced.get(currency)
    const definedIn = definitions.get(locale)
    const shownCategory = shownCategories.get(locale)
    if (pricedIn === undefined || definedIn === undefined || shownCategory === undefined)
      throw new Error('every store was looked at above')
    const here = ranksOf(rules, { storeId, day: account.day })
    stores.push({
      store,
      texts: { chain: localeChain(locale, account.locale), isAnyAllowed: account.anyLocale },
      overridePlaces: overridePlaces(locale, account.locale),
      definitions: definedIn,
      shownCategory,
      ruleTables: new Map(
        [...placed].map(([groupId, ofGroup]) => [groupId, index.table(here.and(ofGroup), pricedIn.byRank)]),
      ),
      pricedRules: pricedIn.of,
      priceLists: listsIn(lists, store, account.day),
      exclusions: compileExclusions(account.exclusionRules, store, account.currency, money),
      assortment: compileAssortment(account.assortmentRules, storeId),
    })
    yield
  }
  const foldPath = memoized(foldCategory)
  const parsed = account.skuPattern === null ? null : parseSkuPattern(account.skuPattern)
  return {
    account,
    money,
    suppliers,
    tax: compileTax(account, own.tree),
    groups,
    defaultGroupId: groups.find((group) => group.isDefault)?.groupId ?? null,
    rules,
    sources: sourceOrders(suppliers, account.sourceOrders),
    skuPattern: parsed !== null && 'pattern' in parsed ? parsed.pattern : null,
    jumpFactor: account.priceJumpFactor === null ? null : new Exact(account.priceJumpFactor),
    isPriceAlone: !account.exclusionRules.some(({ kind }) => readsContent(kind)),
    stores,
    attributeBytes:
      attributes.reduce((sum, { bytes }) => sum + bytes, 0) +
      PLACED_DEFINITION_BYTES * attributes.length * definitions.size,
    titleLocales: [...new Set([account.locale, ...account.stores.map(({ locale }) => locale).sort()])].map(
      (locale) => ({
        chain: localeChain(locale, account.locale),
        // the panel shows a title in any language rather than none, whatever stores show
        isAnyAllowed: true,
      }),
    ),
    foldName: memoized(foldName),
    foldCategory: foldPath,
    ownCategories: { mapped: (path) => own.mapped(foldPath(path)), named: (path) => own.named(foldPath(path)) },
  }
}

/** Memory of a definition per locale, in addition to the shared part. */
const PLACED_DEFINITION_BYTES = 500

/** Shows categories in one language. Results are cached, because many products share a category. */
function shownIn(own: OwnCategories, chain: readonly string[]): CompiledStore['shownCategory'] {
  const known = new Map<number, ReturnType<OwnCategories['shown']>>()
  return (category) => {
    const found = known.get(category.categoryId) ?? own.shown(category, chain)
    known.set(category.categoryId, found)
    return found
  }
}

/** The rules whose conditions hold for the given parts of a place; other conditions are ignored. */
function ranksOf(rules: readonly CompiledRule[], place: Partial<PricePlace>): Ranks {
  const ranks = new Ranks(rules.length)
  rules.forEach(({ placeTests }, rank) => {
    if (placeTests.every(({ of, test }) => place[of] === undefined || test(place as PricePlace))) ranks.add(rank)
  })
  return ranks
}

/** The cache's limit; above it, names are folded each time, because caching those of a whole catalog would not pay. */
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
