import { hash } from 'node:crypto'
import { setTimeout as rest } from 'node:timers/promises'
import { readFeed, type Cursor, type FeedWindow } from '../../feed/read.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'
import { Query } from '../query.ts'

/** GET /v1/changes */
export const changes: Route = (app, context) => {
  app.get('/changes', async (request, reply) => {
    const query = new Query(request.query)
    const slug = query.text('store')
    const cursor = readCursor(query)
    const limit = query.integer('limit', { min: 1, max: LIMITS.feedWindowMax }) ?? LIMITS.feedWindowDefault
    const waitSeconds = query.integer('wait', { min: 0, max: LIMITS.longPollSecondsMax }) ?? 0
    query.done()
    const { accountId, tokenId } = callerOf(request)
    const store = await context.stores.find(accountId, slug)
    const read = () => readFeed(context.db, accountId, store.storeId, cursor, limit)

    const waiter = waitSeconds > 0 && cursor.kind !== 'now' ? context.waiters.open(accountId, tokenId) : null
    let window: FeedWindow
    if (waiter === null) window = await read()
    else {
      const deadline = performance.now() + waitSeconds * 1_000
      const leave = () => waiter[Symbol.dispose]()
      // a client that hangs up frees its place
      reply.raw.once('close', leave)
      try {
        window = await read()
        while (
          window.changes.length === 0 &&
          !reply.raw.destroyed &&
          (await waiter.nextChange(deadline - performance.now()))
        ) {
          window = await read()
          // the changes may all have been another store's: a waiter reads a few times a second, not after each of them
          if (window.changes.length === 0) await rest(LIMITS.longPollRestMs)
        }
      } finally {
        reply.raw.off('close', leave)
        leave()
      }
    }
    const body = JSON.stringify({
      changes: window.changes.map((change) => ({
        product_id: change.productId,
        change_type: change.kinds.at(-1),
        change_types: change.kinds,
        created_at: formatTimestamp(change.changedAt),
      })),
      next_since: formatTimestamp(window.next.since),
      next_id: window.next.id,
      store: store.slug,
      has_more: window.hasMore,
    })
    return answer(request, reply, body, hash('sha256', body, 'base64url').slice(0, 24))
  })
}

function readCursor(query: Query): Cursor {
  if (query.text('since') === 'now') {
    if (query.has('since_id')) query.fault('since_id', 'cannot be combined with since=now')
    return { kind: 'now' }
  }
  const since = query.timestamp('since')
  const id = query.integer('since_id', { min: 0 })
  if (since === undefined) {
    if (query.has('since_id') && !query.has('since')) {
      query.fault('since_id', 'is the second half of a cursor: send since with it')
    }
    return { kind: 'beginning' }
  }
  return id === undefined ? { kind: 'second', since } : { kind: 'pair', since, id }
}
