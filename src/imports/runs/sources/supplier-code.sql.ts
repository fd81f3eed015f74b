import type { Tx } from '../../../db/sql.ts'

/** The code of a supplier, for notices. */
export async function supplierCode(tx: Tx, accountId: number, supplierId: number): Promise<string> {
  const [row] = await tx<{ code: string }[]>`
    select code from supplier where account_id = ${accountId} and supplier_id = ${supplierId}`
  return row?.code ?? String(supplierId)
}
