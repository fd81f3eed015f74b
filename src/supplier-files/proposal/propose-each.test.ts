import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked } from '../fixtures.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { articleListOf } from './propose-each.ts'
import { readOfferPages } from '../read-offers.ts'

/** Lists with ids or codes and amounts that are parts of an article: prices, stock, packs, batches, components. */
const OTHER_LISTS: [string, (no: number) => object][] = (
  [
    ['stocks', { warehouse: 'W', quantity: 3 }],
    ['inventory_levels', { location: 'W', available: 3 }],
    ['prices', { quantityStart: 10, price: '4.10' }],
    ['special', { price: '0.90' }],
    ['discounts', { price: '0.90', quantity: 5 }],
    ['packagingUnits', { gtin: 'G', unit: 'CT', quantity: 12 }],
    ['batches', { expiry: '2027-03-01', quantity: 6 }],
    ['promotions', { code: 'X', title: 'Summer', price: '0.90' }],
    ['price_lists', { code: 'X', title: 'Dealers', price: '0.90' }],
    ['parts', { sku: 'X', name: 'Part', price: '0.10' }],
    ['set_items', { sku: 'X', name: 'Part', price: '0.10' }],
    ['suppliers', { sku: 'X', name: 'Supplier', price: '0.80', stock: 3 }],
  ] as const
).map(([name, members]) => [
  name,
  (no) => ({
    [name]: [1, 2].map((at) => ({
      id: no * 10 + at,
      ...Object.fromEntries(
        Object.entries(members).map(([key, value]) => [
          key,
          ['sku', 'code', 'gtin', 'name', 'title', 'warehouse', 'location'].includes(key)
            ? `${value}${no}${at}`
            : value,
        ]),
      ),
    })),
  }),
])

const titled = (no: number) => [1, 2].map((at) => ({ sku: `I${no}${at}`, name: `Part ${no}${at}`, price: '2.00' }))

/** The key, cost, stock and group of each offer; "refused" for a refused row. */
async function read(text: string, mapping: Mapping) {
  const offers: [string, string | null | undefined, number | undefined, string | undefined][] = []
  for await (const page of readOfferPages(chunked(text), mapping))
    for (const row of page)
      if ('offer' in row) offers.push([row.offer.sku, row.offer.cost, row.offer.quantity, row.offer.group?.key])
      else if ('faults' in row) offers.push(['refused', undefined, undefined, undefined])
  return offers
}

const sizes = ['S', 'M', 'L']
const product = (no: number, more: object = {}) => ({ id: no, name: `Tee ${no}`, ...more })
const versionsOf = (no: number) => sizes.map((size) => ({ sku: `T${no}-${size}`, size, price: '20.00', stock: 4 }))
const unpriced = (no: number) => sizes.map((size) => ({ sku: `T${no}-${size}`, size, stock: 4 }))

