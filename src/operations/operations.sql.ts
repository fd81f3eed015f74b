import type { StalePosition } from '../catalog/stale/stale.sql.ts'
import { inputsVersionRaise } from '../catalog/stale/sweeps.sql.ts'
import { accountCondition, type Accounts } from '../db/fragments/account-condition.ts'
import { jsonTexts } from '../db/statements/json-texts.ts'
import { keptLength } from '../db/fragments/kept-length.sql.ts'
import type { Reader, Tx } from '../db/sql.ts'
import { withinWeight, type Weighed } from '../db/fragments/within-weight.sql.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { currentTraceparent } from '../platform/tracing/tracing.ts'
import type { BulkKind } from './bulk/write.ts'
import { progressOf, type Waiting } from './progress.ts'
import { must, single } from '../platform/must.ts'

export type DeletionKind = 'delete_store' | 'delete_supplier'
export type OperationKind = BulkKind | DeletionKind | 'resolve' | 'preview'
export type OperationState = 'queued' | 'running' | 'resolving' | 'succeeded' | 'failed' | 'canceled'

/** An operation as the API shows it. */
export interface OperationRow {
  operationId: number
  kind: OperationKind
  state: OperationState
  isDryRun: boolean
  /** The store or supplier that is being deleted. */
  subjectId: number | null
  /** Rows of a bulk, products for all other kinds; null: unknown. */
  total: number | null
  done: number
  changed: number
  unchanged: number
  failed: number
  message: string | null
  createdAt: Date
  startedAt: Date | null
  endedAt: Date | null
}

/** A new operation. `position` is set for `resolving`: the marks and sweeps that it waits for. */
export interface NewOperation {
  kind: OperationKind
  state: 'queued' | 'resolving'
  isDryRun?: boolean
  subjectId?: number
  total: number | null
  position?: StalePosition
}

/** Inserts an operation, in the trace of the current request. @returns its id */
export async function operationInsert(tx: Tx, accountId: number, operation: NewOperation): Promise<number> {
  const { kind, state, isDryRun = false, subjectId = null, total, position } = operation
  const [row] = await tx<{ operation_id: number }[]>`
    insert into operation (account_id, kind, state, is_dry_run, subject_id, total, mark_id, sweep_id, traceparent, started_at)
    values (${accountId}, ${kind}, ${state}, ${isDryRun}, ${subjectId}, ${total}, ${position?.markId ?? null},
      ${position?.sweepId ?? null}, ${currentTraceparent() ?? null}, case when ${state}::text = 'resolving' then now() end)
    returning operation_id`
  return must(row).operation_id
}

/** Locks an account against other transactions that open operations, until the end of the transaction, so that the limit is exact. */
export async function spoolersLock(tx: Tx, accountId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`spool ${accountId}`}, 0))`
}

/** Counts the open operations that requests have asked for, without those that follow payloads, and without previews. */
export async function operationsOpen(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from operation where account_id = ${accountId} and ended_at is null and kind not in ('resolve', 'preview')`
  return must(row).count
}

/** Seconds since the n-th newest operation that a request has asked for was created; undefined if there are fewer. */
export async function operationAge(reader: Reader, accountId: number, n: number): Promise<number | undefined> {
  const [row] = await reader<{ seconds: number }[]>`
    select extract(epoch from now() - created_at)::float8 as seconds from operation
    where account_id = ${accountId} and kind not in ('resolve', 'delete_store', 'delete_supplier')
    order by operation_id desc offset ${n - 1} limit 1`
  return row?.seconds
}

/**
 * If the account has as many operations that follow payloads as it may, extends the newest one to this position.
 * @returns its id; undefined below the limit.
 */
export async function resolveShared(tx: Tx, accountId: number, position: StalePosition): Promise<number | undefined> {
  const [row] = await tx<{ operation_id: number }[]>`
    update operation set mark_id = greatest(mark_id, ${position.markId}), sweep_id = greatest(sweep_id, ${position.sweepId})
    where account_id = ${accountId} and ended_at is null and operation_id = (
      select max(operation_id) from operation where account_id = ${accountId} and ended_at is null and kind = 'resolve'
      having count(*) >= ${LIMITS.operationsOpenPerAccountMax})
    returning operation_id`
  return row?.operation_id
}

