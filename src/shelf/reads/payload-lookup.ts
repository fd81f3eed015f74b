import type { Db } from '../../db/sql.ts'
import { openByTurn } from '../../platform/turns/by-turn.ts'
import { LIMITS } from '../../platform/limits.ts'
import { keyOf, type PayloadKey } from '../payloads/payload-key.ts'
import { payloadsGet, type PayloadRow } from './payload-reads.sql.ts'

export interface Lookup {
  /** The stored payload; null when the store does not list the product. */
  payload(accountId: number, storeId: number, productId: number): Promise<PayloadRow | null>
}

/** Single reads that arrive in the same turn of the event loop share one statement per account. */
export function openLookup(db: Db): Lookup {
  const payload = openByTurn<PayloadKey, PayloadRow | null>(LIMITS.lookupBatchMax, async (accountId, keys) => {
    const rows = new Map((await payloadsGet(db, accountId, keys)).map((row) => [keyOf(row), row]))
    return keys.map((key) => rows.get(keyOf(key)) ?? null)
  })
  return { payload: (accountId, storeId, productId) => payload(accountId, { storeId, productId }) }
}
