/**
 * Locales from the most to the least wanted: each parent of the store's own (pl-PL, pl), then those of the account's
 * default. A text is taken from the first that has one. The list holds no locale twice.
 */
export function localeChain(locale: string, fallback: string): string[] {
  return [...new Set([...parents(locale), ...parents(fallback)])]
}

function parents(locale: string): string[] {
  const parts = locale.split('-')
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'))
}
