import { beforeEach, expect, test } from 'vitest'
import { REFUSED_MS, watchWrites, type WriteHealth } from './write-health.ts'

const failed = (code: string) => Object.assign(new Error(code), { code })
const FULL = failed('53100')

let ms: number
let probes: number
let answer: () => Promise<void>
let writes: WriteHealth
beforeEach(() => {
  ms = 0
  probes = 0
  answer = async () => {}
  writes = watchWrites(
    () => {
      probes++
      return answer()
    },
    () => ms,
  )
})

test('without a refusal nothing is asked', async () => {
  writes.note(failed('23505'))
  expect(await writes.areTaken()).toBe(true)
  expect(probes).toBe(0)
})

test.for(['53100', '25006'])(
  'after %s writes are not taken until a probe has written, 5 s later at the earliest',
  async (code) => {
    writes.note(failed(code))
    ms = REFUSED_MS - 1
    expect([await writes.areTaken(), probes]).toEqual([false, 0])
    ms = REFUSED_MS
    expect([await writes.areTaken(), probes]).toEqual([true, 1])
    expect([await writes.areTaken(), probes]).toEqual([true, 1])
  },
)

test('a probe that is refused begins the 5 s again', async () => {
  answer = () => Promise.reject(FULL)
  writes.note(FULL)
  ms = 5_000
  expect(await writes.areTaken()).toBe(false)
  ms = 9_999
  expect([await writes.areTaken(), probes]).toEqual([false, 1])
  ms = 10_000
  answer = async () => {}
  expect([await writes.areTaken(), probes]).toEqual([true, 2])
})

test('a probe that fails for another reason shows nothing, and is repeated', async () => {
  answer = () => Promise.reject(failed('08006'))
  writes.note(FULL)
  ms = 5_000
  expect([await writes.areTaken(), await writes.areTaken(), probes]).toEqual([false, false, 2])
})

test('a write that is refused during a probe counts for more than its success', async () => {
  const slow = Promise.withResolvers<void>()
  answer = () => slow.promise
  writes.note(FULL)
  ms = 5_000
  const asked = [writes.areTaken(), writes.areTaken()]
  ms = 5_001
  writes.note(FULL)
  slow.resolve()
  expect(await Promise.all(asked)).toEqual([false, false])
  expect(probes).toBe(1)
})
