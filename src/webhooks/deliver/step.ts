import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import { bodyOf } from '../plan/body.ts'
import {
  attemptsInsert,
  deliveriesInsert,
  deliveriesPark,
  deliveriesUpdate,
  deliveriesVoid,
  endpointStatesUpdate,
  noticesInsert,
  type NewDelivery,
} from './records.sql.ts'
import { newLedger, settle, type Ledger, type Result } from './settle.ts'
import {
  deliveriesCarry,
  deliveriesWaiting,
  endpointsLock,
  endpointsRead,
  listingNow,
  type EndpointNow,
  type WaitingDelivery,
} from './claims.sql.ts'
import { planWindows } from './window.ts'

/** A delivery that this process now holds the lease for, to be sent as soon as the step has committed. */
export interface Claim {
  endpointId: number
  delivery: WaitingDelivery
  leaseId: string
  generation: number
  url: string
  body: string
  /** Sealed. */
  secret: string
  /** Sealed; null without a rotation that still overlaps. */
  previousSecret: string | null
  isImpaired: boolean
  /** Milliseconds by which it is later than it was due; null when it was not waiting for a time. */
  lateMs: number | null
}

export interface Stepped {
  claims: Claim[]
  /** Whether there is more to do at once. */
  isMore: boolean
  /** Whether something was due that no slot was free for. */
  isStarved: boolean
  /** Milliseconds until something else of this account is due; null: at the next change. */
  dueInMs: number | null
}

export interface StepOptions {
  /** Shortest time between the beginnings of two deliveries to an endpoint. */
  paceMs: number
  /** 0 to 1 (exclusive). */
  chance: () => number
  /** The database's clock as the step shall take it; tests move it. */
  clock?: (databaseNow: Date) => Date
  /** Whether one more delivery may be in flight; what it grants and is not claimed is given back. */
  take: (isImpaired: boolean) => boolean
  giveBack: (isImpaired: boolean) => void
}

const HOUR_MS = 3_600_000

/** An endpoint as the step goes over it. */
interface Desk {
  row: EndpointNow
  /** Next of the log, with its body where it is at hand; next by hand. */
  log: (WaitingDelivery & { body?: string | null }) | undefined
  manual: WaitingDelivery | undefined
  /** As it was found, for telling whether anything moved. */
  was: string
  wasDueAt: Date | null
}

/**
 * T3, both ends of it, for all endpoints of an account that nobody else is at: records the results that came in, and
 * claims what is due, freezing bodies as it does. HTTP happens after the commit and outside of any transaction.
 */
export async function step(
  tx: Tx,
  accountId: number,
  results: readonly Result[],
  options: StepOptions,
): Promise<Stepped> {
  const locked = await endpointsLock(
    tx,
    accountId,
    results.map((result) => result.endpointId),
    options.clock?.(new Date()) ?? null,
  )
  const [rows, waiting] = await Promise.all([
    endpointsRead(tx, accountId),
    deliveriesWaiting(
      tx,
      accountId,
      [...locked],
      results.map((result) => result.delivery.deliveryId),
    ),
  ])
  const ledger = newLedger()
  for (const row of rows) row.now = options.clock?.(row.now) ?? row.now
  const desks = rows
    .filter((row) => locked.has(row.endpointId))
    .map((row): Desk => {
      const own = waiting.filter((delivery) => delivery.endpointId === row.endpointId)
      return {
        row,
        was: JSON.stringify(row),
        wasDueAt: row.dueAt,
        log: own.find((delivery) => delivery.origin === 'log'),
        manual: own.find((delivery) => delivery.origin !== 'log'),
      }
    })
  for (const { row } of desks) afterStepBack(row)
  for (const result of results) {
    const desk = desks.find(({ row }) => row.endpointId === result.endpointId)
    // deleted while it was in flight: there is nobody left to tell
    if (desk === undefined) continue
    const again = settle(desk.row, result, ledger, options.chance())
    if (again !== undefined) desk.log = { ...again.delivery, body: again.body }
    if (ledger.voided.has(desk.row.endpointId)) desk.log = undefined
  }
  const claimed = await claimDue(tx, accountId, desks, ledger, options)
  await deliveriesUpdate(tx, accountId, ledger.ends)
  // one after the other: a plan that is void ends before the one that takes its place is written
  await deliveriesVoid(tx, accountId, [...ledger.expired], 'expired')
  await deliveriesVoid(tx, accountId, [...ledger.voided], 'void')
  await Promise.all([
    deliveriesPark(tx, accountId, ledger.parks),
    deliveriesInsert(tx, accountId, claimed.planned),
    attemptsInsert(tx, accountId, ledger.attempts),
    noticesInsert(tx, accountId, ledger.notices),
    endpointStatesUpdate(
      tx,
      accountId,
      desks.filter(hasMoved).map(({ row }) => row),
    ),
  ])
  const { claims, isMore, starved } = claimed
  return { claims, isMore, isStarved: starved.size > 0, dueInMs: dueInMs(rows.filter((row) => !starved.has(row))) }
}

