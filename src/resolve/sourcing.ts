import { Exact } from '../model/money.ts'
import type { Converter } from './currency.ts'
import type { OfferInput, SupplierInput } from './inputs.ts'

/** An offer as it competes: quantity after the safety buffer, cost in the account's currency. */
export interface Candidate {
  offer: OfferInput
  supplier: SupplierInput
  /** Pieces that may be sold: max(0, reported - safety buffer). */
  quantity: number
  /** In the offer's own currency; null when the supplier states none. */
  cost: Exact | null
  /** In the account's currency; null without a cost. */
  comparableCost: Exact | null
}

/**
 * The offers that may be bought, best first: with a cost before without one, in stock before out of stock, then lowest
 * cost in the account's currency, then supplier priority, then lowest supplier id, then the supplier's own key. Offers of
 * inactive suppliers, and of currencies without a usable rate, do not compete.
 */
export function rankOffers(
  offers: readonly OfferInput[],
  suppliers: ReadonlyMap<number, SupplierInput>,
  accountCurrency: string,
  money: Converter,
): Candidate[] {
  const candidates: Candidate[] = []
  for (const offer of offers) {
    const supplier = suppliers.get(offer.supplierId)
    if (supplier === undefined || !supplier.isActive) continue
    const cost = offer.cost === null ? null : new Exact(offer.cost)
    const comparableCost = cost === null ? null : money.convert(cost, offer.currency, accountCurrency)
    if (cost !== null && comparableCost === null) continue
    const quantity = Math.max(0, offer.quantity - supplier.safetyBuffer)
    candidates.push({ offer, supplier, quantity, cost, comparableCost })
  }
  return candidates.sort(compareCandidates)
}

function compareCandidates(a: Candidate, b: Candidate): number {
  if ((a.comparableCost === null) !== (b.comparableCost === null)) return a.comparableCost === null ? 1 : -1
  if (a.quantity > 0 !== b.quantity > 0) return a.quantity > 0 ? -1 : 1
  const byCost = a.comparableCost !== null && b.comparableCost !== null ? a.comparableCost.comparedTo(b.comparableCost) : 0
  if (byCost !== 0) return byCost
  return (
    a.supplier.priority - b.supplier.priority ||
    a.supplier.supplierId - b.supplier.supplierId ||
    compareText(a.offer.supplierSku, b.offer.supplierSku)
  )
}

/** Orders by code units: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
