import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** An article as it is in the file; `value` is null if it is too large. */
export interface Article {
  line: number
  value: unknown
  /** The catalog replaces the supplier's earlier one. */
  isNew: boolean
}

const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Articles that wait for the end of their file, compressed to about a twentieth of their size. */
export class WaitingArticles {
  readonly #bytesMax: number
  readonly #pages: Buffer[] = []
  #bytes = 0
  #isFull = false

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** @returns false if there is no room for these articles; no later ones are kept, either */
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

  /** Removes and returns the waiting articles, in the order in which they were added. */
  *articles(): Generator<Article[]> {
    for (let page = this.#pages.shift(); page !== undefined; page = this.#pages.shift())
      yield JSON.parse(zstdDecompressSync(page).toString()) as Article[]
  }
}
