import i18next from 'i18next'
import { knownFault, knownFaults, translated, type KnownFault } from '../../contract/faults/translate.ts'
import type { FaultSentences } from '../../contract/faults/forms.ts'
import { formatsOf } from './format.ts'

// Why the service refuses a value, a row or a file, in the reader's language. Forms and words are those of contract/faults/, which notices have, too; they
// come with the language: in English the sentence is as it is.

/** Sentences that are for operators, or for who writes a mapping as JSON: the panel says in its own words, also in English, what its reader can do. */
export const EXPLAINED_FORMS = {
  outbound: 'must lead to a public address; other networks must be listed in the setting OUTBOUND_ALLOW',
  relative: '{sentence:sentence}: set "imageBaseUrl" in the mapping',
} as const

const EXPLAINED = Object.entries(EXPLAINED_FORMS).map(([key, form]) =>
  knownFault(form, () => i18next.t(`problems:faults.${key as keyof typeof EXPLAINED_FORMS}`)),
)
const SENTENCES = new Map<string, readonly KnownFault[]>()

/** Adds the sentences of a language, which come with its words. */
export function addFaults(language: string, forms: FaultSentences, sentences: FaultSentences): void {
  SENTENCES.set(language, [...EXPLAINED, ...knownFaults(forms, sentences)])
}

/** Why a value is refused, in the reader's language where the sentence is known. */
export function faultWords(reason: string): string {
  const { language } = i18next
  const known = SENTENCES.get(language)
  return translated(reason, known ?? EXPLAINED, formatsOf(language, 'UTC'), known === undefined) ?? reason
}
