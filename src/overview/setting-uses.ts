import { accountGet } from '../accounts/accounts.sql.ts'
import { ratesList, rateTimes } from '../catalog/settings/prices/rates.sql.ts'
import { storesList } from '../catalog/settings/stores/stores.sql.ts'
import { suppliersList } from '../catalog/settings/suppliers/suppliers.sql.ts'
import type { Db, Reader } from '../db/sql.ts'
import { endangeredCopiesCount } from '../images/adoption/adopt.ts'
import { LIMITS } from '../platform/limits.ts'
import { openYielding } from '../platform/turns/yielding.ts'
import { compiledAccounts } from '../shelf/inputs/compiled-inputs.ts'
import { productsIncomplete } from '../shelf/findings/completeness.sql.ts'
import { priceFindings } from '../shelf/findings/price-findings.ts'
import { doubtfulSales } from '../shelf/findings/sale-findings.ts'
import { eanCollisions, eansInvalid, skuCollisions } from '../shelf/findings/findings.sql.ts'
import { unreadContents } from '../shelf/findings/content-findings.ts'
import { taxFindings } from '../shelf/findings/tax-findings.ts'
import { unreadValues } from '../shelf/findings/unread-values.ts'
import { indistinctVariants } from '../shelf/findings/variant-findings.sql.ts'
import { duplicateOptions } from '../shelf/findings/variant-option-keys.sql.ts'
import { cachedFor } from './kept.ts'
import { heldProductsCount, offerCurrencies, supplierPaths } from './setting-uses.sql.ts'
import { now } from '../platform/time/clock.ts'
import { must } from '../platform/must.ts'

export interface CurrencyUse {
  currency: string
  /** Null: no rate. */
  rate: string | null
  /** When the rate was last set; null: unknown, or no rate. */
  setAt: Date | null
  /** The day of the European Central Bank's rate; null: set by hand, or no rate. */
  bankDay: string | null
  /** The bank's rate that differs too much to be accepted automatically, and its day; null: none is held. */
  heldRate: string | null
  heldDay: string | null
  offers: number
  /** Codes of the suppliers with offers in it. */
  suppliers: string[]
  /** Slugs of the active stores that sell in it. */
  stores: string[]
}

/** Currencies that have a rate or are used, by code, except for the account's own. */
export async function currencyUses(reader: Reader, accountId: number): Promise<CurrencyUse[]> {
  const [account, rates, times, offers, stores, suppliers] = await Promise.all([
    accountGet(reader, accountId),
    ratesList(reader, accountId),
    rateTimes(reader, accountId),
    offerCurrencies(reader, accountId),
    storesList(reader, accountId),
    suppliersList(reader, accountId),
  ])
  // offers of deleted suppliers do not count
  const codeOf = new Map(suppliers.map((row) => [row.supplierId, row.code]))
  const used = offers.filter(({ supplierId }) => codeOf.has(supplierId))
  const selling = stores.filter(({ isActive }) => isActive)
  const currencies = new Set([...rates, ...used, ...selling].map(({ currency }) => currency))
  if (account !== undefined) currencies.delete(account.currency)
  return [...currencies].sort().map((currency) => {
    const own = used.filter((row) => row.currency === currency)
    const known = rates.find((row) => row.currency === currency)
    const heldRate = known?.heldRate ?? null
    return {
      currency,
      rate: known?.rate ?? null,
      bankDay: known?.bankDay ?? null,
      heldRate,
      heldDay: heldRate === null ? null : (known?.bankSeenDay ?? null),
      setAt: times.find((row) => row.currency === currency)?.setAt ?? null,
      offers: own.reduce((sum, row) => sum + row.offers, 0),
      suppliers: own.map(({ supplierId }) => must(codeOf.get(supplierId))),
      stores: selling.filter((store) => store.currency === currency).map(({ slug }) => slug),
    }
  })
}

export interface SupplierPath {
  /** In its most frequent spelling. */
  path: string
  /** Codes of suppliers. */
  suppliers: string[]
  products: number
  /** The account's category that it is mapped to, directly or by a path above it; null: none. */
  category: string | null
}

/**
 * Suppliers' category paths and the categories that they are mapped to, most products first. The count of products is cached
 * and shared by concurrent requests; the mapping is always current.
 */
