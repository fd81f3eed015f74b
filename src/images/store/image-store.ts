/**
 * Stores of pictures. A picture is named by the SHA-256 of its bytes (64 lower-case hexadecimal
 * characters), so a picture of two accounts is stored once, and its bytes never change.
 */
import type { ByteRange, ReadObject } from '../../objects/object-store.ts'
import { imageExtension, typeOfExtension, type ImageType } from '../inspect/image-type.ts'

/** An entry of the list of stored pictures. */
export interface StoredImage {
  hash: string
  bytes: number
  /** When the bytes were last stored, by the clock of the store. */
  modifiedAt: Date
}

/**
 * A store on a local disk or in an S3-compatible bucket. Every method rejects if the store cannot be reached. A caller that
 * passes the type gets only a picture of that type, and saves the store a look-up.
 */
export interface ImageStore {
  /**
   * Stores a finished temporary file under its hash; the file remains the caller's. The picture is durable
   * when this resolves. Storing the same hash again is no error and renews it: `modifiedAt` is the last time.
   */
  put(hash: string, file: string, type: ImageType): Promise<void>
  /**
   * The picture, or its bytes in `range`, which must lie within it; `bytes` is the length of the stream. Undefined
   * if there is no such picture. The caller must read the stream to its end or destroy it.
   */
  read(hash: string, range?: ByteRange, type?: ImageType): Promise<ReadObject | undefined>
  /** The length of the picture; undefined if there is none. */
  stat(hash: string, type?: ImageType): Promise<{ bytes: number } | undefined>
  /** Removes the picture; it is no error if there is none. */
  remove(hash: string): Promise<void>
  /** Lists all stored pictures, in no particular order; memory use does not grow with their number. */
  list(): AsyncIterable<StoredImage>
}

/** The name of a picture in any store, which is also the end of its URL. */
export const storedName = (hash: string, type: ImageType): string => `${hash}.${imageExtension(type)}`

const NAME = /^([0-9a-f]{64})\.([a-z]{3,4})$/

/** The hash and type in a name; undefined for any other text. */
export function readStoredName(name: string): { hash: string; type: ImageType } | undefined {
  const [, hash = '', extension = ''] = NAME.exec(name) ?? []
  const type = typeOfExtension(extension)
  return hash === '' || type === undefined ? undefined : { hash, type }
}

/** @throws Error unless it is a hash: paths and keys are made of it. */
export function requireHash(hash: string): void {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('a stored picture is named by 64 hexadecimal characters')
}
