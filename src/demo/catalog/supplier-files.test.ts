import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { demoProducts } from './products.ts'
import { readAll } from '../../supplier-files/fixtures.ts'
import { type DemoSupplierFile, demoSupplierFiles } from './supplier-files.ts'

const COUNT = 2000
const products = [...demoProducts(COUNT)]
const files = demoSupplierFiles(COUNT)
const fileOf = (code: string): DemoSupplierFile => files.find(({ supplier }) => supplier.code === code)!
const whole = ({ text }: DemoSupplierFile): string => [...text()].join('')

interface Row {
  sku: string
  ean: string
  title: string
  category: string
  cost: number
  quantity: number
  images: string[]
  attributes: Record<string, string>
}

type Item = Record<string, unknown>

/** A record as its mapping reads it, by a small reader independent of our code, to check that every mapped column exists. */
function read(item: Item, mapping: unknown): Row {
  const { fields, decimal } = mapping as { decimal?: string; fields: Record<string, unknown> }
  const at = (path: unknown): unknown =>
    String(path)
      .split('.')
      .reduce<unknown>((value, step) => (value as Item)[step], item)
  const [attributes] = fields['attributes'] as [{ packed?: string; pair: string; assign: string; object?: string }]
  const packed = attributes.packed === undefined ? undefined : String(at(attributes.packed))
  return {
    sku: String(at(fields['sku'])),
    ean: at(fields['ean']) === null ? '' : String(at(fields['ean'])),
    title: String(at(fields['title'] ?? fields['title.pl'])),
    category: String(at(fields['category'])),
    cost: Number(String(at(fields['cost'])).replace(decimal ?? '.', '.')),
    quantity: Number(at(fields['quantity'])),
    images: (fields['images'] as string[]).flatMap((path) => at(path) as string | string[]).filter((url) => url !== ''),
    attributes:
      packed === undefined
        ? (at(attributes.object) as Record<string, string>)
        : Object.fromEntries(packed.split(attributes.pair).map((pair) => pair.split(attributes.assign))),
  }
}

function rows(code: string): Row[] {
  const { mapping } = fileOf(code)
  const text = whole(fileOf(code))
  const items: Item[] =
    code === 'nordwind'
      ? parse(text, { columns: true, delimiter: ';' })
      : code === 'baltic'
        ? text
            .trimEnd()
            .split('\n')
            .map((line): Item => JSON.parse(line))
        : JSON.parse(text)
  return items.map((item) => read(item, mapping))
}

const parsed = new Map(files.map(({ supplier }) => [supplier.code, rows(supplier.code)]))
const languages = { nordwind: 'de', baltic: 'pl', harbour: 'en' } as const
const rates = { nordwind: 1, baltic: 4.3, harbour: 1.08 } as const
const shares = { nordwind: 0.7, baltic: 0.6, harbour: 0.5 } as const

describe('demoSupplierFiles', () => {
  test.each(['nordwind', 'baltic', 'harbour'] as const)(
    '%s sends its share of the products in the form that its mapping describes',
    (code) => {
      const own = parsed.get(code)!
      expect(own.length / COUNT).toBeGreaterThan(shares[code] - 0.05)
      expect(own.length / COUNT).toBeLessThan(shares[code] + 0.05)
      expect(new Set(own.map(({ sku }) => sku)).size).toBe(own.length)
      const byTitle = new Map(products.map((product) => [product.texts[languages[code]].title, product]))
      for (const row of own) {
        const product = byTitle.get(row.title)!
        expect(['', product.ean]).toContain(row.ean)
        expect(row.category).toBe(product.category)
        expect(row.attributes).toEqual(Object.fromEntries(product.attributes.map(({ key, value }) => [key, value])))
        const ratio = row.cost / (Number(product.costEur) * rates[code])
        expect(ratio).toBeGreaterThan(0.9)
        expect(ratio).toBeLessThan(1.1)
        expect(row.quantity).toBeGreaterThanOrEqual(0)
        expect(Number.isInteger(row.quantity)).toBe(true)
        expect(row.images[0]).toBe(`https://images.example.com/${product.images[0]!}`)
      }
      const soldOut = own.filter(({ quantity }) => quantity === 0).length / own.length
      expect(soldOut).toBeGreaterThan(0.05)
      expect(soldOut).toBeLessThan(0.2)
    },
  )

  test('together contain every product, many of them more than once, matched by EAN', () => {
    const titles = new Map<string, string>()
    for (const product of products) for (const { title } of Object.values(product.texts)) titles.set(title, product.key)
    const sellers = new Map<string, { code: string; ean: string }[]>()
    for (const [code, own] of parsed) {
      for (const { title, ean } of own) {
        const key = titles.get(title)!
        sellers.set(key, [...(sellers.get(key) ?? []), { code, ean }])
      }
    }
    expect(sellers.size).toBe(COUNT)
    const offered = [...sellers.values()]
    expect(offered.filter((offers) => offers.length === 3).length).toBeGreaterThan(200)
    const unknown = offered.filter((offers) => offers.some(({ ean }) => ean === ''))
    expect(unknown.length).toBeGreaterThan(5)
    expect(unknown.length).toBeLessThan(COUNT / 20)
    for (const offers of unknown) expect(offers).toHaveLength(1)
  })

  test('come in the same chunks every time, and a longer file starts like a shorter one', () => {
    for (const one of files) {
      expect([...one.text()].length).toBeGreaterThan(3)
      expect(whole(one)).toBe(whole(one))
    }
    const small = whole(demoSupplierFiles(50)[0]!)
    expect(whole(fileOf('nordwind')).startsWith(small)).toBe(true)
  })

  test.each(['nordwind', 'baltic', 'harbour'] as const)(
    '%s says which articles are variants of one model',
    async (code) => {
      const file = demoSupplierFiles(COUNT, undefined, true).find(({ supplier }) => supplier.code === code)!
      const byTitle = new Map(products.map((product) => [product.texts[languages[code]].title, product]))
      let inGroups = 0
      for (const row of await readAll(whole(file), file.mapping)) {
        const { texts, group } = 'offer' in row ? row.offer : expect.fail(JSON.stringify(row))
        const model = byTitle.get(texts?.[languages[code]]?.title ?? '')!.model
        if (model === null) {
          expect(group ?? null).toBe(null)
          continue
        }
        inGroups++
        expect(group).toMatchObject({
          key: model.key,
          title: { [languages[code]]: model.titles[languages[code]] },
          position: model.position,
          options: Object.entries(model.options).map(([key, value]) => ({ key, value })),
        })
      }
      expect(inGroups).toBeGreaterThan(500)
    },
  )

  test('are well-formed with no products at all', () => {
    const [csv, ndjson, json] = demoSupplierFiles(0).map(whole)
    expect(csv).toMatch(/^Artikelnummer;EAN;.*;Merkmale\r\n$/)
    expect(ndjson).toBe('')
    expect(JSON.parse(json!)).toEqual([])
  })
})