/** Stores rows to be written: JSON arrays, each with the number of its first row. */
export async function chunksInsert(
  tx: Tx,
  accountId: number,
  operationId: number,
  chunks: readonly { firstRow: number; rows: string }[],
): Promise<void> {
  await tx`
    insert into operation_chunk (account_id, operation_id, first_row, rows)
    select ${accountId}, ${operationId}, * from unnest(${chunks.map((chunk) => chunk.firstRow)}::int[],
      string_to_array(${jsonTexts(chunks.map((chunk) => chunk.rows))}, E'\\x1e'))`
}

/**
 * Records, in the transaction that deletes a store or supplier, that the loop has to delete its rows. Raises the
 * version of the account's shared inputs, so that no shelver writes for the deleted store or supplier.
 * @param subjectId the store or the supplier.
 * @returns the operation's id.
 */
export async function trackDeletion(tx: Tx, accountId: number, kind: DeletionKind, subjectId: number): Promise<number> {
  await inputsVersionRaise(tx, accountId)
  const operationId = await operationInsert(tx, accountId, { kind, state: 'queued', subjectId, total: null })
  // the chunk of a deletion is its position: 0 means that nothing is deleted yet
  await chunksInsert(tx, accountId, operationId, [{ firstRow: 0, rows: '[0]' }])
  return operationId
}

