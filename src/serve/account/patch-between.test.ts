import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInPlace, patchBetween } from './patch-between.ts'

// Merge patches between two states of a product's settings: members, some of which are maps.

type Members = Record<string, unknown>
const isMap = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies a merge patch (RFC 7396), independently of the code under test. */
function apply(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch
  const result: Members = isMap(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete result[name]
    else result[name] = apply(result[name], value)
  return result
}

const value = fc.oneof(fc.string(), fc.boolean(), fc.array(fc.string(), { maxLength: 2 }))
const name = fc.constantFrom('title', 'de', 'pl', '*', 'color')
const members = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)))))

test('a patch makes one state of the other, and its reverse makes the first again', () => {
  fc.assert(
    fc.property(members, members, (before, after) => {
      const [there, back] = [patchBetween(before, after), patchBetween(after, before)]
      expect(apply(before, there)).toEqual(after)
      expect(apply(apply(before, there), back)).toEqual(before)
      expect(Object.keys(patchBetween(after, after))).toEqual([])
    }),
  )
})

test('a patch is in place exactly when it changes nothing', () => {
  fc.assert(
    fc.property(members, members, members, (before, after, present) => {
      const there = patchBetween(before, after)
      expect(isInPlace(after, there)).toBe(true)
      expect(isInPlace(present, there)).toBe(isSame(apply(present, there), present))
    }),
  )
})

/** Compares two states. An empty map equals an absent member: neither sets anything. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
const canonical = (given: unknown): unknown =>
  isMap(given)
    ? Object.fromEntries(
        Object.entries(given)
          .map(([key, entry]) => [key, canonical(entry)] as const)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      )
    : given

test('what a later change touched is not in place, and what it left is', () => {
  const change = patchBetween({ title: { de: 'a' } }, { title: { de: 'b', pl: 'c' } })
  expect(change).toEqual({ title: { de: 'b', pl: 'c' } })
  expect(isInPlace({ title: { de: 'b', pl: 'c', en: 'd' }, ean: '1' }, change)).toBe(true)
  expect(isInPlace({ title: { de: 'x', pl: 'c' } }, change)).toBe(false)
  expect(isInPlace({ title: {} }, change)).toBe(false)
  expect(isInPlace({ title: {} }, patchBetween({ title: { de: 'a' } }, { title: {} }))).toBe(true)
})
