import { expect, test } from 'vitest'
import { mapYielding } from './yielding.ts'

/** How many turns the event loop made while a computation of `pieces` times 1.5 ms ran. */
async function turnsDuring(pieces: number, restMs: number): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await mapYielding(
    Array.from({ length: pieces }, (_, i) => i),
    (i) => {
      for (const until = performance.now() + 1.5; performance.now() < until;);
      return i
    },
    restMs,
  )
  isOver = true
  return turns
}

test('a computation that rests leaves many turns of the event loop to others, one that does not a turn after each piece', async () => {
  const turns = await turnsDuring(20, 0)
  expect(turns).toBeLessThan(100)
  expect(await turnsDuring(20, 2)).toBeGreaterThan(4 * turns)
})

test('computes the same results in the same order', async () => {
  expect(await mapYielding([3, 1, 2], (n) => n * 2, 1)).toEqual([6, 2, 4])
})
