import i18next from 'i18next'
import findings from '../../words/en/findings.json'

// English comes with the panel; these words come with the page.
i18next.addResourceBundle('en', 'findings', findings)

/** A text whose key is made of a name that the service sends. */
export function wordsOf(key: string): string | undefined {
  return i18next.exists(`findings:${key}`) ? i18next.t(`findings:${key}` as 'findings:title') : undefined
}

/** A name of the API as one reads it: "texts_from_any_locale" is "Texts from any locale". */
export const spoken = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
