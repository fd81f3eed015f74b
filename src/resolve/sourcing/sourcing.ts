import { exactOf, type Exact } from '../../model/money.ts'
import type { TaxRate } from '../../model/payload.ts'
import type { Converter } from '../currency.ts'
import type { OfferInput, SupplierInput } from '../inputs.ts'

/** An offer that competes, with its quantity after the safety buffer and its cost in the account's currency. */
export interface Candidate {
  offer: OfferInput
  supplier: SupplierInput
  /** Pieces that may be sold: max(0, reported - safety buffer). */
  quantity: number
  /** In the offer's currency, without tax; null if the supplier states none. */
  cost: Exact | null
  /** The rate of the tax taken out of the stated cost; null: the stated cost is without tax. */
  tax: TaxRate | null
  /** In the account's currency, without tax; null without a cost. */
  comparableCost: Exact | null
}

/** Why an offer does not compete. */
export type Ineligible = 'unknown_supplier' | 'inactive_supplier' | 'no_tax_rate' | 'no_exchange_rate'

/** The value of tax fields for an amount without tax. */
export const NO_TAX = 'none'

/** The product's tax rate in a country; null if there is none today. */
export type TaxOf = (country: string) => TaxRate | null
const noTax: TaxOf = () => null

/** The country whose tax the cost of an offer includes; null: it includes none. @param own the owner's value of `cost_tax`. */
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

/** The criteria that rank offers, in order: the first in which two offers differ decides. `explain` names it. */
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
 * The offers that compete, best first: with a cost before without, in stock before out of stock, then by lowest cost in the
 * account's currency, supplier priority, supplier id and supplier SKU. Offers of inactive or unknown suppliers, in currencies
 * without a rate, and with an unknown tax rate in their cost do not compete.
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

/** The criterion by which the better offer precedes the other; null if they are equal in all. */
export function decidedBy(better: Candidate, other: Candidate): SourcingCriterion | null {
  return CRITERIA.find(({ compare }) => compare(better, other) < 0)?.name ?? null
}

/** Compares by code units: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
