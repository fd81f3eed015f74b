import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** An article as it stands in the file; without a value where it is too large. */
export interface Article {
  line: number
  value: unknown
  /** Of a catalog that replaces what was there before. */
  isNew: boolean
}

const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Articles that wait for the end of their file, compressed: catalogs become some twenty times as small. */
export class WaitingArticles {
  readonly #bytesMax: number
  readonly #pages: Buffer[] = []
  #bytes = 0
  #isFull = false

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** @returns false when there is no more room: from then on nothing waits, these articles included. */
  add(articles: readonly Article[]): boolean {
    if (this.#isFull) return false
    if (articles.length === 0) return true
    const page = zstdCompressSync(JSON.stringify(articles), FASTEST)
    this.#isFull = this.#bytes + page.length > this.#bytesMax
    if (this.#isFull) return false
    this.#pages.push(page)
    this.#bytes += page.length
    return true
  }

  /** Takes out what waits, in the order in which it was added. */
  *articles(): Generator<Article[]> {
    for (let page = this.#pages.shift(); page !== undefined; page = this.#pages.shift())
      yield JSON.parse(zstdDecompressSync(page).toString()) as Article[]
  }
}
