import { hash } from 'node:crypto'
import { setTimeout as rest } from 'node:timers/promises'
import type { QueryOf } from '../../../contract/route.ts'
import { LIST_CHANGES } from '../../../contract/routes/catalog.ts'
import { readFeed, type Cursor, type FeedWindow } from '../../feed/read.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import { answer } from '../answer.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'

/** GET /v1/changes */
export const changesHandlers: Handlers = (app, context) => {
  handle(app, LIST_CHANGES, async ({ query, caller: { accountId, tokenId }, request, reply }) => {
    const cursor = cursorOf(query)
    const waitSeconds = query.wait
    const store = await context.stores.find(accountId, query.store)
    const read = () => readFeed(context.db, accountId, store.storeId, cursor, query.limit)

    const waiter = waitSeconds > 0 && cursor.kind !== 'now' ? context.waiters.open(accountId, tokenId) : null
    let window: FeedWindow
    if (waiter === null) window = await read()
    else {
      const deadline = performance.now() + waitSeconds * 1_000
      const leave = () => waiter[Symbol.dispose]()
      // a client that hangs up stops waiting
      reply.raw.once('close', leave)
      try {
        window = await read()
        while (
          window.changes.length === 0 &&
          !reply.raw.destroyed &&
          (await waiter.nextChange(deadline - performance.now()))
        ) {
          window = await read()
          // the changes may all be another store's: a waiter reads a few times a second, not after each of them
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

function cursorOf({ since, since_id: id }: QueryOf<typeof LIST_CHANGES>): Cursor {
  if (since === 'now') return { kind: 'now' }
  if (since === undefined) return { kind: 'beginning' }
  return id === undefined || id === 0 ? { kind: 'second', since } : { kind: 'pair', since, id }
}
