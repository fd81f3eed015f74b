import { Buffer } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, type Db } from '../../db/sql.ts'
import { suppliersList } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import { createSupplier } from '../../catalog/settings/suppliers/suppliers.ts'
import { importNow } from '../../imports/runs/import-now.ts'
import type { RunContext } from '../../imports/runs/loop/run-context.ts'
import { runsSettle } from '../../imports/runs/loop/claims.sql.ts'
import { nowMs } from '../../platform/time/clock.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Shelf } from '../../shelf/shelf.ts'
import { counterGet } from '../../shelf/payloads/change-counter.sql.ts'
import { endpointGet } from '../../webhooks/endpoints/endpoints.sql.ts'
import type { Endpoints } from '../../webhooks/endpoints/endpoints.ts'
import type { DemoReceiver } from '../receiver/server.ts'
import { cutFile, DAILY_MAPPING, DAILY_SUPPLIER, dailyFile, jumpedFile } from './daily-files.ts'
import { beginAt, countToBeginning, backdateRun, newestDelivery, noteHour } from './past.sql.ts'
import { WORKSHOP, WORKSHOP_MAPPING, workshopFile } from './workshop.ts'

// What the demo shows besides its catalog: two weeks of files, changes and deliveries, and what needs a person's attention today. It is written by
// imports and delivered by the service's own loop, in the background after the start; afterwards it is dated back (past.sql.ts).

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How many days ago the account began. */
const PAST_DAYS = 14
/** The number of files that came once a day, and then, in the last two days, every two hours. */
const DAILY = 11
const HOURLY = 22
/** The shop refuses one delivery after each of these files. */
const REFUSED_AFTER: readonly number[] = [4, 15, 21, 28]
/** How long to wait for the deliveries of one file. */
const DELIVERED_MS = 20_000
const LOOK_MS = 50
/** A delivery that has failed this many times in a row is left to the retry schedule. */
const TRIES_MAX = 4
/** The mirror counts as finished when nothing has changed at this many checks. */
const QUIET_LOOKS = 4
const QUIET_MS = 5_000

/** The parts of the runtime that the demo uses. */
export interface DemoRooms {
  db: Db
  shelf: Shelf
  imports: RunContext
  endpoints: Endpoints
}

/** The endpoint of the demo's shop, and its receiver. */
export interface DemoShop {
  endpointId: number
  receiver: DemoReceiver
}

/** Dates the newly filled account back by two weeks. Must run before anybody has read the account. */
export async function backdateAccount(db: Db, accountId: number): Promise<void> {
  const at = nowMs() - PAST_DAYS * DAY_MS
  await inTransaction(db, (tx) => beginAt(tx, accountId, new Date(at), new Date(at - DAY_MS)))
}

/** When each of the files came; the oldest first. */
const times = (now: number): Date[] => [
  ...Array.from({ length: DAILY }, (_, i) => new Date(now - (PAST_DAYS - 1 - i) * DAY_MS)),
  ...Array.from({ length: HOURLY }, (_, i) => new Date(now - 2 * (HOURLY - i) * HOUR_MS)),
]

/**
 * Fills the account's last two weeks with imports, changes, and deliveries of which a few fail; and today with things that need a person. Safe to
 * repeat after a crash. @returns whether everything was done; false: it was stopped
 */
export async function fillHistory(
  rooms: DemoRooms,
  accountId: number,
  products: number,
  { endpointId, receiver }: DemoShop,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, endpoints } = rooms
  const supplierId = await supplierOf(db, accountId, DAILY_SUPPLIER)
  if (supplierId === undefined) return true
  let afterNumber = await newestDelivery(db, accountId, endpointId)
  for (const [i, at] of times(nowMs()).entries()) {
    if (signal.aborted) return false
    if (REFUSED_AFTER.includes(i)) receiver.refuseNext()
    const file = { supplierId, mapping: DAILY_MAPPING, text: dailyFile(products, i + 1), name: fileName(at) }
    const runId = await importFile(rooms, accountId, file)
    await delivered(rooms, accountId, endpointId, signal)
    if (runId === null) continue
    afterNumber = await inTransaction(db, async (tx) => {
      await noteHour(tx, accountId, at)
      return backdateRun(tx, accountId, { runId, endpointId, afterNumber, at })
    })
  }
  if (signal.aborted) return false
  await fillToday(rooms, accountId, supplierId, products)
  await delivered({ db, endpoints }, accountId, endpointId, signal)
  return !signal.aborted
}

