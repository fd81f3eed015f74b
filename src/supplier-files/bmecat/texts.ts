import { elementText, listOf, memberOf } from '../xml/names.ts'
import { localeOf } from './languages.ts'

/** The texts of an element by locale. One without a language is in the catalog's; several of one language are paragraphs. */
export function textsOf(value: unknown, locale: string): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const one of listOf(value)) {
    const language = elementText(memberOf(one, '@lang'))
    const at = language === '' ? locale : localeOf(language)
    const text = elementText(one)
    if (text !== '') texts[at] = texts[at] === undefined ? text : `${texts[at]}\n${text}`
  }
  return texts
}
