import { Exact } from '../model/money.ts'
import { readDecimal } from './decimal.ts'
import { butIs, type Verdict } from './verdict.ts'

/** Kilograms of one unit, by the words for it. */
const KILOGRAMS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ['1', 'kg kgs kilo kilogram kilograms kilogramm'],
      ['0.001', 'g gr gram grams gramm'],
      ['0.45359237', 'lb lbs pound pounds'],
      ['0.028349523125', 'oz ounce ounces'],
    ] as const
  ).flatMap(([kilograms, words]) => words.split(' ').map((word) => [word, kilograms])),
)
const WHOLE_DIGITS_MAX = 6
const FRACTION_DIGITS_MAX = 6
const WEIGHT = /^(\d[\d.]{0,49}) ?(\p{L}{0,12})$/u
const MUST =
  'must be a weight above 0 and below 1,000,000 kg such as "0.35", "350 g" or "12 oz", with at most 6 decimals'

/** Whether a word is a unit of weight. */
export const isWeightUnit = (word: string): boolean => Object.hasOwn(KILOGRAMS, word.toLowerCase())

/**
 * Reads a weight: plain decimal text, in kilograms unless a unit follows it (g, kg, lb, oz). @returns kilograms as canonical text such as
 * `0.35`; what another unit comes to is rounded to 6 decimals.
 */
export function readWeight(text: string): Verdict<string> {
  const [, digits = '', word = ''] = WEIGHT.exec(text) ?? []
  const unit = word.toLowerCase()
  const number = readDecimal(digits, { whole: 12, fraction: FRACTION_DIGITS_MAX, min: '0' })
  const factor = unit === '' ? '1' : Object.hasOwn(KILOGRAMS, unit) ? KILOGRAMS[unit] : undefined
  if ('reason' in number || factor === undefined) return { reason: `${MUST}${butIs(text)}` }
  const weight = new Exact(number.value).times(factor).toDecimalPlaces(FRACTION_DIGITS_MAX)
  return weight.isZero() || weight.gte(new Exact(10).pow(WHOLE_DIGITS_MAX))
    ? { reason: `${MUST}${butIs(text)}` }
    : { value: weight.toFixed() }
}
