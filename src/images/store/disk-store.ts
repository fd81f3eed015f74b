import { openDiskObjects } from '../../objects/disk-objects.ts'
import { IMAGE_TYPES, type ImageType } from '../inspect/image-type.ts'
import { readStoredName, requireHash, storedName, type ImageStore } from './image-store.ts'

/** The relative path of a picture: `ab/cd/abcd….jpg`. */
const keyOf = (hash: string, type: ImageType) => `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${storedName(hash, type)}`

/** A store in a directory, which any number of processes may share. */
export function openDiskStore(root: string): ImageStore {
  const objects = openDiskObjects(root)
  return {
    async put(hash, file, type) {
      requireHash(hash)
      await objects.put(keyOf(hash, type), file, { sha256: hash, type })
    },
    async read(hash, range, type) {
      requireHash(hash)
      for (const each of type === undefined ? IMAGE_TYPES : [type]) {
        const read = await objects.read(keyOf(hash, each), range)
        if (read !== undefined) return read
      }
      return undefined
    },
    async stat(hash, type) {
      requireHash(hash)
      for (const each of type === undefined ? IMAGE_TYPES : [type]) {
        const found = await objects.stat(keyOf(hash, each))
        if (found !== undefined) return found
      }
      return undefined
    },
    async remove(hash) {
      requireHash(hash)
      await Promise.all(IMAGE_TYPES.map((type) => objects.remove(keyOf(hash, type))))
    },
    async *list() {
      for await (const { key, bytes, modifiedAt } of objects.list('')) {
        const known = readStoredName(key.slice('ab/cd/'.length))
        if (known !== undefined && key === keyOf(known.hash, known.type)) yield { hash: known.hash, bytes, modifiedAt }
      }
    },
  }
}
