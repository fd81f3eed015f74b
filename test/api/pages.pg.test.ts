import { hash } from 'node:crypto'
import process from 'node:process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PRODUCT_MEMBERS } from '../../contract/schemas.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { setListing } from '../harness/product-edits.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { eanOf } from './account-writer.ts'
import { open, service, setUp } from './read-account.ts'

// Lists of products and of prices: by page, after an id, by ids and keys.

const SEED = Number(process.env['SEED'] ?? 27)

setUp()

for (const route of ['/v1/products', '/v1/prices']) {
  test(`${route}: pages are clamped, end where they should, and a walk sees each product once`, async () => {
    const { account, read } = await open()
    expect((await read(route)).meta).toEqual({ current_page: 1, per_page: 50, last_page: 1, total: 0 })
    expect(await read(`${route}?page=9&store=pl`)).toEqual({
      data: [],
      store: 'pl',
      meta: { current_page: 1, per_page: 50, last_page: 1, total: 0 },
    })
    const ids = await giveOffers(
      service.runtime,
      account,
      Array.from({ length: 203 }, (_, i) => offer(`P${i}`)),
    )
    for (const [asked, used] of [
      ['0', 1],
      ['-5', 1],
      ['201', 200],
      ['1000000', 200],
      ['200', 200],
      ['7', 7],
    ] as const) {
      const { data, meta } = await read(`${route}?per_page=${asked}`)
      expect([asked, data.length, meta]).toEqual([
        asked,
        used,
        { current_page: 1, per_page: used, last_page: Math.ceil(203 / used), total: 203 },
      ])
    }
    expect(await read(`${route}?page=999&per_page=50`)).toEqual({
      data: [],
      store: 'main',
      meta: { current_page: 5, per_page: 50, last_page: 5, total: 203 },
    })
    const walked: number[] = []
    for (let page = 1, last = 1; page <= last; page++) {
      const { data, meta } = await read(`${route}?page=${page}&per_page=29`)
      expect(meta.current_page).toBe(page)
      last = meta.last_page
      walked.push(...data.map((row: { id: number }) => row.id))
    }
    expect(walked).toEqual([...ids].sort((x, y) => x - y))
    for (const size of [29, 203, 200]) {
      const keyed: number[] = []
      for (let after: number | null = 0; after !== null;) {
        const body: { data: { id: number }[]; meta: { next_after_id: number | null } } = await read(
          `${route}?after_id=${after}&per_page=${size}`,
        )
        keyed.push(...body.data.map((row) => row.id))
        after = body.meta.next_after_id
      }
      expect(keyed).toEqual(walked)
    }
  })
}

test('a page is its products byte for byte, with the same tag however it was asked for; one with a single half is not listed', async () => {
  const { account, get } = await open()
  const { accountId } = account
  const { db } = service.runtime
  const ids = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 12 }, (_, i) => offer(`"é\\\u{1f511}${i}`)),
  )
  const [storeId] = account.storeIds
  const page = async (route: string, query: string) => {
    const { text, headers } = await get(`${route}?${query}`, { headers: { 'accept-encoding': 'identity' } })
    return { members: text.slice(0, text.lastIndexOf('],"store"')), tail: text, etag: headers.get('etag') }
  }
  const alone = async (route: string, id: number) => {
    const { status, text } = await get(`${route}/${id}`)
    return status === 200 ? text.slice('{"data":'.length, -1) : null
  }
  const expectPages = async (listed: readonly number[]) => {
    for (const route of ['/v1/products', '/v1/prices']) {
      const members = (await Promise.all(listed.map((id) => alone(route, id)))).join(',')
      expect((await page(route, 'per_page=200')).members).toBe(`{"data":[${members}`)
      expect((await page(route, 'after_id=0&per_page=200')).members).toBe(`{"data":[${members}`)
      expect((await page(route, `ids=${ids.toReversed().join()}`)).members).toBe(`{"data":[${members}`)
      const walked: string[] = []
      for (let after: number | null = 0; after !== null;) {
        const { members: some, tail } = await page(route, `after_id=${after}&per_page=3`)
        if (some !== '{"data":[') walked.push(some.slice('{"data":['.length))
        after = (JSON.parse(tail) as { meta: { next_after_id: number | null } }).meta.next_after_id
      }
      expect(walked.join(',')).toBe(members)
    }
  }
  await expectPages(ids)

  // the ETag is the same as that of earlier releases (decision 158), so that clients' caches stay valid
  const halves = await db<{ id: number; sku: string; content: string; price: string }[]>`
    select p.product_id as id, c.sku, c.tag as content, p.tag as price from payload_price p
    join payload_content c on c.account_id = p.account_id and c.store_id = p.store_id and c.product_id = p.product_id
    where p.account_id = ${accountId} and p.store_id = ${storeId} order by 1`
  for (const [route, shape, tags] of [
    ['/v1/products', 'products', halves.map((row) => row.content + row.price)],
    ['/v1/prices', 'prices', halves.map((row) => `${row.id}${JSON.stringify(row.sku)}${row.price}`)],
  ] as const) {
    const { tail, etag } = await page(route, 'per_page=200')
    const end = tail.slice(tail.lastIndexOf('],"store"'))
    expect(etag).toBe(`"${hash('sha256', `${shape}.${hash('md5', tags.join(''))}.${end}`, 'base64url').slice(0, 24)}"`)
  }

  // the service never leaves only one half of a product; if somebody deletes one by hand, pages still have all other products
  const [noPrice, noContent] = [ids[1], ids[6]]
  await db.begin('', async (tx) => {
    await tx`delete from payload_price where account_id = ${accountId} and store_id = ${storeId} and product_id = ${noPrice ?? 0}`
    await tx`delete from payload_content where account_id = ${accountId} and store_id = ${storeId} and product_id = ${noContent ?? 0}`
  })
  await expectPages(ids.filter((id) => id !== noPrice && id !== noContent))
})

