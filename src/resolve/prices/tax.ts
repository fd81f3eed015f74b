import { Exact } from '../../model/money.ts'
import type { CategoryTree } from '../content/category-tree.ts'
import { foldName } from '../rules/conditions.ts'
import type { PriceTax, TaxRate } from '../../model/payload.ts'
import type { AccountInputs, CategoryInput, GroupInput, StoreInput, TaxClassInput } from '../inputs.ts'
import type { Found, Source } from '../sourcing/sources.ts'

// Tax: which class a product is in, and what its rate is in a country on the account's day. In which order it meets markup, floors and
// rounding is in price.ts; docs/decisions/177-tax-acts-on-the-price-as-it-is-shown.md says why, and
// docs/decisions/180-tax-by-category-and-by-customer-group.md why categories and customer groups say something of it.

const HUNDRED = new Exact(100)

/** The classes of an account with the rates of its day; null where it has none. */
export interface CompiledTax {
  /** By key and by code, folded. */
  named: ReadonlyMap<string, TaxClassInput>
  default: TaxClassInput | null
  /** That a category names, or else the nearest one above it that names one; null: none does. */
  ofCategory(category: CategoryInput): TaxedCategory | null
  /** Country -> key of a class -> rate. */
  rates: ReadonlyMap<string, ReadonlyMap<string, TaxRate>>
}

/** A class and the category that names it. */
export interface TaxedCategory {
  taxClass: TaxClassInput
  category: CategoryInput
}

/** The class that a product is in, and why. */
export interface FoundTaxClass {
  taxClass: TaxClassInput
  /** Who states it; null: nobody does, or by no name of a class. */
  source: Source | null
  /** Which category names it; null: none, and without a source it is the default. */
  category: CategoryInput | null
}

/** Whose tax prices say, and whether they have it in them. */
export interface TaxPlace {
  country: string
  isIncluded: boolean
}

/** @param tree of the categories, made once for all that look at it. */
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
  /** By id; many products are in the same one. */
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

/** The class that is called so, by key or by code. */
export const namedTaxClass = (tax: CompiledTax | null, text: string): TaxClassInput | undefined =>
  tax?.named.get(foldName(text))

/**
 * The class that the product's field names, else the nearest category upward that names one, else the default one.
 * @param stated the field `tax_class`. @param category of the account, that the product is in.
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

/** The rate of a product's class in a country; null where there is none today. */
export function rateIn(tax: CompiledTax | null, found: FoundTaxClass | null, country: string): TaxRate | null {
  if (tax === null || found === null) return null
  return tax.rates.get(country)?.get(found.taxClass.key) ?? null
}

/** Whose tax the prices of a customer group say in a store, and how: the group may say otherwise; null: the store says nothing of it. */
export function taxPlace(
  { taxCountry, pricesIncludeTax }: Pick<StoreInput, 'taxCountry' | 'pricesIncludeTax'>,
  group: Pick<GroupInput, 'taxCountry' | 'pricesIncludeTax'> | null,
): TaxPlace | null {
  if (taxCountry === null) return null
  return { country: group?.taxCountry ?? taxCountry, isIncluded: group?.pricesIncludeTax ?? pricesIncludeTax }
}

/** What a product's prices for a group say of tax in a store; null: nothing. @param group null: what the store says. */
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

/** The same for each group: that of the store is made once. */
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
