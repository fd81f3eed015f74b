import { isStale, staleAccounts, stalePosition, type StalePosition } from '../catalog/stale/stale.sql.ts'
import { markedProducts } from '../catalog/stale/marks.sql.ts'
import type { Db, Tx } from '../db/sql.ts'
import { isServerError, rethrowAfterWrite } from '../db/connection-errors.ts'
import { inTransaction } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { asBusy, openFairTurns } from '../platform/turns/fair-turns.ts'
import { startLoop, type Loop } from '../platform/process/loop.ts'
import { tracer, type Notes, type Span, type TraceContext } from '../platform/tracing/tracing.ts'
import type { ShelvingProcess } from './apart/shelving-process.ts'
import { compiledAccounts, type CompiledAccounts } from './inputs/compiled-inputs.ts'
import { JoinedWrites, type JoinedBatch } from './joined-writes.ts'
import {
  batchProducts,
  productsWithin,
  shelveBatch,
  shelveWritten,
  type Shelved,
  type ShelvedCounts,
} from './shelve.ts'
import { sweepStep } from './sweep.ts'

/** How long a worker sleeps when nothing is stale, unless a writer's notification wakes it. */
const IDLE_MS = 1_000
/** How long all accounts are not looked through again after none was found. */
const LOOK_REST_MS = 500
/** How long to wait when other workers have locked everything that is stale. */
const LOCKED_MS = 10

/** What a write that is committed does not fail with. */
const LEFT_TO_WORKERS: ReadonlySet<string> = new Set(['newer-release', 'rate-limited'])
/** Problems by which all writes of a batch fail, and would fail by themselves. */
const FAILS_ALL: ReadonlySet<string> = new Set([
  'newer-release',
  'rate-limited',
  'database-unavailable',
  'writes-unavailable',
])

/** Turns for the transactions of requests: others do not wait until all transactions of one account are done. */
function openRequestTurns(connectionsMax: number) {
  const turns = openFairTurns('transactions of requests', {
    atOnce: Math.max(1, Math.floor(LIMITS.requestTransactionsShare * connectionsMax)),
    perKey: Math.max(1, Math.floor(LIMITS.requestTransactionsShareOfAccount * connectionsMax)),
    waitingMax: LIMITS.requestTransactionsWaitingMax,
    waitingPerKeyMax: LIMITS.requestTransactionsWaitingPerAccountMax,
  })
  return async <T>(accountId: number, work: () => Promise<T>): Promise<T> => {
    const turn = await turns.acquire(accountId).catch((error: unknown) => {
      throw asBusy(error, 'writes', LIMITS.requestTransactionsRetrySeconds)
    })
    using _turn = turn
    return await work()
  }
}

/** Computes payloads from what is known and stores those that differ, for writers at once, and in workers. */
export class Shelf {
  readonly #db: Db
  readonly #wake: Wake
  readonly #log: Log
  readonly #isServing: () => boolean
  readonly #inTurn: ReturnType<typeof openRequestTurns>
  /** Where each account's walk over its marks is; wraps around, so that no product starves. */
  readonly #positions = new Map<number, number>()
  readonly #accounts: CompiledAccounts
  readonly #joined: JoinedWrites<TraceContext | null>
  /** Traces of the writes that wait for the workers of this process; null where traces are off. */
  readonly #waiting: Notes | null = tracer()?.openNotes() ?? null
  #sweeping = 0
  #queue: number[] = []
  #isHinted = false
  /** When all accounts were last looked through, by performance.now(). */
  #lookedAt = -Infinity
  /** Whether it found some then: more may have come meanwhile, as in an import without notifications. */
  #hasFound = true
  /** Whether anything was shelved since the stale accounts were last read. */
  #hasProgress = true
  /** Since when workers have found something to do each time, by performance.now(); undefined: they had nothing to do. */
  #busySince: number | undefined
  #shelvedAt = -Infinity

