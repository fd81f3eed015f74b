import { beforeAll, expect, test } from 'vitest'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { catalogRoutes } from './documented.ts'
import { BAD_MOMENTS, GOOD_MOMENTS } from './moment-values.ts'
import { NO_NUMBER, OVER_INT64, TOO_LOW } from './number-texts.ts'
import { worldOfFile } from '../harness/world.ts'

const { service } = worldOfFile({ service: {} })
let get: (path: string) => Promise<Answer>
let firstId: number
let groupId: number
beforeAll(async () => {
  const account = await createAccount(service.runtime)
  ;[firstId = 0] = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 3 }, (_, i) => offer(`A${i}`, { group: { key: 'tee', title: {}, options: [], position: i } })),
  )
  get = client(service.url, await tokenFor(service.runtime, account.accountId))
  groupId = (await get('/v1/groups')).body.data[0].id
})

interface Rule {
  paths: readonly string[]
  /** Good values, with the status of the answer if it is not 200. */
  good: readonly (string | [value: string, status: number])[]
  bad: readonly string[]
}

const LISTS = ['/v1/products', '/v1/prices'] as const
const GROUPS = ['/v1/groups', '/v1/groups/ID'] as const
const DIGESTS = ['/v1/digest', '/v1/digest/products'] as const
/** Parameters that another parameter requires. */
const NEEDS: Readonly<Record<string, string>> = { since_id: '&since=2020-01-01T00:00:00Z' }

const RULES: Readonly<Record<string, Rule>> = {
  store: {
    paths: [...LISTS, '/v1/products/ID', '/v1/prices/ID', ...GROUPS, '/v1/categories', '/v1/changes', ...DIGESTS],
    good: [
      'main',
      'de',
      'p%6C',
      ['nope', 404],
      ['', 404],
      ['MAIN', 404],
      ['%00', 404],
      ['main%20', 404],
      ['x'.repeat(5_000), 404],
      ['%zz', 404],
      ['1', 404],
      ["'", 404],
    ],
    bad: [],
  },
  per_page: {
    paths: [...LISTS, ...GROUPS, '/v1/changes'],
    good: ['1', '50', '200', '0', '-5', '201', '1000000', '007', ...OVER_INT64, ...TOO_LOW],
    bad: NO_NUMBER,
  },
  page: {
    paths: [...LISTS, '/v1/groups/ID'],
    good: ['1', '2', '007', '99999', '9007199254740993', '9223372036854775807', ...OVER_INT64],
    bad: ['0', '-0', ...TOO_LOW, ...NO_NUMBER],
  },
  after_id: {
    paths: [...LISTS, '/v1/groups', '/v1/digest/products'],
    good: ['0', '1', '1024', '9007199254740993', '9223372036854775807', ...OVER_INT64],
    bad: [...TOO_LOW, ...NO_NUMBER],
  },
  ids: {
    paths: LISTS,
    good: [
      '1',
      '1,2,3',
      '1,1',
      '9223372036854775807',
      '9999999999999999999',
      Array.from({ length: 200 }, (_, i) => i + 1).join(),
    ],
    bad: [
      '0',
      '1,0',
      '01',
      '1,',
      ',1',
      ',',
      '1,,2',
      '1, 2',
      '1,+2',
      '1;2',
      '-1',
      '1,-1',
      '1,a',
      '[1,2]',
      '1|2',
      ...OVER_INT64.filter((value) => value.length > 19),
      Array.from({ length: 201 }, (_, i) => i + 1).join(),
      Array.from({ length: 201 }, () => 1).join(),
      ...NO_NUMBER.filter((value) => value !== '1,0'),
    ],
  },
  sku: {
    paths: [...LISTS],
    good: ['A1', 'nope', '%20', 'a%2Fb', '%F0%9F%98%80', "'%20or%20''='", 'x'.repeat(200), '%25', '%zz', '%0A'],
    bad: ['', 'x'.repeat(201), 'x'.repeat(5_000), '%00', 'A1%00'],
  },
  ean: {
    paths: [...LISTS],
    good: ['1', '036000291452', '0036000291452', '00036000291452', '12345678901234', '12 3', '5901234-123457'],
    // spaces are allowed in and around an EAN
    bad: [
      '123456789012345',
      ...OVER_INT64,
      ...TOO_LOW,
      ...NO_NUMBER.filter((value) => !/^(?:\+|%20|%0A|%09)*1(?:\+|%20|%0A|%09)*$/.test(value)),
    ],
  },
  // an invalid slug finds nothing rather than being an error, because shops pass on the addresses that visitors request
  slug: {
    paths: [...LISTS],
    good: [
      'article-a1',
      'A,b',
      '%D0%BC',
      '..%2F..',
      '%00',
      '%zz',
      '%F0%9F%98%80',
      'x'.repeat(5_000),
      Array.from({ length: 200 }, (_, i) => `s${i}`).join(),
    ],
    bad: ['', ',', 'a,', ',a', 'a,,b', Array.from({ length: 201 }, () => 'a').join()],
  },
  locales: {
    paths: ['/v1/products', '/v1/products/ID'],
    good: ['all'],
    bad: ['', 'ALL', 'de', 'all,de', '*', 'all%20', '%00', 'x'.repeat(5_000)],
  },
  fields: {
    paths: ['/v1/products', '/v1/products/ID', '/v1/groups/ID', '/v1/changes'],
    good: [
      'id',
      'title',
      'stock,prices,title',
      'title,title',
      'id,mpn,group',
      'title%2Cstock',
      Array.from({ length: 500 }, () => 'stock').join(),
    ],
    bad: [
      '',
      ',',
      'id,',
      ',id',
      'id,,title',
      'Title',
      'titel',
      'title%20',
      '%20title',
      'title;stock',
      'id+title',
      '*',
      'all',
      '-title',
      'prices.base_cost',
      'prices[base_cost]',
      'base_cost',
      'constructor',
      '__proto__',
      'title%00',
      '%00',
      '%zz',
      'x'.repeat(5_000),
      Array.from({ length: 1_000 }, (_, i) => `x${i}`).join(),
    ],
  },
  since: {
    paths: ['/v1/changes'],
    good: GOOD_MOMENTS,
    bad: BAD_MOMENTS,
  },
  expand: {
    paths: ['/v1/changes'],
    good: ['products'],
    bad: ['', 'product', 'Products', 'products%20', 'products,prices', 'prices', '1', 'true', '%zz'],
  },
  since_id: {
    paths: ['/v1/changes'],
    good: [
      '0',
      '1',
      '007',
      ...['9007199254740991', '9007199254740993', '9223372036854775807', ...OVER_INT64].map(
        (value) => [value, 410] satisfies [string, number],
      ),
    ],
    bad: [...TOO_LOW, ...NO_NUMBER],
  },
  limit: {
    paths: ['/v1/changes', ...DIGESTS],
    good: ['1', '500', '1000', '01'],
    bad: ['0', '-5', '5001', '999999', ...OVER_INT64, ...NO_NUMBER],
  },
  half: {
    paths: DIGESTS,
    good: ['content', 'price'],
    bad: ['', 'Price', 'prices', 'both', 'content,price', 'content%00', '%00', '1'],
  },
  after_block: {
    paths: ['/v1/digest'],
    good: ['0', '1', '1024', '9007199254740991', '9007199254740993', '9223372036854775807', ...OVER_INT64],
    bad: [...TOO_LOW, ...NO_NUMBER],
  },
  wait: {
    paths: ['/v1/changes'],
    good: ['0', '1', '25', '025'],
    bad: ['-1', '26', '999999', ...OVER_INT64, ...NO_NUMBER],
  },
}

