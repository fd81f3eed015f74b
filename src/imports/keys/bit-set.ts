import { must } from '../../platform/must.ts'

/** A set of small whole numbers, one bit each. A million numbers take 128 kB. */
export class BitSet {
  readonly #blocks = new Map<number, Uint32Array>()
  static readonly #BLOCK_BITS = 8_192

  /** @returns false when the number was in the set already */
  add(number: number): boolean {
    const block = Math.floor(number / BitSet.#BLOCK_BITS)
    const bit = number % BitSet.#BLOCK_BITS
    let words = this.#blocks.get(block)
    if (words === undefined) {
      words = new Uint32Array(BitSet.#BLOCK_BITS / 32)
      this.#blocks.set(block, words)
    }
    const mask = 2 ** (bit % 32)
    const index = Math.floor(bit / 32)
    const word = must(words[index])
    if ((word & mask) !== 0) return false
    words[index] = word | mask
    return true
  }

  has(number: number): boolean {
    const words = this.#blocks.get(Math.floor(number / BitSet.#BLOCK_BITS))
    const bit = number % BitSet.#BLOCK_BITS
    return words !== undefined && (must(words[Math.floor(bit / 32)]) & (2 ** (bit % 32))) !== 0
  }
}
