import { isWeightUnit, readWeight } from '../input/weight.ts'
import type { Verdict } from '../input/verdict.ts'
import { plainNumber, type DecimalSign } from './numbers.ts'

// How suppliers' files write weights: `0,35 kg`, `350 g`, `12 oz`. The value itself is checked by src/input.

const NUMBER_AND_WORD = /^(.*?\d[.,]?)[ \u00a0\u2009\u202f]*(\p{L}{1,12})\.?$/u
const TEXT_LENGTH_MAX = 100

/** The unit that stands behind a number, or in the name of a column: `Weight (g)`, `weight_kg`. */
export function weightUnitOf(text: string): string | undefined {
  const word = /(?:\(|\[|_|\d\s*|\bin )(\p{L}{1,12})[)\].]?$/u.exec(text.trim())?.[1]
  return word !== undefined && isWeightUnit(word) ? word : undefined
}

/** Reads a weight by the file's decimal sign, in kilograms where no unit follows it; an empty cell and 0 are none. */
export function readFileWeight(text: string, sign: DecimalSign): Verdict<string | null> {
  if (text === '') return { value: null }
  const [, number = text, unit = ''] = (text.length <= TEXT_LENGTH_MAX ? NUMBER_AND_WORD.exec(text) : null) ?? []
  const plain = plainNumber(number, sign, undefined, text)
  if ('reason' in plain) return plain
  return Number(plain.value) === 0 ? { value: null } : readWeight(`${plain.value} ${unit}`.trim())
}
