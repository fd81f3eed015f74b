import { Counter, Histogram, type Metric } from 'prom-client'
import type { Scanned } from '../../db/distribution/nodes.ts'
import { mayHaveCommitted } from '../../db/connections/connection-errors.ts'
import type { Presence } from '../../db/connections/presence.ts'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import { asError } from '../../platform/errors.ts'
import { faultPoint } from '../../platform/process/fault-point.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import type { Seal } from '../../platform/secrets/seal.ts'
import { tracer, traceparentOf, type Notes, type Span } from '../../platform/tracing/tracing.ts'
import type { Exchange, Outbound } from '../../outbound/client.ts'
import { paceOf, type Pace } from '../schedule/pace.ts'
import { advance, newSchedule, type Action, type Event } from '../schedule/scheduler.ts'
import { accountsWithUnsentChanges, accountsDue, accountsWithEndpoints } from './claims.sql.ts'
import { openSigningKeys, send, type SigningKeys } from './send.ts'
import type { Result } from './settle.ts'
import { watchOrphans } from './orphans.ts'
import { openSlots } from './slots.ts'
import { step, type Claim, type Stepped } from './step.ts'
import { now } from '../../platform/time/clock.ts'

export interface DelivererOptions {
  db: Db
  wake: Wake
  log: Log
  outbound: Outbound
  seal: Seal
  /** Deliveries per second to one endpoint; LIMITS.webhookPerSecondMax by default. Infinity for measurements. */
  perSecondMax?: number
}

/** The poll finds work whose notifications or timers were lost. */
const POLL_MS = 1_000
/** One in this many polls also looks for endpoints that have missed a change. */
const POLLS_PER_FULL_POLL = 3
const DRAIN_MS = 10_000
const NOT_SCANNED: Scanned<number> = { rows: [], isWhole: false, isEnd: false }

/**
 * The delivery loop of this process; any number of processes may run one. Accounts get steps in turn, one at a time. A step records results and
 * claims what is due for all of an account's endpoints, so that a busy account needs no more transactions than an idle one.
 * schedule/scheduler.ts decides when an account gets a step.
 */
export class Deliverer implements Loop {
  readonly metrics: readonly Metric[]
  readonly #db: Db
  readonly #log: Log
  readonly #outbound: Outbound
  readonly #keys: SigningKeys
  readonly #schedule = newSchedule<Result>()
  readonly #slots = openSlots()
  readonly #pace: Pace
  readonly #timers = new Map<number, NodeJS.Timeout>()
  readonly #metrics = openMetrics()
  readonly #presence: Presence
  readonly #lookForOrphans: () => Promise<void>
  /**
   * By account, the leases of steps that failed, with their endpoints. If such a step was committed after all, its lease would otherwise last
   * until it runs out.
   */
  readonly #unsent = new Map<number, Map<string, number>>()
  /** Traces of the writes that changes result from; null if tracing is off. */
  readonly #noted: Notes | null = tracer()?.openNotes() ?? null
  readonly #ending = new AbortController()
  readonly #drained = Promise.withResolvers<void>()
  #polls = 0
  #known = new Set<number>()
  readonly #unsubscribes: (() => void)[]
  readonly #poll: Loop

