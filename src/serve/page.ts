import type { FastifyReply } from 'fastify'
import type { LIST_PRICES } from '../../contract/routes/catalog.ts'
import { LIMITS } from '../platform/limits.ts'
import { gtinOf } from '../model/gtin.ts'
import { pageAfter, pageAt, pageOf, type Page, type Shape } from '../shelf/payload-pages.sql.ts'
import { idsByEan, idsBySku } from '../shelf/payload-reads.sql.ts'
import { answer, tagOf } from './answer.ts'
import { chosenPage, shapeOf, type Fields } from './chosen.ts'
import type { ServeContext } from './context.ts'
import type { Call } from './handle.ts'
import { must } from '../platform/must.ts'

interface PageMeta {
  current_page: number
  per_page: number
  last_page: number
  total: number
  next_after_id?: number | null
}

/** Queries for prices; and for products, which can be looked up by SKU and EAN, too, and of which members can be chosen. */
type PageCall = Call<typeof LIST_PRICES> & {
  query: { sku?: string | undefined; ean?: string | undefined; fields?: Fields | undefined }
}

/** Answers a list of products or of prices: by page, by keyset, or by the ids or keys in the query. */
export async function answerPage(
  context: ServeContext,
  whole: Shape,
  { query, caller: { accountId, seesCosts }, request, reply }: PageCall,
): Promise<FastifyReply> {
  const { per_page: perPage, page, ids, after_id: afterId, sku, ean, fields } = query
  const shape = fields === undefined ? whole : shapeOf(fields)
  const view = { shape, seesCosts }
  const store = await context.stores.find(accountId, query.store)
  const { db } = context
  let found: Page
  let meta: PageMeta
  if (afterId !== undefined) {
    found = await pageAfter(db, accountId, store.storeId, view, afterId, perPage)
    meta = { ...metaOf(1, perPage, found.total), next_after_id: found.nextAfterId }
  } else if (ids !== undefined || sku !== undefined || ean !== undefined) {
    const wanted =
      ids ??
      (sku !== undefined
        ? await idsBySku(db, accountId, store.storeId, sku, LIMITS.idsMax)
        : await idsByEan(db, accountId, must(ean), gtinOf(must(ean)), LIMITS.idsMax))
    found = await pageOf(db, accountId, store.storeId, view, wanted)
    meta = { current_page: 1, per_page: LIMITS.idsMax, last_page: 1, total: found.total }
  } else {
    const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
    found = await pageAt(db, accountId, store.storeId, view, offset, perPage)
    meta = metaOf(page, perPage, found.total)
  }
  const tail = `],"store":${JSON.stringify(store.slug)},"meta":${JSON.stringify(meta)}}`
  if (fields !== undefined) {
    const chosen = await chosenPage(found.members, fields)
    return answer(request, reply, `{"data":[${chosen.members.join(',')}${tail}`, tagOf(`${chosen.tag}.${tail}`))
  }
  const tag = tagOf(`${shape}.${found.tag ?? ''}.${tail}`)
  return answer(request, reply, `{"data":[${found.members.join(',')}${tail}`, tag)
}

/** Past the end, current_page is the last page, so that a loop "until current_page equals last_page" ends. */
export function metaOf(page: number, perPage: number, total: number): PageMeta {
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  return { current_page: Math.min(page, lastPage), per_page: perPage, last_page: lastPage, total }
}
