import type { Reader } from '../db/sql.ts'
import { CONTENT_GAPS, PRICE_GAPS } from '../model/gaps.ts'
import { LIMITS } from '../platform/limits.ts'

/** Counts faults of the change log: numbers beyond the counter, and numbers assigned to two changes. */
export async function changeFaults(reader: Reader, accountId: number) {
  const [row] = await reader<{ beyondHead: number; repeated: number }[]>`
    select count(*) filter (where change_id > (select last_id from change_counter where account_id = ${accountId}))::int
        as "beyondHead",
      (count(*) - count(distinct change_id))::int as repeated
    from change where account_id = ${accountId}`
  return row ?? { beyondHead: 0, repeated: 0 }
}

/**
 * Products registered in two variant groups, or in another group than other products of the same supplier and group key.
 */
export function groupFaults(reader: Reader, accountId: number) {
  return reader<{ productId: number; what: string }[]>`
    select min(product_id) as "productId", 'is in two groups of variants' as what
    from variant_group_member where account_id = ${accountId}
    group by product_id having count(distinct group_id) > 1
    union all
    select min(product_id), 'is not in the group of its supplier''s key' as what
    from variant_group_member where account_id = ${accountId}
    group by supplier_id, group_key having count(distinct group_id) > 1
    limit 100`
}

/** Deleted products that still have rows, such as offers, which nothing would ever show. At most 100. */
export function orphans(reader: Reader, accountId: number) {
  return reader<{ productId: number; what: string }[]>`
    select d.product_id as "productId", 'deleted, but has rows left' as what
    from product d
    where d.account_id = ${accountId} and d.deleted_at is not null and (
      exists (select from offer r where r.account_id = ${accountId} and r.product_id = d.product_id)
      or exists (select from product_ean r where r.account_id = ${accountId} and r.product_id = d.product_id)
      or exists (select from own_stock r where r.account_id = ${accountId} and r.product_id = d.product_id)
      or exists (select from product_override r where r.account_id = ${accountId} and r.product_id = d.product_id)
      or exists (select from attribute_override r where r.account_id = ${accountId} and r.product_id = d.product_id)
      or exists (select from product_listing r where r.account_id = ${accountId} and r.product_id = d.product_id)
      or exists (select from product_exclusion r where r.account_id = ${accountId} and r.product_id = d.product_id)
      or exists (select from own_variant r where r.account_id = ${accountId} and r.product_id = d.product_id)
      or exists (select from product_slug r where r.account_id = ${accountId} and r.product_id = d.product_id)
      or exists (select from price_list_entry r where r.account_id = ${accountId} and r.product_id = d.product_id))
    limit 100`
}

/** Payload halves whose other half or whose product is missing. At most 100. */
export function strayPayloads(reader: Reader, accountId: number) {
  return reader<{ storeId: number; productId: number }[]>`
    select coalesce(c.store_id, p.store_id) as "storeId", coalesce(c.product_id, p.product_id) as "productId"
    from (select store_id, product_id from payload_content where account_id = ${accountId}) c
    full join (select store_id, product_id from payload_price where account_id = ${accountId}) p
      on p.store_id = c.store_id and p.product_id = c.product_id
    left join product d on d.account_id = ${accountId} and d.product_id = coalesce(c.product_id, p.product_id)
    where c.product_id is null or p.product_id is null or d.product_id is null
    limit 100`
}

/** Blocks whose stored counts, of payloads and of each gap in the order of GAPS, differ from a recount. */
export async function blockFaults(reader: Reader, accountId: number) {
  const { no_title: title, no_image: image, no_category: category } = CONTENT_GAPS
  const { no_price: none, price_zero: zero } = PRICE_GAPS
  const held = reader`
    select c.store_id, c.product_id / ${LIMITS.idBlockSize}::bigint as block, concat_ws(' ', count(*),
      count(*) filter (where c.gaps & ${title} <> 0), count(*) filter (where c.gaps & ${image} <> 0),
      count(*) filter (where c.gaps & ${category} <> 0), count(*) filter (where p.gaps & ${none} <> 0),
      count(*) filter (where p.gaps & ${zero} <> 0)) as counts
    from payload_content c
    join payload_price p on p.account_id = ${accountId} and p.store_id = c.store_id and p.product_id = c.product_id
    where c.account_id = ${accountId} group by 1, 2`
  return reader<{ storeId: number; block: number; counted: string; held: string }[]>`
    select coalesce(b.store_id, h.store_id) as "storeId", coalesce(b.block, h.block) as block,
      coalesce(b.counts, '0 0 0 0 0 0') as counted, coalesce(h.counts, '0 0 0 0 0 0') as held
    from (
      select store_id, block, concat_ws(' ', products, no_title, no_image, no_category, no_price, price_zero) as counts
      from payload_block where account_id = ${accountId}
    ) b
    full join (${held}) h on h.store_id = b.store_id and h.block = b.block
    where coalesce(b.counts, '0 0 0 0 0 0') <> coalesce(h.counts, '0 0 0 0 0 0')`
}
