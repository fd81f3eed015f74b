import { openS3Objects } from '../../objects/s3-objects.ts'
import type { S3Settings } from '../../platform/settings/settings.ts'
import type { ImageType } from '../inspect/image-type.ts'
import { readStoredName, requireHash, storedName, type ImageStore } from './image-store.ts'

/** Makes keys equal the paths of pictures' URLs, so that the bucket itself can serve them. */
const PREFIX = 'images/'

/** A store in a bucket: `images/{hash}.{extension}`. */
export function openS3Store(settings: S3Settings): ImageStore & AsyncDisposable {
  const objects = openS3Objects(settings)

  /** The key of a picture; without a type it is searched for. Undefined if there is no such picture. */
  const keyOf = async (hash: string, type?: ImageType): Promise<string | undefined> => {
    requireHash(hash)
    if (type !== undefined) return PREFIX + storedName(hash, type)
    for await (const { key } of objects.list(`${PREFIX}${hash}.`))
      if (readStoredName(key.slice(PREFIX.length)) !== undefined) return key
    return undefined
  }

  return {
    async put(hash, file, type) {
      requireHash(hash)
      const caching = 'public, max-age=31536000, immutable'
      await objects.put(PREFIX + storedName(hash, type), file, { sha256: hash, type, caching })
    },
    async read(hash, range, type) {
      const key = await keyOf(hash, type)
      return key === undefined ? undefined : objects.read(key, range)
    },
    async stat(hash, type) {
      const key = await keyOf(hash, type)
      return key === undefined ? undefined : objects.stat(key)
    },
    async remove(hash) {
      const key = await keyOf(hash)
      if (key !== undefined) await objects.remove(key)
    },
    async *list() {
      for await (const { key, bytes, modifiedAt } of objects.list(PREFIX)) {
        const name = readStoredName(key.slice(PREFIX.length))
        if (name !== undefined) yield { hash: name.hash, bytes, modifiedAt }
      }
    },
    [Symbol.asyncDispose]: () => objects[Symbol.asyncDispose](),
  }
}
