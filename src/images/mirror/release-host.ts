import { inTransaction, type Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { hostAnswered, hostPause, slotRelease, type Slot } from './claims.sql.ts'

/** The state in which a run leaves its host. */
export interface HostRelease {
  /** Time in ms until the slot may be taken again. */
  slotPauseMs: number
  /** Pause of the whole host in ms, as it has asked for; 0: a time that grows with its failures; null: none. */
  restMs: number | null
  hasAnswered: boolean
}

/**
 * Frees the run's slot, and either pauses the host or records that it has answered. All slots of a host are locked in their order, and no
 * transaction that has locked one waits for a lower one: two runs of a failing host may end at the same time.
 */
export async function releaseHost(
  db: Db,
  slot: Slot,
  { slotPauseMs, restMs, hasAnswered }: HostRelease,
): Promise<void> {
  if (restMs !== null) {
    const askedMs = restMs === 0 ? null : restMs
    const rest = { firstMs: LIMITS.mirrorHostRestMs, maxMs: LIMITS.mirrorHostRestMaxMs, askedMs }
    return inTransaction(db, async (tx) => {
      const ms = await hostPause(tx, slot.host, rest)
      await slotRelease(tx, slot, Math.max(slotPauseMs, ms))
    })
  }
  await inTransaction(db, (tx) => slotRelease(tx, slot, slotPauseMs))
  // in a transaction of its own, because it locks other slots, too
  if (hasAnswered) await inTransaction(db, (tx) => hostAnswered(tx, slot.host))
}
