import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'

/** A key of an option that differs from another key of its group only by case, spaces, hyphens or underscores: a shop would show two options. */
export interface OptionTwice {
  groupId: number
  /** The key that fewer products have. */
  key: string
  /** Suppliers whose offers state it; 0: the owner. */
  supplierIds: number[]
  /** The first LIMITS.findingsFirstMax products that have it. */
  productIds: number[]
  /** The key that most products have; on a tie, the one with the lowest product id. */
  usualKey: string
  usualSupplierIds: number[]
}

/**
 * Options that a group has twice because their keys are spelled differently, by what each product shows: the options of its first source, overlaid by
 * the owner's. Examines as many members of the newest groups as `indistinctVariants` does.
 */
export function duplicateOptions(reader: Reader, accountId: number, limit: number) {
  return reader<OptionTwice[]>`
    with member as materialized (
      select distinct group_id, product_id from (
        select group_id, product_id from variant_group_member
        where account_id = ${accountId} order by group_id desc limit ${LIMITS.findingsVariantsMax}) newest
    ), shown as materialized (
      select m.group_id, m.product_id, k.key, k.supplier_id,
        lower(btrim(regexp_replace(normalize(k.key, nfkc), '[\\s_-]+', ' ', 'g'))) as folded
      from member m
      left join lateral (
        select v.options, g.options as named from own_variant v
        join own_variant_group g on g.account_id = ${accountId} and g.group_id = v.group_id
        where v.account_id = ${accountId} and v.product_id = m.product_id
        offset 0
      ) own on true
      left join lateral (
        select oc.supplier_id, oc.variant_group -> 'options' as options from offer_content oc
        cross join lateral (
          select is_active, priority from supplier
          where account_id = ${accountId} and supplier_id = oc.supplier_id and deleted_at is null offset 0
        ) s
        cross join lateral (
          select from offer o
          where o.account_id = ${accountId} and o.supplier_id = oc.supplier_id and o.supplier_sku = oc.supplier_sku
            and o.dropped_at is null
          offset 0
        ) present
        where oc.account_id = ${accountId} and oc.product_id = m.product_id and oc.variant_group -> 'options' <> '[]'
        order by not s.is_active, s.priority, oc.supplier_id, oc.supplier_sku collate "C" limit 1
      ) first on true
      cross join lateral (
        select e ->> 'key' as key, case when own.options ? (e ->> 'key') then 0 else first.supplier_id end as supplier_id
        from jsonb_array_elements(first.options) e
        where coalesce(own.named, '[]') = '[]' or own.named @> jsonb_build_array(jsonb_build_object('key', e ->> 'key'))
        union
        select key, 0 from jsonb_object_keys(own.options) key
        where own.named @> jsonb_build_array(jsonb_build_object('key', key))
      ) k
    ), spelled as (
      select group_id, folded, key, array_agg(distinct supplier_id order by supplier_id) as supplier_ids,
        array_agg(distinct product_id order by product_id) as product_ids
      from shown
      where (group_id, folded) in (select group_id, folded from shown group by 1, 2 having min(key) <> max(key))
      group by group_id, folded, key
    ), ranked as (
      select group_id, folded, key, supplier_ids, product_ids,
        first_value(key) over usual as usual_key, first_value(supplier_ids) over usual as usual_supplier_ids
      from spelled
      window usual as (partition by group_id, folded order by cardinality(product_ids) desc, product_ids[1], key collate "C")
    )
    select group_id as "groupId", key, supplier_ids as "supplierIds",
      product_ids[1:${LIMITS.findingsFirstMax}] as "productIds",
      usual_key as "usualKey", usual_supplier_ids as "usualSupplierIds"
    from ranked where key <> usual_key
    order by group_id, folded, key collate "C" limit ${limit}`
}