  constructor(options: DelivererOptions) {
    const { db, wake, log, outbound, seal, perSecondMax = LIMITS.webhookPerSecondMax } = options
    this.#db = db
    this.#log = log
    this.#outbound = outbound
    this.#keys = openSigningKeys(seal)
    this.#pace = paceOf(perSecondMax)
    this.#presence = db.openPresence()
    this.#lookForOrphans = watchOrphans(db, this.#presence.number)
    this.#unsubscribes = [
      wake.on('change', (accountId, note) => {
        if (note !== undefined) this.#noted?.add(accountId, note)
        this.#report({ kind: 'changed', accountId })
      }),
      wake.on('endpoint', (accountId) => {
        this.#known.add(accountId)
        this.#report({ kind: 'endpoint-changed', accountId })
      }),
    ]
    this.#poll = startLoop({
      name: 'webhooks',
      log,
      idleMs: POLL_MS,
      step: () => this.#pollDatabase(),
    })
    this.metrics = [this.#metrics.deliveries, this.#metrics.lag]
  }

  poke(): void {
    this.#poll.poke()
  }

  ageMs(): number {
    return this.#poll.ageMs()
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribes) unsubscribe()
    await this.#poll.stop()
    const cut = setTimeout(() => this.#ending.abort(), DRAIN_MS)
    this.#report({ kind: 'stopping' })
    await this.#drained.promise
    clearTimeout(cut)
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await this.#presence.stop()
  }

  /** Polls for work whose notifications or timers were lost. */
  async #pollDatabase(): Promise<'idle'> {
    await this.#lookForOrphans()
    const isFullPoll = this.#polls++ % POLLS_PER_FULL_POLL === 0
    const { nodes } = this.#db
    const [due, behind] = await Promise.all([
      nodes.scan('due', (accounts) => accountsDue(this.#db, accounts)),
      isFullPoll
        ? nodes.scan('endpoints behind', (accounts) => accountsWithUnsentChanges(this.#db, accounts))
        : NOT_SCANNED,
    ])
    const withEndpoints = isFullPoll
      ? await nodes.scan('with endpoints', (accounts) => accountsWithEndpoints(this.#db, accounts))
      : NOT_SCANNED
    // accounts that were not searched this time keep their state
    this.#known = new Set(withEndpoints.isWhole ? withEndpoints.rows : [...this.#known, ...withEndpoints.rows])
    this.#report({
      kind: 'polled',
      withWork: [...new Set([...due.rows, ...behind.rows])].filter((accountId) => !this.#db.resting.has(accountId)),
      withEndpoints: isFullPoll ? [...this.#known] : null,
    })
    return 'idle'
  }

  #report(event: Event<Result>) {
    for (const action of advance(this.#schedule, event, performance.now())) this.#perform(action)
  }

  #perform(action: Action<Result>) {
    switch (action.kind) {
      case 'step':
        this.#stopTimer(action.accountId)
        void this.#runStep(action.accountId, action.results, action.since)
        return
      case 'wake':
        this.#setTimer(action.accountId, action.afterMs)
        return
      case 'drained':
        this.#drained.resolve()
    }
  }

  #stopTimer(accountId: number) {
    clearTimeout(this.#timers.get(accountId))
    this.#timers.delete(accountId)
  }

  #setTimer(accountId: number, ms: number) {
    clearTimeout(this.#timers.get(accountId))
    const onTimer = () => {
      this.#timers.delete(accountId)
      this.#report({ kind: 'timer', accountId })
    }
    this.#timers.set(accountId, setTimeout(onTimer, ms))
  }

  async #runStep(accountId: number, results: readonly Result[], since: number) {
    // a suspended account: results of deliveries already sent are recorded, but nothing is claimed; the poll finds the account once it is active
    // again
    if (results.length === 0 && this.#db.resting.has(accountId)) {
      this.#report({ kind: 'stepped', accountId, ...NOTHING_DONE })
      return
    }
    try {
      const done = await this.#db.nodes.unlessAway(accountId, () => this.#stepOnce(accountId, results))
      if (done === undefined) {
        // its results are kept, and recorded once its node is reachable again
        this.#report({ kind: 'step-failed', accountId })
        return
      }
      const { stepped, isSlotReturned, began } = done
      const { claims, isMore, isStarved, dueInMs } = stepped
      for (const { lateMs } of claims) this.#metrics.lag.observe((lateMs ?? performance.now() - since) / 1_000)
      this.#report({ kind: 'stepped', accountId, claims: claims.length, isMore, isStarved, isSlotReturned, dueInMs })
      for (const claim of claims) void this.#deliver(accountId, claim, began)
    } catch (error) {
      this.#log.warn({ err: asError(error), accountId }, 'a step of the delivery loop failed')
      this.#report({ kind: 'step-failed', accountId })
    }
  }

  /**
   * Runs one step, retried on deadlock. Slots that it took and does not use are given back.
   * @returns `began` too, by performance.now(): after a connection was free, but before the database's clock was read for its leases
   */
  async #stepOnce(
    accountId: number,
    results: readonly Result[],
  ): Promise<{ stepped: Stepped; isSlotReturned: boolean; began: number }> {
    const taken: boolean[] = []
    let claimed: readonly Claim[] = []
    let isSlotReturned = false
    let began = performance.now()
    const isClosed = () => this.#schedule.isStopping || this.#db.resting.has(accountId)
    const giveAllBack = () => {
      if (taken.length > 0) isSlotReturned = true
      for (const isImpaired of taken.splice(0)) this.#slots.giveBack(isImpaired)
    }
    try {
      const stepped = await inTransaction(this.#db, async (tx) => {
        giveAllBack()
        began = performance.now()
        const done = await step(tx, accountId, results, {
          pace: this.#pace,
          chance: Math.random,
          holder: this.#presence.isHeld() ? this.#presence.number : null,
          unsent: this.#unsent.get(accountId) ?? NONE,
          take: (isImpaired) => {
            if (isClosed() || !this.#slots.take(isImpaired)) return false
            taken.push(isImpaired)
            return true
          },
          isFull: () => isClosed() || this.#slots.isFull(),
          giveBack: (isImpaired) => {
            taken.splice(taken.indexOf(isImpaired), 1)
            this.#slots.giveBack(isImpaired)
            isSlotReturned = true
          },
        })
        claimed = done.claims
        faultPoint('webhook:before-commit')
        return done
      })
      this.#unsent.delete(accountId)
      faultPoint('webhook:after-commit')
      return { stepped, isSlotReturned, began }
    } catch (error) {
      giveAllBack()
      // any other error means that the transaction was rolled back, so its leases do not exist
      if (claimed.length > 0 && mayHaveCommitted(error))
        this.#unsent.set(
          accountId,
          new Map([
            ...(this.#unsent.get(accountId) ?? []),
            ...claimed.map(({ leaseId, endpointId }) => [leaseId, endpointId] as const),
          ]),
        )
      throw error
    }
  }

  async #deliver(accountId: number, claim: Claim, began: number) {
    faultPoint('webhook:before-send')
    const beganAt = now()
    // a process that was stopped in between must not send what another may have claimed since
    const isLate = performance.now() - began > LIMITS.webhookStartLatenessMs
    const span = this.#beginDelivery(accountId, claim)
    const traceparent = span === null ? undefined : traceparentOf(span.context)
    const exchange = isLate
      ? TOO_LATE
      : await send(this.#outbound, this.#keys, this.#log, accountId, claim, this.#ending.signal, traceparent)
    faultPoint('webhook:after-send')
    const outcome = outcomeOf(exchange)
    this.#metrics.deliveries.inc({ outcome })
    span?.done(
      exchange.kind === 'failed' ? { 'error.type': exchange.fault } : { 'http.response.status_code': exchange.status },
      outcome !== 'delivered',
    )
    this.#slots.giveBack(claim.isImpaired)
    const { endpointId, delivery, body, next, leaseId, generation } = claim
    const result = { endpointId, delivery, body, next, leaseId, generation, beganAt, exchange }
    this.#report({ kind: 'delivered', accountId, result })
  }

  /** The span of an attempt: in the trace of the oldest write that it announces, with links to the others; null if tracing is off. */
  #beginDelivery(accountId: number, { endpointId, delivery, changes }: Claim): Span | null {
    const tracing = tracer()
    if (tracing === null) return null
    const noted = changes === null ? [] : (this.#noted?.of(accountId, changes) ?? [])
    const parent = noted.find(({ isSampled }) => isSampled) ?? noted[0] ?? null
    return tracing.begin({
      name: 'deliver',
      kind: 'client',
      parent,
      links: noted.filter((other) => other !== parent),
      attributes: {
        'shelfwire.account_id': accountId,
        'shelfwire.endpoint_id': endpointId,
        'shelfwire.delivery_id': delivery.deliveryId,
        'shelfwire.origin': delivery.origin,
        'shelfwire.attempt': delivery.attempts + 1,
        'http.request.method': 'POST',
      },
    })
  }
}

export const startDeliverer = (options: DelivererOptions): Deliverer => new Deliverer(options)

const NONE: ReadonlyMap<string, number> = new Map()
const NOTHING_DONE = { claims: 0, isMore: false, isStarved: false, isSlotReturned: false, dueInMs: null }

const TOO_LATE: Exchange = {
  kind: 'failed',
  fault: 'local',
  isOurs: true,
  detail: 'this process was too slow to send in time',
  durationMs: 0,
}

/** `delivered`, the class of another status such as `4xx`, or the fault if there was no answer. */
function outcomeOf(exchange: Exchange): string {
  if (exchange.kind === 'failed') return exchange.fault
  const hundreds = Math.floor(exchange.status / 100)
  return hundreds === 2 ? 'delivered' : `${hundreds}xx`
}

function openMetrics() {
  return {
    deliveries: new Counter({
      name: 'shelfwire_webhook_deliveries_total',
      help: 'Attempts to deliver, by their outcome.',
      labelNames: ['outcome'],
      registers: [],
    }),
    lag: new Histogram({
      name: 'shelfwire_webhook_lag_seconds',
      help: 'From when a delivery was due, or its change was noticed, until it was claimed.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers: [],
    }),
  }
}
