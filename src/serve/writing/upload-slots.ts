import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openSlots, type Slots } from '../slots.ts'

/** Limits the files that this process receives at the same time, in all and per account. */
export function openUploadSlots(): Slots {
  const { uploadsMax: all, uploadsPerAccountMax: ofAccount } = LIMITS
  return openSlots('files that are received', { all, ofAccount }, (whose) =>
    busy(
      whose === 'own'
        ? `an account sends at most ${ofAccount} files at once`
        : 'the service receives as many files as it can',
    ),
  )
}

const busy = (why: string) =>
  new ShelfwireError('rate-limited', `${why}; see Retry-After`, { retryAfterSeconds: LIMITS.uploadRetrySeconds })
