import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advance, newSchedule, NO_PROGRESS_MS, RETRY_STEP_MS, STEP_GAP_MS, STEPS_MAX, type Event } from './scheduler.ts'

// A simulation around the scheduler: accounts with work, steps and deliveries that take time, steps that fail, slots, lost
// notifications, and the poll.

const POLL_MS = 1_000
const CLAIMS_PER_STEP_MAX = 3
const END_MS = 120_000

const world = fc.record({
  accounts: fc.integer({ min: 1, max: 8 }),
  slots: fc.integer({ min: 1, max: 6 }),
  changes: fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 4_000 }),
      account: fc.integer({ min: 1, max: 8 }),
      deliveries: fc.integer({ min: 1, max: 6 }),
      isNotified: fc.boolean(),
    }),
    { maxLength: 25 },
  ),
  /** Durations of steps, used in turn. */
  stepMs: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 10 }),
  deliveryMs: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 10 }),
  /** Which of the first steps fail. */
  failures: fc.array(fc.boolean(), { maxLength: 20 }),
  /** An account whose endpoints another process has taken until a time. */
  elsewhere: fc.record({ account: fc.integer({ min: 1, max: 8 }), until: fc.integer({ min: 0, max: 3_000 }) }),
  stopAt: fc.option(fc.integer({ min: 0, max: 6_000 }), { nil: null }),
})

type World = typeof world extends fc.Arbitrary<infer T> ? T : never

interface Outcome {
  /** Unclaimed work of all accounts at the end. */
  unclaimed: number
  sent: number
  recorded: string[]
  givenUp: number
  /** When steps began, by account. */
  steps: Map<number, number[]>
  remembered: number
  drainedAt: number | null
}

/** Runs a simulation to its end, and asserts at every step what must always hold. */
function simulate(given: World): Outcome {
  const state = newSchedule<string>()
  const agenda: { at: number; order: number; run: () => void }[] = []
  const timers = new Map<number, number>()
  const work = new Map<number, number>()
  const running = new Set<number>()
  const notBefore = new Map<number, number>()
  /** Account in the queue -> how often each other account was stepped meanwhile. */
  const overtaken = new Map<number, Map<number, number>>()
  const outcome: Outcome = {
    unclaimed: 0,
    sent: 0,
    recorded: [],
    givenUp: 0,
    steps: new Map(),
    remembered: 0,
    drainedAt: null,
  }
  let [now, order, free, stepsBegun, isStopping] = [0, 0, given.slots, 0, false]
  const later = (ms: number, run: () => void) => agenda.push({ at: now + ms, order: order++, run })

  const report = (event: Event<string>) => {
    const actions = advance(state, event, now)
    for (const action of actions) {
      if (action.kind === 'step') beginStep(action.accountId, action.results)
      else if (action.kind === 'drained') outcome.drainedAt ??= now
      else {
        const id = order
        timers.set(action.accountId, id)
        expect(action.afterMs).toBeGreaterThan(0)
        later(action.afterMs, () => {
          if (timers.get(action.accountId) === id) report({ kind: 'timer', accountId: action.accountId })
        })
      }
    }
    for (const waiting of state.queue) if (!overtaken.has(waiting)) overtaken.set(waiting, new Map())
    // an account with nothing to do is forgotten, and its next change is stepped without delay
    for (const accountId of notBefore.keys()) if (!state.accounts.has(accountId)) notBefore.delete(accountId)
    expect(state.stepping).toBe(running.size)
    expect(running.size).toBeLessThanOrEqual(STEPS_MAX)
  }

  const beginStep = (accountId: number, results: readonly string[]) => {
    expect(running.has(accountId), 'two steps of one account at once').toBe(false)
    if (!isStopping) expect(now, 'too soon').toBeGreaterThanOrEqual(notBefore.get(accountId) ?? 0)
    running.add(accountId)
    timers.delete(accountId)
    outcome.steps.set(accountId, [...(outcome.steps.get(accountId) ?? []), now])
    overtaken.delete(accountId)
    for (const [, by] of overtaken) {
      by.set(accountId, (by.get(accountId) ?? 0) + 1)
      expect(by.get(accountId), 'an account was overtaken twice').toBeLessThanOrEqual(1)
    }
    const number = stepsBegun++
    const isFailing = given.failures[number] ?? false
    const stepMs = given.stepMs[number % given.stepMs.length] ?? 0
    later(stepMs / 2, () => {
      // another process has the endpoints of this account: they are due, but cannot be claimed
      const isElsewhere = given.elsewhere.account === accountId && now < given.elsewhere.until
      const found = work.get(accountId) ?? 0
      const claims = isStopping || isElsewhere ? 0 : Math.min(found, free, CLAIMS_PER_STEP_MAX)
      const isStarved = !isElsewhere && found > claims && (free === claims || isStopping)
      free -= claims
      work.set(accountId, found - claims)
      later(stepMs / 2, () => {
        running.delete(accountId)
        notBefore.set(accountId, now + (isFailing ? RETRY_STEP_MS : STEP_GAP_MS))
        if (isFailing) {
          free += claims
          work.set(accountId, (work.get(accountId) ?? 0) + claims)
          if (isStopping) outcome.givenUp += results.length
          report({ kind: 'step-failed', accountId })
          return
        }
        outcome.recorded.push(...results)
        const isMore = !isElsewhere && !isStarved && found > claims
        const dueInMs = isElsewhere && found > 0 ? 0 : null
        report({ kind: 'stepped', accountId, claims, isMore, isStarved, isSlotReturned: false, dueInMs })
        for (let i = 0; i < claims; i++) {
          const result = `r${outcome.sent++}`
          later(given.deliveryMs[outcome.sent % given.deliveryMs.length] ?? 0, () => {
            free++
            report({ kind: 'delivered', accountId, result })
          })
        }
      })
    })
  }

  const ids = Array.from({ length: given.accounts }, (_, i) => i + 1)
  for (const { at, account, deliveries, isNotified } of given.changes) {
    const accountId = ((account - 1) % given.accounts) + 1
    later(at, () => {
      work.set(accountId, (work.get(accountId) ?? 0) + deliveries)
      if (isNotified && !isStopping) report({ kind: 'changed', accountId })
    })
  }
  const poll = () => {
    if (isStopping) return
    report({
      kind: 'polled',
      withWork: ids.filter((id) => (work.get(id) ?? 0) > 0),
      withEndpoints: ids,
    })
    later(POLL_MS, poll)
  }
  later(0, poll)
  if (given.stopAt !== null) {
    later(given.stopAt, () => {
      isStopping = true
      report({ kind: 'stopping' })
    })
  }
  for (;;) {
    agenda.sort((a, b) => a.at - b.at || a.order - b.order)
    const next = agenda.shift()
    if (next === undefined || next.at > END_MS) break
    now = next.at
    next.run()
  }
  for (const left of work.values()) outcome.unclaimed += left
  outcome.remembered = state.accounts.size
  return outcome
}

