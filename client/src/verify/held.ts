import type { Target } from '../sync/target.ts'
import type { Half } from './halves.ts'

/** A product as a target has it. */
export interface Held {
  id: number
  /** The JSON as the service sent it: members in the same order, without blanks. Any other text counts as different. */
  text: string
}

/** A line that is no product or repeats one, or the cut-off end of a file. The file is for the product ids `first` to `last`. */
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
   * The products of a store by ID ascending, some at a time. Products that are written meanwhile may be among them or not.
   * @param onDamage called with each part that cannot be read and is left out
   */
  held(store: string, onDamage: (damage: Damage) => void): AsyncIterable<readonly Held[]> | Iterable<readonly Held[]>

  /**
   * For a target that computes the digests of its blocks faster than `held` can be read: each block that has products, in any order. A
   * block's own `held` is called where its digests differ. Null: use the target's `held` for this store.
   */
  digests?(store: string): AsyncIterable<DigestedBlock & { held(): readonly Held[] }> | null
}
