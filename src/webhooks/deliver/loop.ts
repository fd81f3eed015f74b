import { Counter, Histogram, type Metric } from 'prom-client'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import { asError } from '../../platform/errors.ts'
import { faultPoint } from '../../platform/fault-point.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/loop.ts'
import type { Seal } from '../../platform/seal.ts'
import type { Outbound } from '../../outbound/client.ts'
import { send } from './send.ts'
import type { Result } from './settle.ts'
import { openSlots } from './slots.ts'
import { accountsBehind, accountsDue, accountsWithEndpoints } from './claims.sql.ts'
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

/** Steps of different accounts at once; each takes a connection. */
const STEPS_MAX = 4
/** Behind every notification and timer stands this poll. */
const POLL_MS = 1_000
/** Of those, every so many-th also looks for endpoints that a change passed by. */
const POLLS_PER_LOOK = 3
const RETRY_STEP_MS = 1_000
/** Between two steps of an account: what comes back within it is recorded in one transaction. An idle account waits for nothing. */
const STEP_GAP_MS = 8
const DRAIN_MS = 10_000

/** One account as this process works on it: its steps run one after the other, its deliveries side by side. */
interface Account {
  isRunning: boolean
  /** Something happened that the step in progress may not have seen. */
  isAgain: boolean
  /** When it was first told of, by performance.now(), since its last step. */
  hintedAt: number | null
  results: Result[]
  inFlight: number
  timer: NodeJS.Timeout | undefined
  /** By performance.now(): the end of the gap after its last step, and the timer that waits for it. */
  restsUntil: number
  rest: NodeJS.Timeout | undefined
}

/**
 * The delivery loop of this process; any number of processes may run one. Accounts take turns, a step each; a step records
 * what came back and claims what is due for all of an account's endpoints, so that a busy account costs no more
 * transactions than an idle one.
 */
