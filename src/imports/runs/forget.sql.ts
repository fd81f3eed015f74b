import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../../db/sql.ts'

// Deletes what is no longer kept: old files, old runs, and the runs of deleted suppliers.

/** Accounts with files of runs that ended this many days ago. */
export async function accountsWithOldFiles(reader: Reader, days: number, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from import_run
    where ended_at < now() - make_interval(days => ${days}) and ended_at is not null
      and (file_key is not null or refusals_key is not null)${accountCondition(reader, 'and', accounts)}
    order by account_id`
  return rows.map((row) => row.account_id)
}

/**
 * Removes the names of files from runs that ended this many days ago. @returns the keys of the files, for at most `limit` runs; with fewer there are
 * no more.
 */
export async function filesForget(
  tx: Tx,
  accountId: number,
  days: number,
  limit: number,
): Promise<{ fileKey: string | null; refusalsKey: string | null }[]> {
  const old = await tx<{ runId: number; fileKey: string | null; refusalsKey: string | null }[]>`
    select run_id as "runId", file_key as "fileKey", refusals_key as "refusalsKey" from import_run
    where account_id = ${accountId} and ended_at < now() - make_interval(days => ${days}) and ended_at is not null
      and (file_key is not null or refusals_key is not null)
    order by ended_at limit ${limit} for update skip locked`
  if (old.length > 0)
    await tx`
      update import_run set file_key = null, refusals_key = null
      where account_id = ${accountId} and run_id = any(${old.map((row) => row.runId)}::bigint[])`
  return old
}

/** The files among these that no run of the account names. */
export async function filesUnnamed(reader: Reader, accountId: number, keys: readonly string[]): Promise<string[]> {
  const rows = await reader<{ key: string }[]>`
    select key from unnest(${[...keys]}::text[]) as given (key)
    where key not in (select file_key from import_run
        where account_id = ${accountId} and (file_key is not null or refusals_key is not null) and file_key is not null)
      and key not in (select refusals_key from import_run
        where account_id = ${accountId} and (file_key is not null or refusals_key is not null) and refusals_key is not null)`
  return rows.map((row) => row.key)
}

/** Accounts with runs that ended this many days ago. */
export async function accountsWithOldRuns(reader: Reader, days: number, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from import_run
    where ended_at < now() - make_interval(days => ${days}) and ended_at is not null${accountCondition(reader, 'and', accounts)}
    order by account_id`
  return rows.map((row) => row.account_id)
}

/**
 * Deletes a batch of what belongs to runs that ended this many days ago: first their changes, which may be many. The last full run of a supplier that
 * can be undone is kept. @returns whether there may be more.
 */
export async function runsForget(tx: Tx, accountId: number, days: number, limit: number): Promise<boolean> {
  const old = await tx<{ runId: number }[]>`
    select run_id as "runId" from import_run r
    where r.account_id = ${accountId} and r.ended_at < now() - make_interval(days => ${days}) and r.ended_at is not null
      and not (r.has_written and r.mode = 'full' and r.trigger <> 'undo' and r.undone_by_run_id is null and not exists (
        select from import_run n
        where n.account_id = ${accountId} and n.supplier_id = r.supplier_id and n.has_written and n.run_id > r.run_id
          and n.mode = 'full' and n.trigger <> 'undo' and n.undone_by_run_id is null))
    order by r.ended_at limit ${limit} for update skip locked`
  return runsDelete(
    tx,
    accountId,
    old.map((row) => row.runId),
    limit,
  )
}

/** Deletes a batch of what belongs to the runs of a deleted supplier. @returns whether there may be more. */
export async function runsOfSupplierDelete(
  tx: Tx,
  accountId: number,
  supplierId: number,
  limit: number,
): Promise<boolean> {
  const runs = await tx<{ runId: number }[]>`
    select run_id as "runId" from import_run
    where account_id = ${accountId} and supplier_id = ${supplierId} order by run_id limit ${limit} for update`
  if (runs.length > 0)
    return runsDelete(
      tx,
      accountId,
      runs.map((row) => row.runId),
      limit,
    )
  await tx`delete from import_lease where account_id = ${accountId} and supplier_id = ${supplierId} and expires_at < now()`
  return false
}

/** Deletes up to `limit` changes of locked runs; the runs themselves once no changes are left. @returns whether there may be more. */
async function runsDelete(tx: Tx, accountId: number, runIds: readonly number[], limit: number): Promise<boolean> {
  if (runIds.length === 0) return false
  const changes = await tx`
    delete from import_run_change where account_id = ${accountId} and ctid = any(array(
      select ctid from import_run_change where account_id = ${accountId} and run_id = any(${[...runIds]}::bigint[]) limit ${limit}))`
  if (changes.count === limit) return true
  await tx`delete from import_run where account_id = ${accountId} and run_id = any(${[...runIds]}::bigint[])`
  return runIds.length === limit
}

/** Cancels the runs of a supplier that is being deleted, whatever their state. */
export async function runsOfSupplierCancel(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await tx`
    update import_run set state = 'canceled', ended_at = now(), holder_id = null
    where account_id = ${accountId} and supplier_id = ${supplierId} and ended_at is null`
}
