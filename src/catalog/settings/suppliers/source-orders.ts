import { SOURCE_FIELDS, type SourceField } from '../../../../contract/product-fields.ts'
import type { Tx } from '../../../db/sql.ts'
import { Check } from '../../../input/check.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import { checkConditions, requireNamed } from '../rules/rule-conditions.ts'
import { sourceOrderWrite } from './source-orders.sql.ts'

/**
 * Sets which suppliers are asked first for a field; the others follow by their priority. An empty list deletes the
 * source order.
 */
export async function setSourceOrder(
  tx: Tx,
  accountId: number,
  field: SourceField,
  supplierIds: readonly number[],
): Promise<Written> {
  await settingsLock(tx, accountId)
  const check = new Check()
  check.that(SOURCE_FIELDS.includes(field), 'field', `must be one of ${SOURCE_FIELDS.join(', ')}`)
  if (supplierIds.length > 0) checkConditions(check, { supplierIds })
  check.that(new Set(supplierIds).size === supplierIds.length, 'supplier_ids', 'names a supplier twice')
  check.done('source order')
  await requireNamed(tx, accountId, { supplierIds })
  await sourceOrderWrite(tx, accountId, field, supplierIds)
  await sweepAppend(tx, accountId, 'source order set')
  return settingsWritten()
}
