import { ownerOf } from '../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import type { HoldInput } from '../../resolve/inputs.ts'

/** A held price: the shown and the wanted one. Amounts are decimal texts in `currency`. */
export interface HoldRow extends HoldInput {
  productId: number
  /** The base cost. It is not held, so it is the same for both prices. */
  cost: string
  wantedPrice: string
  wantedRuleId: number
}

/** Writes holds, except those that are stored unchanged. The products must be locked. */
export function holdsUpsert(tx: Tx, accountId: number, rows: readonly HoldRow[]) {
  return tx`
    insert into price_hold (account_id, product_id, store_id, group_id, currency, shown_cost, shown_price, shown_rule_id,
      wanted_cost, wanted_price, wanted_rule_id)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.storeId)}::bigint[],
      ${rows.map((row) => row.groupId)}::bigint[], ${rows.map((row) => row.currency)}::text[],
      ${rows.map((row) => row.cost)}::numeric[], ${rows.map((row) => row.shownPrice)}::numeric[],
      ${rows.map((row) => row.shownRuleId)}::bigint[], ${rows.map((row) => row.cost)}::numeric[],
      ${rows.map((row) => row.wantedPrice)}::numeric[], ${rows.map((row) => row.wantedRuleId)}::bigint[]) given
    on conflict (account_id, product_id, store_id, group_id) do update
      set currency = excluded.currency, shown_cost = excluded.shown_cost, shown_price = excluded.shown_price,
        shown_rule_id = excluded.shown_rule_id, wanted_cost = excluded.wanted_cost, wanted_price = excluded.wanted_price,
        wanted_rule_id = excluded.wanted_rule_id
    where (price_hold.currency, price_hold.shown_cost, price_hold.shown_price, price_hold.shown_rule_id,
        price_hold.wanted_cost, price_hold.wanted_price, price_hold.wanted_rule_id)
      is distinct from (excluded.currency, excluded.shown_cost, excluded.shown_price, excluded.shown_rule_id,
        excluded.wanted_cost, excluded.wanted_price, excluded.wanted_rule_id)`
}

export interface HoldKey {
  productId: number
  storeId: number
  groupId: number
}

/** Deletes holds that no longer have an effect. */
export function holdsDelete(tx: Tx, accountId: number, keys: readonly HoldKey[]) {
  return tx`
    delete from price_hold
    where account_id = ${accountId} and product_id = any(${keys.map((key) => key.productId)}::bigint[])
      and (product_id, store_id, group_id) in (
        select * from unnest(${keys.map((key) => key.productId)}::bigint[], ${keys.map((key) => key.storeId)}::bigint[],
          ${keys.map((key) => key.groupId)}::bigint[]))`
}

/** Held prices after a key, in key order. */
export function holdsAfter(reader: Reader, accountId: number, after: HoldKey, limit: number) {
  return reader<(HoldRow & { heldAt: Date })[]>`
    select product_id as "productId", store_id as "storeId", group_id as "groupId", currency,
      trim_scale(wanted_cost)::text as cost, trim_scale(shown_price)::text as "shownPrice",
      shown_rule_id as "shownRuleId", trim_scale(wanted_price)::text as "wantedPrice", wanted_rule_id as "wantedRuleId", held_at as "heldAt"
    from price_hold
    where account_id = ${accountId} and (product_id, store_id, group_id) > (${after.productId}, ${after.storeId}, ${after.groupId})
    order by product_id, store_id, group_id limit ${limit}`
}

/**
 * Confirms held prices of these products: later prices are compared with the wanted price.
 * @param wanted only this hold, and only if it still has this wanted price, so that nobody confirms a price that they
 * have not seen.
 * @returns the products with confirmed prices.
 */
export async function holdsConfirm(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
  wanted: { storeId: number; groupId: number; price: string } | null,
): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    update price_hold set shown_price = wanted_price, shown_rule_id = wanted_rule_id
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
      ${wanted === null ? tx`` : tx`and store_id = ${wanted.storeId} and group_id = ${wanted.groupId} and wanted_price = ${wanted.price}::numeric`}
    returning product_id`
  return [...new Set(rows.map((row) => row.product_id))]
}

/** Confirms every held price of the account. @returns the number of prices. */
export async function holdsConfirmAll(tx: Tx, accountId: number): Promise<number> {
  // a mistake in a rule may have held a price for every product, store and group
  await tx.allowLongStatements()
  const result = await tx`
    update price_hold set shown_price = wanted_price, shown_rule_id = wanted_rule_id
    where account_id = ${accountId}`
  return result.count
}
