import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

// Figures of one account for the panel's first page. Each statement reads an index, and as much of it as its limit says.

/** What waits to be shelved: marked products, LIMITS.overviewWaitingMax at most and one more, and sweeps. */
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

/** Excluded products per store and reason, from the index alone. */
export function storeExclusions(reader: Reader, accountId: number) {
  return reader<{ storeId: number; reason: string; products: number }[]>`
    select store_id as "storeId", exclusion as reason, count(*)::int as products from payload_price
    where account_id = ${accountId} and exclusion is not null
    group by store_id, exclusion order by store_id, products desc, exclusion`
}

/** How far a new account is. */
export async function checklistGet(reader: Reader, accountId: number) {
  const [row] = await reader<
    { supplier: boolean; products: boolean; token: boolean; read: boolean; endpoint: boolean; delivered: boolean }[]
  >`
    select exists (select from supplier where account_id = ${accountId} and deleted_at is null) as supplier,
      exists (select from payload_block where account_id = ${accountId} and products > 0) as products,
      exists (select from token where account_id = ${accountId} and revoked_at is null) as token,
      exists (select from token_use where account_id = ${accountId}) as read,
      exists (select from endpoint where account_id = ${accountId}) as endpoint,
      exists (select from delivery where account_id = ${accountId} and state = 'delivered' and origin <> 'test') as delivered`
  return row ?? { supplier: false, products: false, token: false, read: false, endpoint: false, delivered: false }
}
