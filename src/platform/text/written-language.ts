/** The languages in which the service writes to people. */
const LANGUAGES = ['en', 'de', 'pl'] as const
export type WrittenLanguage = (typeof LANGUAGES)[number]

/** The language for writing to somebody, by a BCP 47 tag; English if theirs is not among LANGUAGES. */
export function writtenLanguage(locale: string): WrittenLanguage {
  const [language = ''] = locale.toLowerCase().split('-')
  return LANGUAGES.find((name) => name === language) ?? 'en'
}
