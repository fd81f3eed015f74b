// Decides which account's delivery step runs when. Pure: takes events and the time, returns actions. It has no clock, timers, promises or I/O;
// deliver/loop.ts performs the actions and reports their outcome as events. docs/decisions/047-an-endpoint-is-a-cursor.md says why.

/** Steps of different accounts at the same time; each takes a connection. */
export const STEPS_MAX = 4
/**
 * The gap between two steps of an account, so that results that arrive within it are recorded in one transaction. An idle account is stepped at once.
 */
export const STEP_GAP_MS = 8
/**
 * How much longer a step waits if it would only record results and more are to come: under load they are late, and a step for each few of them takes
 * as much as one for all. A change, or the last result, ends the wait.
 */
export const RESULTS_WAIT_MS = 8
/** The shortest wait after a step without progress (too early, or another process has the endpoints), unless an event occurs. */
export const NO_PROGRESS_MS = 25
/** The wait after a step that failed, whatever happens meanwhile: the database is most likely unreachable. */
export const RETRY_STEP_MS = 1_000
/** The longest timer that is set, so that none overflows. */
export const TIMER_MS_MAX = 60_000

/** A timer that fires less than this early counts as on time. */
const TIMER_EARLY_MS = 1

/** An event. `R` is the result of a delivery, which the scheduler passes on without reading it. */
export type Event<R> =
  /** A notification: the account has a new change. Ignored for accounts without an endpoint. */
  | { kind: 'changed'; accountId: number }
  /** A notification: an owner changed an endpoint. */
  | { kind: 'endpoint-changed'; accountId: number }
  /** The poll found accounts with work. `withEndpoints` (null: not read this time) replaces the known set. */
  | { kind: 'polled'; withWork: readonly number[]; withEndpoints: readonly number[] | null }
  /** An account's timer, set by a `wake` action, has fired. A stale or early one does no harm. */
  | { kind: 'timer'; accountId: number }
  | ({ kind: 'stepped'; accountId: number } & StepOutcome)
  | { kind: 'step-failed'; accountId: number }
  /** A delivery that a step claimed has ended, and its slot is free. */
  | { kind: 'delivered'; accountId: number; result: R }
  /** Nothing is claimed from now on; deliveries in flight are awaited, and their results recorded. */
  | { kind: 'stopping' }

export interface StepOutcome {
  /** The number of deliveries claimed. A `delivered` event follows for each. */
  claims: number
  /** Whether there is more to do at once. */
  isMore: boolean
  /** Whether something was due but no slot was free. */
  isStarved: boolean
  /** Whether it gave back a slot because the log had nothing for the endpoint, which is progress as well. */
  isSlotReturned: boolean
  /** Milliseconds until something else of the account is due; null: nothing until the next event. */
  dueInMs: number | null
}

export type Action<R> =
  /** Run a step that records these results, and report `stepped` or `step-failed`. `since`: when the account became due. */
  | { kind: 'step'; accountId: number; results: readonly R[]; since: number }
  /** Set the account's only timer, in place of an earlier one. */
  | { kind: 'wake'; accountId: number; afterMs: number }
  /** Everything has ended, which answers `stopping`. */
  | { kind: 'drained' }

/** The phase of an account. It is in exactly one, so that it is never stepped twice at the same time. */
type Phase<R> =
  /** Nothing to do until an event, or until that time. */
  | { name: 'waiting'; until: number | null }
  /** Due, but not before that time: the gap after a step, or the wait after a failed one. `isForResults`: it waits for more results until then. */
  | { name: 'resting'; until: number; isForResults: boolean }
  /** Due, and waiting for one of the STEPS_MAX places. */
  | { name: 'queued' }
  /** `isAgain`: an event occurred that the step may not have seen. `freed`: the value of Schedule.freed when the step began. */
  | { name: 'stepping'; recording: readonly R[]; since: number; freed: number; isAgain: boolean }

interface Account<R> {
  phase: Phase<R>
  /** Results that the next step is to record. */
  results: R[]
  inFlight: number
  /** When it became due; null: it is not due, or its step has begun. */
  since: number | null
  /** Whether it is due for more than recording results. */
  isUrgent: boolean
  /** The end of the gap after its last step. */
  restsUntil: number
}

/** The state; `advance` changes it. */
export interface Schedule<R> {
  accounts: Map<number, Account<R>>
  /** Accounts in phase `queued`, first in, first out: each gets one step and then goes to the end. */
  queue: Set<number>
  /** Accounts that found no free slot, first in, first out: one is stepped for each slot that becomes free. */
  starved: Set<number>
  /** Accounts with endpoints, as far as this process knows. */
  withEndpoints: Set<number>
  stepping: number
  inFlight: number
  /** How many slots have become free since the start. */
  freed: number
  isStopping: boolean
}

