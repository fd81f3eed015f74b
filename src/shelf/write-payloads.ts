import type { Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { RESOLVER_VERSION } from '../resolve/resolve.ts'
import { blocksAdd, changesWrite, type NewChange } from './change-counter.sql.ts'
import type { Verdict } from './diff.ts'
import { historyAppend, type HistoryRow } from './price-history.sql.ts'
import { holdsDelete, holdsUpsert, type HoldKey, type HoldRow } from './price-holds.sql.ts'
import { byKey, type PayloadKey } from './payload-key.ts'
import { contentUpsert, payloadsDelete, priceUpsert, type ContentRow, type PriceRow } from './payloads.sql.ts'

/** All that a batch writes. Everything in it is in key order: by store, then by product. */
export interface Writing {
  contents: ContentRow[]
  prices: PriceRow[]
  /** Prices that are others than before, and products that left, for the history of prices. */
  history: HistoryRow[]
  /** Payloads of products that left a store's catalog. */
  leaving: PayloadKey[]
  changes: NewChange[]
  /** Payloads more or less per block of ids. */
  counts: { storeId: number; block: number; delta: number }[]
  holds: { keep: HoldRow[]; gone: HoldKey[] }
}

/** What judged payloads come to. */
export function writingOf(verdicts: readonly Verdict[], holds: Writing['holds']): Writing {
  const ordered = verdicts
    .filter((verdict) => verdict.writeContent || verdict.writePrice || verdict.change !== null)
    .sort((a, b) => byKey(a.fresh, b.fresh))
  return {
    contents: ordered.flatMap(({ fresh: { storeId, productId, halves }, writeContent }) =>
      halves !== null && writeContent
        ? [{ storeId, productId, tag: halves.contentTag, body: halves.content, sku: halves.sku }]
        : [],
    ),
    prices: ordered.flatMap(({ fresh: { storeId, productId, halves }, shown }) =>
      halves !== null && shown !== null
        ? [{ storeId, productId, tag: halves.priceTag, body: halves.price, exclusion: halves.exclusion, shown }]
        : [],
    ),
    history: ordered.flatMap(({ fresh: { storeId, productId }, isRepriced, shown }) =>
      isRepriced ? [{ storeId, productId, shown }] : [],
    ),
    leaving: ordered.filter((verdict) => verdict.delta === -1).map((verdict) => verdict.fresh),
    changes: ordered.flatMap(({ fresh: { storeId, productId }, change }) =>
      change === null ? [] : [{ storeId, productId, ...change }],
    ),
    counts: blockCounts(ordered),
    holds,
  }
}

/** Two writings of different products as one. */
export function joinWritings(a: Writing, b: Writing): Writing {
  const join = <T extends PayloadKey>(left: readonly T[], right: readonly T[]) =>
    right.length === 0 ? [...left] : [...left, ...right].sort(byKey)
  return {
    contents: join(a.contents, b.contents),
    prices: join(a.prices, b.prices),
    history: join(a.history, b.history),
    leaving: join(a.leaving, b.leaving),
    changes: join(a.changes, b.changes),
    counts: [...a.counts, ...b.counts],
    holds: { keep: [...a.holds.keep, ...b.holds.keep], gone: [...a.holds.gone, ...b.holds.gone] },
  }
}

/** Steps 5 and 6: holds and payloads in key order, then the counter, and under it the changes and the block counts. */
export async function write(tx: Tx, accountId: number, writing: Writing): Promise<void> {
  const { contents, prices, history, leaving, changes, counts, holds } = writing
  await holdsUpsert(tx, accountId, holds.keep)
  await holdsDelete(tx, accountId, holds.gone)
  // sent together, in whatever order: the products are ours, and every lock that can wait comes before the counter
  const steps: Promise<unknown>[] = []
  for (const slice of slices(contents)) steps.push(contentUpsert(tx, accountId, RESOLVER_VERSION, slice))
  for (const slice of slices(prices)) steps.push(priceUpsert(tx, accountId, RESOLVER_VERSION, slice))
  if (history.length > 0) steps.push(historyAppend(tx, accountId, history))
  if (leaving.length > 0) steps.push(payloadsDelete(tx, accountId, leaving))
  await Promise.all(steps)
  if (changes.length === 0) return
  // numbered by product, so that a reader of all stores finds what happened to a product side by side
  const numbered = changes.toSorted((a, b) => a.productId - b.productId || a.storeId - b.storeId)
  await Promise.all([
    changesWrite(tx, accountId, numbered),
    ...(counts.length > 0 ? [blocksAdd(tx, accountId, counts)] : []),
  ])
}

/** Rows in parts of so many characters, so that no statement grows beyond what a string or a server can hold. */
function* slices<T extends { body: string }>(rows: readonly T[]): Generator<T[]> {
  let slice: T[] = []
  let characters = 0
  for (const row of rows) {
    if (slice.length > 0 && characters + row.body.length > LIMITS.shelveStatementCharacters) {
      yield slice
      slice = []
      characters = 0
    }
    slice.push(row)
    characters += row.body.length
  }
  if (slice.length > 0) yield slice
}

function blockCounts(verdicts: readonly Verdict[]): Writing['counts'] {
  const counts = new Map<string, { storeId: number; block: number; delta: number }>()
  for (const { fresh, delta } of verdicts) {
    if (delta === 0) continue
    const block = Math.floor(fresh.productId / LIMITS.idBlockSize)
    const key = `${fresh.storeId}.${block}`
    const count = counts.get(key) ?? { storeId: fresh.storeId, block, delta: 0 }
    count.delta += delta
    counts.set(key, count)
  }
  return [...counts.values()].filter((count) => count.delta !== 0)
}
