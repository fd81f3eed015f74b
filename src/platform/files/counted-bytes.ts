import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

/** Passes bytes on, counts them, and hashes them with SHA-256. */
export class CountedBytes extends Transform {
  readonly #hash = createHash('sha256')
  /** How many bytes have passed. */
  bytes = 0

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk)
    this.bytes += chunk.length
    done(null, chunk)
  }

  /** The SHA-256 of all bytes that have passed, in hexadecimal. Call it once, at the end. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}
