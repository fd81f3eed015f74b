import type { Asked } from './behaviour.ts'
import type { WriteBehaviour, Writing } from './fake-write-behaviours.ts'

// Bulks, each tried with the same requests on the fake and on the service (fake-writes.full.pg.test.ts).

const stock = (id: number | string) => `/account/products/${id}/stock`
const product = (id: number | string) => `/account/products/${id}`
const offer = (sku: string, supplier = 'north') => `/account/suppliers/${supplier}/offers/${sku}`
const bulkOf =
  ({ send }: Writing, kind: string) =>
  (rows: readonly unknown[], query = '', headers: Record<string, string> = {}): Promise<Asked> =>
    send('POST', `/account/bulk/${kind}${query}`, { rows }, headers)

const OF_STOCK: readonly WriteBehaviour[] = [
  [
    'own stock of many: each row as if it were a request of its own, in order',
    async ({ send, ask }, { id, sku }) => {
      const bulk = (rows: unknown, query = '', headers = {}) =>
        send('POST', `/account/bulk/stock${query}`, { rows }, headers)
      await bulk([{ product_id: id, quantity: 5, cost: '3.20' }])
      await bulk([
        { product_id: id, quantity: 5 },
        { sku, quantity: '>7' },
        { product_id: id, quantity: 7, cost: null },
        { product_id: id, quantity: null },
        { product_id: id, quantity: null },
        { product_id: id, quantity: 9, expected: null },
        { product_id: id, quantity: 10, expected: null },
        { product_id: id, quantity: 11, expected: { quantity: 9 } },
        { product_id: id, quantity: 12, expected: { quantity: 11, cost: 1 } },
      ])
      await ask(stock(id))
      await bulk([])
      await bulk([{ product_id: id, quantity: 50 }], '?dry_run=true')
      await bulk([{ product_id: id, quantity: 51 }, { product_id: id }], '?atomic=true')
      await bulk(
        [
          { product_id: id, quantity: 52 },
          { sku: 'nothing', quantity: 1 },
        ],
        '?atomic=true&dry_run=true',
      )
      await ask(stock(id))
      await bulk([{ product_id: id, quantity: 53 }], '?atomic=true')
      const key = { 'idempotency-key': `bulk-${id}` }
      await bulk([{ product_id: id, quantity: 54 }], '', key)
      await bulk([{ product_id: id, quantity: 54 }], '', key)
      await bulk([{ product_id: id, quantity: 55 }], '', key)
      await bulk([{ product_id: id, quantity: 54 }], '?dry_run=true', key)
      await ask(stock(id))
    },
  ],
  [
    'rows of stock that are not possible, and bulks that are not',
    async ({ send, ask }, { id }) => {
      await send('POST', '/account/bulk/stock', {
        rows: [
          7,
          null,
          [],
          {},
          { quantity: 1 },
          { product_id: id },
          { product_id: id, sku: 'a', quantity: 1 },
          { product_id: '7', quantity: 1 },
          { product_id: 0, quantity: 1 },
          { product_id: 999_999_999, quantity: 1 },
          { sku: ' ', quantity: 1 },
          { sku: 5, quantity: 1 },
          { sku: 'no such thing', quantity: 1 },
          { ean: 'x', quantity: 1 },
          { ean: 5, quantity: 1 },
          { ean: '4006381 333979', quantity: 1 },
          { product_id: id, quantity: 'many' },
          { product_id: id, quantity: true, cost: {} },
          { product_id: id, quantity: 1e12, cost: '-1' },
          { product_id: id, quantity: 1, cost: '1,5', colour: 'red' },
          { product_id: id, quantity: null, cost: '3' },
          { product_id: id, quantity: 1, expected: 5 },
          { product_id: id, quantity: 1, expected: { quantity: 'x', cost: 'y', z: 1 } },
        ],
      })
      for (const body of [undefined, {}, [], { rows: 5 }, { rows: [], more: 1 }])
        await send('POST', '/account/bulk/stock', body)
      for (const query of ['?atomic=yes', '?dry_run=', '?page=1'])
        await send('POST', `/account/bulk/stock${query}`, { rows: [] })
      await ask('/account/bulk/stock')
      await ask(stock(id))
    },
  ],
]

