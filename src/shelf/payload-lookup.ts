import DataLoader from 'dataloader'
import type { Db } from '../db/sql.ts'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { payloadsGet, type PayloadRow } from './payload-reads.sql.ts'

interface Key {
  accountId: number
  storeId: number
  productId: number
}

/**
 * While a statement is running, look-ups are collected for the next one: batches get larger and answers do not get
 * later (measured: a sixth more reads). But no longer than this: a statement that is stuck must not delay the others.
 */
const PATIENCE_MS = 20

export interface Lookup {
  /** The stored payload; null when the store does not list the product. */
  payload(accountId: number, storeId: number, productId: number): Promise<PayloadRow | null>
}

/**
 * Single reads that arrive in the same turn of the event loop share one statement per account. Nothing is cached: every
 * read sees what is committed.
 */
export function openLookup(db: Db): Lookup {
  let inFlight = 0
  const waiting: (() => void)[] = []
  let waitingSince = 0
  let isTimed = false
  // one timer that is never cleared: with one per look-up, what each holds survives the next garbage collections (measured)
  const patience = setTimeout(() => {
    isTimed = false
    if (waiting.length === 0) return
    if (performance.now() - waitingSince >= PATIENCE_MS) for (const send of waiting.splice(0)) send()
    else time()
  }, PATIENCE_MS).unref()
  const time = () => {
    isTimed = true
    patience.refresh()
  }
  const schedule = (dispatch: () => void) => {
    // after the poll phase: by then every request that is in the sockets' buffers has been parsed
    if (inFlight === 0) {
      setImmediate(dispatch)
      return
    }
    if (waiting.length === 0) waitingSince = performance.now()
    waiting.push(dispatch)
    if (!isTimed) time()
  }
  const loader = new DataLoader<Key, PayloadRow | null>(
    async (keys) => {
      inFlight++
      try {
        const byAccount = Map.groupBy(keys, (key) => key.accountId)
        const found = new Map<string, PayloadRow>()
        // an account whose node is away must not fail those that it shares the turn with
        const failed = new Map<number, Error>()
        await Promise.all(
          [...byAccount].map(async ([accountId, wanted]) => {
            try {
              for (const row of await payloadsGet(db, accountId, wanted))
                found.set(`${accountId}.${row.storeId}.${row.productId}`, row)
            } catch (error) {
              failed.set(accountId, asError(error))
            }
          }),
        )
        return keys.map(
          (key) => failed.get(key.accountId) ?? found.get(`${key.accountId}.${key.storeId}.${key.productId}`) ?? null,
        )
      } finally {
        inFlight--
        for (const send of waiting.splice(0)) send()
      }
    },
    {
      cache: false,
      maxBatchSize: LIMITS.lookupBatchMax,
      batchScheduleFn: schedule,
    },
  )
  return { payload: (accountId, storeId, productId) => loader.load({ accountId, storeId, productId }) }
}
