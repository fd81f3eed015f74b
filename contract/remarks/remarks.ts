import { COST_QUESTIONS } from './cost-questions.ts'
import { ODDITIES } from './oddities.ts'
import { QUESTIONS } from './questions.ts'
import { SET_ASIDE_REMARKS } from './set-aside.ts'
import { formsOf, write, type Values } from './sentence.ts'

// All remarks about a file as a whole, by stable codes. The panel has them in other languages (panel/words/remarks.ts).

export const REMARKS = { ...QUESTIONS, ...COST_QUESTIONS, ...ODDITIES, ...SET_ASIDE_REMARKS }

export type RemarkCode = keyof typeof REMARKS
export type ValuesOf<C extends RemarkCode> = Values<(typeof REMARKS)[C]['values']>
/** A remark with its values. */
type Remark = { [C in RemarkCode]: { code: C; parameters: ValuesOf<C> } }[RemarkCode]

export const REMARK_CODES = Object.keys(REMARKS) as readonly RemarkCode[]

/** The English sentence of a remark. */
export const say = <C extends RemarkCode>(code: C, parameters: ValuesOf<C>): string => write(REMARKS[code], parameters)

/** A sentence as answers have it. `code` is null if the sentence was not recognized. */
interface RemarkMembers {
  text: string
  code: RemarkCode | null
  parameters: Readonly<Record<string, string | number | readonly string[]>>
}

/** Longer sentences, which contain a very long column name, are not parsed and are shown as they are. */
const REMARK_CHARACTERS_MAX = 20_000
/** The most sentences of a run that are parsed: a list has up to 200 runs, and parsing must not delay other requests. */
const REMARKS_READ_MAX = 100

/** The members of one sentence. */
export const remarkMembers = (text: string): RemarkMembers => ({ text, ...(remarkOf(text) ?? WITHOUT_CODE) })

/**
 * The members of the sentences of one file or run. Only the first REMARKS_READ_MAX are parsed, and only until they have
 * REMARK_CHARACTERS_MAX characters together. Those after them have no code.
 */
export function remarksMembers(texts: readonly string[]): RemarkMembers[] {
  let characters = 0
  return texts.map((text, i) => {
    if (i >= REMARKS_READ_MAX || characters + text.length > REMARK_CHARACTERS_MAX) return { text, ...WITHOUT_CODE }
    characters += text.length
    return remarkMembers(text)
  })
}

const WITHOUT_CODE = { code: null, parameters: {} } as const

/** Every form of every sentence, by its first character; under '' those that begin with a value. */
const formsByBeginning = () =>
  Map.groupBy(
    REMARK_CODES.flatMap((code) => formsOf(REMARKS[code]).map((form) => ({ code, ...form }))),
    ({ head }) => head.slice(0, 1),
  )
/** Compiled on first use: the processes that read files only write sentences. */
let forms: ReturnType<typeof formsByBeginning> | undefined

/** Parses a sentence that `say` wrote. null for a sentence of another release, and for one of more than REMARK_CHARACTERS_MAX characters. */
export function remarkOf(text: string): Remark | null {
  if (text.length > REMARK_CHARACTERS_MAX) return null
  forms ??= formsByBeginning()
  for (const beginning of [text.slice(0, 1), ''])
    for (const { code, head, read } of forms.get(beginning) ?? []) {
      const parameters = text.startsWith(head) ? read(text) : null
      if (parameters !== null) return { code, parameters } as unknown as Remark
    }
  return null
}
