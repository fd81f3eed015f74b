import { storesList, type StoreRow } from '../catalog/settings/stores/stores.sql.ts'
import type { Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { counterGet } from '../shelf/payloads/change-counter.sql.ts'
import { attemptsPerHour } from '../webhooks/log/panel-log.sql.ts'
import { accountCreatedAt, changeHoursList } from './change-hours.sql.ts'
import { cachedFor } from './kept.ts'
import { productsKnown, storeExclusions, storeProducts } from './overview.sql.ts'
import { now } from '../platform/time/clock.ts'

const HOUR_MS = 3_600_000

export interface StoreFigures {
  store: StoreRow
  products: number
  excluded: number
  /** The reason with the most products first. */
  byReason: { reason: string; products: number }[]
}

export interface Counted {
  at: Date
  /** All products of the account, whether or not a store lists them. */
  products: number
  stores: StoreFigures[]
}

/** Counts products per store. Results are cached for LIMITS.overviewCountedMs, because counting a million takes a moment. */
export function openStoreFigures(db: Db): (accountId: number) => Promise<Counted> {
  return cachedFor(LIMITS.overviewCountedMs, (accountId) => countStores(db, accountId))
}

async function countStores(db: Db, accountId: number): Promise<Counted> {
  const at = now()
  const [known, stores, products, exclusions] = await Promise.all([
    productsKnown(db, accountId),
    storesList(db, accountId),
    storeProducts(db, accountId),
    storeExclusions(db, accountId),
  ])
  return {
    at,
    products: known,
    stores: stores.map((store) => {
      const byReason = exclusions
        .filter((row) => row.storeId === store.storeId)
        .map((row) => ({ reason: row.reason, products: row.products }))
      return {
        store,
        products: products.find((row) => row.storeId === store.storeId)?.products ?? 0,
        excluded: byReason.reduce((sum, row) => sum + row.products, 0),
        byReason,
      }
    }),
  }
}

export interface HourFigures {
  from: Date
  /** Null: unknown. */
  changes: number | null
  delivered: number
  failed: number
}

/** Changes and deliveries of the last hours, oldest first; the last one is the present hour. */
export async function hourFigures(db: Db, accountId: number, hours: number, now: Date): Promise<HourFigures[]> {
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const since = new Date(last - (hours - 1) * HOUR_MS)
  const [createdAt, noted, attempts, head] = await Promise.all([
    accountCreatedAt(db, accountId),
    changeHoursList(db, accountId, since),
    attemptsPerHour(db, accountId, since),
    counterGet(db, accountId),
  ])
  /** The change number at the end of an hour: the last one stored until then; for the present hour, the head. */
  const numberAt = (hourMs: number): number | null => {
    if (hourMs >= last) return head?.lastId ?? null
    const found = noted.findLast((row) => row.hour.getTime() <= hourMs)
    if (found !== undefined) return found.lastId
    return hourMs + HOUR_MS <= (createdAt?.getTime() ?? 0) ? 0 : null
  }
  return Array.from({ length: hours }, (_, i) => {
    const from = since.getTime() + i * HOUR_MS
    const [before, after] = [numberAt(from - HOUR_MS), numberAt(from)]
    const sent = attempts.find((row) => row.hour.getTime() === from)
    return {
      from: new Date(from),
      // modulo fenceJump, because `fence-restore` skips that many numbers
      changes: before === null || after === null ? null : (after - before) % LIMITS.fenceJump,
      delivered: sent?.delivered ?? 0,
      failed: sent?.failed ?? 0,
    }
  })
}
