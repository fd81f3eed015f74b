import {
  CONFIRM_PRICES,
  GET_COMPLETENESS,
  GET_FINDINGS,
  LIST_GAPS,
  LIST_STALE_OFFERS,
} from '../../../../contract/routes/findings.ts'
import { requireNamed } from '../../../catalog/settings/rules/rule-conditions.ts'
import { storesList } from '../../../catalog/settings/stores/stores.sql.ts'
import { suppliersList } from '../../../catalog/settings/suppliers/suppliers.sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { GAPS } from '../../../model/gaps.ts'
import { findCompleteness } from '../../../shelf/findings/completeness.ts'
import { gapsAfter, staleOffersAfter } from '../../../shelf/findings/completeness.sql.ts'
import { findFindings } from '../../../shelf/findings/findings.ts'
import { confirmAllPrices, confirmPrices } from '../../../shelf/confirm-prices.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite, waitFor } from '../../writing/answer-write.ts'
import { answerData } from '../answer-read.ts'
import { writing } from '../collection.ts'
import { completenessMembers, findingsMembers, staleMembers, type NamesOfIds } from './findings-members.ts'

/** /v1/account/findings: what the owner should look at, and /findings/confirm-prices, which releases held prices. */
export const findingHandlers: Handlers = (app, context) => {
  const namesOf = async (accountId: number): Promise<NamesOfIds> => {
    const [stores, suppliers] = await Promise.all([
      storesList(context.db, accountId),
      suppliersList(context.db, accountId),
    ])
    return {
      slugOf: new Map(stores.map((store) => [store.storeId, store.slug])),
      codeOf: new Map(suppliers.map((supplier) => [supplier.supplierId, supplier.code])),
    }
  }
  handle(app, GET_FINDINGS, async (call) => {
    const { accountId } = call.caller
    const [findings, names] = await Promise.all([findFindings(context.db, accountId), namesOf(accountId)])
    return answerData(call, findingsMembers(findings, names))
  })
  handle(app, GET_COMPLETENESS, async (call) => {
    const { accountId } = call.caller
    const [completeness, names] = await Promise.all([findCompleteness(context.db, accountId), namesOf(accountId)])
    return answerData(call, completenessMembers(completeness, names))
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
