import { openFairTurns } from '../platform/turns/fair-turns.ts'
import type { ShelfwireError } from '../platform/errors.ts'

/** Limits how much of one thing this process does at the same time; where no place is free, the request is refused and does not wait. */
export interface Slots {
  /** Takes a place for an account. @returns a function that frees it. @throws ShelfwireError rate-limited when there is none. */
  take(accountId: number): () => void
}

/**
 * @param what the places are for
 * @param refusal what is thrown: all places are taken, or all that one account may have.
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
