import type { Query, Tx } from '../../db/sql.ts'
import { slicesBySize } from '../../db/statements/statement-slices.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import { RESOLVER_VERSION } from '../../resolve/resolve.ts'
import { GAPS } from '../../model/gaps.ts'
import {
  blocksAdd,
  changesWrite,
  counterLock,
  type BlockCount,
  type ChangeNumbers,
  type NewChange,
  changeRows,
} from './change-counter.sql.ts'
import type { PayloadDiff } from './diff.ts'
import { digestChange } from './digest.ts'
import { historyAppend, type HistoryRow } from './price-history.sql.ts'
import { holdsDelete, holdsUpsert, type HoldKey, type HoldRow } from './price-holds.sql.ts'
import { byKey, keyOf, type PayloadKey } from './payload-key.ts'
import { addTerms, type KnownTerms } from '../search/search-terms.ts'
import { writeSearch, type SearchWrites } from '../search/search-index.ts'
import { contentsWrite, payloadsDelete, pricesWrite, type ContentRow, type PriceRow } from './payloads.sql.ts'
import { must } from '../../platform/must.ts'

/** All rows that a batch writes, in key order: by store, then by product. */
export interface BatchWrites {
  contents: ContentRow[]
  prices: PriceRow[]
  /** Rows of the price history: prices that changed, and products that left. */
  history: HistoryRow[]
  /** Payloads of products that left a store's catalog. */
  leaving: PayloadKey[]
  changes: NewChange[]
  /** Per block of ids, the differences in counts and digests. */
  counts: BlockCount[]
  holds: { keep: HoldRow[]; gone: HoldKey[] }
  search: SearchWrites
}

/** The rows to be written for these differences. @param alone keyOf of halves stored without the other half */
export function batchWrites(
  diffs: readonly PayloadDiff[],
  alone: ReadonlySet<string>,
  holds: BatchWrites['holds'],
  search: SearchWrites,
): BatchWrites {
  const ordered = diffs
    .filter((diff) => diff.writeContent || diff.writePrice || diff.change !== null)
    .sort((a, b) => byKey(a.fresh, b.fresh))
  const isNew = ({ fresh, delta }: PayloadDiff) => delta === 1 && (alone.size === 0 || !alone.has(keyOf(fresh)))
  return {
    contents: ordered.flatMap((diff) => {
      const { storeId, productId, halves } = diff.fresh
      return halves !== null && diff.writeContent
        ? [
            {
              isNew: isNew(diff),
              storeId,
              productId,
              tag: halves.contentTag,
              body: halves.content,
              sku: halves.sku,
              updatedAt: halves.updatedAt,
              gaps: halves.gaps.content,
            },
          ]
        : []
    }),
    prices: ordered.flatMap((diff) => {
      const { storeId, productId, halves } = diff.fresh
      const { shown } = diff
      return halves !== null && shown !== null
        ? [
            {
              isNew: isNew(diff),
              storeId,
              productId,
              tag: halves.priceTag,
              body: halves.price,
              exclusion: halves.exclusion,
              shown,
              gaps: halves.gaps.price,
            },
          ]
        : []
    }),
    history: ordered.flatMap(({ fresh: { storeId, productId }, isRepriced, shown }) =>
      isRepriced ? [{ storeId, productId, shown }] : [],
    ),
    leaving: ordered.filter((diff) => diff.delta === -1).map((diff) => diff.fresh),
    changes: ordered.flatMap(({ fresh: { storeId, productId }, change, delta }) =>
      change === null ? [] : [{ storeId, productId, isEntering: delta === 1, ...change }],
    ),
    counts: blockCounts(
      ordered.map(({ fresh: { storeId, productId, halves }, before, delta, gapDeltas }) => ({
        storeId,
        productId,
        delta,
        gapDeltas,
        content: digestChange(productId, before?.contentTag ?? null, halves?.contentTag ?? null),
        price: digestChange(productId, before?.priceTag ?? null, halves?.priceTag ?? null),
      })),
    ),
    holds,
    search,
  }
}

