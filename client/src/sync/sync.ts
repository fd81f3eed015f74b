import { ShelfwireError } from '../error.ts'
import { noAnswer, sleep } from '../sender.ts'
import type { ChangesQuery, Export, ListQuery, OfStore } from '../queries.ts'
import type { ChangeList, List, Product } from '../answers.ts'
import { cursorAfter, positionOf, positionText, type Filling, type Following } from './position.ts'
import type { Batch, Target } from './target.ts'
import { batchOf, receivedProductOf, parsedProductOf, takesTexts, type ReceivedProduct } from './unread.ts'
import { inPages, wholeExport, type Pages } from './whole-export.ts'

// A mirror of stores: filled from the export, then kept up to date by the change feed. However it ends, it continues from the position in its target.

/** The functions of the client that a mirror uses. */
interface Shelf {
  products: Pages & { list(query: ListQuery): Promise<List<Product>> }
  changes(query: ChangesQuery): Promise<ChangeList>
  export(query: OfStore): Promise<Export>
}

export interface SyncOptions {
  /** Slugs. */
  stores: readonly string[]
  target: Target
  /** Seconds for which the service holds a request until there is a change; 25 unless set. With 0 the feed is read every `everyMs`, and after a `hint`. */
  wait?: number
  /** Milliseconds between two requests where `wait` is 0; 60,000 unless set. */
  everyMs?: number
  /** Called after each step, and with errors after which `run` tries again. */
  onStatus?: (status: Status) => void
}

export type Status =
  | { store: string; state: 'filling'; products: number }
  /** Every change that was committed before the latest answer is in the target. */
  | { store: string; state: 'current' }
  | { store: string; state: 'following'; products: number; removed: number }
  /** The service was restored from a backup older than the mirror's cursor: the store is filled again. */
  | { store: string; state: 'reset' }
  /** Another process works on this store. */
  | { store: string; state: 'waiting' }
  /** The store is not active, or not of this account. What the target has of it stays. */
  | { store: string; state: 'unknown-store' }
  | { store: string; state: 'retrying'; error: unknown; pauseMs: number }

const BATCH = 200
/** How many IDs a target is asked for at once. */
const HELD = 1_000
const PAUSE_MAX_MS = 30_000
/** The longest Retry-After that is obeyed. A longer one was probably not meant for us, and would end the mirror in effect. */
const ASKED_MAX_MS = 3_600_000
const UNKNOWN_STORE_MS = 30_000
/** How long another process may fill without progress before it counts as gone. */
const FILLER_SILENT_MS = 60_000
/** After so long a batch of a fill is written even if it is not full. Otherwise, where products arrive slowly, other processes would take this one for gone. */
const FILL_MS = 15_000
/** In characters of lines. A batch of large products is written before it is full, because it is in memory as a whole. */
const FILL_LENGTH = 2 ** 24
/** How often another process's fill is looked at. */
const SAME_FILLER_MS = 1_000

/** Codes of errors that end a run, because trying again would not help. */
const ENDING = new Set(['missing-token', 'invalid-token', 'token-without-account', 'not-shelfwire'])

const isOfUnknownStore = (error: unknown): boolean => error instanceof ShelfwireError && error.code === 'unknown-store'

export class Sync {
  readonly #shelf: Shelf
  readonly #options: SyncOptions
  /** Identifies this process as the one that fills. */
  readonly #by: string = crypto.randomUUID()
  /** Stores in which this process has found another one's fill. The first time it assumes that the other has ended, and takes over. */
  readonly #yielded = new Set<string>()
  /** How many batches the target took without an error, by store. */
  readonly #batches = new Map<string, number>()
  #hints = 0
  readonly #waiting = new Set<() => void>()

  constructor(shelf: Shelf, options: SyncOptions) {
    this.#shelf = shelf
    this.#options = options
  }

