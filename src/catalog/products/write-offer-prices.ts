import type { Tx } from '../../db/sql.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { productsWritten, type Written } from '../stale/written.ts'
import { offerPricesLock, offerPricesUpdate } from './offers.sql.ts'

/** Cost, currency and quantity of one known offer; undefined: unchanged. */
export interface OfferPriceWrite {
  supplierId: number
  supplierSku: string
  cost: string | null | undefined
  currency: string | undefined
  quantity: number | undefined
}

export interface OfferPriceOutcome {
  status: 'changed' | 'unchanged'
  productId: number
}

/**
 * Writes only cost, currency and quantity of known offers, each given once; marks the products whose prices or stock
 * depend on them. The number of statements does not depend on the suppliers. The caller has locked the suppliers
 * (suppliersLockShared); the offers are locked here, by supplier and key.
 * @returns the result of each row, in their order; undefined for an offer that is unknown or was dropped.
 */
export async function writeOfferPrices(
  tx: Tx,
  accountId: number,
  rows: readonly OfferPriceWrite[],
): Promise<Written<(OfferPriceOutcome | undefined)[]>> {
  if (rows.length === 0) return productsWritten([], [])
  const known = await offerPricesLock(tx, accountId, rows)
  const knownOf = new Map(known.map((offer) => [`${offer.supplierId} ${offer.supplierSku}`, offer]))
  const written: (typeof known)[number][] = []
  const outcomes = rows.map((row): OfferPriceOutcome | undefined => {
    const offer = knownOf.get(`${row.supplierId} ${row.supplierSku}`)
    if (offer === undefined) return undefined
    const next = {
      ...offer,
      cost: row.cost === undefined ? offer.cost : row.cost,
      currency: row.currency ?? offer.currency,
      quantity: row.quantity ?? offer.quantity,
    }
    const isMoved = next.cost !== offer.cost || next.currency !== offer.currency || next.quantity !== offer.quantity
    // an offer that a full file did not contain is no longer absent once its price is set, even to an equal one
    if (isMoved || offer.isAbsent) written.push(next)
    return { status: isMoved ? 'changed' : 'unchanged', productId: offer.productId }
  })
  if (written.length > 0) await offerPricesUpdate(tx, accountId, written)
  const result = productsWritten(
    outcomes.flatMap((outcome) => (outcome?.status === 'changed' ? [outcome.productId] : [])),
    outcomes,
  )
  await marksAppend(tx, accountId, result.productIds, 'price')
  return result
}