/** Accounts with operations that have not ended, in id order. */
export async function accountsWithOperations(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from operation where ended_at is null${accountCondition(reader, 'and', accounts)} order by account_id`
  return rows.map((row) => row.account_id)
}

/** The next step of an operation. */
export interface Work {
  operationId: number
  kind: OperationKind
  isDryRun: boolean
  subjectId: number | null
  /** Trace of the request that asked for the operation; null if traces were off. */
  traceparent: string | null
  firstRow: number
  rows: string
}

/**
 * Locks the account's first operation of these kinds that has work left, with its next rows. Undefined if there
 * is none, or another worker has it: a later operation must not overtake it, because of two rows the one sent last has to win.
 */
export async function workLockNext(
  tx: Tx,
  accountId: number,
  kinds: readonly OperationKind[],
): Promise<Work | undefined> {
  const [operation] = await tx<Pick<Work, 'operationId' | 'kind' | 'isDryRun' | 'subjectId' | 'traceparent'>[]>`
    select operation_id as "operationId", kind, is_dry_run as "isDryRun", subject_id as "subjectId", traceparent from operation
    where account_id = ${accountId} and ended_at is null and state <> 'resolving' and operation_id = (
      select min(operation_id) from operation
      where account_id = ${accountId} and ended_at is null and state <> 'resolving' and kind = any(${[...kinds]}::text[]))
    for update skip locked`
  if (operation === undefined) return undefined
  const [chunk] = await tx<Pick<Work, 'firstRow' | 'rows'>[]>`
    select first_row as "firstRow", rows from operation_chunk
    where account_id = ${accountId} and operation_id = ${operation.operationId} order by first_row limit 1`
  return chunk === undefined ? undefined : { ...operation, ...chunk }
}

/** Deletes a processed chunk. @returns whether there are more. */
export async function chunkDelete(tx: Tx, accountId: number, { operationId, firstRow }: Work): Promise<boolean> {
  await tx`
    delete from operation_chunk
    where account_id = ${accountId} and operation_id = ${operationId} and first_row = ${firstRow}`
  const [row] = await tx<{ more: boolean }[]>`
    select exists (select from operation_chunk where account_id = ${accountId} and operation_id = ${operationId}) as more`
  return row?.more ?? false
}

/** Stores the new position of a deletion or preview, which is in its chunk in place of rows. */
export function placeMove(tx: Tx, accountId: number, { operationId, firstRow }: Work, rows: string) {
  return tx`
    update operation_chunk set rows = ${rows}
    where account_id = ${accountId} and operation_id = ${operationId} and first_row = ${firstRow}`
}

export async function chunksDelete(tx: Tx, accountId: number, operationId: number): Promise<void> {
  await tx`delete from operation_chunk where account_id = ${accountId} and operation_id = ${operationId}`
}

/** Numbers of processed rows or products to be added. */
export interface Counts {
  done: number
  changed: number
  unchanged: number
  failed: number
}

/** Adds to a locked operation's counts. */
export async function operationCount(tx: Tx, accountId: number, operationId: number, counts: Counts): Promise<void> {
  await tx`
    update operation set state = 'running', started_at = coalesce(started_at, (select now())), done = done + ${counts.done},
      changed = changed + ${counts.changed}, unchanged = unchanged + ${counts.unchanged}, failed = failed + ${counts.failed}
    where account_id = ${accountId} and operation_id = ${operationId}`
}

/** Moves a locked operation to `resolving`: everything is written, and products wait to be shelved. */
export async function operationResolve(
  tx: Tx,
  accountId: number,
  operationId: number,
  position: StalePosition,
): Promise<void> {
  await tx`
    update operation set state = 'resolving', mark_id = ${position.markId}, sweep_id = ${position.sweepId}
    where account_id = ${accountId} and operation_id = ${operationId}`
}

/** Ends a locked operation. */
export async function operationEnd(
  tx: Tx,
  accountId: number,
  operationId: number,
  state: 'succeeded' | 'failed' | 'canceled',
  message: string | null = null,
): Promise<void> {
  await tx`
    update operation set state = ${state}, message = ${message}, ended_at = now()
    where account_id = ${accountId} and operation_id = ${operationId}`
}

/** Ends operations whose products have all been shelved. @returns how many. */
export async function operationsSettle(tx: Tx, accountId: number): Promise<number> {
  const result = await tx`
    update operation o set state = 'succeeded', ended_at = now(), done = case when kind = 'resolve' then coalesce(total, done) else done end
    where o.account_id = ${accountId} and o.ended_at is null and o.state = 'resolving'
      and not exists (select from mark m where m.account_id = ${accountId} and m.mark_id <= o.mark_id)
      and o.sweep_id < coalesce((select min(sweep_id) from sweep where account_id = ${accountId}), ${Number.MAX_SAFE_INTEGER})`
  return result.count
}

/** Locks an operation, after any worker that has it; undefined if there is none. */
export async function operationLock(tx: Tx, accountId: number, operationId: number) {
  const [row] = await tx<{ kind: OperationKind; state: OperationState }[]>`
    select kind, state from operation where account_id = ${accountId} and operation_id = ${operationId} for update`
  return row
}

/** Stores the faults of refused rows, by row number. */
export async function errorsInsert(
  tx: Tx,
  accountId: number,
  operationId: number,
  errors: readonly { row: number; faults: readonly Fault[] }[],
): Promise<void> {
  await tx`
    insert into operation_error (account_id, operation_id, row_number, faults)
    select ${accountId}, ${operationId}, row_number, faults::jsonb from unnest(${errors.map((error) => error.row)}::int[],
      string_to_array(${jsonTexts(errors.map((error) => JSON.stringify(error.faults)))}, E'\\x1e')) as given (row_number, faults)`
}

/** Products that wait up to a position: all of the account if a sweep waits, otherwise the marked ones, counted up to LIMITS.bulkRowsMax. */
export async function waitingCount(reader: Reader, accountId: number, position: StalePosition): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select case when exists (select from sweep where account_id = ${accountId} and sweep_id <= ${position.sweepId})
      then (select count(*) from product where account_id = ${accountId} and deleted_at is null)
      else (select count(*) from (
        select from mark where account_id = ${accountId} and mark_id <= ${position.markId} limit ${LIMITS.bulkRowsMax}) waiting)
    end::int as count`
  return must(row).count
}

type StoredRow = OperationRow & { markId: number | null; sweepId: number | null }

const columns = (reader: Reader) => reader`
  operation_id as "operationId", kind, state, is_dry_run as "isDryRun", subject_id as "subjectId", total, done, changed, unchanged, failed,
  message, created_at as "createdAt", started_at as "startedAt", ended_at as "endedAt", mark_id as "markId", sweep_id as "sweepId"`

/** One operation; undefined if the id is unknown, or the operation was old and has been deleted. */
export async function operationGet(
  reader: Reader,
  accountId: number,
  operationId: number,
): Promise<OperationRow | undefined> {
  const rows = await reader<StoredRow[]>`
    select ${columns(reader)} from operation where account_id = ${accountId} and operation_id = ${operationId}`
  const [row] = await withProgress(reader, accountId, rows)
  return row
}

/** Operations before an id (null: from the newest), newest first. */
export async function operationsAfter(
  reader: Reader,
  accountId: number,
  beforeId: number | null,
  limit: number,
): Promise<OperationRow[]> {
  const rows = await reader<StoredRow[]>`
    select ${columns(reader)} from operation
    where account_id = ${accountId} and operation_id < ${beforeId ?? Number.MAX_SAFE_INTEGER}
    order by operation_id desc limit ${limit}`
  return withProgress(reader, accountId, rows)
}

