/** Rows of a bulk, which are read one after the other. */
export interface Rows {
  readonly length: number
  at(index: number): unknown
  /** A row as JSON text; absent if the rows are values. */
  text?(index: number): string
}

/**
 * Rows within the bytes of a request's body. A row is parsed only when it is written, because parsed rows take many times the
 * memory of their text.
 */
export class SentRows implements Rows {
  readonly #body: Buffer
  readonly #starts: readonly number[]
  readonly #ends: readonly number[]

  /** @param starts offset of each row in the body. @param ends offset of the end of each. Each row must be valid JSON. */
  constructor(body: Buffer, starts: readonly number[], ends: readonly number[]) {
    this.#body = body
    this.#starts = starts
    this.#ends = ends
  }

  get length(): number {
    return this.#starts.length
  }

  at(index: number): unknown {
    return JSON.parse(this.text(index))
  }

  text(index: number): string {
    return this.#body.toString('utf8', this.#starts[index], this.#ends[index])
  }
}
