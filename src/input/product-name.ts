import { lengthMaxOf, valuesOf, type NameField } from '../../contract/product-fields.ts'
import { isBlank } from '../model/blank.ts'
import { readCountry } from './country.ts'
import { readDay } from './day.ts'
import { LENGTH } from './length.ts'
import { readListPrice } from './list-price.ts'
import { readNetContent } from './net-content.ts'
import { readTaxIn } from './tax-in.ts'
import { readText } from './text.ts'
import { quoted, type Verdict } from './verdict.ts'
import { WEIGHT } from './weight.ts'

/** Possible conditions of an article; the words of schema.org (`https://schema.org/UsedCondition`) are these with an ending. */
const CONDITIONS: readonly string[] = ['new', 'refurbished', 'used', 'damaged']
const OF_SCHEMA_ORG = /^(?:https?:\/\/schema\.org\/)?(\w+)condition$/

const RULES: Readonly<Record<ReturnType<typeof valuesOf>, (text: string) => Verdict<string>>> = {
  text: (text) => ({ value: text }),
  condition(text) {
    const word = text.toLowerCase()
    const condition = OF_SCHEMA_ORG.exec(word)?.[1] ?? word
    return CONDITIONS.includes(condition)
      ? { value: condition }
      : { reason: `must be one of ${CONDITIONS.join(', ')}, not ${quoted(text)}` }
  },
  country: readCountry,
  'hs-code'(text) {
    const digits = text.replace(/[.\s\u00a0]/g, '')
    return /^\d{6,12}$/.test(digits)
      ? { value: digits }
      : { reason: `must be a customs tariff number of 6 to 12 digits, such as 8201.10.00, not ${quoted(text)}` }
  },
  weight: WEIGHT.read,
  length: LENGTH.read,
  'list-price': readListPrice,
  content: readNetContent,
  day: readDay,
  'tax-in': readTaxIn,
}

/** The length of a code in characters before blanks and dots are removed. */
const CODE_LENGTH_MAX = 100

/**
 * Reads the value of a field that is the same in every language. @returns its stored form: a country code in capital letters, a tariff number as
 * digits, a condition as one of our words, any other text without blanks at its ends.
 */
export function readName(field: NameField, given: unknown): Verdict<string> {
  const values = valuesOf(field)
  const text = readText(given, values === 'text' ? lengthMaxOf(field) : CODE_LENGTH_MAX)
  return values === 'text' || 'reason' in text ? text : RULES[values](text.value)
}

/** Reads a value that may be missing: null, and a string without visible characters, become null. */
export function readOptionalName(field: NameField, given: unknown): Verdict<string | null> {
  return given === null || (typeof given === 'string' && isBlank(given)) ? { value: null } : readName(field, given)
}
