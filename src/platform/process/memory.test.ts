import process from 'node:process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { releaseMemoryWhenIdle } from './memory.ts'

const MB = 1_048_576
let collected = 0
let rssBytes = 0
const own = globalThis.gc

beforeEach(() => {
  vi.useFakeTimers()
  collected = 0
  vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => rssBytes)
  globalThis.gc = (() => {
    collected++
    rssBytes = 140 * MB
  }) as unknown as NodeJS.GCFunction
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  globalThis.gc = own
})

test('memory is given back after the start, and once it has grown, but not while requests come or within a minute', async () => {
  rssBytes = 170 * MB
  let lastRequestAt = performance.now()
  releaseMemoryWhenIdle(() => lastRequestAt)
  for (let i = 0; i < 10; i++) {
    await vi.advanceTimersByTimeAsync(900)
    lastRequestAt = performance.now()
  }
  expect(collected).toBe(0)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(collected).toBe(1)
  rssBytes = 203 * MB
  await vi.advanceTimersByTimeAsync(120_000)
  expect(collected).toBe(1)
  rssBytes = 205 * MB
  await vi.advanceTimersByTimeAsync(4_000)
  expect(collected).toBe(2)
  rssBytes = 500 * MB
  await vi.advanceTimersByTimeAsync(50_000)
  expect(collected).toBe(2)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(collected).toBe(3)
  // the minute between collections is over, but requests arrived half a minute ago
  rssBytes = 500 * MB
  await vi.advanceTimersByTimeAsync(50_000)
  lastRequestAt = performance.now()
  await vi.advanceTimersByTimeAsync(25_000)
  expect(collected).toBe(3)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(collected).toBe(4)
})

test('without the flag nothing is done', async () => {
  // @ts-expect-error gc exists only with --expose-gc
  delete globalThis.gc
  releaseMemoryWhenIdle(() => -Infinity)
  expect(vi.getTimerCount()).toBe(0)
})
