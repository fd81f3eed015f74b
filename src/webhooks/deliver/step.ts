import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/sql.ts'
import { writeNotices } from '../../notices/write-notice.sql.ts'
import { now as processNow } from '../../platform/time/clock.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { bodyOf } from '../plan/body.ts'
import { paceAt, withEnd, type Pace } from '../schedule/pace.ts'
import { signingSecretsAt, type SigningSecrets } from '../secret.ts'
import {
  coursesWrite,
  suspectsReannounce,
  deliveriesUpdate,
  deliveriesVoid,
  endpointStatesUpdate,
  hasChanged,
  fitsCoursesWrite,
  type Courses,
  type NewDelivery,
} from './records.sql.ts'
import { isAcknowledgement, noWrites, settle, type Result, type StepWrites } from './settle.ts'
import {
  deliveryContents,
  deliveriesWaiting,
  endpointsLock,
  endpointsRead,
  listingNow,
  type EndpointNow,
  type WaitingDelivery,
} from './claims.sql.ts'
import { scanAhead, scanLimit, type NextScan, type ScanRequest, type Scans } from './scan.sql.ts'
import { planWindows } from './window.ts'

/** A delivery that this process has leased, to be sent as soon as the step has committed. */
export interface Claim {
  endpointId: number
  delivery: WaitingDelivery
  leaseId: string
  generation: number
  url: string
  body: string
  /** Encrypted (src/platform/secrets/seal.ts). */
  signers: SigningSecrets
  /** The range of change numbers that it may announce: after the first, up to the second; null for a manual delivery. */
  changes: readonly [after: number, upTo: number] | null
  isImpaired: boolean
  /** The scan that will be needed once its window is acknowledged, unless something changes before. */
  next: NextScan
  /** Milliseconds since it was due; null if it was not scheduled (it results from a new change). */
  lateMs: number | null
}

export interface Stepped {
  claims: Claim[]
  /** Whether there is more to do at once. */
  isMore: boolean
  /** Whether something was due but no slot was free. */
  isStarved: boolean
  /** Milliseconds until something else of this account is due; null: nothing until the next change. */
  dueInMs: number | null
}

export interface StepOptions {
  pace: Pace
  /** A random number from 0 to below 1, for jitter. */
  chance: () => number
  /** The number of this process, by which others see whether it lives; null: unknown, so they wait for its leases to run out. */
  holder: number | null
  /**
   * Leases, with their endpoints, of earlier steps of this process whose commit is unknown. Nobody sends the deliveries that they were taken for.
   */
  unsent?: ReadonlyMap<string, number>
  /** Replaces the database's clock; tests move it. */
  clock?: (databaseNow: Date) => Date
  /** Takes a slot if one is free, for one more delivery in flight. Unused slots are given back. */
  take: (isImpaired: boolean) => boolean
  /** Whether no slot is free: then nothing is scanned ahead, because nothing will be claimed. */
  isFull?: () => boolean
  giveBack: (isImpaired: boolean) => void
}

const HOUR_MS = 3_600_000

/** An endpoint during a step. */
interface Visit {
  /** Its state. Changes are written at the end of the step. */
  row: EndpointNow
  /** The next delivery from the log, with its body if that is known already. */
  log: (WaitingDelivery & { body?: string | null }) | undefined
  /** The next manual delivery. */
  manual: WaitingDelivery | undefined
  /**
   * Whether a delivery may be waiting that was not read: one whose result came under a lease that has ended (it was excluded from the query), or one
   * that this step adds.
   */
  isUnread: boolean
  /** `row` as it was read, to see whether the step changed it. */
  before: Readonly<EndpointNow>
  wasDueAt: Date | null
}

/**
 * One step of an account, in one transaction. For all endpoints of the account that no other transaction has locked, it records results and claims
 * what is due. Bodies are frozen when a window is planned; the POSTs follow after the commit. The last writes are not awaited: their answers arrive
 * with that of the commit. docs/decisions/227-a-delivery-step-waits-three-times.md says why, and docs/decisions/249-a-delivery-step-waits-twice.md
 * what is read ahead.
 */