  /** To be called when a webhook announces a change: a `run` with `wait` 0 reads the feed now. */
  hint(): void {
    this.#hints++
    for (const wake of this.#waiting) wake()
  }

  /**
   * Keeps the mirror until the signal is aborted, which is how it ends without an error.
   * @throws ShelfwireError where the token or the address is wrong
   */
  async run({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#each(signal, (store, ending) => this.#keep(store, ending))
  }

  /**
   * Reads until every store is current, and ends: for a schedule.
   * @throws the first error, after the client's own attempts. That a store is not active is thrown only when the others are current
   */
  async once({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    const unknown: unknown[] = []
    await this.#each(signal, async (store, ending) => {
      try {
        while (!(await this.#step(store, 0, ending)));
      } catch (error) {
        if (!isOfUnknownStore(error)) throw error
        this.#tell({ store, state: 'unknown-store' })
        unknown.push(error)
      }
    })
    if (unknown.length > 0) throw unknown[0]
  }

  /** All stores at once; the first error ends them all. */
  async #each(
    signal: AbortSignal | undefined,
    work: (store: string, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const failed = new AbortController()
    const ending = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal])
    const ends = await Promise.allSettled(
      this.#options.stores.map(async (store) => {
        try {
          await work(store, ending)
        } catch (error) {
          if (!ending.aborted) failed.abort(error)
          throw error
        }
      }),
    )
    if (failed.signal.aborted) throw failed.signal.reason
    if (signal?.aborted === true) return
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  async #keep(store: string, signal: AbortSignal): Promise<void> {
    // the first request does not wait for a change: it finds out whether the store is current
    let isCurrent = false
    for (let failures = 0; !signal.aborted;) {
      const hints = this.#hints
      const batches = this.#batches.get(store)
      try {
        isCurrent = await this.#step(store, isCurrent ? (this.#options.wait ?? 25) : 0, signal)
        failures = 0
        if (isCurrent && this.#options.wait === 0 && hints === this.#hints) await this.#untilHint(signal)
      } catch (error) {
        if (signal.aborted) return
        isCurrent = false
        if (error instanceof ShelfwireError && ENDING.has(error.code) && !error.isPassing) throw error
        // only failures without progress in between lengthen the pause: a fill that fails now and then continues
        failures = this.#batches.get(store) === batches ? failures + 1 : 1
        await this.#pause(store, error, failures, signal)
      }
    }
  }

