/** The languages in which the service writes to people. */
const LANGUAGES = ['en', 'de', 'pl'] as const
export type WrittenLanguage = (typeof LANGUAGES)[number]

/** In which of them one is written to by a BCP 47 tag; English for a language that is none of them. */
export function writtenLanguage(locale: string): WrittenLanguage {
  const [language = ''] = locale.toLowerCase().split('-')
  return LANGUAGES.find((name) => name === language) ?? 'en'
}
