import { LIMITS } from '../platform/limits.ts'

/** What a batch of writes shelves. */
export interface JoinedBatch<Context> {
  accountId: number
  /** Ascending, each once. */
  productIds: readonly number[]
  /** What all of the writers expect to be resolved; see readWritten. */
  half: 'price' | null
  /** Of each write, in the order in which they came. */
  contexts: readonly Context[]
}

interface Waiting<Context> {
  productId: number
  half: 'price' | null
  context: Context
  resolve(marked: readonly number[]): void
  reject(error: unknown): void
}

export interface JoinedOptions<Context> {
  /**
   * @returns those of several products that somebody else has locked, which are not shelved; of one, it waits. And the other products that a
   * product of the batch had marked.
   */
  shelve(
    batch: JoinedBatch<Context>,
  ): Promise<{ skipped: readonly number[]; marked: ReadonlyMap<number, readonly number[]> }>
  /** How many products of an account a batch may have. */
  mostOf(accountId: number): number
  /** Whether each write of a batch would fail by this error too, such as while the database is away. */
  failsAll(error: unknown): boolean
}

/** The small writes of one account. */
interface Writes<Context> {
  waiting: Waiting<Context>[]
  /** Batches that are under way, and those of them that have taken LIMITS.joinedBatchMs. */
  running: number
  late: number
}

/**
 * Small writes of one account that wait at the same time are shelved in one transaction: each would lock the account's counter of changes until
 * it is committed, so that eight writers cost eight transactions that went one after the other anyway. Nobody waits for others to come: a
 * write that is alone begins at once, and what comes meanwhile goes together when that batch has ended.
 * docs/decisions/224-small-writes-are-shelved-together.md says why.
 */
export class JoinedWrites<Context> {
  readonly #options: JoinedOptions<Context>
  readonly #accounts = new Map<number, Writes<Context>>()

  constructor(options: JoinedOptions<Context>) {
    this.#options = options
  }

  /**
   * Resolves when a batch that began after this call has shelved the product, which has been written and committed.
   * @returns other products that it had marked
   */
  shelved(accountId: number, productId: number, half: 'price' | null, context: Context): Promise<readonly number[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>()
    const writes = this.#accounts.get(accountId) ?? { waiting: [], running: 0, late: 0 }
    this.#accounts.set(accountId, writes)
    writes.waiting.push({ productId, half, context, resolve, reject })
    this.#begin(accountId, writes)
    return promise
  }

  /** Begins a batch unless one is under way, or while that waits: what came meanwhile must not wait for a product that an import has locked. */
  #begin(accountId: number, writes: Writes<Context>): void {
    if (writes.waiting.length > 0 && writes.running === writes.late && writes.running < LIMITS.joinedBatchesAtOnce)
      void this.#run(accountId, writes)
  }

  async #run(accountId: number, writes: Writes<Context>): Promise<void> {
    writes.running++
    for (;;) {
      const half = writes.waiting[0]?.half
      if (half === undefined) break
      const batch = writes.waiting.filter((write) => write.half === half).slice(0, this.#options.mostOf(accountId))
      const taken = new Set(batch)
      writes.waiting = writes.waiting.filter((write) => !taken.has(write))
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        writes.late++
        this.#begin(accountId, writes)
      }, LIMITS.joinedBatchMs)
      await this.#shelveOrApart(accountId, half, batch)
      clearTimeout(timer)
      if (isLate) writes.late--
    }
    writes.running--
    if (writes.running === 0) this.#accounts.delete(accountId)
  }

  /**
   * What somebody has locked is waited for by itself. Should a batch fail by one of its products, each is shelved by itself as well, and
   * only the writer of that one is told so.
   */
  async #shelveOrApart(accountId: number, half: 'price' | null, batch: readonly Waiting<Context>[]): Promise<void> {
    const productIds = [...new Set(batch.map(({ productId }) => productId))].sort((a, b) => a - b)
    const apart = (writes: readonly Waiting<Context>[]) =>
      Promise.all(writes.map((write) => this.#shelveOrApart(accountId, half, [write])))
    try {
      const contexts = batch.map(({ context }) => context)
      const { skipped, marked } = await this.#options.shelve({ accountId, productIds, half, contexts })
      for (const write of batch)
        if (!skipped.includes(write.productId)) write.resolve(marked.get(write.productId) ?? [])
      await apart(batch.filter(({ productId }) => skipped.includes(productId)))
    } catch (error) {
      if (batch.length > 1 && !this.#options.failsAll(error)) await apart(batch)
      else for (const write of batch) write.reject(error)
    }
  }
}
