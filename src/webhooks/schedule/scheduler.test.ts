import { describe, expect, test } from 'vitest'
import {
  advance,
  newSchedule,
  NO_PROGRESS_MS,
  RESULTS_WAIT_MS as WAIT,
  RETRY_STEP_MS,
  STEP_GAP_MS,
  STEPS_MAX,
  TIMER_MS_MAX,
  type Action,
  type Event,
  type StepOutcome,
} from './scheduler.ts'

const NOTHING: StepOutcome = { claims: 0, isMore: false, isStarved: false, isSlotReturned: false, dueInMs: null }

/** A schedule that knows accounts 1 to 9, with its clock. */
function open() {
  const state = newSchedule<string>()
  let now = 1_000
  const at = (time: number, event: Event<string>): Action<string>[] => {
    now = time
    return advance(state, event, now)
  }
  at(now, { kind: 'polled', withWork: [], withEndpoints: [1, 2, 3, 4, 5, 6, 7, 8, 9] })
  return {
    state,
    at,
    after: (ms: number, event: Event<string>) => at(now + ms, event),
    changed: (accountId: number) => at(now, { kind: 'changed', accountId }),
    stepped: (accountId: number, outcome: Partial<StepOutcome> = {}) =>
      at(now, { kind: 'stepped', accountId, ...NOTHING, ...outcome }),
    timer: (ms: number, accountId: number) => at(now + ms, { kind: 'timer', accountId }),
  }
}

const aStep = (accountId: number, results: readonly string[] = [], since: unknown = expect.any(Number)) => ({
  kind: 'step',
  accountId,
  results,
  since,
})
const aWake = (accountId: number, afterMs: number) => ({ kind: 'wake', accountId, afterMs })

describe('when an account is stepped', () => {
  test('a change of an idle account: at once', () => {
    const { at, state } = open()
    expect(at(5_000, { kind: 'changed', accountId: 1 })).toEqual([aStep(1, [], 5_000)])
    expect(at(5_003, { kind: 'stepped', accountId: 1, ...NOTHING })).toEqual([])
    expect(state.accounts.size).toBe(0)
  })

  test('a change of an account without endpoints: never, until it has one', () => {
    const { changed, at, after } = open()
    expect(changed(77)).toEqual([])
    expect(after(1, { kind: 'endpoint-changed', accountId: 77 })).toEqual([aStep(77)])
    expect(after(1, { kind: 'stepped', accountId: 77, ...NOTHING })).toEqual([])
    expect(after(500, { kind: 'changed', accountId: 77 })).toEqual([aStep(77)])
    at(9_000, { kind: 'stepped', accountId: 77, ...NOTHING })
    at(9_001, { kind: 'polled', withWork: [], withEndpoints: [1] })
    expect(at(9_100, { kind: 'changed', accountId: 77 })).toEqual([])
  })

  test('a change during its step: once more, after the gap', () => {
    const { changed, stepped, timer } = open()
    expect(changed(1)).toEqual([aStep(1)])
    expect(changed(1)).toEqual([])
    expect(stepped(1)).toEqual([aWake(1, STEP_GAP_MS)])
    expect(changed(1)).toEqual([])
    expect(timer(STEP_GAP_MS, 1)).toEqual([aStep(1)])
    expect(stepped(1)).toEqual([])
  })

  test('a change within the gap after its step waits for the end of the gap; a later one does not', () => {
    const { changed, stepped, after } = open()
    changed(1)
    stepped(1)
    expect(after(3, { kind: 'changed', accountId: 1 })).toEqual([aStep(1)])
    // with a delivery in flight the account is remembered, and so is its gap
    stepped(1, { claims: 1 })
    expect(after(3, { kind: 'changed', accountId: 1 })).toEqual([aWake(1, STEP_GAP_MS - 3)])
  })

  test('what the poll finds is stepped, with or without a notification', () => {
    const { after } = open()
    expect(after(1, { kind: 'polled', withWork: [4, 77], withEndpoints: null })).toEqual([aStep(4), aStep(77)])
  })

  test('something due later: by a timer, a little late rather than early, and at most a minute away', () => {
    const { changed, stepped, timer } = open()
    changed(1)
    expect(stepped(1, { claims: 1, dueInMs: 250 })).toEqual([aWake(1, 251)])
    expect(timer(250, 1)).toEqual([aWake(1, 1)])
    // a fraction of a millisecond early, like timers
    expect(timer(0.3, 1)).toEqual([aStep(1)])
    expect(stepped(1, { dueInMs: 3_600_000 })).toEqual([aWake(1, TIMER_MS_MAX)])
    expect(timer(TIMER_MS_MAX, 1)).toEqual([aStep(1)])
  })

  test('timers of accounts that do not wait for one do nothing', () => {
    const { changed, stepped, timer } = open()
    expect(timer(0, 3)).toEqual([])
    changed(1)
    expect(timer(10, 1)).toEqual([])
    stepped(1, { claims: 1 })
    expect(timer(10, 1)).toEqual([])
  })
})

