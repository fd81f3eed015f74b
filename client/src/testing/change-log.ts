import type { ChangeType } from '../answers.ts'
import { Problem } from './problem.ts'

// The change feed of a fake: numbers ascend over all stores, and each product has only its latest change.

/** The position from which the feed is read. Times are Unix seconds. */
export type From =
  | { kind: 'beginning' | 'now' }
  | { kind: 'second'; since: number }
  | { kind: 'pair'; since: number; id: number }

export interface ChangeRow {
  productId: number
  at: number
  changeId: number
  price: number | null
  content: number | null
  removed: number | null
}

interface Window {
  changes: { productId: number; kinds: ChangeType[]; at: number }[]
  next: { since: number; id: number }
  hasMore: boolean
}

/** How many numbers the service skips after a restored backup. */
const FENCE_JUMP = 1_000_000_000

export class ChangeLog {
  readonly #now: () => number
  #lastId = 0
  #lastAt: number
  /** By store, then by product; the rows of a store are in the order of their numbers. */
  #rows = new Map<string, Map<number, ChangeRow>>()
  #fences: { after: number; before: number }[] = []

  /** @param now the clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now
    this.#lastAt = Math.floor(now() / 1_000)
  }

  /** The newest cursor. */
  get head(): { since: number; id: number } {
    return { since: this.#lastAt, id: this.#lastId }
  }

  /** Adds a change of a product. Of its kinds, price gets a number before content. */
  add(store: string, productId: number, kinds: readonly ChangeType[]): void {
    // the time never goes back, even if the clock does
    this.#lastAt = Math.max(this.#lastAt, Math.floor(this.#now() / 1_000))
    const ofStore = this.#rows.get(store) ?? new Map<number, ChangeRow>()
    this.#rows.set(store, ofStore)
    const before = kinds.includes('removed') ? undefined : ofStore.get(productId)
    const number = (kind: ChangeType) => (kinds.includes(kind) ? ++this.#lastId : null)
    const row = {
      productId,
      at: this.#lastAt,
      price: number('price') ?? before?.price ?? null,
      content: number('content') ?? before?.content ?? null,
      removed: number('removed'),
    }
    // moved to the end of the store's rows
    ofStore.delete(productId)
    ofStore.set(productId, { ...row, changeId: this.#lastId })
  }

  /** @throws Problem cursor-ahead */
  window(store: string, from: From, limit: number): Window {
    const { head } = this
    if (from.kind === 'pair') this.#requireKnown(from)
    if (from.kind === 'now') return { changes: [], next: head, hasMore: false }
    const since = 'since' in from ? from.since : 0
    const id = from.kind === 'pair' ? from.id : 0
    const rows = [...(this.#rows.get(store)?.values() ?? [])].filter(
      ({ at, changeId }) => at > since || (at === since && changeId > id),
    )
    const found = rows.slice(0, limit)
    const last = found.at(-1)
    const after = from.kind === 'second' ? this.#lastBefore(since) : id
    return {
      changes: found.map((row) => ({ productId: row.productId, kinds: kindsAfter(row, after), at: row.at })),
      next: last === undefined ? this.#emptyNext(from) : { since: last.at, id: last.changeId },
      hasMore: rows.length > limit,
    }
  }

  #emptyNext(from: From): { since: number; id: number } {
    if (from.kind === 'pair') return { since: from.since, id: from.id }
    if (from.kind === 'second' && from.since <= this.#lastAt) return { since: from.since, id: 0 }
    return this.head
  }

  #requireKnown({ since, id }: { since: number; id: number }): void {
    const isFenced = this.#fences.some(({ after, before }) => after < id && before > id)
    if (id <= this.#lastId && since <= this.#lastAt && !isFenced) return
    throw new Problem(
      'cursor-ahead',
      'the cursor is ahead of this feed, as after a backup was restored: read again without since and since_id, and delete products that this does not return',
    )
  }

  /** The highest number of a row from before a second, in any store. */
  #lastBefore(since: number): number {
    const before = [...this.#rows.values()].flatMap((rows) => [...rows.values()].filter(({ at }) => at < since))
    return before.reduce((most, { changeId }) => Math.max(most, changeId), 0)
  }

  /** @returns a function that returns to the present state. Cursors from after it are then `cursor-ahead`. */
  remember(): () => void {
    const rows = copy(this.#rows)
    const [lastId, fences] = [this.#lastId, this.#fences]
    return () => {
      this.#rows = copy(rows)
      const lost = Math.max(this.#lastId, lastId)
      this.#lastId = lost + FENCE_JUMP
      this.#fences = [...fences, { after: lastId, before: this.#lastId }]
      this.#lastAt = Math.max(this.#lastAt, Math.floor(this.#now() / 1_000))
    }
  }
}

const copy = (rows: ReadonlyMap<string, ReadonlyMap<number, ChangeRow>>) =>
  new Map(Array.from(rows, ([store, ofStore]) => [store, new Map(ofStore)]))

function kindsAfter({ price, content, removed }: ChangeRow, after: number): ChangeType[] {
  const numbered: [number | null, ChangeType][] = [
    [price, 'price'],
    [content, 'content'],
    [removed, 'removed'],
  ]
  const all = numbered
    .flatMap(([number, kind]) => (number === null ? [] : [{ number, kind }]))
    .sort((a, b) => a.number - b.number)
  const later = all.filter(({ number }) => number > after)
  // none is later where `since` and `since_id` are from two cursors: then all kinds are named
  return (later.length > 0 ? later : all).map(({ kind }) => kind)
}
