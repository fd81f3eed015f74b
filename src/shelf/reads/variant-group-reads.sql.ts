import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { chosenMembers } from './chosen-members.ts'
import { undescribed } from './payload-pages.sql.ts'
import type { GroupedProduct } from './variant-group-facts.ts'

// Variant groups as a store reads them: only groups with a product in the store. Several suppliers may put the same product into a group.

const GROUPED: ReadonlySet<string> = new Set<keyof GroupedProduct>(['id', 'images', 'image_details', 'group'])

export interface GroupRow {
  groupId: number
  /** How many products of the group the store lists, counted up to LIMITS.groupProductsMax. */
  products: number
  /** The first of these products; null: none. */
  leadingId: number | null
}

/** The products of a group that the store lists, in group order. */
const listed = (reader: Reader, accountId: number, storeId: number, groupId: number | null) => reader`
  select m.product_id, m.position
  from (
    select distinct position, product_id from variant_group_member
    where account_id = ${accountId} and group_id = ${groupId === null ? reader`page.group_id` : groupId}
    order by position, product_id limit ${LIMITS.groupProductsMax}
  ) m
  cross join lateral (
    select 1 from payload_content
    where account_id = ${accountId} and store_id = ${storeId} and product_id = m.product_id offset 0
  ) c`

/** Groups after an id, in id order, including those of which the store lists no product. */
export function groupsAfter(reader: Reader, accountId: number, storeId: number, afterId: number, limit: number) {
  return reader<GroupRow[]>`
    with page as materialized (
      select group_id from variant_group_member where account_id = ${accountId} and group_id > ${afterId}
      group by group_id order by group_id limit ${limit}
    )
    select page.group_id as "groupId", l.products, l.leading_id as "leadingId"
    from page cross join lateral (
      select count(*)::int as products, (array_agg(product_id order by position, product_id))[1] as leading_id
      from (${listed(reader, accountId, storeId, null)}) of
    ) l
    order by page.group_id`
}

/** Content halves, without descriptions, of these products in the order of the ids; products that the store does not list are left out. */
export async function groupedContents(
  reader: Reader,
  accountId: number,
  storeId: number,
  ids: readonly number[],
): Promise<GroupedProduct[]> {
  const found: GroupedProduct[] = []
  // in parts: a thousand texts of several kilobytes must not be in memory at once
  for (let at = 0; at < ids.length; at += LIMITS.groupContentsRead) {
    const part = ids.slice(at, at + LIMITS.groupContentsRead)
    const rows = await reader<{ body: string }[]>`
      select ${undescribed(reader)} as body from unnest(${part}::bigint[]) with ordinality as wanted (product_id, place)
      cross join lateral (
        select body from payload_content
        where account_id = ${accountId} and store_id = ${storeId} and product_id = wanted.product_id offset 0
      ) c
      order by place`
    const read = await mapYielding(
      rows,
      ({ body }) => JSON.parse(chosenMembers(`{${body}}`, GROUPED)) as GroupedProduct,
    )
    found.push(...read)
  }
  return found
}

/** The products of a group that the store lists, by position, then by id. */
export async function groupProducts(
  reader: Reader,
  accountId: number,
  storeId: number,
  groupId: number,
): Promise<number[]> {
  const rows = await reader<{ productId: number }[]>`
    select product_id as "productId" from (${listed(reader, accountId, storeId, groupId)}) of order by position, product_id`
  return rows.map(({ productId }) => productId)
}