/**
 * Waits until the mirror has fetched the demo's pictures, each of which changes a product, and dates these changes back to the beginning of the
 * account.
 * @returns whether the mirror finished; false: it was stopped
 */
export async function settlePictures(db: Db, accountId: number, signal: AbortSignal): Promise<boolean> {
  const headNow = async () => (await counterGet(db, accountId))?.lastId ?? 0
  const before = await headNow()
  let head = before
  for (let quiet = 0; quiet < QUIET_LOOKS;) {
    await sleep(QUIET_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return false
    const next = await headNow()
    quiet = next === head ? quiet + 1 : 0
    head = next
  }
  await inTransaction(db, (tx) => countToBeginning(tx, accountId, head - before))
  return true
}

const fileName = (at: Date) => `nordwind-${at.toISOString().slice(0, 13).replaceAll(/[-T]/g, '')}.csv`

/** Creates what needs a person today: findings of every kind that a small supplier's file can cause, prices that jumped, a truncated file. */
async function fillToday(rooms: DemoRooms, accountId: number, supplierId: number, products: number): Promise<void> {
  const { db } = rooms
  const workshopId =
    (await supplierOf(db, accountId, WORKSHOP.code)) ??
    (await inTransaction(db, (tx) => createSupplier(tx, accountId, WORKSHOP))).value
  const file = { supplierId: workshopId, mapping: WORKSHOP_MAPPING, text: workshopFile(), name: 'workshop.json' }
  await importFile(rooms, accountId, file, 'full')
  const daily = { supplierId, mapping: DAILY_MAPPING }
  await importFile(rooms, accountId, { ...daily, text: jumpedFile(products), name: 'nordwind-corrections.csv' })
  await importFile(rooms, accountId, { ...daily, text: cutFile(products), name: 'nordwind-all.csv' }, 'full')
}

async function supplierOf(db: Db, accountId: number, code: string): Promise<number | undefined> {
  return (await suppliersList(db, accountId)).find((row) => row.code === code)?.supplierId
}

interface DemoFile {
  supplierId: number
  mapping: unknown
  text: string
  name: string
}

/** Imports a file as a run. @returns the run's id; null: it was held back, as some are meant to be, or another import is running */
async function importFile(
  { db, shelf, imports }: DemoRooms,
  accountId: number,
  { supplierId, mapping, text, name }: DemoFile,
  mode: 'delta' | 'full' = 'delta',
): Promise<number | null> {
  const run = { supplierId, mode, mapping, isDryRun: false, isConfirmed: false, name }
  try {
    const { runId } = await importNow(imports, accountId, run, bytesOf(text), () => {})
    await shelf.drain(accountId)
    await inTransaction(db, (tx) => runsSettle(tx, accountId))
    return runId
  } catch (error) {
    if (error instanceof ShelfwireError && (error.code === 'import-refused' || error.code === 'import-running'))
      return null
    throw error
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Waits until the endpoint has all changes; a delivery that waits for a retry is sent again at once, as its owner could ask for. */
async function delivered(
  { db, endpoints }: Pick<DemoRooms, 'db' | 'endpoints'>,
  accountId: number,
  endpointId: number,
  signal: AbortSignal,
): Promise<void> {
  const until = nowMs() + DELIVERED_MS
  while (!signal.aborted && nowMs() < until) {
    const endpoint = await endpointGet(db, accountId, endpointId)
    if (endpoint === undefined || !endpoint.isEnabled || endpoint.position >= endpoint.head) return
    if (endpoint.retryAt !== null && endpoint.failures < TRIES_MAX) await endpoints.resume(accountId, endpointId)
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {})
  }
}
