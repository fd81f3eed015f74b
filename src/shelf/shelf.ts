import { isStale, staleAccounts, stalePosition, type StalePosition } from '../catalog/stale/stale.sql.ts'
import { markedProducts } from '../catalog/stale/marks.sql.ts'
import type { Db, Tx } from '../db/sql.ts'
import { isServerError, rethrowAfterWrite } from '../db/connections/connection-errors.ts'
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

/** How long a worker sleeps if nothing is stale and no notification arrives. */
const IDLE_MS = 1_000
/** The pause between two searches through all accounts after one that found nothing. */
const SCAN_PAUSE_MS = 500
/** The pause if other workers have locked everything that is stale. */
const LOCKED_MS = 10

/** Errors of shelving that a committed write ignores: the workers shelve it. */
const LEFT_TO_WORKERS: ReadonlySet<string> = new Set(['newer-release', 'rate-limited'])
/** Errors that each write of a batch would also get if it were shelved alone. */
const FAILS_ALL: ReadonlySet<string> = new Set([
  'newer-release',
  'rate-limited',
  'database-unavailable',
  'writes-unavailable',
])

/** Fair turns for requests' transactions, so that one account's transactions do not delay those of others. */
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

/** Computes payloads and stores those that differ: for writers at once, and by workers. */
export class Shelf {
  readonly #db: Db
  readonly #wake: Wake
  readonly #log: Log
  readonly #isServing: () => boolean
  readonly #inTurn: ReturnType<typeof openRequestTurns>
  /** The position of each account's walk through its marks. It wraps around, so that every product gets its turn. */
  readonly #positions = new Map<number, number>()
  readonly #accounts: CompiledAccounts
  readonly #joined: JoinedWrites<TraceContext | null>
  /** Traces of writes that wait for the workers of this process; null if tracing is off. */
  readonly #waiting: Notes | null = tracer()?.openNotes() ?? null
  #sweeping = 0
  #queue: number[] = []
  #isNotified = false
  /** The last search through all accounts, by performance.now(). */
  #scannedAt = -Infinity
  /** Whether that search found any. More may have become stale since, as in an import without notifications. */
  #hasFound = true
  /** Whether anything was shelved since the stale accounts were last read. */
  #hasProgress = true
  /** Since when workers have found work at every step, by performance.now(); undefined if they were idle. */
  #busySince: number | undefined
  #shelvedAt = -Infinity

  /**
   * @param isServing whether this process received a request a moment ago: then it sweeps with one worker, in small batches.
   * @param connectionsMax size of the pool, of which requests may use a share.
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
        // until the account is compiled, the number of payloads per product is unknown
        return stores === undefined ? 1 : productsWithin(LIMITS.joinedWritesMax, stores)
      },
      failsAll: (error) => isServerError(error) || (error instanceof ShelfwireError && FAILS_ALL.has(error.code)),
    })
  }

  /**
   * Runs `write` in a transaction (T1), then shelves (T2) the products that it returns and those whose variant group changes by it. When the promise
   * resolves, the write can be read and is in the feed. Sweeps are left to the workers. So are the batches of a write larger than one batch that do
   * not begin within `waitMs` (default 0: none begins); their products are returned as `unshelved`. Workers are notified if anything is left to them;
   * `isForAll` false means that the write appended no sweep.
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
      // the write is committed, and its marks remain: a newer release on this database shelves it, or the workers do if this request's turn was
      // refused. The caller must not get an error that says that nothing was done
      if (!(error instanceof ShelfwireError && LEFT_TO_WORKERS.has(error.code))) rethrowAfterWrite(error)
      this.#log.warn({ err: error }, 'written, but not shelved here')
    } finally {
      // only then, because every worker of every process looks at the account, which costs several times a small write
      if (isLeft) this.#wake.notify('mark', accountId)
    }
    return { ...written, unshelved }
  }

  /**
   * Shelves until everything that is stale now (or was stale up to a position) is shelved, or until the time is over; for commands, and for requests
   * that end when their work can be read.
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
      // two at a time: while one waits for PostgreSQL, the other resolves
      const step = () => this.#inTurn(accountId, () => this.#accountStep(accountId))
      const both = [step(), step()]
      // if one fails, the other is still awaited: nothing keeps running after this call
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

  /** When workers of this process last shelved something, by performance.now(). */
  get shelvedAt(): number {
    return this.#shelvedAt
  }

  /**
   * Starts a worker of this process. Any number of workers and processes may run.
   * @param apart the shelving process that takes over long work while requests are served; null: there is none
   */
  startWorker(name: string, apart: ShelvingProcess | null = null): Loop {
    const loop = startLoop({
      name,
      log: this.#log,
      idleMs: IDLE_MS,
      step: async () => (this.#leavesWorkTo(apart) ? 'idle' : this.#workerStep()),
    })
    this.#wake.on('mark', (accountId, note) => {
      if (note !== undefined) this.#waiting?.add(accountId, note)
      this.#isNotified = true
      if (!this.#queue.includes(accountId)) this.#queue.push(accountId)
      loop.poke()
    })
    return loop
  }

