import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { RawRow } from '../rows.ts'

/** Rows that wait for the end of their file, compressed: catalogs become some ten times as small. */
export class WaitingRows {
  readonly #bytesMax: number
  readonly #pages: Buffer[] = []
  #bytes = 0
  #isFull = false

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** @returns false when there is no more room: from then on nothing waits. */
  add(rows: readonly RawRow[]): boolean {
    if (this.#isFull) return false
    if (rows.length > 0) {
      const page = deflateRawSync(JSON.stringify(rows), { level: 1 })
      this.#pages.push(page)
      this.#bytes += page.length
      // the caller takes what waits, this page as well
      if (this.#bytes > this.#bytesMax) this.#isFull = true
    }
    return true
  }

  /** Takes out what waits, in the order in which it was added. */
  *rows(): Generator<RawRow[]> {
    for (let page = this.#pages.shift(); page !== undefined; page = this.#pages.shift()) {
      this.#bytes -= page.length
      yield JSON.parse(inflateRawSync(page).toString()) as RawRow[]
    }
  }
}
