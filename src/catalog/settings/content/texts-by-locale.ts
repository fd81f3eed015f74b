import type { Check } from '../../../input/check.ts'
import { canonicalLocale } from '../../../input/locale.ts'
import { LIMITS } from '../../../platform/limits.ts'

/** Changes of texts by locale; null removes a text. */
export type TextChanges = Readonly<Record<string, string | null>>

/** Texts by locale after changes to single ones; null in place of the changes removes all. */
export function mergedTexts(
  check: Check,
  name: string,
  old: Readonly<Record<string, string>>,
  changes: TextChanges | null | undefined,
): Record<string, string> {
  const texts = new Map(Object.entries(changes === null ? {} : old))
  const seen = new Set<string>()
  const entries = Object.entries(changes ?? {})
  // enough to remove every text that there may be and to set as many new ones
  const changesMax = 2 * LIMITS.localesPerDefinitionMax
  check.that(entries.length <= changesMax, name, `names ${entries.length} locales; a request may name ${changesMax}`)
  for (const [given, text] of entries.slice(0, changesMax)) {
    const locale = canonicalLocale(given) ?? given
    check.that(!seen.has(locale), `${name}.${given.slice(0, 40)}`, 'is duplicated')
    seen.add(locale)
    if (text === null) texts.delete(locale)
    else texts.set(locale, text)
  }
  return Object.fromEntries(texts)
}

/** Checks texts by locale. @param stored locales that are accepted as they are, because earlier releases accepted any tag of the right form */
export function textsByLocale(
  check: Check,
  name: string,
  texts: Readonly<Record<string, string>>,
  lengthMax: number,
  stored: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const entries = Object.entries(texts)
  check.that(
    entries.length <= LIMITS.localesPerDefinitionMax,
    name,
    `must name at most ${LIMITS.localesPerDefinitionMax} locales`,
  )
  const seen = new Map<string, string>()
  for (const [given, text] of entries) {
    if (check.isFull) break
    const at = `${name}.${given.slice(0, 40)}`
    const shown = check.text(at, text, lengthMax)
    const locale = stored.has(given) ? given : check.locale(at, given)
    check.that(!seen.has(locale), at, 'is duplicated')
    seen.set(locale, shown)
  }
  return Object.fromEntries(seen)
}
