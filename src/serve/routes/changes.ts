import { setTimeout as rest } from 'node:timers/promises'
import type { QueryOf } from '../../../contract/route.ts'
import { EXPANDED_MAX, LIST_CHANGES } from '../../../contract/routes/catalog.ts'
import { requireActive } from '../../accounts/suspensions.ts'
import type { StoreRow } from '../../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { readFeed, type Cursor, type FeedWindow } from '../../feed/read.ts'
import { asBusy, openFairTurns } from '../../platform/turns/fair-turns.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp, openTimestamps } from '../../platform/time/timestamp.ts'
import { payloadsGet, type PayloadRow } from '../../shelf/reads/payload-reads.sql.ts'
import { seenBy } from '../../shelf/reads/without-costs.ts'
import { answerFound, tagOf, type Found } from '../answer.ts'
import { chosenPage, type Fields } from '../chosen.ts'
import type { Handlers, ServeContext } from '../context.ts'
import { identify } from '../guard.ts'
import { handle } from '../handle.ts'
import type { ListParts } from '../large-answers.ts'
import type { Asked, Read } from '../read.ts'

/** GET /v1/changes */
export const changesHandlers: Handlers = (app, context) => {
  const turns = openFairTurns('long polls that read', {
    atOnce: LIMITS.longPollReadsAtOnce,
    perKey: LIMITS.longPollReadsPerAccountMax,
    waitingMax: LIMITS.longPollWaitersMax,
    waitingPerKeyMax: LIMITS.longPollWaitersPerAccountMax,
  })
  handle(app, LIST_CHANGES, async (call) => {
    const { query, caller, request, reply } = call
    if (!mayWait(query)) return answerFound(request, reply, await readChanges(context, call))
    const { accountId, tokenId } = caller
    // before the first wait: long polls have places of their own, and more of them. Answers with products, as large as pages, keep this one
    if (query.expand === undefined) request.accountPlace?.giveUp()
    const store = await context.stores.find(accountId, query.store)
    const read = () => readWindow(context, call, store)
    const waiter = context.waiters.open(accountId, tokenId)
    if (waiter === null) return answerFound(request, reply, await foundOf(context, call, store, await read()))
    const deadline = performance.now() + query.wait * 1_000
    const leave = () => waiter[Symbol.dispose]()
    // a client that disconnects stops waiting
    reply.raw.once('close', leave)
    let window: FeedWindow
    try {
      window = await read()
      while (
        window.changes.length === 0 &&
        !reply.raw.destroyed &&
        (await waiter.nextChange(deadline - performance.now()))
      ) {
        // the account may have been suspended while this waited
        requireActive(context.db, accountId)
        // a change wakes all waiters of the account: they read in turn, so that other accounts can read between them
        window = await turns.run(accountId, read).catch((error: unknown) => {
          // polls whose clients have gone may still wait for their turn
          throw asBusy(error, 'long polls', LIMITS.longPollRetryAfterSeconds)
        })
        // all changes may be another store's: a waiter reads a few times per second, not after each change
        if (window.changes.length === 0)
          await rest(Math.min(LIMITS.longPollRestMs, Math.max(0, deadline - performance.now())))
      }
    } finally {
      reply.raw.off('close', leave)
      leave()
    }
    // the token may have been revoked, or the member removed, while this waited
    const now = { query, caller: await identify(context, request) }
    return answerFound(request, reply, await foundOf(context, now, store, window))
  })
}

type ChangesQuery = QueryOf<typeof LIST_CHANGES>

/** Whether a request may wait for a change. */
export const mayWait = ({ wait, since }: ChangesQuery): boolean => wait > 0 && since !== 'now'

/** The changes that exist now, without waiting. */
export const readChanges: Read<typeof LIST_CHANGES> = async (context, asked) => {
  const found = context.stores.find(asked.caller.accountId, asked.query.store)
  // awaiting a value would cost a microtask per request
  const store = found instanceof Promise ? await found : found
  return foundOf(context, asked, store, await readWindow(context, asked, store))
}

function readWindow(
  context: ServeContext,
  { query, caller: { accountId } }: Asked<typeof LIST_CHANGES>,
  { storeId }: StoreRow,
): Promise<FeedWindow> {
  const asked = query.limit ?? query.per_page ?? LIMITS.feedWindowDefault
  const size = query.expand === undefined ? asked : Math.min(asked, EXPANDED_MAX)
  return readFeed(context.db, accountId, storeId, cursorOf(query), size, context.windows)
}

function foundOf(
  context: ServeContext,
  { query: { expand, fields }, caller }: Pick<Asked<typeof LIST_CHANGES>, 'query' | 'caller'>,
  store: StoreRow,
  feed: FeedWindow,
): Found | Promise<Found> {
  const timestamp = openTimestamps()
  const plain = JSON.stringify({
    changes: feed.changes.map((change) => ({
      product_id: change.productId,
      change_type: change.kinds.at(-1),
      change_types: change.kinds,
      created_at: timestamp(change.changedAt),
    })),
    next_since: formatTimestamp(feed.next.since),
    next_id: feed.next.id,
    store: store.slug,
    has_more: feed.hasMore,
  })
  if (expand === undefined) return { body: plain, tag: tagOf(plain) }
  const { accountId } = caller
  return context.largeAnswers.read(accountId, feed.changes.length, async () => {
    const found = await productsOf(context.db, accountId, store.storeId, feed)
    const products = found.map((row) => seenBy(caller, row))
    return await expanded(plain, products, fields)
  })
}

/** The answer with products. @param plain the answer without them. */
async function expanded(
  plain: string,
  products: readonly PayloadRow[],
  fields: Fields | undefined,
): Promise<ListParts> {
  const [head, tail] = [`${plain.slice(0, -1)},"products":[`, ']}']
  const wholes = products.map(({ content, price }) => `{${content},${price}}`)
  if (fields !== undefined) {
    const chosen = await chosenPage(wholes, fields)
    return { head, members: chosen.members, tail, tag: tagOf(`${plain}.${chosen.tag}`) }
  }
  // the tags of the halves replace their texts in the tag of the answer
  const tagged = plain + products.map((row) => `,${row.contentTag}${row.priceTag}`).join('')
  return { head, members: wholes, tail, tag: tagOf(tagged) }
}

/** The products of a window that the store still lists, in its order. They are read after the window, so none is older than its change. */
async function productsOf(reader: Reader, accountId: number, storeId: number, window: FeedWindow) {
  const keys = window.changes.map(({ productId }) => ({ storeId, productId }))
  if (keys.length === 0) return []
  const rows = new Map((await payloadsGet(reader, accountId, keys)).map((row) => [row.productId, row]))
  return keys.flatMap(({ productId }) => rows.get(productId) ?? [])
}

function cursorOf({ since, since_id: id }: ChangesQuery): Cursor {
  if (since === 'now') return { kind: 'now' }
  if (since === undefined) return { kind: 'beginning' }
  return id === undefined || id === 0 ? { kind: 'second', since } : { kind: 'pair', since, id }
}
