import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../platform/limits.ts'
import { gtinOf } from '../model/gtin.ts'
import { idsByEan, idsBySku, pageAfter, pageAt, pageOf, type PageRow, type Shape } from '../shelf/payload-reads.sql.ts'
import { answer } from './answer.ts'
import { callerOf, type ServeContext } from './context.ts'
import { Query } from './query.ts'

interface PageMeta {
  current_page: number
  per_page: number
  last_page: number
  total: number
  next_after_id?: number | null
}

const SELECTORS = ['page', 'ids', 'sku', 'ean', 'after_id'] as const

/** Answers a list of products or of prices: by page, by keyset, or by what was asked for by name. */
export async function answerPage(
  context: ServeContext,
  shape: Shape,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = new Query(request.query)
  const slug = query.text('store')
  const perPage = query.clamped('per_page', { min: 1, max: LIMITS.perPageMax }) ?? LIMITS.perPageDefault
  const page = query.integer('page', { min: 1 }) ?? 1
  const ids = query.ids('ids')
  const afterId = query.integer('after_id', { min: 0 })
  const sku = shape === 'products' ? query.text('sku') : undefined
  const ean = shape === 'products' ? query.text('ean') : undefined
  if (sku !== undefined && (sku === '' || sku.length > LIMITS.skuLengthMax || sku.includes('\0'))) {
    query.fault('sku', `must have 1 to ${LIMITS.skuLengthMax} characters, none of them NUL`)
  }
  if (ean !== undefined && !/^\d{1,14}$/.test(ean)) query.fault('ean', 'must be 1 to 14 digits')
  const given = SELECTORS.filter(
    (name) => query.has(name) && (shape === 'products' || (name !== 'sku' && name !== 'ean')),
  )
  if (given.length > 1) query.fault(given[1] ?? '', `cannot be combined with ${given[0]}`)
  query.done()

  const { accountId } = callerOf(request)
  const store = await context.stores.find(accountId, slug)
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

/** Past the end the last page is named, so that a walk «until current_page equals last_page» ends there as well. */
function metaOf(page: number, perPage: number, total: number): PageMeta {
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  return { current_page: Math.min(page, lastPage), per_page: perPage, last_page: lastPage, total }
}
