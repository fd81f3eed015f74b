import { asks, bearer, type Behaviour } from './behaviour.ts'
import { FEED } from './fake-feed-behaviours.ts'

// Behaviour on which clients rely, each tried with the same requests on the fake and on the service (fake.pg.test.ts).

const LISTS: readonly Behaviour[] = [
  asks('stores, the default one first', '/stores'),
  asks('customer groups by ID', '/customer-groups'),
  asks('categories of each store', '/categories', '/categories?store=de', '/categories?store=pl'),
  asks('products of the default store', '/products'),
  asks('products of another store, in its currency', '/products?store=pl'),
  asks('page sizes are clamped', '/products?per_page=0', '/products?per_page=7&page=2', '/products?per_page=999'),
  asks('a page after the last one', '/products?page=99&per_page=10', '/products?page=9007199254740993'),
  asks(
    'pages by ID up to the last one',
    '/products?after_id=0&per_page=20',
    ({ ids }) => `/products?after_id=${ids[25]}&per_page=10`,
  ),
  asks(
    'pages by ID that end with a full one, and after the end',
    '/products?after_id=0&per_page=40',
    ({ ids }) => `/products?after_id=${ids.at(-1)}`,
  ),
  asks('by ids, with those that there are not', ({ ids }) => `/products?ids=${ids[3]},${ids[1]},999999999,${ids[3]}`),
  asks(
    'ids in every form',
    ({ ids }) => `/products?ids[]=${ids[0]}&ids[]=${ids[2]}`,
    ({ ids }) => `/products?ids=${ids[0]}&ids=${ids[1]}`,
    ({ ids }) => `/products?ids[0]=${ids[0]}&ids[1]=${ids[4]}`,
  ),
  asks(
    'ids that are none, too many, none at all',
    '/products?ids=a',
    '/products?ids=',
    '/products?ids=0',
    `/products?ids=${Array.from({ length: 201 }, (_, i) => i + 1).join()}`,
  ),
  asks('by SKU, and by one that there is not', '/products?sku=A03', '/products?sku=nothing', '/products?sku='),
  asks(
    'by EAN in every length',
    ({ ean }) => `/products?ean=${ean}`,
    ({ ean }) => `/products?ean=0${ean}`,
    '/products?ean=4006381333932',
    '/products?ean=x',
  ),
  asks(
    'by slug, also of a product without a title',
    ({ slug }) => `/products?slug=${slug}`,
    ({ slug }) => `/products?slug=${slug},no-such-slug`,
    ({ ids }) => `/products?slug=product-${ids[0]}`,
    '/products?slug=',
  ),
  asks(
    'some members',
    '/products?fields=title,stock&per_page=3',
    '/products?fields=stock,title&per_page=3',
    '/products?fields=prices&per_page=2&store=pl',
  ),
  asks('a member that there is not', '/products?fields=titel', '/products?fields='),
  asks(
    'texts in all locales',
    '/products?locales=all&per_page=200',
    '/products?locales=all&fields=title&per_page=2',
    '/products?locales=all&fields=stock&per_page=2&store=de',
    '/products?locales=de',
  ),
  asks(
    'ids in all locales are fewer',
    ({ ids }) => `/products?locales=all&ids=${ids.slice(0, 3).join()}`,
    `/products?locales=all&ids=${Array.from({ length: 70 }, (_, i) => i + 1).join()}`,
  ),
  asks(
    'prices and stock',
    '/prices?per_page=3',
    '/prices?after_id=0&per_page=2&store=pl',
    ({ ids }) => `/prices?ids=${ids[2]},${ids[5]}`,
    ({ ids }) => `/prices/${ids[0]}?store=de`,
  ),
  asks(
    'prices by SKU, EAN and slug',
    '/prices?sku=A03',
    '/prices?sku=nothing',
    ({ ean }) => `/prices?ean=${ean}`,
    ({ slug }) => `/prices?slug=${slug},no-such-slug`,
  ),
  asks(
    'a page of those that have one SKU or EAN',
    '/products?sku=A03&page=1',
    '/products?page=2&sku=A03',
    ({ ean }) => `/prices?ean=${ean}&page=7&per_page=3`,
  ),
]