export async function step(
  tx: Tx,
  accountId: number,
  results: readonly Result[],
  options: StepOptions,
): Promise<Stepped> {
  // including endpoints of unsent leases, which are not due until these run out
  const named = [...new Set([...results.map((result) => result.endpointId), ...(options.unsent?.values() ?? [])])]
  const at = options.clock?.(new Date()) ?? null
  const tried = results.map((result) => result.delivery.deliveryId)
  // sent together: the reads run after the locks, and see everything committed before these were taken
  const [locked, { rows, now, laterDueAt, isDistributed }, waiting, scans] = await Promise.all([
    endpointsLock(tx, accountId, named, at),
    endpointsRead(tx, accountId, named, at),
    deliveriesWaiting(tx, accountId, named, at, tried).execute(),
    options.isFull?.() === true
      ? (new Map() satisfies Scans)
      : scanAhead(
          tx,
          accountId,
          named,
          acknowledgedOf(results, options.pace, at ?? processNow()),
          options.pace.gapMs,
          at,
        ),
  ])
  const writes = noWrites()
  for (const row of rows) row.now = options.clock?.(row.now) ?? row.now
  const visits = rows
    .filter((row) => locked.has(row.endpointId))
    .map((row): Visit => {
      const own = waiting.filter((delivery) => delivery.endpointId === row.endpointId)
      return {
        row,
        before: { ...row },
        wasDueAt: row.dueAt,
        log: own.find((delivery) => delivery.origin === 'log'),
        manual: own.find((delivery) => delivery.origin !== 'log'),
        isUnread: false,
      }
    })
  for (const { row } of visits) moveTimesBack(row)
  for (const result of results) {
    const visit = visits.find(({ row }) => row.endpointId === result.endpointId)
    // the endpoint was deleted while the delivery was in flight
    if (visit === undefined) continue
    // an owner's edit, after which the generation differs, has voided what waited
    visit.isUnread ||= visit.row.leaseId !== result.leaseId && visit.row.generation === result.generation
    const again = settle(visit.row, result, writes, options.chance())
    if (again !== undefined) visit.log = { ...again.delivery, attempts: again.delivery.attempts + 1, body: again.body }
    if (writes.voided.has(visit.row.endpointId)) visit.log = undefined
  }
  // second attempts of refused products are inserted at the end of this step; the next step has to read them, even if nothing else changes
  const parking = new Set(writes.parks.map(({ endpointId }) => endpointId))
  for (const visit of visits) visit.isUnread ||= parking.has(visit.row.endpointId)
  const claimed = await claimDue(tx, accountId, visits, scans, writes, options)
  if (writes.notices.length > 0) await writeNotices(tx, accountId, writes.notices)
  const changed = visits.filter(hasChanged)
  const courses = {
    ends: writes.ends,
    planned: claimed.planned,
    attempts: writes.attempts,
    states: changed.filter(fitsCoursesWrite),
  }
  write(tx, accountId, writes, courses, isDistributed)
  void endpointStatesUpdate(
    tx,
    accountId,
    changed.filter((visit) => !fitsCoursesWrite(visit)).map(({ row }) => row),
  )
  const { claims, isMore, starved } = claimed
  return {
    claims,
    isMore,
    isStarved: starved.size > 0,
    dueInMs: dueInMs(
      rows.filter((row) => !starved.has(row)),
      locked,
      laterDueAt === null ? null : laterDueAt.getTime() - (options.clock?.(now) ?? now).getTime(),
    ),
  }
}

/** Sends the last writes, whose answers arrive with that of the commit. */
function write(
  tx: Tx,
  accountId: number,
  { expired, voided, parks }: StepWrites,
  courses: Courses,
  isDistributed: boolean,
): void {
  if (expired.size + voided.size + parks.length === 0) {
    void coursesWrite(tx, accountId, courses, isDistributed)
    return
  }
  // in this order, because a void plan must end before the plan that replaces it is written
  void deliveriesUpdate(tx, accountId, courses.ends)
  void deliveriesVoid(tx, accountId, [...expired], 'expired')
  void deliveriesVoid(tx, accountId, [...voided], 'void')
  void suspectsReannounce(tx, accountId, parks)
  void coursesWrite(tx, accountId, { ...courses, ends: [] }, isDistributed)
}

/**
 * If the last delivery began or ended in the future, the database's clock was set back. The times that the endpoint waits for are then moved back by
 * the same difference; otherwise it would wait that much longer.
 */
function moveTimesBack(row: EndpointNow): void {
  const [newestEnd] = row.recentEnds
  const newest = Math.max(row.sentAt?.getTime() ?? 0, newestEnd?.getTime() ?? 0)
  const backMs = newest - row.now.getTime()
  if (backMs <= 0) return
  const moved = (at: Date | null) => (at === null ? null : new Date(at.getTime() - backMs))
  row.sentAt = moved(row.sentAt)
  row.recentEnds = row.recentEnds.map((at) => new Date(at.getTime() - backMs))
  row.leasedUntil = moved(row.leasedUntil)
  row.retryAt = moved(row.retryAt)
  row.pausedUntil = moved(row.pausedUntil)
}

/** The delay before an endpoint that is due, but locked by another transaction, is looked at again. */
const LOCKED_MS = 250