describe('lists of articles within records', () => {
  it('are those whose elements have keys and amounts of their own', async () => {
    expect(await articleListOf([1, 2].map((no) => product(no, { variants: versionsOf(no) })))).toEqual({
      path: 'variants',
      isOfVersions: true,
      prefix: '',
      distinct: ['id', 'name'],
    })
    const group = (no: number) => ({
      name: `Group ${no}`,
      articles: [1, 2, 3].map((at) => ({ code: `G${no}-${at}`, name: `Article ${no} ${at}`, price: `${at}.50` })),
    })
    expect(await articleListOf([group(1), group(2)])).toMatchObject({ path: 'articles', isOfVersions: false })
  })

  it('may be known by an id where they have a price and a name of their own, and their record has neither a key nor a price', async () => {
    const versions = (no: number, more: object) => sizes.map((size, at) => ({ id: `${no}${at}`, ...more, size }))
    const listOf = (record: object, more: object) =>
      articleListOf([1, 2].map((no) => ({ ...product(no), ...record, variants: versions(no, more) })))
    expect(await listOf({}, { price: '20.00' })).toMatchObject({ path: 'variants' })
    expect(await listOf({}, { stock: 4 })).toBeUndefined()
    expect(await listOf({ price: '19.00' }, { price: '20.00' })).toBeUndefined()
    expect(await listOf({ sku: 'A' }, { price: '20.00' })).toBeUndefined()
  })

  it('are the inner ones of records within records, with the title of the product', async () => {
    const text = JSON.stringify(
      [1, 2].map((no) => ({
        name: `Category ${no}`,
        products: [1, 2].map((at) => ({
          id: no * 10 + at,
          name: `Tee ${no}${at}`,
          variants: versionsOf(no * 10 + at),
        })),
      })),
    )
    const { mapping } = await detectMapping(chunked(text))
    expect(mapping.each).toBe('products.variants')
    expect(mapping.fields).toMatchObject({ group_key: 'products.id', group_title: 'products.name' })
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
    ['a list of another name', (no) => ({ entries: titled(no) })],
    ['articles that an article consists of', (no) => ({ sku: `A${no}`, price: '9.00', items: titled(no) })],
    ['articles of an article with stock', (no) => ({ stock: 5, items: titled(no) })],
    ['articles of an order', (no) => ({ customer: { name: 'Ann' }, items: titled(no) })],
    ['articles of a sale', (no) => ({ total: '4.00', items: titled(no) })],
    ['versions with a stock but no price', (no) => ({ sku: `A${no}`, price: '9.00', variants: unpriced(no) })],
    [
      'versions with an EAN but no price',
      (no) => ({ price: '9.00', variants: unpriced(no).map(({ sku, ...one }) => ({ ...one, ean: sku })) }),
    ],
    ['rows of places', (no) => ({ variants: versionsOf(no).map((one, at) => ({ ...one, warehouse: `W${at}` })) })],
    [
      'prices from a quantity on',
      (no) => ({ variants: versionsOf(no).map((one, at) => ({ ...one, from: at * 5 + 1 })) }),
    ],
    ['what is added to a price', (no) => ({ variants: versionsOf(no).map((one) => ({ ...one, price: '+2.00' })) })],
    [
      'prices of 0, which are those of the article',
      (no) => ({ variants: versionsOf(no).map((one) => ({ ...one, price: '0.00', stock: undefined })) }),
    ],
    ['one of two lists', (no) => ({ variants: versionsOf(no), skus: versionsOf(no) })],
  ])('are not %s', async (_, more) => {
    expect(await articleListOf([1, 2].map((no) => product(no, more(no))))).toBeUndefined()
  })

  it.each<[string, (no: number) => object]>(OTHER_LISTS)(
    'are not %s: such a file comes in as if the list were not there',
    async (_, more) => {
      const own = (no: number) => ({ sku: `A${no}`, name: `Article ${no}`, price: `${no}.50`, stock: no })
      const offersOf = async (make: (no: number) => object) => {
        const text = JSON.stringify([1, 2, 3, 4].map(make))
        const { mapping } = await detectMapping(chunked(text))
        expect(mapping.each).toBeUndefined()
        return (await read(text, mapping)).map(([sku, cost]) => [sku, cost])
      }
      expect(await offersOf((no) => ({ ...own(no), ...more(no) }))).toEqual(await offersOf(own))
    },
  )

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
        cost: { first: ['variants.price', 'price'] },
        quantity: 'variants.stock',
        group_key: 'id',
        group_title: 'name',
        group_options: [{ key: 'size', column: 'variants.size' }],
      },
    })
    expect(asked.join()).toContain('each element of "variants" is taken for an article')
  })

  it.each<[string, (no: number) => object, string | undefined]>([
    ['an id of its own', (no) => ({ category_id: 5, id: no, name: `Tee ${no}` }), 'id'],
    ['a handle', (no) => ({ vendor_id: 7, handle: `tee-${no}`, name: `Tee ${no}` }), 'handle'],
    ['a key', (no) => ({ supplier_id: 77, code: `P${no}`, name: `Tee ${no}` }), 'code'],
    ['only the id of its brand', (no) => ({ brand: { id: no, title: `Brand ${no}` }, name: `Tee ${no}` }), undefined],
    ['only that of its category', (no) => ({ category_id: no, name: `Tee ${no}` }), undefined],
    ['an id that others have, too', (no) => ({ id: no % 2, name: `Tee ${no}` }), undefined],
  ])('are a group by what names the record: one with %s', async (_, record, by) => {
    const text = JSON.stringify([1, 2, 3].map((no) => ({ ...record(no), variants: versionsOf(no) })))
    const { mapping } = await detectMapping(chunked(text))
    expect(mapping.each).toBe('variants')
    const key = JSON.stringify(mapping.fields.group_key)
    if (by === undefined) expect(key).toBeUndefined()
    else expect(key).toContain(JSON.stringify(by))
  })

  it.each<[string, object]>([
    ['an empty list', { variants: [] }],
    ['no list', {}],
  ])('are beside articles of one version, with %s', async (_, rest) => {
    const mug = { sku: 'P2', name: 'Mug', price: '7.00', stock: 9, ...rest }
    const tee = (no: number) => ({
      sku: `P${no}`,
      name: `Tee ${no}`,
      price: '19.00',
      stock: 50,
      variants: versionsOf(no),
    })
    const text = JSON.stringify([tee(1), mug, tee(3)])
    const { mapping } = await detectMapping(chunked(text))
    expect(mapping.each).toBe('variants')
    expect(await read(text, mapping)).toEqual([
      ...sizes.map((size) => [`T1-${size}`, '20', 4, 'P1']),
      ['P2', '7', 9, undefined],
      ...sizes.map((size) => [`T3-${size}`, '20', 4, 'P3']),
    ])
  })

  it('are beside articles of one version in XML', async () => {
    const variants = (no: number) =>
      sizes.map((size) => `<v><sku>T${no}-${size}</sku><size>${size}</size><price>8.50</price></v>`).join('')
    const item = (no: number, inner: string) =>
      `<item><sku>P${no}</sku><name>Tee ${no}</name><price>9.00</price><variants>${inner}</variants></item>`
    const text = `<items>${item(1, variants(1))}${item(2, '')}${item(3, variants(3))}</items>`.replaceAll(
      /<(\/?)v>/g,
      '<$1variant>',
    )
    const { mapping } = await detectMapping(chunked(text))
    expect(mapping.each).toBe('variants.variant')
    expect((await read(text, mapping)).map(([sku, cost]) => `${sku} ${cost}`)).toEqual([
      'T1-S 8.5',
      'T1-M 8.5',
      'T1-L 8.5',
      'P2 9',
      'T3-S 8.5',
      'T3-M 8.5',
      'T3-L 8.5',
    ])
  })

  it('have the cost of their record where they have none themselves', async () => {
    const text = JSON.stringify(
      [1, 2].map((no) => ({
        ...product(no, { price: '19.00' }),
        variants: versionsOf(no).map((one) => (one.size === 'M' ? { ...one, price: '' } : one)),
      })),
    )
    const { mapping } = await detectMapping(chunked(text))
    expect((await read(text, mapping)).map(([, cost]) => cost)).toEqual(['20', '19', '20', '20', '19', '20'])
  })

  it.each([
    ['inventory_quantity', [4, 4, 4, 4, 4, 4]],
    // it is uncertain whether this is the stock of a version
    ['stock_qty_now', undefined],
    // a stock of the record may be that of all versions together
    ['note', undefined],
  ])('have stock of their own, and not that of all of them together: %s', async (name, stocks) => {
    const versions = (no: number) => versionsOf(no).map(({ stock, ...one }) => ({ ...one, [name]: stock }))
    const text = JSON.stringify([1, 2].map((no) => product(no, { stock: 12, variants: versions(no) })))
    const { mapping } = await detectMapping(chunked(text))
    expect(mapping.each).toBe(stocks && 'variants')
    if (stocks !== undefined) expect((await read(text, mapping)).map(([, , stock]) => stock)).toEqual(stocks)
  })

  it.each<[string, (no: number) => object]>([
    [
      'a version has no key',
      (no) => ({ variants: versionsOf(no).map((one, at) => (at === 1 && no === 2 ? { ...one, sku: null } : one)) }),
    ],
    [
      'a version has a cost that cannot be read',
      (no) => ({
        variants: versionsOf(no).map((one, at) => (at === 1 && no === 2 ? { ...one, price: 'on request?' } : one)),
      }),
    ],
    [
      'articles without versions would lack their stock',
      (no) => {
        const places = (stock: number) => ({ stock, quantity: 1 })
        const versions = versionsOf(no).map(({ stock, ...one }) => ({ ...one, ...places(stock) }))
        const own = { sku: `P${no}`, price: '7.00', stock: 5 }
        return { ...own, variants: no === 2 ? [] : versions }
      },
    ],
    [
      'articles without versions have no key',
      (no) => (no === 2 ? { price: '7.00', variants: [] } : { variants: versionsOf(no) }),
    ],
  ])('are not taken apart where some of them would not come in: %s', async (_, more) => {
    const text = JSON.stringify([1, 2, 3].map((no) => product(no, more(no))))
    const asked: string[] = []
    const { mapping } = await detectMapping(chunked(text), (question) => asked.push(question))
    expect(mapping.each).toBeUndefined()
    expect(asked.join()).toContain('records list articles in "variants", but not all of the first ones would come in')
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
