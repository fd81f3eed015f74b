import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { explainViolation } from '../../db/statements/violations.ts'
import type { Validators } from '../../outbound/conditional.ts'
import { now } from '../../platform/time/clock.ts'
import { must } from '../../platform/must.ts'

export type SourceKind = 'http' | 'sftp' | 'ftp' | 'directory' | 'upload'
export type SourceMode = 'full' | 'delta'
export type CredentialsKind = 'basic' | 'bearer' | 'header' | 'password' | 'key'

/** The stored members of a source that its owner sets. */
export interface SourceSettings {
  url: string | null
  path: string | null
  /** Sealed together with the origin that they are for. */
  credentials: string | null
  credentialsKind: CredentialsKind | null
  hostKey: string | null
  /** As it was given: a mapping, or {"preset": name, ...}. */
  mapping: Record<string, unknown>
  mode: SourceMode
  cron: string | null
  timeZone: string
  everyMinutes: number | null
  isActive: boolean
}

export interface SourceRow extends SourceSettings {
  sourceId: number
  supplierId: number
  name: string
  kind: SourceKind
  /** Raised when an edit changes which file is fetched, or how it is read. */
  version: number
  nextRunAt: Date | null
  lastRunAt: Date | null
  failures: number
  failedSince: Date | null
  failure: string | null
}

const columns = (reader: Reader) => reader`
  source_id as "sourceId", supplier_id as "supplierId", name, kind, url, path, credentials, credentials_kind as "credentialsKind",
  host_key as "hostKey", mapping, mode, cron, time_zone as "timeZone", every_minutes as "everyMinutes", is_active as "isActive", version,
  next_run_at as "nextRunAt", last_run_at as "lastRunAt", failures, failed_since as "failedSince", failure`

/** Sources of a supplier, by name. */
export function sourcesList(reader: Reader, accountId: number, supplierId: number) {
  return reader<SourceRow[]>`
    select ${columns(reader)} from supplier_source
    where account_id = ${accountId} and supplier_id = ${supplierId} order by name`
}

/** One source. No source has a name with NUL, which PostgreSQL does not allow in texts. */
export async function sourceNamed(
  reader: Reader,
  accountId: number,
  supplierId: number,
  name: string,
): Promise<SourceRow | undefined> {
  if (name.includes('\0')) return undefined
  const [row] = await reader<SourceRow[]>`
    select ${columns(reader)} from supplier_source
    where account_id = ${accountId} and supplier_id = ${supplierId} and name = ${name}`
  return row
}

/** The names of a supplier's sources, in order, without reading their mappings. */
export function sourceNamesOf(reader: Reader, accountId: number, supplierId: number) {
  return reader<{ sourceId: number; name: string }[]>`
    select source_id as "sourceId", name from supplier_source
    where account_id = ${accountId} and supplier_id = ${supplierId} order by name`
}

/**
 * The code of a supplier, and the name of one of its sources; undefined if the supplier is deleted. Two statements, because Citus refuses an outer
 * join of both by an id that may be null.
 */
export async function supplierAndSource(
  reader: Reader,
  accountId: number,
  supplierId: number,
  sourceId: number | null,
): Promise<{ code: string; sourceName: string | null } | undefined> {
  const [suppliers, sources] = await Promise.all([
    reader<{ code: string }[]>`
      select code from supplier where account_id = ${accountId} and supplier_id = ${supplierId} and deleted_at is null`,
    sourceId === null
      ? []
      : reader<{ name: string }[]>`
      select name from supplier_source
      where account_id = ${accountId} and supplier_id = ${supplierId} and source_id = ${sourceId}`,
  ])
  const [supplier] = suppliers
  return supplier === undefined ? undefined : { code: supplier.code, sourceName: sources[0]?.name ?? null }
}

/** The names of all sources of the account, with their ids. */
export function sourceNames(reader: Reader, accountId: number) {
  return reader<{ sourceId: number; name: string }[]>`
    select source_id as "sourceId", name from supplier_source where account_id = ${accountId}`
}

export async function sourcesCount(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ n: number }[]>`select count(*) as n from supplier_source where account_id = ${accountId}`
  return must(row).n
}

/** The present time of the database's clock, which all schedules follow. */
export async function clockNow(reader: Reader): Promise<Date> {
  const [row] = await reader<{ now: Date }[]>`select now()`
  return row?.now ?? now()
}

export async function sourceGet(reader: Reader, accountId: number, sourceId: number): Promise<SourceRow | undefined> {
  const [row] = await reader<SourceRow[]>`
    select ${columns(reader)} from supplier_source where account_id = ${accountId} and source_id = ${sourceId}`
  return row
}

