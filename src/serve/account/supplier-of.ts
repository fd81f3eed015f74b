import { suppliersList, type SupplierRow } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'

/** The supplier with a code. @throws ShelfwireError unknown-supplier */
export async function supplierOf(reader: Reader, accountId: number, code: string): Promise<SupplierRow> {
  const supplier = (await suppliersList(reader, accountId)).find((row) => row.code === code)
  if (supplier === undefined) throw noSupplier(code)
  return supplier
}

export const noSupplier = (code: string) =>
  new ShelfwireError('unknown-supplier', `the account has no supplier "${code.slice(0, 80)}"`)
