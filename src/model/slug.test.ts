import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../platform/limits.ts'
import { isKeptForOther, madeSlug, productWithoutTitle, slugOf, slugWithoutTitle, withId } from './slug.ts'

describe('the slug of a title', () => {
  it.each([
    ['en', 'Steel  Hammer, 300 g (new!)', 'steel-hammer-300-g-new'],
    ['de', 'Größe Ä: Übergröße & Öl', 'groesse-ae-uebergroesse-oel'],
    ['sv', 'Måttband för snickare ÄÖ', 'mattband-for-snickare-ao'],
    ['da', 'Rød gulvmåtte, ægte', 'roed-gulvmaatte-aegte'],
    ['pl', 'Łopata żółta – ćwierć', 'lopata-zolta-cwierc'],
    ['fr', 'L’œuf à la coque', 'l-oeuf-a-la-coque'],
    ['vi', 'Đèn bàn điện tử', 'den-ban-dien-tu'],
    ['tr', 'IŞIK İÇİN LAMBA', 'isik-icin-lamba'],
    ['en', 'İstanbul', 'istanbul'],
    ['ru', 'Молоток СТАЛЬНОЙ, 300 г', 'молоток-стальной-300-г'],
    ['uk', 'Їжак і ґудзик', 'їжак-і-ґудзик'],
    ['el', 'ΧΆΛΥΒΑΣ 5 ΜΜ', 'χάλυβας-5-μμ'],
    ['he', 'פטיש פלדה 300', 'פטיש-פלדה-300'],
    ['ar', 'مطرقة فولاذية ٣٠٠', 'مطرقة-فولاذية-٣٠٠'],
    ['hi', 'स्टील का हथौड़ा', 'स्टील-का-हथौड़ा'],
    ['th', 'ค้อนเหล็ก 300 กรัม', 'ค้อนเหล็ก-300-กรัม'],
    ['ja', 'ハンマー（鋼）３００ｇ', 'ハンマー-鋼-300g'],
    ['zh', '钢锤 300克', '钢锤-300克'],
    ['ko', '강철 망치', '강철-망치'],
    ['ka', 'ფოლადის ჩაქუჩი', 'ფოლადის-ჩაქუჩი'],
    ['hy', 'Պողպատե մուրճ', 'պողպատե-մուրճ'],
  ])('in %s of "%s"', (locale, title, slug) => {
    expect(slugOf(title, locale)).toBe(slug.normalize('NFC'))
  })

  it.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['100%2F50', '100-2f50'],
    ['a/b?c#d&e=f', 'a-b-c-d-e-f'],
    ['Hammer™ ®', 'hammer'],
    ['1½ m²', '1-1-2-m2'],
    ['soft\u00adhyphen \u202eright to left\u202c', 'softhyphen-right-to-left'],
    ['ﬁsh', 'fish'],
    ['1️⃣ one', '1-one'],
    ['__proto__', 'proto'],
  ])('of "%s" has no sign but hyphens', (title, slug) => {
    expect(slugOf(title, 'en')).toBe(slug)
  })

  it.each(['', '   ', '😀👩‍👩‍👧🇩🇪', '---', '\u200e\u200f', '́'])('of "%s" is empty', (title) => {
    expect(slugOf(title, 'en')).toBe('')
    expect(madeSlug(title, 'en', 7)).toBeNull()
  })

  it('has at most its limit of characters, and ends with a whole word', () => {
    const slug = slugOf('Word '.repeat(1_000), 'en')
    expect(slug.length).toBeLessThanOrEqual(LIMITS.slugLengthMax)
    expect(slug).toMatch(/^(word-)+word$/)
    expect(slugOf('x'.repeat(5_000), 'en')).toBe('x'.repeat(LIMITS.slugLengthMax))
    expect(slugOf('𠮷'.repeat(5_000), 'ja')).toBe('𠮷'.repeat(LIMITS.slugLengthMax / 2))
    // a syllable of two code points is dropped as a whole
    expect(slugOf('xकि'.padEnd(5_000, 'कि'), 'hi').endsWith('क')).toBe(false)
  })

  it('is the same whether or not its words are found one character at a time', () => {
    const characters = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...'ab IZ09-.äÖßéŁøĳŉŀǆİıſª²½™€–’…\u00ad\u2011\u2060') },
      fc.integer({ min: 0, max: 0x24f }).map((code) => String.fromCodePoint(code)),
      fc.integer({ min: 0x2010, max: 0x205e }).map((code) => String.fromCodePoint(code)),
    )
    fc.assert(
      fc.property(
        fc.string({ unit: characters, maxLength: 30 }),
        fc.constantFrom('en', 'de', 'nb', 'da', 'el', 'fr'),
        (text, locale) => {
          // one word that is not Latin makes the whole title use anyWords
          expect(slugOf(`${text} ж`, locale)).toBe(`${slugOf(text, locale)}-ж`.replace(/^-/, ''))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('is a slug for every text, and that of a slug is the slug itself', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom('en', 'de', 'tr', 'lt', 'nb', 'el'), (text, locale) => {
        const slug = slugOf(text, locale)
        expect(slug).toMatch(/^(?:[\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}]*(?:-[\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}]*)*)?$/u)
        expect(slug.length).toBeLessThanOrEqual(LIMITS.slugLengthMax)
        expect(slug.normalize('NFC')).toBe(slug)
        expect(slugOf(slug, locale)).toBe(slug)
      }),
    )
  })
})

describe('a slug with the id of its product', () => {
  it('is within the limit, and kept for the product', () => {
    const slug = withId(slugOf('Word '.repeat(100), 'en'), 123_456)
    expect(slug.length).toBeLessThanOrEqual(LIMITS.slugLengthMax)
    expect(slug).toMatch(/word-id123456$/)
    expect(isKeptForOther(slug, 123_456)).toBe(false)
    expect(isKeptForOther(slug, 7)).toBe(true)
    expect(withId(slug, 123_456)).toBe(slug)
  })

  it('is made at once of a title that ends like that of another product', () => {
    expect(madeSlug('Charger for ID4', 'en', 7)).toBe('charger-for-id4-id7')
    expect(madeSlug('ID4', 'en', 7)).toBe('id4-id7')
    expect(madeSlug('Charger for ID 7', 'en', 7)).toBe('charger-for-id-7')
    expect(madeSlug('Charger id7', 'en', 7)).toBe('charger-id7')
    expect(madeSlug('Grid4', 'en', 7)).toBe('grid4')
    expect(madeSlug('Product 4', 'en', 7)).toBe('product-4-id7')
    expect(madeSlug('Product 7', 'en', 7)).toBe('product-7')
    expect(madeSlug('Our product 4', 'en', 7)).toBe('our-product-4')
  })

  it('leads to a product without a title, and to no other', () => {
    expect(productWithoutTitle(slugWithoutTitle(7))).toBe(7)
    for (const slug of [
      'product',
      'product-',
      'product-7a',
      'our-product-7',
      'product-7-8',
      `product-${'9'.repeat(20)}`,
    ])
      expect(productWithoutTitle(slug)).toBeNull()
  })
})
