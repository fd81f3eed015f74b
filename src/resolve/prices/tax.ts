import { Exact } from '../../model/money.ts'
import type { CategoryTree } from '../content/category-tree.ts'
import { foldName } from '../rules/conditions.ts'
import type { PriceTax, TaxRate } from '../../model/payload.ts'
import type { AccountInputs, CategoryInput, GroupInput, StoreInput, TaxClassInput } from '../inputs.ts'
import type { Found, Source } from '../sourcing/sources.ts'

// Tax: the class of a product, and the rate of a class in a country on the account's day. The order of tax, markup, floors and rounding
// is in price.ts; docs/decisions/177-tax-acts-on-the-price-as-it-is-shown.md says why, and
// docs/decisions/180-tax-by-category-and-by-customer-group.md why categories and customer groups have tax settings.

const HUNDRED = new Exact(100)

/** The tax classes of an account with today's rates. */
export interface CompiledTax {
  /** By key and by code, folded. */
  named: ReadonlyMap<string, TaxClassInput>
  default: TaxClassInput | null
  /** The class of a category: its own, or that of the nearest category above that has one; null: none. */
  ofCategory(category: CategoryInput): TaxedCategory | null
  /** Country -> key of a class -> rate. */
  rates: ReadonlyMap<string, ReadonlyMap<string, TaxRate>>
}

/** A class and the category that has it. */
export interface TaxedCategory {
  taxClass: TaxClassInput
  category: CategoryInput
}

/** The class of a product and its origin. */
export interface FoundTaxClass {
  taxClass: TaxClassInput
  /** Who states it; null: nobody states an existing class. */
  source: Source | null
  /** The category that has it; null: none. Without source and category it is the default class. */
  category: CategoryInput | null
}

/** The country whose tax prices state, and whether they include it. */
export interface TaxPlace {
  country: string
  isIncluded: boolean
}

/** @param tree the account's categories, made once by the caller. */
export function compileTax(
  { taxClasses, categories, day }: Pick<AccountInputs, 'taxClasses' | 'categories' | 'day'>,
  tree: CategoryTree<CategoryInput>,
): CompiledTax | null {
  if (taxClasses.length === 0) return null
  const named = new Map<string, TaxClassInput>()
  const rates = new Map<string, Map<string, TaxRate>>()
  for (const taxClass of taxClasses) {
    const latest = new Map<string, TaxClassInput['rates'][number]>()
    for (const rate of taxClass.rates) {
      const known = latest.get(rate.country)
      if (rate.validFrom <= day && (known === undefined || known.validFrom < rate.validFrom))
        latest.set(rate.country, rate)
    }
    for (const { country, percent } of latest.values()) {
      const ofCountry = rates.get(country) ?? new Map<string, TaxRate>()
      const exact = new Exact(percent)
      ofCountry.set(taxClass.key, { percent: exact, factor: exact.dividedBy(HUNDRED).plus(1) })
      rates.set(country, ofCountry)
    }
  }
  // keys win over codes
  for (const taxClass of taxClasses) for (const code of taxClass.codes) named.set(foldName(code), taxClass)
  for (const taxClass of taxClasses) named.set(foldName(taxClass.key), taxClass)
  return {
    named,
    default: taxClasses.find(({ isDefault }) => isDefault) ?? null,
    ofCategory: byCategory(named, categories, tree),
    rates,
  }
}

function byCategory(
  named: CompiledTax['named'],
  categories: readonly CategoryInput[],
  tree: CategoryTree<CategoryInput>,
): (category: CategoryInput) => TaxedCategory | null {
  if (categories.every(({ taxClass }) => taxClass === null)) return () => null
  /** By category id; many products share a category. */
  const known = new Map<number, TaxedCategory | null>()
  return (from) => {
    let found = known.get(from.categoryId)
    if (found === undefined) {
      found = null
      for (let at: CategoryInput | null = from; at !== null; at = tree.above(at)) {
        const taxClass = at.taxClass === null ? undefined : named.get(foldName(at.taxClass))
        if (taxClass === undefined) continue
        found = { taxClass, category: at }
        break
      }
      known.set(from.categoryId, found)
    }
    return found
  }
}

/** The class with this key or code. */
export const namedTaxClass = (tax: CompiledTax | null, text: string): TaxClassInput | undefined =>
  tax?.named.get(foldName(text))

/**
 * The class that the product's field names, otherwise that of the nearest category upwards that has one, otherwise the default.
 * @param stated the field `tax_class`. @param category the account's category of the product.
 */
export function findTaxClass(
  tax: CompiledTax | null,
  stated: Found<string> | null,
  category: CategoryInput | null,
): FoundTaxClass | null {
  if (tax === null) return null
  const named = stated === null ? undefined : namedTaxClass(tax, stated.value)
  if (named !== undefined) return { taxClass: named, source: stated?.source ?? null, category: null }
  const ofCategory = category === null ? null : tax.ofCategory(category)
  if (ofCategory !== null) return { ...ofCategory, source: null }
  return tax.default === null ? null : { taxClass: tax.default, source: null, category: null }
}

/** The rate of a product's class in a country; null if there is none today. */
export function rateIn(tax: CompiledTax | null, found: FoundTaxClass | null, country: string): TaxRate | null {
  if (tax === null || found === null) return null
  return tax.rates.get(country)?.get(found.taxClass.key) ?? null
}

/**
 * The tax country of a group's prices in a store, and whether they include tax; the group's settings precede the store's. null: the
 * store has no tax country.
 */
export function taxPlace(
  { taxCountry, pricesIncludeTax }: Pick<StoreInput, 'taxCountry' | 'pricesIncludeTax'>,
  group: Pick<GroupInput, 'taxCountry' | 'pricesIncludeTax'> | null,
): TaxPlace | null {
  if (taxCountry === null) return null
  return { country: group?.taxCountry ?? taxCountry, isIncluded: group?.pricesIncludeTax ?? pricesIncludeTax }
}

/** The tax of a product's prices for a group in a store; null: none stated. @param group null: the store's settings alone. */
export function taxIn(
  tax: CompiledTax | null,
  found: FoundTaxClass | null,
  store: StoreInput,
  group: GroupInput | null,
): PriceTax | null {
  const place = taxPlace(store, group)
  if (place === null) return null
  return {
    isIncluded: place.isIncluded,
    taxClass: found?.taxClass.key ?? null,
    rate: rateIn(tax, found, place.country),
  }
}

/** The same as a function of the group; the result for the store's settings is computed once. */
export function taxesIn(
  tax: CompiledTax | null,
  found: FoundTaxClass | null,
  store: StoreInput,
): (group: GroupInput) => PriceTax | null {
  if (store.taxCountry === null) return () => null
  const ofStore = taxIn(tax, found, store, null)
  return (group) =>
    group.taxCountry === null && group.pricesIncludeTax === null ? ofStore : taxIn(tax, found, store, group)
}
