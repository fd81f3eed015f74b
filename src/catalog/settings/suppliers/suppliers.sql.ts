import { ownerOf } from '../../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { explainViolation } from '../../../db/statements/violations.ts'
import { must } from '../../../platform/must.ts'

/** The limits above which an import of a supplier needs to be confirmed, and how long the supplier may send nothing. */
export interface SupplierLimits {
  /** Shares between 0 and 1, as decimal text. */
  zeroedShareMax: string
  refusedShareMax: string
  pricesLostShareMax: string
  pricesZeroShareMax: string
  pricesJumpShareMax: string
  /** The factor by which a cost must rise or fall to count as a jump. */
  pricesJumpFactor: string
  emptiedShareMax: string
  swappedShareMax: string
  /** null: without limit. */
  silentDaysMax: number | null
}

export interface SupplierRow extends SupplierLimits {
  supplierId: number
  code: string
  name: string
  currency: string
  priority: number
  safetyBuffer: number
  isActive: boolean
  /** ISO 3166-1: the country whose tax its costs include; null: they are net. */
  costTaxCountry: string | null
  /**
   * ISO 3166-1: the country whose tax its list prices include, or `none`; null: list prices are shown as they are
   * stated.
   */
  listPriceTax: string | null
}

/** All suppliers of the account that are not deleted, by id. */
export function suppliersList(reader: Reader, accountId: number) {
  return reader<SupplierRow[]>`
    select supplier_id as "supplierId", code, name, currency, priority, safety_buffer as "safetyBuffer",
      is_active as "isActive", trim_scale(zeroed_share_max)::text as "zeroedShareMax",
      trim_scale(refused_share_max)::text as "refusedShareMax", trim_scale(prices_lost_share_max)::text as "pricesLostShareMax",
      trim_scale(prices_zero_share_max)::text as "pricesZeroShareMax",
      trim_scale(prices_jump_share_max)::text as "pricesJumpShareMax", trim_scale(prices_jump_factor)::text as "pricesJumpFactor",
      trim_scale(emptied_share_max)::text as "emptiedShareMax", trim_scale(swapped_share_max)::text as "swappedShareMax", silent_days_max as "silentDaysMax",
      cost_tax_country as "costTaxCountry", list_price_tax as "listPriceTax"
    from supplier where account_id = ${accountId} and deleted_at is null order by supplier_id`
}

export async function supplierInsert(
  tx: Tx,
  accountId: number,
  supplier: Omit<SupplierRow, 'supplierId' | 'isActive'>,
): Promise<number> {
  const [row] = await tx<{ supplier_id: number }[]>`
    insert into supplier (account_id, code, name, currency, priority, safety_buffer, zeroed_share_max, refused_share_max,
      prices_lost_share_max, prices_zero_share_max, prices_jump_share_max, prices_jump_factor, emptied_share_max,
      swapped_share_max, silent_days_max, cost_tax_country, list_price_tax)
    values (${accountId}, ${supplier.code}, ${supplier.name}, ${supplier.currency}, ${supplier.priority},
      ${supplier.safetyBuffer}, ${supplier.zeroedShareMax}::numeric, ${supplier.refusedShareMax}::numeric,
      ${supplier.pricesLostShareMax}::numeric, ${supplier.pricesZeroShareMax}::numeric,
      ${supplier.pricesJumpShareMax}::numeric, ${supplier.pricesJumpFactor}::numeric, ${supplier.emptiedShareMax}::numeric,
      ${supplier.swappedShareMax}::numeric, ${supplier.silentDaysMax}::int, ${supplier.costTaxCountry}::text,
      ${supplier.listPriceTax}::text)
    returning supplier_id`.catch((error: unknown) =>
    explainViolation(error, { supplier_code: `a supplier "${supplier.code}" exists already` }),
  )
  return must(row).supplier_id
}

export type SupplierChanges = Partial<
  Pick<SupplierRow, 'name' | 'priority' | 'safetyBuffer' | 'isActive' | 'costTaxCountry' | 'listPriceTax'> &
    SupplierLimits
>

