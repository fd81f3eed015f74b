import { changeUse } from '../../../accounts/limits/use.ts'
import type { Tx } from '../../../db/sql.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { offerDrop } from './offer-resource.sql.ts'

/** Drops an offer; its product stays. */
export async function deleteOffer(
  tx: Tx,
  accountId: number,
  supplierId: number,
  supplierSku: string,
): Promise<Written> {
  const productId = await offerDrop(tx, accountId, supplierId, supplierSku)
  const changed = productId === undefined ? [] : [productId]
  await changeUse(tx, accountId, { offers: -changed.length })
  await marksAppend(tx, accountId, changed)
  return productsWritten(changed)
}
