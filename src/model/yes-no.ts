import { trimmed } from './blank.ts'

const YES = new Set('true yes y 1 on ja oui sí si sì sim tak ano áno da igen evet kyllä jah taip jā да так'.split(' '))
const NO = new Set('false no n 0 off nein nee non não nie ne nem nej hayır ei nu ні нет'.split(' '))

/** Whether a word means yes or no in one of the supported catalog languages; undefined: neither. */
export function isYes(text: string): boolean | undefined {
  if (text.length > 20) return undefined
  const word = trimmed(text).toLowerCase()
  return YES.has(word) ? true : NO.has(word) ? false : undefined
}
