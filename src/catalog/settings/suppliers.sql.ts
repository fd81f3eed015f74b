import { explainViolation, type Reader, type Tx } from '../../db/sql.ts'

export interface SupplierRow {
  supplierId: number
  code: string
  name: string
  currency: string
  priority: number
  safetyBuffer: number
  isActive: boolean
}

/** All suppliers of the account that are not deleted, by id. */
export function suppliersList(reader: Reader, accountId: number) {
  return reader<SupplierRow[]>`
    select supplier_id as "supplierId", code, name, currency, priority, safety_buffer as "safetyBuffer",
      is_active as "isActive"
    from supplier where account_id = ${accountId} and deleted_at is null order by supplier_id`
}

export async function supplierInsert(
  tx: Tx,
  accountId: number,
  supplier: Omit<SupplierRow, 'supplierId' | 'isActive'>,
): Promise<number> {
  const [row] = await tx<{ supplier_id: number }[]>`
    insert into supplier (account_id, code, name, currency, priority, safety_buffer)
    values (${accountId}, ${supplier.code}, ${supplier.name}, ${supplier.currency}, ${supplier.priority},
      ${supplier.safetyBuffer})
    returning supplier_id`.catch((error: unknown) =>
    explainViolation(error, { supplier_code: `a supplier "${supplier.code}" exists already` }),
  )
  return row?.supplier_id ?? 0
}

export type SupplierChanges = Partial<Pick<SupplierRow, 'name' | 'priority' | 'safetyBuffer' | 'isActive'>>

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
      is_active = coalesce(${changes.isActive ?? null}, is_active)
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

/**
 * Locks a supplier, shared: conflicts with transactions that edit or delete it. Without it an offer written during the
 * deletion would stay behind for ever. @returns whether the account has it.
 */
export async function supplierLockShared(tx: Tx, accountId: number, supplierId: number): Promise<boolean> {
  const rows = await tx`
    select from supplier where account_id = ${accountId} and supplier_id = ${supplierId} and deleted_at is null for share`
  return rows.length > 0
}

/** Locks the suppliers with these codes like supplierLockShared, in id order. */
export function suppliersLockShared(tx: Tx, accountId: number, codes: readonly string[]) {
  return tx<{ supplierId: number; code: string; currency: string }[]>`
    select supplier_id as "supplierId", code, currency from supplier
    where account_id = ${accountId} and code = any(${[...codes]}::text[]) and deleted_at is null
    order by supplier_id for share`
}
