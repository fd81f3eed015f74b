import { unreadable, type ReadLimits } from './rows.ts'

/**
 * Limits how much a compressed file may expand, in total and relative to its size, so that a small file cannot become a
 * huge one.
 */
export class Expansion {
  readonly #limits: ReadLimits
  #compressed = 0
  #expanded = 0

  constructor(limits: ReadLimits) {
    this.#limits = limits
  }

  /** Passes on the compressed bytes and counts them. */
  async *count(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#compressed += chunk.byteLength
      yield chunk
    }
  }

  /** Counts expanded bytes. @throws ShelfwireError `source-unreadable` when they are too many */
  add(bytes: number): void {
    const { importExpansionFreeBytes, importExpansionMax, importFileBytesMax } = this.#limits
    this.#expanded += bytes
    if (this.#expanded > importFileBytesMax)
      throw unreadable(`the file expands to more than ${importFileBytesMax} bytes: split it`)
    if (this.#expanded > importExpansionFreeBytes && this.#expanded > this.#compressed * importExpansionMax)
      throw unreadable(
        `the file expands to more than ${importExpansionMax} times its size, as no catalog does: send it unpacked`,
      )
  }
}
