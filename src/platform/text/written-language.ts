/** The languages in which the service writes to people. */
const LANGUAGES = ['en', 'de', 'pl'] as const
export type WrittenLanguage = (typeof LANGUAGES)[number]

/** The language in which to write to somebody, by a BCP 47 tag; English if the service does not write in theirs. */
export function writtenLanguage(locale: string): WrittenLanguage {
  const [language = ''] = locale.toLowerCase().split('-')
  return LANGUAGES.find((name) => name === language) ?? 'en'
}
