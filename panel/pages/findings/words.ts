import i18next from 'i18next'
import { addWords } from '../../words/add-words.ts'
import findings from '../../words/en/findings.json'

addWords({ findings })

/** A text whose key is made of a name that the service sends. */
export function wordsOf(key: string): string | undefined {
  return i18next.exists(`findings:${key}`) ? i18next.t(`findings:${key}` as 'findings:title') : undefined
}

/** A name of the API as one reads it: "texts_from_any_locale" is "Texts from any locale". */
export const spoken = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
