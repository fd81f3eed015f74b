import { LIMITS } from '../platform/limits.ts'

/** A batch of writes that are shelved together. */
export interface JoinedBatch<Context> {
  accountId: number
  /** In ascending order, without duplicates. */
  productIds: readonly number[]
  /** The half that all writers expect to change; see readWritten. */
  half: 'price' | null
  /** One per write, in the order of the calls. */
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
   * @returns products that another transaction has locked, which were skipped (a single product is waited for), and for each product of the
   * batch the products outside it that it caused to be marked.
   */
  shelve(
    batch: JoinedBatch<Context>,
  ): Promise<{ skipped: readonly number[]; marked: ReadonlyMap<number, readonly number[]> }>
  /** The largest number of products in a batch of this account. */
  mostOf(accountId: number): number
  /** Whether an error would occur for each write of the batch alone as well, as when the database is unreachable. */
  failsAll(error: unknown): boolean
}

/** The pending small writes of one account. */
interface Writes<Context> {
  waiting: Waiting<Context>[]
  /** Batches under way, and how many of them have taken longer than LIMITS.joinedBatchMs. */
  running: number
  late: number
}

/**
 * Shelves small writes of one account that wait at the same time in one transaction. Separately, eight writers would need eight transactions,
 * one after the other, because each locks the account's change counter until its commit. No write waits for others to arrive: a single one
 * begins at once, and those that arrive meanwhile form the next batch. docs/decisions/224-small-writes-are-shelved-together.md says why.
 */
export class JoinedWrites<Context> {
  readonly #options: JoinedOptions<Context>
  readonly #accounts = new Map<number, Writes<Context>>()

  constructor(options: JoinedOptions<Context>) {
    this.#options = options
  }

  /**
   * Resolves once a batch that began after this call has shelved the product, whose write has been committed before the call.
   * @returns other products that it caused to be marked
   */
  shelved(accountId: number, productId: number, half: 'price' | null, context: Context): Promise<readonly number[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>()
    const writes = this.#accounts.get(accountId) ?? { waiting: [], running: 0, late: 0 }
    this.#accounts.set(accountId, writes)
    writes.waiting.push({ productId, half, context, resolve, reject })
    this.#begin(accountId, writes)
    return promise
  }

  /**
   * Begins a batch if none is under way, or if all of them are late: later writes must not wait for a product that, for example, an import has
   * locked.
   */
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
   * Shelves products that others have locked separately, each waiting for its lock. If a batch fails because of one product, each is shelved
   * separately, so that only the writer of that product gets the error.
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
