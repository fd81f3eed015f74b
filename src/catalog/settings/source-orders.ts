import type { Tx } from '../../db/sql.ts'
import { Check } from '../../input/check.ts'
import type { SourceField } from '../../resolve/inputs.ts'
import { sweepAppend } from '../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../stale/written.ts'
import { settingsLock } from './settings-lock.sql.ts'
import { checkConditions, requireNamed } from './rule-conditions.ts'
import { sourceOrderWrite } from './source-orders.sql.ts'

/** Which suppliers are asked first for a field; the others follow by their priority. An empty list deletes the order. */
export async function setSourceOrder(
  tx: Tx,
  accountId: number,
  field: SourceField,
  supplierIds: readonly number[],
): Promise<Written> {
  await settingsLock(tx, accountId)
  const check = new Check()
  const fields: readonly string[] = [
    'title',
    'description',
    'manufacturer',
    'category',
    'images',
    'attributes',
    'ean',
    'sku',
  ]
  check.that(fields.includes(field), 'field', `must be one of ${fields.join(', ')}`)
  if (supplierIds.length > 0) checkConditions(check, { supplierIds })
  check.that(new Set(supplierIds).size === supplierIds.length, 'supplier_ids', 'names a supplier twice')
  check.done('source order')
  await requireNamed(tx, accountId, { supplierIds })
  await sourceOrderWrite(tx, accountId, field, supplierIds)
  await sweepAppend(tx, accountId, 'source order set')
  return settingsWritten()
}
