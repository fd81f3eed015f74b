import type { Reader } from '../../db/sql.ts'

/**
 * Whether the newest import of a supplier, apart from what undid one, is of a source: then what its server calls unchanged is what the
 * supplier's offers were last imported from.
 */
export async function isNewestOfSource(
  reader: Reader,
  accountId: number,
  supplierId: number,
  sourceId: number,
): Promise<boolean> {
  const [row] = await reader<{ sourceId: number | null }[]>`
    select source_id as "sourceId" from import_run
    where account_id = ${accountId} and supplier_id = ${supplierId} and has_written and trigger <> 'undo'
    order by run_id desc limit 1`
  return row?.sourceId === sourceId
}
