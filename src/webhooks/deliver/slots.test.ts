import { expect, test } from 'vitest'
import { LIMITS } from '../../platform/limits.ts'
import { openSlots } from './slots.ts'

test('failing and slow endpoints take half of what may be in flight, and no more than all may be', () => {
  const slots = openSlots()
  const taken = Array.from({ length: 300 }, () => slots.take(true)).filter(Boolean)
  expect(taken).toHaveLength(LIMITS.webhookImpairedInFlightMax)
  expect(Array.from({ length: 300 }, () => slots.take(false)).filter(Boolean)).toHaveLength(
    LIMITS.webhookInFlightMax - LIMITS.webhookImpairedInFlightMax,
  )
  expect(slots.take(false)).toBe(false)
  slots.giveBack(true)
  expect([slots.take(true), slots.take(true), slots.inFlight()]).toEqual([true, false, LIMITS.webhookInFlightMax])
})

test('sound endpoints alone may take everything', () => {
  const slots = openSlots(4, 2)
  expect(Array.from({ length: 6 }, () => slots.take(false))).toEqual([true, true, true, true, false, false])
  expect(slots.take(true)).toBe(false)
})
