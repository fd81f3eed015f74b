import type { Reader, Tx } from '../../db/sql.ts'
import { single } from '../../platform/must.ts'

// Dates the demo back. Everything in the demo is written by the service's own functions, now; these statements then set earlier times, because charts
// of an account that began a minute ago are empty. No payload and no change number is touched:
// docs/decisions/188-the-demo-says-afterwards-that-it-was-earlier.md.

/** Dates all changes and prices so far to `at`, and the account to the day before. Only before anybody has read the account. */
export async function beginAt(tx: Tx, accountId: number, at: Date, dayBefore: Date): Promise<void> {
  await tx`update account set created_at = ${dayBefore} where account_id = ${accountId}`
  await tx`update change set changed_at = ${at} where account_id = ${accountId}`
  await tx`update price_history set from_at = ${at} where account_id = ${accountId}`
  await tx`delete from change_hour where account_id = ${accountId}`
  await noteHour(tx, accountId, at)
}

/** Records that all changes so far had been made by the hour of `at`. */
export function noteHour(tx: Tx, accountId: number, at: Date) {
  return tx`
    insert into change_hour (account_id, hour, last_id)
    select ${accountId}, date_trunc('hour', ${at}::timestamptz, 'UTC'), c.last_id from change_counter c where c.account_id = ${accountId}
    on conflict (account_id, hour) do update set last_id = greatest(change_hour.last_id, excluded.last_id)`
}

/** Dates a run, and the deliveries after a number, to `at`. @returns the number of the newest delivery */
export async function backdateRun(
  tx: Tx,
  accountId: number,
  { runId, endpointId, afterNumber, at }: { runId: number; endpointId: number; afterNumber: number; at: Date },
): Promise<number> {
  await tx`
    update import_run set created_at = ${at}, started_at = ${at}, ended_at = ${at}
    where account_id = ${accountId} and run_id = ${runId} and ended_at is not null`
  await tx`
    update attempt set began_at = ${at}
    where account_id = ${accountId} and endpoint_id = ${endpointId} and delivery_id in (
      select delivery_id from delivery
      where account_id = ${accountId} and endpoint_id = ${endpointId} and number > ${afterNumber}
    )`
  await tx`
    update delivery set created_at = ${at}
    where account_id = ${accountId} and endpoint_id = ${endpointId} and number > ${afterNumber}`
  return await newestDelivery(tx, accountId, endpointId)
}

/** The number of the newest delivery of an endpoint; 0 if there is none. */
export async function newestDelivery(reader: Reader, accountId: number, endpointId: number): Promise<number> {
  const rows = await reader<{ number: number }[]>`
    select coalesce(max(number), 0)::bigint as number from delivery
    where account_id = ${accountId} and endpoint_id = ${endpointId}`
  return single(rows).number
}

/** Counts this many recent changes to the first hour of the account, by raising the last change number of every recorded hour. */
export async function countToBeginning(tx: Tx, accountId: number, changes: number): Promise<void> {
  await tx`update change_hour set last_id = last_id + ${changes} where account_id = ${accountId}`
  // but not above the newest change
  await tx`
    update change_hour set last_id = least(change_hour.last_id, c.last_id) from change_counter c
    where change_hour.account_id = ${accountId} and c.account_id = ${accountId}`
}
