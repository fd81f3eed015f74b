import { LIMITS } from '../platform/limits.ts'
import { languageOf } from './locale.ts'

// The address of a product in a shop: words of letters and digits, joined by single hyphens. Letters of every script are kept as browsers and shops
// show them (NFC); Latin letters lose their marks.

type Spelling = Readonly<Record<string, string>>
/** Letters that a language replaces by others, rather than by the letter without its marks. */
const LETTERS_OF: Readonly<Record<string, Spelling>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  da: { å: 'aa', ø: 'oe' },
  nb: { å: 'aa', ø: 'oe' },
  nn: { å: 'aa', ø: 'oe' },
  no: { å: 'aa', ø: 'oe' },
}
/** Latin letters that do not decompose into a letter and marks. */
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
/** Languages with lower-case rules of their own. */
const OWN_LOWER_CASE = new Set(['az', 'lt', 'tr'])

/** The part of a title that is read: the rest would be cut anyway. */
const READ_MAX = 1_000
const LENGTH_MAX = LIMITS.slugLengthMax

/** The slug of a text in a language; '' if the text has neither letters nor digits. The slug of a slug is itself. Never throws. */
export function slugOf(text: string, locale: string): string {
  const language = languageOf(locale)
  return cutAtWord(words(text.slice(0, READ_MAX), language).join('-'), LENGTH_MAX)
}

/** The same without a limit, for callers that refuse longer ones. */
export const longSlugOf = (text: string, locale: string): string => words(text, languageOf(locale)).join('-')

const words = (text: string, language: string): string[] => latinWords(text, language) ?? anyWords(text, language)

/** Characters that can be converted one by one, independent of their neighbours: no combining marks. */
const LATIN = /^[\p{ASCII}\u0080-\u024f\u2010-\u2027\u2030-\u205e\u20ac\u2122]*$/u
const NO_ASCII = /\P{ASCII}/gu
/**
 * By language with its own letters: the conversion of a character to letters and digits, to a space that ends a word, or to nothing; null: it depends
 * on its neighbours.
 */
const spelledOf = new Map<string, Map<string, string | null>>()

/** The words of most titles, at a tenth of the cost of anyWords. @returns null if that is needed. */
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
  // signs that NFKC would turn into letters and digits of the preceding word
  const plain = text
    .replace(/[™℠®©]/g, ' ')
    .replace(/[¼-¾⅐-⅞]/g, ' $&')
    .normalize('NFKC')
  const lower = OWN_LOWER_CASE.has(language) ? plain.toLocaleLowerCase(language) : plain.toLowerCase()
  // invisible characters, such as soft hyphens and direction marks
  const seen = lower.normalize('NFC').replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
  const own = LETTERS_OF[language] ?? {}
  const unmarked = spelled(seen, own)
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
  // after removing marks, because some of these letters may have marks: ǽ becomes æ
  return spelled(unmarked, { ...LETTERS, ...own }).match(/[\p{L}\p{Nd}][\p{L}\p{Nd}\p{Mn}\p{Mc}]*/gu) ?? []
}

const spelled = (text: string, spelling: Spelling): string =>
  text.replace(/\P{ASCII}/gu, (letter) => spelling[letter] ?? letter)

/** Cuts to at most that many UTF-16 units: to whole words, or within the first word. */
function cutAtWord(slug: string, max: number): string {
  if (slug.length <= max) return slug
  const end = slug.lastIndexOf('-', max)
  if (end > 0) return slug.slice(0, end)
  // neither half a character nor a character without its marks
  const cut = slug.slice(0, max + 1)
  const whole = cut.replace(/(?:[\ud800-\udbff]|\P{M}\p{M}*)$/u, '')
  return whole === '' ? cut.slice(0, max).replace(/[\ud800-\udbff]$/, '') : whole
}

/** The slug of a product without a title. It always leads to the product without being registered. */
export const slugWithoutTitle = (productId: number): string => `product-${productId}`

/** The forms reserved for one product by its id: `hammer-id7` (`withId`) and `product-7` (`slugWithoutTitle`). */
const OF_PRODUCT = /(?:^|-)id(\d+)$|^product-(\d+)$/

/** The product that an unregistered slug leads to; null: the slug has another form. */
export function productWithoutTitle(slug: string): number | null {
  const [, digits] = /^product-(\d{1,15})$/.exec(slug) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Whether a slug has a form that is reserved for another product, so that two products never want the same reserved slug. */
export function isKeptForOther(slug: string, productId: number): boolean {
  const [, inEnd, inWhole] = OF_PRODUCT.exec(slug) ?? []
  const id = inEnd ?? inWhole
  return id !== undefined && id !== String(productId)
}

/** The form of a slug that is reserved for this product. */
export function withId(slug: string, productId: number): string {
  const end = `-id${productId}`
  return slug.endsWith(end) ? slug : cutAtWord(slug, LENGTH_MAX - end.length) + end
}

/** The slug that a product wants first; null if its title has neither letters nor digits. @param title in the store's locale. */
export function madeSlug(title: string | null, locale: string, productId: number): string | null {
  const slug = title === null ? '' : slugOf(title, locale)
  if (slug === '') return null
  return isKeptForOther(slug, productId) ? withId(slug, productId) : slug
}
