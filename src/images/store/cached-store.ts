import { LRUCache } from 'lru-cache'
import { LIMITS } from '../../platform/limits.ts'
import { bufferedObject } from '../../objects/object-store.ts'
import { storedName, type ImageStore } from './image-store.ts'

/**
 * A store that caches small pictures in memory. Their bytes never change, but a picture that another process has removed may
 * still be read for a while.
 */
export function openCachedStore(store: ImageStore): ImageStore {
  const cache = new LRUCache<string, Buffer>({
    maxSize: LIMITS.imageCacheBytes,
    maxEntrySize: LIMITS.imageCachedBytesMax,
    sizeCalculation: (all) => all.length + 200,
    ttl: LIMITS.imageCacheMs,
  })
  return {
    put: (hash, file, type) => store.put(hash, file, type),
    async read(hash, range, type) {
      if (range !== undefined || type === undefined) return store.read(hash, range, type)
      const key = storedName(hash, type)
      const kept = cache.get(key)
      if (kept !== undefined) return bufferedObject(kept)
      const found = await store.read(hash, undefined, type)
      if (found?.all !== undefined) cache.set(key, found.all)
      return found
    },
    stat: (hash, type) => store.stat(hash, type),
    async remove(hash) {
      for (const key of cache.keys()) if (key.startsWith(hash)) cache.delete(key)
      await store.remove(hash)
    },
    list: () => store.list(),
  }
}
