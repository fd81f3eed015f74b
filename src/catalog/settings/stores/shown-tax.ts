import type { Check } from '../../../input/check.ts'
import { taxPlace } from '../../../resolve/prices/tax.ts'
import type { GroupRow } from './groups.sql.ts'
import type { StoreRow } from './stores.sql.ts'
import type { TaxClassRow } from '../prices/tax-classes.sql.ts'

/** The tax settings of a store or a customer group, with its name. */
export type StoreTax = Pick<StoreRow, 'name' | 'taxCountry' | 'pricesIncludeTax'>
export type GroupTax = Pick<GroupRow, 'name' | 'taxCountry' | 'pricesIncludeTax'>

/**
 * Refuses prices with tax for a country in which no class has a rate: every product would lose its prices at once.
 * @param member the member that is named in faults.
 */
export function requireRates(
  check: Check,
  member: 'tax_country' | 'prices_include_tax',
  stores: readonly StoreTax[],
  groups: readonly (GroupTax | null)[],
  classes: readonly TaxClassRow[],
): void {
  const countries = new Set(classes.flatMap(({ rates }) => rates.map(({ country }) => country)))
  for (const store of stores)
    for (const group of groups) {
      const place = taxPlace(store, group)
      if (place === null || !place.isIncluded || countries.has(place.country)) continue
      const whose = group === null ? '' : `, for the customer group "${group.name}" in the store "${store.name}"`
      check.that(false, member, `needs a tax class with a rate in ${place.country.slice(0, 40)}${whose}`)
      return
    }
}
