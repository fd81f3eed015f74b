import { MUST } from '../../contract/values.ts'
import { LIMITS } from '../platform/limits.ts'
import { readText } from './text.ts'
import { butIs, quoted, type Verdict } from './verdict.ts'

/** Reads the address of an image or the like: an absolute http or https URL. @returns it as it was given. */
export function readUrl(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${butIs(given)}` }
  const text = readText(given, LIMITS.urlLengthMax)
  if ('reason' in text) return text
  // blanks and control characters, which URL drops or encodes, are kept by nobody who reads the address
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(given) && URL.canParse(given)
    ? text
    : { reason: `must be an absolute http or https URL without blanks, not ${quoted(given)}` }
}
