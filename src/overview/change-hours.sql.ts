import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

// The account's change number at the end of each hour. The change log has only the latest change of a product, so earlier hours
// cannot be counted from it.

/** Accounts with changes since a time, after this id, for walking through all of them in parts. */
export async function accountsChangedSince(reader: Reader, since: Date, afterId: number, limit: number) {
  const rows = await reader<{ account_id: number }[]>`
    select account_id from change_counter where last_at >= ${since} and account_id > ${afterId}
    order by account_id limit ${limit}`
  return rows.map((row) => row.account_id)
}

/**
 * Stores the account's change number for the present hour. Numbers only grow, so several processes may do so at the same time.
 */
export function changeHourNote(tx: Tx, accountId: number) {
  return tx`
    insert into change_hour (account_id, hour, last_id)
    select ${accountId}, date_trunc('hour', c.last_at, 'UTC'), c.last_id from change_counter c where c.account_id = ${accountId}
    on conflict (account_id, hour) do update set last_id = greatest(change_hour.last_id, excluded.last_id)`
}

/** Deletes an account's hours that are older than LIMITS.changeHourDaysMax. */
export function changeHoursTrim(tx: Tx, accountId: number) {
  return tx`
    delete from change_hour
    where account_id = ${accountId} and hour < now() - make_interval(days => ${LIMITS.changeHourDaysMax})`
}

/** Hours of an account since a time, and the last one before it. */
export function changeHoursList(reader: Reader, accountId: number, since: Date) {
  return reader<{ hour: Date; lastId: number }[]>`
    select hour, last_id as "lastId" from (
      (select hour, last_id from change_hour where account_id = ${accountId} and hour < ${since} order by hour desc limit 1)
      union all
      (select hour, last_id from change_hour where account_id = ${accountId} and hour >= ${since})
    ) found order by hour`
}

/** When an account was created, at which time its change number was 0. */
export async function accountCreatedAt(reader: Reader, accountId: number): Promise<Date | undefined> {
  const [row] = await reader<{ createdAt: Date }[]>`
    select created_at as "createdAt" from account where account_id = ${accountId}`
  return row?.createdAt
}
