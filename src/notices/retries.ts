import { LIMITS } from '../platform/limits.ts'

/** Delay after the first, second and third try, and after every further one, until LIMITS.noticeRetryHours have passed. */
const RETRY_MS: readonly number[] = [60_000, 300_000, 900_000, 3_600_000]

/** The delay in ms before a notice that could not be sent is tried again. @param tries so far, at least 1 */
export const retryAfterTries = (tries: number): number | null => RETRY_MS[Math.min(tries, RETRY_MS.length) - 1] ?? null

/** Runs `work` with a signal that aborts LIMITS.noticeEndingMs after `stopping`, so that a send that is nearly done can end and is not repeated. */
export async function withGracePeriod<T>(stopping: AbortSignal, work: (giveUp: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const ending = () => (timer = setTimeout(() => giveUp.abort(), LIMITS.noticeEndingMs))
  stopping.addEventListener('abort', ending, { once: true })
  try {
    return await work(giveUp.signal)
  } finally {
    stopping.removeEventListener('abort', ending)
    clearTimeout(timer)
  }
}
