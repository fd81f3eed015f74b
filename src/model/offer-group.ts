import type { OfferGroup } from './offer.ts'

/** A group in a form in which equal groups are equal JSON: jsonb keeps the order of neither locales nor members. */
export function orderedGroup({ key, title, options, position }: OfferGroup): OfferGroup {
  return {
    key,
    title: Object.fromEntries(Object.entries(title).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    options: options.map((option) => ({ key: option.key, label: option.label, value: option.value })),
    position,
  }
}

export const isSameGroup = (a: OfferGroup | null, b: OfferGroup | null): boolean =>
  a === b || (a !== null && b !== null && JSON.stringify(orderedGroup(a)) === JSON.stringify(orderedGroup(b)))
