import { expect, test } from 'vitest'
import { KeyLines } from './key-lines.ts'

test('has the line of each key, and of no other', () => {
  const lines = new KeyLines()
  const keys = Array.from({ length: 10_000 }, (_, i) => `SKU-${i * 7}`)
  for (const [i, key] of keys.entries()) {
    if (lines.get(key) !== undefined) expect.fail(key)
    lines.set(key, i)
    if (i % 1_000 === 0) expect(lines.get(keys[i >> 1] ?? '')).toBe(i >> 1)
  }
  for (const [i, key] of keys.entries()) if (lines.get(key) !== i) expect.fail(key)
  expect(lines.get('')).toBeUndefined()
  expect(lines.get('SKU-1')).toBeUndefined()
  lines.set('SKU-7', 4_294_967_294)
  expect(lines.get('SKU-7')).toBe(4_294_967_294)
})

test('takes some 25 bytes a key, whatever its length', () => {
  const lines = new KeyLines()
  const count = 20_000
  for (let i = 0; i < count; i++) lines.set(`${'x'.repeat(190)}${i}`, i)
  expect(lines.bytes / count).toBeLessThan(64)
  expect(lines.bytes / count).toBeGreaterThan(16)
})
