import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DEMO_ATTRIBUTES, type DemoGood, demoGoods } from './catalogue.ts'
import { checkDigit } from './ean.ts'
import { FAMILIES } from './families/all.ts'

const LANGUAGES = ['en', 'de', 'pl'] as const

const goods = [...demoGoods(2000)]
const distinct = (values: readonly string[]): number => new Set(values).size

/** The text without what is a name in any language. */
function bare(good: DemoGood, text: string): string {
  const family = FAMILIES.find(({ id }) => id === good.family)
  const names = family?.brands.flatMap(({ name, series }) => [name, ...series]) ?? []
  return names.sort((one, other) => other.length - one.length).reduce((left, name) => left.replaceAll(name, ''), text)
}

describe('demoGoods', () => {
  test('gives the same bytes on every machine', () => {
    const hash = createHash('sha256')
      .update(JSON.stringify([...demoGoods(100)]))
      .digest('hex')
    expect(hash).toBe('898b76ffdee47b3a0f31338498144d2de7149c3f1aeb383a49d4265b506ec2df')
  })

  test('gives the same first goods whatever the count', () => {
    expect([...demoGoods(37)]).toEqual(goods.slice(0, 37))
    expect([...demoGoods(0)]).toEqual([])
  })

  test('makes goods whose keys, EANs and titles are distinct, far beyond the first generation too', () => {
    const many = [...demoGoods(15_000)]
    expect(many).toHaveLength(15_000)
    expect(distinct(many.map(({ key }) => key))).toBe(15_000)
    expect(distinct(many.map(({ ean }) => ean))).toBe(15_000)
    for (const language of LANGUAGES) expect(distinct(many.map(({ texts }) => texts[language].title))).toBe(15_000)
  })

  test('numbers goods in the in-store range with right check digits', () => {
    // The worked example of the GS1 General Specifications, so that the rule is not its own witness.
    expect(checkDigit('629104150021')).toBe(3)
    for (const { ean } of goods) {
      expect(ean).toMatch(/^2\d{12}$/)
      expect(checkDigit(ean.slice(0, 12))).toBe(Number(ean.slice(12)))
    }
  })

  test('spreads over every family and gives every article', () => {
    for (const { id } of FAMILIES) expect(goods.filter(({ family }) => family === id).length).toBeGreaterThan(100)
    const keys = goods.map(({ key }) => key)
    for (const { id, articles } of FAMILIES) {
      for (const article of articles) expect(keys.some((key) => key.startsWith(`${id}-${article.id}-`))).toBe(true)
    }
  })

  test('defines every attribute it states and states every one it defines', () => {
    const stated = new Set(goods.flatMap(({ attributes }) => attributes.map(({ key }) => key)))
    expect([...stated].sort()).toEqual(DEMO_ATTRIBUTES.map(({ key }) => key).sort())
    for (const { attributes } of goods) expect(distinct(attributes.map(({ key }) => key))).toBe(attributes.length)
    const numeric = new Set(DEMO_ATTRIBUTES.filter(({ unit }) => unit !== null).map(({ key }) => key))
    for (const { key, value } of goods.flatMap(({ attributes }) => attributes)) {
      expect(value).toMatch(numeric.has(key) ? /^\d+(\.\d+)?$/ : /^[^|=]+$/)
    }
  })

  test('writes plain costs, short titles, paths of images and well-formed descriptions', () => {
    for (const { costEur, texts, images, category } of goods) {
      expect(costEur).toMatch(/^[1-9]\d*\.\d\d$/)
      expect(category).toMatch(/^[A-Z][A-Za-z ]+\/[A-Z][A-Za-z ]+$/)
      expect(images.length).toBeGreaterThan(0)
      for (const path of images) expect(path).toMatch(/^[a-z]+\/[a-z0-9_-]+-\d\.jpg$/)
      for (const language of LANGUAGES) {
        const { title, description } = texts[language]
        expect(title.length).toBeLessThanOrEqual(120)
        expect(`${title}${description}`).not.toMatch(/undefined|null|NaN|\{|\}| {2}|&/)
        expect(description).toMatch(/^<p>[^<]+\.<\/p><ul>(<li>[^<]+<\/li>){3,}<\/ul>$/)
      }
    }
  })

  test('keeps English words out of German and Polish', () => {
    const canaries =
      /\b(the|and|with|of|for|black|white|green|grey|blue|steel|wood|bag|lamp|chair|light|weight|size|color)\b/i
    const german = /\b(und|mit|für|schwarz|weiß|Gewicht|Farbe|Größe)\b/i
    for (const good of goods) {
      for (const { title, description } of [good.texts.de, good.texts.pl]) {
        expect(bare(good, `${title} ${description}`)).not.toMatch(canaries)
      }
      expect(bare(good, good.texts.pl.title)).not.toMatch(german)
    }
  })

  test('lets Polish colours agree with their nouns', () => {
    const title = (start: string): string => goods.find(({ key }) => key.startsWith(start))?.texts.pl.title ?? ''
    expect(title('camping-folding-chair-')).toMatch(/Krzesło .*e\)?$/)
    expect(title('kitchen-frying-pan-')).toMatch(/Patelnia .*a$/)
    expect(title('cycling-helmet-')).toMatch(/Kask .*y$/)
    const gloves = goods.filter(({ key }) => /^cycling-gloves-.*-petrol$/.test(key))
    for (const { texts } of gloves) expect(texts.pl.title).toContain('morskie')
    expect(gloves.length).toBeGreaterThan(0)
  })

  test('makes 2,000 goods in a fifth of a second', () => {
    // The best of three, so that a busy machine does not speak for the code.
    const taken = [1, 2, 3].map(() => {
      const start = performance.now()
      expect([...demoGoods(2000)]).toHaveLength(2000)
      return performance.now() - start
    })
    expect(Math.min(...taken)).toBeLessThan(200)
  })
})
