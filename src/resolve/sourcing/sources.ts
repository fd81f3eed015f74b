import type { SourceField } from '../../../contract/product-fields.ts'
import type { EanInput, OfferInput, OverrideInput, SourceOrderInput, SupplierInput } from '../inputs.ts'
import { compareText } from './sourcing.ts'

/** The origin of a value, as `explain` shows it. */
export type Source =
  /** `*`: for every locale not named; '': for a field that is the same in every locale. */
  | { from: 'override'; locale: string }
  | { from: 'supplier'; supplierId: number; supplierSku: string; locale: string | null }

export interface Found<T> {
  value: T
  source: Source
}

/** The key of an offer. */
type OfferKey = Pick<OfferInput, 'supplierId' | 'supplierSku'>

/** A value that comes from an offer. */
export function fromOffer<T>(value: T, offer: OfferKey, locale: string | null = null): Found<T> {
  return { value, source: { from: 'supplier', supplierId: offer.supplierId, supplierSku: offer.supplierSku, locale } }
}

/** The offer that a value was taken from; undefined for an override. */
export const offerOf = <O extends OfferKey>(source: Source, offers: readonly O[]): O | undefined =>
  source.from === 'override'
    ? undefined
    : offers.find(
        ({ supplierId, supplierSku }) => supplierId === source.supplierId && supplierSku === source.supplierSku,
      )

/** Sorts a product's offers into source order. */
export interface SourceOrders {
  /** The order for fields without an order of their own. */
  general<O extends OfferKey>(offers: readonly O[]): O[]
  /** The order for one field. @param general the result of `general`. */
  of<O extends OfferKey>(field: SourceField, general: readonly O[]): readonly O[]
}

/**
 * Source order is by supplier priority, not by cost, so that a title does not change with the stock. Inactive suppliers
 * come last rather than not at all: pausing a supplier must not blank a product. A field's own source order names
 * suppliers that precede the other active ones.
 */
export function sourceOrders(
  suppliers: ReadonlyMap<number, SupplierInput>,
  orders: readonly SourceOrderInput[],
): SourceOrders {
  const ranks = new Map(
    orders.map(({ field, supplierIds }) => [field, new Map([...supplierIds].reverse().map((id, i) => [id, -1 - i]))]),
  )
  const inactive = (offer: OfferKey) => (suppliers.get(offer.supplierId)?.isActive === true ? 0 : 1)
  const priority = (offer: OfferKey) => suppliers.get(offer.supplierId)?.priority ?? 0
  return {
    general: (offers) =>
      [...offers].sort(
        (a, b) =>
          inactive(a) - inactive(b) ||
          priority(a) - priority(b) ||
          a.supplierId - b.supplierId ||
          compareText(a.supplierSku, b.supplierSku),
      ),
    of(field, general) {
      const rank = ranks.get(field)
      if (rank === undefined) return general
      // the sort is stable: suppliers without a rank keep the general order after those with one; inactive ones stay
      // last
      return [...general].sort(
        (a, b) => inactive(a) - inactive(b) || (rank.get(a.supplierId) ?? 0) - (rank.get(b.supplierId) ?? 0),
      )
    },
  }
}

/** The EAN that the owner chose, otherwise the first EAN of the first supplier that has one. */
export function findEan(eans: readonly EanInput[], sources: readonly OfferInput[]): Found<string> | null {
  const chosen = eans.find((entry) => entry.isPrimary)
  if (chosen !== undefined) return { value: chosen.ean, source: { from: 'override', locale: '' } }
  for (const offer of sources) {
    let first: EanInput | undefined
    for (const entry of eans) {
      if (entry.supplierId !== offer.supplierId || entry.supplierSku !== offer.supplierSku) continue
      if (
        first === undefined ||
        entry.position < first.position ||
        (entry.position === first.position && entry.ean < first.ean)
      )
        first = entry
    }
    if (first !== undefined) return fromOffer(first.ean, offer)
  }
  return null
}

/**
 * The owner's images, even if the list is empty, otherwise those of the first supplier that has any. Images of several
 * suppliers are never mixed.
 */
export function findImages(
  overrides: readonly OverrideInput[],
  sources: readonly OfferInput[],
): Found<readonly string[]> | null {
  const override = overrides.find((entry) => entry.field === 'images')
  const chosen = override === undefined ? null : urlsIn(override.value)
  if (chosen !== null) return { value: chosen, source: { from: 'override', locale: '' } }
  const offer = sources.find((entry) => entry.images.length > 0)
  return offer === undefined ? null : fromOffer(offer.images, offer)
}

/** The URLs in a JSON array; null if the text is anything else, which counts as no override. */
export function urlsIn(text: string): string[] | null {
  try {
    const urls: unknown = JSON.parse(text)
    return Array.isArray(urls) && urls.every((url) => typeof url === 'string') ? urls : null
  } catch {
    return null
  }
}
