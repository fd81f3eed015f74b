import { MUST } from '../../contract/values.ts'
import { LIMITS } from '../platform/limits.ts'
import { nearestLanguage } from './nearest-language.ts'
import { actualValueSuffix, quoted, type Verdict } from './verdict.ts'

const FORM = 'must be a BCP 47 language tag such as en or pl-PL'

/**
 * Reads a BCP 47 tag whose language, script and region are registered. @returns it in canonical form: pl-pl becomes pl-PL. The reason for refusing
 * another tag names the nearest valid one: for `german`, `de`.
 */
export function readLocale(given: unknown): Verdict<string> {
  const known = typeof given === 'string' ? read.get(given) : undefined
  if (known !== undefined) return { value: known }
  const tag = readLocaleForm(given)
  if (typeof given !== 'string') return tag
  if ('value' in tag && isRegistered(tag.value)) {
    if (read.size >= LIMITS.localesPerDefinitionMax) read.clear()
    read.set(given, tag.value)
    return tag
  }
  const nearest = nearestLanguage(given, (text) => {
    const found = canonicalLocale(text)
    return found !== null && isRegistered(found) ? found : null
  })
  return { reason: `${FORM}, not ${quoted(given)}${nearest === null ? '' : `; did you mean ${quoted(nearest)}?`}` }
}

/**
 * Checks only the form of a tag: for stored ones, and for naming a stored one in order to remove it. Earlier releases accepted any tag of the right
 * form.
 */
export function readLocaleForm(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${actualValueSuffix(given)}` }
  const value = canonicalLocale(given)
  return value === null ? { reason: `${FORM}, not ${quoted(given)}` } : { value }
}

/** The canonical form of a BCP 47 tag; null if it is malformed, or longer than any in use. */
export function canonicalLocale(tag: string): string | null {
  if (tag.length > LIMITS.localeLengthMax) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

const names = {
  language: new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }),
  script: new Intl.DisplayNames('en', { type: 'script', fallback: 'none' }),
  region: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
}
/** Registered subtags that were looked up: a body may have tens of thousands of tags, and looking up a name is slow. */
const registered = { language: new Set<string>(), script: new Set<string>(), region: new Set<string>() }
/** Tags that were read, with their canonical forms: a file has the same few in each row, and a definition in each option. */
const read = new Map<string, string>()

function isRegistered(tag: string): boolean {
  const { language, script, region } = new Intl.Locale(tag)
  return (
    hasName('language', language) &&
    (script === undefined || hasName('script', script)) &&
    // ZZ has a name, but it means "Unknown Region"
    (region === undefined || (region !== 'ZZ' && hasName('region', region)))
  )
}

function hasName(kind: keyof typeof names, code: string): boolean {
  if (registered[kind].has(code)) return true
  try {
    if (names[kind].of(code) === undefined) return false
    registered[kind].add(code)
    return true
  } catch {
    // "und" is no language
    return false
  }
}
