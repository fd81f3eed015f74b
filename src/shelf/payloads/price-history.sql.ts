import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { now } from '../../platform/time/clock.ts'

/** The prices of a product in a store from the time of writing. */
export interface HistoryRow {
  storeId: number
  productId: number
  /** As `shownPrices` writes them; null: the store no longer lists the product. */
  shown: string | null
}

const DAY_MS = 86_400_000
/** Expired history of each product is deleted on one day in 16. */
const TRIM_DAYS = 16

/** Whether this is the day on which the product's expired history is deleted. */
export function isDueForTrimming(productId: number, now: Date): boolean {
  return (productId + Math.floor(now.getTime() / DAY_MS)) % TRIM_DAYS === 0
}

/**
 * A statement that appends to the history of locked products and deletes their expired rows, whose successor is older
 * than LIMITS.priceHistoryDaysMax. Rows are deleted here because the index pages are written anyway; a separate job
 * would scan the whole table. Only products due on this day are trimmed, at most LIMITS.priceHistoryDeletedPerKey rows
 * each: trimming all every time would add a tenth to a price sweep. A product whose prices do not change keeps expired
 * rows; readers filter by time.
 */
export function historyAppend(tx: Tx, accountId: number, rows: readonly HistoryRow[]) {
  // index order: the stores of a product are adjacent
  const ordered = rows.toSorted((a, b) => a.productId - b.productId || a.storeId - b.storeId)
  const at = now()
  const due = ordered.filter(({ productId }) => isDueForTrimming(productId, at))
  return tx`
    with expired as (
      delete from price_history where account_id = ${accountId} and ctid = any(array(
        select oldest.place
        from unnest(${due.map((row) => row.productId)}::bigint[], ${due.map((row) => row.storeId)}::bigint[]) as given (product_id, store_id)
        cross join lateral (
          select place, lead(from_at) over (order by history_id) as until from (
            select ctid as place, history_id, from_at from price_history
            where account_id = ${accountId} and product_id = given.product_id and store_id = given.store_id
            order by history_id limit ${LIMITS.priceHistoryDeletedPerKey + 1}
          ) first offset 0
        ) oldest
        where oldest.until < now() - make_interval(days => ${LIMITS.priceHistoryDaysMax})))
    )
    insert into price_history (account_id, product_id, store_id, from_at, shown)
    select ${accountId}, product_id, store_id, statement_timestamp(), shown
    from unnest(${ordered.map((row) => row.productId)}::bigint[], ${ordered.map((row) => row.storeId)}::bigint[],
      ${ordered.map((row) => row.shown)}::text[]) as given (product_id, store_id, shown)`
}

/** A period in which a customer group had one price. */
export interface PriceSpan {
  from: Date
  /** null: until now. */
  to: Date | null
  /** Exact decimal text; null: not listed, or without a price for the group. */
  price: string | null
  /** null if and only if the price is. */
  currency: string | null
}

/**
 * A group's price spans. `spans`: those that ended after `oldest`, newest first, at most LIMITS.priceHistoryEntriesMax.
 * `cheapest`: the cheapest span that ended after `since`, in the currency of the current price or else of the last one.
 * `earlier`: the cheapest of the ended spans that lie at least partly within `beforeMs` before the current price began. Times are made
 * ascending, so that a clock set back leaves no span that ends before it begins.
 */
export async function priceSpans(
  reader: Reader,
  accountId: number,
  key: { productId: number; storeId: number; groupId: number },
  oldest: Date,
  since: Date,
  beforeMs: number,
): Promise<{ spans: PriceSpan[]; cheapest: PriceSpan | null; earlier: PriceSpan | null }> {
  const rows = await reader<(PriceSpan & { what: 'listed' | 'cheapest' | 'earlier' })[]>`
    with recorded as (
      select history_id, max(from_at) over (order by history_id) as from_at, split_part(shown, ' ', 1) as currency,
        substring(shown from ' ' || ${key.groupId}::bigint || ':([^ ]+)') as price
      from price_history
      where account_id = ${accountId} and product_id = ${key.productId} and store_id = ${key.storeId}
    ), compared as (
      select history_id, from_at, price, case when price is not null then currency end as currency,
        row_number() over (order by history_id) = 1 or price is distinct from lag(price) over (order by history_id)
          or (price is not null and currency is distinct from lag(currency) over (order by history_id)) as is_other
      from recorded
    ), spans as materialized (
      select history_id, from_at, lead(from_at) over (order by history_id) as to_at, price, currency
      from compared where is_other
    ), listed as (
      select history_id, from_at, to_at, price, currency from spans
      where to_at is null or to_at > ${oldest}
      order by history_id desc limit ${LIMITS.priceHistoryEntriesMax}
    ), cheapest as (
      select history_id, from_at, to_at, price, currency from spans
      where (to_at is null or to_at > ${since}) and price is not null
        and currency = (select currency from spans where price is not null order by history_id desc limit 1)
      order by price::numeric, history_id desc limit 1
    ), current_price as (
      select from_at, currency from spans where to_at is null and price is not null
    ), earlier as (
      select s.history_id, s.from_at, s.to_at, s.price, s.currency from spans s, current_price p
      where s.to_at is not null and s.to_at > p.from_at - ${beforeMs}::float8 * interval '1 millisecond' and s.price is not null and s.currency = p.currency
      order by s.price::numeric, s.history_id desc limit 1
    )
    select from_at as "from", to_at as "to", price, currency, what from (
      select history_id, from_at, to_at, price, currency, 'listed' as what from listed
      union all
      select history_id, from_at, to_at, price, currency, 'cheapest' from cheapest
      union all
      select history_id, from_at, to_at, price, currency, 'earlier' from earlier
    ) found order by history_id desc`
  const spanOf = ({ from, to, price, currency }: PriceSpan): PriceSpan => ({ from, to, price, currency })
  const one = (what: 'cheapest' | 'earlier') => {
    const found = rows.find((row) => row.what === what)
    return found === undefined ? null : spanOf(found)
  }
  return {
    spans: rows.filter((row) => row.what === 'listed').map(spanOf),
    cheapest: one('cheapest'),
    earlier: one('earlier'),
  }
}
