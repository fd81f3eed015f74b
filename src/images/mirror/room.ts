import type { Db } from '../../db/sql.ts'
import { bytesStored } from './claims.sql.ts'

/** How often it is counted what all processes have stored. */
const COUNT_MS = 60_000

/** How much may still be stored. */
export interface Room {
  /** Counts again where that is due. */
  refresh(): Promise<void>
  /** Whether a picture of so many bytes fits. */
  has(bytes: number): boolean
  /** Takes note of what this process has stored since. */
  take(bytes: number): void
  /** The bytes of all stored pictures, as far as this process knows. */
  used(): number
}

/** @param bytesMax of all pictures together; null for no limit. Several processes may exceed it by what they store in a minute. */
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