/**
 * A delivery that began in the future was begun before the clock stepped back: everything that was set by that clock is
 * brought along, or the endpoint would wait for the difference.
 */
function afterStepBack(row: EndpointNow): void {
  const backMs = row.sentAt === null ? 0 : row.sentAt.getTime() - row.now.getTime()
  if (backMs <= 0) return
  const brought = (at: Date | null) => (at === null ? null : new Date(at.getTime() - backMs))
  row.sentAt = row.now
  row.leasedUntil = brought(row.leasedUntil)
  row.retryAt = brought(row.retryAt)
  if (row.pausedUntil !== null) row.pausedUntil = brought(row.pausedUntil)
}

/** Whether the step changed anything of an endpoint; looking at an idle one writes nothing. */
function hasMoved({ row, was }: Desk): boolean {
  return JSON.stringify(row) !== was
}

/** Milliseconds until the first of these endpoints is due; null: none is. */
function dueInMs(rows: readonly EndpointNow[]): number | null {
  const due = rows.flatMap(({ dueAt, now }) => (dueAt === null ? [] : [Math.max(0, dueAt.getTime() - now.getTime())]))
  return due.length === 0 ? null : Math.min(...due)
}

interface Claimed {
  claims: Claim[]
  planned: NewDelivery[]
  isMore: boolean
  /** Endpoints with something due that no slot was free for. */
  starved: Set<EndpointNow>
}

/** Whether an endpoint counts towards the half of all that is in flight which failing and slow ones may take. */
function isImpaired({ failures, lastMs }: EndpointNow): boolean {
  return failures > 0 || (lastMs ?? 0) > LIMITS.webhookSlowMs
}

/** What an endpoint has to do now; a time when it must wait until then, null when it has nothing to do. */
function choose(desk: Desk, paceMs: number, ledger: Ledger): 'manual' | 'log' | 'window' | Date | null {
  const { row } = desk
  const { now } = row
  if (row.leasedUntil !== null && row.leasedUntil > now) return row.leasedUntil
  // whoever held it has not come back in time
  row.leaseId = null
  row.leasedUntil = null
  if (!row.isEnabled) return null
  const paceAt = row.sentAt === null ? now : new Date(row.sentAt.getTime() + paceMs)
  if (desk.manual !== undefined) return paceAt > now ? paceAt : 'manual'
  if (row.retryAt !== null && row.retryAt > now) return row.retryAt
  if (desk.log !== undefined && now.getTime() - desk.log.createdAt.getTime() > LIMITS.webhookFrozenHoursMax * HOUR_MS) {
    ledger.expired.add(row.endpointId)
    desk.log = undefined
  }
  if (desk.log === undefined && row.head <= row.position) return null
  if (paceAt > now) return paceAt
  return desk.log === undefined ? 'window' : 'log'
}

