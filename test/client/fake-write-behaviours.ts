import type { Asked, Sent } from './behaviour.ts'

// Behaviour on which clients that write rely, each tried with the same requests on the fake and on the service
// (fake-writes.full.pg.test.ts). Each has products and offers of its own.

export interface Writing {
  /** Sends a body as JSON. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Asked>
  /** Sends a read, or a body that is not JSON. */
  ask(path: string, init?: Sent): Promise<Asked>
  /** Waits until an operation has ended. @returns its last answer */
  ended(path: string): Promise<Asked>
}

export interface Subject {
  /** The id of a product to which no other test writes. */
  id: number
  /** Its SKU. */
  sku: string
  /** The account's stores. */
  stores: readonly string[]
}

export type WriteBehaviour = readonly [name: string, run: (writing: Writing, subject: Subject) => Promise<unknown>]

const stock = (id: number | string) => `/account/products/${id}/stock`
const product = (id: number | string) => `/account/products/${id}`
const offer = (sku: string, supplier = 'north') => `/account/suppliers/${supplier}/offers/${sku}`

/** A behaviour that sends several bodies one after the other, whether they are refused or accepted. */
const bodies =
  (method: string, path: (subject: Subject) => string, ...sent: readonly unknown[]): WriteBehaviour[1] =>
  async ({ send }, subject) => {
    for (const body of sent) await send(method, path(subject), body)
  }

const STOCK: readonly WriteBehaviour[] = [
  [
    'own stock is set, changed, read, removed',
    async ({ send, ask }, { id }) => {
      await ask(stock(id))
      await send('PATCH', stock(id), { quantity: 1 })
      await send('DELETE', stock(id))
      await send('PUT', stock(id), { quantity: 7, cost: '3.20' })
      await ask(stock(id))
      await send('PUT', stock(id), { quantity: '>10' })
      await send('PATCH', stock(id), { cost: 4.5 })
      await send('PATCH', stock(id), { cost: null, quantity: -3 })
      await send('PATCH', stock(id), {})
      await send('PATCH', stock(id), { product_id: id, quantity: '12.9' })
      await send('DELETE', stock(id))
      await ask(stock(id))
      await send('PUT', stock(id), { quantity: 1 })
    },
  ],
  [
    'stock that is not possible',
    bodies(
      'PUT',
      ({ id }) => stock(id),
      undefined,
      {},
      [],
      'text',
      { quantity: null },
      { quantity: 'many' },
      { quantity: true },
      { quantity: 3_000_000_000 },
      { quantity: 1, cost: '1,5' },
      { quantity: 1, cost: '-1' },
      { quantity: 1, cost: '1.1234567' },
      { quantity: 1, cost: 1e-7 },
      { quantity: 1, cost: 0.1234567890123456 },
      { quantity: 'x', cost: 'y' },
      { quantity: 1, pieces: 2 },
      { quantity: 1, product_id: 1 },
      { quantity: 1, product_id: 'x' },
    ),
  ],
  [
    'a change of stock that is not possible',
    async ({ send }, { id }) => {
      await send('PUT', stock(id), { quantity: 1 })
      for (const body of [{ quantity: null }, { cost: false }, { quantity: [] }, { product_id: 999_999_999 }])
        await send('PATCH', stock(id), body)
    },
  ],
  [
    'stock of a product that there is not',
    async ({ send, ask }) => {
      for (const id of [999_999_999, 0, 'abc', '99999999999999999999']) {
        await ask(stock(id))
        await send('PUT', stock(id), { quantity: 1 })
        await send('PATCH', stock(id), { quantity: 1 })
        await send('DELETE', stock(id))
      }
    },
  ],
]

