import type { Reader, Tx } from '../../db/sql.ts'
import { must } from '../../platform/must.ts'

export interface RateRow {
  currency: string
  rate: string
}

/** All exchange rates of the account by currency. */
export function ratesList(reader: Reader, accountId: number) {
  return reader<RateRow[]>`
    select currency, trim_scale(rate)::text as rate from exchange_rate where account_id = ${accountId} order by currency`
}

/** Sets rates. @returns how many differ from what they were. */
export async function ratesUpsert(tx: Tx, accountId: number, rates: readonly RateRow[]): Promise<number> {
  const result = await tx`
    insert into exchange_rate (account_id, currency, rate)
    select ${accountId}, currency, rate
    from unnest(${rates.map((row) => row.currency)}::text[], ${rates.map((row) => row.rate)}::numeric[])
      as given (currency, rate)
    on conflict (account_id, currency) do update set rate = excluded.rate, set_at = excluded.set_at
    where exchange_rate.rate <> excluded.rate
    returning 1`
  // a rate that is set again to what it was is as new as one that is not
  await tx`
    update exchange_rate set set_at = (select now())
    where account_id = ${accountId} and currency = any(${rates.map((row) => row.currency)}::text[])`
  // not .count, which is on Citus the number of rows given
  return result.length
}

/** When each rate was last set; null: before that was noted. */
export function rateTimes(reader: Reader, accountId: number) {
  return reader<{ currency: string; setAt: Date | null }[]>`
    select currency, set_at as "setAt" from exchange_rate where account_id = ${accountId}`
}

export async function rateDelete(tx: Tx, accountId: number, currency: string): Promise<boolean> {
  const result = await tx`delete from exchange_rate where account_id = ${accountId} and currency = ${currency}`
  return result.count === 1
}

/** The account's currency. */
export async function accountCurrency(reader: Reader, accountId: number): Promise<string> {
  const [row] = await reader<{ currency: string }[]>`select currency from account where account_id = ${accountId}`
  return must(row).currency
}
