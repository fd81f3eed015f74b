import type { Query, Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { DEFAULT_MARKUP_PERCENT } from '../shelf/account.ts'
import { must } from '../platform/must.ts'

// Figures of one account for the panel's first page. Each statement reads an index up to its limit.

/** Pending shelving: marked products, counted up to LIMITS.overviewWaitingMax + 1, and sweeps. */
export async function shelvingWaits(reader: Reader, accountId: number) {
  const [row] = await reader<{ products: number; sweeps: number; since: Date | null }[]>`
    select
      (select count(*)::int from (
        select distinct product_id from (
          select product_id from mark where account_id = ${accountId} order by product_id limit ${LIMITS.overviewWaitingMax + 1}
        ) marked) products) as products,
      (select count(distinct sweep_id)::int from sweep where account_id = ${accountId}) as sweeps,
      (select min(created_at) from sweep where account_id = ${accountId}) as since`
  return row ?? { products: 0, sweeps: 0, since: null }
}

/** Listed products per store. */
export function storeProducts(reader: Reader, accountId: number) {
  return reader<{ storeId: number; products: number }[]>`
    select store_id as "storeId", sum(products)::int as products from payload_block
    where account_id = ${accountId} group by store_id`
}

/** Excluded products per store and reason, from an index alone. */
export function storeExclusions(reader: Reader, accountId: number) {
  return reader<{ storeId: number; reason: string; products: number }[]>`
    select store_id as "storeId", exclusion as reason, count(*)::int as products from payload_price
    where account_id = ${accountId} and exclusion is not null
    group by store_id, exclusion order by store_id, products desc, exclusion`
}

/** Suppliers whose newest import is held back, the longest held first. */
export function suppliersHeld(reader: Reader, accountId: number, limit: number) {
  return reader<{ code: string; name: string; runId: number; heldAt: Date }[]>`
    select p.code, p.name, newest.run_id as "runId", newest.ended_at as "heldAt"
    from supplier p cross join lateral (${newestRun(reader, accountId, reader``)}) newest
    where p.account_id = ${accountId} and p.deleted_at is null and newest.state = 'held'
    order by newest.ended_at, p.supplier_id limit ${limit}`
}

/** Imports in progress, oldest first; tests of files are left out. */
export function importsRunning(reader: Reader, accountId: number, limit: number) {
  return reader<{ code: string; name: string; runId: number; written: number; total: number | null }[]>`
    with running as materialized (
      select run_id, supplier_id, written, total, is_dry_run from import_run
      where account_id = ${accountId} and ended_at is null
    )
    select p.code, p.name, r.run_id as "runId", r.written, r.total
    from running r
    cross join lateral (
      select code, name from supplier where account_id = ${accountId} and supplier_id = r.supplier_id offset 0
    ) p
    where not r.is_dry_run order by r.run_id limit ${limit}`
}

/** Sources without an import since a failure, longest first. Sources that only have a file held back are left out. */
export function sourcesFailing(reader: Reader, accountId: number, limit: number) {
  return reader<{ code: string; name: string; source: string; since: Date; failure: string | null }[]>`
    select p.code, p.name, s.name as source, s.failed_since as since, s.failure
    from supplier_source s
    join supplier p on p.account_id = ${accountId} and p.supplier_id = s.supplier_id and p.deleted_at is null
    left join lateral (${newestRun(reader, accountId, reader` and r.ended_at is not null`)}) newest on true
    where s.account_id = ${accountId} and s.is_active and s.failed_since is not null
      and (s.failures > 0 or newest.state is distinct from 'held')
    order by s.failed_since, s.source_id limit ${limit}`
}

/** The newest run of supplier p that was neither a test nor canceled. */
const newestRun = (reader: Reader, accountId: number, besides: Query<unknown>) => reader`
  select r.run_id, r.state, r.ended_at from import_run r
  where r.account_id = ${accountId} and r.supplier_id = p.supplier_id and not r.is_dry_run and r.state <> 'canceled'${besides}
  order by r.run_id desc limit 1`

/** The number of an account's products in the search index, whether or not they are listed. */
export async function productsKnown(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ products: number }[]>`
    select count(*)::int as products from product_search where account_id = ${accountId}`
  return must(row).products
}

/**
 * The progress of setting up an account. `rates` is null if all suppliers and stores use the account's currency; `prices`: whether
 * there are more pricing rules than the initial default rule.
 */
export async function checklistGet(reader: Reader, accountId: number) {
  const [row] = await reader<
    {
      supplier: boolean
      rates: boolean | null
      products: boolean
      prices: boolean
      token: boolean
      read: boolean
      endpoint: boolean
      delivered: boolean
    }[]
  >`
    select exists (select from supplier where account_id = ${accountId} and deleted_at is null) as supplier,
      (
        select bool_and(exists (
          select from exchange_rate r where r.account_id = ${accountId} and r.currency = used.currency
        ))
        from (
          select currency from supplier where account_id = ${accountId} and is_active and deleted_at is null
          union
          select currency from store where account_id = ${accountId} and is_active and deleted_at is null
        ) used
        where used.currency <> (select currency from account where account_id = ${accountId})
      ) as rates,
      exists (select from payload_block where account_id = ${accountId} and products > 0) as products,
      exists (
        select from pricing_rule where account_id = ${accountId} and is_active
          and (not is_default or action <> 'markup' or percent <> ${DEFAULT_MARKUP_PERCENT} or addition is not null or floor_profit is not null
            or floor_margin_percent is not null or floor_price is not null)
      ) as prices,
      exists (select from token where account_id = ${accountId} and revoked_at is null) as token,
      exists (select from token_use where account_id = ${accountId}) as read,
      exists (select from endpoint where account_id = ${accountId}) as endpoint,
      exists (select from delivery where account_id = ${accountId} and state = 'delivered') as delivered`
  if (row === undefined) throw new Error('a select without from has one row')
  return row
}
