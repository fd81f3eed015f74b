import i18next from 'i18next'
import { addWords } from '../../words/add-words.ts'
import findings from '../../words/en/findings.json'

addWords({ findings })

/** A text whose key contains a name from the service; undefined if there is none. */
export function wordsOf(key: string): string | undefined {
  return i18next.exists(`findings:${key}`) ? i18next.t(`findings:${key}` as 'findings:title') : undefined
}

/** An API name as words: "texts_from_any_locale" becomes "Texts from any locale". */
export const humanizedName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
