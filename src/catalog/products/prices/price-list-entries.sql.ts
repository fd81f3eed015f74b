import { ownerOf } from '../../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { single } from '../../../platform/must.ts'

/** A product's price in a list. */
export interface ListEntry {
  productId: number
  /** 0: the list's group, or every group. */
  groupId: number
  /** Decimal text, as it is shown. */
  amount: string
}

/** An entry with its product's own key. */
export interface ListedProduct extends ListEntry {
  /** The product's own key. */
  sku: string | null
}

/** A page of a list's entries, by product and group. @param after the last entry of the previous page. */
export function entriesPage(
  reader: Reader,
  accountId: number,
  key: string,
  after: Pick<ListEntry, 'productId' | 'groupId'>,
  limit: number,
) {
  return reader<ListedProduct[]>`
    select e.product_id as "productId", e.group_id as "groupId", trim_scale(e.amount)::text as amount, p.sku
    from price_list_entry e join product p on p.account_id = ${accountId} and p.product_id = e.product_id
    where e.account_id = ${accountId} and e.list_key = ${key}
      and (e.product_id, e.group_id) > (${after.productId}::bigint, ${after.groupId}::bigint)
    order by e.product_id, e.group_id limit ${limit}`
}

/** How many entries a list has. */
export async function entriesCount(reader: Reader, accountId: number, key: string): Promise<number> {
  const rows = await reader<{ count: number }[]>`
    select count(*)::int as count from price_list_entry where account_id = ${accountId} and list_key = ${key}`
  return single(rows).count
}

/** The entries of a list. @param productIds only those of these products; null: all. */
export function entriesOf(reader: Reader, accountId: number, key: string, productIds: readonly number[] | null) {
  return productIds === null
    ? reader<ListEntry[]>`
        select product_id as "productId", group_id as "groupId", trim_scale(amount)::text as amount
        from price_list_entry where account_id = ${accountId} and list_key = ${key}`
    : reader<ListEntry[]>`
        select product_id as "productId", group_id as "groupId", trim_scale(amount)::text as amount
        from price_list_entry
        where account_id = ${accountId} and list_key = ${key} and product_id = any(${[...productIds]}::bigint[])`
}

/** Writes entries, new or changed, in key order. The caller has locked the list and the products. */
export async function entriesUpsert(
  tx: Tx,
  accountId: number,
  key: string,
  entries: readonly ListEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await tx`
    insert into price_list_entry (account_id, product_id, list_key, group_id, amount)
    select owner.account_id, given.product_id, ${key}::text, given.group_id, given.amount
    from ${ownerOf(tx, accountId)}, unnest(${entries.map((entry) => entry.productId)}::bigint[], ${entries.map((entry) => entry.groupId)}::bigint[],
      ${entries.map((entry) => entry.amount)}::numeric[]) as given (product_id, group_id, amount)
    order by given.product_id, given.group_id
    on conflict (account_id, product_id, list_key, group_id) do update set amount = excluded.amount`
}

/** Deletes entries. The caller has locked the list. */
export async function entriesDelete(
  tx: Tx,
  accountId: number,
  key: string,
  entries: readonly Pick<ListEntry, 'productId' | 'groupId'>[],
): Promise<void> {
  if (entries.length === 0) return
  await tx`
    delete from price_list_entry
    where account_id = ${accountId} and list_key = ${key}
      and product_id = any(${[...new Set(entries.map((entry) => entry.productId))]}::bigint[]) and (product_id, group_id) in (
      select * from unnest(${entries.map((entry) => entry.productId)}::bigint[], ${entries.map((entry) => entry.groupId)}::bigint[]))`
}
