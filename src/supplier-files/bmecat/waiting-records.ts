import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { XmlRecord } from '../xml/parse.ts'

/** Records that wait for the end of their file, compressed: catalogs become some ten times as small. */
export class WaitingRecords {
  readonly #bytesMax: number
  readonly #pages: Buffer[] = []
  #bytes = 0
  #isFull = false

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** How many pages of records wait. */
  get size(): number {
    return this.#pages.length
  }

  /** @returns false when there is no more room: from then on nothing waits, these records included. */
  add(records: readonly XmlRecord[]): boolean {
    if (this.#isFull) return false
    if (records.length === 0) return true
    const page = deflateRawSync(JSON.stringify(records), { level: 1 })
    this.#isFull = this.#bytes + page.length > this.#bytesMax
    if (this.#isFull) return false
    this.#pages.push(page)
    this.#bytes += page.length
    return true
  }

  /** Takes out what waits, in the order in which it was added. */
  *records(): Generator<XmlRecord[]> {
    for (let page = this.#pages.shift(); page !== undefined; page = this.#pages.shift())
      yield JSON.parse(inflateRawSync(page).toString()) as XmlRecord[]
  }
}
