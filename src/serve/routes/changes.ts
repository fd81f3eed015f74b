import { setTimeout as rest } from 'node:timers/promises'
import type { QueryOf } from '../../../contract/route.ts'
import { EXPANDED_MAX, LIST_CHANGES } from '../../../contract/routes/catalog.ts'
import type { Reader } from '../../db/sql.ts'
import { readFeed, type Cursor, type FeedWindow } from '../../feed/read.ts'
import { openFairTurns } from '../../platform/fair-turns.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp, openTimestamps } from '../../platform/timestamp.ts'
import { payloadsGet, type PayloadRow } from '../../shelf/payload-reads.sql.ts'
import { seenBy } from '../../shelf/without-costs.ts'
import { answer, tagOf } from '../answer.ts'
import { chosenPage } from '../chosen.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'

/** GET /v1/changes */
export const changesHandlers: Handlers = (app, context) => {
  const turns = openFairTurns('long polls that read', {
    atOnce: LIMITS.longPollReadsAtOnce,
    perKey: LIMITS.longPollReadsPerAccountMax,
    waitingMax: LIMITS.longPollWaitersMax,
    waitingPerKeyMax: LIMITS.longPollWaitersPerAccountMax,
  })
  handle(app, LIST_CHANGES, async ({ query, caller, request, reply }) => {
    const { accountId, tokenId } = caller
    const cursor = cursorOf(query)
    const waitSeconds = query.wait
    const { expand, fields } = query
    const isExpanded = expand !== undefined
    // before anything is waited for: long polls have places of their own, more of them, except those whose answers are as large as pages
    if (waitSeconds > 0 && cursor.kind !== 'now' && !isExpanded) request.accountPlace?.giveUp()
    const asked = query.limit ?? query.per_page ?? LIMITS.feedWindowDefault
    const size = isExpanded ? Math.min(asked, EXPANDED_MAX) : asked
    const store = await context.stores.find(accountId, query.store)
    const read = async (): Promise<Read> => {
      const window = await readFeed(context.db, accountId, store.storeId, cursor, size)
      const products = isExpanded ? await productsOf(context.db, accountId, store.storeId, window) : []
      return { window, products: products.map((row) => seenBy(caller, row)) }
    }

    const waiter = waitSeconds > 0 && cursor.kind !== 'now' ? context.waiters.open(accountId, tokenId) : null
    let found: Read
    if (waiter === null) found = await read()
    else {
      const deadline = performance.now() + waitSeconds * 1_000
      const leave = () => waiter[Symbol.dispose]()
      // a client that hangs up stops waiting
      reply.raw.once('close', leave)
      try {
        found = await read()
        while (
          found.window.changes.length === 0 &&
          !reply.raw.destroyed &&
          (await waiter.nextChange(deadline - performance.now()))
        ) {
          // one change wakes all of the account: they read by turns, and other accounts between them
          found = await turns.run(accountId, read)
          // the changes may all be another store's: a waiter reads a few times a second, not after each of them
          if (found.window.changes.length === 0) await rest(LIMITS.longPollRestMs)
        }
      } finally {
        reply.raw.off('close', leave)
        leave()
      }
    }
    const { window, products } = found
    const timestamp = openTimestamps()
    const plain = JSON.stringify({
      changes: window.changes.map((change) => ({
        product_id: change.productId,
        change_type: change.kinds.at(-1),
        change_types: change.kinds,
        created_at: timestamp(change.changedAt),
      })),
      next_since: formatTimestamp(window.next.since),
      next_id: window.next.id,
      store: store.slug,
      has_more: window.hasMore,
    })
    if (!isExpanded) return answer(request, reply, plain, tagOf(plain))
    const wholes = products.map(({ content, price }) => `{${content},${price}}`)
    if (fields !== undefined) {
      const chosen = await chosenPage(wholes, fields)
      return answer(request, reply, withProducts(plain, chosen.members), tagOf(`${plain}.${chosen.tag}`))
    }
    // a half is compared by its tag in place of its text
    const tagged = plain + products.map((row) => `,${row.contentTag}${row.priceTag}`).join('')
    return answer(request, reply, withProducts(plain, wholes), tagOf(tagged))
  })
}

interface Read {
  window: FeedWindow
  products: PayloadRow[]
}

/** The products of a window that the store still lists, in its order. Read after the window, so none is older than its change. */
async function productsOf(reader: Reader, accountId: number, storeId: number, window: FeedWindow) {
  const keys = window.changes.map(({ productId }) => ({ storeId, productId }))
  if (keys.length === 0) return []
  const rows = new Map((await payloadsGet(reader, accountId, keys)).map((row) => [row.productId, row]))
  return keys.flatMap(({ productId }) => rows.get(productId) ?? [])
}

/** @param plain JSON of an object with members. */
const withProducts = (plain: string, products: readonly string[]) =>
  `${plain.slice(0, -1)},"products":[${products.join(',')}]}`

function cursorOf({ since, since_id: id }: QueryOf<typeof LIST_CHANGES>): Cursor {
  if (since === 'now') return { kind: 'now' }
  if (since === undefined) return { kind: 'beginning' }
  return id === undefined || id === 0 ? { kind: 'second', since } : { kind: 'pair', since, id }
}