export function openSupplierPaths(
  db: Db,
): (accountId: number) => Promise<{ paths: SupplierPath[]; isCapped: boolean }> {
  const counted = cachedFor(LIMITS.supplierPathsCountedMs, async (accountId) => {
    const suppliers = await suppliersList(db, accountId)
    const supplierIds = suppliers.map((row) => row.supplierId)
    const rows = await supplierPaths(db, accountId, supplierIds, LIMITS.supplierPathsShownMax + 1)
    return { rows, codeOf: new Map(suppliers.map((row) => [row.supplierId, row.code])) }
  })
  return async (accountId) => {
    // the categories as compiled for shelving, which are read and compiled again only after a change
    const [{ rows, codeOf }, { ownCategories: own, foldCategory }] = await Promise.all([
      counted(accountId),
      compiledAccounts(db).read(db, accountId),
    ])
    const yielding = openYielding()
    const paths = new Map<string, SupplierPath>()
    for (const { path, products, supplierIds } of rows.slice(0, LIMITS.supplierPathsShownMax)) {
      const folded = foldCategory(path)
      if (folded === '') continue
      const codes = supplierIds.map((id) => must(codeOf.get(id)))
      const known = paths.get(folded)
      if (known === undefined) {
        const category = own.mapped(path)?.path ?? null
        paths.set(folded, { path, suppliers: codes, products, category })
      } else {
        known.products += products
        known.suppliers = [...new Set([...known.suppliers, ...codes])]
      }
      const pause = yielding()
      if (pause !== null) await pause
    }
    return {
      paths: [...paths.values()].sort((a, b) => b.products - a.products),
      isCapped: rows.length > LIMITS.supplierPathsShownMax,
    }
  }
}

/** Counts of an account's findings, each counted up to LIMITS.findingsMax + 1. */
export interface FindingCounts {
  at: Date
  offers_without_rate: number
  stores_without_rate: number
  tax_rates_missing: number
  tax_classes_unknown: number
  contents_unread: number
  sales_doubtful: number
  /** The number of products with such a price. */
  prices_below_cost: number
  /** The number of sources: suppliers, and the owner. */
  list_prices_unshown: number
  prices_held: number
  ean_collisions: number
  sku_collisions: number
  eans_invalid: number
  variants_alike: number
  variants_without_options: number
  variant_options_twice: number
  /** Attributes with values that their type cannot read. */
  values_unread: number
  /** Copies of pictures whose source is failing. */
  pictures_failing: number
  /** Products with a gap in an active store. */
  products_incomplete: number
  supplier_paths_unmapped: number
}

/**
 * Counts findings. Results are cached for LIMITS.findingsCountedMs, because collisions are searched for in the whole catalog.
 */
export function openFindingCounts(
  db: Db,
  pathsOf: ReturnType<typeof openSupplierPaths>,
): (accountId: number) => Promise<FindingCounts> {
  const more = LIMITS.findingsMax + 1
  return cachedFor(LIMITS.findingsCountedMs, async (accountId) => {
    const at = now()
    const stores = (await storesList(db, accountId)).filter(({ isActive }) => isActive).map(({ storeId }) => storeId)
    const [
      currencies,
      held,
      eans,
      skus,
      invalid,
      variants,
      twice,
      unread,
      copies,
      incomplete,
      { paths },
      tax,
      contents,
      sales,
      prices,
    ] = await Promise.all([
      currencyUses(db, accountId),
      heldProductsCount(db, accountId, LIMITS.findingsMax),
      eanCollisions(db, accountId, more),
      skuCollisions(db, accountId, more),
      eansInvalid(db, accountId, more),
      indistinctVariants(db, accountId, more),
      duplicateOptions(db, accountId, more),
      unreadValues(db, accountId, more),
      endangeredCopiesCount(db, accountId),
      productsIncomplete(db, accountId, stores, more),
      pathsOf(accountId),
      taxFindings(db, accountId, more),
      unreadContents(db, accountId, more),
      doubtfulSales(db, accountId, more),
      priceFindings(db, accountId, more),
    ])
    const missing = currencies.filter(({ rate }) => rate === null)
    return {
      at,
      offers_without_rate: missing.reduce((sum, row) => sum + row.offers, 0),
      stores_without_rate: missing.reduce((sum, row) => sum + row.stores.length, 0),
      tax_rates_missing: tax.ratesMissing.length,
      tax_classes_unknown: tax.classesUnknown.length,
      contents_unread: contents.length,
      sales_doubtful: sales.length,
      // a product counts once, whatever the number of stores and groups
      prices_below_cost:
        prices.belowCost.length < more ? new Set(prices.belowCost.map(({ productId }) => productId)).size : more,
      list_prices_unshown: prices.listPricesUnshown.length,
      prices_held: held,
      ean_collisions: eans.length,
      // a SKU counts once, whatever the number of stores
      sku_collisions: skus.length < more ? new Set(skus.map(({ sku }) => sku)).size : more,
      eans_invalid: invalid.length,
      variants_alike: variants.alike.length,
      variants_without_options: variants.withoutOptions.length,
      variant_options_twice: twice.length,
      values_unread: unread.length,
      pictures_failing: copies,
      products_incomplete: incomplete,
      // an account without categories of its own shows suppliers' paths, and needs no mapping
      supplier_paths_unmapped: paths.some(({ category }) => category !== null)
        ? paths.filter(({ category }) => category === null).length
        : 0,
    }
  })
}
