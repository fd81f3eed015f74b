import i18next from 'i18next'
import type { RemarkCode, ValuesOf } from '../../contract/remarks/remarks.ts'
import { type Formats, formatsOf } from './format.ts'
import { quote } from './quotes.ts'

// What the service says about a file as a whole, in the reader's language: by its code (contract/remarks/), as English is the service's own sentence.
// Another language has a sentence for each code, or does not compile.

/** A remark as the service answers with it; of `code` null it is a sentence that the service has no code for. */
export interface SaidRemark {
  text: string
  code: string | null
  parameters: Readonly<Record<string, unknown>>
}

/** The sentences of a language: functions, because what is counted and listed changes the words around it. */
export type RemarkSentences = { readonly [C in RemarkCode]: (values: ValuesOf<C>, say: Saying) => string }

/** How values stand in the sentences of a language. */
export interface Saying {
  /** A name or value of the file, in the quotation marks of the language. */
  q: (text: string) => string
  /** Several of them: "a", "b" and "c". */
  and: (names: readonly string[]) => string
  or: (names: readonly string[]) => string
  /** Several without quotation marks, such as currencies. */
  words: (words: readonly string[]) => string
  n: (count: number) => string
  /** A number as the service writes it, with the signs of the language. */
  decimal: (text: string) => string
  /** What a column is read for: a name, or a part of a mapping. */
  source: (json: string) => string
  /** What a field is called, with the language of its text. */
  field: (name: string) => string
  language: (locale: string) => string
  /** The form for a count. */
  of: (count: number, forms: { one: string; few?: string; many?: string; other: string }) => string
}

const SENTENCES = new Map<string, RemarkSentences>()

/** Adds the sentences of a language, which come with its words. */
export const addRemarks = (language: string, sentences: RemarkSentences): void =>
  void SENTENCES.set(language, sentences)

/** The remarks of an answer. A process that is older than the page, as there are while a service is upgraded, answers with warnings alone. */
export const remarksOf = ({
  remarks,
  warnings,
}: {
  remarks?: readonly SaidRemark[]
  warnings: readonly string[]
}): readonly SaidRemark[] => remarks ?? warnings.map((text) => ({ text, code: null, parameters: {} }))

/** A remark in a language; without a code, which those of earlier releases may lack, or with one that the page does not know, as it is. */
export function remarkWords(
  { text, code, parameters }: SaidRemark,
  language: string,
): { words: string; isAsItIs: boolean } {
  const sentences = SENTENCES.get(language)
  if (sentences === undefined || code === null || !Object.hasOwn(sentences, code))
    return { words: text, isAsItIs: true }
  const sentence = sentences[code as RemarkCode] as (values: unknown, say: Saying) => string
  return { words: sentence(parameters, sayingOf(language, formatsOf(language, 'UTC'))), isAsItIs: false }
}

function sayingOf(language: string, format: Formats): Saying {
  // a name in another direction changes nothing of the words around it
  const isolated = (text: string) => `\u2068${text}\u2069`
  const q = (text: string) => quote(text, language)
  const plural = new Intl.PluralRules(language)
  const either = new Intl.ListFormat(language, { type: 'disjunction' })
  return {
    q,
    and: (names) => format.list(names.map(q)),
    or: (names) => either.format(names.map(q)),
    words: (words) => format.list(words),
    n: format.number,
    decimal: (text) => (Number.isFinite(Number(text)) ? format.decimal(text) : text),
    source: (json) => (json.startsWith('"') ? q(JSON.parse(json) as string) : isolated(json)),
    field(name) {
      const [field = '', locale] = name.split('.')
      const words = fieldWords(field)
      return locale === undefined ? words : `${words} (${format.language(locale)})`
    },
    language: format.language,
    of: (count, forms) => forms[plural.select(count) as keyof typeof forms] ?? forms.other,
  }
}

/** What a field is called; an import has names of its own for some. */
function fieldWords(field: string): string {
  const words = ['resources', 'import'].map(
    (namespace) => i18next.getResource(i18next.language, namespace, `fields.${field}`) as string | undefined,
  )
  return words.find((word) => word !== undefined) ?? field
}
