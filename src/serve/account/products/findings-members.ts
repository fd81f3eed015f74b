import { reasonsByCount } from '../../../images/adoption/adopt.ts'
import { formatTimestamp, timeOrNull } from '../../../platform/time/timestamp.ts'
import type { Completeness } from '../../../shelf/findings/completeness.ts'
import type { StaleOffer } from '../../../shelf/findings/completeness.sql.ts'
import type { Findings } from '../../../shelf/findings/findings.ts'

// Findings as the API shows them: stores by their slugs, suppliers by their codes.

/** Slugs of stores and codes of suppliers, by id. */
export interface NamesOfIds {
  slugOf: ReadonlyMap<number, string>
  codeOf: ReadonlyMap<number, string>
}

export function findingsMembers(findings: Findings, names: NamesOfIds) {
  const { slugOf, codeOf } = names
  const codesOf = (ids: readonly number[]) => ids.flatMap((supplierId) => codeOf.get(supplierId) ?? [])
  const ofGroup = (row: { groupId: number; supplierId: number; key: string }) => ({
    variant_group_id: row.groupId,
    supplier: codeOf.get(row.supplierId) ?? null,
    group_key: row.key,
  })
  return {
    completeness: completenessMembers(findings.completeness, names),
    ean_collisions: findings.eanCollisions.map(({ gtin, productIds }) => ({ gtin, product_ids: productIds })),
    eans_invalid: findings.eansInvalid.map((row) => ({
      ean: row.ean,
      product_id: row.productId,
      supplier: codeOf.get(row.supplierId) ?? null,
      sku: row.supplierSku,
    })),
    sku_collisions: findings.skuCollisions.map((row) => ({
      store: slugOf.get(row.storeId) ?? null,
      sku: row.sku,
      product_ids: row.productIds,
    })),
    offers_without_rate: findings.offersWithoutRate.map((row) => ({
      supplier: codeOf.get(row.supplierId) ?? null,
      currency: row.currency,
      offers: row.offers,
    })),
    texts_from_any_locale: findings.textsFromAnyLocale.map((row) => ({
      product_id: row.productId,
      store: slugOf.get(row.storeId) ?? null,
      field: row.field,
    })),
    variants_alike: findings.variantsAlike.map((row) => ({
      ...ofGroup(row),
      options: Object.entries(row.options).map(([key, value]) => `${key}: ${value}`),
      product_ids: row.productIds,
    })),
    variants_without_options: findings.variantsWithoutOptions.map((row) => ({
      ...ofGroup(row),
      product_id: row.productId,
      missing: row.missing,
    })),
    variant_options_twice: findings.variantOptionsTwice.map((row) => ({
      variant_group_id: row.groupId,
      key: row.key,
      suppliers: codesOf(row.supplierIds),
      product_ids: row.productIds,
      usual_key: row.usualKey,
      usual_suppliers: codesOf(row.usualSupplierIds),
    })),
    values_unread: findings.valuesUnread.map(({ key, type, offers, examples }) => ({
      attribute: key,
      type,
      offers,
      examples: examples.map(({ stated, productId, reason }) => ({ stated, product_id: productId, reason })),
    })),
    tax_rates_missing: findings.taxRatesMissing.map((row) => ({
      store: row.storeId === null ? null : (slugOf.get(row.storeId) ?? null),
      supplier: row.supplierId === null ? null : (codeOf.get(row.supplierId) ?? null),
      country: row.country,
      tax_class: row.taxClass,
    })),
    tax_classes_unknown: findings.taxClassesUnknown.map((row) => ({
      supplier: codeOf.get(row.supplierId) ?? null,
      value: row.value,
      offers: row.offers,
    })),
    contents_unread: findings.contentsUnread.map((row) => ({
      supplier: codeOf.get(row.supplierId) ?? null,
      field: row.field,
      value: row.value,
      offers: row.offers,
    })),
    sales_doubtful: findings.salesDoubtful.map((row) => ({
      product_id: row.productId,
      supplier: row.supplierId === null ? null : (codeOf.get(row.supplierId) ?? null),
      reason: row.reason,
    })),
    prices_below_cost: findings.pricesBelowCost.map((row) => ({
      product_id: row.productId,
      store: slugOf.get(row.storeId) ?? null,
      customer_group_id: row.groupId,
      currency: row.currency,
      price: row.price,
      price_without_tax: row.priceWithoutTax,
      base_cost: row.baseCost,
      made_by: row.madeBy,
      price_list: row.priceList,
    })),
    list_prices_unshown: findings.listPricesUnshown.map((row) => ({
      supplier: row.supplierId === null ? null : (codeOf.get(row.supplierId) ?? null),
      products: row.products,
      product_ids: row.productIds,
    })),
    prices_held: findings.pricesHeld.map((row) => ({
      product_id: row.productId,
      store: slugOf.get(row.storeId) ?? null,
      customer_group_id: row.groupId,
      currency: row.currency,
      shown_price: row.shownPrice,
      wanted_price: row.wantedPrice,
      held_at: formatTimestamp(row.heldAt),
    })),
    pictures_failing: findings.picturesFailing.map((copy) => ({
      image: copy.url,
      suppliers: codesOf(copy.supplierIds),
      product_ids: copy.productIds,
      looks: copy.looks,
      failed_since: formatTimestamp(copy.failedSince),
      reasons: reasonsByCount(copy.reasons),
      kept_until: formatTimestamp(copy.keptUntil),
    })),
  }
}

/** What products lack in each store, stale offers, and suppliers that have been silent for too long, as the API shows them. */
export function completenessMembers(
  { stores, offersStale, suppliersSilent }: Completeness,
  { slugOf, codeOf }: NamesOfIds,
) {
  return {
    stores: stores.flatMap(({ storeId, products, gaps }) => {
      const store = slugOf.get(storeId)
      const members = gaps.map(({ gap, products: lacking, productIds }) => ({
        gap,
        products: lacking,
        product_ids: productIds,
      }))
      return store === undefined ? [] : [{ store, products, gaps: members }]
    }),
    offers_stale: offersStale.flatMap(({ supplierId, offers, first }) => {
      const supplier = codeOf.get(supplierId)
      return supplier === undefined ? [] : [{ supplier, offers, first: first.map(staleMembers) }]
    }),
    suppliers_silent: suppliersSilent.flatMap(({ supplierId, silentDaysMax, heardAt }) => {
      const supplier = codeOf.get(supplierId)
      const at = timeOrNull(heardAt)
      return supplier === undefined ? [] : [{ supplier, silent_days_max: silentDaysMax, heard_at: at }]
    }),
  }
}

export const staleMembers = ({ sku, productId, staleSince }: StaleOffer) => ({
  sku,
  product_id: productId,
  stale_since: formatTimestamp(staleSince),
})
