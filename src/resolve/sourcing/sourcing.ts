import { exactOf, type Exact } from '../../model/money.ts'
import type { TaxRate } from '../../model/payload.ts'
import type { Converter } from '../currency.ts'
import type { OfferInput, SupplierInput } from '../inputs.ts'

/** An offer that competes: with its quantity after the safety buffer, and its cost in the account's currency. */
export interface Candidate {
  offer: OfferInput
  supplier: SupplierInput
  /** Pieces that may be sold: max(0, reported - safety buffer). */
  quantity: number
  /** In the offer's own currency, without tax; null when the supplier gives none. */
  cost: Exact | null
  /** What was taken out of the cost that the offer states; null: it states it without tax. */
  tax: TaxRate | null
  /** In the account's currency; null without a cost. */
  comparableCost: Exact | null
}

/** Why an offer does not compete. */
export type Ineligible = 'unknown_supplier' | 'inactive_supplier' | 'no_tax_rate' | 'no_exchange_rate'

/** Said of an amount that has no tax in it. */
export const NO_TAX = 'none'

/** The product's tax rate in a country; null where none is known. */
export type TaxOf = (country: string) => TaxRate | null
const noTax: TaxOf = () => null

/** The country whose tax is in the cost of an offer; null: it is without tax. @param own what the owner says of the product. */
export function costTaxCountry(offer: OfferInput, supplier: SupplierInput, own: string | null): string | null {
  const stated = own ?? offer.cost_tax
  if (stated === null) return supplier.costTaxCountry
  return stated === NO_TAX ? null : stated
}

/** The offer as a candidate, or why it does not compete. */
export function candidateOf(
  offer: OfferInput,
  suppliers: ReadonlyMap<number, SupplierInput>,
  accountCurrency: string,
  money: Converter,
  taxOf: TaxOf = noTax,
  ownCostTax: string | null = null,
): Candidate | Ineligible {
  const supplier = suppliers.get(offer.supplierId)
  if (supplier === undefined) return 'unknown_supplier'
  if (!supplier.isActive) return 'inactive_supplier'
  const stated = offer.cost === null ? null : exactOf(offer.cost)
  const country = costTaxCountry(offer, supplier, ownCostTax)
  const tax = stated === null || country === null ? null : taxOf(country)
  if (stated !== null && country !== null && tax === null) return 'no_tax_rate'
  const cost = stated === null || tax === null ? stated : stated.dividedBy(tax.factor)
  const comparableCost = cost === null ? null : money.convert(cost, offer.currency, accountCurrency)
  if (cost !== null && comparableCost === null) return 'no_exchange_rate'
  return { offer, supplier, quantity: Math.max(0, offer.quantity - supplier.safetyBuffer), cost, tax, comparableCost }
}

/** What decides between two offers: the first criterion in which they differ. `explain` names it. */
const CRITERIA = [
  {
    name: 'has_cost',
    compare: (a: Candidate, b: Candidate) => Number(a.comparableCost === null) - Number(b.comparableCost === null),
  },
  { name: 'in_stock', compare: (a: Candidate, b: Candidate) => Number(a.quantity === 0) - Number(b.quantity === 0) },
  {
    name: 'cost',
    compare: (a: Candidate, b: Candidate) =>
      a.comparableCost === null || b.comparableCost === null ? 0 : a.comparableCost.comparedTo(b.comparableCost),
  },
  { name: 'supplier_priority', compare: (a: Candidate, b: Candidate) => a.supplier.priority - b.supplier.priority },
  { name: 'supplier_id', compare: (a: Candidate, b: Candidate) => a.supplier.supplierId - b.supplier.supplierId },
  {
    name: 'supplier_sku',
    compare: (a: Candidate, b: Candidate) => compareText(a.offer.supplierSku, b.offer.supplierSku),
  },
] as const

export type SourcingCriterion = (typeof CRITERIA)[number]['name']

/**
 * The offers that compete, best first: with a cost before without, in stock before out of stock, then the lowest cost
 * in the account's currency, then supplier priority, then the lowest supplier id, then the supplier's SKU. Offers of
 * inactive suppliers, in currencies without a usable rate, and with tax of an unknown rate in their cost, do not compete.
 */
export function rankOffers(
  offers: readonly OfferInput[],
  suppliers: ReadonlyMap<number, SupplierInput>,
  accountCurrency: string,
  money: Converter,
  taxOf: TaxOf = noTax,
  ownCostTax: string | null = null,
): Candidate[] {
  const candidates: Candidate[] = []
  for (const offer of offers) {
    const candidate = candidateOf(offer, suppliers, accountCurrency, money, taxOf, ownCostTax)
    if (typeof candidate !== 'string') candidates.push(candidate)
  }
  return candidates.length < 2 ? candidates : candidates.sort(compareCandidates)
}

function compareCandidates(a: Candidate, b: Candidate): number {
  for (const { compare } of CRITERIA) {
    const order = compare(a, b)
    if (order !== 0) return order
  }
  return 0
}

/** The criterion that put the better offer before the other; null when they are equal in all. */
export function decidedBy(better: Candidate, other: Candidate): SourcingCriterion | null {
  return CRITERIA.find(({ compare }) => compare(better, other) < 0)?.name ?? null
}

/** Orders by code units: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
