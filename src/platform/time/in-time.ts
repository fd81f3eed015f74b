import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The result of `asked`, or `otherwise` if it takes longer than `ms`: a pool whose connections all hang never answers. Throws if `asked` rejects in
 * time.
 */
export async function inTime<T, U>(asked: Promise<T>, ms: number, otherwise: U): Promise<T | U> {
  const patience = new AbortController()
  try {
    return await Promise.race([asked, sleep(ms, otherwise, { signal: patience.signal })])
  } finally {
    patience.abort()
  }
}
