/**
 * Where the bytes of pictures are kept. A picture is named by the SHA-256 of its bytes (64 lower-case hexadecimal
 * characters), so the same picture of two accounts is stored once and its bytes never change.
 */
import type { ByteRange, ReadObject } from '../../objects/object-store.ts'
import { imageExtension, typeOfExtension, type ImageType } from '../inspect/image-type.ts'

/** A stored picture as a listing names it. */
export interface StoredImage {
  hash: string
  bytes: number
  /** When the bytes were last put, by the clock of the store. */
  modifiedAt: Date
}

/**
 * A place for pictures: local disk or an S3-compatible bucket. Every method rejects when the store cannot be reached. A caller who
 * names the type finds a picture of that type only, and spares the store a look-up.
 */
export interface ImageStore {
  /**
   * Stores a finished temporary file of this machine under its hash; the file stays the caller's. The picture is durable
   * when this resolves. Storing the same hash again is no error, and makes it new: `modifiedAt` is the time of the last.
   */
  put(hash: string, file: string, type: ImageType): Promise<void>
  /**
   * The picture, or its bytes of `range`, which must lie within it; `bytes` is the length of the stream. Undefined
   * when there is none. The caller reads a stream to its end or destroys it.
   */
  read(hash: string, range?: ByteRange, type?: ImageType): Promise<ReadObject | undefined>
  /** The length of the picture; undefined when there is none. */
  stat(hash: string, type?: ImageType): Promise<{ bytes: number } | undefined>
  /** Removes the picture; none there is no error. */
  remove(hash: string): Promise<void>
  /** Every stored picture, in no particular order; memory does not grow with their number. */
  list(): AsyncIterable<StoredImage>
}

/** The name of a picture in any store, which is also the end of its address. */
export const storedName = (hash: string, type: ImageType): string => `${hash}.${imageExtension(type)}`

const NAME = /^([0-9a-f]{64})\.([a-z]{3,4})$/

/** The hash and type in a name; undefined for any other text. */
export function readStoredName(name: string): { hash: string; type: ImageType } | undefined {
  const [, hash = '', extension = ''] = NAME.exec(name) ?? []
  const type = typeOfExtension(extension)
  return hash === '' || type === undefined ? undefined : { hash, type }
}

/** @throws Error for anything but a hash: a path or a key is made of it. */
export function requireHash(hash: string): void {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('a stored picture is named by 64 hexadecimal characters')
}
