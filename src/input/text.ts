import { MUST } from '../../contract/values.ts'
import { isBlank, trimmed } from '../model/blank.ts'
import { actualValueSuffix, quoted, type Verdict } from './verdict.ts'

/**
 * Reads a text of 1 to `max` characters, at least one of them visible. @returns it without blanks and other invisible characters at its ends: a title
 * of only such characters would take precedence over a real one.
 */
export function readText(given: unknown, max: number): Verdict<string> {
  return readKey(typeof given === 'string' ? trimmed(given) : given, max)
}

/** Reads a text that may be empty: null, and a string without visible characters, become null. */
export function readOptionalText(given: unknown, max: number): Verdict<string | null> {
  return given === null || (typeof given === 'string' && isBlank(given)) ? { value: null } : readText(given, max)
}

/** Reads an identifier, such as the key of an attribute: like a text, but it is not trimmed. */
export function readKey(given: unknown, max: number): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${actualValueSuffix(given)}` }
  return isBlank(given) ? { reason: 'must not be empty' } : characters(given, max)
}

/** Reads the SKU of an offer or product. Cells of suppliers' files are trimmed, so an SKU with outer blanks would not be found. */
export function readSku(given: unknown, max: number): Verdict<string> {
  const text = readKey(given, max)
  return 'reason' in text || text.value === text.value.trim() ? text : { reason: 'must not begin or end with a blank' }
}

/** Reads the short name of a store or supplier, as it is used in URLs. */
export function readSlug(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${actualValueSuffix(given)}` }
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(given)
    ? { value: given }
    : { reason: `must be 1 to 63 of a-z, 0-9 and -, not starting or ending with -, not ${quoted(given)}` }
}

/** Checks the length and the characters of a text. PostgreSQL's text can store neither NUL nor half of a surrogate pair. */
function characters(text: string, max: number): Verdict<string> {
  if (text.length > max && !isWithin(text, max)) return { reason: `must have at most ${max} characters` }
  if (text.includes('\0')) return { reason: 'must not contain NUL' }
  if (!text.isWellFormed()) return { reason: 'must not contain half of a surrogate pair' }
  return { value: text }
}

/** Characters are code points, as PostgreSQL and JSON Schema count them; a string's length counts some of them twice. */
function isWithin(text: string, max: number): boolean {
  if (text.length > 2 * max) return false
  let count = 0
  for (const _ of text) if (++count > max) return false
  return true
}