test('every parameter of the contract has a table here', () => {
  const names = catalogRoutes.flatMap(({ path, query }) =>
    Object.keys(query).map((name) => `${path.replace('{id}', 'ID')} ${name}`),
  )
  const covered = Object.entries(RULES).flatMap(([name, { paths }]) => paths.map((path) => `${path} ${name}`))
  expect(covered.sort()).toEqual(names.sort())
})

for (const [name, { paths, good, bad }] of Object.entries(RULES)) {
  test(`${name}: takes what it should and refuses the rest by name`, async () => {
    for (const path of paths.map((entry) =>
      entry.replace('ID', String(entry.startsWith('/v1/groups/') ? groupId : firstId)),
    )) {
      const address = (value: string) => `${path}?${name}=${value}${NEEDS[name] ?? ''}`
      for (const entry of good) {
        const [value, status] = typeof entry === 'string' ? [entry, 200] : entry
        expect([address(value), (await get(address(value))).status]).toEqual([address(value), status])
      }
      for (const value of bad) {
        const answer = await get(address(value))
        expect([address(value), answer.status, answer.body?.code]).toEqual([address(value), 400, 'invalid-parameters'])
        expect([value, answer.body.errors.map((error: { name: string }) => error.name)]).toEqual([value, [name]])
        expect(answer.headers.get('content-type')).toBe('application/problem+json')
        expect(answer.text.length).toBeLessThan(1_500)
      }
      if (['ids', 'slug', 'fields'].includes(name)) continue
      // a repeated parameter is ambiguous, and brackets request a list, which it is not
      const [sample = ''] = good.filter((entry) => typeof entry === 'string')
      for (const [query, fault] of [
        [`${address(sample)}&${name}=${sample}`, name],
        [`${path}?${name}[]=${sample}`, `${name}[]`],
        [`${path}?${name}[0]=${sample}`, `${name}[0]`],
      ] as const) {
        const refused = await get(query)
        expect([query, refused.status, refused.body.errors?.map((error: { name: string }) => error.name)]).toEqual([
          query,
          400,
          [fault],
        ])
      }
    }
  })
}

