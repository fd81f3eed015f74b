import type { Tx } from '../../db/sql.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { offerDrop } from './offer-resource.sql.ts'

/** Takes an offer away; its product stays. @returns the products that alters. */
export async function deleteOffer(
  tx: Tx,
  accountId: number,
  supplierId: number,
  supplierSku: string,
): Promise<number[]> {
  const productId = await offerDrop(tx, accountId, supplierId, supplierSku)
  const changed = productId === undefined ? [] : [productId]
  await marksAppend(tx, accountId, changed)
  return changed
}
