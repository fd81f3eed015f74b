import type { NameField, TextField } from '../../contract/product-fields.ts'
import { visible } from '../model/blank.ts'
import type { OfferInput, OverrideInput } from './inputs.ts'
import { fromOffer, type Found } from './sources.ts'

// Texts are checked and trimmed when they come in; they are trimmed here as well, because those that were stored before
// that was so must not stand in front of real ones either.

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
    const own = visible(overrides.find((entry) => entry.field === field && entry.locale === locale)?.value)
    if (own !== null) return { value: own, source: { from: 'override', locale } }
    for (const offer of sources) {
      const value = visible(offer.texts[locale]?.[field])
      if (value !== null) return fromOffer(value, offer, locale)
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
  const own = visible(overrides.find((entry) => entry.field === field)?.value)
  if (own !== null) return { value: own, source: { from: 'override', locale: '' } }
  for (const offer of sources) {
    const value = visible(offer[field])
    if (value !== null) return fromOffer(value, offer)
  }
  return null
}
