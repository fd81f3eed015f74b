import type { Change, Product } from '../answers.ts'

/** The products that one step of a mirror writes. */
export interface Batch {
  /** Slug. */
  store: string
  /** The batch is written only if the target still has this position: another process may have gone on meanwhile. */
  from: string | null
  /** The position to save with the batch, an opaque text that only `sync` interprets. */
  position: string
  /** To be written as they are, in place of the target's versions. */
  products: Product[]
  /** No longer listed by the store; the target may not have had them. */
  removed: number[]
  /** The feed's changes of these products; empty while a store is filled. */
  changes: Change[]
}

/** Where a mirror is kept. `sync` needs no more than these three functions. */
export interface Target {
  /** How many products a batch has at most while a store is filled; 200 unless set. Larger batches are fewer transactions. Large or slow products make smaller ones. */
  readonly fillSize?: number
  /** The position that was saved last for a store; null where there is none. */
  position(store: string): Promise<string | null>
  /**
   * Writes a batch and its position: in one transaction where the target has transactions, otherwise the position last, because writing a
   * batch twice does no harm.
   * @returns false, and nothing is written, where the position is not `batch.from`
   */
  apply(batch: Batch): Promise<boolean>
  /** The ids above `after` of the target's products of a store, ascending, `limit` at most. A fill removes those that the service does not list. */
  ids(store: string, after: number, limit: number): Promise<number[]>
}