  async #pause(store: string, error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    const isUnknown = isOfUnknownStore(error)
    const asked = error instanceof ShelfwireError && error.retryAfter !== null ? error.retryAfter * 1_000 : 0
    const pauseMs = isUnknown
      ? UNKNOWN_STORE_MS
      : Math.max(Math.min(ASKED_MAX_MS, asked), Math.min(PAUSE_MAX_MS, 250 * 2 ** failures) * (0.5 + Math.random() / 2))
    this.#tell(isUnknown ? { store, state: 'unknown-store' } : { store, state: 'retrying', error, pauseMs })
    await sleep(pauseMs, signal).catch(() => {})
  }

  async #untilHint(signal: AbortSignal): Promise<void> {
    const hinted = new AbortController()
    const wake = () => hinted.abort()
    this.#waiting.add(wake)
    await sleep(this.#options.everyMs ?? 60_000, AbortSignal.any([signal, hinted.signal])).catch(() => {})
    this.#waiting.delete(wake)
  }

  #tell(status: Status): void {
    this.#options.onStatus?.(status)
  }

  /** One window of the feed, or a whole fill. @returns whether the store is current */
  async #step(store: string, wait: number, signal: AbortSignal): Promise<boolean> {
    const text = await this.#options.target.position(store)
    if (text === null) return this.#beginFill(store, null, signal)
    const position = positionOf(store, text)
    if (position.kind === 'filling') return this.#goOnFilling(store, text, position, signal)
    return this.#follow(store, text, position, wait, signal)
  }

  async #follow(store: string, from: string, position: Following, wait: number, signal: AbortSignal): Promise<boolean> {
    const { since, since_id } = position
    const answer = await this.#shelf
      .changes({ store, cursor: { since, since_id }, wait, limit: BATCH, expand: true, signal })
      .catch((error: unknown) => {
        if (error instanceof ShelfwireError && error.code === 'cursor-ahead') return null
        throw error
      })
    if (answer === null) {
      this.#tell({ store, state: 'reset' })
      return this.#beginFill(store, from, signal)
    }
    const { changes, has_more: hasMore } = answer
    const next: Following = { kind: 'following', ...cursorAfter(position, answer) }
    const ids = changes.map((change) => change.product_id)
    // older services do not know `expand` and leave the products out
    const products =
      answer.products ?? (ids.length === 0 ? [] : (await this.#shelf.products.list({ store, ids, signal })).data)
    const listed = new Set(products.map(({ id }) => id))
    if (changes.length > 0 || next.since_id !== since_id || next.since !== since) {
      // a product that the answer lacks has left the store after its change
      const removed = ids.filter((id) => !listed.has(id))
      const isWritten = await this.#apply({ store, from, position: positionText(next), products, removed, changes })
      if (!isWritten) return false
      if (changes.length > 0)
        this.#tell({ store, state: 'following', products: products.length, removed: removed.length })
    }
    if (!hasMore) this.#tell({ store, state: 'current' })
    return !hasMore
  }

  /** Fills a store from the export, whose cursor is saved before the first product. */
  async #beginFill(store: string, from: string | null, signal: AbortSignal): Promise<boolean> {
    const { cursor, lines, cancel } = await this.#shelf.export({ store, signal })
    try {
      const position: Filling = { kind: 'filling', ...cursor, by: this.#by, after: 0 }
      const text = positionText(position)
      if (!(await this.#apply({ store, from, position: text, products: [], removed: [], changes: [] }))) return false
      const cameOf = takesTexts(this.#options.target) ? receivedProductOf : parsedProductOf
      const all = wholeExport(lines, this.#shelf.products, { store, signal }, cameOf, (error) =>
        this.#tell({ store, state: 'retrying', error, pauseMs: 0 }),
      )
      return await this.#fill(store, text, position, all)
    } finally {
      // an export of which nothing was read would otherwise stay open, and occupy one of the few that an account may run
      cancel()
    }
  }

  /** Continues a fill that this process or another one began. */
  async #goOnFilling(store: string, text: string, position: Filling, signal: AbortSignal): Promise<boolean> {
    if (position.by !== this.#by && (await this.#isAnotherFilling(store, text, signal))) return false
    const own: Filling = { ...position, by: this.#by }
    const taken = positionText(own)
    if (
      taken !== text &&
      !(await this.#apply({ store, from: text, position: taken, products: [], removed: [], changes: [] }))
    )
      return false
    // an export cannot begin in the middle; pages can
    return this.#fill(store, taken, own, inPages(this.#shelf.products, { store, afterId: position.after, signal }))
  }

  /** Whether another process is filling the store: its position moves within `FILLER_SILENT_MS`. The first time it is taken for gone without waiting. */
  async #isAnotherFilling(store: string, text: string, signal: AbortSignal): Promise<boolean> {
    if (!this.#yielded.has(store)) {
      this.#yielded.add(store)
      return false
    }
    this.#tell({ store, state: 'waiting' })
    for (const from = performance.now(); performance.now() - from < FILLER_SILENT_MS;) {
      await sleep(SAME_FILLER_MS, signal)
      if ((await this.#options.target.position(store)) !== text) return true
    }
    return false
  }

  async #fill(
    store: string,
    from: string,
    position: Filling,
    products: AsyncIterable<ReceivedProduct[]>,
  ): Promise<boolean> {
    let [text, after, count] = [from, position.after, 0]
    const size = this.#options.target.fillSize ?? BATCH
    let batch: ReceivedProduct[] = []
    let [last, length, written] = [after, 0, performance.now()]
    /** Writes the batch, and removes other products of the target up to an id, a page of the target's ids at a time. The last page saves `next`. */
    const write = async (upTo: number, next: Filling | Following): Promise<boolean> => {
      for (let isLast = false; !isLast;) {
        const held = await this.#options.target.ids(store, after, HELD)
        const end = Math.min(upTo, held.length < HELD ? upTo : (held.at(-1) ?? upTo))
        isLast = end === upTo
        const shown = batch.filter(({ id }) => id <= end)
        const listed = new Set(shown.map(({ id }) => id))
        const removed = held.filter((id) => id <= end && !listed.has(id))
        const nextText = positionText(isLast ? next : { ...position, after: end })
        if (!(await this.#apply(batchOf({ store, from: text, position: nextText, removed, changes: [] }, shown))))
          return false
        count += shown.length
        ;[text, after, batch] = [nextText, end, batch.slice(shown.length)]
      }
      ;[length, written] = [0, performance.now()]
      this.#tell({ store, state: 'filling', products: count })
      return true
    }
    const writeAll = () => write(last, { ...position, after: last })
    for await (const some of products) {
      for (const one of some) {
        // products out of order would be removed from the target, as if they had left the store
        if (one.id <= last) throw noAnswer(`product ${one.id} came after product ${last}`)
        last = one.id
        batch.push(one)
        length += one.line?.length ?? 0
        if ((batch.length >= size || length >= FILL_LENGTH) && !(await writeAll())) return false
      }
      if (batch.length > 0 && performance.now() - written >= FILL_MS && !(await writeAll())) return false
    }
    const { since, since_id } = position
    await write(Number.MAX_SAFE_INTEGER, { kind: 'following', since, since_id })
    // the changes since the beginning of the fill are still to be read
    return false
  }

  async #apply(batch: Batch): Promise<boolean> {
    const isWritten = await this.#options.target.apply(batch)
    this.#batches.set(batch.store, (this.#batches.get(batch.store) ?? 0) + 1)
    return isWritten
  }
}
