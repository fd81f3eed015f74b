/** The languages of the demo's products. */
export type Language = 'en' | 'de' | 'pl'

/** One text in each language. */
export type Wording = Record<Language, string>

/** Makes a Wording. */
export const t = (en: string, de: string, pl: string): Wording => ({ en, de, pl })

const GROUPED: Record<Language, string> = { en: ',', de: '.', pl: '\u00a0' }

/** Formats a number for the language: its decimal sign, and a thousands separator from 10,000 on. */
export function written(value: number, language: Language): string {
  const [whole = '', fraction] = String(value).split('.')
  const grouped = whole.length < 5 ? whole : `${whole.slice(0, -3)}${GROUPED[language]}${whole.slice(-3)}`
  return fraction === undefined ? grouped : `${grouped}${language === 'en' ? '.' : ','}${fraction}`
}

const FOLDED: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae' }

const slugged = new Map<string, string>()

/** Joins the given parts as lower-case ASCII with `-`, for keys and file names. */
export function slugs(...parts: (string | null | undefined)[]): string {
  return parts
    .filter((part) => part !== null && part !== undefined)
    .map(slug)
    .join('-')
}

/** Memoized: the same part occurs in thousands of keys. */
function slug(part: string): string {
  const known = slugged.get(part)
  if (known !== undefined) return known
  const made = part
    .toLowerCase()
    .replaceAll(/[ßłøæ]/g, (letter) => FOLDED[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('×', 'x')
    .replaceAll(/(?<=\d)[.,](?=\d)/g, '_')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  slugged.set(part, made)
  return made
}
