import { accountCondition, type Accounts } from '../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../db/sql.ts'
import type { BankFailureKind } from './failure.ts'
import type { BankRates } from './read-file.ts'

/** Whether any account uses the bank's rates. */
export async function isBankWanted(reader: Reader): Promise<boolean> {
  const rows = await reader`select 1 as there from account where rates_from = 'ecb' and suspended_at is null limit 1`
  return rows.length > 0
}

/** The newest known rates, including the euro; null: there are none. */
export async function newestBankRates(reader: Reader): Promise<BankRates | null> {
  const rows = await reader<{ day: string; currency: string; rate: string }[]>`
    select day::text as day, currency, trim_scale(rate)::text as rate from bank_rate
    where day = (select max(day) from bank_rate)`
  const [first] = rows
  return first === undefined
    ? null
    : { day: first.day, rates: new Map([['EUR', '1'], ...rows.map((row) => [row.currency, row.rate] as const)]) }
}

/** The day of the newest known rates, `YYYY-MM-DD`; null: there are none. */
export async function newestBankDay(reader: Reader): Promise<string | null> {
  const rows = await reader<{ day: string | null }[]>`select max(day)::text as day from bank_rate`
  return rows[0]?.day ?? null
}

/**
 * Claims the next request to the bank. Of several processes, one gets the claim; the next is possible after `restMs`, even if that process dies. An
 * asked_at further in the future comes from a clock that was set back; one slightly ahead comes from a transaction that began later and claimed
 * first.
 */
export async function bankFetchClaim(tx: Tx, restMs: number): Promise<boolean> {
  const rows = await tx`
    insert into bank_rate_fetch as f (asked_at) values (now())
    on conflict (bank_rate_fetch_key) do update set asked_at = excluded.asked_at
      where f.asked_at <= excluded.asked_at - make_interval(secs => ${restMs / 1_000})
        or f.asked_at > excluded.asked_at + make_interval(secs => ${restMs / 1_000})
    returning 1 as claimed`
  return rows.length > 0
}

/** Stores a day's rates, except those that are known already, and deletes those that are more than `daysMax` days older. */
export async function bankRatesStore(tx: Tx, { day, rates }: BankRates, daysMax: number): Promise<void> {
  const stated = [...rates].filter(([currency]) => currency !== 'EUR')
  await tx`
    insert into bank_rate (day, currency, rate)
    select ${day}::text::date, currency, rate
    from unnest(${stated.map(([currency]) => currency)}::text[], ${stated.map(([, rate]) => rate)}::numeric[]) as g (currency, rate)
    on conflict (day, currency) do nothing`
  await tx`delete from bank_rate where day < ${day}::text::date - ${daysMax}::int`
  await tx`update bank_rate_fetch set answered_at = (select now()), failed_since = null, failure = null, failure_kind = null`
}

/** @param kind null: the failure was not the bank's. @param failure text for the operator; accounts only see the kind */
export async function bankFetchFailed(tx: Tx, kind: BankFailureKind | null, failure: string): Promise<void> {
  await tx`
    update bank_rate_fetch set answered_at = (select now()), failed_since = coalesce(failed_since, (select now())),
      failure = ${failure}, failure_kind = ${kind}`
}

/** The result of the last request to the bank, by whichever process. */
export interface LastBankRequest {
  askedAt: Date
  /** null: there is no result yet. */
  answeredAt: Date | null
  /** Since when requests have failed; null: the last answered one brought rates. */
  failingSince: Date | null
  /** null if requests do not fail, the failure was not the bank's, or a process of an earlier release sent the request. */
  failureKind: BankFailureKind | null
}

/** null: the bank was never asked. */
export async function lastBankRequest(reader: Reader): Promise<LastBankRequest | null> {
  const rows = await reader<LastBankRequest[]>`
    select asked_at as "askedAt", case when answered_at >= asked_at then answered_at end as "answeredAt",
      failed_since as "failingSince", failure_kind as "failureKind"
    from bank_rate_fetch`
  return rows[0] ?? null
}

/** For how many seconds requests to the bank have failed; 0: they work. null: no account uses its rates. */
export async function bankFailingSeconds(reader: Reader): Promise<number | null> {
  if (!(await isBankWanted(reader))) return null
  const rows = await reader<{ seconds: number }[]>`
    select extract(epoch from now() - failed_since)::float8 as seconds from bank_rate_fetch where failed_since is not null`
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Accounts with rates that have not been compared with those of this day, by id. */
export async function accountsToCompare(
  reader: Reader,
  { day, rates }: BankRates,
  limit: number,
  accounts: Accounts,
): Promise<number[]> {
  const known = [...rates.keys()]
  const rows = await reader<{ accountId: number }[]>`
    select distinct r.account_id as "accountId"
    from exchange_rate r join account a on a.account_id = r.account_id
    where a.rates_from = 'ecb' and a.suspended_at is null and a.currency = any(${known}::text[]) and r.currency = any(${known}::text[])
      and (r.bank_seen_day is null or r.bank_seen_day < ${day}::text::date)${accountCondition(reader, 'and', accounts, 'r')}
    order by 1 limit ${limit}`
  return rows.map((row) => row.accountId)
}
