import { LRUCache } from 'lru-cache'
import type { Db } from '../../../db/sql.ts'
import type { Wake } from '../../../db/wake.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { entriesMax } from '../../../platform/caches/entries-max.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { storesList, type StoreRow } from './stores.sql.ts'

export interface StoreDirectory {
  /** Active stores, the default one first. */
  active(accountId: number): readonly StoreRow[] | Promise<readonly StoreRow[]>
  /**
   * The active store of this slug, or the default one.
   * @throws ShelfwireError unknown-store.
   */
  find(accountId: number, slug: string | undefined): StoreRow | Promise<StoreRow>
}

/**
 * Caches each account's stores for LIMITS.directoryTtlMs or until a notification that they changed. An unknown slug is
 * looked up again, so a new store can be read at once.
 */
export function openStoreDirectory(db: Db, wake: Wake): StoreDirectory {
  const known = new LRUCache<number, StoreRow[]>({
    ...entriesMax(LIMITS.directoryEntriesMax),
    ttl: LIMITS.directoryTtlMs,
  })
  const loading = new Map<number, Promise<StoreRow[]>>()
  let invalidations = 0
  wake.on('directory', (accountId) => {
    invalidations++
    known.delete(accountId)
    loading.delete(accountId)
  })

  const load = (accountId: number) => {
    let pending = loading.get(accountId)
    if (pending === undefined) {
      const before = invalidations
      pending = storesList(db, accountId)
        .then((rows) => {
          const active = rows.filter((row) => row.isActive)
          // data read before an invalidation may be the data that changed
          if (before === invalidations) known.set(accountId, active)
          return active
        })
        .finally(() => loading.delete(accountId))
      loading.set(accountId, pending)
    }
    return pending
  }
  const pick = (stores: readonly StoreRow[], slug: string | undefined) =>
    slug === undefined ? stores.find((row) => row.isDefault) : stores.find((row) => row.slug === slug)

  return {
    active: (accountId) => known.get(accountId) ?? load(accountId),
    find(accountId, slug) {
      const store = pick(known.get(accountId) ?? [], slug)
      if (store !== undefined) return store
      return load(accountId).then((stores) => {
        const found = pick(stores, slug)
        if (found === undefined)
          throw new ShelfwireError(
            'unknown-store',
            slug === undefined
              ? 'the account has no active store'
              : `the account has no active store "${slug.slice(0, 80)}"`,
          )
        return found
      })
    },
  }
}
