/** Alternative texts by BCP 47 locale and picture URL. Pictures without a text, and locales without texts, have no entry. */
export type ImageAlts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Texts in a form in which equal texts are equal JSON: jsonb does not keep the order of members. */
export const orderedAlts = (alts: ImageAlts): ImageAlts =>
  ordered(Object.entries(alts).map(([locale, texts]) => [locale, ordered(Object.entries(texts))]))

function ordered<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export const isSameAlts = (a: ImageAlts | null, b: ImageAlts | null): boolean =>
  a === b || (a !== null && b !== null && JSON.stringify(orderedAlts(a)) === JSON.stringify(orderedAlts(b)))

/** The texts of these pictures; null: none. */
export function altsOfImages(alts: ImageAlts, urls: readonly string[]): ImageAlts | null {
  const known = new Set(urls)
  const kept = Object.entries(alts).flatMap(([locale, texts]): [string, Record<string, string>][] => {
    const own = Object.entries(texts).filter(([url]) => known.has(url))
    return own.length === 0 ? [] : [[locale, Object.fromEntries(own)]]
  })
  return kept.length === 0 ? null : Object.fromEntries(kept)
}
