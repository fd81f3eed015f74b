import type { Tx } from '../../../db/sql.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { sameDecimal } from './offer-state.ts'
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
 * Writes only cost, currency and quantity of known offers, as if the rows were written one after the other; marks the
 * products whose prices or stock depend on them. The number of statements does not depend on the suppliers. The caller
 * has locked the suppliers (suppliersLockShared); the offers are locked here, by supplier and key.
 * @returns the result of each row, in their order; undefined for an offer that is unknown or was dropped.
 */
export async function writeOfferPrices(
  tx: Tx,
  accountId: number,
  rows: readonly OfferPriceWrite[],
): Promise<Written<(OfferPriceOutcome | undefined)[]>> {
  if (rows.length === 0) return productsWritten([], [])
  const keyOf = (offer: { supplierId: number; supplierSku: string }) => `${offer.supplierId} ${offer.supplierSku}`
  const named = new Map(rows.map((row) => [keyOf(row), row]))
  const known = await offerPricesLock(tx, accountId, [...named.values()])
  const knownOf = new Map(known.map((offer) => [keyOf(offer), offer]))
  const written = new Map<string, (typeof known)[number]>()
  const outcomes = rows.map((row): OfferPriceOutcome | undefined => {
    const offer = knownOf.get(keyOf(row))
    if (offer === undefined) return undefined
    const next = {
      ...offer,
      cost: row.cost === undefined ? offer.cost : row.cost,
      currency: row.currency ?? offer.currency,
      quantity: row.quantity ?? offer.quantity,
    }
    const isMoved =
      !sameDecimal(next.cost, offer.cost) || next.currency !== offer.currency || next.quantity !== offer.quantity
    // an absent or stale offer is current again once its price is set, even to an equal one
    if (isMoved || offer.isAbsent || offer.isStale) written.set(keyOf(row), next)
    // a later row of the same offer is compared with this state
    knownOf.set(keyOf(row), next)
    return { status: isMoved ? 'changed' : 'unchanged', productId: offer.productId }
  })
  if (written.size > 0) await offerPricesUpdate(tx, accountId, [...written.values()])
  const result = productsWritten(
    outcomes.flatMap((outcome) => (outcome?.status === 'changed' ? [outcome.productId] : [])),
    outcomes,
  )
  await marksAppend(tx, accountId, result.productIds, 'price')
  return result
}
