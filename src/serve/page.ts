import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { LIST_PRICES } from '../../contract/routes/catalog.ts'
import { LIMITS } from '../platform/limits.ts'
import { gtinOf } from '../model/gtin.ts'
import { idsByEan, idsBySku, pageAfter, pageAt, pageOf, type PageRow, type Shape } from '../shelf/payload-reads.sql.ts'
import { answer } from './answer.ts'
import type { ServeContext } from './context.ts'
import type { Call } from './handle.ts'

interface PageMeta {
  current_page: number
  per_page: number
  last_page: number
  total: number
  next_after_id?: number | null
}

/** Queries for prices, which cannot be looked up by SKU and EAN; and for products, which can. */
type PageCall = Call<typeof LIST_PRICES> & { query: { sku?: string | undefined; ean?: string | undefined } }

/** Answers a list of products or of prices: by page, by keyset, or by the ids or keys in the query. */
export async function answerPage(
  context: ServeContext,
  shape: Shape,
  { query, caller: { accountId }, request, reply }: PageCall,
): Promise<FastifyReply> {
  const { per_page: perPage, page, ids, after_id: afterId, sku, ean } = query
  const store = await context.stores.find(accountId, query.store)
  const { db } = context
  let row: PageRow
  let meta: PageMeta
  if (afterId !== undefined) {
    row = await pageAfter(db, accountId, store.storeId, shape, afterId, perPage)
    meta = { ...metaOf(1, perPage, row.total), next_after_id: row.found < perPage ? null : row.lastId }
  } else if (ids !== undefined || sku !== undefined || ean !== undefined) {
    const wanted =
      ids ??
      (sku !== undefined
        ? await idsBySku(db, accountId, store.storeId, sku, LIMITS.idsMax)
        : await idsByEan(db, accountId, ean ?? '', gtinOf(ean ?? ''), LIMITS.idsMax))
    row = await pageOf(db, accountId, store.storeId, shape, wanted)
    meta = { current_page: 1, per_page: LIMITS.idsMax, last_page: 1, total: row.total }
  } else {
    const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
    row = await pageAt(db, accountId, store.storeId, shape, offset, perPage)
    meta = metaOf(page, perPage, row.total)
  }
  const tail = `],"store":${JSON.stringify(store.slug)},"meta":${JSON.stringify(meta)}}`
  const tag = hash('sha256', `${shape}.${row.tag ?? ''}.${tail}`, 'base64url').slice(0, 24)
  return answer(request, reply, `{"data":[${row.body ?? ''}${tail}`, tag)
}

/** Past the end, current_page is the last page, so that a loop "until current_page equals last_page" ends. */
function metaOf(page: number, perPage: number, total: number): PageMeta {
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  return { current_page: Math.min(page, lastPage), per_page: perPage, last_page: lastPage, total }
}
