import type { Reader, Tx } from '../../../db/sql.ts'
import { must } from '../../../platform/must.ts'

export interface RateRow {
  currency: string
  rate: string
}

/** A rate with its origin. Days are `YYYY-MM-DD`. */
interface StoredRate extends RateRow {
  /** The day of the European Central Bank's rate; null: the rate was set by hand. */
  bankDay: string | null
  /** The newest day of the bank's rates with which it was compared. */
  bankSeenDay: string | null
  /** The bank's rate of that day, if it differs too much to be taken over automatically; else null. */
  heldRate: string | null
}

/** All exchange rates of the account by currency. */
export function ratesList(reader: Reader, accountId: number) {
  return reader<StoredRate[]>`
    select currency, trim_scale(rate)::text as rate, bank_day::text as "bankDay", bank_seen_day::text as "bankSeenDay",
      trim_scale(held_rate)::text as "heldRate"
    from exchange_rate where account_id = ${accountId} order by currency`
}

/** Sets rates. @returns how many of them changed. */
export async function ratesUpsert(tx: Tx, accountId: number, rates: readonly RateRow[]): Promise<number> {
  const result = await tx`
    insert into exchange_rate (account_id, currency, rate)
    select ${accountId}, currency, rate
    from unnest(${rates.map((row) => row.currency)}::text[], ${rates.map((row) => row.rate)}::numeric[])
      as given (currency, rate)
    on conflict (account_id, currency) do update set rate = excluded.rate, set_at = excluded.set_at
    where exchange_rate.rate <> excluded.rate
    returning 1`
  // a rate that is set to its old value counts as set now, too; one that is set to the bank's held rate becomes the bank's
  await tx`
    update exchange_rate set set_at = (select now()), bank_day = case when held_rate = rate then bank_seen_day end, held_rate = null
    where account_id = ${accountId} and currency = any(${rates.map((row) => row.currency)}::text[])`
  // not .count, which is on Citus the number of rows given
  return result.length
}

/** The result of comparing a rate with the bank's: `taken` is written, `held` waits for the owner; if both are null, the rate stays. */
export interface ComparedRate {
  currency: string
  taken: string | null
  held: string | null
}

/** Writes the results of comparing rates with the bank's of a day. */
export async function ratesCompared(
  tx: Tx,
  accountId: number,
  day: string,
  compared: readonly ComparedRate[],
): Promise<void> {
  await tx`
    update exchange_rate r set rate = coalesce(g.taken, r.rate), held_rate = g.held, bank_seen_day = ${day}::text::date,
      bank_day = coalesce(g.bank_day, r.bank_day)
    from unnest(${compared.map((row) => row.currency)}::text[], ${compared.map((row) => row.taken)}::numeric[],
      ${compared.map((row) => row.held)}::numeric[], ${compared.map((row) => (row.taken === null ? null : day))}::date[])
      as g (currency, taken, held, bank_day)
    where r.account_id = ${accountId} and r.currency = g.currency`
  const taken = compared.flatMap((row) => (row.taken === null ? [] : [row.currency]))
  // in a statement of its own: Citus allows no time-dependent function in a condition
  if (taken.length > 0)
    await tx`
      update exchange_rate set set_at = (select now())
      where account_id = ${accountId} and currency = any(${taken}::text[])`
}

/** Makes the next run of the loop compare all rates with the bank's, and deletes held rates. */
export async function ratesCompareAgain(tx: Tx, accountId: number): Promise<void> {
  await tx`
    update exchange_rate set bank_seen_day = null, held_rate = null
    where account_id = ${accountId} and (bank_seen_day is not null or held_rate is not null)`
}

/** When each rate was last set; null: before this was recorded. */
export function rateTimes(reader: Reader, accountId: number) {
  return reader<{ currency: string; setAt: Date | null }[]>`
    select currency, set_at as "setAt" from exchange_rate where account_id = ${accountId}`
}

export async function rateDelete(tx: Tx, accountId: number, currency: string): Promise<boolean> {
  const result = await tx`delete from exchange_rate where account_id = ${accountId} and currency = ${currency}`
  return result.count === 1
}

export async function accountCurrency(reader: Reader, accountId: number): Promise<string> {
  const [row] = await reader<{ currency: string }[]>`select currency from account where account_id = ${accountId}`
  return must(row).currency
}
