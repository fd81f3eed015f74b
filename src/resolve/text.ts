import type { OfferInput, OverrideInput } from './inputs.ts'

/**
 * A text in the first locale of the chain that has one; within a locale the account's override goes before the
 * suppliers' values, those in the order given. Blank texts count as none.
 */
export function resolveText(
  field: 'title' | 'description',
  chain: readonly string[],
  overrides: readonly OverrideInput[],
  offers: readonly OfferInput[],
): string | null {
  for (const locale of chain) {
    const override = overrides.find((entry) => entry.field === field && entry.locale === locale)
    if (override !== undefined) return override.value
    for (const offer of offers) {
      const value = offer.texts[locale]?.[field]
      if (value !== undefined && value !== null && value !== '') return value
    }
  }
  return null
}

/** The manufacturer: the account's override, else the first supplier's that names one. */
export function resolveManufacturer(
  overrides: readonly OverrideInput[],
  offers: readonly OfferInput[],
): string | null {
  const override = overrides.find((entry) => entry.field === 'manufacturer')
  if (override !== undefined) return override.value
  return offers.find((offer) => offer.manufacturer !== null && offer.manufacturer !== '')?.manufacturer ?? null
}