const OVERRIDES: readonly WriteBehaviour[] = [
  [
    'overrides of many: each row one value of one product, in order',
    async (writing, { id, sku }) => {
      const bulk = bulkOf(writing, 'overrides')
      await bulk([
        { product_id: id, field: 'title', locale: 'de', value: 'Hammer' },
        { sku, field: 'title', locale: 'de', value: 'Hammer 300 g' },
        { product_id: id, field: 'title', locale: 'de', value: 'Hammer 300 g' },
        { product_id: id, field: 'title', locale: 'pl-pl', value: 'Młotek' },
        { product_id: id, field: 'manufacturer', value: 'Acme' },
        { product_id: id, field: 'attribute', key: 'colour', value: 'red' },
        { product_id: id, field: 'attribute', key: 'colour', locale: 'de', value: 'rot' },
        { product_id: id, field: 'attribute', key: 'weight', locale: '*', value: false },
        { product_id: id, field: 'images', value: ['https://images.example.com/a.jpg'] },
        {
          product_id: id,
          field: 'image_alts',
          locale: 'en',
          value: { 'https://images.example.com/a.jpg': 'A hammer' },
        },
      ])
      await writing.ask(product(id))
      await bulk([
        { product_id: id, field: 'title', locale: 'de', value: null },
        { product_id: id, field: 'title', locale: 'de', value: null },
        { product_id: id, field: 'title', locale: 'pl-PL', value: 'Młot', expected: 'Młotek' },
        { product_id: id, field: 'title', locale: 'pl-PL', value: 'x', expected: 'Młotek' },
        { product_id: id, field: 'title', locale: 'en', value: 'Hammer', expected: null },
        { product_id: id, field: 'title', locale: 'en', value: 'x', expected: null },
        { product_id: id, field: 'manufacturer', value: null, expected: 'Acme' },
        { product_id: id, field: 'attribute', key: 'colour', value: null },
        { product_id: id, field: 'attribute', key: 'weight', value: 'heavy', expected: false },
        { product_id: id, field: 'images', value: null, expected: ['https://images.example.com/a.jpg'] },
        {
          product_id: id,
          field: 'image_alts',
          locale: 'en',
          value: null,
          expected: { 'https://images.example.com/a.jpg': 'x' },
        },
      ])
      await writing.ask(product(id))
      await bulk([{ product_id: id, field: 'mpn', value: 'M' }], '?dry_run=true')
      await bulk([{ product_id: id, field: 'mpn', value: 'M' }, { product_id: id }], '?atomic=true')
      await writing.ask(product(id))
    },
  ],
  [
    'rows of overrides that are not possible',
    async (writing, { id }) => {
      await bulkOf(
        writing,
        'overrides',
      )([
        5,
        {},
        { product_id: id },
        { product_id: id, field: 'titel', value: 'x' },
        { product_id: id, field: 'title', value: 'x' },
        { product_id: id, field: 'title', locale: 5, value: 'x' },
        { product_id: id, field: 'title', locale: 'en', value: 7 },
        { product_id: id, field: 'title', locale: 'en', value: ' ' },
        { product_id: id, field: 'title', locale: 'en', key: 'a', value: 'x' },
        { product_id: id, field: 'manufacturer', locale: 'en', value: 'x' },
        { product_id: id, field: 'manufacturer', value: false },
        { product_id: id, field: 'attribute', value: 'x' },
        { product_id: id, field: 'attribute', key: '', value: true },
        { product_id: id, field: 'attribute', key: 7, value: 'x', expected: true },
        { product_id: id, field: 'images', value: 'x' },
        { product_id: id, field: 'images', value: [7] },
        { product_id: id, field: 'image_alts', value: 'x' },
        { product_id: id, field: 'image_alts', locale: 'en', value: { 'https://images.example.com/a.jpg': 5 } },
        { product_id: id, field: 'title', locale: 'en', value: 'x', expected: 5 },
        { product_id: id, field: 'title', locale: 'en', value: 'x', price: 5 },
        { product_id: 999_999_999, field: 'title', locale: 'en', value: 'x' },
        { sku: 'no such thing', field: 'title', locale: 'en', value: 'x' },
      ])
      await writing.ask(product(id))
    },
  ],
]

const EXCLUSIONS: readonly WriteBehaviour[] = [
  [
    'exclusions of many: of a place the last row counts, and rows are told of their product',
    async (writing, { id, sku }) => {
      const bulk = bulkOf(writing, 'exclusions')
      await bulk([
        { product_id: id, reason: 'recalled' },
        { sku, store: 'de', reason: 'not here' },
      ])
      await bulk([
        { product_id: id, store: null, reason: 'recalled' },
        { product_id: id, store: 'de', reason: 'not here' },
      ])
      await bulk([
        { product_id: id, store: 'pl', reason: 'x' },
        { product_id: id, store: 'pl', reason: null },
      ])
      await bulk([
        { product_id: id, store: 'de', reason: 'other', expected: 'not here' },
        { product_id: id, store: 'de', reason: 'third', expected: 'not here' },
        { product_id: id, store: 'pl', reason: 'new', expected: null },
        { product_id: id, reason: null, expected: 'x' },
        { product_id: id, reason: ' ', expected: 'recalled' },
      ])
      await writing.ask(product(id))
      await bulk([{ product_id: id, store: 'de', reason: null }], '?dry_run=true')
      await bulk([{ product_id: id, store: 'de', reason: null }, { product_id: id }], '?atomic=true')
      await writing.ask(product(id))
    },
  ],
  [
    'rows of exclusions that are not possible',
    async (writing, { id }) => {
      await bulkOf(
        writing,
        'exclusions',
      )([
        null,
        {},
        { product_id: id },
        { product_id: id, reason: 5 },
        { product_id: id, store: 5, reason: 'x' },
        { product_id: id, store: '', reason: 'x' },
        { product_id: id, store: 'fr', reason: 'x' },
        { product_id: id, reason: 'x', expected: 5 },
        { product_id: id, reason: 'x', until: 'x' },
        { product_id: 999_999_999, store: 'fr', reason: 'x' },
      ])
      await writing.ask(product(id))
    },
  ],
]

