/**
 * Where the bytes of pictures are kept. A picture is named by the SHA-256 of its bytes (64 lower-case hexadecimal
 * characters), so the same picture of two accounts is stored once and its bytes never change.
 */
import type { Readable } from 'node:stream'

/** A stored picture as a listing names it. */
export interface StoredImage {
  hash: string
  bytes: number
  /** When the bytes were written, by the clock of the store. */
  modifiedAt: Date
}

/** Positions of a picture's bytes, both inclusive. */
export interface ByteRange {
  first: number
  last: number
}

/** A place for pictures: local disk or an S3-compatible bucket. Every method rejects when the store cannot be reached. */
export interface ImageStore {
  /**
   * Stores a finished temporary file of this machine under its hash; the file stays the caller's. The picture is durable
   * when this resolves. Storing the same hash again is no error.
   */
  put(hash: string, file: string, type: string): Promise<void>
  /** The picture, or its bytes of `range`; `bytes` is the length of the stream. Undefined when there is none. */
  read(hash: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number } | undefined>
  /** The length of the picture; undefined when there is none. */
  stat(hash: string): Promise<{ bytes: number } | undefined>
  /** Removes the picture; none there is no error. */
  remove(hash: string): Promise<void>
  /** Every stored picture, in no particular order; memory does not grow with their number. */
  list(): AsyncIterable<StoredImage>
}
