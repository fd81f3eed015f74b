import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

/** Products of one group that a supplier states with the same options, or that have the same options in a group by hand. */
export interface AlikeVariants {
  groupId: number
  /** 0: the group is by hand. */
  supplierId: number
  /** The supplier's key of the group. */
  key: string
  options: Record<string, string>
  productIds: number[]
}

/** A product for which a supplier states fewer options than for others of the group, or none where no product of the group has any. */
export interface VariantWithoutOptions {
  groupId: number
  supplierId: number
  key: string
  productId: number
  /** Keys of the missing options; empty where no product of the group has any. */
  missing: string[]
}

/**
 * Variants that a customer could not tell apart, by the options of each supplier and of groups by hand; up to `limit` of each kind. Only the newest
 * groups are examined, LIMITS.findingsVariantsMax members in all, because options are not indexed. Without groups this is one index lookup.
 */
export async function indistinctVariants(
  reader: Reader,
  accountId: number,
  limit: number,
): Promise<{ alike: AlikeVariants[]; withoutOptions: VariantWithoutOptions[] }> {
  const newest = reader`
    select group_id, supplier_id, group_key, product_id from variant_group_member
    where account_id = ${accountId} order by group_id desc limit ${LIMITS.findingsVariantsMax}`
  const [row] = await reader<{ alike: AlikeVariants[]; withoutOptions: VariantWithoutOptions[] }[]>`
    with stated as materialized (
      select m.group_id, m.supplier_id, m.group_key, m.product_id, c.options
      from (${newest}) m
      cross join lateral (
        select (
          select coalesce(jsonb_object_agg(e ->> 'key', e ->> 'value'), '{}')
          from jsonb_array_elements(oc.variant_group -> 'options') e
        ) as options
        from offer_content oc
        cross join lateral (
          select from offer o
          where o.account_id = ${accountId} and o.supplier_id = oc.supplier_id and o.supplier_sku = oc.supplier_sku
            and o.dropped_at is null
          offset 0
        ) present
        where oc.account_id = ${accountId} and oc.product_id = m.product_id and oc.supplier_id = m.supplier_id
          and oc.variant_group ->> 'key' = m.group_key
        offset 0
      ) c
      union all
      select m.group_id, m.supplier_id, m.group_key, m.product_id, c.options
      from (${newest}) m
      cross join lateral (
        select (
          select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(coalesce((
            select (
              select jsonb_object_agg(e ->> 'key', e ->> 'value')
              from jsonb_array_elements(oc.variant_group -> 'options') e
            )
            from offer_content oc
            cross join lateral (
              select is_active, priority from supplier
              where account_id = ${accountId} and supplier_id = oc.supplier_id and deleted_at is null offset 0
            ) s
            where oc.account_id = ${accountId} and oc.product_id = m.product_id and oc.variant_group -> 'options' <> '[]'
            order by not s.is_active, s.priority, oc.supplier_id, oc.supplier_sku collate "C" limit 1
          ), '{}') || v.options) e
          where g.options = '[]' or exists (
            select from jsonb_array_elements(g.options) named where named ->> 'key' = e.key)
        ) as options
        from own_variant v
        join own_variant_group g on g.account_id = ${accountId} and g.group_id = v.group_id
        where v.account_id = ${accountId} and v.product_id = m.product_id
        offset 0
      ) c
      where m.supplier_id = 0
    ), of_product as (
      select group_id, supplier_id, group_key, product_id,
        coalesce(array_agg(distinct k.key) filter (where k.key is not null), '{}') as keys
      from stated left join lateral jsonb_object_keys(options) k (key) on true
      group by group_id, supplier_id, group_key, product_id
    ), of_group as (
      select group_id, supplier_id, group_key,
        coalesce(array_agg(distinct k.key) filter (where k.key is not null), '{}') as keys
      from of_product left join lateral unnest(keys) k (key) on true
      group by group_id, supplier_id, group_key having count(*) > 1
    ), alike as (
      select group_id as "groupId", supplier_id as "supplierId", group_key as key, options,
        array_agg(distinct product_id order by product_id) as "productIds"
      from stated where options <> '{}'
      group by group_id, supplier_id, group_key, options having count(distinct product_id) > 1
      order by group_id, supplier_id, group_key, options limit ${limit}
    ), lacking as (
      select group_id as "groupId", supplier_id as "supplierId", group_key as key, p.product_id as "productId",
        array(select unnest(g.keys) except select unnest(p.keys) order by 1) as missing
      from of_group g join of_product p using (group_id, supplier_id, group_key)
      where p.keys = '{}' or not p.keys @> g.keys
      order by 1, 2, 3, 4 limit ${limit}
    )
    select coalesce((select jsonb_agg(to_jsonb(alike)) from alike), '[]') as alike,
      coalesce((select jsonb_agg(to_jsonb(lacking)) from lacking), '[]') as "withoutOptions"`
  return must(row)
}