const PRICES: readonly WriteBehaviour[] = [
  [
    'prices of many: cost, currency and quantity of offers that are known',
    async (writing) => {
      const bulk = bulkOf(writing, 'prices')
      const key = { supplier: 'north', sku: 'BP-1' }
      await writing.send('PUT', offer('BP-1'), { cost: '5', quantity: 2, manufacturer: 'Acme' })
      await bulk([
        { ...key, cost: '6.50' },
        { ...key, cost: 6.5, quantity: 2 },
        { ...key, quantity: '>10' },
        { ...key, currency: 'USD' },
        { ...key, currency: null, quantity: null },
        { ...key, cost: null },
        { ...key, cost: '7', quantity: 4 },
        { supplier: 'north', sku: 'BP-none', cost: '1' },
        { supplier: 'nobody', sku: 'BP-1', cost: '1' },
      ])
      await writing.ask(offer('BP-1'))
      await bulk([{ ...key, cost: '8' }], '?dry_run=true')
      await bulk([{ ...key, cost: '8' }, { ...key }], '?atomic=true')
      await bulk([
        7,
        {},
        key,
        { supplier: 5, sku: 'BP-1', cost: '1' },
        { supplier: 'north', sku: 5, cost: '1' },
        { supplier: 'north', sku: ' BP-1', cost: '1' },
        { supplier: ' ', sku: '', cost: '1' },
        { ...key, cost: 'x', quantity: 'y', currency: 5 },
        { ...key, cost: '-1' },
        { ...key, title: 'x' },
      ])
      await writing.ask(offer('BP-1'))
    },
  ],
]

const OFFERS: readonly WriteBehaviour[] = [
  [
    'offers of many: new ones join or make products, known ones keep what a row leaves out',
    async (writing) => {
      const bulk = bulkOf(writing, 'offers')
      const key = { supplier: 'north', sku: 'BO-1' }
      await bulk([{ ...key, cost: '1' }], '?dry_run=true')
      await writing.ask(offer('BO-1'))
      const { body } = await bulk([
        {
          ...key,
          cost: '1',
          eans: ['4006381 333955', '4006381333955'],
          texts: { en: { title: 'Pen', description: 'Blue' } },
        },
        { supplier: 'south', sku: 'BO-1', cost: '9', eans: ['4006381333955'] },
        { supplier: 'north', sku: 'BO-2', eans: ['4006381333955'] },
        { ...key, quantity: 5, texts: { de: { title: 'Stift' }, en: { description: null } } },
        { ...key, quantity: 5 },
        { ...key, cost: null, manufacturer: 'Acme', category: ' ' },
        { ...key, images: ['https://images.example.com/a.jpg', 'https://images.example.com/a.jpg'] },
        { ...key, group: { key: 'pens', options: [{ key: 'colour', value: 'blue' }] } },
        { ...key, attributes: [{ key: 'colour', value: 'blue' }] },
        { supplier: 'nobody', sku: 'BO-1', cost: '1' },
      ])
      for (const at of [offer('BO-1'), offer('BO-1', 'south'), offer('BO-2')]) await writing.ask(at)
      await bulk([{ ...key, eans: null, texts: null, images: null, group: null, attributes: null, quantity: null }])
      await writing.ask(offer('BO-1'))
      await writing.send('DELETE', offer('BO-1'))
      const { body: again } = await bulk([{ ...key, cost: '3' }])
      await writing.ask(offer('BO-1'))
      // an EAN of two offers of the first supplier, in two products
      await bulkOf(writing, 'stock')([{ ean: '4006381333955', quantity: 1 }])
      const ids = [...body.data, ...again.data].map((row: { product_id?: number }) => row.product_id)
      return [0, 1, 2, 3, 10].map((i) => ids.indexOf(ids[i]))
    },
  ],
  [
    'rows of offers that are not possible',
    async (writing) => {
      const key = { supplier: 'north', sku: 'BX-1' }
      await bulkOf(
        writing,
        'offers',
      )([
        [],
        {},
        { supplier: 'north' },
        { ...key, price: 1 },
        { ...key, cost: 'a', quantity: 'x' },
        { ...key, eans: 'x' },
        { ...key, eans: [1, 'x'] },
        { ...key, texts: [] },
        { ...key, texts: { en: 'x' } },
        { ...key, texts: { en: { titel: 'x', title: 7 } } },
        { ...key, manufacturer: 7, category: false },
        { ...key, attributes: 'x' },
        { ...key, attributes: ['x', { key: 'a' }, { key: 'a', value: 1, unit: 'x' }] },
        {
          ...key,
          attributes: [
            { key: 'a', value: 'x' },
            { key: 'a', value: 'y' },
          ],
        },
        { ...key, images: 'x' },
        { ...key, images: [7, ' '] },
        { ...key, image_alts: 'x' },
        { ...key, image_alts: { en: 'x' } },
        { ...key, image_alts: { en: { 'https://images.example.com/a.jpg': 5 } } },
        { ...key, cost_tiers: 5 },
        { ...key, cost: '5', cost_tiers: ['x', { quantity: 2.5, cost: '4' }, { quantity: 3, price: '1' }] },
        { ...key, group: 'x' },
        { ...key, group: { title: 'x', options: 5, position: 1.5 } },
        { ...key, group: { key: 'a', title: { en: 5 }, options: ['x', { key: 'a', label: 5, more: 1 }] } },
        { ...key, sku: ' BX-1' },
      ])
      await writing.ask(offer('BX-1'))
    },
  ],
]