const OFFERS: readonly WriteBehaviour[] = [
  [
    'an offer is put, changed, replaced, deleted, and returns to its product',
    async ({ send, ask }) => {
      const at = offer('W-1')
      await ask(at)
      await send('PATCH', at, { cost: '1' })
      await send('DELETE', at)
      const { body: first } = await send('PUT', at, {
        cost: '10.50',
        quantity: 3,
        texts: { en: { title: 'Hammer', description: 'Of steel' }, 'de-de': { title: 'Hammer' } },
        manufacturer: 'Acme',
        attributes: [{ key: 'color', value: 'red' }],
        images: ['https://images.example.com/a.jpg'],
      })
      await ask(at)
      await send('PATCH', at, { quantity: '10+', texts: { en: { description: null }, pl: { title: 'Młotek' } } })
      await send('PATCH', at, { texts: { 'de-DE': null }, attributes: null, manufacturer: null })
      await send('PATCH', at, { ...first.data, quantity: 4, texts: {} })
      await send('PUT', at, { cost: 12, currency: 'USD' })
      await send('PUT', at, {})
      await send('DELETE', at)
      await ask(at)
      const { body: again } = await send('PUT', at, { cost: '9' })
      return again.data.product_id === first.data.product_id
    },
  ],
  [
    'a new offer joins the product with its EAN',
    async ({ send }) => {
      const { body: first } = await send('PUT', offer('J-1'), { cost: '5', eans: ['4006381333931'] })
      const { body: second } = await send('PUT', offer('J-1', 'south'), { cost: '5', eans: ['4006381333931'] })
      const { body: third } = await send('PUT', offer('J-2'), { cost: '5' })
      const ids = [first, second, third].map((body) => body.data.product_id as number)
      return [ids[0] === ids[1], ids[0] === ids[2]]
    },
  ],
  [
    'an offer that is not possible',
    bodies(
      'PUT',
      () => offer('X-1'),
      undefined,
      [],
      { price: 1 },
      { cost: 'a' },
      { cost: '-5' },
      { quantity: 'x' },
      { eans: 'x' },
      { eans: [1] },
      { texts: { en: 'x' } },
      { texts: { en: { titel: 'x' } } },
      { texts: { en: { title: 7 } } },
      { texts: [] },
      { attributes: [{ key: 'a' }] },
      { attributes: [{ key: 'a', value: 1 }] },
      { images: [7] },
      { cost_tiers: 5 },
      { cost_tiers: [{ quantity: 2 }] },
      { cost: '5', cost_tiers: [{ quantity: 2.5, cost: '4' }] },
      { group: {} },
      { group: { key: 7 } },
      { group: { key: 'a', options: [{ key: 'a' }] } },
      { group: { key: 'a', position: 1.5 } },
      { image_alts: { en: 'x' } },
      { sku: 'another' },
      { supplier: 'south', sku: 'X-1' },
      { manufacturer: 7, cost: null, unknown: null },
    ),
  ],
  [
    'offers of a supplier, by their keys',
    async ({ send, ask }) => {
      const at = '/account/suppliers/south/offers'
      for (const sku of ['L-2', 'L-10', 'L-1']) await send('PUT', offer(sku, 'south'), { cost: '1' })
      for (const query of ['?after=L&per_page=2', '?after=L-10', '?after=zzz', '?per_page=x', '?page=2'])
        await ask(`${at}${query}`)
      await ask('/account/suppliers/nobody/offers')
      await send('POST', at, {})
    },
  ],
  [
    'a supplier that there is not, and keys that none can have',
    async ({ send, ask }) => {
      for (const at of [offer('A', 'nobody'), offer('x'.repeat(201)), offer('a%20b%2Fc'), offer('none')]) {
        await ask(at)
        await send('DELETE', at)
      }
      await send('PUT', offer('A', 'nobody'), { cost: '1' })
      await send('PUT', offer('a%20b%2Fc'), { cost: '1' })
      await ask(offer('a%20b%2Fc'))
    },
  ],
]

