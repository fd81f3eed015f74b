import { MUST } from '../../contract/values.ts'
import { LIMITS } from '../platform/limits.ts'
import { readKey } from './text.ts'
import { actualValueSuffix, quoted, type Verdict } from './verdict.ts'

/** Reads an absolute http or https URL, such as that of an image. @returns it with blanks encoded as %20, otherwise unchanged. */
export function readUrl(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${actualValueSuffix(given)}` }
  const encoded = given.includes(' ') ? given.trim().replaceAll(' ', '%20') : given
  const text = readKey(encoded, LIMITS.urlLengthMax)
  if ('reason' in text) return text
  // the URL parser drops or encodes blanks and control characters, so what is requested would differ from what is stored
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(encoded) && URL.canParse(encoded)
    ? text
    : { reason: `must be an absolute http or https URL without blanks, not ${quoted(given)}` }
}
