import { MUST } from '../../contract/values.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { isObject } from './is-object.ts'
import { tooMany } from './list.ts'
import { readLocale, readLocaleForm } from './locale.ts'
import { readOptionalText, readText } from './text.ts'
import { readUrl } from './url.ts'
import { actualValueSuffix, type Verdict } from './verdict.ts'

// Alternative texts of pictures, by locale and URL. The order of members has no meaning: texts are returned in the order of their URLs.

const NAME_LENGTH_MAX = 80

/** Reads one alternative text. It is plain text: HTML in it is shown literally. */
export const readAlt = (given: unknown): Verdict<string | null> => readOptionalText(given, LIMITS.imageAltLengthMax)

/**
 * Reads the alternative texts of one locale, an object by URL. Faults are noted as `image_alts.pl.https://…`.
 * @param isEmptyTaken whether an empty text, or null, means no text; otherwise it is a fault.
 */
export function readAltsOfLocale(
  name: string,
  given: unknown,
  isEmptyTaken: boolean,
  note: (fault: Fault) => void,
): Record<string, string> {
  if (!isObject(given)) {
    note({ name, reason: `${MUST.object}${actualValueSuffix(given)}` })
    return {}
  }
  const entries = Object.entries(given)
  if (entries.length > LIMITS.imagesPerProductMax) {
    note({ name, reason: tooMany(entries.length, LIMITS.imagesPerProductMax) })
    return {}
  }
  const texts = new Map<string, string>()
  for (const [key, value] of entries) {
    const at = `${name}.${key.slice(0, NAME_LENGTH_MAX)}`
    const url = readUrl(key)
    const text = isEmptyTaken ? readAlt(value) : readText(value, LIMITS.imageAltLengthMax)
    if ('reason' in url) note({ name: at, reason: url.reason })
    if ('reason' in text) note({ name: at, reason: text.reason })
    if ('reason' in url || 'reason' in text) continue
    if (texts.has(url.value)) note({ name: at, reason: 'is duplicated' })
    else if (text.value !== null) texts.set(url.value, text.value)
  }
  return Object.fromEntries([...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Reads the alternative texts of an offer's pictures: locale -> URL -> text. null in place of a locale's texts means none in that locale. */
export function readImageAlts(
  name: string,
  given: unknown,
  note: (fault: Fault) => void,
): Record<string, Record<string, string>> | undefined {
  if (!isObject(given)) {
    note({ name, reason: `${MUST.object}${actualValueSuffix(given)}` })
    return undefined
  }
  const tags = Object.keys(given)
  if (tags.length > LIMITS.localesPerOfferMax) {
    note({ name, reason: tooMany(tags.length, LIMITS.localesPerOfferMax) })
    return undefined
  }
  const alts = new Map<string, Record<string, string>>()
  for (const tag of tags) {
    const at = `${name}.${tag.slice(0, 40)}`
    const texts = given[tag]
    // only the form is checked for a removal: earlier releases accepted any tag of the right form
    const locale = texts === null ? readLocaleForm(tag) : readLocale(tag)
    if ('reason' in locale) note({ name: at, reason: locale.reason })
    else if (alts.has(locale.value)) note({ name: at, reason: 'is duplicated' })
    else alts.set(locale.value, texts === null ? {} : readAltsOfLocale(at, texts, true, note))
  }
  return Object.fromEntries(alts)
}
