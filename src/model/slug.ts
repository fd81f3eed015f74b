import { LIMITS } from '../platform/limits.ts'
import { languageOf } from './locale.ts'

// The address of a product in a shop: words of letters and digits, joined by single hyphens. Letters of every script are kept as browsers and
// shops show them (NFC); Latin ones without their marks.

type Spelling = Readonly<Record<string, string>>
/** What the language writes in place of a letter, where it is not the letter without its marks. */
const LETTERS_OF: Readonly<Record<string, Spelling>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  da: { å: 'aa', ø: 'oe' },
  nb: { å: 'aa', ø: 'oe' },
  nn: { å: 'aa', ø: 'oe' },
  no: { å: 'aa', ø: 'oe' },
}
/** Latin letters that are not a letter with marks. */
const LETTERS: Spelling = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
}
/** Languages that write other letters in lower case. */
const OWN_LOWER_CASE = new Set(['az', 'lt', 'tr'])

/** A title is looked at up to here: what follows is cut in any case. */
const READ_MAX = 1_000
const LENGTH_MAX = LIMITS.slugLengthMax

/** The slug of a text in a language; '' where it has neither a letter nor a digit. Of a slug, the slug. Never throws. */
export function slugOf(text: string, locale: string): string {
  const language = languageOf(locale)
  return cutAtWord(words(text.slice(0, READ_MAX), language).join('-'), LENGTH_MAX)
}

/** The same without a limit, for what is to be refused where it is longer. */
export const longSlugOf = (text: string, locale: string): string => words(text, languageOf(locale)).join('-')

const words = (text: string, language: string): string[] => latinWords(text, language) ?? anyWords(text, language)

/** Of letters, digits and signs that become words one by one, whatever stands beside them: no marks that join the letter before. */
const LATIN = /^[\p{ASCII}\u0080-\u024f\u2010-\u2027\u2030-\u205e\u20ac\u2122]*$/u
const NO_ASCII = /\P{ASCII}/gu
/** By language with a spelling of its own, what a character becomes: letters and digits, a space where words end, nothing; null: it needs the long way. */
const spelledOf = new Map<string, Map<string, string | null>>()

/** The words of most titles, at a tenth of the cost. @returns null where they need the long way. */
function latinWords(text: string, language: string): string[] | null {
  if (OWN_LOWER_CASE.has(language) || !LATIN.test(text)) return null
  const spelling = language in LETTERS_OF ? language : ''
  let known = spelledOf.get(spelling)
  if (known === undefined) spelledOf.set(spelling, (known = new Map()))
  let isPlain = true
  const plain = text.replace(NO_ASCII, (character) => {
    let found = known.get(character)
    if (found === undefined) known.set(character, (found = spelledAlone(character, language)))
    isPlain &&= found !== null
    return found ?? ''
  })
  return isPlain ? (plain.toLowerCase().match(/[a-z0-9]+/g) ?? []) : null
}

function spelledAlone(character: string, language: string): string | null {
  const between = anyWords(`x${character}x`, language).join(' ')
  return /^x(?:[a-z0-9]*| )x$/.test(between) ? between.slice(1, -1) : null
}

function anyWords(text: string, language: string): string[] {
  // signs that compatibility would make letters and digits of the word before them
  const plain = text
    .replace(/[™℠®©]/g, ' ')
    .replace(/[¼-¾⅐-⅞]/g, ' $&')
    .normalize('NFKC')
  const lower = OWN_LOWER_CASE.has(language) ? plain.toLocaleLowerCase(language) : plain.toLowerCase()
  // what is not seen, such as soft hyphens and marks of direction
  const seen = lower.normalize('NFC').replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
  const own = LETTERS_OF[language] ?? {}
  const unmarked = spelled(seen, own)
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
  // after the marks are gone, because letters of these may have some: ǽ is æ
  return spelled(unmarked, { ...LETTERS, ...own }).match(/[\p{L}\p{Nd}][\p{L}\p{Nd}\p{Mn}\p{Mc}]*/gu) ?? []
}

const spelled = (text: string, spelling: Spelling): string =>
  text.replace(/\P{ASCII}/gu, (letter) => spelling[letter] ?? letter)

/** At most so many UTF-16 units: whole words, or a part of the first one. */
function cutAtWord(slug: string, max: number): string {
  if (slug.length <= max) return slug
  const end = slug.lastIndexOf('-', max)
  if (end > 0) return slug.slice(0, end)
  // neither half a character nor one without its marks
  const cut = slug.slice(0, max + 1)
  const whole = cut.replace(/(?:[\ud800-\udbff]|\P{M}\p{M}*)$/u, '')
  return whole === '' ? cut.slice(0, max).replace(/[\ud800-\udbff]$/, '') : whole
}

/** What is shown of a product without a title, and always leads to it: nothing is registered for that. */
export const slugWithoutTitle = (productId: number): string => `product-${productId}`

/** The forms that are kept for one product, by its ID: `hammer-id7` (`withId`) and `product-7` (`slugWithoutTitle`). */
const OF_PRODUCT = /(?:^|-)id(\d+)$|^product-(\d+)$/

/** The product to which a slug leads without being registered; null: it is another kind of slug. */
export function productWithoutTitle(slug: string): number | null {
  const [, digits] = /^product-(\d{1,15})$/.exec(slug) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Whether a slug has a form that only another product can have, so that no two products ever ask for one of these. */
export function isKeptForOther(slug: string, productId: number): boolean {
  const [, inEnd, inWhole] = OF_PRODUCT.exec(slug) ?? []
  const id = inEnd ?? inWhole
  return id !== undefined && id !== String(productId)
}

/** A slug that no other product can have. */
export function withId(slug: string, productId: number): string {
  const end = `-id${productId}`
  return slug.endsWith(end) ? slug : cutAtWord(slug, LENGTH_MAX - end.length) + end
}

/** What a product asks for first; null: its title has nothing that a slug is made of. @param title in the store's locale. */
export function madeSlug(title: string | null, locale: string, productId: number): string | null {
  const slug = title === null ? '' : slugOf(title, locale)
  if (slug === '') return null
  return isKeptForOther(slug, productId) ? withId(slug, productId) : slug
}