test('all work is claimed and every result recorded once, whatever the order, however many notifications are lost', () => {
  fc.assert(
    fc.property(world, (given) => {
      const { unclaimed, sent, recorded, remembered } = simulate({ ...given, stopAt: null })
      expect(unclaimed).toBe(0)
      expect([...recorded].sort()).toEqual(Array.from({ length: sent }, (_, i) => `r${i}`).sort())
      expect(remembered).toBe(0)
    }),
    { numRuns: 300 },
  )
})

test('stopped at any time it ends, with every result recorded or given up by a failed step', () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 0, max: 6_000 }), (given, stopAt) => {
      const { sent, recorded, givenUp, drainedAt } = simulate({ ...given, stopAt })
      expect(new Set(recorded).size).toBe(recorded.length)
      expect(recorded.length).toBeLessThanOrEqual(sent)
      expect(recorded.length + givenUp).toBeGreaterThanOrEqual(sent)
      // a step, the longest delivery, and a step
      expect(drainedAt).not.toBeNull()
      expect(drainedAt).toBeLessThanOrEqual(stopAt + 60 + 900 + 3 * 60)
    }),
    { numRuns: 300 },
  )
})

test('without failures a change is looked at within a poll, though its notification was lost', () => {
  fc.assert(
    fc.property(world, (given) => {
      const calm = { ...given, failures: [], slots: 1_000, stopAt: null, elsewhere: { account: 1, until: 0 } }
      const { steps } = simulate(calm)
      for (const { at, account } of given.changes) {
        const begun = steps.get(((account - 1) % given.accounts) + 1) ?? []
        const next = begun.find((time) => time >= at)
        // a poll, a step in progress with its gap, and one step of each other account before it
        expect(next).toBeLessThanOrEqual(at + POLL_MS + 60 + STEP_GAP_MS + given.accounts * 60)
      }
    }),
    { numRuns: 300 },
  )
})

test('an account whose endpoints are with another process is looked at again, and seldom', () => {
  const steps = simulate({
    accounts: 1,
    slots: 5,
    changes: [{ at: 100, account: 1, deliveries: 1, isNotified: true }],
    stepMs: [2],
    deliveryMs: [10],
    failures: [],
    elsewhere: { account: 1, until: 1_100 },
    stopAt: null,
  }).steps.get(1)
  expect(steps?.length).toBeGreaterThan(10)
  expect(steps?.length).toBeLessThan(1_000 / NO_PROGRESS_MS + 5)
})
