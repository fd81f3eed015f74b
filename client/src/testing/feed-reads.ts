import { BlockDigest, HALVES, blockOf, type Half } from '../verify/halves.ts'
import type { Caller } from './callers.ts'
import type { Catalog, Listed } from './catalog.ts'
import type { From } from './change-log.ts'
import type { QUERIES, Values } from './parameters.ts'
import { Problem, type Reply } from './problem.ts'
import { openLocales, seenBy, textWith } from './product-reads.ts'

// The change feed, the export, and the digests by which a mirror proves that it is equal.

const EXPANDED_MAX = 200
const WINDOW = 500
const WAITERS_MAX = 20
/** How many blocks an answer without purchase prices has at most. */
const BLOCKS_WITHOUT_COSTS = 16

export type ChangesValues = Values<(typeof QUERIES)['changes']>

/** `2026-11-20T10:00:00+00:00` */
export const timestamp = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}+00:00`

function fromOf({ since, since_id: id }: ChangesValues): From {
  if (since === 'now') return { kind: 'now' }
  if (since === undefined) return { kind: 'beginning' }
  return id === undefined || id === 0 ? { kind: 'second', since } : { kind: 'pair', since, id }
}

/** Counts the long polls that wait, by token. */
export class Waiters {
  readonly #waiting = new Map<string, number>()

  /** @returns a function to be called when the long poll ends @throws Problem rate-limited */
  enter(token: string): () => void {
    const count = this.#waiting.get(token) ?? 0
    if (count >= WAITERS_MAX)
      throw new Problem(
        'rate-limited',
        `at most ${WAITERS_MAX} long polls of a token wait at once; ask without wait, or after Retry-After`,
        { headers: { 'retry-after': '5' } },
      )
    this.#waiting.set(token, count + 1)
    return () => void this.#waiting.set(token, (this.#waiting.get(token) ?? 1) - 1)
  }
}

/** The changes after a cursor, as JSON. Where there are none, it waits for one for `wait` seconds. */
export async function readChanges(
  catalog: Catalog,
  caller: Caller,
  waiters: Waiters,
  query: ChangesValues,
  signal: AbortSignal,
): Promise<string> {
  const { slug } = catalog.find(query.store)
  const asked = query.limit ?? query.per_page ?? WINDOW
  const limit = query.expand === undefined ? asked : Math.min(asked, EXPANDED_MAX)
  const read = () => catalog.log.window(slug, fromOf(query), limit)
  if (query.wait === 0 || query.since === 'now') return changesText(catalog, caller, slug, query, read())
  const leave = waiters.enter(caller.token)
  try {
    const deadline = performance.now() + query.wait * 1_000
    let window = read()
    while (window.changes.length === 0 && (await changed(catalog, deadline - performance.now(), signal)))
      window = read()
    return changesText(catalog, caller, slug, query, window)
  } finally {
    leave()
  }
}

/** Waits for a change of the catalog. @returns false when the time is over */
function changed(catalog: Catalog, ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      forget()
      signal.removeEventListener('abort', abort)
    }
    const abort = () => {
      end()
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    const timer = setTimeout(() => {
      end()
      resolve(false)
    }, ms)
    const forget = catalog.onChange(() => {
      end()
      resolve(true)
    })
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })
}

function changesText(
  catalog: Catalog,
  caller: Caller,
  slug: string,
  { expand, fields }: ChangesValues,
  { changes, next, hasMore }: ReturnType<Catalog['log']['window']>,
): string {
  const plain = JSON.stringify({
    changes: changes.map(({ productId, kinds, at }) => ({
      product_id: productId,
      change_type: kinds.at(-1),
      change_types: kinds,
      created_at: timestamp(at),
    })),
    next_since: timestamp(next.since),
    next_id: next.id,
    store: slug,
    has_more: hasMore,
  })
  if (expand === undefined) return plain
  const products = changes.flatMap(({ productId }) => {
    const listed = catalog.listed(slug).get(productId)
    return listed === undefined ? [] : [textWith(seenBy(caller, listed), fields)]
  })
  return `${plain.slice(0, -1)},"products":[${products.join(',')}]}`
}

/** All products of a store, as a JSON array or as lines of JSON. */
export async function readExport(
  catalog: Catalog,
  caller: Caller,
  query: Values<(typeof QUERIES)['export']>,
  accept: string | null,
): Promise<Reply> {
  const store = catalog.find(query.store)
  const { fields } = query
  const weights = weightsOf(accept ?? '')
  const wanted = weights.get('application/x-ndjson') ?? 0
  const isLines = wanted > 0 && wanted >= (weights.get('application/json') ?? 0)
  const { since, id } = catalog.log.head
  const choice = fields === undefined ? '' : `-${(await catalog.hash([...fields].join(), 'base64url')).slice(0, 24)}`
  const tag = `${store.id}-${id}${isLines ? '-lines' : ''}${caller.seesCosts ? '' : '-without-costs'}${choice}${query.locales === undefined ? '' : '-locales'}`
  const locales = query.locales === undefined ? null : openLocales(catalog, store, fields)
  const texts = catalog.all(store.slug).map((one) => {
    const text = seenBy(caller, one)
    return locales === null ? textWith(text, fields) : locales.add(text)
  })
  const array = texts.length === 0 ? '[]\n' : `[\n${texts.join(',\n')}\n]\n`
  return {
    status: 200,
    headers: {
      etag: `W/"${tag}"`,
      'content-type': isLines ? 'application/x-ndjson' : 'application/json; charset=utf-8',
      'shelfwire-next-since': timestamp(since),
      'shelfwire-next-id': String(id),
      vary: 'Authorization, Accept, Accept-Encoding',
    },
    body: isLines ? texts.map((text) => `${text}\n`).join('') : array,
  }
}

/** Names in an Accept header, with their weights. */
function weightsOf(accepted: string): Map<string, number> {
  return new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((entry) => {
        const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
        const weight = parameters.find((part) => part.startsWith('q='))
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
      }),
  )
}

const asOf = (catalog: Catalog, store: string) => ({
  store,
  next_since: timestamp(catalog.log.head.since),
  next_id: catalog.log.head.id,
})

const halvesOf = (half: Half | undefined) => HALVES.filter((one) => half === undefined || one === half)

export async function readDigest(
  catalog: Catalog,
  caller: Caller,
  query: Values<(typeof QUERIES)['digest']>,
): Promise<string> {
  const { slug } = catalog.find(query.store)
  const { half, after_block: afterBlock = -1, limit } = query
  const isComputed = !caller.seesCosts && half !== 'content'
  const most = isComputed ? Math.min(limit, BLOCKS_WITHOUT_COSTS) : limit
  const blocks = new Map<number, Listed[]>()
  for (const one of catalog.all(slug)) {
    const block = blockOf(one.id)
    if (block > afterBlock) blocks.set(block, [...(blocks.get(block) ?? []), one])
  }
  const shown = [...blocks].slice(0, most)
  const data = []
  for (const [block, products] of shown) {
    const sums = { content: new BlockDigest(), price: new BlockDigest() }
    for (const one of products) {
      const tags = await catalog.tags(one, seenBy(caller, one))
      for (const each of HALVES) await sums[each].add(one.id, tags[each], catalog.hash)
    }
    const digests = halvesOf(half).map((each) => [each, sums[each].hex])
    data.push({ block, products: products.length, ...Object.fromEntries(digests) })
  }
  const next = blocks.size > shown.length ? (shown.at(-1)?.[0] ?? null) : null
  return JSON.stringify({ data, ...asOf(catalog, slug), meta: { next_after_block: next } })
}

export async function readTags(
  catalog: Catalog,
  caller: Caller,
  query: Values<(typeof QUERIES)['tags']>,
): Promise<string> {
  const { slug } = catalog.find(query.store)
  const { half, after_id: afterId, limit } = query
  const after = catalog.all(slug).filter(({ id }) => id > afterId)
  const shown = after.slice(0, limit)
  const data = []
  for (const one of shown) {
    const tags = await catalog.tags(one, seenBy(caller, one))
    data.push({ id: one.id, ...Object.fromEntries(halvesOf(half).map((each) => [each, tags[each]])) })
  }
  const next = after.length > limit ? (shown.at(-1)?.id ?? null) : null
  return JSON.stringify({ data, ...asOf(catalog, slug), meta: { next_after_id: next } })
}
