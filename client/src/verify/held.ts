import type { Target } from '../sync/target.ts'
import type { Half } from './halves.ts'

/** A product as a target has it. */
export interface Held {
  id: number
  /** JSON as it was read: members in that order, without blanks. Whatever else it is differs from the service. */
  text: string
}

/** A line of a file that is no product or one that the file has already, or the end of one that was cut off. The products of its file are `first` to `last`. */
export interface Damage {
  file: string
  line: number
  first: number
  last: number
}

/** The digests of a block, without its products. */
export interface DigestedBlock {
  block: number
  products: number
  digests: Record<Half, string>
}

/** A target that can be verified: all of this library's, and your own with this function. */
export interface VerifiableTarget extends Target {
  /**
   * The products of a store by ID ascending, some at a time. What is written meanwhile may be among them or not.
   * @param onDamage told of what cannot be read, which is left out
   */
  held(store: string, onDamage: (damage: Damage) => void): AsyncIterable<readonly Held[]> | Iterable<readonly Held[]>

  /**
   * Where a target computes the digests of its blocks faster than `held` is read: each block that it has something of, in any order.
   * `held` of a block is read where its digests differ. Null: not faster, for this store.
   */
  digests?(store: string): AsyncIterable<DigestedBlock & { held(): readonly Held[] }> | null
}
