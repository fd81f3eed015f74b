import type { Reader, Tx } from '../../db/sql.ts'

export interface RateRow {
  currency: string
  rate: string
}

/** All exchange rates of the account by currency. */
export function ratesList(reader: Reader, accountId: number) {
  return reader<RateRow[]>`
    select currency, trim_scale(rate)::text as rate from exchange_rate where account_id = ${accountId} order by currency`
}

export async function ratesUpsert(tx: Tx, accountId: number, rates: readonly RateRow[]): Promise<number> {
  const result = await tx`
    insert into exchange_rate (account_id, currency, rate)
    select ${accountId}, currency, rate
    from unnest(${rates.map((row) => row.currency)}::text[], ${rates.map((row) => row.rate)}::numeric[])
      as given (currency, rate)
    on conflict (account_id, currency) do update set rate = excluded.rate
    where exchange_rate.rate <> excluded.rate
    returning 1`
  // not .count, which is on Citus the number of rows given
  return result.length
}

export async function rateDelete(tx: Tx, accountId: number, currency: string): Promise<boolean> {
  const result = await tx`delete from exchange_rate where account_id = ${accountId} and currency = ${currency}`
  return result.count === 1
}

/** The account's currency. */
export async function accountCurrency(reader: Reader, accountId: number): Promise<string> {
  const [row] = await reader<{ currency: string }[]>`select currency from account where account_id = ${accountId}`
  return row?.currency ?? ''
}
