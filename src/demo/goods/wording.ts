/** The languages of the demo's goods. */
export type Language = 'en' | 'de' | 'pl'

/** The same thing said in each language. */
export type Wording = Record<Language, string>

/** Short, because the tables of goods are made of it. */
export const t = (en: string, de: string, pl: string): Wording => ({ en, de, pl })

const GROUPED: Record<Language, string> = { en: ',', de: '.', pl: '\u00a0' }

/** A number as the language writes it: the decimal comma, and thousands set apart from 10,000 on. */
export function written(value: number, language: Language): string {
  const [whole = '', fraction] = String(value).split('.')
  const grouped = whole.length < 5 ? whole : `${whole.slice(0, -3)}${GROUPED[language]}${whole.slice(-3)}`
  return fraction === undefined ? grouped : `${grouped}${language === 'en' ? '.' : ','}${fraction}`
}

const FOLDED: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae' }

const slugged = new Map<string, string>()

/** The parts that there are as lower-case ASCII words joined by `-`, for keys and file names. */
export function slugs(...parts: (string | null | undefined)[]): string {
  return parts
    .filter((part) => part !== null && part !== undefined)
    .map(slug)
    .join('-')
}

/** A part comes back in thousands of keys, hence the memory. */
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
