import type { NameField, TextField } from '../../contract/product-fields.ts'
import type { OfferInput, OverrideInput } from './inputs.ts'
import { fromOffer, type Found } from './sources.ts'

/**
 * A text in the first locale of the chain that has one; within a locale the account's override goes before the
 * suppliers' values, those in the order given. Blank texts count as none.
 */
export function findText(
  field: TextField,
  chain: readonly string[],
  overrides: readonly OverrideInput[],
  sources: readonly OfferInput[],
): Found<string> | null {
  for (const locale of chain) {
    const override = overrides.find((entry) => entry.field === field && entry.locale === locale)
    if (override !== undefined) return { value: override.value, source: { from: 'override', locale } }
    for (const offer of sources) {
      const value = offer.texts[locale]?.[field]
      if (value !== undefined && value !== null && value !== '') return fromOffer(value, offer, locale)
    }
  }
  return null
}

/** Manufacturer or category, the same in every locale: the account's override, else the first supplier's that names one. */
export function findName(
  field: NameField,
  overrides: readonly OverrideInput[],
  sources: readonly OfferInput[],
): Found<string> | null {
  const override = overrides.find((entry) => entry.field === field)
  if (override !== undefined) return { value: override.value, source: { from: 'override', locale: '' } }
  for (const offer of sources) {
    const value = offer[field]
    if (value !== null && value !== '') return fromOffer(value, offer)
  }
  return null
}
