import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  nextHealth,
  OWN_FAULT_MS,
  phaseOf,
  type Health,
  type HealthEvent,
  type NoticeKind,
  type Phase,
} from './health.ts'

// Expected values are from the decisions about webhooks, not from the table under test.

const MINUTE = 60_000
const active = (failures: number): Health => ({ failures, isPaused: false })
const paused = (failures: number): Health => ({ failures, isPaused: true })

type Line = [
  phase: Phase,
  before: Health,
  event: HealthEvent,
  after: Health,
  delayMs: number,
  notice: NoticeKind | null,
]

const PHASES: readonly Phase[] = ['sound', 'before_notice', 'failing', 'before_pause', 'paused']

const LINES: Line[] = [
  ['sound', active(2), 'delivered', active(0), 0, null],
  ['sound', active(2), 'failed', active(3), 4 * MINUTE, null],
  ['sound', active(2), 'own_fault', active(2), OWN_FAULT_MS, null],
  ['sound', active(2), 'resumed', active(2), 0, null],
  ['sound', active(2), 'enabled', active(0), 0, null],

  ['before_notice', active(4), 'delivered', active(0), 0, null],
  ['before_notice', active(4), 'failed', active(5), 10 * MINUTE, 'failing'],
  ['before_notice', active(4), 'own_fault', active(4), OWN_FAULT_MS, null],
  ['before_notice', active(4), 'resumed', active(4), 0, null],
  ['before_notice', active(4), 'enabled', active(0), 0, null],

  ['failing', active(5), 'delivered', active(0), 0, null],
  ['failing', active(5), 'failed', active(6), 10 * MINUTE, null],
  ['failing', active(5), 'own_fault', active(5), OWN_FAULT_MS, null],
  ['failing', active(5), 'resumed', active(5), 0, null],
  ['failing', active(5), 'enabled', active(0), 0, null],

  ['before_pause', active(9), 'delivered', active(0), 0, null],
  ['before_pause', active(9), 'failed', paused(10), 60 * MINUTE, 'paused'],
  ['before_pause', active(9), 'own_fault', active(9), OWN_FAULT_MS, null],
  ['before_pause', active(9), 'resumed', active(9), 0, null],
  ['before_pause', active(9), 'enabled', active(0), 0, null],

  ['paused', paused(10), 'delivered', active(0), 0, 'recovered'],
  ['paused', paused(10), 'failed', paused(11), 60 * MINUTE, null],
  ['paused', paused(10), 'own_fault', paused(10), OWN_FAULT_MS, null],
  ['paused', paused(10), 'resumed', paused(10), 0, null],
  ['paused', paused(10), 'enabled', active(0), 0, null],
]

const EVENTS: readonly HealthEvent[] = ['delivered', 'failed', 'own_fault', 'resumed', 'enabled']

describe('the table', () => {
  test('has a line here for every state and every event', () => {
    const all = PHASES.flatMap((phase) => EVENTS.map((event) => `${phase} ${event}`))
    expect(LINES.map(([phase, , event]) => `${phase} ${event}`)).toEqual(all)
    expect(LINES).toHaveLength(25)
  })

  test.each(LINES)('%s %o, %s -> %o in %i ms, notice %s', (phase, before, event, health, delayMs, notice) => {
    expect(phaseOf(before)).toBe(phase)
    expect(nextHealth(before, event, 0)).toEqual({ health, delayMs, notice })
  })

  test.each([
    [0, 'sound'],
    [1, 'sound'],
    [3, 'sound'],
    [4, 'before_notice'],
    [5, 'failing'],
    [8, 'failing'],
    [9, 'before_pause'],
  ] as const)('%i failures without a pause: %s', (failures, phase) => {
    expect(phaseOf(active(failures))).toBe(phase)
  })
})

/** Failures in a row from health. */
function failing(times: number, chance: number, hintMs: number | null = null) {
  let health = active(0)
  return Array.from({ length: times }, () => {
    const step = nextHealth(health, 'failed', chance, hintMs)
    health = step.health
    return step
  })
}

