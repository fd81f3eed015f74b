import {
  CONFIRM_PRICES,
  GET_COMPLETENESS,
  GET_FINDINGS,
  LIST_GAPS,
  LIST_STALE_OFFERS,
} from '../../../contract/routes/findings.ts'
import { requireNamed } from '../../catalog/settings/rules/rule-conditions.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import { suppliersList } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { reasonsByCount } from '../../images/adoption/adopt.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { GAPS } from '../../model/gaps.ts'
import { findCompleteness, type Completeness } from '../../shelf/findings/completeness.ts'
import { gapsAfter, staleOffersAfter, type StaleOffer } from '../../shelf/findings/completeness.sql.ts'
import { findFindings } from '../../shelf/findings/findings.ts'
import { confirmAllPrices, confirmPrices } from '../../shelf/confirm-prices.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'
import { answerWrite, waitFor } from '../writing/answer-write.ts'
import { answerData } from './answer-read.ts'
import { writing } from './collection.ts'

/** /v1/account/findings: what the owner should look at, and /findings/confirm-prices, which releases held prices. */
export const findingHandlers: Handlers = (app, context) => {
  handle(app, GET_FINDINGS, async (call) => {
    const { accountId } = call.caller
    const [findings, stores, suppliers] = await Promise.all([
      findFindings(context.db, accountId),
      storesList(context.db, accountId),
      suppliersList(context.db, accountId),
    ])
    const slugOf = new Map(stores.map((store) => [store.storeId, store.slug]))
    const codeOf = new Map(suppliers.map((supplier) => [supplier.supplierId, supplier.code]))
    const codesOf = (ids: readonly number[]) => ids.flatMap((supplierId) => codeOf.get(supplierId) ?? [])
    const ofGroup = (row: { groupId: number; supplierId: number; key: string }) => ({
      variant_group_id: row.groupId,
      supplier: codeOf.get(row.supplierId) ?? null,
      group_key: row.key,
    })
    return answerData(call, {
      completeness: completenessMembers(findings.completeness, slugOf, codeOf),
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
    })
  })
  handle(app, GET_COMPLETENESS, async (call) => {
    const { accountId } = call.caller
    const [completeness, stores, suppliers] = await Promise.all([
      findCompleteness(context.db, accountId),
      storesList(context.db, accountId),
      suppliersList(context.db, accountId),
    ])
    const slugOf = new Map(stores.map((store) => [store.storeId, store.slug]))
    const codeOf = new Map(suppliers.map((supplier) => [supplier.supplierId, supplier.code]))
    return answerData(call, completenessMembers(completeness, slugOf, codeOf))
  })
  handle(app, LIST_GAPS, async (call) => {
    const { per_page: perPage, after = 0, store: slug } = call.query
    const gap = GAPS.find((name) => name === call.params.gap)
    if (gap === undefined)
      throw new ShelfwireError(
        'unknown-reference',
        `there is no gap "${call.params.gap.slice(0, 80)}": one of ${GAPS.join(', ')}`,
      )
    const { storeId } = await context.stores.find(call.caller.accountId, slug)
    const rows = await gapsAfter(context.db, call.caller.accountId, storeId, gap, after, perPage + 1)
    const page = rows.slice(0, perPage)
    const next = rows.length > perPage ? (page.at(-1)?.productId ?? null) : null
    const data = page.map(({ productId, sku }) => ({ product_id: productId, sku }))
    return answerData(call, data, { per_page: perPage, next_after: next })
  })
  handle(app, LIST_STALE_OFFERS, async (call) => {
    const { per_page: perPage, after = '' } = call.query
    const { accountId } = call.caller
    const { code } = call.params
    const supplier = (await suppliersList(context.db, accountId)).find((row) => row.code === code)
    if (supplier === undefined)
      throw new ShelfwireError('unknown-supplier', `the account has no supplier "${code.slice(0, 80)}"`)
    const rows = await staleOffersAfter(context.db, accountId, supplier.supplierId, after, perPage + 1)
    const page = rows.slice(0, perPage)
    const next = rows.length > perPage ? (page.at(-1)?.sku ?? null) : null
    return answerData(call, page.map(staleMembers), { per_page: perPage, next_after: next })
  })
  handle(app, CONFIRM_PRICES, ({ body: { product_ids: productIds }, request, reply }) => {
    if (productIds !== null && productIds.length > LIMITS.bulkRowsAtOnceMax) {
      throw new ShelfwireError(
        'invalid-input',
        `product_ids are at most ${LIMITS.bulkRowsAtOnceMax}, or null for all`,
        { faults: [{ name: 'product_ids', reason: `are at most ${LIMITS.bulkRowsAtOnceMax}` }] },
      )
    }
    return answerWrite(context, request, reply, async (tx, accountId) => {
      if (productIds === null) {
        const all = await confirmAllPrices(tx, accountId)
        return { ...waitFor(all), status: 200, data: { confirmed: all.value } }
      }
      const ids = [...new Set(productIds)]
      await writing(() => requireNamed(tx, accountId, { productIds: ids }))
      const confirmed = await confirmPrices(tx, accountId, ids)
      return { ...waitFor(confirmed), status: 200, data: { confirmed: confirmed.productIds.length } }
    })
  })
}

function completenessMembers(
  { stores, offersStale, suppliersSilent }: Completeness,
  slugOf: ReadonlyMap<number, string>,
  codeOf: ReadonlyMap<number, string>,
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

const staleMembers = ({ sku, productId, staleSince }: StaleOffer) => ({
  sku,
  product_id: productId,
  stale_since: formatTimestamp(staleSince),
})
