import { ownerOf } from '../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'

// Which products are in which variant groups. Only shelvers write these rows, with the products locked and after taking the account's
// turn.

export interface MemberRow {
  productId: number
  supplierId: number
  key: string
  groupId: number
  position: number
}

const COLUMNS = (reader: Reader) => reader`
  product_id as "productId", supplier_id as "supplierId", group_key as key, group_id as "groupId", position`

/** Takes the account's turn: waits until no other transaction changes its variant groups, and blocks others until this one ends. */
export async function groupsTurn(tx: Tx, accountId: number): Promise<void> {
  await tx`
    insert into variant_group_turn (account_id, turns)
    select owner.account_id, 1 from ${ownerOf(tx, accountId)}
    on conflict (account_id) do update set turns = variant_group_turn.turns + 1`
}

/** One index lookup per product: PostgreSQL 15 would otherwise scan all rows of a small account. */
export function membersOf(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<MemberRow[]>`
    select m.* from unnest(${[...productIds]}::bigint[]) given (product_id)
    cross join lateral (
      select ${COLUMNS(reader)} from variant_group_member
      where account_id = ${accountId} and product_id = given.product_id offset 0
    ) m`
}

/** The group of each of these keys that has one. */
export function groupsOfKeys(reader: Reader, accountId: number, keys: readonly { supplierId: number; key: string }[]) {
  return reader<{ supplierId: number; key: string; groupId: number }[]>`
    select given.supplier_id as "supplierId", given.group_key as key, m.group_id as "groupId"
    from unnest(${keys.map((row) => row.supplierId)}::bigint[], ${keys.map((row) => row.key)}::text[])
      as given (supplier_id, group_key)
    cross join lateral (
      select group_id from variant_group_member
      where account_id = ${accountId} and supplier_id = given.supplier_id and group_key = given.group_key limit 1
    ) m`
}

/** The rows of these groups, in a fixed order; at most `limit`. */
export function membersOfGroups(reader: Reader, accountId: number, groupIds: readonly number[], limit: number) {
  return reader<MemberRow[]>`
    select ${COLUMNS(reader)} from variant_group_member
    where account_id = ${accountId} and group_id = any(${[...groupIds]}::bigint[])
    order by supplier_id, group_key, product_id limit ${limit}`
}

export async function membersDelete(
  tx: Tx,
  accountId: number,
  rows: readonly Pick<MemberRow, 'productId' | 'supplierId' | 'key'>[],
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    delete from variant_group_member
    where account_id = ${accountId} and product_id = any(${[...new Set(rows.map((row) => row.productId))]}::bigint[])
      and (product_id, supplier_id, group_key) in (
        select * from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.supplierId)}::bigint[],
          ${rows.map((row) => row.key)}::text[]))`
}

/** Inserts rows, or updates the group and position of existing ones. */
export async function membersWrite(tx: Tx, accountId: number, rows: readonly MemberRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into variant_group_member (account_id, product_id, supplier_id, group_key, group_id, position)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.supplierId)}::bigint[], ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.groupId)}::bigint[], ${rows.map((row) => row.position)}::int[]) given
    on conflict (account_id, product_id, supplier_id, group_key) do update
      set group_id = excluded.group_id, position = excluded.position`
}