test('changes take per_page as limit, and not both', async () => {
  const window = async (query: string) => (await get(`/v1/changes?${query}`)).body.changes.length as number
  expect(await window('per_page=2')).toBe(2)
  expect(await window('limit=2')).toBe(2)
  for (const [path, most] of [
    ['/v1/changes', 1_000],
    ['/v1/digest', 5_000],
    ['/v1/digest/products', 2_048],
  ] as const)
    expect([
      path,
      (await get(`${path}?limit=${most}`)).status,
      (await get(`${path}?limit=${most + 1}`)).status,
    ]).toEqual([path, 200, 400])
  const both = await get('/v1/changes?limit=2&per_page=2')
  expect([both.status, both.body.errors]).toMatchObject([400, [{ name: 'per_page' }]])
})

test('ids are taken in every style in which clients write lists, with the same limits', async () => {
  const all = Array.from({ length: 3 }, (_, i) => firstId + i)
  const many = Array.from({ length: 200 }, (_, i) => i + 1)
  for (const path of LISTS) {
    const wanted = await get(`${path}?ids=${all.slice(0, 2).join()}`)
    expect(wanted.body.data).toHaveLength(2)
    for (const [a, b] of [
      ['ids', 'ids'],
      ['ids[]', 'ids[]'],
      ['ids%5B%5D', 'ids%5b%5d'],
      ['ids[0]', 'ids[1]'],
      ['ids[7]', 'ids[3]'],
      ['ids', 'ids[]'],
      ['ids[]', 'ids'],
      ['ids[0]', 'ids'],
    ])
      expect([a, b, (await get(`${path}?${a}=${all[0]}&${b}=${all[1]}`)).text]).toEqual([a, b, wanted.text])
    // refused instead of answered with the first page
    for (const query of [`ids[]=${all[0]}`, `ids[0]=${all[0]}`, `ids[]=${all[0]}&ids[]=${all[0]}`])
      expect([query, (await get(`${path}?${query}`)).body.data.map((item: { id: number }) => item.id)]).toEqual([
        query,
        [all[0]],
      ])
    for (const query of [
      `ids=${all[2]}&ids[]=${all[1]}&ids=${all[0]}`,
      `ids[]=${all[0]},${all[1]}&ids[]=${all[2]}`,
      `ids=${all[0]}&ids=${all[1]}&ids[]=${all[2]}`,
    ])
      expect([query, (await get(`${path}?${query}`)).body.data]).toEqual([
        query,
        expect.objectContaining({ length: 3 }),
      ])
    expect((await get(`${path}?${many.map((id) => `ids[]=${id}`).join('&')}`)).status).toBe(200)
    for (const query of [
      [...many, 201].map((id) => `ids[]=${id}`).join('&'),
      [...many, 201].map((id) => `ids=${id}`).join('&'),
      `ids=${many.join()}&ids[]=201`,
      'ids[]=',
      'ids[]=1&ids[]=',
      'ids[]=x',
      'ids=1&ids=',
      'ids[]=1&page=1',
      'page=1&ids[]=1',
      'ids[0]=1&after_id=0',
    ]) {
      const answer = await get(`${path}?${query}`)
      expect([query.slice(0, 60), answer.status, answer.body.code]).toEqual([
        query.slice(0, 60),
        400,
        'invalid-parameters',
      ])
    }
  }
})

test('a misspelled parameter is refused with the name that is meant, and nothing is read', async () => {
  for (const [query, name, meant] of [
    ['id[]=1', 'id[]', 'ids'],
    ['id=1', 'id', 'ids'],
    ['IDS=1', 'IDS', 'ids'],
    ['ids[a]=1', 'ids[a]', 'ids'],
    ['product_ids=1,2', 'product_ids', 'ids'],
    ['Page=2', 'Page', 'page'],
    ['PER_PAGE=2', 'PER_PAGE', 'per_page'],
    ['per-page=2', 'per-page', 'per_page'],
    ['perPage=2', 'perPage', 'per_page'],
    ['Store=de', 'Store', 'store'],
    ['store[]=de', 'store[]', 'store'],
    ['store_id=1', 'store_id', 'store'],
    ['afterId=1', 'afterId', 'after_id'],
  ] as const) {
    for (const path of LISTS) {
      const answer = await get(`${path}?${query}`)
      expect([query, answer.status, answer.body.code, answer.body.errors]).toEqual([
        query,
        400,
        'invalid-parameters',
        [{ name, reason: `is unknown; did you mean "${meant}"?` }],
      ])
    }
  }
  for (const [path, meant] of [
    ['/v1/changes?sinceId=5', 'since_id'],
    ['/v1/changes?Since=now', 'since'],
    ['/v1/changes?limits=5', 'limit'],
    [`/v1/products/${firstId}?stores=de`, 'store'],
    ['/v1/export?Store=de', 'store'],
  ] as const)
    expect((await get(path)).body.errors?.[0].reason).toBe(`is unknown; did you mean "${meant}"?`)
  // several faults in one request
  expect(
    (await get('/v1/products?Page=1&per_page=x')).body.errors.map((error: { name: string }) => error.name),
  ).toEqual(['per_page', 'Page'])
})