/** Changes the given members only; false when the supplier is unknown or deleted. */
export async function supplierUpdate(
  tx: Tx,
  accountId: number,
  supplierId: number,
  changes: SupplierChanges,
): Promise<boolean> {
  const result = await tx`
    update supplier set name = coalesce(${changes.name ?? null}, name),
      priority = coalesce(${changes.priority ?? null}, priority),
      safety_buffer = coalesce(${changes.safetyBuffer ?? null}, safety_buffer),
      is_active = coalesce(${changes.isActive ?? null}, is_active),
      zeroed_share_max = coalesce(${changes.zeroedShareMax ?? null}::numeric, zeroed_share_max),
      refused_share_max = coalesce(${changes.refusedShareMax ?? null}::numeric, refused_share_max),
      prices_lost_share_max = coalesce(${changes.pricesLostShareMax ?? null}::numeric, prices_lost_share_max),
      prices_zero_share_max = coalesce(${changes.pricesZeroShareMax ?? null}::numeric, prices_zero_share_max),
      prices_jump_share_max = coalesce(${changes.pricesJumpShareMax ?? null}::numeric, prices_jump_share_max),
      prices_jump_factor = coalesce(${changes.pricesJumpFactor ?? null}::numeric, prices_jump_factor),
      emptied_share_max = coalesce(${changes.emptiedShareMax ?? null}::numeric, emptied_share_max),
      swapped_share_max = coalesce(${changes.swappedShareMax ?? null}::numeric, swapped_share_max),
      silent_days_max = case when ${changes.silentDaysMax !== undefined}::boolean then ${changes.silentDaysMax ?? null}::int
        else silent_days_max end,
      cost_tax_country = case when ${changes.costTaxCountry !== undefined}::boolean then ${changes.costTaxCountry ?? null}::text
        else cost_tax_country end,
      list_price_tax = case when ${changes.listPriceTax !== undefined}::boolean then ${changes.listPriceTax ?? null}::text
        else list_price_tax end
    where account_id = ${accountId} and supplier_id = ${supplierId} and deleted_at is null`
  return result.count === 1
}

/** Deletes a supplier; its row stays while offers refer to it, and its code may be used again. */
export async function supplierDelete(tx: Tx, accountId: number, supplierId: number): Promise<boolean> {
  const result = await tx`
    update supplier set deleted_at = now(), is_active = false
    where account_id = ${accountId} and supplier_id = ${supplierId} and deleted_at is null`
  return result.count === 1
}

/** Deletes the time at which a deleted supplier last sent something. */
export async function supplierActivityDelete(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await tx`delete from supplier_heard where account_id = ${accountId} and supplier_id = ${supplierId}`
}

/**
 * Locks a supplier, shared: conflicts with transactions that edit or delete it. Without the lock, an offer that is
 * written during the deletion would stay for ever. @returns undefined when the account does not have it.
 */
export async function supplierLockShared(
  tx: Tx,
  accountId: number,
  supplierId: number,
): Promise<{ isQuiet: boolean } | undefined> {
  const [row] = await tx<{ isQuiet: boolean }[]>`
    select ${isQuiet(tx, accountId)} as "isQuiet" from supplier s
    where account_id = ${accountId} and supplier_id = ${supplierId} and deleted_at is null for share of s`
  return row
}

/** Whether a supplier sent nothing within the last hour; a writer of its offers then calls supplierActivityRecord. */
const isQuiet = (tx: Tx, accountId: number) => tx`not exists (
  select from supplier_heard h
  where h.account_id = ${accountId} and h.supplier_id = s.supplier_id and h.heard_at > now() - interval '1 hour')`

export interface LockedSupplier {
  supplierId: number
  code: string
  currency: string
  isQuiet: boolean
}

/** Locks the suppliers with these codes like supplierLockShared, in id order. */
export function suppliersLockShared(tx: Tx, accountId: number, codes: readonly string[]) {
  return tx<LockedSupplier[]>`
    select supplier_id as "supplierId", code, currency, ${isQuiet(tx, accountId)} as "isQuiet" from supplier s
    where account_id = ${accountId} and code = any(${[...codes]}::text[]) and deleted_at is null
    order by supplier_id for share of s`
}

/**
 * Records that these suppliers sent something now: an import has ended, or their offers were written. Called as the
 * last statement of its transaction that may wait for locks; takes them in id order.
 */
export async function supplierActivityRecord(tx: Tx, accountId: number, supplierIds: readonly number[]): Promise<void> {
  if (supplierIds.length === 0) return
  await tx`
    insert into supplier_heard (account_id, supplier_id, heard_at)
    select owner.account_id, given.supplier_id, now()
    from ${ownerOf(tx, accountId)}, unnest(${[...new Set(supplierIds)].sort((a, b) => a - b)}::bigint[]) as given (supplier_id)
    on conflict (account_id, supplier_id) do update set heard_at = greatest(supplier_heard.heard_at, excluded.heard_at)`
}
