import { readNetContent } from '../../input/net-content.ts'
import { quoted, type Verdict } from '../../input/verdict.ts'
import { plainNumber, type DecimalSign } from '../numbers.ts'

const LENGTH_MAX = 60
/** `6 x 0,33 l`, `6x330ml`: a count, a number and its unit. */
const PARTS =
  /^(?:(\d{1,6})[ \u00a0]*[x\u00d7*][ \u00a0]*)?(\d[\d.,' \u00a0\u2009\u202f\u2019]*?)[ \u00a0\u2009\u202f]*(\p{L}.{0,19})$/iu

/**
 * Reads a net content as files write it, by their decimal sign. null: the cell is empty or 0. A text that is not understood is kept as it is: no
 * unit price is computed from it, and a finding names it. Keeping the known content instead would be wrong, because the package may have
 * changed.
 */
export function readFileContent(text: string, sign: DecimalSign): Verdict<string | null> {
  if (text === '') return { value: null }
  if (text.length > LENGTH_MAX) return { reason: `must have at most ${LENGTH_MAX} characters, not ${quoted(text)}` }
  const [, parts, digits = text, unit = ''] = PARTS.exec(text) ?? []
  const number = plainNumber(digits, sign, undefined, text)
  if ('reason' in number) return { value: text }
  if (Number(number.value) === 0) return { value: null }
  const read = readNetContent(`${parts === undefined ? '' : `${parts} x `}${number.value} ${unit}`)
  return 'value' in read ? read : { value: text }
}