const ONE: readonly Behaviour[] = [
  asks(
    'one product',
    ({ ids }) => `/products/${ids[0]}`,
    ({ ids }) => `/products/${ids[1]}?store=pl`,
  ),
  asks(
    'some members of one',
    ({ ids }) => `/products/${ids[0]}?fields=stock,sku`,
    ({ ids }) => `/products/${ids[0]}?locales=all&fields=title`,
  ),
  asks(
    'one that there is not',
    '/products/999999999',
    '/products/0',
    '/products/abc',
    '/products/99999999999999999999',
    '/prices/999999999',
  ),
  asks(
    'a store that there is not, before the product',
    '/products/999999999?store=nowhere',
    '/products?store=nowhere',
    '/changes?store=nowhere',
    '/export?store=nowhere',
    '/digest?store=',
    `/products?store=${'x'.repeat(100)}`,
  ),
  asks(
    'groups of variants',
    '/groups',
    '/groups?per_page=1',
    '/groups?store=pl',
    ({ groupId }) => `/groups?after_id=${groupId}`,
  ),
  asks(
    'a group with its products',
    ({ groupId }) => `/groups/${groupId}`,
    ({ groupId }) => `/groups/${groupId}?per_page=1&page=2`,
    ({ groupId }) => `/groups/${groupId}?fields=title&store=de`,
  ),
  asks('a group that there is not', '/groups/999999999', '/groups/0'),
]

const REFUSALS: readonly Behaviour[] = [
  asks(
    'two ways to choose at once',
    '/products?ids=1&page=1',
    '/products?sku=a&ean=4006381333931',
    '/prices?ids=1&after_id=0',
    '/prices?sku=a&ids=1',
    '/prices?slug=a&page=1',
    '/products?page=1&sku=a&after_id=0',
  ),
  asks(
    'what is no number',
    '/products?page=two',
    '/products?page=0',
    '/products?per_page=1e1',
    '/changes?limit=1001',
    '/changes?wait=26',
    '/digest?limit=0',
  ),
  asks(
    'a misspelled parameter',
    '/products?id=1',
    '/products?Page=2',
    '/products?product_ids=1',
    '/products?stores=de',
    '/changes?sinceId=5',
    '/products?handle=a',
    '/prices?skus=A03',
    '/changes?limt=5',
  ),
  asks(
    'a cursor under the name that answers have for it',
    '/changes?next_since=2026-11-20T10:00:00Z&next_id=4',
    '/changes?cursor=4',
    '/products?next_after_id=5',
    '/prices?next_after_id=5',
    '/groups?next_after_id=5',
    '/digest?next_after_block=1',
    '/digest/products?next_after_id=5',
  ),
  asks(
    'numbers beyond all numbers',
    `/products?page=${'9'.repeat(20)}`,
    `/products?page=-${'9'.repeat(50)}`,
    `/prices?per_page=${'9'.repeat(50)}&page=2`,
    `/products?per_page=-${'9'.repeat(50)}`,
    `/products?after_id=${'9'.repeat(50)}`,
    `/changes?since=2026-11-20T10:00:00Z&since_id=${'9'.repeat(20)}`,
    `/changes?limit=${'9'.repeat(50)}`,
  ),
  asks('parameters that mean nothing are ignored', '/stores?v=2', '/products?per_page=1&utm_source=x&_=7'),
  asks('a parameter twice', '/products?page=1&page=2'),
  asks(
    'half a cursor, two limits, too many products',
    '/changes?since_id=7',
    '/changes?since=now&since_id=7',
    '/changes?limit=5&per_page=5',
    '/changes?expand=products&limit=201',
    '/changes?expand=prices',
  ),
  asks(
    'what is no time',
    '/changes?since=yesterday',
    '/changes?since=2026-02-30T00:00:00Z',
    '/changes?since=2026-01-01T00:00:00',
    '/changes?since=2026-01-01T24:00:00Z',
    '/changes?since=0000-01-01T00:00:00Z',
  ),
  asks('an address that there is not', '/nothing', '/products/1/2', '/products/', '/digest/nothing'),
  [
    'without a token, with a wrong one, with one of no account',
    async (ask, { tokens }) => {
      for (const authorization of ['', 'Bearer nothing', 'Basic eA==', `Bearer sw_c${'0'.repeat(38)}`])
        await ask('/products', { headers: { authorization } })
      await ask('/stores', bearer(tokens.withoutAccount))
      await ask('/stores', bearer(tokens.unknown))
      await ask('/nothing', { headers: { authorization: '' } })
    },
  ],
  [
    'methods that an address does not have',
    async (ask, { ids }) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) await ask('/products', { method })
      await ask(`/products/${ids[0]}`, { method: 'DELETE' })
    },
  ],
  [
    'writing by a token that reads',
    async (ask) => {
      await ask('/account')
      await ask('/account/stores', { method: 'POST' })
      await ask('/account/no-such-thing')
    },
  ],
  [
    'HEAD has the headers alone',
    async (ask, { ids }) => {
      for (const path of ['/stores', `/products/${ids[0]}`, '/products?per_page=2', '/changes?limit=1'])
        await ask(path, { method: 'HEAD' })
    },
  ],
  [
    'a request has the ID that the client gives it',
    async (ask) => {
      const answered = await ask('/stores', { headers: { 'x-request-id': 'mine-7' } })
      return answered.body
    },
  ],
]