test('look-ups by ids, SKU, EAN and slug show what the store lists, by id, of prices as of products', async () => {
  const { account, read, refused, write } = await open()
  const upc = '036000291452'
  const [a = 0, b = 0, c = 0] = await giveOffers(service.runtime, account, [
    offer('L1', { eans: [`0${upc}`] }),
    offer('L2', { eans: ['123', eanOf(7)] }),
    offer('L3'),
  ])
  await write((tx) => setListing(tx, account.accountId, account.storeIds[2], [a], false))
  const found = async (query: string) => (await read(`/v1/products?${query}`)).data.map((row: { id: number }) => row.id)
  expect(await found(`ids=${c},${a},${a},1`)).toEqual([a, c])
  expect(await found(`ids=${c},${a}&store=pl`)).toEqual([c])
  expect((await read(`/v1/prices?ids=${c},${a}`)).meta).toMatchObject({ total: 2, last_page: 1, current_page: 1 })
  const many = Array.from({ length: 200 }, (_, i) => a + i)
  expect(await found(`ids=${many.join()}`)).toEqual([a, b, c])
  for (const route of ['/v1/products', '/v1/prices']) {
    expect((await refused(`${route}?ids=${[...many, 9].join()}`, 400, 'invalid-parameters')).errors).toMatchObject([
      { name: 'ids' },
    ])
  }
  const slug = `product-${c}`
  expect(await found('sku=L2')).toEqual([b])
  expect(await found('sku=l2')).toEqual([])
  for (const form of [upc, `0${upc}`, `00${upc}`]) expect(await found(`ean=${form}`)).toEqual([a])
  expect(await found('ean=123')).toEqual([b])
  expect(await found(`ean=${eanOf(7)}`)).toEqual([b])
  expect(await found(`ean=${upc}&store=pl`)).toEqual([])
  const priced = async (query: string) => (await read(`/v1/prices?${query}`)).data.map((row: { id: number }) => row.id)
  for (const query of [
    'sku=L2',
    'sku=l2',
    `ean=${upc}`,
    'slug=nothing-of-this-name',
    `slug=${encodeURIComponent(slug)}`,
  ])
    expect(await priced(query)).toEqual(await found(query))
  expect(await priced('sku=L2')).toEqual([b])
})

