import { Exact } from '../model/money.ts'
import { foldName } from './conditions.ts'
import type { PriceTax, TaxRate } from '../model/payload.ts'
import type { AccountInputs, StoreInput, TaxClassInput } from './inputs.ts'
import type { Found, Source } from './sources.ts'

// Tax: which class a product is in, and what its rate is in a country on the account's day. In which order it meets markup, floors and
// rounding is in price.ts; docs/decisions/177-tax-acts-on-the-price-as-it-is-shown.md says why.

const HUNDRED = new Exact(100)

/** The classes of an account with the rates of its day; null where it has none. */
export interface CompiledTax {
  /** By key and by code, folded. */
  named: ReadonlyMap<string, TaxClassInput>
  default: TaxClassInput | null
  /** Country -> key of a class -> rate. */
  rates: ReadonlyMap<string, ReadonlyMap<string, TaxRate>>
}

/** The class that a product is in, and why. */
export interface FoundTaxClass {
  taxClass: TaxClassInput
  /** Who states it; null: nobody does, or by no name of a class, and it is the default. */
  source: Source | null
}

export function compileTax({ taxClasses, day }: Pick<AccountInputs, 'taxClasses' | 'day'>): CompiledTax | null {
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
  return { named, default: taxClasses.find(({ isDefault }) => isDefault) ?? null, rates }
}

/** The class that is called so, by key or by code. */
export const namedTaxClass = (tax: CompiledTax | null, text: string): TaxClassInput | undefined =>
  tax?.named.get(foldName(text))

/** The class that the product's field names, else the default one. @param stated the field `tax_class`. */
export function findTaxClass(tax: CompiledTax | null, stated: Found<string> | null): FoundTaxClass | null {
  if (tax === null) return null
  const named = stated === null ? undefined : namedTaxClass(tax, stated.value)
  if (named !== undefined) return { taxClass: named, source: stated?.source ?? null }
  return tax.default === null ? null : { taxClass: tax.default, source: null }
}

/** The rate of a product's class in a country; null where there is none today. */
export function rateIn(tax: CompiledTax | null, found: FoundTaxClass | null, country: string): TaxRate | null {
  if (tax === null || found === null) return null
  return tax.rates.get(country)?.get(found.taxClass.key) ?? null
}

/** What a product's prices in a store say of tax; null: the store says nothing of it. */
export function taxIn(tax: CompiledTax | null, found: FoundTaxClass | null, store: StoreInput): PriceTax | null {
  const { taxCountry, pricesIncludeTax } = store
  if (taxCountry === null) return null
  return {
    isIncluded: pricesIncludeTax,
    taxClass: found?.taxClass.key ?? null,
    rate: rateIn(tax, found, taxCountry),
  }
}
