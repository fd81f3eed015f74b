import { elementText, listOf, memberOf } from '../xml/names.ts'
import { localeOf } from './languages.ts'

/**
 * The texts of an element by locale. A text without a language is in that of `locale`; several texts of one language are
 * joined with line feeds.
 */
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