export function newSchedule<R>(): Schedule<R> {
  return {
    accounts: new Map(),
    queue: new Set(),
    starved: new Set(),
    withEndpoints: new Set(),
    stepping: 0,
    inFlight: 0,
    freed: 0,
    isStopping: false,
  }
}

/**
 * Processes one event.
 * @param now milliseconds of a clock that never goes back.
 * @returns actions, to be performed in this order.
 */
export function advance<R>(state: Schedule<R>, event: Event<R>, now: number): Action<R>[] {
  const actions: Action<R>[] = []
  take(state, event, now, actions)
  for (const accountId of state.queue) {
    if (state.stepping >= STEPS_MAX) break
    begin(state, accountId, now, actions)
  }
  if (state.isStopping && state.stepping === 0 && state.inFlight === 0) actions.push({ kind: 'drained' })
  return actions
}

function take<R>(state: Schedule<R>, event: Event<R>, now: number, actions: Action<R>[]): void {
  switch (event.kind) {
    case 'changed':
      if (state.withEndpoints.has(event.accountId)) due(state, event.accountId, now, actions)
      return
    case 'endpoint-changed':
      state.withEndpoints.add(event.accountId)
      due(state, event.accountId, now, actions)
      return
    case 'polled':
      if (event.withEndpoints !== null) state.withEndpoints = new Set(event.withEndpoints)
      for (const accountId of event.withWork) due(state, accountId, now, actions)
      return
    case 'timer':
      timerWentOff(state, event.accountId, now, actions)
      return
    case 'stepped':
      stepped(state, event.accountId, event, now, actions)
      return
    case 'step-failed':
      stepFailed(state, event.accountId, now, actions)
      return
    case 'delivered': {
      const account = accountOf(state, event.accountId)
      account.results.push(event.result)
      account.inFlight--
      state.inFlight--
      due(state, event.accountId, now, actions, 'result')
      slotFreed(state, now, actions)
      return
    }
    case 'stopping':
      stopping(state)
  }
}

function accountOf<R>(state: Schedule<R>, accountId: number): Account<R> {
  let account = state.accounts.get(accountId)
  if (account === undefined) {
    account = {
      phase: { name: 'waiting', until: null },
      results: [],
      inFlight: 0,
      since: null,
      isUrgent: false,
      restsUntil: -Infinity,
    }
    state.accounts.set(accountId, account)
  }
  return account
}

/** The account may have something to do: it is stepped once its gap is over and a place is free. */
function due<R>(
  state: Schedule<R>,
  accountId: number,
  now: number,
  actions: Action<R>[],
  what: 'result' | 'anything' = 'anything',
): void {
  // while stopping, an account is stepped only to record results
  if (state.isStopping && (state.accounts.get(accountId)?.results.length ?? 0) === 0) return
  const account = accountOf(state, accountId)
  account.since ??= now
  account.isUrgent ||= what === 'anything'
  const { phase } = account
  if (phase.name === 'stepping') phase.isAgain = true
  else if (phase.name === 'waiting') afterGap(state, accountId, account, phase.until, now, actions)
  else if (phase.name === 'resting' && phase.isForResults && !waitsForResults(account))
    restOrQueue(state, accountId, account, account.restsUntil, now, actions)
}

/** Whether there is nothing to do but record results, and more are to come. */
const waitsForResults = <R>({ isUrgent, results, inFlight }: Account<R>) =>
  !isUrgent && results.length > 0 && inFlight > 0

/**
 * Schedules a due account: after its gap, or somewhat later, so that the step records the results that arrive until then.
 * @param dueAt when something else of it is due; null: nothing is
 */
function afterGap<R>(
  state: Schedule<R>,
  accountId: number,
  account: Account<R>,
  dueAt: number | null,
  now: number,
  actions: Action<R>[],
): void {
  const isForResults = waitsForResults(account)
  const latest = Math.min(Math.max(account.restsUntil, now) + RESULTS_WAIT_MS, dueAt ?? Infinity)
  const until = isForResults ? Math.max(account.restsUntil, latest) : account.restsUntil
  restOrQueue(state, accountId, account, until, now, actions, isForResults)
}

function restOrQueue<R>(
  state: Schedule<R>,
  accountId: number,
  account: Account<R>,
  until: number,
  now: number,
  actions: Action<R>[],
  isForResults = false,
): void {
  if (until > now && !state.isStopping) {
    account.phase = { name: 'resting', until, isForResults }
    actions.push({ kind: 'wake', accountId, afterMs: until - now })
    return
  }
  account.phase = { name: 'queued' }
  state.queue.add(accountId)
}

