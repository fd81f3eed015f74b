import { CONFIRM_PRICES, GET_FINDINGS } from '../../../contract/routes/findings.ts'
import { requireNamed } from '../../catalog/settings/rule-conditions.ts'
import { storesList } from '../../catalog/settings/stores.sql.ts'
import { suppliersList } from '../../catalog/settings/suppliers.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import { findFindings } from '../../shelf/findings.ts'
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
    return answerData(call, {
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
      prices_held: findings.pricesHeld.map((row) => ({
        product_id: row.productId,
        store: slugOf.get(row.storeId) ?? null,
        customer_group_id: row.groupId,
        currency: row.currency,
        shown_price: row.shownPrice,
        wanted_price: row.wantedPrice,
        held_at: formatTimestamp(row.heldAt),
      })),
    })
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
