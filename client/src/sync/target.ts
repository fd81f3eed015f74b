import type { Change, Product } from '../answers.ts'

/** What one step of a mirror writes. */
export interface Batch {
  /** Slug. */
  store: string
  /** The position that the target must have for this batch to be written: another process may have gone on meanwhile. */
  from: string | null
  /** The position to save with it. A target keeps it as it is; what it means is the business of `sync`. */
  position: string
  /** To be written as they are, in place of what the target has of them. */
  products: Product[]
  /** No longer listed by the store; the target may not have had them. */
  removed: number[]
  /** What the feed said of these products; empty while a store is filled. */
  changes: Change[]
}

/** Where a mirror is kept. The three functions are all that `sync` asks of it. */
export interface Target {
  /** How many products a batch has at most while a store is filled; 200 unless set. More of them are fewer transactions. Large products, and those that come slowly, are fewer. */
  readonly fillSize?: number
  /** What was saved last for a store; null where there is nothing. */
  position(store: string): Promise<string | null>
  /**
   * Writes a batch, and its position with it: in one transaction where the target has them, otherwise the position last, because a batch
   * that is written twice does no harm.
   * @returns false, and nothing is written, where the position is not `batch.from`
   */
  apply(batch: Batch): Promise<boolean>
  /** The products that the target has of a store, by ID ascending from after `after`, `limit` at most: what a fill did not show is removed. */
  ids(store: string, after: number, limit: number): Promise<number[]>
}