  #notifyChanges(accountId: number, shelved: Shelved, span: Span | null) {
    if (span !== null) this.#notifyTraced(accountId, shelved, span)
    else if (shelved.changes > 0) this.#wake.notify('change', accountId)
    return shelved
  }

  #notifyTraced(accountId: number, { products, changes, numbers }: Shelved, span: Span): void {
    if (products === 0) span.drop()
    else span.done({ 'shelfwire.products': products, 'shelfwire.changes': changes })
    if (changes === 0) return
    // the numbers are known already, because the transaction has committed
    void (numbers ?? Promise.resolve(null)).then((known) => {
      const note = known === null ? undefined : tracer()?.noteOf(span.context, known)
      this.#wake.notify('change', accountId, note)
    })
  }

  /** The span of a batch (T2), in the trace of the write that runs it or waits for it; null if tracing is off. */
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
    // enough for two workers: each takes the first products that the other has not locked
    const ids = await markedProducts(this.#db, accountId, after, 2 * limit)
    using span = ids.length === 0 ? null : this.#beginBatch(accountId, 'worker')
    const shelved = await shelveBatch(this.#db, this.#accounts, accountId, ids, { skipLocked: true, limit })
    if (ids.length < 2 * limit) this.#positions.delete(accountId)
    else this.#positions.set(accountId, Math.max(shelved.lastId, this.#positions.get(accountId) ?? 0))
    // a walk that began in the middle has not seen the marks before its start, so there may be more
    return {
      found: ids.length === 0 && after > 0 ? 1 : ids.length,
      shelved: this.#notifyChanges(accountId, shelved, span),
    }
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
      else this.#notifyChanges(accountId, swept, span)
      return swept
    } finally {
      this.#sweeping--
    }
  }

  /**
   * Shelves products that were just written, and then those marked because their group changed and they did not fit into the transaction: all of them
   * if they fit into one batch, otherwise the batches that begin in time. @returns the products not shelved.
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

  /** Shelves products that were marked because their group changed. Products marked by this in turn are left to the workers. */
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
    /** Products that did not fit into one transaction with the others of their batch. */
    const left: number[] = []
    const marked = new Set<number>()
    const shelve = async (batch: readonly number[]) => {
      using span = this.#beginBatch(accountId, 'writer')
      const shelved = await this.#inTurn(accountId, () => shelveBatch(this.#db, this.#accounts, accountId, batch))
      left.push(...shelved.left)
      for (const others of new Set(shelved.marked.values())) for (const productId of others) marked.add(productId)
      this.#notifyChanges(accountId, shelved, span)
    }
    const shelveBatches = async () => {
      while (next < ids.length && (ids.length <= size || performance.now() < deadline)) {
        const batch = ids.slice(next, next + size)
        next += size
        await shelve(batch)
      }
    }
    // two at a time: while one waits for PostgreSQL, the other resolves
    const both = [shelveBatches(), shelveBatches()]
    await Promise.allSettled(both)
    await Promise.all(both)
    while (left.length > 0 && (ids.length <= size || performance.now() < deadline)) await shelve(left.splice(0))
    return { left: [...left, ...ids.slice(next)].sort((a, b) => a - b), marked: [...marked] }
  }

  async #shelveJoined({ accountId, productIds, half, contexts }: JoinedBatch<TraceContext | null>) {
    // the span is in the trace of one writer, preferably a sampled one, and links to the others
    const of = contexts
      .filter((context) => context !== null)
      .toSorted((a, b) => Number(b.isSampled) - Number(a.isSampled))
    using span = this.#beginBatch(accountId, 'writer', of)
    const { skipped, ...shelved } = await this.#inTurn(accountId, () =>
      shelveWritten(this.#db, this.#accounts, accountId, productIds, half),
    )
    this.#notifyChanges(accountId, shelved, span)
    return { skipped, marked: shelved.marked }
  }

  /** One step for an account: a batch of marks, then a batch of its sweeps. */
  async #accountStep(accountId: number) {
    const noted = this.#waiting?.position() ?? 0
    const marks = await this.#markStep(accountId)
    // a sweep can wait; requests and small writes must not
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

  /**
   * Whether workers leave their work to the shelving process, which is started here once they have been busy for a while. Without requests, both
   * work.
   */
  #leavesWorkTo(apart: ShelvingProcess | null): boolean {
    if (apart === null || !this.#isServing()) return false
    if (!apart.isWorking) {
      const lasted = performance.now() - (this.#busySince ?? Infinity)
      if (lasted > LIMITS.shelvingProcessAfterMs) apart.start()
    }
    if (!apart.isWorking) return false
    // after that process has ended, another is started only when work lasts long again
    this.#busySince = undefined
    return true
  }

  async #workerStep(): Promise<'idle' | 'more'> {
    // one batch per account at a time, so that a large account does not delay the others
    const accountId = this.#queue.shift()
    if (accountId === undefined) {
      this.#isNotified = false
      // notifications name their accounts; searching all accounts (on a cluster, every shard) is only for lost notifications
      const now = performance.now()
      if (!this.#hasFound && now - this.#scannedAt < SCAN_PAUSE_MS) {
        this.#busySince = undefined
        return 'idle'
      }
      this.#scannedAt = now
      // if a whole round shelved nothing, other workers have locked what is stale: pause before the next search
      const hadProgress = this.#hasProgress
      this.#hasProgress = false
      const stale = await this.#db.nodes.scan('stale', (accounts) => staleAccounts(this.#db, accounts))
      this.#queue = [...stale.rows]
      // accounts that are suspended or locked by others are no work either
      if (this.#queue.length === 0 || !hadProgress) this.#busySince = undefined
      // while a node is unreachable, a scan covers only some accounts
      this.#hasFound = this.#queue.length > 0 || !stale.isWhole
      return (this.#queue.length > 0 && hadProgress) || this.#isNotified ? 'more' : 'idle'
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

/** The span of a write (T1); null if tracing is off. */
function beginWrite(accountId: number): Span | null {
  const tracing = tracer()
  if (tracing === null) return null
  const attributes = { 'shelfwire.account_id': accountId }
  return tracing.begin({ name: 'write', kind: 'internal', parent: tracing.current(), attributes })
}
