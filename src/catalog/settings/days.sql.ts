import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { must } from '../../platform/must.ts'

// Shared inputs of an account that its owner does not set: the day as of which it is resolved, and the resolver. They
// are written like any other input, with a sweep in the same transaction, so that the same guarantees apply.

/** Creates the account's row, for the present day in its time zone. */
export async function accountInputsInsert(tx: Tx, accountId: number, resolver: number): Promise<void> {
  await tx`
    insert into account_inputs (account_id, day, ends_at, resolver)
    select account_id, today, (today + 1)::timestamp at time zone time_zone, ${resolver}
    from (select account_id, time_zone, (clock_timestamp() at time zone time_zone)::date as today
      from account where account_id = ${accountId}) a`.catch(explainTimeZone)
}

/** Explains a time zone that this runtime knows and the server does not, because their time zone data differ. */
function explainTimeZone(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '22023') {
    throw new ShelfwireError('invalid-input', `the database does not know the time zone: ${error.message}`, {
      cause: error,
    })
  }
  throw error
}

/** Accounts whose day is over, or that have not been swept for this resolver yet. */
export async function accountsDueForSweep(
  reader: Reader,
  resolver: number,
  limit: number,
  accounts: Accounts = null,
): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select account_id from account_inputs where ends_at <= now()${accountCondition(reader, 'and', accounts)}
    union
    select account_id from account_inputs where resolver < ${resolver}${accountCondition(reader, 'and', accounts)}
    limit ${limit}`
  return rows.map((row) => row.account_id)
}

/** The account's day, `YYYY-MM-DD`. */
export async function accountDay(reader: Reader, accountId: number): Promise<string> {
  const [row] = await reader<{ day: string }[]>`
    select day::text as day from account_inputs where account_id = ${accountId}`
  return must(row).day
}

export interface AccountTime {
  day: string
  /** The present day by the clock, in the account's time zone; never before `day`. */
  today: string
  resolver: number
}

/** Locks the account's day and reads it with the present day. If the clock was set back, the day does not go back with it. */
export async function accountTimeLock(tx: Tx, accountId: number): Promise<AccountTime | undefined> {
  await tx`select from account_inputs where account_id = ${accountId} for no key update`
  // in a later statement: the locking one may have waited for an edit of the time zone and would still see the old one
  const [row] = await tx<AccountTime[]>`
    select i.day::text as day, greatest(i.day, (clock_timestamp() at time zone a.time_zone)::date)::text as today, i.resolver
    from account_inputs i join account a on a.account_id = ${accountId}
    where i.account_id = ${accountId}`.catch(explainTimeZone)
  return row
}

/**
 * Sets the account's day after an edit of the time zone: the present day there, which may be an earlier one. The clock may have been set back, so the
 * moment at which the account's day began in the old zone counts as well: it was reached, whatever the clock says now.
 * @param before the time zone in which the day was stored.
 */
export async function accountDayMove(tx: Tx, accountId: number, before: string): Promise<void> {
  const [present] = await tx<{ day: string; endsAt: Date }[]>`
    select day::text as day, (day + 1)::timestamp at time zone time_zone as "endsAt"
    from (select (greatest(clock_timestamp(), known.day::timestamp at time zone ${before}) at time zone a.time_zone)::date as day,
        a.time_zone
      from account_inputs known join account a on a.account_id = ${accountId}
      where known.account_id = ${accountId} offset 0) present`.catch(explainTimeZone)
  if (present === undefined) return
  await tx`
    update account_inputs set day = ${present.day}::text::date, ends_at = ${present.endsAt} where account_id = ${accountId}`
}

/** Sets the day and the resolver of an account. */
export async function accountTimeUpdate(tx: Tx, accountId: number, day: string, resolver: number): Promise<void> {
  const [end] = await tx<{ at: Date }[]>`
    select (${day}::text::date + 1)::timestamp at time zone time_zone as at from account where account_id = ${accountId}`
  if (end === undefined) return
  await tx`
    update account_inputs set day = ${day}::text::date, ends_at = ${end.at}, resolver = ${resolver}
    where account_id = ${accountId}`
}