/** Explains the violation of a constraint to the owner. */
const explained = (name: string) => (error: unknown) =>
  explainViolation(error, {
    supplier_source_name: `the supplier has a source "${name}" already`,
    supplier_source_full:
      'the supplier has an active full source already, and two would set each other’s offers to 0: make one of them delta or inactive, or give it a supplier of its own',
  })

/** @returns the source's id. @throws ShelfwireError conflict */
export async function sourceInsert(
  tx: Tx,
  accountId: number,
  source: SourceSettings & { supplierId: number; name: string; kind: SourceKind; nextRunAt: Date | null },
): Promise<number> {
  const [row] = await tx<{ source_id: number }[]>`
    insert into supplier_source (account_id, supplier_id, name, kind, url, path, credentials, credentials_kind, host_key, mapping, mode,
      cron, time_zone, every_minutes, is_active, next_run_at)
    values (${accountId}, ${source.supplierId}, ${source.name}, ${source.kind}, ${source.url}, ${source.path}, ${source.credentials},
      ${source.credentialsKind}, ${source.hostKey}, ${JSON.stringify(source.mapping)}::text::json, ${source.mode}, ${source.cron},
      ${source.timeZone}, ${source.everyMinutes}, ${source.isActive}, ${source.nextRunAt})
    returning source_id`.catch(explained(source.name))
  return must(row).source_id
}

/**
 * Sets the members that an owner sets, and when the source is fetched next. `isOther`: another file may be meant, or it is read in another way, so it
 * is fetched even if it has not changed.
 * @throws ShelfwireError conflict
 */
export async function sourceUpdate(
  tx: Tx,
  accountId: number,
  { sourceId, name }: { sourceId: number; name: string },
  source: SourceSettings & { nextRunAt: Date | null },
  isOther: boolean,
): Promise<void> {
  await tx`
    update supplier_source set url = ${source.url}, path = ${source.path}, credentials = ${source.credentials},
      credentials_kind = ${source.credentialsKind}, host_key = ${source.hostKey}, mapping = ${JSON.stringify(source.mapping)}::text::json,
      mode = ${source.mode}, cron = ${source.cron}, time_zone = ${source.timeZone}, every_minutes = ${source.everyMinutes},
      is_active = ${source.isActive}, next_run_at = ${source.nextRunAt}, scheduled_at = now(),
      version = case when ${isOther} then version + 1 else version end,
      etag = case when ${isOther} then null else etag end,
      last_modified = case when ${isOther} then null else last_modified end
    where account_id = ${accountId} and source_id = ${sourceId}`.catch(explained(name))
}

export async function sourceDelete(tx: Tx, accountId: number, sourceId: number): Promise<void> {
  await tx`delete from supplier_source where account_id = ${accountId} and source_id = ${sourceId}`
}

/** Deletes a supplier's sources. */
export async function sourcesForgetSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await tx`delete from supplier_source where account_id = ${accountId} and supplier_id = ${supplierId}`
}

/** Stores the key of the first contact. @returns false if there is one already, or the source was edited meanwhile. */
export async function hostKeyPin(
  tx: Tx,
  accountId: number,
  { sourceId, version }: { sourceId: number; version: number },
  hostKey: string,
): Promise<boolean> {
  const result = await tx`
    update supplier_source set host_key = ${hostKey}
    where account_id = ${accountId} and source_id = ${sourceId} and version = ${version} and host_key is null`
  return result.count === 1
}

/** The validators that a server sent with the file that was imported last. */
export async function validatorsGet(reader: Reader, accountId: number, sourceId: number): Promise<Validators> {
  const [row] = await reader<Validators[]>`
    select etag, last_modified as "lastModified" from supplier_source
    where account_id = ${accountId} and source_id = ${sourceId}`
  return row ?? { etag: null, lastModified: null }
}

/**
 * Whether the newest import of a supplier, undos aside, came from this source: only then does "unchanged" from its server mean that the offers are up
 * to date.
 */
export async function isNewestOfSource(
  reader: Reader,
  accountId: number,
  supplierId: number,
  sourceId: number,
): Promise<boolean> {
  const [row] = await reader<{ sourceId: number | null }[]>`
    select source_id as "sourceId" from import_run
    where account_id = ${accountId} and supplier_id = ${supplierId} and has_written and trigger <> 'undo'
    order by run_id desc limit 1`
  return row?.sourceId === sourceId
}

/**
 * Accounts with sources that are due, with failures of which owners must be notified, or with schedules that were computed in the future by a clock
 * that was set back since.
 */
