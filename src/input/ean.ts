import { MUST } from '../../contract/values.ts'
import { EAN_DIGITS_MAX } from '../model/gtin.ts'
import { actualValueSuffix, quoted, type Verdict } from './verdict.ts'

/** Reads an EAN: digits, with blanks and dashes between them. Does not verify the check digit. @returns the digits. */
export function readEan(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${actualValueSuffix(given)}` }
  const trimmed = given.trim()
  if (!/^\d(?:[\d\s-]*\d)?$/.test(trimmed))
    return { reason: `must be an EAN of digits, blanks and dashes, not ${quoted(given)}` }
  const digits = trimmed.replace(/[\s-]/g, '')
  return digits.length > EAN_DIGITS_MAX
    ? { reason: `must have at most ${EAN_DIGITS_MAX} digits, not ${quoted(given)}` }
    : { value: digits }
}
