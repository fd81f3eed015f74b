import { expect, test } from 'vitest'
import { inTime } from './in-time.ts'

test('a promise is awaited for the given time, and its error is thrown if it comes in time', async () => {
  expect(await inTime(Promise.resolve('answer'), 1_000, 'late')).toBe('answer')
  expect(await inTime(new Promise<string>(() => {}), 5, 'late')).toBe('late')
  await expect(inTime(Promise.reject(new Error('refused')), 1_000, 'late')).rejects.toThrow('refused')
})