/** Milliseconds until the first of these endpoints is due, or the first of those that were not read; null: none is. */
function dueInMs(
  rows: readonly EndpointNow[],
  locked: { has(endpointId: number): boolean },
  restInMs: number | null,
): number | null {
  const due = rows.flatMap(({ endpointId, dueAt, now }) => {
    if (dueAt === null) return []
    return [Math.max(locked.has(endpointId) ? 0 : LOCKED_MS, dueAt.getTime() - now.getTime())]
  })
  // if that endpoint is locked by then, the next step reads it and waits
  if (restInMs !== null) due.push(Math.max(0, restInMs))
  return due.length === 0 ? null : Math.min(...due)
}

/** Scans after windows that this step's results acknowledge, for endpoints whose next delivery may begin at once. */
function acknowledgedOf(results: readonly Result[], { gapMs }: Pace, now: Date): ScanRequest[] {
  const latest = now.getTime() - gapMs
  return results.flatMap(({ delivery: { positionAfter }, exchange, beganAt, next }) =>
    positionAfter !== null && isAcknowledgement(exchange) && beganAt.getTime() <= latest
      ? [{ ...next, position: positionAfter }]
      : [],
  )
}

interface Claimed {
  claims: Claim[]
  planned: NewDelivery[]
  isMore: boolean
  /** Endpoints that had something due but found no free slot. */
  starved: Set<EndpointNow>
}

/** Whether an endpoint is failing or slow. Such endpoints may take half of the slots. */
function isImpaired({ failures, lastMs }: EndpointNow): boolean {
  return failures > 0 || (lastMs ?? 0) > LIMITS.webhookSlowMs
}

/**
 * What to send to an endpoint now: a manual delivery, one from the log, or the next window of the log. A Date: nothing before then; null: nothing.
 */
function nextWork(
  visit: Visit,
  { pace, unsent }: StepOptions,
  writes: StepWrites,
): 'manual' | 'log' | 'window' | Date | null {
  const { row } = visit
  const { now } = row
  const isUnsent = row.leaseId !== null && unsent?.has(row.leaseId) === true
  if (row.leasedUntil !== null && row.leasedUntil > now && !isUnsent) return row.leasedUntil
  // Its lease has run out without a result. The process may have made the delivery at any time until it ended.
  if (row.leaseId !== null && !isUnsent) row.recentEnds = withEnd(row.recentEnds, now)
  row.leaseId = null
  row.leasedUntil = null
  row.leaseHolder = null
  if (!row.isEnabled) return null
  // the next step follows at once; it has no results, and so reads that delivery as well
  if (visit.isUnread) return now
  const nextAt = new Date(paceAt(pace, row) ?? now)
  const isTooEarly = nextAt > now
  if (visit.manual !== undefined) return isTooEarly ? nextAt : 'manual'
  if (row.retryAt !== null && row.retryAt > now) return row.retryAt
  if (
    visit.log !== undefined &&
    now.getTime() - visit.log.createdAt.getTime() > LIMITS.webhookFrozenHoursMax * HOUR_MS
  ) {
    writes.expired.add(row.endpointId)
    visit.log = undefined
  }
  if (visit.log === undefined && row.head <= row.position) return null
  if (isTooEarly) return nextAt
  return visit.log === undefined ? 'window' : 'log'
}

/** Claims what is due while slots are free: takes slots, plans windows, reads missing bodies, and claims one delivery per endpoint. */
async function claimDue(
  tx: Tx,
  accountId: number,
  visits: readonly Visit[],
  scans: Scans,
  writes: StepWrites,
  options: StepOptions,
): Promise<Claimed> {
  const claimed: Claimed = { claims: [], planned: [], isMore: false, starved: new Set() }
  const ready: { visit: Visit; work: 'manual' | 'log' | 'window' }[] = []
  for (const visit of visits) {
    const work = nextWork(visit, options, writes)
    visit.row.dueAt =
      work instanceof Date ? (work === visit.row.leasedUntil ? lookAt(work, visit.row.now) : work) : null
    if (work === null || work instanceof Date) continue
    if (options.take(isImpaired(visit.row))) {
      ready.push({ visit, work })
      continue
    }
    // it stays due, for the next step or process that has a free slot
    visit.row.dueAt = visit.wasDueAt ?? visit.row.now
    claimed.starved.add(visit.row)
  }
  const windows = ready.filter(({ work }) => work === 'window').map(({ visit }) => visit)
  const plans = await planWindows(
    tx,
    accountId,
    windows.map(({ row }) => row),
    scans,
  )
  const unread = ready.flatMap(({ visit: { log, manual }, work }): WaitingDelivery[] => {
    if (work === 'manual') return manual === undefined ? [] : [manual]
    return work === 'log' && log !== undefined && log.body === undefined ? [log] : []
  })
  const contents = new Map(
    unread.length === 0 ? [] : (await deliveryContents(tx, accountId, unread)).map((row) => [row.deliveryId, row]),
  )
  for (const { visit, work } of ready) {
    if (work === 'manual') {
      const content = visit.manual === undefined ? undefined : contents.get(visit.manual.deliveryId)
      if (content === undefined) options.giveBack(isImpaired(visit.row))
      else await claimManual(tx, accountId, visit, content, writes, claimed, options)
      continue
    }
    const plan = work === 'window' ? plans.get(visit.row.endpointId) : undefined
    if (plan !== undefined) claimed.planned.push(...plan)
    const [first] = plan ?? []
    const next = first === undefined ? visit.log : { ...first, createdAt: visit.row.now, attempts: 0, wasParked: false }
    const body = next === undefined ? null : (next.body ?? contents.get(next.deliveryId)?.body ?? null)
    if (next !== undefined && body !== null) claim(visit, next, body, claimed, options.holder)
    else {
      options.giveBack(isImpaired(visit.row))
      // the part of the log that was scanned has nothing for this endpoint, but a later part may
      if (visit.row.position < visit.row.head) claimed.isMore = true
    }
  }
  return claimed
}

