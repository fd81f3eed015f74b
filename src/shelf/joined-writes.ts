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
  resolve(): void
  reject(error: unknown): void
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
  readonly #shelve: (batch: JoinedBatch<Context>) => Promise<void>
  readonly #mostOf: (accountId: number) => number
  readonly #accounts = new Map<number, Writes<Context>>()

  /** @param mostOf how many products of an account a batch may have */
  constructor(shelve: (batch: JoinedBatch<Context>) => Promise<void>, mostOf: (accountId: number) => number) {
    this.#shelve = shelve
    this.#mostOf = mostOf
  }

  /** Resolves when a batch that began after this call has shelved the product, which has been written and committed. */
  shelved(accountId: number, productId: number, half: 'price' | null, context: Context): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const writes = this.#accounts.get(accountId) ?? { waiting: [], running: 0, late: 0 }
    this.#accounts.set(accountId, writes)
    writes.waiting.push({ productId, half, context, resolve, reject })
    this.#begin(accountId, writes)
    return promise
  }

  /** Begins a batch unless one is under way. That may wait for a product that an import has locked: those of other products must not wait with it. */
  #begin(accountId: number, writes: Writes<Context>): void {
    if (writes.waiting.length > 0 && writes.running === writes.late && writes.running < LIMITS.joinedBatchesAtOnce)
      void this.#run(accountId, writes)
  }

  async #run(accountId: number, writes: Writes<Context>): Promise<void> {
    writes.running++
    for (;;) {
      const half = writes.waiting[0]?.half
      if (half === undefined) break
      const batch = writes.waiting.filter((write) => write.half === half).slice(0, this.#mostOf(accountId))
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

  /** Should a batch fail, each of its writes is shelved by itself: what one product fails by is not told to the writers of others. */
  async #shelveOrApart(accountId: number, half: 'price' | null, batch: readonly Waiting<Context>[]): Promise<void> {
    const productIds = [...new Set(batch.map(({ productId }) => productId))].sort((a, b) => a - b)
    try {
      await this.#shelve({ accountId, productIds, half, contexts: batch.map(({ context }) => context) })
      for (const write of batch) write.resolve()
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else for (const write of batch) await this.#shelveOrApart(accountId, half, [write])
    }
  }
}