const PRODUCTS: readonly WriteBehaviour[] = [
  [
    'what is set on a product is changed member by member, and read',
    async ({ send, ask }, { id }) => {
      await ask(product(id))
      await send('PATCH', product(id), { title: { de: 'Hammer 300 g', en: 'Hammer' }, manufacturer: 'Own' })
      await send('PATCH', product(id), { title: { en: null, 'pl-pl': 'Młotek' }, category: 'Tools' })
      await send('PATCH', product(id), {
        attributes: { colour: { '*': 'red', de: 'rot' }, weight: { '*': false }, size: null },
      })
      await send('PATCH', product(id), { attributes: { colour: { de: null }, weight: { '*': null } } })
      await send('PATCH', product(id), { listings: { de: true, pl: false }, exclusions: { '*': 'recalled', pl: 'x' } })
      const { body } = await send('PATCH', product(id), { exclusions: { pl: null }, listings: null })
      await send('PATCH', product(id), { ...body.data, manufacturer: null })
      await send('PATCH', product(id), { images: ['https://images.example.com/b.jpg'], attributes: null })
      await send('PATCH', product(id), { images: null, title: null, exclusions: null, category: null })
      await send('PATCH', product(id), {})
      await ask(product(id))
    },
  ],
  [
    'a product is made without an offer, and found by its keys',
    async ({ send, ask }, { id, sku }) => {
      const keys = { sku: `N-${id}`, ean: '4006381333962' }
      const { body } = await send('POST', '/account/products', {
        ...keys,
        title: { en: 'Own' },
        listings: { de: true },
      })
      const at = product(body.data.id)
      for (const path of [at, stock(body.data.id)]) await ask(path)
      const list = '/account/products'
      for (const query of [
        `?sku=N-${id}`,
        '?ean=4006381 333962',
        `?sku=N-${id}&ean=4006381333931`,
        `?sku=${sku}`,
        `?sku=${sku}&after=${id}`,
        '?sku=nothing',
        '?ean=x',
        '?page=1',
        `?per_page=1&after=${id - 1}`,
      ])
        await ask(`${list}${query}`)
      await send('PATCH', at, { sku: null, ean: null })
      await ask(`${list}?sku=N-${id}`)
      await ask(`${list}?ean=4006381333962`)
      await send('DELETE', at)
      for (const sent of [undefined, { id: 5 }, { titel: 'x' }, { listings: { fr: true } }, { sku: 5 }])
        await send('POST', list, sent)
      await send('PUT', list, {})
    },
  ],
  [
    'what cannot be set on a product',
    bodies(
      'PATCH',
      ({ id }) => product(id),
      undefined,
      { titel: { de: 'x' } },
      { title: 'x' },
      { title: { de: 7 } },
      { manufacturer: 7 },
      { images: 'x' },
      { images: [null] },
      { attributes: { colour: 'red' } },
      { attributes: { colour: { '*': true } } },
      { listings: { de: 'yes' } },
      { listings: { fr: true } },
      { exclusions: { fr: 'x', at: 'y' } },
      { exclusions: { de: 7 } },
      { id: 1 },
      { created_at: 'x' },
      { image_alts: { en: 'x' } },
    ),
  ],
  [
    'a product is deleted, with all that belongs to it, and is not there again',
    async ({ send, ask }, { id }) => {
      await send('PUT', stock(id), { quantity: 1 })
      await send('DELETE', product(id))
      await send('DELETE', product(id))
      await ask(product(id))
      await ask(stock(id))
      await send('PUT', stock(id), { quantity: 1 })
      await send('PATCH', product(id), { manufacturer: 'x' })
      await ask(`/products/${id}`)
    },
  ],
  [
    'a product that there is not',
    async ({ send, ask }) => {
      for (const id of [999_999_999, 0, 'abc']) {
        await ask(product(id))
        await send('PATCH', product(id), { manufacturer: 'x' })
        await send('DELETE', product(id))
      }
    },
  ],
]