describe('the schedule', () => {
  const PROMISED = [10_000, MINUTE, 4 * MINUTE, ...Array<number>(6).fill(10 * MINUTE), 60 * MINUTE]

  test('ten failures: 10 s, 1 min, 4 min, then every 10 min, and the tenth pauses for 60 min', () => {
    const steps = failing(10, 0)
    expect(steps.map((step) => step.delayMs)).toEqual(PROMISED)
    expect(steps.map((step) => step.health.failures)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(steps.map((step) => step.health.isPaused)).toEqual([...Array<boolean>(9).fill(false), true])
  })

  test('every probe that fails is another 60 min', () => {
    expect(
      failing(14, 0)
        .slice(9)
        .map((step) => step.delayMs),
    ).toEqual(Array(5).fill(60 * MINUTE))
  })

  test('jitter is never early and never above a fifth', () => {
    const late = failing(10, 0.999_999_999).map((step) => step.delayMs)
    for (const [i, delay] of late.entries()) {
      const promised = PROMISED[i] ?? Number.NaN
      expect(delay).toBeGreaterThanOrEqual(promised)
      expect(delay).toBeLessThanOrEqual(promised * 1.2)
    }
    // jitter is applied, so that endpoints of one host are not retried at the same moment
    expect(late.slice(0, 9).every((delay, i) => delay > (PROMISED[i] ?? Number.NaN) * 1.19)).toBe(true)
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (times, chance) => {
          const delay = failing(times, chance).at(-1)?.delayMs ?? Number.NaN
          const promised = PROMISED[Math.min(times, 10) - 1] ?? Number.NaN
          return delay >= promised && delay <= promised * 1.2
        },
      ),
    )
  })

  test('what the receiver asks for by Retry-After lengthens a delay and never shortens one', () => {
    expect(failing(1, 0, 5_000)[0]?.delayMs).toBe(10_000)
    expect(failing(1, 0, 10_001)[0]?.delayMs).toBe(10_001)
    expect(failing(2, 0, 5 * MINUTE).map((step) => step.delayMs)).toEqual([5 * MINUTE, 5 * MINUTE])
    expect(failing(4, 0, 5 * MINUTE).map((step) => step.delayMs)).toEqual([
      5 * MINUTE,
      5 * MINUTE,
      5 * MINUTE,
      10 * MINUTE,
    ])
    expect(failing(10, 0, 60 * MINUTE).map((step) => step.delayMs)).toEqual(Array(10).fill(60 * MINUTE))
    expect(nextHealth(paused(10), 'failed', 0, 5 * MINUTE).delayMs).toBe(60 * MINUTE)
    expect(nextHealth(active(3), 'delivered', 0, 5 * MINUTE).delayMs).toBe(0)
  })
})

describe('notices', () => {
  const noticesOf = (events: readonly HealthEvent[]): string[] => {
    let health = active(0)
    return events.flatMap((event, i) => {
      const step = nextHealth(health, event, 0)
      health = step.health
      return step.notice === null ? [] : [`${i + 1}: ${step.notice}`]
    })
  }
  const times = (count: number, event: HealthEvent) => Array<HealthEvent>(count).fill(event)

  test('4 failures, a success, 4 failures: no notice', () => {
    expect(noticesOf([...times(4, 'failed'), 'delivered', ...times(4, 'failed')])).toEqual([])
  })

  test('one at the 5th failure and one at the 10th, none at probes that fail, one when it is over', () => {
    expect(noticesOf([...times(14, 'failed'), 'delivered', 'delivered'])).toEqual([
      '5: failing',
      '10: paused',
      '15: recovered',
    ])
  })

  test('a new streak has notices again; the end of one that was not paused has none', () => {
    expect(noticesOf([...times(6, 'failed'), 'delivered', ...times(5, 'failed')])).toEqual([
      '5: failing',
      '12: failing',
    ])
  })

  test('faults of our own and tries that the owner asked for neither start nor end a streak', () => {
    const events: HealthEvent[] = [
      ...times(4, 'failed'),
      ...times(7, 'own_fault'),
      'resumed',
      'failed',
      'own_fault',
      ...times(5, 'failed'),
      'own_fault',
      'resumed',
      'failed',
      'own_fault',
    ]
    expect(noticesOf(events)).toEqual(['13: failing', '19: paused'])
  })

  test('for any events: failures and pause are as counted, with each notice at most once per streak', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 12, arbitrary: fc.constant<HealthEvent>('failed') }, fc.constantFrom(...EVENTS)), {
          maxLength: 80,
        }),
        (events) => {
          let health = active(0)
          /** In the contract's words: a failure counts; a 2xx or enabling resets. */
          let count = 0
          let isPaused = false
          let streak: NoticeKind[] = []
          for (const event of events) {
            const expected: NoticeKind[] = []
            if (event === 'failed') {
              count++
              if (count === 5) expected.push('failing')
              if (count === 10) {
                isPaused = true
                expected.push('paused')
              }
            }
            if (event === 'delivered' && isPaused) expected.push('recovered')
            if (event === 'delivered' || event === 'enabled') {
              count = 0
              isPaused = false
            }
            const step = nextHealth(health, event, 0.5)
            health = step.health
            expect(health).toEqual({ failures: count, isPaused })
            const notices = step.notice === null ? [] : [step.notice]
            expect(notices).toEqual(expected)
            streak.push(...notices)
            expect(new Set(streak).size).toBe(streak.length)
            if (count === 0) streak = []
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