/** Writes a batch in parts: step 5 of T2 for each part, and step 6, which locks the counter until the commit, once at the end. */
export function openWritten(tx: Tx, accountId: number, terms: KnownTerms) {
  const changes: NewChange[] = []
  /** Rows of the change log for entering payloads, one query per part. */
  const logged: ReturnType<typeof changeRows>[] = []
  const lexemes = new Set<string>()
  /** By store and block, so that each block is written once. */
  const counts = new Map<string, BatchWrites['counts'][number]>()
  return {
    /**
     * Writes the holds, payloads, history and search rows of a part. @param isLast do not wait for the statements: step 6 and the commit are sent
     * right after them.
     */
    async add(writes: BatchWrites, isLast: boolean): Promise<void> {
      const { contents, prices, history, leaving, holds, search } = writes
      // sent together: the products are locked, and every lock that may have to wait is taken before the counter
      const steps: Query<unknown>[] = []
      const entering = writes.changes.filter(({ isEntering }) => isEntering)
      if (entering.length > 0) logged.push(readLogged(tx, accountId, entering))
      const send = (...given: Query<unknown>[]) => {
        for (const step of given) steps.push(step.execute())
      }
      // yields between slices: encoding long texts takes a while
      const yielding = openYielding()
      const sendSlices = async <Row extends ContentRow | PriceRow>(rows: readonly Row[], write: HalvesWrite<Row>) => {
        for (const [isNew, ofThese] of byNewness(rows))
          for (const slice of slicesBySize(ofThese, sizeOf)) {
            const pause = yielding()
            if (pause !== null) await pause
            send(write(tx, accountId, RESOLVER_VERSION, slice, isNew))
          }
      }
      if (holds.keep.length > 0) send(holdsUpsert(tx, accountId, holds.keep))
      if (holds.gone.length > 0) send(holdsDelete(tx, accountId, holds.gone))
      await sendSlices(contents, contentsWrite)
      await sendSlices(prices, pricesWrite)
      if (history.length > 0) send(historyAppend(tx, accountId, history))
      send(...payloadsDelete(tx, accountId, leaving), ...writeSearch(tx, accountId, search))
      if (!isLast) await Promise.all(steps)
      for (const found of search.lexemes) for (const lexeme of found) lexemes.add(lexeme)
      changes.push(...writes.changes)
      for (const count of writes.counts) {
        const key = `${count.storeId}.${count.block}`
        const known = counts.get(key)
        counts.set(key, known === undefined ? count : addedCount(known, count))
      }
    },
    /**
     * Writes the search terms of all parts, locks the counter, and sends the changes and the counts per block. @returns the number of changes, and
     * their numbers once known.
     */
    async number(): Promise<{ changes: number; numbers: Promise<ChangeNumbers | null> | null }> {
      // once and late, because others may wait for these rows; but before the counter, which every shelver of the account waits for
      await addTerms(tx, accountId, lexemes, terms)
      // payloads that return to a store; for other entering ones it is certain, under the products' locks, that the log has no row
      const left = new Set((await Promise.all(logged)).flat().map(keyOf))
      const changed = [...counts.values()].filter(
        ({ delta, gaps, content, price }) =>
          delta !== 0 || content !== 0n || price !== 0n || gaps.some((gap) => gap !== 0),
      )
      if (changes.length === 0 && changed.length === 0) return { changes: 0, numbers: null }
      if (changes.length === 0) {
        // only gaps, which clients do not read, or members that a newer resolver added: clients need no change
        void counterLock(tx, accountId)
        void blocksAdd(tx, accountId, changed)
        return { changes: 0, numbers: null }
      }
      // numbered by product, so that a reader of all stores finds a product's changes together
      const numbered = once(changes.toSorted((a, b) => a.productId - b.productId || a.storeId - b.storeId))
      const numbers = changesWrite(tx, accountId, numbered, left)
      if (changed.length > 0) void blocksAdd(tx, accountId, changed)
      return { changes: numbered.length, numbers }
    },
  }
}

/** Merges the changes of one payload: a product whose content was written alone may be resolved as a whole afterwards. @param changes in key order */
function once(changes: readonly NewChange[]): NewChange[] {
  const found: NewChange[] = []
  for (const change of changes) {
    const last = found.at(-1)
    if (last === undefined || last.productId !== change.productId || last.storeId !== change.storeId) found.push(change)
    else
      found[found.length - 1] = {
        ...change,
        isEntering: last.isEntering || change.isEntering,
        price: last.price || change.price,
        content: last.content || change.content,
      }
  }
  return found
}

function readLogged(tx: Tx, accountId: number, changes: readonly PayloadKey[]) {
  const storeIds = new Set(changes.map(({ storeId }) => storeId))
  const productIds = new Set(changes.map(({ productId }) => productId))
  return changeRows(tx, accountId, [...storeIds], [...productIds]).execute()
}

/** Splits rows into new ones and those that replace stored ones, each in order. */
function byNewness<T extends { isNew: boolean }>(rows: readonly T[]): [boolean, readonly T[]][] {
  const fresh = rows.filter(({ isNew }) => isNew)
  if (fresh.length === 0 || fresh.length === rows.length) return [[fresh.length > 0, rows]]
  return [
    [true, fresh],
    [false, rows.filter(({ isNew }) => !isNew)],
  ]
}

/** Writes rows of one half. */
type HalvesWrite<Row> = (
  tx: Tx,
  accountId: number,
  resolver: number,
  rows: readonly Row[],
  isNew: boolean,
) => Query<unknown>

const sizeOf = ({ body }: { body: string }) => body.length

/** A payload's contribution to the counts and digests of its block. */
export interface CountedPayload extends PayloadKey {
  delta: number
  /** In the order of GAPS; null: no gap changes. */
  gapDeltas: readonly number[] | null
  /** digestChange of both halves. */
  content: bigint
  price: bigint
}

/** Sums the differences in counts and digests per block of ids. */
export function blockCounts(payloads: readonly CountedPayload[]): BlockCount[] {
  const counts = new Map<string, BlockCount>()
  for (const { storeId, productId, delta, gapDeltas, content, price } of payloads) {
    if (delta === 0 && gapDeltas === null && content === 0n && price === 0n) continue
    const block = Math.floor(productId / LIMITS.idBlockSize)
    const key = `${storeId}.${block}`
    const count = { storeId, block, delta, gaps: gapDeltas ?? NO_GAP_DELTAS, content, price }
    const known = counts.get(key)
    counts.set(key, known === undefined ? count : addedCount(known, count))
  }
  return [...counts.values()]
}

const NO_GAP_DELTAS: readonly number[] = GAPS.map(() => 0)

const addedCount = (a: BlockCount, b: BlockCount): BlockCount => ({
  ...a,
  delta: a.delta + b.delta,
  gaps: b.gaps === NO_GAP_DELTAS ? a.gaps : a.gaps.map((gap, i) => gap + must(b.gaps[i])),
  content: a.content ^ b.content,
  price: a.price ^ b.price,
})