describe('results of deliveries', () => {
  test('are recorded by one step each, several together', () => {
    const { changed, stepped, after, timer } = open()
    changed(1)
    stepped(1, { claims: 3 })
    expect(after(1, { kind: 'delivered', accountId: 1, result: 'a' })).toEqual([aWake(1, STEP_GAP_MS - 1 + WAIT)])
    expect(after(1, { kind: 'delivered', accountId: 1, result: 'b' })).toEqual([])
    expect(timer(STEP_GAP_MS - 2, 1)).toEqual([aWake(1, WAIT)])
    expect(timer(WAIT, 1)).toEqual([aStep(1, ['a', 'b'])])
    expect(after(1, { kind: 'delivered', accountId: 1, result: 'c' })).toEqual([])
    expect(stepped(1)).toEqual([aWake(1, STEP_GAP_MS)])
    expect(timer(STEP_GAP_MS, 1)).toEqual([aStep(1, ['c'])])
  })

  test('wait for each other until all have come in, and no longer', () => {
    const { changed, stepped, after, timer } = open()
    changed(1)
    stepped(1, { claims: 2 })
    // within the gap, and after it
    expect(after(1, { kind: 'delivered', accountId: 1, result: 'a' })).toEqual([aWake(1, STEP_GAP_MS - 1 + WAIT)])
    expect(after(1, { kind: 'delivered', accountId: 1, result: 'b' })).toEqual([aWake(1, STEP_GAP_MS - 2)])
    expect(timer(STEP_GAP_MS - 2, 1)).toEqual([aStep(1, ['a', 'b'])])
    stepped(1, { claims: 2 })
    expect(after(100, { kind: 'delivered', accountId: 1, result: 'c' })).toEqual([aWake(1, WAIT)])
    expect(after(3, { kind: 'delivered', accountId: 1, result: 'd' })).toEqual([aStep(1, ['c', 'd'])])
  })

  test.each([
    { kind: 'changed', accountId: 1 },
    { kind: 'endpoint-changed', accountId: 1 },
    { kind: 'polled', withWork: [1], withEndpoints: null },
  ] as const)('wait no longer once there is something else to do: $kind', (event) => {
    const { changed, stepped, after } = open()
    changed(1)
    stepped(1, { claims: 2 })
    expect(after(100, { kind: 'delivered', accountId: 1, result: 'a' })).toEqual([aWake(1, WAIT)])
    expect(after(2, event)).toEqual([aStep(1, ['a'])])
    stepped(1, { claims: 1 })
    // events before the result, or during the step
    expect(after(2, event)).toEqual([aWake(1, STEP_GAP_MS - 2)])
    expect(after(1, { kind: 'delivered', accountId: 1, result: 'b' })).toEqual([])
  })

  test('wait no longer than until something else is due', () => {
    const { changed, stepped, after, timer } = open()
    changed(1)
    stepped(1, { claims: 2, dueInMs: 99 })
    expect(after(95, { kind: 'delivered', accountId: 1, result: 'a' })).toEqual([aWake(1, 5)])
    expect(timer(5, 1)).toEqual([aStep(1, ['a'])])
  })

  test('are recorded again, in order, when their step failed, and the account has been due since then', () => {
    const { at, state } = open()
    at(5_000, { kind: 'changed', accountId: 1 })
    at(5_001, { kind: 'stepped', accountId: 1, ...NOTHING, claims: 2 })
    at(5_100, { kind: 'delivered', accountId: 1, result: 'a' })
    at(5_101, { kind: 'delivered', accountId: 1, result: 'b' })
    expect(at(5_110, { kind: 'step-failed', accountId: 1 })).toEqual([aWake(1, RETRY_STEP_MS)])
    expect(at(5_110 + RETRY_STEP_MS, { kind: 'timer', accountId: 1 })).toEqual([aStep(1, ['a', 'b'], 5_100)])
    at(7_000, { kind: 'stepped', accountId: 1, ...NOTHING })
    expect(state.accounts.size).toBe(0)
  })
})

