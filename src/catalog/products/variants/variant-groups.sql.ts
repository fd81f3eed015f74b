import { ownerOf } from '../../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { single } from '../../../platform/must.ts'

// Groups of variants that the owner made, and products that the owner put into one or took out of all.

export interface OwnOption {
  key: string
  /** By locale. */
  labels: Record<string, string>
}

export interface OwnVariant {
  productId: number
  /** The variant's values, by the key of the option. */
  options: Record<string, string>
}

/** A group that the owner made, with its products in order. */
export interface VariantGroupRow {
  groupId: number
  /** By locale. */
  title: Record<string, string>
  /** The options in which the variants differ, in order; empty: as suppliers state them. */
  options: OwnOption[]
  products: OwnVariant[]
}

/** The owner's decision on a product; group null: the product is in no group. */
export interface OwnPlaceRow {
  productId: number
  groupId: number | null
  position: number
  options: Record<string, string>
}

/** Takes ids that no variant group has had, of suppliers or by hand. */
export async function variantGroupIdsTake(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<
    { id: number }[]
  >`select nextval('variant_group_number') as id from generate_series(1, ${count})`
  return rows.map(({ id }) => id)
}

const COLUMNS = (reader: Reader, accountId: number) => reader`
  g.group_id as "groupId", g.title, g.options, coalesce((
    select jsonb_agg(jsonb_build_object('productId', v.product_id, 'options', v.options) order by v.position, v.product_id)
    from own_variant v where v.account_id = ${accountId} and v.group_id = g.group_id
  ), '[]') as products`

export async function variantGroupGet(
  reader: Reader,
  accountId: number,
  groupId: number,
): Promise<VariantGroupRow | undefined> {
  const [row] = await reader<VariantGroupRow[]>`
    select ${COLUMNS(reader, accountId)} from own_variant_group g
    where g.account_id = ${accountId} and g.group_id = ${groupId}`
  return row
}

/** All groups of the account by id, for commands and others that read the groups of few accounts as a whole. */
export function variantGroupsList(reader: Reader, accountId: number) {
  return reader<VariantGroupRow[]>`
    select ${COLUMNS(reader, accountId)} from own_variant_group g where g.account_id = ${accountId} order by g.group_id`
}

/** The next groups by id, fewer than `limit` where they have many products. */
export async function variantGroupsPage(
  reader: Reader,
  accountId: number,
  after: number,
  limit: number,
  productsMax: number,
) {
  const found = await reader<{ groupId: number; before: number }[]>`
    select group_id as "groupId", (sum(products) over (order by group_id) - products)::int as before
    from (
      select g.group_id, (
        select count(*) from own_variant v where v.account_id = ${accountId} and v.group_id = g.group_id
      ) as products
      from own_variant_group g where g.account_id = ${accountId} and g.group_id > ${after}
      order by g.group_id limit ${limit + 1}
    ) as next
    order by group_id`
  const ids = found
    .filter(({ before }, i) => i < limit && (i === 0 || before < productsMax))
    .map(({ groupId }) => groupId)
  const rows = await reader<VariantGroupRow[]>`
    select ${COLUMNS(reader, accountId)} from own_variant_group g
    where g.account_id = ${accountId} and g.group_id = any(${ids}::bigint[]) order by g.group_id`
  const next = ids.length < found.length ? (ids.at(-1) ?? null) : null
  return { rows, next, total: await variantGroupsCount(reader, accountId) }
}

export async function variantGroupsCount(reader: Reader, accountId: number): Promise<number> {
  const rows = await reader<{ count: number }[]>`
    select count(*)::int as count from own_variant_group where account_id = ${accountId}`
  return single(rows).count
}

/** Inserts a group, or replaces its title and options. */
export async function variantGroupWrite(
  tx: Tx,
  accountId: number,
  { groupId, title, options }: Omit<VariantGroupRow, 'products'>,
): Promise<void> {
  await tx`
    insert into own_variant_group (account_id, group_id, title, options)
    values (${accountId}, ${groupId}, ${JSON.stringify(title)}::jsonb, ${JSON.stringify(options)}::jsonb)
    on conflict (account_id, group_id) do update set title = excluded.title, options = excluded.options`
}

export async function variantGroupDelete(tx: Tx, accountId: number, groupId: number): Promise<void> {
  await tx`delete from own_variant_group where account_id = ${accountId} and group_id = ${groupId}`
}

/** The owner's decisions on these products. */
export function ownPlacesOf(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<OwnPlaceRow[]>`
    select product_id as "productId", group_id as "groupId", position, options from own_variant
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])`
}

/** Writes the owner's decisions on products, replacing earlier ones. */
export async function ownPlacesWrite(tx: Tx, accountId: number, rows: readonly OwnPlaceRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into own_variant (account_id, product_id, group_id, position, options)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.groupId)}::bigint[], ${rows.map((row) => row.position)}::int[],
      ${rows.map((row) => JSON.stringify(row.options))}::jsonb[]) given
    on conflict (account_id, product_id) do update
      set group_id = excluded.group_id, position = excluded.position, options = excluded.options`
}

export async function ownPlacesDelete(tx: Tx, accountId: number, productIds: readonly number[]): Promise<void> {
  if (productIds.length === 0) return
  await tx`
    delete from own_variant where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])`
}
