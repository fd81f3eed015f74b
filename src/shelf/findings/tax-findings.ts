import { categoryTree } from '../../resolve/content/category-tree.ts'
import { accountDay } from '../../catalog/settings/days.sql.ts'
import { groupsList, type GroupRow } from '../../catalog/settings/stores/groups.sql.ts'
import { storesList, type StoreRow } from '../../catalog/settings/stores/stores.sql.ts'
import { suppliersList } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import { statedCostTaxes, statedTaxClasses, taxClassesList } from '../../catalog/settings/prices/tax-classes.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { compileTax, namedTaxClass, taxPlace } from '../../resolve/prices/tax.ts'

/** A missing tax rate of a store's prices or a supplier's costs: products of the class have no price there, or the offers do not compete. */
export interface MissingTaxRate {
  /** Either the store or the supplier is null. */
  storeId: number | null
  supplierId: number | null
  country: string
  /** null: products without a class, because no class is the default. */
  taxClass: string | null
}

/** A tax class that offers name and that does not exist. */
export interface UnknownTaxClass {
  supplierId: number
  value: string
  offers: number
}

export interface TaxFindings {
  ratesMissing: MissingTaxRate[]
  classesUnknown: UnknownTaxClass[]
}

/** Finds missing rates and classes in an account that uses tax. Offers are searched for classes only if the account has any. */
export async function taxFindings(reader: Reader, accountId: number, limit: number): Promise<TaxFindings> {
  const [classes, stores, groups, suppliers, inCosts] = await Promise.all([
    taxClassesList(reader, accountId),
    storesList(reader, accountId),
    groupsList(reader, accountId),
    suppliersList(reader, accountId),
    statedCostTaxes(reader, accountId),
  ])
  const places = [
    ...stores
      .filter(({ isActive }) => isActive)
      .flatMap((store) =>
        countriesIn(store, groups).map((country) => ({ storeId: store.storeId, supplierId: null, country })),
      ),
    ...suppliers.map(({ supplierId, costTaxCountry }) => ({ storeId: null, supplierId, country: costTaxCountry })),
    // offers that state another country than their supplier
    ...inCosts
      .filter((stated) =>
        suppliers.some((row) => row.supplierId === stated.supplierId && row.costTaxCountry !== stated.country),
      )
      .map((stated) => ({ storeId: null, ...stated })),
  ]
  if (classes.length === 0 && places.every(({ country }) => country === null))
    return { ratesMissing: [], classesUnknown: [] }
  const day = await accountDay(reader, accountId)
  const tax = compileTax({ taxClasses: classes, categories: [], day }, categoryTree([]))
  const ratesMissing = places.flatMap(({ storeId, supplierId, country }) => {
    if (country === null) return []
    const ofCountry = tax?.rates.get(country)
    const without = classes.map(({ key }) => key).filter((key) => ofCountry?.has(key) !== true)
    const none = tax === null || tax.default === null ? [null] : []
    return [...none, ...without].map((taxClass): MissingTaxRate => ({ storeId, supplierId, country, taxClass }))
  })
  const stated = tax === null ? [] : await statedTaxClasses(reader, accountId)
  const classesUnknown = stated.filter(({ value }) => namedTaxClass(tax, value) === undefined)
  return { ratesMissing: ratesMissing.slice(0, limit), classesUnknown: classesUnknown.slice(0, limit) }
}

/** Countries whose tax is included in prices of a store, for any of its customer groups. */
function countriesIn(store: StoreRow, groups: readonly GroupRow[]): string[] {
  const countries = groups.flatMap((group) => {
    const place = taxPlace(store, group)
    return place?.isIncluded === true ? [place.country] : []
  })
  return [...new Set(countries)]
}