describe('no busy loop', () => {
  test('after a failed step nothing makes the wait shorter', () => {
    const { changed, after, timer } = open()
    changed(1)
    expect(after(1, { kind: 'step-failed', accountId: 1 })).toEqual([aWake(1, RETRY_STEP_MS)])
    expect(after(300, { kind: 'changed', accountId: 1 })).toEqual([])
    expect(after(300, { kind: 'polled', withWork: [1], withEndpoints: null })).toEqual([])
    expect(timer(RETRY_STEP_MS - 600, 1)).toEqual([aStep(1)])
  })

  test('a step that made no progress although something is due is not repeated at once', () => {
    const { changed, stepped, timer } = open()
    changed(1)
    for (let i = 0; i < 5; i++) {
      expect(stepped(1, { dueInMs: 0 })).toEqual([aWake(1, NO_PROGRESS_MS)])
      expect(timer(NO_PROGRESS_MS, 1)).toEqual([aStep(1)])
    }
  })

  test('an account without a free slot is not stepped again for that, until a slot is free or the poll finds it', () => {
    const { changed, stepped, after } = open()
    changed(2)
    stepped(2, { claims: 1 })
    changed(1)
    expect(stepped(1, { isStarved: true })).toEqual([])
    expect(after(500, { kind: 'polled', withWork: [1], withEndpoints: null })).toEqual([aStep(1)])
    expect(stepped(1, { isStarved: true })).toEqual([])
    expect(after(500, { kind: 'delivered', accountId: 2, result: 'a' })).toEqual([aStep(2, ['a']), aStep(1)])
  })

  test('what else of such an account is due at a time is done at that time', () => {
    const { changed, stepped, timer } = open()
    changed(1)
    expect(stepped(1, { isStarved: true, dueInMs: 100 })).toEqual([aWake(1, 101)])
    expect(timer(101, 1)).toEqual([aStep(1)])
  })

  test('a slot that became free while the step looked is not missed', () => {
    const { changed, stepped, after } = open()
    changed(2)
    stepped(2, { claims: 1 })
    changed(1)
    after(1, { kind: 'delivered', accountId: 2, result: 'a' })
    expect(stepped(1, { isStarved: true })).toEqual([aWake(1, STEP_GAP_MS)])
  })
})

