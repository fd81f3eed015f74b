import i18next from 'i18next'
import { knownFault, knownFaults, translated, type KnownFault } from '../../contract/faults/translate.ts'
import type { FaultSentences } from '../../contract/faults/forms.ts'
import { formatsOf } from './format.ts'

// Translates the service's English reasons for refusing a value, a row or a file, by the forms of contract/faults/, which notices use, too. Forms and
// translations are loaded with the language. In English almost all reasons are shown unchanged.

/** Reasons that address operators or authors of JSON mappings. The panel replaces them, in English too, by words about what its reader can do. */
export const EXPLAINED_FORMS = {
  outbound: 'must lead to a public address; other networks must be listed in the setting OUTBOUND_ALLOW',
  relative: '{sentence:sentence}: set "imageBaseUrl" in the mapping',
} as const

const EXPLAINED = Object.entries(EXPLAINED_FORMS).map(([key, form]) =>
  knownFault(form, () => i18next.t(`problems:faults.${key as keyof typeof EXPLAINED_FORMS}`)),
)
const SENTENCES = new Map<string, readonly KnownFault[]>()

/** Adds the sentences of a language, which are loaded with its words. */
export function addFaults(language: string, forms: FaultSentences, sentences: FaultSentences): void {
  SENTENCES.set(language, [...EXPLAINED, ...knownFaults(forms, sentences)])
}

/** The reason in the reader's language, or unchanged if there is no translation. */
export function faultWords(reason: string): string {
  const { language } = i18next
  const known = SENTENCES.get(language)
  return translated(reason, known ?? EXPLAINED, formatsOf(language, 'UTC'), known === undefined) ?? reason
}
