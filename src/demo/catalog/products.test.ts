import process from 'node:process'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { COLOURS, DEMO_ATTRIBUTES, FAMILIES, MATERIALS } from './data.ts'
import { type DemoProduct, demoProducts } from './products.ts'
import { checkDigit } from './ean.ts'

const LANGUAGES = ['en', 'de', 'pl'] as const

const products = [...demoProducts(2000)]
const distinct = (values: readonly string[]): number => new Set(values).size

/** A text without the names of brands and series. */
function bare(product: DemoProduct, text: string): string {
  const family = FAMILIES.find(({ id }) => id === product.family)
  const names = family?.brands.flatMap(({ name, series }) => [name, ...series]) ?? []
  return names.sort((one, other) => other.length - one.length).reduce((left, name) => left.replaceAll(name, ''), text)
}

describe('demoProducts', () => {
  test('gives the same bytes on every machine', () => {
    const hash = createHash('sha256')
      // without the model, which older releases did not have: the hash is from one of them
      .update(JSON.stringify([...demoProducts(100)].map((product) => ({ ...product, model: undefined }))))
      .digest('hex')
    expect(hash).toBe('8d78e82b91b149ec88993e5f379b1d7e627a57aa4eb68ebc58cdc5e703bb8e34')
  })

  test('says which products are variants of one model, and in what they differ', () => {
    const models = Map.groupBy(
      products.flatMap(({ model, attributes }) => (model === null ? [] : [{ ...model, attributes }])),
      ({ key }) => key,
    )
    expect(models.size).toBeGreaterThan(300)
    for (const [key, variants] of models) {
      // the last model may be cut off
      if (key !== products.at(-1)?.model?.key) expect(variants.length).toBeGreaterThan(1)
      expect(variants.map(({ position }) => position)).toEqual(variants.map((_, at) => at + 1))
      expect(new Set(variants.map(({ titles }) => JSON.stringify(titles))).size).toBe(1)
      expect(new Set(variants.map(({ options }) => JSON.stringify(options))).size).toBe(variants.length)
      for (const { options, attributes } of variants)
        for (const [name, value] of Object.entries(options)) expect(attributes).toContainEqual({ key: name, value })
    }
    // a single product of a model is no variant
    expect(products.some(({ model }) => model === null)).toBe(true)
  })

  test('gives the same first products whatever the count', () => {
    expect([...demoProducts(37)]).toEqual(products.slice(0, 37))
    expect([...demoProducts(0)]).toEqual([])
  })

  test('makes products with distinct keys, EANs and titles, far beyond the first generation', () => {
    const many = [...demoProducts(15_000)]
    expect(many).toHaveLength(15_000)
    expect(distinct(many.map(({ key }) => key))).toBe(15_000)
    expect(distinct(many.map(({ ean }) => ean))).toBe(15_000)
    for (const language of LANGUAGES) expect(distinct(many.map(({ texts }) => texts[language].title))).toBe(15_000)
  })

  test('gives products EANs of the range for demonstrations with right check digits', () => {
    // The example of the GS1 General Specifications: checkDigit itself is used below.
    expect(checkDigit('629104150021')).toBe(3)
    for (const { ean } of products) {
      expect(ean).toMatch(/^952\d{10}$/)
      expect(checkDigit(ean.slice(0, 12))).toBe(Number(ean.slice(12)))
    }
  })

  test('contains every family and every article', () => {
    for (const { id } of FAMILIES) expect(products.filter(({ family }) => family === id).length).toBeGreaterThan(100)
    const keys = products.map(({ key }) => key)
    for (const { id, articles } of FAMILIES) {
      for (const article of articles) expect(keys.some((key) => key.startsWith(`${id}-${article.id}-`))).toBe(true)
    }
  })

  test('is made of colours, materials and features that there are', () => {
    for (const { palette, features, closings, brands, articles } of FAMILIES) {
      expect(Object.keys(COLOURS)).toEqual(expect.arrayContaining([...palette]))
      expect(closings).toHaveLength(3)
      expect(brands.map(({ style }) => style)).toEqual(
        brands.map(() => expect.stringMatching(/^(plain|dash|brackets)$/)),
      )
      for (const article of articles) {
        expect(Object.keys(COLOURS)).toEqual(expect.arrayContaining([...(article.colours ?? [])]))
        expect(Object.keys(MATERIALS)).toEqual(expect.arrayContaining([...article.materials]))
        expect(Object.keys(features)).toEqual(expect.arrayContaining([...article.features]))
        expect(article.gender).toMatch(/^[mfnp]$/)
        expect([article.weight, ...article.cost].every((number) => number > 0)).toBe(true)
      }
    }
  })

  test('uses exactly the attributes that are defined', () => {
    const used = new Set(products.flatMap(({ attributes }) => attributes.map(({ key }) => key)))
    expect([...used].sort()).toEqual(DEMO_ATTRIBUTES.map(({ key }) => key).sort())
    for (const { attributes } of products) expect(distinct(attributes.map(({ key }) => key))).toBe(attributes.length)
    const numeric = new Set(DEMO_ATTRIBUTES.filter(({ unit }) => unit !== null).map(({ key }) => key))
    for (const { key, value } of products.flatMap(({ attributes }) => attributes)) {
      expect(value).toMatch(numeric.has(key) ? /^\d+(\.\d+)?$/ : /^[^|=]+$/)
    }
  })

  test('has plain costs, short titles, image paths and well-formed descriptions', () => {
    for (const { costEur, texts, images, category } of products) {
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

  test('has no English words in German and Polish texts', () => {
    const canaries =
      /\b(the|and|with|of|for|black|white|green|grey|blue|steel|wood|bag|lamp|chair|light|weight|size|color)\b/i
    const german = /\b(und|mit|für|schwarz|weiß|Gewicht|Farbe|Größe)\b/i
    for (const product of products) {
      for (const { title, description } of [product.texts.de, product.texts.pl]) {
        expect(bare(product, `${title} ${description}`)).not.toMatch(canaries)
      }
      expect(bare(product, product.texts.pl.title)).not.toMatch(german)
    }
  })

  test('makes Polish colours agree with their nouns', () => {
    const title = (start: string): string => products.find(({ key }) => key.startsWith(start))?.texts.pl.title ?? ''
    expect(title('camping-folding-chair-')).toMatch(/Krzesło .*e\)?$/)
    expect(title('kitchen-frying-pan-')).toMatch(/Patelnia .*a$/)
    expect(title('cycling-helmet-')).toMatch(/Kask .*y$/)
    const gloves = products.filter(({ key }) => /^cycling-gloves-.*-petrol$/.test(key))
    for (const { texts } of gloves) expect(texts.pl.title).toContain('morskie')
    expect(gloves.length).toBeGreaterThan(0)
  })

  test('generates 2,000 products within 200 ms', () => {
    // processor time of this thread, the best of three, so that a busy machine does not distort the result
    const taken = [1, 2, 3].map(() => {
      const before = process.threadCpuUsage()
      expect([...demoProducts(2000)]).toHaveLength(2000)
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1_000
    })
    expect(Math.min(...taken)).toBeLessThan(200)
  })
})