describe('accounts beside each other', () => {
  test(`at most ${STEPS_MAX} are stepped at once, the others first come first served, a step each`, () => {
    const { changed, stepped, timer } = open()
    const begun = [1, 2, 3, 4, 5, 6].flatMap(changed)
    expect(begun).toEqual([1, 2, 3, 4].map((accountId) => aStep(accountId)))
    expect(stepped(2, { isMore: true })).toEqual([aWake(2, STEP_GAP_MS), aStep(5)])
    expect(timer(STEP_GAP_MS, 2)).toEqual([])
    expect(stepped(1)).toEqual([aStep(6)])
    expect(stepped(3)).toEqual([aStep(2)])
  })

  test('those without a slot get the next free ones in their order', () => {
    const { changed, stepped, after } = open()
    for (const accountId of [8, 9]) {
      changed(accountId)
      stepped(accountId, { claims: 1 })
    }
    for (const accountId of [1, 2]) {
      changed(accountId)
      stepped(accountId, { isStarved: true })
    }
    expect(after(50, { kind: 'delivered', accountId: 9, result: 'a' })).toEqual([aStep(9, ['a']), aStep(1)])
    expect(after(1, { kind: 'delivered', accountId: 8, result: 'b' })).toEqual([aStep(8, ['b']), aStep(2)])
  })

  test('slots that a step took and did not use, or that failed, go to who waits for one', () => {
    const { changed, stepped, after } = open()
    for (const accountId of [1, 2, 3, 4]) changed(accountId)
    stepped(1, { isStarved: true })
    stepped(2, { isStarved: true })
    // the gap is still observed
    expect(stepped(3, { isSlotReturned: true })).toEqual([aWake(1, STEP_GAP_MS)])
    expect(after(20, { kind: 'step-failed', accountId: 4 })).toEqual([aWake(4, RETRY_STEP_MS), aStep(2)])
  })
})

describe('stopping', () => {
  test('an idle schedule is drained at once, and nothing begins any more', () => {
    const { after, changed } = open()
    expect(after(1, { kind: 'stopping' })).toEqual([{ kind: 'drained' }])
    expect(changed(1)).toEqual([{ kind: 'drained' }])
  })

  test('waits for steps and deliveries, and records every result, without the gap', () => {
    const { changed, stepped, after } = open()
    changed(1)
    stepped(1, { claims: 2 })
    changed(2)
    after(1, { kind: 'delivered', accountId: 1, result: 'a' })
    // account 1 is in its gap and has a result
    expect(after(1, { kind: 'stopping' })).toEqual([aStep(1, ['a'])])
    expect(stepped(1, { isMore: true, isStarved: true, dueInMs: 5 })).toEqual([])
    expect(stepped(2, { isMore: true })).toEqual([])
    expect(after(1, { kind: 'delivered', accountId: 1, result: 'b' })).toEqual([aStep(1, ['b'])])
    expect(stepped(1)).toEqual([{ kind: 'drained' }])
  })

  test('deliveries that the last step claimed are waited for', () => {
    const { changed, stepped, after } = open()
    changed(1)
    expect(after(1, { kind: 'stopping' })).toEqual([])
    expect(stepped(1, { claims: 1 })).toEqual([])
    expect(after(1, { kind: 'delivered', accountId: 1, result: 'a' })).toEqual([aStep(1, ['a'])])
    expect(stepped(1)).toEqual([{ kind: 'drained' }])
  })

  test('gives up results whose step fails: they are sent again after their lease', () => {
    const { changed, stepped, after } = open()
    changed(1)
    stepped(1, { claims: 1 })
    after(1, { kind: 'stopping' })
    after(1, { kind: 'delivered', accountId: 1, result: 'a' })
    expect(after(1, { kind: 'step-failed', accountId: 1 })).toEqual([{ kind: 'drained' }])
  })

  test('results that come in during a step that fails are tried', () => {
    const { changed, stepped, after } = open()
    changed(1)
    stepped(1, { claims: 2 })
    after(1, { kind: 'stopping' })
    after(1, { kind: 'delivered', accountId: 1, result: 'a' })
    after(1, { kind: 'delivered', accountId: 1, result: 'b' })
    expect(after(1, { kind: 'step-failed', accountId: 1 })).toEqual([aStep(1, ['a', 'b'])])
    expect(after(1, { kind: 'step-failed', accountId: 1 })).toEqual([{ kind: 'drained' }])
  })

  test('tries once more what waits after a failed step', () => {
    const { changed, stepped, after } = open()
    changed(1)
    stepped(1, { claims: 1 })
    after(20, { kind: 'delivered', accountId: 1, result: 'a' })
    after(1, { kind: 'step-failed', accountId: 1 })
    expect(after(1, { kind: 'stopping' })).toEqual([aStep(1, ['a'])])
  })
})