function timerWentOff<R>(state: Schedule<R>, accountId: number, now: number, actions: Action<R>[]): void {
  const account = state.accounts.get(accountId)
  if (account === undefined || (account.phase.name !== 'waiting' && account.phase.name !== 'resting')) return
  const { name, until } = account.phase
  if (until === null) return
  // timers fire up to a millisecond early, which is close enough
  if (until - now >= TIMER_EARLY_MS) actions.push({ kind: 'wake', accountId, afterMs: until - now })
  else if (name === 'waiting') due(state, accountId, now, actions)
  else restOrQueue(state, accountId, account, now, now, actions)
}

function begin<R>(state: Schedule<R>, accountId: number, now: number, actions: Action<R>[]): void {
  state.queue.delete(accountId)
  const account = accountOf(state, accountId)
  const results = account.results.splice(0)
  const since = account.since ?? now
  account.since = null
  account.isUrgent = false
  account.phase = { name: 'stepping', recording: results, since, freed: state.freed, isAgain: false }
  state.starved.delete(accountId)
  state.stepping++
  actions.push({ kind: 'step', accountId, results, since })
}

function stepped<R>(
  state: Schedule<R>,
  accountId: number,
  outcome: StepOutcome,
  now: number,
  actions: Action<R>[],
): void {
  const account = accountOf(state, accountId)
  if (account.phase.name !== 'stepping') return
  const { recording, freed, isAgain } = account.phase
  state.stepping--
  account.inFlight += outcome.claims
  state.inFlight += outcome.claims
  account.restsUntil = now + STEP_GAP_MS
  // a slot that became free while the step ran may have been too late for it, so it runs again
  const isMissed = outcome.isStarved && (outcome.isSlotReturned || state.freed > freed)
  const isDue = isAgain || outcome.isMore || isMissed
  if (outcome.isStarved && !isDue && !state.isStopping) state.starved.add(accountId)
  if (state.isStopping ? account.results.length > 0 : isDue) {
    account.since ??= now
    account.isUrgent ||= outcome.isMore || isMissed
    afterGap(state, accountId, account, outcome.dueInMs === null ? null : now + outcome.dueInMs, now, actions)
  } else {
    const isProgress = recording.length > 0 || outcome.claims > 0
    waitFor(state, accountId, account, outcome.dueInMs, isProgress ? STEP_GAP_MS : NO_PROGRESS_MS, now, actions)
  }
  if (outcome.isSlotReturned) slotFreed(state, now, actions)
}

/** Nothing to do for `dueInMs`, and for at least `leastMs` unless an event occurs. An account with nothing at all is forgotten. */
function waitFor<R>(
  state: Schedule<R>,
  accountId: number,
  account: Account<R>,
  dueInMs: number | null,
  leastMs: number,
  now: number,
  actions: Action<R>[],
): void {
  account.phase = { name: 'waiting', until: null }
  if (dueInMs !== null && !state.isStopping) {
    // slightly late rather than slightly early
    const afterMs = Math.min(Math.max(dueInMs + 1, leastMs), TIMER_MS_MAX)
    account.phase = { name: 'waiting', until: now + afterMs }
    actions.push({ kind: 'wake', accountId, afterMs })
  } else if (account.inFlight === 0 && !state.starved.has(accountId)) state.accounts.delete(accountId)
}

/**
 * The deliveries of the results have been made. Their results are recorded once the database is reachable again, or else they are sent again after
 * their leases.
 */
function stepFailed<R>(state: Schedule<R>, accountId: number, now: number, actions: Action<R>[]): void {
  const account = accountOf(state, accountId)
  if (account.phase.name !== 'stepping') return
  const { recording, since } = account.phase
  state.stepping--
  const hasNewResults = account.results.length > 0
  account.results.unshift(...recording)
  account.since = since
  account.isUrgent = true
  if (!state.isStopping || hasNewResults) {
    restOrQueue(state, accountId, account, now + RETRY_STEP_MS, now, actions)
  } else {
    // while stopping, results that could not be recorded are given up unless another delivery ends; their deliveries are sent again
    account.phase = { name: 'waiting', until: null }
    if (account.inFlight === 0) state.accounts.delete(accountId)
  }
  slotFreed(state, now, actions)
}

/** Steps the account that has waited longest for a slot. */
function slotFreed<R>(state: Schedule<R>, now: number, actions: Action<R>[]): void {
  state.freed++
  const [next] = state.starved
  if (next === undefined) return
  state.starved.delete(next)
  due(state, next, now, actions)
}

function stopping<R>(state: Schedule<R>): void {
  state.isStopping = true
  state.starved.clear()
  state.queue.clear()
  for (const [accountId, account] of state.accounts) {
    if (account.phase.name === 'stepping') continue
    if (account.results.length > 0) {
      account.phase = { name: 'queued' }
      state.queue.add(accountId)
    } else if (account.inFlight > 0) account.phase = { name: 'waiting', until: null }
    else state.accounts.delete(accountId)
  }
}
