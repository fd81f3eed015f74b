import { Exact } from '../model/money.ts'
import { readDecimal } from './decimal.ts'
import { actualValueSuffix, type Verdict } from './verdict.ts'

const WHOLE_DIGITS_MAX = 6
const FRACTION_DIGITS_MAX = 6
const MEASURE = /^(\d[\d.]{0,49}) ?(\p{L}{0,12}|["\u2033])$/u

/** Reads the values of one kind of measure: weights or lengths. */
export interface Measure {
  /** Whether a word is a unit of this measure. */
  isUnit(word: string): boolean
  /**
   * Reads plain decimal text, optionally followed by a unit. @returns canonical text in the stored unit, above 0 and below 1,000,000; values in other
   * units are converted and rounded to 6 decimals.
   */
  read(text: string): Verdict<string>
}

/**
 * @param units for each unit, its factor relative to the stored unit, and the words for it; the first is the stored unit.
 * @param must the reason for refusing any other text.
 */
export function measureOf(units: readonly (readonly [factor: string, words: string])[], must: string): Measure {
  const factors = new Map(units.flatMap(([factor, words]) => words.split(' ').map((word) => [word, factor])))
  const isUnit = (word: string) => factors.has(word.toLowerCase())
  return {
    isUnit,
    read(text) {
      const [, digits = '', word = ''] = MEASURE.exec(text) ?? []
      const number = readDecimal(digits, { whole: 12, fraction: FRACTION_DIGITS_MAX, min: '0' })
      const factor = word === '' ? '1' : factors.get(word.toLowerCase())
      if ('reason' in number || factor === undefined) return { reason: `${must}${actualValueSuffix(text)}` }
      const value = new Exact(number.value).times(factor).toDecimalPlaces(FRACTION_DIGITS_MAX)
      return value.isZero() || value.gte(new Exact(10).pow(WHOLE_DIGITS_MAX))
        ? { reason: `${must}${actualValueSuffix(text)}` }
        : { value: value.toFixed() }
    },
  }
}
