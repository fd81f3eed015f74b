import type { SourceField } from '../../../../contract/product-fields.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import type { SourceOrderInput } from '../../../resolve/inputs.ts'

/** All source orders of the account by field. */
export function sourceOrdersList(reader: Reader, accountId: number) {
  return reader<SourceOrderInput[]>`
    select field, supplier_ids as "supplierIds" from source_order where account_id = ${accountId} order by field`
}

/** Removes a deleted supplier from all source orders; an order that named only it is deleted. */
export async function sourceOrdersForgetSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await tx`delete from source_order where account_id = ${accountId} and supplier_ids = array[${supplierId}]::bigint[]`
  await tx`update source_order set supplier_ids = array_remove(supplier_ids, ${supplierId}::bigint)
    where account_id = ${accountId} and ${supplierId}::bigint = any(supplier_ids)`
}

/** Sets which suppliers are asked first for a field; an empty list deletes the source order. */
export async function sourceOrderWrite(
  tx: Tx,
  accountId: number,
  field: SourceField,
  supplierIds: readonly number[],
): Promise<void> {
  if (supplierIds.length === 0) {
    await tx`delete from source_order where account_id = ${accountId} and field = ${field}`
    return
  }
  await tx`
    insert into source_order (account_id, field, supplier_ids) values (${accountId}, ${field}, ${[...supplierIds]}::bigint[])
    on conflict (account_id, field) do update set supplier_ids = excluded.supplier_ids`
}
