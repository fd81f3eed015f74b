import type { NameField, TextField } from '../../contract/product-fields.ts'
import type { OfferInput, OverrideInput } from './inputs.ts'
import { fromOffer, type Found } from './sources.ts'

/**
 * A text in the first locale of the chain that has one. Within a locale the account's override takes precedence over
 * the suppliers' texts, which are tried in the order of `sources`. Blank texts count as none.
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

/** A field that is the same in every locale: the account's override, else the first value in the order of `sources`. */
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
