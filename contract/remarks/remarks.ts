import { COST_QUESTIONS } from './cost-questions.ts'
import { ODDITIES } from './oddities.ts'
import { QUESTIONS } from './questions.ts'
import { reader, write, type Values } from './sentence.ts'

// Everything that is said about a file as a whole, by codes that stay. The panel has the same in other languages (panel/words/remarks.ts).

export const REMARKS = { ...QUESTIONS, ...COST_QUESTIONS, ...ODDITIES }

export type RemarkCode = keyof typeof REMARKS
export type ValuesOf<C extends RemarkCode> = Values<(typeof REMARKS)[C]['values']>
/** A remark with what is in it. */
type Remark = { [C in RemarkCode]: { code: C; parameters: ValuesOf<C> } }[RemarkCode]

export const REMARK_CODES = Object.keys(REMARKS) as readonly RemarkCode[]

/** The English sentence of a remark. */
export const say = <C extends RemarkCode>(code: C, parameters: ValuesOf<C>): string => write(REMARKS[code], parameters)

/** The members that an answer has of a sentence. */
interface RemarkMembers {
  text: string
  code: RemarkCode | null
  parameters: Readonly<Record<string, string | number | readonly string[]>>
}

export const remarkMembers = (text: string): RemarkMembers => ({
  text,
  ...(remarkOf(text) ?? { code: null, parameters: {} }),
})

const READERS = REMARK_CODES.map((code) => ({ code, read: reader(REMARKS[code]) }))

/** The remark that `say` wrote; null for a sentence of another release, which has no code. */
export function remarkOf(text: string): Remark | null {
  for (const { code, read } of READERS) {
    const parameters = read(text)
    if (parameters !== null) return { code, parameters } as unknown as Remark
  }
  return null
}
