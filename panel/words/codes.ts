import { useTranslation } from 'react-i18next'

// Codes of languages, currencies and time zones with their names in the reader's language. The browser provides both.

export type CodeKind = 'language' | 'currency' | 'timeZone'
export interface NamedCode {
  code: string
  name: string
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Languages that are used in several countries, with these countries. Other countries are found by typing `xx-`. */
const REGIONS: Readonly<Record<string, string>> = {
  de: 'DE AT CH LI LU BE',
  en: 'GB US IE AU CA NZ ZA IN',
  es: 'ES MX AR CL CO US',
  fr: 'FR BE CH CA LU',
  it: 'IT CH',
  nl: 'NL BE',
  pt: 'PT BR',
  sv: 'SE FI',
  pl: 'PL',
  cs: 'CZ',
  da: 'DK',
  uk: 'UA',
}

const lists = new Map<string, readonly NamedCode[]>()

/** All codes of a kind with their names, sorted by name. */
export function useCodes(kind: CodeKind): readonly NamedCode[] {
  const { language } = useTranslation().i18n
  const key = `${kind} ${language}`
  const known = lists.get(key) ?? listOf(kind, language)
  lists.set(key, known)
  return known
}

function listOf(kind: CodeKind, language: string): NamedCode[] {
  const nameOf = namer(kind, language)
  const codes =
    kind === 'currency'
      ? Intl.supportedValuesOf('currency')
      : kind === 'timeZone'
        ? ['UTC', ...Intl.supportedValuesOf('timeZone')]
        : Array.from(LETTERS, (a) => Array.from(LETTERS, (b) => a + b))
            .flat()
            .filter((code) => Intl.getCanonicalLocales(code)[0] === code)
            .flatMap((code) => [code, ...(REGIONS[code]?.split(' ') ?? []).map((region) => `${code}-${region}`)])
  const collator = new Intl.Collator(language)
  return [...new Set(codes)]
    .flatMap((code) => {
      const name = nameOf(code)
      return name === null ? [] : [{ code, name }]
    })
    .toSorted((a, b) => collator.compare(a.name, b.name))
}

/** A language with every country, for a reader who types `de-`. */
export function withEveryRegion(tag: string, language: string): NamedCode[] {
  const [base = ''] = tag.split('-')
  const nameOf = namer('language', language)
  if (nameOf(base) === null) return []
  const regions = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  const codes = Array.from(LETTERS.toUpperCase(), (a) => Array.from(LETTERS.toUpperCase(), (b) => a + b)).flat()
  return codes.flatMap((region) => {
    const code = `${base.toLowerCase()}-${region}`
    if (region === 'ZZ' || regions.of(region) === undefined || Intl.getCanonicalLocales(code)[0] !== code) return []
    return [{ code, name: nameOf(code) ?? code }]
  })
}

/** A function that returns the name of a code in a language, or null if it has none. */
function namer(kind: CodeKind, language: string): (code: string) => string | null {
  if (kind === 'timeZone') return (zone) => zoneName(zone, language)
  const names = new Intl.DisplayNames(language, { type: kind, fallback: 'none' })
  return (code) => {
    try {
      return names.of(code) ?? null
    } catch {
      return null
    }
  }
}

/** The town or country of a zone, which tells zones apart whose usual names are the same. */
function zoneName(zone: string, language: string): string {
  const town = (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
  const hours = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value
  return hours === undefined || hours === zone ? town : `${town} (${hours})`
}
