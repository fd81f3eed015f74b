import type { Reader, Tx } from '../../../db/sql.ts'
import type { PriceListInput } from '../../../resolve/inputs.ts'

const columns = (reader: Reader) => reader`
  key, name, currency, store_ids as "storeIds", group_id as "groupId", valid_from::text as "validFrom",
  valid_to::text as "validTo", priority, is_active as "isActive",
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as "createdAt"`

/** All price lists of the account by key. */
export function priceListsList(reader: Reader, accountId: number) {
  return reader<PriceListInput[]>`
    select ${columns(reader)} from price_list where account_id = ${accountId} order by key`
}

/** One list, locked: of two transactions that write its entries or delete it, one waits for the other. */
export async function priceListLock(tx: Tx, accountId: number, key: string): Promise<PriceListInput | undefined> {
  const [row] = await tx<PriceListInput[]>`
    select ${columns(tx)} from price_list where account_id = ${accountId} and key = ${key} for no key update`
  return row
}

/** One of these stores that does not sell in a list's currency; undefined: all do. */
export async function storeOfOtherCurrency(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  currency: string,
): Promise<{ slug: string; currency: string } | undefined> {
  const [row] = await reader<{ slug: string; currency: string }[]>`
    select slug, currency from store
    where account_id = ${accountId} and store_id = any(${[...storeIds]}::bigint[]) and currency <> ${currency}
    order by is_default desc, store_id limit 1`
  return row
}

/** Writes a list, new or changed. The caller has the settings lock. */
export async function priceListUpsert(
  tx: Tx,
  accountId: number,
  row: Omit<PriceListInput, 'createdAt'>,
): Promise<void> {
  await tx`
    insert into price_list (account_id, key, name, currency, store_ids, group_id, valid_from, valid_to, priority, is_active)
    values (${accountId}, ${row.key}, ${row.name}, ${row.currency}, ${row.storeIds === null ? null : [...row.storeIds]}::bigint[],
      ${row.groupId}, ${row.validFrom}::text::date, ${row.validTo}::text::date, ${row.priority}, ${row.isActive})
    on conflict (account_id, key) do update
      set name = excluded.name, store_ids = excluded.store_ids, group_id = excluded.group_id,
        valid_from = excluded.valid_from, valid_to = excluded.valid_to, priority = excluded.priority, is_active = excluded.is_active`
}

/** Deletes a list with its entries. The caller has locked it. */
export async function priceListDelete(tx: Tx, accountId: number, key: string): Promise<void> {
  await tx`delete from price_list_entry where account_id = ${accountId} and list_key = ${key}`
  await tx`delete from price_list where account_id = ${accountId} and key = ${key}`
}

/** Marks the products of these lists: only their prices can have changed. @returns these products. */
export async function priceListsMark(tx: Tx, accountId: number, keys: readonly string[]): Promise<number[]> {
  if (keys.length === 0) return []
  const rows = await tx<{ product_id: number }[]>`
    insert into mark (account_id, product_id, half)
    select distinct account_id, product_id, 'price' from price_list_entry
    where account_id = ${accountId} and list_key = any(${[...keys]}::text[])
    returning product_id`
  return rows.map((row) => row.product_id)
}

/** Lists that begin or end between two days (`YYYY-MM-DD`). */
export async function priceListsTurning(
  reader: Reader,
  accountId: number,
  fromDay: string,
  toDay: string,
): Promise<string[]> {
  const rows = await reader<{ key: string }[]>`
    select key from price_list where account_id = ${accountId} and is_active
      and (valid_from > ${fromDay}::text::date and valid_from <= ${toDay}::text::date
        or valid_to >= ${fromDay}::text::date and valid_to < ${toDay}::text::date)`
  return rows.map(({ key }) => key)
}

/** Removes a deleted store from lists that name others as well. */
export async function priceListsForgetStore(tx: Tx, accountId: number, storeId: number): Promise<void> {
  await tx`update price_list set store_ids = array_remove(store_ids, ${storeId}::bigint)
    where account_id = ${accountId} and ${storeId}::bigint = any(store_ids)`
}

/** Deletes the entries of lists for a deleted group. */
export async function priceListsForgetGroup(tx: Tx, accountId: number, groupId: number): Promise<void> {
  await tx`delete from price_list_entry where account_id = ${accountId} and group_id = ${groupId}`
}
