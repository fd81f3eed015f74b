/**
 * Options of an LRUCache of at most this many entries that takes memory only as it fills. With `max` alone, the cache allocates everything at once: a
 * dozen caches of 100,000 entries took half of the service's start-up time.
 */
export const entriesMax = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
