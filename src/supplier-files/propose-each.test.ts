import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked } from './fixtures.ts'
import { articleListOf } from './propose-each.ts'

const sizes = ['S', 'M', 'L']
const product = (no: number, more: object = {}) => ({ id: no, name: `Tee ${no}`, ...more })
const versionsOf = (no: number) => sizes.map((size) => ({ sku: `T${no}-${size}`, size, price: '20.00', stock: 4 }))

describe('lists of articles within records', () => {
  it('are those whose elements have keys and amounts of their own', () => {
    expect(articleListOf([1, 2].map((no) => product(no, { variants: versionsOf(no) })))).toEqual({
      path: 'variants',
      isOfVersions: true,
    })
    const group = (no: number) => ({
      name: `Group ${no}`,
      articles: [1, 2, 3].map((at) => ({ code: `G${no}-${at}`, name: `Article ${no} ${at}`, price: `${at}.50` })),
    })
    expect(articleListOf([group(1), group(2)])).toEqual({ path: 'articles', isOfVersions: false })
  })

  it.each<[string, (no: number) => object]>([
    [
      'prices by quantity',
      () => ({
        prices: [
          { quantity: 1, price: 5 },
          { quantity: 10, price: 4 },
        ],
      }),
    ],
    [
      'stock of places',
      () => ({
        stocks: [
          { warehouse_id: 1, stock: 5 },
          { warehouse_id: 2, stock: 3 },
        ],
      }),
    ],
    ['articles that go with them', (no) => ({ related_products: versionsOf(no) })],
    [
      'pictures',
      (no) => ({
        images: [
          { id: no * 10, src: 'a.jpg' },
          { id: no * 10 + 1, src: 'b.jpg' },
        ],
      }),
    ],
    ['a single version', (no) => ({ variants: versionsOf(no).slice(0, 1) })],
  ])('are not %s', (_, more) => {
    expect(articleListOf([1, 2].map((no) => product(no, more(no))))).toBeUndefined()
  })

  it('are proposed with a question: versions share the title of their record, and are a group', async () => {
    const asked: string[] = []
    const text = JSON.stringify({
      products: [1, 2].map((no) => product(no, { price: '19.00', variants: versionsOf(no) })),
    })
    const { mapping } = await detectMapping(chunked(text), (question) => asked.push(question))
    expect(mapping).toMatchObject({
      items: 'products',
      each: 'variants',
      fields: {
        sku: 'variants.sku',
        cost: 'variants.price',
        quantity: 'variants.stock',
        group_key: 'id',
        group_title: 'name',
        group_options: [{ key: 'size', column: 'variants.size' }],
      },
    })
    expect(asked.join()).toContain('each element of "variants" is taken for an article')
  })

  it('have the name of their record for a category where it groups articles', async () => {
    const group = (no: number) => ({
      name: `Group ${no}`,
      articles: [1, 2, 3].map((at) => ({ code: `G${no}-${at}`, name: `Article ${no} ${at}`, price: `${at}.50` })),
    })
    const { mapping } = await detectMapping(chunked(JSON.stringify([group(1), group(2)])))
    expect(mapping.fields).toMatchObject({ sku: 'articles.code', title: 'articles.name', category: 'name' })
    expect(mapping.fields.group_key).toBeUndefined()
  })
})