/** The most time before the end of a lease at which its endpoint may be looked at. No delivery takes so long that it has not ended by then. */
const LOOK_EARLY_MS = 5_000

/**
 * When an endpoint is due while a delivery is in flight: at the last multiple of five seconds before its lease runs out, and then when it runs out.
 * `due_at` thus stays the same from one delivery to the next, so that updates do not write its index.
 * docs/decisions/237-the-usual-course-of-a-delivery.md says why.
 */
function lookAt(leasedUntil: Date, now: Date): Date {
  const early = Math.floor(leasedUntil.getTime() / LOOK_EARLY_MS) * LOOK_EARLY_MS
  return early > now.getTime() ? new Date(early) : leasedUntil
}

function claim(
  visit: Visit,
  { deliveryId, origin, positionAfter, createdAt, attempts, wasParked }: WaitingDelivery,
  body: string,
  claimed: Claimed,
  holder: number | null,
): void {
  const { row, wasDueAt } = visit
  row.leaseId = randomUUID()
  row.leasedUntil = new Date(row.now.getTime() + LIMITS.webhookLeaseMs)
  row.leaseHolder = holder
  row.dueAt = lookAt(row.leasedUntil, row.now)
  row.sentAt = row.now
  claimed.claims.push({
    endpointId: row.endpointId,
    delivery: { endpointId: row.endpointId, deliveryId, origin, positionAfter, createdAt, attempts, wasParked },
    leaseId: row.leaseId,
    generation: row.generation,
    url: row.url,
    body,
    signers: signingSecretsAt(row, row.now),
    changes: origin === 'log' ? [row.position, positionAfter ?? row.head] : null,
    isImpaired: isImpaired(row),
    next: { kinds: row.kinds, storeId: row.storeId, limit: scanLimit(row) },
    lateMs: wasDueAt === null ? null : Math.max(0, row.now.getTime() - wasDueAt.getTime()),
  })
}

type DeliveryContent = Awaited<ReturnType<typeof deliveryContents>>[number]

/**
 * Claims a manual delivery; these precede the log. The body of a redelivery is made now, from the products that its event still applies to (still
 * listed or, for `removed`, still not listed). It voids the endpoint's waiting plan, because a body frozen earlier must not arrive later.
 */
async function claimManual(
  tx: Tx,
  accountId: number,
  visit: Visit,
  content: DeliveryContent,
  writes: StepWrites,
  claimed: Claimed,
  options: StepOptions,
): Promise<void> {
  const { row, manual } = visit
  if (manual === undefined) return
  if (content.body !== null) {
    claim(visit, manual, content.body, claimed, options.holder)
    return
  }
  const listing = await listingNow(tx, accountId, content.productIds ?? [])
  const isCurrent = (productId: number) => {
    const stores = listing.get(productId)
    const isListed = content.storeId === null ? stores !== undefined : (stores?.has(content.storeId) ?? false)
    return isListed === (content.event !== 'removed')
  }
  const productIds = (content.productIds ?? []).filter(isCurrent)
  const body = productIds.length === 0 ? null : bodyOf({ ...content, productIds }, formatTimestamp(row.now))
  writes.ends.push({
    endpointId: row.endpointId,
    deliveryId: manual.deliveryId,
    state: body === null ? 'empty' : 'waiting',
    body,
    isTried: false,
  })
  if (body === null) {
    options.giveBack(isImpaired(row))
    claimed.isMore = true
    // due at once, in case this process ends before its next step: more manual deliveries may wait behind this one
    row.dueAt = row.now
    return
  }
  writes.voided.add(row.endpointId)
  claim(visit, manual, body, claimed, options.holder)
}