const AGAIN: readonly Behaviour[] = [
  [
    'what is known is 304',
    async (ask, { ids }) => {
      for (const path of [
        '/stores',
        '/customer-groups',
        '/categories',
        `/products/${ids[0]}`,
        '/products?per_page=3',
        '/products?per_page=3&fields=title',
        '/prices?per_page=3',
        '/changes?limit=3',
        '/digest',
        '/groups',
        '/export',
      ]) {
        const { etag } = await ask(path)
        await ask(path, { headers: { 'if-none-match': etag } })
        await ask(path, { headers: { 'if-none-match': `"x", W/${etag.replace('W/', '')}` } })
      }
    },
  ],
  [
    'what is known of another choice, store or half is not',
    async (ask, { ids }) => {
      const { etag } = await ask('/products?per_page=3')
      for (const path of [
        '/products?per_page=3&fields=title',
        '/products?per_page=3&store=de',
        '/products?per_page=3&page=2',
        `/products/${ids[0]}`,
      ])
        await ask(path, { headers: { 'if-none-match': etag } })
      await ask('/products?per_page=3', { headers: { 'if-none-match': '*' } })
      await ask('/products?ids=a', { headers: { 'if-none-match': '*' } })
    },
  ],
  [
    'a token without purchase prices',
    async (ask, { ids, tokens }) => {
      const own = bearer(tokens.withoutCosts)
      for (const path of [
        `/products/${ids[0]}`,
        '/products?per_page=3',
        '/products?fields=prices&per_page=2',
        '/prices?per_page=2',
        `/prices/${ids[1]}`,
        '/changes?expand=products&limit=2',
        '/digest',
        '/digest?half=content',
        '/digest/products?limit=3',
        '/export',
      ])
        await ask(path, own)
      const { etag } = await ask(`/products/${ids[0]}`)
      await ask(`/products/${ids[0]}`, { headers: { ...own.headers, 'if-none-match': etag } })
    },
  ],
]

export const BEHAVIOURS: readonly Behaviour[] = [...LISTS, ...ONE, ...REFUSALS, ...AGAIN, ...FEED]
