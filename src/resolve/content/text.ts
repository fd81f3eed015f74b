import type { NameField, TextField } from '../../../contract/product-fields.ts'
import { visible } from '../../model/blank.ts'
import { languageOf } from '../../model/locale.ts'
import type { OfferInput, OverrideInput } from '../inputs.ts'
import { fromOffer, type Found } from '../sourcing/sources.ts'
import { compareText } from '../sourcing/sourcing.ts'

// Texts are checked and trimmed when they come in; they are trimmed here as well, because those that were stored before
// that was so must not stand in front of real ones either.

/** In which locales a store's texts are looked for. */
export interface TextLocales {
  /** The store's locale, its parents, the account's. */
  chain: readonly string[]
  /** Whether any other locale will do where none of the chain has a text. */
  isAnyAllowed: boolean
}

/** An offer as far as its texts go. */
export type TextSource = Pick<OfferInput, 'supplierId' | 'supplierSku' | 'texts'>

/**
 * A text in the first locale that has one. Within a locale the account's override takes precedence over the suppliers'
 * texts, which are tried in the order of `sources`. Blank texts count as none.
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
 * Every locale outside the chain in which a text is stated: those of the store's language first, then of the account's, then
 * by their tags, so that the same is taken whatever the order of the offers.
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

/** Those of these fields that any source states in any locale: only they need to be looked for. */
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