const RULES: readonly WriteBehaviour[] = [
  [
    'If-Match and If-None-Match',
    async ({ send, ask }, { id }) => {
      await send('PUT', stock(id), { quantity: 1 }, { 'if-match': '"other"' })
      await send('PUT', stock(id), { quantity: 1 }, { 'if-match': '*' })
      const { etag } = await send('PUT', stock(id), { quantity: 1 }, { 'if-none-match': '*' })
      await send('PUT', stock(id), { quantity: 2 }, { 'if-none-match': '*' })
      const { etag: read } = await ask(stock(id))
      const { etag: next } = await send('PATCH', stock(id), { quantity: 2 }, { 'if-match': etag })
      await send('PATCH', stock(id), { quantity: 3 }, { 'if-match': etag })
      await send('PATCH', stock(id), { quantity: 3 }, { 'if-match': `"x", ${next}` })
      await send('DELETE', stock(id), undefined, { 'if-match': etag })
      await ask(stock(id), { headers: { 'if-none-match': '*' } })
      await send('DELETE', stock(id), undefined, { 'if-match': '*' })
      return [etag === read, etag === next]
    },
  ],
  [
    'a write with an Idempotency-Key is made once',
    async ({ send, ask }, { id }) => {
      const key = { 'idempotency-key': `put-${id}` }
      await send('PUT', stock(id), { quantity: 5 }, key)
      await send('PATCH', stock(id), { quantity: 6 }, { 'idempotency-key': `patch-${id}` })
      await send('PUT', stock(id), { quantity: 5 }, key)
      await ask(stock(id))
      await send('PUT', stock(id), { quantity: 6 }, key)
      await send('PATCH', stock(id), { quantity: 5 }, key)
      await send('PUT', stock(id), { quantity: 'x' }, key)
      await send('DELETE', stock(id), undefined, { 'idempotency-key': `delete-${id}` })
      await send('DELETE', stock(id), undefined, { 'idempotency-key': `delete-${id}` })
      await send('DELETE', stock(id), undefined, { 'idempotency-key': `again-${id}` })
      await send('PUT', stock(id), { quantity: 1 }, { 'idempotency-key': 'no blank' })
      await send('PUT', stock(id), { quantity: 1 }, { 'idempotency-key': 'x'.repeat(256) })
      // a refused request is not kept under its key
      await send('PATCH', stock(id), { quantity: 1 }, { 'idempotency-key': `later-${id}` })
      await send('PUT', stock(id), { quantity: 1 })
      await send('PATCH', stock(id), { quantity: 1 }, { 'idempotency-key': `later-${id}` })
    },
  ],
  [
    'what is no JSON',
    async ({ ask }, { id }) => {
      const json = { 'content-type': 'application/json' }
      await ask(stock(id), { method: 'PUT', headers: json, body: '{"quantity": 1' })
      await ask(stock(id), { method: 'PUT', headers: json, body: ' ' })
      await ask(stock(id), { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: '{"quantity": 1}' })
      const patch = { 'content-type': 'application/merge-patch+json' }
      await ask(stock(id), { method: 'PUT', headers: patch, body: '{"quantity": 1}' })
      await ask(stock(id), { method: 'PUT', headers: json, body: '{"quantity": 1}' })
      await ask(stock(id), { method: 'PATCH', headers: patch, body: '{"quantity": 2}' })
      await ask(stock(id), { method: 'DELETE', headers: json })
    },
  ],
  [
    'methods and parameters that there are not',
    async ({ send, ask }, { id }) => {
      for (const at of [stock(id), product(id), offer('M-1')]) await send('POST', at, {})
      await send('PUT', product(id), {})
      await send('PUT', `${stock(id)}?dryrun=true`, { quantity: 1 })
      await ask(`${stock(id)}?store=de`)
      await ask(stock(id), { method: 'HEAD' })
      await ask(product(id), { method: 'HEAD' })
    },
  ],
  [
    'a token that reads writes nothing',
    async ({ ask }, { id }) => {
      const headers = { authorization: 'Bearer CONNECTOR', 'content-type': 'application/json' }
      await ask(stock(id), { method: 'PUT', headers, body: '{"quantity": 1}' })
      await ask(product(id), { headers })
    },
  ],
]

export const WRITE_BEHAVIOURS: readonly WriteBehaviour[] = [...STOCK, ...OFFERS, ...PRODUCTS, ...RULES]