/** Refused rows of an operation after a row number (-1: from the first), in order. */
export function operationErrors(
  reader: Reader,
  accountId: number,
  operationId: number,
  afterRow: number,
  limit: number,
) {
  const page = reader`
    select row_number as row, faults, ${keptLength(reader, 'faults')} as page_weight from operation_error
    where account_id = ${accountId} and operation_id = ${operationId} and row_number > ${afterRow}
    order by row_number limit ${limit}`
  return reader<({ row: number; faults: Fault[] } & Weighed)[]>`${withinWeight(reader, page, reader`"row"`)}`
}

/** Adds the progress of payloads, which is computed at each read and not stored. */
async function withProgress(reader: Reader, accountId: number, rows: readonly StoredRow[]): Promise<OperationRow[]> {
  const isFollowed = ({ kind, state }: Pick<StoredRow, 'kind' | 'state'>) => kind === 'resolve' && state === 'resolving'
  const followed = rows.flatMap((row) =>
    isFollowed(row) && row.markId !== null ? [{ operationId: row.operationId, markId: row.markId }] : [],
  )
  const waiting = followed.length === 0 ? undefined : await readWaiting(reader, accountId, followed)
  return rows.map(({ markId, sweepId, ...row }) =>
    waiting === undefined || !isFollowed(row) || markId === null || sweepId === null || row.total === null
      ? row
      : { ...row, done: progressOf(row.total, { operationId: row.operationId, sweepId }, waiting) },
  )
}

async function readWaiting(
  reader: Reader,
  accountId: number,
  followed: readonly { operationId: number; markId: number }[],
): Promise<Waiting> {
  const ordered = followed.toSorted((a, b) => a.markId - b.markId)
  const [ranges, sweeps, gaps] = await Promise.all([
    reader<{ first: number; last: number }[]>`
      select coalesce(min(product_id), 0) as first, coalesce(max(product_id), 0) as last from product where account_id = ${accountId}`,
    reader<Waiting['sweeps'][number][]>`
      select sweep_id as "sweepId", next_product_id as "nextProductId", end_product_id as "endProductId" from sweep
      where account_id = ${accountId}`,
    // one scan of the marks for all operations: counts the marks between each two positions
    reader<{ gap: number; count: number }[]>`
      select width_bucket(mark_id, ${ordered.map((row) => row.markId + 1)}::bigint[]) as gap, count(*)::int as count
      from (select mark_id from mark where account_id = ${accountId} limit ${LIMITS.bulkRowsMax}) waiting group by 1`,
  ])
  const upTo = (at: number) => gaps.reduce((sum, { gap, count }) => (gap <= at ? sum + count : sum), 0)
  return {
    range: single(ranges),
    sweeps,
    marks: new Map(ordered.map((row, at) => [row.operationId, upTo(at)])),
  }
}

/** Accounts with operations that ended more than this many days ago. */
export async function accountsWithOldOperations(
  reader: Reader,
  days: number,
  accounts: Accounts = null,
): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from operation
    where ended_at < now() - make_interval(days => ${days}) and ended_at is not null${accountCondition(reader, 'and', accounts)}
    order by account_id`
  return rows.map((row) => row.account_id)
}

/**
 * Deletes a batch of operations that ended more than this many days ago: first their errors, of which there may be many.
 * @returns whether there may be more.
 */
export async function operationsTrim(tx: Tx, accountId: number, days: number, limit: number): Promise<boolean> {
  const old = await tx<{ operation_id: number }[]>`
    select operation_id from operation
    where account_id = ${accountId} and ended_at < now() - make_interval(days => ${days}) and ended_at is not null
    order by ended_at limit ${limit} for update skip locked`
  const ids = old.map((row) => row.operation_id)
  if (ids.length === 0) return false
  const errors = await tx`
    delete from operation_error where account_id = ${accountId} and ctid = any(array(
      select ctid from operation_error where account_id = ${accountId} and operation_id = any(${ids}::bigint[]) limit ${limit}))`
  if (errors.count === limit) return true
  await tx`delete from operation where account_id = ${accountId} and operation_id = any(${ids}::bigint[])`
  return ids.length === limit
}
