import type { OverrideField } from '../../../../contract/product-fields.ts'
import { ownerOf } from '../../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'

export interface OverrideRow {
  productId: number
  field: OverrideField
  /** '' for names and images, which are the same in every locale. */
  locale: string
  /** For images a JSON array of URLs, for their alternative texts a JSON object by URL; null resets the field: the imported value is shown again. */
  value: string | null
}

export interface AttributeOverrideRow {
  productId: number
  key: string
  /** '' is every locale. */
  locale: string
  /** null hides the attribute. */
  value: string | null
}

export interface OverrideKey {
  productId: number
  field: string
  /** '' where the field has none. */
  locale: string
}

/** Sets overrides in key order; equal ones are not written. @returns those that were written. */
export function overridesUpsert(tx: Tx, accountId: number, rows: readonly (OverrideKey & { value: string })[]) {
  return tx<(OverrideKey & { isNew: boolean })[]>`
    insert into product_override (account_id, product_id, field, locale, value)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.field)}::text[],
      ${rows.map((row) => row.locale)}::text[], ${rows.map((row) => row.value)}::text[]) given
    order by 2, 3, 4
    on conflict (account_id, product_id, field, locale) do update set value = excluded.value
    where product_override.value <> excluded.value
    returning product_id as "productId", field, locale, xmax = 0 as "isNew"`
}

/** Deletes overrides. @returns those that existed. */
export function overridesDelete(tx: Tx, accountId: number, rows: readonly OverrideKey[]) {
  const ids = rows.map((row) => row.productId)
  return tx<OverrideKey[]>`
    delete from product_override where account_id = ${accountId}
      and product_id = any(${ids}::bigint[]) and (product_id, field, locale) in (
      select * from unnest(${ids}::bigint[], ${rows.map((row) => row.field)}::text[], ${rows.map((row) => row.locale)}::text[]))
    returning product_id as "productId", field, locale`
}

export interface AttributeKey {
  productId: number
  key: string
  /** '' is every locale. */
  locale: string
}

/** Sets attribute overrides in key order; a null value hides the attribute. @returns those that were written. */
export function attributesUpsert(
  tx: Tx,
  accountId: number,
  rows: readonly (AttributeKey & { value: string | null })[],
) {
  return tx<(AttributeKey & { isNew: boolean })[]>`
    insert into attribute_override (account_id, product_id, key, locale, value)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.locale)}::text[], ${rows.map((row) => row.value)}::text[]) given
    order by 2, 3, 4
    on conflict (account_id, product_id, key, locale) do update set value = excluded.value
    where attribute_override.value is distinct from excluded.value
    returning product_id as "productId", key, locale, xmax = 0 as "isNew"`
}

/** Deletes attribute overrides. @returns those that existed. */
export function attributesDelete(tx: Tx, accountId: number, rows: readonly AttributeKey[]) {
  const ids = rows.map((row) => row.productId)
  return tx<AttributeKey[]>`
    delete from attribute_override where account_id = ${accountId}
      and product_id = any(${ids}::bigint[]) and (product_id, key, locale) in (
      select * from unnest(${ids}::bigint[], ${rows.map((row) => row.key)}::text[], ${rows.map((row) => row.locale)}::text[]))
    returning product_id as "productId", key, locale`
}

/** Deletes the overrides of attributes in every locale. @returns those that existed. */
export function attributesDeleteAllLocales(tx: Tx, accountId: number, rows: readonly Omit<AttributeKey, 'locale'>[]) {
  const ids = rows.map((row) => row.productId)
  return tx<AttributeKey[]>`
    delete from attribute_override where account_id = ${accountId}
      and product_id = any(${ids}::bigint[]) and (product_id, key) in (
      select * from unnest(${ids}::bigint[], ${rows.map((row) => row.key)}::text[]))
    returning product_id as "productId", key, locale`
}

/** How many overrides each of these products has, counting texts, images and attributes together. */
export function overrideCounts(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<{ productId: number; count: number }[]>`
    select given.product_id as "productId", (o.n + a.n)::int as count
    from unnest(${[...productIds]}::bigint[]) as given (product_id)
    cross join lateral (select count(*) as n from product_override where account_id = ${accountId} and product_id = given.product_id) o
    cross join lateral (select count(*) as n from attribute_override where account_id = ${accountId} and product_id = given.product_id) a`
}

/** The overrides among these that are set, with their values. */
export function overridesAt(reader: Reader, accountId: number, rows: readonly OverrideKey[]) {
  return reader<(OverrideKey & { value: string })[]>`
    select o.* from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.field)}::text[],
      ${rows.map((row) => row.locale)}::text[]) as given (product_id, field, locale)
    cross join lateral (
      select product_id as "productId", field, locale, value from product_override
      where account_id = ${accountId} and product_id = given.product_id and field = given.field and locale = given.locale
    ) o`
}

/** The same for attributes. */
export function attributesAt(reader: Reader, accountId: number, rows: readonly AttributeKey[]) {
  return reader<(AttributeKey & { value: string | null })[]>`
    select o.* from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.locale)}::text[]) as given (product_id, key, locale)
    cross join lateral (
      select product_id as "productId", key, locale, value from attribute_override
      where account_id = ${accountId} and product_id = given.product_id and key = given.key and locale = given.locale
    ) o`
}
