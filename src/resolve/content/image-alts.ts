import { visible } from '../../model/blank.ts'
import type { ImageAlts } from '../../model/image-alts.ts'
import type { OfferInput, OverrideInput } from '../inputs.ts'
import { fromOffer, type Found } from '../sourcing/sources.ts'
import { otherLocales, type TextLocales } from './text.ts'

// Alternative texts of pictures. A text belongs to a URL, whoever names it, because the owner may have chosen among suppliers'
// pictures.

type Stating = OfferInput & { imageAlts: ImageAlts }

/** The alternative texts stated for a product's pictures. */
export interface StatedAlts {
  /** The owner's texts, by locale and URL. */
  own: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  sources: readonly Stating[]
}

/** @param sources in source order for images. @returns null if nobody states any, as for most products. */
export function statedAlts(overrides: readonly OverrideInput[], sources: readonly OfferInput[]): StatedAlts | null {
  const own = new Map(
    overrides.flatMap(({ field, locale, value }) => (field === 'image_alts' ? [[locale, altsIn(value)] as const] : [])),
  )
  const stating = sources.filter((offer): offer is Stating => offer.imageAlts !== null)
  return own.size === 0 && stating.length === 0 ? null : { own, sources: stating }
}

/** The texts in a JSON object; none if the text is anything else. */
function altsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const alts: unknown = JSON.parse(text)
    return typeof alts === 'object' && alts !== null ? (alts as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/**
 * A picture's alternative text in the first locale in which one is stated, as for other texts: within a locale the owner's precedes
 * the suppliers'.
 */
export function findAlt(
  stated: StatedAlts | null,
  { chain, isAnyAllowed }: TextLocales,
  url: string,
): Found<string> | null {
  if (stated === null) return null
  const found = findIn(stated, chain, url)
  if (found !== null || !isAnyAllowed) return found
  const { own, sources } = stated
  const locales = [...own.keys(), ...sources.flatMap(({ imageAlts }) => Object.keys(imageAlts))]
  return findIn(stated, otherLocales(chain, locales), url)
}

function findIn({ own, sources }: StatedAlts, locales: readonly string[], url: string): Found<string> | null {
  for (const locale of locales) {
    const chosen = altOf(own.get(locale), url)
    if (chosen !== null) return { value: chosen, source: { from: 'override', locale } }
    for (const offer of sources) {
      const text = altOf(Object.hasOwn(offer.imageAlts, locale) ? offer.imageAlts[locale] : undefined, url)
      if (text !== null) return fromOffer(text, offer, locale)
    }
  }
  return null
}

function altOf(texts: Readonly<Record<string, unknown>> | undefined, url: string): string | null {
  if (texts === undefined || !Object.hasOwn(texts, url)) return null
  const text = texts[url]
  return typeof text === 'string' ? visible(text) : null
}
