import i18next from 'i18next'
import type { RemarkCode, ValuesOf } from '../../contract/remarks/remarks.ts'
import { type Formats, formatsOf } from './format.ts'
import { quote } from './quotes.ts'

// Remarks of the service about a file as a whole, in the reader's language, by their codes (contract/remarks/). English uses the service's own
// sentence. Another language must have a sentence for each code, or it does not compile.

/** A remark as the service sends it. `code` is null if the sentence has no code. */
export interface ReceivedRemark {
  text: string
  code: string | null
  parameters: Readonly<Record<string, unknown>>
}

/** The sentences of a language. They are functions, because counts and lists change the words around them. */
export type RemarkSentences = { readonly [C in RemarkCode]: (values: ValuesOf<C>, say: RemarkFormats) => string }

/** How values are written in the sentences of a language. */
export interface RemarkFormats {
  /** A name or value of the file, in quotation marks. */
  q: (text: string) => string
  /** Several in quotation marks: "a", "b" and "c". */
  and: (names: readonly string[]) => string
  or: (names: readonly string[]) => string
  /** Several without quotation marks, such as currencies. */
  words: (words: readonly string[]) => string
  n: (count: number) => string
  /** A number as the service writes it, with the language's separators. */
  decimal: (text: string) => string
  /** The source of a value: a column's name, or the JSON of a mapping's source. */
  source: (json: string) => string
  /** The name of a field, with the language of its text. */
  field: (name: string) => string
  language: (locale: string) => string
  /** The plural form for a count. */
  of: (count: number, forms: { one: string; few?: string; many?: string; other: string }) => string
}

const SENTENCES = new Map<string, RemarkSentences>()

/** Adds the sentences of a language, which are loaded with its words. */
export const addRemarks = (language: string, sentences: RemarkSentences): void =>
  void SENTENCES.set(language, sentences)

/** The remarks of an answer. During an upgrade, an older process may answer with warnings only. */
export const remarksOf = ({
  remarks,
  warnings,
}: {
  remarks?: readonly ReceivedRemark[]
  warnings: readonly string[]
}): readonly ReceivedRemark[] => remarks ?? warnings.map((text) => ({ text, code: null, parameters: {} }))

/**
 * A remark in a language. It is shown as it is if it has no code, as remarks of earlier releases, or one that this panel does not know.
 */
export function remarkWords(
  { text, code, parameters }: ReceivedRemark,
  language: string,
): { words: string; isAsItIs: boolean } {
  const sentences = SENTENCES.get(language)
  if (sentences === undefined || code === null || !Object.hasOwn(sentences, code))
    return { words: text, isAsItIs: true }
  const sentence = sentences[code as RemarkCode] as (values: unknown, say: RemarkFormats) => string
  return { words: sentence(parameters, sayingOf(language, formatsOf(language, 'UTC'))), isAsItIs: false }
}

function sayingOf(language: string, format: Formats): RemarkFormats {
  // a name with another direction does not affect the words around it
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

/** The name of a field; imports have names of their own for some fields. */
function fieldWords(field: string): string {
  const words = ['resources', 'import'].map(
    (namespace) => i18next.getResource(i18next.language, namespace, `fields.${field}`) as string | undefined,
  )
  return words.find((word) => word !== undefined) ?? field
}
