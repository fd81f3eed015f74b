/**
 * The fallback chain of a store's locale: the locale and its parents (pl-PL, pl), then those of the account's default
 * locale, without duplicates. A text is taken from the first locale that has one.
 */
export function localeChain(locale: string, fallback: string): string[] {
  return [...new Set([...localeParents(locale), ...localeParents(fallback)])]
}

/** A locale and its parents, the most specific first: pl-PL, pl. */
export function localeParents(locale: string): string[] {
  const parts = locale.split('-')
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'))
}

/** The language of a locale: de of de-AT. */
export function languageOf(locale: string): string {
  return locale.split('-', 1)[0] ?? locale
}

/** Whether two locales are of one language: de-AT and de. */
export function isSameLanguage(a: string, b: string): boolean {
  return languageOf(a) === languageOf(b)
}
