import { setTimeout as sleep } from 'node:timers/promises'
import { client, type Answer } from '../harness/service.ts'

// A shop at work over HTTP: one writer of stock, and a mirror that follows the feed by long polls, as a connector does.

/** The status of a write or a poll, or 0 when there was no answer. */
export interface Seen {
  at: number
  tookMs: number
  status: number
  retryAfter: string | null
  what: string
}

export interface Shop {
  accountId: number
  productIds: readonly number[]
  seen: Seen[]
  /** For each product the last quantity that was acknowledged, and when its request was sent. */
  written: Map<number, { quantity: number; at: number }>
  /** The mirror: products as they were read. */
  products: Map<number, string>
  /** Milliseconds from the request of a write until the mirror had it, for each write that the mirror read. */
  lags: { at: number; ms: number }[]
  /** Pauses the writer. */
  pause(): void
  resume(): void
  /** Stops the writer, then the mirror once it has everything. */
  stop(): Promise<void>
}

/** The pause between writes, and before a retry, which is sooner than Retry-After says. */
const PAUSE_MS = 60

export function openShop(url: string, token: string, accountId: number, productIds: readonly number[]): Shop {
  const call = client(url, token)
  const phase = { isWriting: true, isReading: true, isPaused: false }
  const sent = new Map<number, number>()
  const shop: Omit<Shop, 'stop' | 'pause' | 'resume'> = {
    accountId,
    productIds,
    seen: [],
    written: new Map(),
    products: new Map(),
    lags: [],
  }
  const ask = async (what: string, path: string, init?: RequestInit): Promise<Answer | null> => {
    const at = performance.now()
    const answer = await call(path, init).catch(() => null)
    shop.seen.push({
      at,
      tookMs: performance.now() - at,
      status: answer?.status ?? 0,
      retryAfter: answer?.headers.get('retry-after') ?? null,
      what,
    })
    return answer
  }

  const write = async () => {
    for (let quantity = 10; phase.isWriting; quantity++) {
      while (phase.isPaused) await sleep(PAUSE_MS)
      const productId = productIds[quantity % productIds.length] ?? 0
      const at = performance.now()
      sent.set(productId, at)
      const answer = await ask('write', `/v1/account/products/${productId}/stock`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ quantity }),
      })
      if (answer !== null && answer.status < 300) shop.written.set(productId, { quantity, at })
      await sleep(PAUSE_MS)
    }
  }
  const note = (productId: number) => {
    const at = sent.get(productId)
    if (at !== undefined) shop.lags.push({ at, ms: performance.now() - at })
    sent.delete(productId)
  }
  const follow = async () => {
    let cursor = ''
    while (phase.isReading) {
      const window = await ask('poll', `/v1/changes?limit=50&wait=${phase.isWriting ? 5 : 1}${cursor}`)
      const ids: number[] = (window?.body?.changes ?? []).map((change: { product_id: number }) => change.product_id)
      if (window?.status !== 200) {
        await sleep(PAUSE_MS)
        continue
      }
      if (ids.length > 0) {
        const read = await ask('read', `/v1/products?ids=${[...new Set(ids)].join()}`)
        if (read?.status !== 200) {
          await sleep(PAUSE_MS)
          continue
        }
        for (const id of ids) shop.products.delete(id)
        for (const product of read.body.data) shop.products.set(product.id, JSON.stringify(product))
        ids.forEach(note)
      }
      cursor = `&since=${encodeURIComponent(window.body.next_since)}&since_id=${window.body.next_id}`
      // everything is written and read
      if (!phase.isWriting && ids.length === 0 && window.body.has_more === false) return
    }
  }
  const writing = write()
  const following = follow()
  return {
    ...shop,
    pause: () => void (phase.isPaused = true),
    resume: () => void (phase.isPaused = false),
    async stop() {
      phase.isWriting = false
      await writing
      const late = setTimeout(() => (phase.isReading = false), 20_000)
      await following
      clearTimeout(late)
    },
  }
}

/** The products of the store's export, in the form of the mirror. */
export async function exported(url: string, token: string): Promise<Map<number, string>> {
  const { body } = await client(url, token)('/v1/export')
  return new Map((body as { id: number }[]).map((product) => [product.id, JSON.stringify(product)]))
}