const RULES: readonly WriteBehaviour[] = [
  [
    'rows as lines',
    async ({ ask }, { id }) => {
      const send = (body: string, type = 'application/x-ndjson') =>
        ask('/account/bulk/stock', { method: 'POST', headers: { 'content-type': type }, body })
      await send(`{"product_id":${id},"quantity":5}\n\n{"product_id":${id}}\r\n7\n`)
      await send('', 'application/jsonl')
      await send('{"rows":[]}', 'text/csv')
      await ask(stock(id))
    },
  ],
  [
    'kinds of bulks that there are not, and bulks by a token that reads',
    async ({ send, ask }) => {
      await ask('/account/bulk/stock')
      await send('PUT', '/account/bulk/overrides', { rows: [] })
      const headers = { authorization: 'Bearer CONNECTOR', 'content-type': 'application/json' }
      await ask('/account/bulk/prices', { method: 'POST', headers, body: '{"rows":[]}' })
    },
  ],
  [
    'more than 1,000 rows are an operation, whose rows are written when it has ended',
    async (writing, { id }) => {
      const { ask, ended } = writing
      const bulk = bulkOf(writing, 'stock')
      const rows = Array.from({ length: 1_205 }, (_, i) =>
        i % 400 === 399 ? { product_id: id, quantity: 'many' } : { product_id: id, quantity: i },
      )
      await bulk(rows, '?atomic=true')
      const key = { 'idempotency-key': `many-${id}` }
      const { body } = await bulk(rows, '', key)
      const { body: again } = await bulk(rows, '', key)
      const path = `/account/operations/${body.data.id}`
      await ended(path)
      await ask(`${path}/errors`)
      await ask(`${path}/errors?per_page=2`)
      await ask(`${path}/errors?per_page=2&after=799`)
      await ask(stock(id))
      await writing.send('POST', `${path}/cancel`)
      await ask('/account/operations?per_page=1&before=1')
      const { body: dry } = await bulk(rows.slice(0, 1_001), '?dry_run=true')
      await ended(`/account/operations/${dry.data.id}`)
      await ask(stock(id))
      const { body: list } = await ask('/account/operations?per_page=2')
      return [
        again.data.id === body.data.id,
        list.data.map((one: { id: number }) => [one.id === dry.data.id, one.id === body.data.id]),
      ]
    },
  ],
  [
    'operations that there are not',
    async ({ send, ask }) => {
      for (const at of ['/account/operations/999999999', '/account/operations/0', '/account/operations/abc']) {
        await ask(at)
        await ask(`${at}/errors`)
        await send('POST', `${at}/cancel`)
        await send('DELETE', at)
      }
      await send('POST', '/account/operations', {})
      await ask('/account/operations?page=2')
      await ask('/account/operations?before=0')
      await ask('/account/operations/1/errors?per_page=5000&after=x')
    },
  ],
]

export const BULK_BEHAVIOURS: readonly WriteBehaviour[] = [
  ...OF_STOCK,
  ...OVERRIDES,
  ...EXCLUSIONS,
  ...PRICES,
  ...OFFERS,
  ...RULES,
]
