import { inTransaction, type Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { hostAnswered, hostRest, slotRelease, type Slot } from './claims.sql.ts'

/** How a run leaves its host. */
export interface Leaving {
  /** Until the slot may be taken again. */
  slotPauseMs: number
  /** The host is left alone: for as long as it asked, or (0) for a time that grows with its failures. */
  restMs: number | null
  hasAnswered: boolean
}

/**
 * Gives a host's slot back, and rests the host or records that it has answered. All slots of a host are locked in their order, and no transaction
 * that has locked one waits for a lower one: two runs of a failing host end at the same moment.
 */
export async function leaveHost(db: Db, slot: Slot, { slotPauseMs, restMs, hasAnswered }: Leaving): Promise<void> {
  if (restMs !== null) {
    const askedMs = restMs === 0 ? null : restMs
    const rest = { firstMs: LIMITS.mirrorHostRestMs, maxMs: LIMITS.mirrorHostRestMaxMs, askedMs }
    return inTransaction(db, async (tx) => {
      const ms = await hostRest(tx, slot.host, rest)
      await slotRelease(tx, slot, Math.max(slotPauseMs, ms))
    })
  }
  await inTransaction(db, (tx) => slotRelease(tx, slot, slotPauseMs))
  // by itself: it locks the other slots, too
  if (hasAnswered) await inTransaction(db, (tx) => hostAnswered(tx, slot.host))
}
