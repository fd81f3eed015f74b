import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'

// What of an account's shared inputs is not set by its owner: the day as of which it is resolved, and the resolver. Time
// is written like any other input: with a sweep, in one transaction, so that what holds for writers holds for it.

/** Opens the account's row, at the day that it is now in its time zone. */
export async function accountInputsInsert(tx: Tx, accountId: number, resolver: number): Promise<void> {
  await tx`
    insert into account_inputs (account_id, day, ends_at, resolver)
    select account_id, today, (today + 1)::timestamp at time zone time_zone, ${resolver}
    from (select account_id, time_zone, (clock_timestamp() at time zone time_zone)::date as today
      from account where account_id = ${accountId}) a`.catch(explainTimeZone)
}

/** A zone that this runtime knows and the server does not: one of the two has older tables. */
function explainTimeZone(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '22023') {
    throw new ShelfwireError('invalid-input', `the database does not know the time zone: ${error.message}`, {
      cause: error,
    })
  }
  throw error
}

/** Accounts whose day is over, or that no sweep has brought to this resolver yet. */
export async function accountsBehind(reader: Reader, resolver: number, limit: number): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select account_id from account_inputs where ends_at <= now()
    union
    select account_id from account_inputs where resolver < ${resolver}
    limit ${limit}`
  return rows.map((row) => row.account_id)
}

export interface AccountTime {
  day: string
  /** What the day is by the clock now, in the account's time zone; never before `day`. */
  today: string
  resolver: number
}

/** The account's day, locked, and the day that it is now: a clock that steps back does not bring yesterday back. */
export async function accountTimeLock(tx: Tx, accountId: number): Promise<AccountTime | undefined> {
  const [row] = await tx<AccountTime[]>`
    select i.day::text as day, greatest(i.day, (clock_timestamp() at time zone a.time_zone)::date)::text as today, i.resolver
    from account_inputs i join account a on a.account_id = ${accountId}
    where i.account_id = ${accountId} for no key update of i`.catch(explainTimeZone)
  return row
}

/** Moves the account to a day and a resolver. */
export async function accountTimeUpdate(tx: Tx, accountId: number, day: string, resolver: number): Promise<void> {
  await tx`
    update account_inputs i set day = ${day}::text::date,
      ends_at = (${day}::text::date + 1)::timestamp at time zone a.time_zone, resolver = ${resolver}
    from account a where i.account_id = ${accountId} and a.account_id = ${accountId}`
}
