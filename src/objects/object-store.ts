/** Stores bytes under keys: in a directory, or an S3-compatible bucket. */
import { Readable } from 'node:stream'

/** A stored object as a listing names it. */
export interface StoredObject {
  key: string
  bytes: number
  /** When the bytes were last put, by the store's clock. */
  modifiedAt: Date
}

/** Positions of an object's bytes, both inclusive. */
export interface ByteRange {
  first: number
  last: number
}

/** The bytes of an object as a stream; `all` has them if they were read at once. */
export interface ReadObject {
  readonly stream: Readable
  readonly bytes: number
  readonly all?: Buffer
}

/** What the store needs to know about an object's bytes. */
export interface PutOptions {
  /** SHA-256 in lower-case hexadecimal; a bucket refuses bytes with another hash. */
  sha256: string
  type: string
  /** The Cache-Control header of a bucket that clients read directly. */
  caching?: string
}

/**
 * Objects by key: words of `[0-9A-Za-z._-]` separated by slashes. Every method rejects when the store cannot be reached.
 */
export interface ObjectStore {
  /** Stores a finished local file, which stays the caller's. The object is durable when the promise resolves, and is never seen incomplete. */
  put(key: string, file: string, options: PutOptions): Promise<void>
  /**
   * The object, or its bytes in `range`, which must lie within it; `bytes` is the length of the stream. Undefined if there is none. The caller must
   * read the stream to its end or destroy it.
   */
  read(key: string, range?: ByteRange): Promise<ReadObject | undefined>
  /** The length of the object; undefined if there is none. */
  stat(key: string): Promise<{ bytes: number } | undefined>
  /** Removes the object. Removing a missing one is no error. */
  remove(key: string): Promise<void>
  /** All objects whose keys begin with `prefix`, in no particular order; memory does not grow with their number. */
  list(prefix: string): AsyncIterable<StoredObject>
}

/** Wraps bytes that have been read already. */
export const bufferedObject = (all: Buffer): ReadObject => ({
  bytes: all.length,
  all,
  get stream() {
    return Readable.from([all], { objectMode: false })
  },
})

/** @throws Error for a key that could lead out of the store's directory. */
export function requireKey(key: string): void {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) throw new Error('a key is made of words and slashes')
}
