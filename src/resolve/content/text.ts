import type { NameField, TextField } from '../../../contract/product-fields.ts'
import { visible } from '../../model/blank.ts'
import { languageOf } from '../../model/locale.ts'
import type { OfferInput, OverrideInput } from '../inputs.ts'
import { fromOffer, type Found } from '../sourcing/sources.ts'
import { compareText } from '../sourcing/sourcing.ts'

// Texts are checked and trimmed on input. They are trimmed here as well, because blank texts stored before that was
// introduced must not hide real ones.

/** The locales in which a store's texts are looked for. */
export interface TextLocales {
  /** The store's locale and its parents, then the account's, in order. */
  chain: readonly string[]
  /** Whether a text in any other locale is shown if none exists in the chain. */
  isAnyAllowed: boolean
}

/** The part of an offer that texts are found in. */
export type TextSource = Pick<OfferInput, 'supplierId' | 'supplierSku' | 'texts'>

/**
 * A text in the first locale that has one. Within a locale the owner's override precedes the suppliers' texts, which are
 * tried in the order of `sources`. Blank texts are skipped.
 */
export function findText(
  field: TextField,
  { chain, isAnyAllowed }: TextLocales,
  overrides: readonly OverrideInput[],
  sources: readonly TextSource[],
): Found<string> | null {
  const found = findIn(field, chain, overrides, sources)
  return found !== null || !isAnyAllowed
    ? found
    : findIn(field, otherLocales(chain, statedLocales(field, overrides, sources)), overrides, sources)
}

const statedLocales = (field: TextField, overrides: readonly OverrideInput[], sources: readonly TextSource[]) => [
  ...overrides.filter((entry) => entry.field === field).map(({ locale }) => locale),
  ...sources.flatMap(({ texts }) => Object.keys(texts)),
]

/**
 * Every locale outside the chain in which a text is stated: the store's language first, then the account's, then by tag, so
 * that the result does not depend on the order of the offers.
 */
export function otherLocales(chain: readonly string[], stated: readonly string[]): string[] {
  const languages = chain.map(languageOf)
  const rank = (locale: string) => {
    const at = languages.indexOf(languageOf(locale))
    return at < 0 ? languages.length : at
  }
  return [...new Set(stated)]
    .filter((locale) => !chain.includes(locale))
    .sort((a, b) => rank(a) - rank(b) || compareText(a, b))
}

function findIn(
  field: TextField,
  locales: readonly string[],
  overrides: readonly OverrideInput[],
  sources: readonly TextSource[],
): Found<string> | null {
  for (const locale of locales) {
    const own = visible(overrides.find((entry) => entry.field === field && entry.locale === locale)?.value)
    if (own !== null) return { value: own, source: { from: 'override', locale } }
    for (const offer of sources) {
      const value = visible(offer.texts[locale]?.[field])
      if (value !== null) return fromOffer(value, offer, locale)
    }
  }
  return null
}

/** Those of these fields that a source states in some locale; the others need not be looked for. */
export function statedTexts<F extends TextField>(
  fields: readonly F[],
  overrides: readonly OverrideInput[],
  sources: readonly TextSource[],
): F[] {
  return fields.filter(
    (field) =>
      overrides.some((entry) => entry.field === field) ||
      sources.some(({ texts }) => {
        for (const locale in texts) if (texts[locale]?.[field] !== undefined) return true
        return false
      }),
  )
}

/** A field that is the same in every locale: the owner's override, otherwise the first value in the order of `sources`. */
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
