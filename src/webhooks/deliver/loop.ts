import { Counter, Histogram, type Metric } from 'prom-client'
import type { Scanned } from '../../db/nodes.ts'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import { asError } from '../../platform/errors.ts'
import { faultPoint } from '../../platform/fault-point.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/loop.ts'
import type { Seal } from '../../platform/seal.ts'
import type { Exchange, Outbound } from '../../outbound/client.ts'
import { paceOf } from '../schedule/pace.ts'
import { advance, newSchedule, type Action, type Event } from '../schedule/scheduler.ts'
import { accountsBehind, accountsDue, accountsWithEndpoints } from './claims.sql.ts'
import { send } from './send.ts'
import type { Result } from './settle.ts'
import { watchOrphans } from './orphans.ts'
import { openSlots } from './slots.ts'
import { step, type Claim, type Stepped } from './step.ts'

export interface Deliverer extends Loop {
  metrics: readonly Metric[]
}

export interface DelivererOptions {
  db: Db
  wake: Wake
  log: Log
  outbound: Outbound
  seal: Seal
  /** Deliveries per second to one endpoint; LIMITS.webhookPerSecondMax when left out. For measuring, Infinity. */
  perSecondMax?: number
}

/** The poll makes up for lost notifications and timers. */
const POLL_MS = 1_000
/** Every so many-th poll also looks for endpoints that a change passed by. */
const POLLS_PER_LOOK = 3
const DRAIN_MS = 10_000
const NOT_LOOKED: Scanned<number> = { rows: [], isWhole: false, isEnd: false }

/**
 * The delivery loop of this process; any number of processes may run one. Each account gets one step at a time, in turn with the
 * other accounts; a step records what came back and claims what is due for all of an account's endpoints, so that a busy account
 * costs no more transactions than an idle one. Which account is stepped when is decided in schedule/scheduler.ts.
 */
