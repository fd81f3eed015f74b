import type { Tx } from '../../../db/sql.ts'
import { marksAppend } from '../../marks/store.ts'
import { offerDrop } from './store.ts'

/** Takes an offer away; its product stays. @returns the products that alters. */
export async function deleteOffer(tx: Tx, accountId: number, supplierId: number, supplierSku: string): Promise<number[]> {
  const productId = await offerDrop(tx, accountId, supplierId, supplierSku)
  const changed = productId === undefined ? [] : [productId]
  await marksAppend(tx, accountId, changed)
  return changed
}
