import type { FastifyRequest } from 'fastify'
import { ShelfwireError } from '../platform/errors.ts'
import type { PayloadRow } from '../shelf/payload-reads.sql.ts'
import { callerOf, type ServeContext } from './context.ts'
import { pathId, Query } from './query.ts'

/** The stored payload that a path names; the same 404 for every product that this store does not list. */
export async function findPayload(context: ServeContext, request: FastifyRequest): Promise<PayloadRow> {
  const query = new Query(request.query)
  const slug = query.text('store')
  query.done()
  const { accountId } = callerOf(request)
  const found = context.stores.find(accountId, slug)
  // awaiting a value costs a turn of the microtask queue per request
  const store = found instanceof Promise ? await found : found
  const productId = pathId((request.params as { id: string }).id)
  const row = productId === null ? null : await context.lookup.payload(accountId, store.storeId, productId)
  if (row === null) throw new ShelfwireError('unknown-product', 'the store’s catalog has no such product')
  return row
}
