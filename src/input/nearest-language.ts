import { editDistance } from '../model/edit-distance.ts'

// Finds the language that was meant by something that is not a language tag: a language's name, a country code, a tag with a typing error.

/** Languages whose names for languages are recognized. */
const NAMED_IN = ['en', 'de', 'pl']
/** Longer than the name of any language. */
const LENGTH_MAX = 40
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * The nearest tag, or null if none is near.
 * @param read returns the canonical form of a tag that may be used, or null
 */
export function nearestLanguage(given: string, read: (tag: string) => string | null): string | null {
  const text = given.trim()
  if (text.length > LENGTH_MAX) return null
  // forms such as de_DE, and de-XX, in which at least the language is known
  const parts = text.replaceAll('_', '-').split('-')
  for (let count = parts.length; count > 0; count--) {
    const found = read(parts.slice(0, count).join('-'))
    if (found !== null && (count > 1 || parts.length > 1 || found !== given)) return found
  }
  const [first = ''] = parts
  return named(text) ?? (parts.length > 1 ? named(first) : null) ?? ofCountry(first, read)
}

/**
 * Finds a language by its name in English, German, Polish or the language itself, by the beginning of such a name, or with one or two typing errors.
 */
function named(text: string): string | null {
  const wanted = plain(text)
  if (wanted.length < 3) return null
  const known = languageNames()
  const exact = known.get(wanted)
  if (exact !== undefined) return exact
  let best: { code: string; errors: number } | null = null
  const errorsMax = wanted.length < 6 ? 1 : 2
  for (const [name, code] of known) {
    if (wanted.length > 3 && name.startsWith(wanted)) return code
    // the first letter is rarely wrong, and skipping names with another one makes this cheap
    const isNear = name[0] === wanted[0] && Math.abs(name.length - wanted.length) <= errorsMax
    const errors = isNear ? editDistance(name, wanted) : Infinity
    if (errors <= errorsMax && errors < (best?.errors ?? Infinity)) best = { code, errors }
  }
  return best?.code ?? null
}

/** The language that most people speak in the country with this code: for cz (Czechia) it is cs. */
function ofCountry(code: string, read: (tag: string) => string | null): string | null {
  if (!/^[A-Za-z]{2}$/.test(code) || read(`en-${code}`) === null) return null
  const { language } = new Intl.Locale(`und-${code}`).maximize()
  return language === 'und' ? null : read(language)
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

let known: ReadonlyMap<string, string> | null = null

/** The names of languages with two-letter codes, without diacritics and in lower case. Those of all others would take seconds to load. */
function languageNames(): ReadonlyMap<string, string> {
  if (known !== null) return known
  const codes = Array.from(LETTERS, (a) => Array.from(LETTERS, (b) => a + b)).flat()
  const shared = new Map(NAMED_IN.map((language) => [language, namesIn(language)]))
  const found = new Map<string, string>()
  for (const code of codes) {
    // a deprecated code has the name of the code that replaced it
    if (shared.get('en')?.of(code) === undefined || Intl.getCanonicalLocales(code)[0] !== code) continue
    const own = Intl.DisplayNames.supportedLocalesOf(code).length === 0 ? [] : [namesIn(code)]
    for (const names of [...shared.values(), ...own]) {
      const name = plain(names.of(code) ?? '')
      if (name !== '' && !found.has(name)) found.set(name, code)
    }
  }
  known = found
  return found
}

const namesIn = (language: string) => new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })
