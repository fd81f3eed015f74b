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

/** All suppliers of the account by id. */
export function suppliersList(reader: Reader, accountId: number) {
  return reader<SupplierRow[]>`
    select supplier_id as "supplierId", code, name, currency, priority, safety_buffer as "safetyBuffer",
      is_active as "isActive"
    from supplier where account_id = ${accountId} order by supplier_id`
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
    explainViolation(error, { supplier_account_id_code_key: `a supplier «${supplier.code}» exists already` }),
  )
  return row?.supplier_id ?? 0
}

export type SupplierChanges = Partial<Pick<SupplierRow, 'name' | 'priority' | 'safetyBuffer' | 'isActive'>>

/** Changes what is given and leaves the rest; false when there is no such supplier. */
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
    where account_id = ${accountId} and supplier_id = ${supplierId}`
  return result.count === 1
}
