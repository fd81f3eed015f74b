import { expect, test } from 'vitest'
import { openEvidence } from './network-evidence.ts'

const FRESH_MS = 300_000
const open = () => {
  const clock = { at: 1_000_000 }
  return { clock, evidence: openEvidence({ freshMs: FRESH_MS, hostsMax: 10, now: () => (clock.at += 1) }) }
}

test('without evidence a failure is ours', () => {
  const { evidence } = open()
  expect(evidence.failedByUs('a')).toBe(true)
  expect(evidence.failedByUs('a')).toBe(true)
})

test("a later success of another host makes it the host's own failure, for five minutes", () => {
  const { evidence, clock } = open()
  expect(evidence.failedByUs('a')).toBe(true)
  evidence.worked('b')
  expect(evidence.failedByUs('a')).toBe(false)
  clock.at += FRESH_MS
  expect(evidence.failedByUs('a')).toBe(true)
  evidence.worked('b')
  expect(evidence.failedByUs('a')).toBe(false)
})

test('when all hosts fail at the same time, earlier successes prove nothing', () => {
  const { evidence, clock } = open()
  for (const host of ['a', 'b', 'c']) evidence.worked(host)
  for (let i = 0; i < 5; i++) {
    clock.at += 10_000
    for (const host of ['a', 'b', 'c']) expect(evidence.failedByUs(host)).toBe(true)
  }
})

test('a success of the host resets its record', () => {
  const { evidence } = open()
  evidence.failedByUs('a')
  evidence.worked('a')
  expect(evidence.failedByUs('a')).toBe(true)
  evidence.worked('b')
  expect(evidence.failedByUs('a')).toBe(false)
})
