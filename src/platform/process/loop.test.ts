import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { silentLog } from '../log.ts'
import { startLoop, type Loop, type LoopOptions } from './loop.ts'

let loop: Loop | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await loop?.stop()
})

const start = (step: LoopOptions['step'], idleMs = 3_600_000) =>
  (loop = startLoop({ name: 'test', log: silentLog, idleMs, step }))

/** From now on, performance.now() is this much ahead; timers are not. */
function passes(ms: number): void {
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() + ms)
}

test('a loop that rests is not silent, however long it rests', async () => {
  const resting = start(async () => 'idle')
  await sleep(5)
  passes(3_599_000)
  expect(resting.ageMs()).toBe(0)
})

test('a loop whose next step does not come is silent from when it was due', async () => {
  const late = start(async () => 'idle')
  await sleep(5)
  passes(3_600_000 + 61_000)
  expect(late.ageMs()).toBeGreaterThan(60_000)
  expect(late.ageMs()).toBeLessThan(62_000)
})

test('a step that does not end makes its loop silent from when it was due', async () => {
  const stuck = Promise.withResolvers<'idle'>()
  let steps = 0
  const hanging = start(() => (steps++ === 0 ? Promise.resolve('idle') : stuck.promise))
  await sleep(5)
  hanging.poke()
  await sleep(5)
  expect(steps).toBe(2)
  passes(61_000)
  expect(hanging.ageMs()).toBeGreaterThan(60_000)
  stuck.resolve('idle')
  await sleep(5)
  expect(hanging.ageMs()).toBe(0)
})

test('a loop whose steps fail is silent from the first of them on, until one succeeds', async () => {
  let isFailing = true
  const failing = start(async () => {
    if (isFailing) throw new Error('out of order')
    return 'idle'
  })
  await sleep(5)
  passes(61_000)
  expect(failing.ageMs()).toBeGreaterThan(60_000)
  failing.poke()
  await sleep(5)
  expect(failing.ageMs()).toBeGreaterThan(60_000)
  isFailing = false
  failing.poke()
  await vi.waitFor(() => expect(failing.ageMs()).toBe(0))
})
