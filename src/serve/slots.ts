import { openFairTurns } from '../platform/turns/fair-turns.ts'
import type { ShelfwireError } from '../platform/errors.ts'

/** Limits how many operations of one kind this process runs at the same time. If no slot is free, it refuses and does not wait. */
export interface Slots {
  /** Takes a slot for an account. @returns a function that frees it. @throws ShelfwireError rate-limited if none is free. */
  take(accountId: number): () => void
}

/**
 * @param what what the slots are for, in metrics
 * @param refusal makes the error: all slots are taken, or all of this account.
 */
export function openSlots(
  what: string,
  { all, ofAccount }: { all: number; ofAccount: number },
  refusal: (whose: 'all' | 'own') => ShelfwireError,
): Slots {
  const turns = openFairTurns(what, { atOnce: all, perKey: ofAccount, waitingMax: 0, waitingPerKeyMax: 0 })
  return {
    take(accountId) {
      const turn = turns.take(accountId)
      if (turn === undefined) throw refusal(turns.state.isFull ? 'all' : 'own')
      return () => turn[Symbol.dispose]()
    },
  }
}
