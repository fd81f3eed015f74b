import type { Db } from '../../db/sql.ts'
import { bytesStored } from './claims.sql.ts'

/** How often the bytes that all processes have stored are counted. */
const COUNT_MS = 60_000

/** The space that is left for pictures. */
export interface Room {
  /** Counts again if that is due. */
  refresh(): Promise<void>
  /** Whether a picture of so many bytes fits. */
  has(bytes: number): boolean
  /** Adds bytes that this process has stored since the last count. */
  take(bytes: number): void
  /** The bytes of all stored pictures, as far as this process knows. */
  used(): number
}

/** @param bytesMax limit for all pictures together; null: none. Several processes may exceed it by as much as they store in a minute. */
export function openRoom(db: Db, bytesMax: number | null): Room {
  let used = 0
  let countedAt = -Infinity
  return {
    async refresh() {
      if (performance.now() - countedAt < COUNT_MS) return
      countedAt = performance.now()
      used = await bytesStored(db)
    },
    has: (bytes) => used + bytes < (bytesMax ?? Infinity),
    take: (bytes) => void (used += bytes),
    used: () => used,
  }
}
