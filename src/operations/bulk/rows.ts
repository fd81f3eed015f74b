/** Rows of a bulk, read one after the other; an array, or what was sent. */
export interface Rows {
  readonly length: number
  at(index: number): unknown
  /** A row as JSON; left out where there is none. */
  text?(index: number): string
}

/**
 * Rows as they were sent, within the body that holds them. A row becomes a value only when it is written: as values, rows take
 * many times the memory of their text.
 */
export class SentRows implements Rows {
  readonly #body: Buffer
  readonly #starts: readonly number[]
  readonly #ends: readonly number[]

  /** @param starts where each row begins in the body, and `ends` where it ends; each is valid JSON. */
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
