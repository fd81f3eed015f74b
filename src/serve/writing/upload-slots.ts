import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'

/** Limits the files that this process receives at the same time, in all and of one account. */
export interface UploadSlots {
  /** Takes a place. @returns a function that frees it. @throws ShelfwireError rate-limited when there is none. */
  take(accountId: number): () => void
}

export function openUploadSlots(): UploadSlots {
  const taken = new Map<number, number>()
  let all = 0
  return {
    take(accountId) {
      const own = taken.get(accountId) ?? 0
      if (own >= LIMITS.uploadsPerAccountMax)
        throw busy(`an account sends at most ${LIMITS.uploadsPerAccountMax} files at once`)
      if (all >= LIMITS.uploadsMax) throw busy('the service receives as many files as it can')
      taken.set(accountId, own + 1)
      all++
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        all--
        const rest = (taken.get(accountId) ?? 1) - 1
        if (rest === 0) taken.delete(accountId)
        else taken.set(accountId, rest)
      }
    },
  }
}

const busy = (why: string) =>
  new ShelfwireError('rate-limited', `${why}; see Retry-After`, { retryAfterSeconds: LIMITS.uploadRetrySeconds })
