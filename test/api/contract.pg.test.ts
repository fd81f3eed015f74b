import { expect, test } from 'vitest'
import { createProducts, deleteProducts, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { createGroup } from '../../src/catalog/settings/stores/groups.ts'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setAttributeDefinitions } from '../../src/catalog/settings/content/attribute-definitions.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { createStore, editStore } from '../../src/catalog/settings/stores/stores.ts'
import { createSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { eanOf } from './account-writer.ts'
import { catalogRoutes } from './documented.ts'
import { open, service, setUp } from './read-account.ts'

setUp()

test('every route of the catalog answers in the shape of the document, and only under /v1', async () => {
  const { account, read } = await open()
  const [id = 0] = await giveOffers(service.runtime, account, [
    offer('A1', { eans: [eanOf(1)], group: { key: 'tee', title: {}, options: [], position: null } }),
  ])
  const [group] = (await read('/v1/groups')).data as { id: number }[]
  for (const { path } of catalogRoutes) {
    expect(path).toMatch(/^\/v1\//)
    await read(path.replace('{id}', String(path.startsWith('/v1/groups/') ? group?.id : id)))
  }
})

test('stores: active ones, the default first, with exactly the values of the account', async () => {
  const { account, read, write } = await open()
  await write((tx) =>
    createStore(tx, account.accountId, { slug: 'a-first', name: 'A', locale: 'pl-pl', currency: 'USD' }),
  )
  await write((tx) => editStore(tx, account.accountId, account.storeIds[1], { isActive: false }))
  const { data } = await read('/v1/stores')
  expect(data).toEqual([
    { id: account.storeIds[0], slug: 'main', name: 'Main', locale: 'en', currency: 'EUR', is_default: true },
    { id: account.storeIds[2], slug: 'pl', name: 'Polski', locale: 'pl-PL', currency: 'PLN', is_default: false },
    { id: expect.any(Number), slug: 'a-first', name: 'A', locale: 'pl-PL', currency: 'USD', is_default: false },
  ])
})

test('customer groups: all of the account by id, as prices name them', async () => {
  const { account, read, write } = await open()
  await giveOffers(service.runtime, account, [offer('A', { cost: '5' })])
  await write((tx) => createGroup(tx, account.accountId, 'A new one'))
  const { data } = await read('/v1/customer-groups')
  expect(data.at(-1)).toEqual({ id: expect.any(Number), name: 'A new one', is_default: false })
  expect(data.filter((group: { is_default: boolean }) => group.is_default)).toHaveLength(1)
  const [product] = (await read('/v1/products')).data
  const named = product.prices.map((price: Record<string, unknown>) => [
    price['customer_group_id'],
    price['customer_group'],
  ])
  expect(named).toEqual(data.map((group: Record<string, unknown>) => [group['id'], group['name']]))
})

test('groups of variants: with what the store lists of them, in its language, and each with its products in order', async () => {
  const { account, read, refused, write } = await open()
  const group = (key: string, position: number) => ({
    key,
    title: { en: `Group ${key}`, de: `Gruppe ${key}` },
    options: [{ key: 'size', label: 'Size', value: String(position) }],
    position,
  })
  const ofOffer = (sku: string) => ({
    description: `<p>About ${sku}</p>`,
    image: `https://images.example.com/${sku}.jpg`,
  })
  const [front, side] = ['https://images.example.com/front.jpg', 'https://images.example.com/side.jpg']
  const [a = 0, b = 0, c = 0, d = 0] = await giveOffers(service.runtime, account, [
    offer('A', { group: group('tee', 2), images: [front, side] }),
    offer('B', { group: group('tee', 1), images: [front], texts: { en: { title: 'B', description: 'Cotton' } } }),
    offer('C', { group: group('mug', 1), cost: null }),
    offer('D', { group: group('cap', 1) }),
    offer('E'),
  ])
  // the second store lists no product of one group (D), and not the first product of another (B)
  await write((tx) => setListing(tx, account.accountId, account.storeIds[1], [d, b], false))
  const { data, meta } = await read('/v1/groups')
  const [tee, mug, cap] = (data as { id: number }[]).map(({ id }) => id)
  expect(data).toEqual([
    {
      id: tee,
      key: 'tee',
      title: 'Group tee',
      products: 2,
      leading_product_id: b,
      description: 'Cotton',
      image: front,
    },
    { id: mug, key: 'mug', title: 'Group mug', products: 1, leading_product_id: c, ...ofOffer('C') },
    { id: cap, key: 'cap', title: 'Group cap', products: 1, leading_product_id: d, ...ofOffer('D') },
  ])
  expect(meta).toEqual({ per_page: 50, next_after_id: null })
  expect((await read('/v1/groups?store=de')).data).toEqual([
    {
      id: tee,
      key: 'tee',
      title: 'Gruppe tee',
      products: 1,
      leading_product_id: a,
      description: '<p>About A</p>',
      image: front,
    },
    { id: mug, key: 'mug', title: 'Gruppe mug', products: 1, leading_product_id: c, ...ofOffer('C') },
  ])
  // all pages of the list
  const first = await read('/v1/groups?per_page=2')
  expect(first.meta).toEqual({ per_page: 2, next_after_id: mug })
  const second = await read(`/v1/groups?per_page=2&after_id=${mug}`)
  expect([...first.data, ...second.data]).toEqual(data)
  const whole = await read(`/v1/groups/${tee}`)
  expect(whole.data).toMatchObject({ id: tee, key: 'tee', title: 'Group tee' })
  expect(whole.data.products.map((product: { id: number }) => product.id)).toEqual([b, a])
  expect(whole.data.products[1]).toEqual((await read(`/v1/products/${a}`)).data)
  // the same for every page: facts of the whole group
  const facts = {
    description: 'Cotton',
    options: [{ key: 'size', label: 'Size', values: ['1', '2'] }],
    images: [
      { url: front, product_ids: [b, a], first_of: [b, a] },
      { url: side, product_ids: [a], first_of: [] },
    ],
  }
  expect(whole.data).toMatchObject(facts)
  const page = await read(`/v1/groups/${tee}?per_page=1&page=2`)
  expect(page.data).toMatchObject(facts)
  expect([page.data.products.map((product: { id: number }) => product.id), page.meta]).toEqual([
    [a],
    { current_page: 2, per_page: 1, last_page: 2, total: 2 },
  ])
  // all of its products are excluded: they are shown with their reason
  expect((await read(`/v1/groups/${mug}`)).data.products).toMatchObject([{ id: c, excluded: true }])
  for (const path of [`/v1/groups/${cap}?store=de`, '/v1/groups/999999999', '/v1/groups/x'])
    await refused(path, 404, 'unknown-variant-group')
})

test('a product is resolved for its store: texts by fallback, unit in the label, prices per group in its currency', async () => {
  const { account, read, write } = await open()
  const { accountId, groupId } = account
  await write((tx) =>
    setAttributeDefinitions(tx, accountId, [
      { key: 'weight', unit: 'kg', position: 1, labels: { en: 'Weight', pl: 'Waga' } },
      { key: 'color', unit: null, position: 2, labels: { en: 'Colour', de: 'Farbe' } },
    ]),
  )
  const { value: ruleId } = await write((tx) =>
    createRule(tx, accountId, { name: 'W', percent: '10', groupIds: [groupId] }),
  )
  const attributes = [
    { key: 'color', value: 'red' },
    { key: 'weight', value: '1.5' },
    { key: 'zip', value: 'yes' },
  ]
  const text = (locale: string) => ({ title: `T ${locale}`, description: `D ${locale}` })
  const [exact = 0, parent = 0, fallback = 0, none = 0] = await giveOffers(service.runtime, account, [
    offer('A1', {
      texts: { en: text('en'), de: text('de'), 'pl-PL': text('pl-PL'), pl: text('pl') },
      attributes,
      eans: [eanOf(2)],
      cost: '19.99',
    }),
    offer('A2', { texts: { en: text('en'), pl: text('pl') } }),
    offer('A3', { texts: { en: text('en') } }),
    offer('A4', { texts: {}, manufacturer: null, attributes: [], images: [] }),
  ])
  const titles = async (id: number) =>
    Promise.all(['main', 'de', 'pl'].map(async (slug) => (await read(`/v1/products/${id}?store=${slug}`)).data.title))
  expect(await titles(exact)).toEqual(['T en', 'T de', 'T pl-PL'])
  expect(await titles(parent)).toEqual(['T en', 'T en', 'T pl'])
  expect(await titles(fallback)).toEqual(['T en', 'T en', 'T en'])
  const { data: bare } = await read(`/v1/products/${none}`)
  expect(bare).toMatchObject({
    title: null,
    description: null,
    ean: null,
    manufacturer: null,
    images: [],
    attributes: [],
  })

  const { data } = await read(`/v1/products/${exact}?store=pl`)
  expect(data).toEqual({
    id: exact,
    sku: 'A1',
    ean: eanOf(2),
    title: 'T pl-PL',
    description: 'D pl-PL',
    manufacturer: 'Acme',
    images: ['https://images.example.com/A1.jpg'],
    store: 'pl',
    excluded: false,
    exclusion_reason: null,
    attributes: [
      { key: 'weight', label: 'Waga (kg)', value: '1,5' },
      { key: 'color', label: 'Colour', value: 'red' },
      { key: 'zip', label: 'zip', value: 'yes' },
    ],
    prices: [
      {
        customer_group_id: expect.any(Number),
        customer_group: 'Retail',
        base_cost: 79.96,
        computed_price: 99.95,
        currency: 'PLN',
        applied_rule_id: expect.any(Number),
      },
      {
        customer_group_id: groupId,
        customer_group: 'Wholesale',
        base_cost: 79.96,
        computed_price: 87.96,
        currency: 'PLN',
        applied_rule_id: ruleId,
      },
    ],
    stock: 5,
  })
  const listed = (await read('/v1/products?store=pl')).data[0]
  expect(listed).toEqual(data)
  const half = { id: exact, sku: 'A1', prices: data.prices, stock: 5 }
  expect((await read(`/v1/prices/${exact}?store=pl`)).data).toEqual(half)
  expect((await read('/v1/prices?store=pl')).data[0]).toEqual(half)
})

test('overrides are layered over what suppliers say', async () => {
  const { account, read, write } = await open()
  const { accountId } = account
  const [id = 0] = await giveOffers(service.runtime, account, [
    offer('A1', {
      attributes: [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ],
    }),
  ])
  const named = { productId: id, field: 'title', locale: 'pl', value: 'Swój' } as const
  await write((tx) =>
    setOverrides(tx, accountId, [named, { productId: id, field: 'manufacturer', locale: '', value: 'Own' }]),
  )
  await write((tx) =>
    setOverrides(tx, accountId, [
      { productId: id, field: 'attribute', key: 'a', locale: '', value: false },
      { productId: id, field: 'attribute', key: 'b', locale: 'pl', value: 'dwa' },
      { productId: id, field: 'attribute', key: 'c', locale: '', value: '3' },
    ]),
  )
  expect((await read(`/v1/products/${id}?store=pl`)).data).toMatchObject({
    title: 'Swój',
    manufacturer: 'Own',
    attributes: [
      { key: 'b', value: 'dwa' },
      { key: 'c', value: '3' },
    ],
  })
  const german = (await read(`/v1/products/${id}?store=de`)).data
  expect(german).toMatchObject({
    title: 'Article A1',
    manufacturer: 'Own',
    attributes: [
      { key: 'b', value: '2' },
      { key: 'c', value: '3' },
    ],
  })
})

test('amounts have at most the minor digits of the store’s currency', async () => {
  const { account, get, write } = await open()
  const { accountId } = account
  await write((tx) =>
    setRates(tx, accountId, [
      { currency: 'JPY', rate: '161.237' },
      { currency: 'KWD', rate: '0.33333' },
    ]),
  )
  await write((tx) => createStore(tx, accountId, { slug: 'jp', name: 'J', locale: 'ja', currency: 'JPY' }))
  await write((tx) => createStore(tx, accountId, { slug: 'kw', name: 'K', locale: 'ar', currency: 'KWD' }))
  const [id = 0] = await giveOffers(service.runtime, account, [offer('A1', { cost: '19.989999' })])
  const amounts = async (slug: string) =>
    [...(await get(`/v1/prices/${id}?store=${slug}`)).text.matchAll(/"(?:base_cost|computed_price)":([^,}]+)/g)]
      .slice(0, 2)
      .map((match) => match[1])
  expect(await amounts('main')).toEqual(['19.99', '24.99'])
  expect(await amounts('jp')).toEqual(['3223', '4029'])
  expect(await amounts('kw')).toEqual(['6.663', '8.329'])
})

test('stock is own quantity plus the best supplier’s, and the same offer gives the cost', async () => {
  const { account, read, write } = await open()
  const { accountId } = account
  for (const row of [
    { code: 'east', priority: 1, safetyBuffer: 0 },
    { code: 'west', priority: 0, safetyBuffer: 3 },
  ]) {
    await write(async (tx) =>
      account.suppliers.push({
        supplierId: (await createSupplier(tx, accountId, { name: row.code, currency: 'EUR', ...row })).value,
        currency: 'EUR',
      }),
    )
  }
  const [NORTH, SOUTH, EAST, WEST] = [0, 1, 2, 3] as const // priorities 1, 2 (PLN at 4), 1, 0 (buffer of 3)
  const cases: [
    name: string,
    offers: [supplier: number, cost: string | null, quantity: number, currency?: string][],
    stock: number,
    cost: number | null,
  ][] = [
    [
      'in stock before cheaper and empty',
      [
        [NORTH, '5', 0],
        [SOUTH, '40', 3],
      ],
      3,
      10,
    ],
    [
      'the cheaper in the account’s currency',
      [
        [NORTH, '11', 5],
        [SOUTH, '40', 2],
      ],
      2,
      10,
    ],
    [
      'equal cost: by priority',
      [
        [SOUTH, '40', 7],
        [NORTH, '10', 5],
      ],
      5,
      10,
    ],
    [
      'equal priority: by supplier id',
      [
        [EAST, '10', 9],
        [NORTH, '10', 5],
      ],
      5,
      10,
    ],
    ['the buffer is taken off', [[WEST, '10', 10]], 7, 10],
    [
      'eaten up by the buffer is out of stock',
      [
        [WEST, '1', 3],
        [NORTH, '10', 5],
      ],
      5,
      10,
    ],
    ['never below zero', [[WEST, '10', 1]], 0, 10],
    [
      'no rate for the currency: not eligible',
      [
        [NORTH, '1', 50, 'CHF'],
        [SOUTH, '40', 2],
      ],
      2,
      10,
    ],
    ['no rate at all', [[NORTH, '1', 50, 'CHF']], 0, null],
    [
      'all out of stock: the cheapest gives the cost',
      [
        [NORTH, '11', 0],
        [SOUTH, '40', 0],
      ],
      0,
      10,
    ],
  ]
  for (const [i, [name, offers, stock, cost]] of cases.entries()) {
    let id = 0
    for (const [supplier, amount, quantity, currency] of offers) {
      const over = { eans: [eanOf(100 + i)], cost: amount, quantity, ...(currency === undefined ? {} : { currency }) }
      ;[id = 0] = await giveOffers(service.runtime, account, [offer(`C${i}`, over)], supplier)
    }
    const { data } = await read(`/v1/products/${id}`)
    expect([name, data.stock, data.prices[0]?.base_cost ?? null]).toEqual([name, stock, cost])
    expect([name, data.prices.length, data.excluded, data.exclusion_reason]).toEqual([
      name,
      ...(cost === null ? [0, true, 'no_price'] : [2, false, null]),
    ])
  }
  const [a = 0, b = 0] = await giveOffers(service.runtime, account, [offer('own1'), offer('own2')])
  const {
    value: [alone = 0],
  } = await write((tx) => createProducts(tx, accountId, [{ sku: 'own3' }]))
  await write((tx) =>
    setOwnStock(tx, accountId, [
      { productId: a, quantity: 3, cost: '7' },
      { productId: b, quantity: -4, cost: '7' },
    ]),
  )
  expect((await read(`/v1/prices/${a}`)).data).toMatchObject({ stock: 8, prices: [{ base_cost: 7 }, {}] })
  expect((await read(`/v1/prices/${b}`)).data).toMatchObject({ stock: 5, prices: [{ base_cost: 10 }, {}] })
  expect((await read(`/v1/products/${alone}`)).data).toMatchObject({
    stock: 0,
    prices: [],
    excluded: true,
    exclusion_reason: 'no_price',
  })
  await write((tx) => setOwnStock(tx, accountId, [{ productId: alone, quantity: 2, cost: '4' }]))
  expect((await read(`/v1/products/${alone}`)).data).toMatchObject({
    stock: 2,
    prices: [{ base_cost: 4 }, {}],
    excluded: false,
  })
  // excluded products stay in the list
  expect((await read('/v1/products')).data.filter((row: { excluded: boolean }) => row.excluded)).toHaveLength(1)
})

test('404: one body for every product that the store does not list, another for unknown stores', async () => {
  const { account, read, refused, write } = await open()
  const other = await open('other')
  const [foreign = 0] = await giveOffers(service.runtime, other.account, [offer('F1')])
  const [id = 0, gone = 0] = await giveOffers(service.runtime, account, [offer('A1'), offer('A2')])
  await write((tx) => setListing(tx, account.accountId, account.storeIds[1], [id], false))
  await write((tx) => deleteProducts(tx, account.accountId, [gone]))
  await write((tx) => editStore(tx, account.accountId, account.storeIds[2], { isActive: false }))
  await read(`/v1/products/${id}`)
  for (const route of ['/v1/products', '/v1/prices']) {
    const missing = await refused(`${route}/999999999`, 404, 'unknown-product')
    const impossible = [
      '0',
      '-1',
      '1.5',
      '1e3',
      'abc',
      '%20',
      '0x10',
      '9223372036854775807',
      '9223372036854775808',
      '٣',
      '9'.repeat(99),
      '9'.repeat(3_000),
      '%00',
    ]
    for (const one of [foreign, gone, `${id}?store=de`, ...impossible]) {
      expect(await refused(`${route}/${one}`, 404, 'unknown-product')).toEqual(missing)
    }
    for (const slug of ['pl', 'nope', '', 'MAIN', 'x'.repeat(500), '%00']) {
      await refused(`${route}?store=${slug}`, 404, 'unknown-store')
      await refused(`${route}/${id}?store=${slug}`, 404, 'unknown-store')
    }
  }
  await refused('/v1/changes?store=pl', 404, 'unknown-store')
  expect((await read('/v1/products?store=de')).data).toEqual([])
  expect((await read('/v1/products')).meta.total).toBe(1)
})