async function claimDue(
  tx: Tx,
  accountId: number,
  desks: readonly Desk[],
  ledger: Ledger,
  options: StepOptions,
): Promise<Claimed> {
  const claimed: Claimed = { claims: [], planned: [], isMore: false, starved: new Set() }
  const ready: { desk: Desk; work: 'manual' | 'log' | 'window' }[] = []
  for (const desk of desks) {
    const work = choose(desk, options.paceMs, ledger)
    desk.row.dueAt = work instanceof Date ? work : null
    if (work === null || work instanceof Date) continue
    if (options.take(isImpaired(desk.row))) {
      ready.push({ desk, work })
      continue
    }
    // due since then, for whoever has room
    desk.row.dueAt = desk.wasDueAt ?? desk.row.now
    claimed.starved.add(desk.row)
  }
  const windows = ready.filter(({ work }) => work === 'window').map(({ desk }) => desk)
  const plans = await planWindows(
    tx,
    accountId,
    windows.map(({ row }) => row),
  )
  const unread = ready.flatMap(({ desk: { log, manual }, work }) =>
    work === 'manual' ? (manual ?? []) : work === 'log' && log?.body === undefined ? (log ?? []) : [],
  )
  const carried = new Map(
    unread.length === 0 ? [] : (await deliveriesCarry(tx, accountId, unread)).map((row) => [row.deliveryId, row]),
  )
  for (const { desk, work } of ready) {
    if (work === 'manual') {
      const cargo = desk.manual === undefined ? undefined : carried.get(desk.manual.deliveryId)
      if (cargo === undefined) options.giveBack(isImpaired(desk.row))
      else await claimManual(tx, accountId, desk, cargo, ledger, claimed, options)
      continue
    }
    const plan = work === 'window' ? plans.get(desk.row.endpointId) : undefined
    if (plan !== undefined) claimed.planned.push(...plan)
    const [first] = plan ?? []
    const next = first === undefined ? desk.log : { ...first, createdAt: desk.row.now, wasParked: false }
    const body = next?.body ?? carried.get(next?.deliveryId ?? '')?.body ?? null
    if (next !== undefined && body !== null) claim(desk, next, body, claimed)
    else {
      options.giveBack(isImpaired(desk.row))
      // nothing for this endpoint in what was scanned; further on there may be
      if (desk.row.position < desk.row.head) claimed.isMore = true
    }
  }
  return claimed
}

function claim(
  desk: Desk,
  { deliveryId, origin, positionAfter, createdAt, wasParked }: WaitingDelivery,
  body: string,
  claimed: Claimed,
): void {
  const { row, wasDueAt } = desk
  row.leaseId = randomUUID()
  row.leasedUntil = new Date(row.now.getTime() + LIMITS.webhookLeaseMs)
  row.dueAt = row.leasedUntil
  row.sentAt = row.now
  const isOverlapping = row.previousUntil !== null && row.previousUntil > row.now
  claimed.claims.push({
    endpointId: row.endpointId,
    delivery: { endpointId: row.endpointId, deliveryId, origin, positionAfter, createdAt, wasParked },
    leaseId: row.leaseId,
    generation: row.generation,
    url: row.url,
    body,
    secret: row.secret,
    previousSecret: isOverlapping ? row.previousSecret : null,
    isImpaired: isImpaired(row),
    lateMs: wasDueAt === null ? null : Math.max(0, row.now.getTime() - wasDueAt.getTime()),
  })
}

/** What a delivery carries, as it is kept. */
type Cargo = Awaited<ReturnType<typeof deliveriesCarry>>[number]

/**
 * What the owner asked for goes before the log. A redelivery is written now, with those of its products that are still as
 * it says, and voids a plan that waits: what was frozen before it must not be told after it.
 */
async function claimManual(
  tx: Tx,
  accountId: number,
  desk: Desk,
  cargo: Cargo,
  ledger: Ledger,
  claimed: Claimed,
  options: StepOptions,
): Promise<void> {
  const { row, manual } = desk
  if (manual === undefined) return
  if (cargo.body !== null) {
    claim(desk, manual, cargo.body, claimed)
    return
  }
  const listing = await listingNow(tx, accountId, cargo.productIds ?? [])
  const isStill = (productId: number) => {
    const stores = listing.get(productId)
    const isListed = cargo.storeId === null ? stores !== undefined : (stores?.has(cargo.storeId) ?? false)
    return isListed === (cargo.event !== 'removed')
  }
  const productIds = (cargo.productIds ?? []).filter(isStill)
  const body = productIds.length === 0 ? null : bodyOf({ ...cargo, productIds }, formatTimestamp(row.now))
  ledger.ends.push({
    endpointId: row.endpointId,
    deliveryId: manual.deliveryId,
    state: body === null ? 'empty' : 'waiting',
    body,
    isTried: false,
  })
  if (body === null) {
    options.giveBack(isImpaired(row))
    claimed.isMore = true
    return
  }
  ledger.voided.add(row.endpointId)
  claim(desk, manual, body, claimed)
}