for (const route of ['/v1/products', '/v1/prices'])
  test(`${route}: more products of one SKU or EAN than an answer holds come in pages, of those that the store lists`, async () => {
    const { account, read, refused, write } = await open()
    // the EANs are no valid GTINs, so each offer has a product of its own
    const ids = await giveOffers(
      service.runtime,
      account,
      Array.from({ length: 405 }, (_, i) => offer(`S${i}`, { eans: ['123'] })),
    )
    await write((tx) => editAccount(tx, account.accountId, { skuPattern: '{supplier_code}' }))
    const unlisted = ids.slice(0, 203)
    await write((tx) => setListing(tx, account.accountId, account.storeIds[2], unlisted, false))
    const { data } = await read('/v1/products?per_page=1')
    for (const key of [`sku=${data[0].sku}`, 'ean=123']) {
      const walk = async (store: string, total: number) => {
        const walked: number[] = []
        for (let page = 1, last = 1; page <= last; page++) {
          const answer = await read(`${route}?${key}&store=${store}${page === 1 ? '' : `&page=${page}`}`)
          last = Math.ceil(total / 200)
          expect([key, answer.meta]).toEqual([key, { current_page: page, per_page: 200, last_page: last, total }])
          walked.push(...answer.data.map((row: { id: number }) => row.id))
        }
        return walked
      }
      expect(await walk('main', 405)).toEqual(ids)
      // the products that the store does not list have the lowest ids
      expect(await walk('pl', 202)).toEqual(ids.slice(203))
      expect(await read(`${route}?${key}&page=4`)).toEqual({
        data: [],
        store: 'main',
        meta: { current_page: 3, per_page: 200, last_page: 3, total: 405 },
      })
      for (const other of ['ids=1', 'slug=a', 'after_id=0'])
        await refused(`${route}?page=1&${key}&${other}`, 400, 'invalid-parameters')
    }
    await refused(`${route}?sku=a&ean=123&page=1`, 400, 'invalid-parameters')
  })

const PLAIN = { headers: { 'accept-encoding': 'identity' } }

test(`fields: every answer is the full one without the other members, byte for byte (SEED=${SEED})`, async () => {
  const { account, get } = await open()
  const awkward = [
    ',"manufacturer":',
    ',"description":"',
    '","manufacturer":null,"',
    '\\",\\"manufacturer\\":',
    '","stock":7,"',
    '\\',
    '"',
    '\\",',
    '}],[{',
    '\u{1f511}"\n',
    ',',
    '',
  ]
  const ids = await giveOffers(
    service.runtime,
    account,
    awkward.map((text, i) =>
      offer(`${text}${i}`, {
        texts: { en: { title: `${text}A${text}`, description: `${text}<b a="1">${text}` } },
        manufacturer: `M${text}`,
        attributes: [{ key: 'color', value: `${text}:${text}x` }],
        images: i % 2 === 0 ? [] : [`https://images.example.com/[${i}],{},a.jpg`, 'https://images.example.com/b.jpg'],
        ...(i % 3 === 0 ? { mpn: `P${text}`, group: { key: `g${text}`, title: {}, options: [], position: i } } : {}),
        ...(i === 4 ? { cost: null } : {}),
      }),
    ),
  )
  const [first = 0, second = 0] = ids
  const { group } = (await get(`/v1/products/${first}`)).body.data as { group: { id: number } }
  const paths = [
    '/v1/products?per_page=3&page=2',
    '/v1/products?after_id=0&per_page=5&store=de',
    `/v1/products?ids=${ids.toReversed().join()},999999`,
    `/v1/products?sku=${encodeURIComponent(`${awkward[0]}0`)}`,
    '/v1/products?page=99',
    `/v1/products/${first}?store=pl`,
    `/v1/products/${second}?store=main`,
    '/v1/export?store=main',
    '/v1/changes?expand=products&store=de',
    '/v1/changes',
    `/v1/groups/${group.id}`,
  ]
  type Members = Readonly<Record<string, unknown>>
  const only = (product: Members, fields: readonly string[]) =>
    Object.fromEntries(Object.entries(product).filter(([name]) => name === 'id' || fields.includes(name)))
  /** An answer reduced to `fields`: of a list of products, or of an object with one or more of them in `data` or `products`. */
  const partOf = (body: Members, fields: readonly string[]): unknown => {
    const { data, products } = body as { data?: Members | Members[]; products?: Members[] }
    const all = (some: readonly Members[]) => some.map((product) => only(product, fields))
    if (Array.isArray(body)) return all(body)
    if (products !== undefined) return { ...body, products: all(products) }
    if (Array.isArray(data)) return { ...body, data: all(data) }
    if (data === undefined) return body
    return { ...body, data: data['products'] === undefined ? only(data, fields) : partOf(data, fields) }
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.shuffledSubarray([...PRODUCT_MEMBERS], { minLength: 1 }),
      async (path, fields) => {
        const full = await get(path, PLAIN)
        const part = await get(`${path}${path.includes('?') ? '&' : '?'}fields=${fields.join()}`, PLAIN)
        const wanted = JSON.stringify(partOf(full.body as Members, fields))
        expect([path, fields, part.status]).toEqual([path, fields, 200])
        // an export has one product per line; there is no other white space between JSON tokens
        expect(part.text.replaceAll('\n', '')).toBe(wanted)
      },
    ),
    { seed: SEED, numRuns: inGate(200, 800) },
  )
  // naming all fields gives the full answer
  for (const path of paths)
    expect((await get(`${path}${path.includes('?') ? '&' : '?'}fields=${PRODUCT_MEMBERS.join()}`, PLAIN)).text).toBe(
      (await get(path, PLAIN)).text,
    )
})

