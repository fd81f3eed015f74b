import { setTimeout as sleep } from 'node:timers/promises'

/** What is asked, or something else after so many milliseconds: a pool all of whose connections hang never answers. Throws what `asked` throws in time. */
export async function inTime<T, U>(asked: Promise<T>, ms: number, otherwise: U): Promise<T | U> {
  const patience = new AbortController()
  try {
    return await Promise.race([asked, sleep(ms, otherwise, { signal: patience.signal })])
  } finally {
    patience.abort()
  }
}
