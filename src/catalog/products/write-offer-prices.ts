import type { Tx } from '../../db/sql.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { productsWritten, type Written } from '../stale/written.ts'
import { offerPricesLock, offerPricesUpdate } from './offers.sql.ts'

/** Cost, currency and quantity of one known offer; what is undefined stays. */
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
 * Writes cost, currency and quantity of known offers, each named once, and nothing else of them; marks the products whose prices
 * or stock follow. A fixed number of statements whatever suppliers they are of. The caller has locked the suppliers
 * (suppliersLockShared); the offers are locked here, by supplier and key.
 * @returns what became of each row, in their order; undefined of an offer that is not known, or was dropped.
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
    // an offer that a full feed did not name is there again when its price is given, even an equal one
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