export function startDeliverer(options: DelivererOptions): Deliverer {
  const { db, wake, log, outbound, seal, perSecondMax = LIMITS.webhookPerSecondMax } = options
  const accounts = new Map<number, Account>()
  const slots = openSlots()
  const turns: number[] = []
  const starved = new Set<number>()
  const ending = new AbortController()
  /** Accounts with endpoints, as far as this process has heard. */
  let known = new Set<number>()
  let stepping = 0
  let polls = 0
  let isStopping = false
  let idle: (() => void) | undefined

  const deliveries = new Counter({
    name: 'shelfwire_webhook_deliveries_total',
    help: 'Attempts to deliver, by what came of them.',
    labelNames: ['outcome'],
    registers: [],
  })
  const lag = new Histogram({
    name: 'shelfwire_webhook_lag_seconds',
    help: 'From when a delivery was due, or its change was heard of, until it was claimed.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [],
  })

  const hint = (accountId: number) => {
    if (isStopping && !accounts.has(accountId)) return
    let account = accounts.get(accountId)
    if (account === undefined) {
      account = {
        isRunning: false,
        isAgain: false,
        hintedAt: null,
        results: [],
        inFlight: 0,
        timer: undefined,
        restsUntil: 0,
        rest: undefined,
      }
      accounts.set(accountId, account)
    }
    account.hintedAt ??= performance.now()
    account.isAgain = true
    if (account.isRunning) return
    queue(accountId, account)
    pump()
  }

  /** Gives an account a turn, once its gap is over. */
  const queue = (accountId: number, account: Account) => {
    if (account.rest !== undefined || turns.includes(accountId)) return
    const restMs = account.restsUntil - performance.now()
    if (restMs <= 0 || isStopping) {
      turns.push(accountId)
      return
    }
    account.rest = setTimeout(() => {
      account.rest = undefined
      if (!account.isRunning && !turns.includes(accountId)) turns.push(accountId)
      pump()
    }, restMs)
  }

  const pump = () => {
    for (;;) {
      const accountId = stepping < STEPS_MAX ? turns.shift() : undefined
      if (accountId === undefined) break
      const account = accounts.get(accountId)
      if (account !== undefined) void run(accountId, account)
    }
    if (stepping === 0 && slots.inFlight() === 0) idle?.()
  }

  const run = async (accountId: number, account: Account) => {
    stepping++
    account.isRunning = true
    account.isAgain = false
    clearTimeout(account.timer)
    const results = account.results.splice(0)
    const hintedAt = account.hintedAt
    account.hintedAt = null
    const began = performance.now()
    let retryMs: number | null = null
    try {
      const stepped = await stepOnce(accountId, results)
      for (const claim of stepped.claims) {
        lag.observe((claim.lateMs ?? (hintedAt === null ? 0 : performance.now() - hintedAt)) / 1_000)
        account.inFlight++
        void deliver(accountId, account, claim, began)
      }
      if (stepped.isMore) account.isAgain = true
      if (stepped.isStarved) starved.add(accountId)
      retryMs = stepped.dueInMs
    } catch (error) {
      // what was sent is sent: its results are recorded when the database is back, or it is sent again after the lease
      account.results.unshift(...results)
      retryMs = RETRY_STEP_MS
      log.warn({ err: asError(error), accountId }, 'a step of the delivery loop failed')
    }
    stepping--
    account.isRunning = false
    account.restsUntil = performance.now() + STEP_GAP_MS
    if (account.isAgain || account.results.length > 0) {
      if (retryMs === RETRY_STEP_MS && account.results.length > 0) later(accountId, account, retryMs)
      else queue(accountId, account)
    } else if (retryMs !== null && !isStopping) later(accountId, account, retryMs)
    else if (account.inFlight === 0) accounts.delete(accountId)
    pump()
  }

  const later = (accountId: number, account: Account, ms: number) => {
    clearTimeout(account.timer)
    // a little late rather than a little early, and never so far away that a timer would overflow
    account.timer = setTimeout(() => hint(accountId), Math.min(ms + 1, 60_000))
  }

  /** One step, retried on deadlock; what it took and does not use, because it failed, is given back. */
  const stepOnce = async (accountId: number, results: readonly Result[]): Promise<Stepped> => {
    const taken: boolean[] = []
    const giveAllBack = () => taken.splice(0).forEach(slots.giveBack)
    try {
      const stepped = await inTransaction(db, async (tx) => {
        giveAllBack()
        const done = await step(tx, accountId, results, {
          paceMs: 1_000 / perSecondMax,
          chance: Math.random,
          take(isImpaired) {
            if (isStopping || !slots.take(isImpaired)) return false
            taken.push(isImpaired)
            return true
          },
          giveBack(isImpaired) {
            taken.splice(taken.indexOf(isImpaired), 1)
            slots.giveBack(isImpaired)
          },
        })
        faultPoint('webhook:before-commit')
        return done
      })
      faultPoint('webhook:after-commit')
      return stepped
    } catch (error) {
      giveAllBack()
      throw error
    }
  }

  const deliver = async (accountId: number, account: Account, claim: Claim, began: number) => {
    faultPoint('webhook:before-send')
    const beganAt = new Date()
    // a process that was stopped in between must not send what another may have taken over
    const isLate = performance.now() - began > LIMITS.webhookStartLatenessMs
    const exchange = isLate
      ? ({
          kind: 'failed',
          fault: 'local',
          isOurs: true,
          detail: 'this process was too slow to send in time',
          durationMs: 0,
        } as const)
      : await send(outbound, seal, log, accountId, claim, ending.signal)
    faultPoint('webhook:after-send')
    const isGood = exchange.kind === 'answered' && exchange.status >= 200 && exchange.status <= 299
    deliveries.inc({
      outcome: isGood
        ? 'delivered'
        : exchange.kind === 'answered'
          ? `${Math.floor(exchange.status / 100)}xx`
          : exchange.fault,
    })
    const { endpointId, delivery, body, leaseId, generation, isImpaired } = claim
    account.results.push({ endpointId, delivery, body, leaseId, generation, beganAt, exchange })
    account.inFlight--
    slots.giveBack(isImpaired)
    hint(accountId)
    const [next] = starved
    if (next !== undefined && starved.delete(next)) hint(next)
  }

  const offs = [
    wake.on('change', (accountId) => {
      if (known.has(accountId)) hint(accountId)
    }),
    wake.on('endpoint', (accountId) => {
      known.add(accountId)
      hint(accountId)
    }),
  ]
  const poll = startLoop({
    name: 'webhooks',
    log,
    idleMs: POLL_MS,
    async step() {
      const isLook = polls++ % POLLS_PER_LOOK === 0
      const [due, behind] = await Promise.all([accountsDue(db), isLook ? accountsBehind(db) : []])
      if (isLook) known = new Set(await accountsWithEndpoints(db))
      for (const accountId of new Set([...due, ...behind])) hint(accountId)
      return 'idle'
    },
  })

  return {
    metrics: [deliveries, lag],
    poke: () => poll.poke(),
    ageMs: () => poll.ageMs(),
    async stop() {
      for (const off of offs) off()
      await poll.stop()
      isStopping = true
      const drained = new Promise<void>((resolve) => (idle = resolve))
      pump()
      const cut = setTimeout(() => ending.abort(), DRAIN_MS)
      await drained
      clearTimeout(cut)
      for (const { timer, rest } of accounts.values()) {
        clearTimeout(timer)
        clearTimeout(rest)
      }
    },
  }
}
