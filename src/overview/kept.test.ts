import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIMITS } from '../platform/limits.ts'
import { cachedFor } from './kept.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const LONGEST_MS = 30_000

/** Counts the calls; each call takes `tookMs`. */
function counting(tookMs: number) {
  let counts = 0
  const kept = cachedFor(LONGEST_MS, async () => {
    await vi.advanceTimersByTimeAsync(tookMs)
    return { n: ++counts }
  })
  return async () => (await kept(1)).n
}

test('what was counted quickly is kept shortly, in proportion to the time that it took', async () => {
  const count = counting(10)
  expect(await count()).toBe(1)
  await vi.advanceTimersByTimeAsync(10 * LIMITS.countedKeptTimes - 5)
  expect(await count()).toBe(1)
  await vi.advanceTimersByTimeAsync(10)
  expect(await count()).toBe(2)
})

test('what took long is kept for the longest time, and not longer', async () => {
  const count = counting(60_000)
  expect(await count()).toBe(1)
  await vi.advanceTimersByTimeAsync(LONGEST_MS - 5)
  expect(await count()).toBe(1)
  await vi.advanceTimersByTimeAsync(10)
  expect(await count()).toBe(2)
})

test('who asks while it is counted waits for the same answer, however long that takes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let counts = 0
  const kept = cachedFor(LONGEST_MS, async () => {
    counts++
    await promise
    return {}
  })
  const first = kept(1)
  await vi.advanceTimersByTimeAsync(2 * LONGEST_MS)
  const second = kept(1)
  resolve()
  expect(await first).toBe(await second)
  expect(counts).toBe(1)
})

test('a failure is not remembered', async () => {
  let counts = 0
  const kept = cachedFor(LONGEST_MS, () =>
    ++counts === 1 ? Promise.reject(new Error('no')) : Promise.resolve({ counts }),
  )
  await expect(kept(1)).rejects.toThrow('no')
  await expect(kept(1)).resolves.toEqual({ counts: 2 })
})