export function startDeliverer(options: DelivererOptions): Deliverer {
  const { db, wake, log, outbound, seal, perSecondMax = LIMITS.webhookPerSecondMax } = options
  const schedule = newSchedule<Result>()
  const slots = openSlots()
  const pace = paceOf(perSecondMax)
  const timers = new Map<number, NodeJS.Timeout>()
  const metrics = openMetrics()
  const presence = db.openPresence()
  const lookForOrphans = watchOrphans(db, presence.number)
  /** By account, the leases of steps that failed. One that was committed all the same would otherwise stand until it runs out. */
  const unsent = new Map<number, Map<string, number>>()
  const ending = new AbortController()
  const drained = Promise.withResolvers<void>()
  let polls = 0
  let known = new Set<number>()

  const report = (event: Event<Result>) => {
    for (const action of advance(schedule, event, performance.now())) perform(action)
  }

  const perform = (action: Action<Result>) => {
    switch (action.kind) {
      case 'step':
        stopTimer(action.accountId)
        void runStep(action.accountId, action.results, action.since)
        return
      case 'wake':
        setTimer(action.accountId, action.afterMs)
        return
      case 'drained':
        drained.resolve()
    }
  }

  const stopTimer = (accountId: number) => {
    clearTimeout(timers.get(accountId))
    timers.delete(accountId)
  }

  const setTimer = (accountId: number, ms: number) => {
    clearTimeout(timers.get(accountId))
    const wentOff = () => {
      timers.delete(accountId)
      report({ kind: 'timer', accountId })
    }
    timers.set(accountId, setTimeout(wentOff, ms))
  }

  const runStep = async (accountId: number, results: readonly Result[], since: number) => {
    const began = performance.now()
    try {
      const done = await db.nodes.unlessAway(accountId, () => stepOnce(accountId, results))
      if (done === undefined) {
        // its results are kept, and recorded when its node is back
        report({ kind: 'step-failed', accountId })
        return
      }
      const { stepped, isSlotReturned } = done
      const { claims, isMore, isStarved, dueInMs } = stepped
      for (const { lateMs } of claims) metrics.lag.observe((lateMs ?? performance.now() - since) / 1_000)
      report({ kind: 'stepped', accountId, claims: claims.length, isMore, isStarved, isSlotReturned, dueInMs })
      for (const claim of claims) void deliver(accountId, claim, began)
    } catch (error) {
      log.warn({ err: asError(error), accountId }, 'a step of the delivery loop failed')
      report({ kind: 'step-failed', accountId })
    }
  }

  /** One step, retried on deadlock. Slots that it took and does not use are given back. */
  const stepOnce = async (
    accountId: number,
    results: readonly Result[],
  ): Promise<{ stepped: Stepped; isSlotReturned: boolean }> => {
    const taken: boolean[] = []
    let claimed: readonly Claim[] = []
    let isSlotReturned = false
    const giveAllBack = () => {
      if (taken.length > 0) isSlotReturned = true
      taken.splice(0).forEach(slots.giveBack)
    }
    try {
      const stepped = await inTransaction(db, async (tx) => {
        giveAllBack()
        const done = await step(tx, accountId, results, {
          pace,
          chance: Math.random,
          holder: presence.isHeld() ? presence.number : null,
          unsent: unsent.get(accountId) ?? NONE,
          take(isImpaired) {
            if (schedule.isStopping || !slots.take(isImpaired)) return false
            taken.push(isImpaired)
            return true
          },
          giveBack(isImpaired) {
            taken.splice(taken.indexOf(isImpaired), 1)
            slots.giveBack(isImpaired)
            isSlotReturned = true
          },
        })
        claimed = done.claims
        faultPoint('webhook:before-commit')
        return done
      })
      unsent.delete(accountId)
      faultPoint('webhook:after-commit')
      return { stepped, isSlotReturned }
    } catch (error) {
      giveAllBack()
      if (claimed.length > 0)
        unsent.set(
          accountId,
          new Map([
            ...(unsent.get(accountId) ?? []),
            ...claimed.map(({ leaseId, endpointId }) => [leaseId, endpointId] as const),
          ]),
        )
      throw error
    }
  }

  const deliver = async (accountId: number, claim: Claim, began: number) => {
    faultPoint('webhook:before-send')
    const beganAt = new Date()
    // a process that was suspended in between must not send what another may have claimed since
    const isLate = performance.now() - began > LIMITS.webhookStartLatenessMs
    const exchange = isLate ? TOO_LATE : await send(outbound, seal, log, accountId, claim, ending.signal)
    faultPoint('webhook:after-send')
    metrics.deliveries.inc({ outcome: outcomeOf(exchange) })
    slots.giveBack(claim.isImpaired)
    const { endpointId, delivery, body, leaseId, generation } = claim
    const result = { endpointId, delivery, body, leaseId, generation, beganAt, exchange }
    report({ kind: 'delivered', accountId, result })
  }

  const unsubscribes = [
    wake.on('change', (accountId) => report({ kind: 'changed', accountId })),
    wake.on('endpoint', (accountId) => {
      known.add(accountId)
      report({ kind: 'endpoint-changed', accountId })
    }),
  ]
  const poll = startLoop({
    name: 'webhooks',
    log,
    idleMs: POLL_MS,
    async step() {
      await lookForOrphans()
      const isLook = polls++ % POLLS_PER_LOOK === 0
      const { nodes } = db
      const [due, behind] = await Promise.all([
        nodes.scan('due', (accounts) => accountsDue(db, accounts)),
        isLook ? nodes.scan('endpoints behind', (accounts) => accountsBehind(db, accounts)) : NOT_LOOKED,
      ])
      const withEndpoints = isLook
        ? await nodes.scan('with endpoints', (accounts) => accountsWithEndpoints(db, accounts))
        : NOT_LOOKED
      // what was not looked at this time is as it was
      known = new Set(withEndpoints.isWhole ? withEndpoints.rows : [...known, ...withEndpoints.rows])
      report({
        kind: 'polled',
        withWork: [...new Set([...due.rows, ...behind.rows])],
        withEndpoints: isLook ? [...known] : null,
      })
      return 'idle'
    },
  })

  return {
    metrics: [metrics.deliveries, metrics.lag],
    poke: () => poll.poke(),
    ageMs: () => poll.ageMs(),
    async stop() {
      for (const unsubscribe of unsubscribes) unsubscribe()
      await poll.stop()
      const cut = setTimeout(() => ending.abort(), DRAIN_MS)
      report({ kind: 'stopping' })
      await drained.promise
      clearTimeout(cut)
      for (const timer of timers.values()) clearTimeout(timer)
      await presence.stop()
    },
  }
}

const NONE: ReadonlyMap<string, number> = new Map()

const TOO_LATE: Exchange = {
  kind: 'failed',
  fault: 'local',
  isOurs: true,
  detail: 'this process was too slow to send in time',
  durationMs: 0,
}

/** `delivered`, the class of another status (`4xx`), or the fault that there is no answer for. */
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
