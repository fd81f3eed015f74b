import { LIST_DIGESTS, LIST_PRODUCT_TAGS } from '../../../contract/routes/catalog.ts'
import type { Half } from '../../model/payload.ts'
import { asBusy, openFairTurns } from '../../platform/turns/fair-turns.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import type { Head } from '../../shelf/payloads/change-counter.sql.ts'
import { digestText } from '../../shelf/payloads/digest.ts'
import { readDigests, readDigestsWithoutCosts, readTags } from '../../shelf/reads/read-digests.ts'
import { answer, tagOf } from '../answer.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'

/** /v1/digest */
export const digestHandlers: Handlers = (app, context) => {
  const turns = openFairTurns('digests that are computed', {
    atOnce: LIMITS.digestsComputedAtOnce,
    perKey: LIMITS.digestsComputedPerAccountMax,
    waitingMax: LIMITS.listsWaitingMax,
    waitingPerKeyMax: LIMITS.listsWaitingPerAccountMax,
  })
  /** For callers who must not see purchase prices, tags are computed from the bodies; turns limit how many bodies are in memory. */
  const computing = <T>(accountId: number, isComputed: boolean, read: () => Promise<T>): Promise<T> =>
    isComputed
      ? turns.run(accountId, read).catch((error: unknown) => {
          throw asBusy(error, 'digests', LIMITS.listRetrySeconds)
        })
      : read()
  handle(app, LIST_DIGESTS, async ({ query, caller: { accountId, seesCosts }, request, reply }) => {
    const { half, limit, after_block: afterBlock = -1 } = query
    const store = await context.stores.find(accountId, query.store)
    // content halves contain no costs
    const read = seesCosts || half === 'content' ? readDigests : readDigestsWithoutCosts
    const { head, blocks, nextAfterBlock } = await computing(accountId, read === readDigestsWithoutCosts, () =>
      read(context.db, accountId, store.storeId, afterBlock, limit),
    )
    const data = blocks.map(({ block, products, content, price }) => ({
      block,
      products,
      ...halvesOf(
        half,
        () => digestText(content),
        () => digestText(price),
      ),
    }))
    const body = JSON.stringify({ data, ...asOf(store.slug, head), meta: { next_after_block: nextAfterBlock } })
    return answer(request, reply, body, tagOf(body))
  })
  handle(app, LIST_PRODUCT_TAGS, async ({ query, caller: { accountId, seesCosts }, request, reply }) => {
    const { half, limit, after_id: afterId } = query
    const store = await context.stores.find(accountId, query.store)
    const range = { afterId, limit, seesCosts: seesCosts || half === 'content' }
    const { head, products, nextAfterId } = await computing(accountId, !range.seesCosts, () =>
      readTags(context.db, accountId, store.storeId, range),
    )
    const data = products.map(({ id, contentTag, priceTag }) => ({
      id,
      ...halvesOf(
        half,
        () => contentTag,
        () => priceTag,
      ),
    }))
    const body = JSON.stringify({ data, ...asOf(store.slug, head), meta: { next_after_id: nextAfterId } })
    return answer(request, reply, body, tagOf(body))
  })
}

/** The requested halves. */
const halvesOf = (half: Half | undefined, content: () => string, price: () => string) => ({
  ...(half === 'price' ? {} : { content: content() }),
  ...(half === 'content' ? {} : { price: price() }),
})

const asOf = (store: string, head: Head) => ({
  store,
  next_since: formatTimestamp(head.lastAt),
  next_id: head.lastId,
})
