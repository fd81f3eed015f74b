import DataLoader from 'dataloader'
import type { Db } from '../../db/sql.ts'
import { LIMITS } from '../../ground/limits.ts'
import { payloadsGet, type PayloadRow } from './store.ts'

interface Key {
  accountId: number
  storeId: number
  productId: number
}

export interface Lookup {
  /** The stored payload, or null when the store does not list the product. */
  payload(accountId: number, storeId: number, productId: number): Promise<PayloadRow | null>
}

/**
 * Single reads that arrive in one turn of the event loop share one statement per account (measured: 13,000/s with a
 * statement each, 31,700/s shared). Nothing is kept between turns: every read sees what is committed.
 */
export function openLookup(db: Db): Lookup {
  const loader = new DataLoader<Key, PayloadRow | null>(
    async (keys) => {
      const byAccount = Map.groupBy(keys, (key) => key.accountId)
      const found = new Map<string, PayloadRow>()
      await Promise.all(
        [...byAccount].map(async ([accountId, wanted]) => {
          for (const row of await payloadsGet(db, accountId, wanted)) {
            found.set(`${accountId}.${row.storeId}.${row.productId}`, row)
          }
        }),
      )
      return keys.map((key) => found.get(`${key.accountId}.${key.storeId}.${key.productId}`) ?? null)
    },
    {
      cache: false,
      maxBatchSize: LIMITS.lookupBatchMax,
      // after the poll phase: by then every request that the sockets held has been parsed
      batchScheduleFn: (dispatch) => setImmediate(dispatch),
    },
  )
  return { payload: (accountId, storeId, productId) => loader.load({ accountId, storeId, productId }) }
}