test('what is not known is ignored, and names do not reach into objects', async () => {
  for (const name of [
    '_',
    'v',
    'utm_source',
    'cb',
    'foo',
    'filter[store]',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    'account_id',
  ]) {
    for (const path of [...LISTS, '/v1/stores', '/v1/changes', `/v1/products/${firstId}`, '/v1/export']) {
      expect([name, (await get(`${path}?${name}=zzz&${name}=y`)).text]).toEqual([name, (await get(path)).text])
    }
  }
})

test('all faults are told at once, each parameter once', async () => {
  const names = (answer: Answer) => answer.body.errors.map((error: { name: string }) => error.name).sort()
  expect(names(await get('/v1/products?page=0&per_page=x&ids=a&sku=&ean=q&after_id=-1&store=a&store=b'))).toEqual([
    'after_id',
    'ean',
    'ids',
    'page',
    'per_page',
    'sku',
    'store',
  ])
  expect(names(await get('/v1/changes?since=a&since=b&since_id=x&limit=0&wait=99&store=a&store=b'))).toEqual([
    'limit',
    'since',
    'since_id',
    'store',
    'wait',
  ])
})

test('parameters that exclude each other are refused together', async () => {
  const selectors = { page: '1', ids: '1', sku: 'a', ean: '1', after_id: '0' }
  const pairs = Object.entries(selectors)
  for (const [a, left] of pairs) {
    for (const [b, right] of pairs.filter(([name]) => name !== a)) {
      const answer = await get(`/v1/products?${a}=${left}&${b}=${right}`)
      // results of a look-up have pages as well
      if ([a, b].includes('page') && [a, b].some((name) => name === 'sku' || name === 'ean')) {
        expect([a, b, answer.status]).toEqual([a, b, 200])
        continue
      }
      expect([a, b, answer.status]).toEqual([a, b, 400])
      expect([a, b]).toContain(answer.body.errors[0].name)
    }
  }
  // since_id needs since, `now` allows no since_id, and 0 is the same as none
  for (const [query, same] of [
    ['since_id=0', ''],
    ['since_id=00', ''],
    ['since=now&since_id=0', 'since=now'],
    ['since=2020-01-01T00:00:00Z&since_id=0', 'since=2020-01-01T00:00:00Z'],
  ])
    expect([query, (await get(`/v1/changes?${query}`)).text]).toEqual([query, (await get(`/v1/changes?${same}`)).text])
  for (const query of ['since_id=5', 'since=now&since_id=5']) {
    const answer = await get(`/v1/changes?${query}`)
    expect([query, answer.status, answer.body.errors?.[0].name]).toEqual([query, 400, 'since_id'])
  }
})

test('since names the same moment however it is written: raw plus, fractions, offsets', async () => {
  const { body: head } = await get('/v1/changes?since=now')
  const at = new Date(head.next_since)
  const written = (offsetMinutes: number, suffix: string, fraction = '') =>
    new Date(at.getTime() + offsetMinutes * 60_000).toISOString().slice(0, 19) + fraction + suffix
  const everything = await get(`/v1/changes?since=${written(0, 'Z')}`)
  expect(everything.body.changes).toHaveLength(3)
  for (const form of [
    written(0, '+00:00'),
    written(0, '%2B00:00'),
    written(0, '%2b00:00'),
    written(0, '-00:00'),
    written(0, 'Z', '.999999'),
    written(330, '+05:30'),
    written(330, '%2B05:30', '.5'),
    written(-480, '-08:00'),
    written(840, '+14:00'),
  ]) {
    expect([form, (await get(`/v1/changes?since=${form}`)).text]).toEqual([form, everything.text])
    expect([form, (await get(`/v1/changes?since=${form}&since_id=${head.next_id}`)).body.changes]).toEqual([form, []])
  }
  // a second later is after the head of the feed
  expect((await get(`/v1/changes?since=${new Date(at.getTime() + 1_000).toISOString()}`)).body.changes).toEqual([])
})
