import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openSlots, type Slots } from '../slots.ts'

/** Limits the files that this process receives at the same time, in all and of one account. */
export function openUploadSlots(): Slots {
  return openSlots((own, all) => {
    if (own >= LIMITS.uploadsPerAccountMax)
      throw busy(`an account sends at most ${LIMITS.uploadsPerAccountMax} files at once`)
    if (all >= LIMITS.uploadsMax) throw busy('the service receives as many files as it can')
  })
}

const busy = (why: string) =>
  new ShelfwireError('rate-limited', `${why}; see Retry-After`, { retryAfterSeconds: LIMITS.uploadRetrySeconds })
