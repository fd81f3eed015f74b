/** The languages of the demo's goods. */
export type Language = 'en' | 'de' | 'pl'

/** The same thing said in each language. */
export type Wording = Record<Language, string>

export const LANGUAGES: readonly Language[] = ['en', 'de', 'pl']

/** Short, because the tables of goods are made of it. */
export const t = (en: string, de: string, pl: string): Wording => ({ en, de, pl })

/** A decimal as the language writes it; German and Polish use the comma. */
export function decimal(value: string, language: Language): string {
  return language === 'en' ? value : value.replaceAll(/(?<=\d)\.(?=\d)/g, ',')
}

const FOLDED: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae' }

/** Lower-case ASCII words joined by `-`, for keys and file names. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[ßłøæ]/g, (letter) => FOLDED[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('×', 'x')
    .replaceAll(/(?<=\d)\.(?=\d)/g, '_')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
