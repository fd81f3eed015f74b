import type { Reader, Tx } from '../../../db/sql.ts'
import { explainViolation } from '../../../db/statements/violations.ts'
import { must } from '../../../platform/must.ts'

export interface StoreRow {
  storeId: number
  slug: string
  name: string
  locale: string
  currency: string
  isDefault: boolean
  isActive: boolean
  /** Whether it lists products on which neither a manual listing nor an assortment rule decides. */
  listsByDefault: boolean
  /** ISO 3166-1: the country whose tax its prices state; null: prices state no tax. */
  taxCountry: string | null
  pricesIncludeTax: boolean
}

const columns = (reader: Reader) =>
  reader`store_id as "storeId", slug, name, locale, currency, is_default as "isDefault", is_active as "isActive",
    lists_by_default as "listsByDefault", tax_country as "taxCountry", prices_include_tax as "pricesIncludeTax"`

/** All stores of the account that are not deleted, the default one first, then by id. */
export function storesList(reader: Reader, accountId: number) {
  return reader<StoreRow[]>`
    select ${columns(reader)} from store where account_id = ${accountId} and deleted_at is null order by is_default desc, store_id`
}

/** Whether a slug belonged to a deleted store. */
export async function storeSlugIsSpent(reader: Reader, accountId: number, slug: string): Promise<boolean> {
  const [row] = await reader<{ spent: boolean }[]>`
    select exists (select from store where account_id = ${accountId} and slug = ${slug} and deleted_at is not null) as spent`
  return row?.spent ?? false
}

export async function storeInsert(
  tx: Tx,
  accountId: number,
  store: Omit<StoreRow, 'storeId' | 'isActive'>,
): Promise<number> {
  const [row] = await tx<{ store_id: number }[]>`
    insert into store (account_id, slug, name, locale, currency, is_default, lists_by_default, tax_country,
      prices_include_tax)
    values (${accountId}, ${store.slug}, ${store.name}, ${store.locale}, ${store.currency}, ${store.isDefault},
      ${store.listsByDefault}, ${store.taxCountry}::text, ${store.pricesIncludeTax})
    returning store_id`.catch((error: unknown) =>
    explainViolation(error, { store_account_id_slug_key: `a store "${store.slug}" exists already` }),
  )
  return must(row).store_id
}

export interface StoreChanges {
  name?: string
  locale?: string
  currency?: string
  isActive?: boolean
  listsByDefault?: boolean
  taxCountry?: string | null
  pricesIncludeTax?: boolean
}

/** Changes the given members only; false when the store is unknown or deleted. */
export async function storeUpdate(tx: Tx, accountId: number, storeId: number, changes: StoreChanges): Promise<boolean> {
  const result = await tx`
    update store set name = coalesce(${changes.name ?? null}, name), locale = coalesce(${changes.locale ?? null}, locale),
      currency = coalesce(${changes.currency ?? null}, currency),
      is_active = coalesce(${changes.isActive ?? null}, is_active),
      lists_by_default = coalesce(${changes.listsByDefault ?? null}, lists_by_default),
      tax_country = case when ${changes.taxCountry !== undefined}::boolean then ${changes.taxCountry ?? null}::text else tax_country end,
      prices_include_tax = coalesce(${changes.pricesIncludeTax ?? null}, prices_include_tax)
    where account_id = ${accountId} and store_id = ${storeId} and deleted_at is null`
  return result.count === 1
}

/** Makes another, active store the default. */
export async function storeMakeDefault(tx: Tx, accountId: number, storeId: number): Promise<boolean> {
  await tx`update store set is_default = false where account_id = ${accountId} and is_default and store_id <> ${storeId}`
  const result = await tx`
    update store set is_default = true where account_id = ${accountId} and store_id = ${storeId} and is_active`
  return result.count === 1
}

/** Keeps a store from being deleted or changed until the commit. @returns false when the account has no such active store. */
export async function storeLockShared(tx: Tx, accountId: number, storeId: number): Promise<boolean> {
  const rows = await tx`
    select 1 as there from store where account_id = ${accountId} and store_id = ${storeId} and is_active for share`
  return rows.length === 1
}

/** Deletes a store that is not the default; its row stays, so that slug and id are never assigned again. */
export async function storeDelete(tx: Tx, accountId: number, storeId: number): Promise<boolean> {
  const result = await tx`
    update store set deleted_at = now(), is_active = false
    where account_id = ${accountId} and store_id = ${storeId} and deleted_at is null and not is_default`
  return result.count === 1
}
