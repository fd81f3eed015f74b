import { MUST } from '../../contract/values.ts'
import { LIMITS } from '../platform/limits.ts'
import { butIs, quoted, type Verdict } from './verdict.ts'

/** Reads a BCP 47 tag. @returns it in canonical form: pl-pl becomes pl-PL. */
export function readLocale(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${butIs(given)}` }
  const value = canonicalLocale(given)
  return value === null
    ? { reason: `must be a BCP 47 language tag such as en or pl-PL, not ${quoted(given)}` }
    : { value }
}

/** The canonical form of a BCP 47 tag, or null; also of one that is longer than any in use. */
export function canonicalLocale(tag: string): string | null {
  if (tag.length > LIMITS.localeLengthMax) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}
