/** Where bytes are kept under names: a directory, or an S3-compatible bucket. */
import { Readable } from 'node:stream'

/** A stored object as a listing names it. */
export interface StoredObject {
  key: string
  bytes: number
  /** When the bytes were last put, by the clock of the store. */
  modifiedAt: Date
}

/** Positions of an object's bytes, both inclusive. */
export interface ByteRange {
  first: number
  last: number
}

/** Bytes of an object: a stream of them, and where they were read at once, all of them. */
export interface ReadObject {
  readonly stream: Readable
  readonly bytes: number
  readonly all?: Buffer
}

/** What the store must know of an object's bytes. */
export interface PutOptions {
  /** SHA-256 in lower-case hexadecimal: a bucket refuses other bytes. */
  sha256: string
  type: string
  /** Cache-Control of a bucket that is read directly. */
  caching?: string
}

/**
 * Objects by key: words of `[0-9A-Za-z._-]` separated by slashes. Every method rejects when the store cannot be reached.
 */
export interface ObjectStore {
  /** Stores a finished file of this machine; the file stays the caller's. The object is durable when this resolves, and appears whole. */
  put(key: string, file: string, options: PutOptions): Promise<void>
  /**
   * The object, or its bytes of `range`, which must lie within it; `bytes` is the length of the stream. Undefined
   * when there is none. The caller reads a stream to its end or destroys it.
   */
  read(key: string, range?: ByteRange): Promise<ReadObject | undefined>
  /** The length of the object; undefined when there is none. */
  stat(key: string): Promise<{ bytes: number } | undefined>
  /** Removes the object; none there is no error. */
  remove(key: string): Promise<void>
  /** Every object whose key begins with `prefix`, in no particular order; memory does not grow with their number. */
  list(prefix: string): AsyncIterable<StoredObject>
}

/** All bytes that were asked for, read already. */
export const readAtOnce = (all: Buffer): ReadObject => ({
  bytes: all.length,
  all,
  get stream() {
    return Readable.from([all], { objectMode: false })
  },
})

/** @throws Error for a key that could leave the place of the store. */
export function requireKey(key: string): void {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) throw new Error('a key is made of words and slashes')
}