test('fields: a tag is of what was chosen; it stays while that does, and never is that of another choice', async () => {
  const { account, get } = await open()
  const [id = 0] = await giveOffers(service.runtime, account, [offer('T1'), offer('T2')])
  const { next_since: since, next_id: sinceId } = (await get('/v1/changes?limit=1')).body
  const window = `/v1/changes?since=${since.replace('+', '%2B')}&since_id=${sinceId}&expand=products`
  expect((await get(window)).body.products).toHaveLength(1)
  for (const path of [
    `/v1/products/${id}`,
    '/v1/products',
    '/v1/products?after_id=0',
    `/v1/products?ids=${id}`,
    window,
  ]) {
    const ask = async (fields: string | null, known?: string) => {
      const query = fields === null ? '' : `${path.includes('?') ? '&' : '?'}fields=${fields}`
      const { status, headers, text } = await get(path + query, {
        headers: { ...PLAIN.headers, ...(known === undefined ? {} : { 'if-none-match': known }) },
      })
      return { status, etag: headers.get('etag')!, text }
    }
    const choices = [null, 'title', 'stock,prices', 'id,sku,stock', 'title,stock', PRODUCT_MEMBERS.join()]
    const tags = await Promise.all(choices.map(async (fields) => (await ask(fields)).etag))
    expect(new Set(tags).size).toBe(choices.length)
    for (const [i, fields] of choices.entries()) {
      expect(await ask(fields, tags[i])).toMatchObject({ status: 304, etag: tags[i], text: '' })
      const others = tags.filter((_, j) => j !== i).join(', ')
      expect([fields, (await ask(fields, others)).status]).toEqual([fields, 200])
    }
    // another order, or `id`, which is always included, is the same selection
    expect((await ask('prices,id,stock', (await ask('stock,prices')).etag)).status).toBe(304)

    // a window of the feed names changes of any member, whatever `fields` says
    if (path === window) continue
    const kept = { title: (await ask('title')).etag, stock: (await ask('stock')).etag, all: (await ask(null)).etag }
    const { stock } = (await get(`/v1/products/${id}`)).body.data as { stock: number }
    await giveOffers(service.runtime, account, [offer('T1', { quantity: stock + 1 })])
    expect((await ask('title', kept.title)).status).toBe(304)
    expect(await ask('stock', kept.stock)).toMatchObject({
      status: 200,
      text: expect.stringContaining(`"stock":${stock + 1}`),
    })
    expect((await ask(null, kept.all)).status).toBe(200)
  }
})

test('fields are taken in every style in which clients write lists, and what is no member is named with those there are', async () => {
  const { account, get } = await open()
  const [firstId] = await giveOffers(service.runtime, account, [offer('S1')])
  for (const path of ['/v1/products', `/v1/products/${firstId}`, '/v1/export', '/v1/changes?expand=products']) {
    const at = path.includes('?') ? '&' : '?'
    const wanted = await get(`${path}${at}fields=id,sku,stock`)
    for (const query of [
      'fields=stock,sku',
      'fields[]=sku&fields[]=stock',
      'fields[1]=stock&fields[0]=sku',
      'fields=stock&fields=sku&fields[]=id',
      'fields%5B%5D=stock,sku',
    ])
      expect([query, (await get(`${path}${at}${query}`)).text]).toEqual([query, wanted.text])
    const refused = await get(`${path}${at}fields=title,titel,__proto__&fields[]=cost`)
    expect(refused.body.errors).toEqual([
      {
        name: 'fields',
        reason: `names unknown members: "titel", "__proto__", "cost"; known are ${PRODUCT_MEMBERS.join(', ')}`,
      },
    ])
    expect((await get(`${path}${at}field=id`)).body.errors[0].reason).toBe('is unknown; did you mean "fields"?')
  }
})