export async function accountsWithDueSources(
  reader: Reader,
  clockBackMs: number,
  accounts: Accounts = null,
): Promise<number[]> {
  const rows = await reader<{ accountId: number }[]>`
    select account_id as "accountId" from (
      select account_id, next_run_at as at from supplier_source
      where next_run_at <= now()${accountCondition(reader, 'and', accounts)}
      union all
      select account_id, tell_at from supplier_source where tell_at <= now()${accountCondition(reader, 'and', accounts)}
      union all
      select account_id, scheduled_at from supplier_source
      where next_run_at is not null and scheduled_at > now() + make_interval(secs => ${clockBackMs / 1_000})${accountCondition(reader, 'and', accounts)}
    ) due
    group by account_id order by min(at), account_id`
  return rows.map((row) => row.accountId)
}

export interface DueSource extends SourceRow {
  now: Date
  /** Whether it must be run; if not, only its schedule is computed again, because the clock was set back. */
  isDue: boolean
}

/** Locks due sources, those that have waited longest first; skips sources that another process has locked. */
export function sourcesLockDue(tx: Tx, accountId: number, clockBackMs: number, limit: number) {
  return tx<DueSource[]>`
    select ${columns(tx)}, now() as now, scheduled_at <= now() + make_interval(secs => ${clockBackMs / 1_000}) as "isDue"
    from supplier_source
    where account_id = ${accountId} and (next_run_at <= now()
      or (next_run_at is not null and scheduled_at > now() + make_interval(secs => ${clockBackMs / 1_000})))
    order by next_run_at, source_id limit ${limit} for update skip locked`
}

/** Records when a locked source is run next. `ranAt`: when a run of it was requested just now; null: none was. */
export async function sourceSchedule(
  tx: Tx,
  accountId: number,
  sourceId: number,
  nextRunAt: Date | null,
  ranAt: Date | null,
): Promise<void> {
  await tx`
    update supplier_source set next_run_at = ${nextRunAt}, scheduled_at = now(), last_run_at = coalesce(${ranAt}, last_run_at)
    where account_id = ${accountId} and source_id = ${sourceId}`
}

/** Records that a run was requested, and deletes the validators, so that the server sends the file even if it is unchanged. */
export async function sourceRunRequested(tx: Tx, accountId: number, sourceId: number): Promise<void> {
  await tx`
    update supplier_source set last_run_at = now(), etag = null, last_modified = null
    where account_id = ${accountId} and source_id = ${sourceId}`
}

/** A source, with the state of its notices. */
export interface EndedSource extends SourceRow {
  told: 'source_failing' | 'source_held' | null
  tellAt: Date | null
  now: Date
}

const endedColumns = (tx: Tx) => tx`${columns(tx)}, told, tell_at as "tellAt", now() as now`

/** Locks a source to the end of the transaction. */
export async function sourceLock(tx: Tx, accountId: number, sourceId: number): Promise<EndedSource | undefined> {
  const [row] = await tx<EndedSource[]>`
    select ${endedColumns(tx)} from supplier_source
    where account_id = ${accountId} and source_id = ${sourceId} for update`
  return row
}

/** Locks sources that have failed for so long that owners must be notified of it. */
export function sourcesLockForNotice(tx: Tx, accountId: number, limit: number) {
  return tx<EndedSource[]>`
    select ${endedColumns(tx)} from supplier_source
    where account_id = ${accountId} and tell_at <= now() order by tell_at, source_id limit ${limit}
    for update skip locked`
}

/** The health of a source after a run. */
export interface SourceHealth {
  nextRunAt: Date | null
  failures: number
  failedSince: Date | null
  failure: string | null
  tellAt: Date | null
  told: EndedSource['told']
}

export async function sourceHealthSet(
  tx: Tx,
  accountId: number,
  sourceId: number,
  health: SourceHealth,
): Promise<void> {
  await tx`
    update supplier_source set next_run_at = ${health.nextRunAt}, scheduled_at = now(), failures = ${health.failures},
      failed_since = ${health.failedSince}, failure = ${health.failure}, tell_at = ${health.tellAt}, told = ${health.told}
    where account_id = ${accountId} and source_id = ${sourceId}`
}

export async function sourceValidatorsSet(
  tx: Tx,
  accountId: number,
  sourceId: number,
  { etag, lastModified }: Validators,
): Promise<void> {
  await tx`
    update supplier_source set etag = ${etag}, last_modified = ${lastModified}
    where account_id = ${accountId} and source_id = ${sourceId}`
}