  /**
   * @param isServing whether this process received a request a moment ago: then it sweeps with one worker, in small batches.
   * @param connectionsMax of the pool, of which requests take a part.
   */
  constructor(db: Db, wake: Wake, log: Log, isServing: () => boolean = () => false, connectionsMax = 10) {
    this.#db = db
    this.#wake = wake
    this.#log = log
    this.#isServing = isServing
    this.#inTurn = openRequestTurns(connectionsMax)
    this.#accounts = compiledAccounts(db)
    this.#joined = new JoinedWrites({
      shelve: (batch) => this.#shelveJoined(batch),
      mostOf: (accountId) => {
        const stores = this.#accounts.known(accountId)?.stores.length
        // until the account is compiled it is not known how many payloads a product has
        return stores === undefined ? 1 : productsWithin(LIMITS.joinedWritesMax, stores)
      },
      failsAll: (error) => isServerError(error) || (error instanceof ShelfwireError && FAILS_ALL.has(error.code)),
    })
  }

  /**
   * Runs `write` in a transaction (T1), then shelves (T2) the products that it returns and those whose group of variants changes by it, so that
   * what was written can be read and is in the feed when the promise resolves. Sweeps are left to the workers. Of a write larger than one batch, so
   * are the batches that do not begin within `waitMs` (0 by default: none begins), whose products are returned as `unshelved`.
   * The workers are notified when something is left to them; with `isForAll` false there is no sweep.
   */
  async write<T extends { productIds: readonly number[]; isForAll?: boolean; half?: 'price' | undefined }>(
    accountId: number,
    write: (tx: Tx) => Promise<T>,
    waitMs = 0,
  ): Promise<T & { unshelved: readonly number[] }> {
    using span = beginWrite(accountId)
    const written = await this.#inTurn(accountId, () => inTransaction(this.#db, write))
    span?.done({ 'shelfwire.products': written.productIds.length })
    let unshelved = written.productIds
    let isLeft = true
    try {
      if (unshelved.length > 0) unshelved = await this.#shelveNow(accountId, unshelved, written.half ?? null, waitMs)
      isLeft = unshelved.length > 0 || written.isForAll !== false
    } catch (error) {
      // the write is committed, and is shelved from its marks: by the newer release that runs on this database, or by the workers when its turn
      // among too many others is refused here. Nobody may be told that nothing was done
      if (!(error instanceof ShelfwireError && LEFT_TO_WORKERS.has(error.code))) rethrowAfterWrite(error)
      this.#log.warn({ err: error }, 'written, but not shelved here')
    } finally {
      // every worker of every process looks: a small write that is shelved already must not cost several times itself
      if (isLeft) this.#wake.notify('mark', accountId)
    }
    return { ...written, unshelved }
  }

  /**
   * Shelves until everything that is stale now (or was up to a position) is shelved, or the time is over; for commands
   * and requests that end when their work can be read.
   */
  async drain(
    accountId: number,
    onProgress: (shelved: ShelvedCounts) => void = () => {},
    { upTo, waitMs = Infinity }: { upTo?: StalePosition; waitMs?: number } = {},
  ): Promise<ShelvedCounts> {
    const total: ShelvedCounts = { products: 0, lastId: 0, changes: 0 }
    const deadline = performance.now() + waitMs
    const position = upTo ?? (await stalePosition(this.#db, accountId))
    while (performance.now() < deadline && (await isStale(this.#db, accountId, position))) {
      // two at a time: while one waits for PostgreSQL the other resolves
      const step = () => this.#inTurn(accountId, () => this.#accountStep(accountId))
      const both = [step(), step()]
      // when one fails the other is still awaited: nothing keeps running after this call
      await Promise.allSettled(both)
      const steps = await Promise.all(both)
      for (const { shelved } of steps) {
        total.products += shelved.products
        total.changes += shelved.changes
        total.lastId = Math.max(total.lastId, shelved.lastId)
      }
      onProgress(total)
      if (steps.every(({ shelved }) => shelved.products === 0))
        await new Promise((resolve) => setTimeout(resolve, LOCKED_MS))
    }
    return total
  }

  /** When workers last shelved something, by performance.now(). */
  get shelvedAt(): number {
    return this.#shelvedAt
  }

  /**
   * Starts a worker of this process. Any number of workers and processes may run.
   * @param apart what shelves in its place while requests are answered, if that takes long; null: there is nothing else
   */
  startWorker(name: string, apart: ShelvingProcess | null = null): Loop {
    const loop = startLoop({
      name,
      log: this.#log,
      idleMs: IDLE_MS,
      step: async () => (this.#leaveTo(apart) ? 'idle' : this.#workerStep()),
    })
    this.#wake.on('mark', (accountId, note) => {
      if (note !== undefined) this.#waiting?.add(accountId, note)
      this.#isHinted = true
      if (!this.#queue.includes(accountId)) this.#queue.push(accountId)
      loop.poke()
    })
    return loop
  }

  #notified(accountId: number, shelved: Shelved, span: Span | null) {
    if (span !== null) this.#notifyTraced(accountId, shelved, span)
    else if (shelved.changes > 0) this.#wake.notify('change', accountId)
    return shelved
  }

  #notifyTraced(accountId: number, { products, changes, numbers }: Shelved, span: Span): void {
    if (products === 0) span.drop()
    else span.done({ 'shelfwire.products': products, 'shelfwire.changes': changes })
    if (changes === 0) return
    // they are there: the transaction has committed
    void (numbers ?? Promise.resolve(null)).then((known) => {
      const note = known === null ? undefined : tracer()?.noteOf(span.context, known)
      this.#wake.notify('change', accountId, note)
    })
  }

  /** The span of a batch (T2), in the trace of the write that runs it or waits for it; null where traces are off. */
  #beginBatch(accountId: number, by: 'writer' | 'worker' | 'sweep', of?: readonly TraceContext[]): Span | null {
    const tracing = tracer()
    if (tracing === null) return null
    const current = tracing.current()
    const [parent = null, ...links] = of ?? (current === null ? (this.#waiting?.of(accountId) ?? []) : [current])
    const attributes = { 'shelfwire.account_id': accountId, 'shelfwire.by': by }
    return tracing.begin({ name: 'shelve', kind: 'internal', parent, links, attributes })
  }

  async #markStep(accountId: number): Promise<{ found: number; shelved: Shelved }> {
    const after = this.#positions.get(accountId) ?? 0
    const limit = await batchProducts(this.#db, accountId)
    // enough for two workers: each locks the first batch that the other has not locked
    const ids = await markedProducts(this.#db, accountId, after, 2 * limit)
    using span = ids.length === 0 ? null : this.#beginBatch(accountId, 'worker')
    const shelved = await shelveBatch(this.#db, this.#accounts, accountId, ids, { skipLocked: true, limit })
    if (ids.length < 2 * limit) this.#positions.delete(accountId)
    else this.#positions.set(accountId, Math.max(shelved.lastId, this.#positions.get(accountId) ?? 0))
    // a walk that began in the middle has not seen what is before it
    return { found: ids.length === 0 && after > 0 ? 1 : ids.length, shelved: this.#notified(accountId, shelved, span) }
  }

  async #countedSweep(accountId: number) {
    this.#sweeping++
    using span = this.#beginBatch(accountId, 'sweep')
    try {
      const swept = await sweepStep(
        this.#db,
        this.#accounts,
        accountId,
        this.#isServing() ? LIMITS.shelveBatchProductsServing : LIMITS.shelveBatchProducts,
      )
      if (swept === null) span?.drop()
      else this.#notified(accountId, swept, span)
      return swept
    } finally {
      this.#sweeping--
    }
  }

  /**
   * Shelves products that were just written, and then those that were marked by this because they were too many for one transaction: all of them if
   * they fit into one batch, otherwise the batches that begin in time. @returns those that were not shelved.
   */
  async #shelveNow(
    accountId: number,
    productIds: readonly number[],
    half: 'price' | null,
    waitMs: number,
  ): Promise<number[]> {
    const deadline = performance.now() + waitMs
    const [only] = productIds
    if (only !== undefined && productIds.length === 1) {
      const marked = await this.#joined.shelved(accountId, only, half, tracer()?.current() ?? null)
      return marked.length === 0 ? [] : this.#shelveMarked(accountId, marked, deadline)
    }
    const { left, marked } = await this.#shelveWithin(accountId, productIds, deadline)
    const written = new Set(left)
    const others = marked.filter((productId) => !written.has(productId))
    return others.length === 0 ? left : [...left, ...(await this.#shelveMarked(accountId, others, deadline))]
  }

  /** Shelves products that were marked because their group changed. What is marked meanwhile is left to the workers, and not followed further. */
  async #shelveMarked(accountId: number, productIds: readonly number[], deadline: number): Promise<number[]> {
    const { left, marked } = await this.#shelveWithin(accountId, productIds, deadline)
    return [...new Set([...left, ...marked])]
  }

  async #shelveWithin(
    accountId: number,
    productIds: readonly number[],
    deadline: number,
  ): Promise<{ left: number[]; marked: number[] }> {
    const size = await batchProducts(this.#db, accountId)
    const ids = productIds.toSorted((a, b) => a - b)
    let next = 0
    /** Products that were too heavy for one transaction together with the others of their batch. */
    const left: number[] = []
    const marked = new Set<number>()
    const shelve = async (batch: readonly number[]) => {
      using span = this.#beginBatch(accountId, 'writer')
      const shelved = await this.#inTurn(accountId, () => shelveBatch(this.#db, this.#accounts, accountId, batch))
      left.push(...shelved.left)
      for (const others of new Set(shelved.marked.values())) for (const productId of others) marked.add(productId)
      this.#notified(accountId, shelved, span)
    }
    const shelveBatches = async () => {
      while (next < ids.length && (ids.length <= size || performance.now() < deadline)) {
        const batch = ids.slice(next, next + size)
        next += size
        await shelve(batch)
      }
    }
    // two at a time: while one waits for PostgreSQL the other resolves
    const both = [shelveBatches(), shelveBatches()]
    await Promise.allSettled(both)
    await Promise.all(both)
    while (left.length > 0 && (ids.length <= size || performance.now() < deadline)) await shelve(left.splice(0))
    return { left: [...left, ...ids.slice(next)].sort((a, b) => a - b), marked: [...marked] }
  }

  async #shelveJoined({ accountId, productIds, half, contexts }: JoinedBatch<TraceContext | null>) {
    // the span is in the trace of one writer, a recorded one if there is any, and links to the others
    const of = contexts
      .filter((context) => context !== null)
      .toSorted((a, b) => Number(b.isSampled) - Number(a.isSampled))
    using span = this.#beginBatch(accountId, 'writer', of)
    const { skipped, ...shelved } = await this.#inTurn(accountId, () =>
      shelveWritten(this.#db, this.#accounts, accountId, productIds, half),
    )
    this.#notified(accountId, shelved, span)
    return { skipped, marked: shelved.marked }
  }

  /** One step of work for one account: a batch of marks, then a batch of its sweeps. */
  async #accountStep(accountId: number) {
    const noted = this.#waiting?.position() ?? 0
    const marks = await this.#markStep(accountId)
    // a change to all products of an account can wait; requests and small writes must not
    const mustWait = this.#sweeping > 0 && this.#isServing()
    const swept = mustWait ? null : await this.#countedSweep(accountId)
    const isMore = marks.found > 0 || swept !== null
    if (!isMore && !mustWait) this.#waiting?.forget(accountId, noted)
    return {
      isMore,
      isLocked: marks.found > 0 && marks.shelved.products === 0 && swept === null,
      shelved: {
        products: marks.shelved.products + (swept?.products ?? 0),
        lastId: Math.max(marks.shelved.lastId, swept?.lastId ?? 0),
        changes: marks.shelved.changes + (swept?.changes ?? 0),
      },
    }
  }

  #noteProgress(): void {
    this.#hasProgress = true
    this.#shelvedAt = performance.now()
    this.#busySince ??= this.#shelvedAt
  }

  /** Whether the workers leave their work to the shelving process, which is started here once they have had work for a while. Without requests both work. */
  #leaveTo(apart: ShelvingProcess | null): boolean {
    if (apart === null || !this.#isServing()) return false
    if (!apart.isWorking) {
      const lasted = performance.now() - (this.#busySince ?? Infinity)
      if (lasted > LIMITS.shelvingProcessAfterMs) apart.start()
    }
    if (!apart.isWorking) return false
    // once that process has ended, only work that lasts again starts another one
    this.#busySince = undefined
    return true
  }

  async #workerStep(): Promise<'idle' | 'more'> {
    // a batch per account at a time, so that one account's million products do not keep others waiting
    const accountId = this.#queue.shift()
    if (accountId === undefined) {
      this.#isHinted = false
      // notifications name their accounts, so looking through all of them, on a cluster on every shard, is for those that got lost
      const now = performance.now()
      if (!this.#hasFound && now - this.#lookedAt < LOOK_REST_MS) {
        this.#busySince = undefined
        return 'idle'
      }
      this.#lookedAt = now
      // if a whole round shelved nothing, other workers have locked what is stale: do not query again at once
      const hadProgress = this.#hasProgress
      this.#hasProgress = false
      const stale = await this.#db.nodes.scan('stale', (accounts) => staleAccounts(this.#db, accounts))
      this.#queue = [...stale.rows]
      // of what only suspended accounts have, or others have locked, nothing is done either
      if (this.#queue.length === 0 || !hadProgress) this.#busySince = undefined
      // while a node is away a scan is one of some accounts
      this.#hasFound = this.#queue.length > 0 || !stale.isWhole
      return (this.#queue.length > 0 && hadProgress) || this.#isHinted ? 'more' : 'idle'
    }
    const stepped = this.#db.resting.has(accountId)
      ? undefined
      : await this.#db.nodes.unlessAway(accountId, () => this.#accountStep(accountId))
    if (stepped === undefined) return 'more'
    const { isMore, isLocked, shelved } = stepped
    if (shelved.products > 0) this.#noteProgress()
    if (isMore && !this.#queue.includes(accountId)) this.#queue.push(accountId)
    if (isLocked) await new Promise((resolve) => setTimeout(resolve, LOCKED_MS))
    return 'more'
  }
}

/** The span of a write (T1); null where traces are off. */
function beginWrite(accountId: number): Span | null {
  const tracing = tracer()
  if (tracing === null) return null
  const attributes = { 'shelfwire.account_id': accountId }
  return tracing.begin({ name: 'write', kind: 'internal', parent: tracing.current(), attributes })
}
