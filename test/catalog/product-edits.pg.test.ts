import { lengthMaxOf } from '../../contract/product-fields.ts'
import { expect, test } from 'vitest'
import type { ProductChanges } from '../../src/catalog/products/edit-product.ts'
import { ownStockOf } from '../../src/catalog/products/stock/own-stock.sql.ts'
import { productIdsOfSources, productSources } from '../../src/catalog/products/product-resource.sql.ts'
import { createProducts, deleteProducts, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { deleteStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { readFeed } from '../../src/feed/read.ts'
import { bulkNow } from '../../src/operations/bulk/write.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { explainProduct } from '../../src/shelf/reads/explain.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { refusal } from '../harness/refusal.ts'
import { bench, clean, content, database, edit, marks, refused, say, sourcesOf, setUp } from './editing.ts'

setUp()

test('any mix of changes is written at once, with one mark, and can be read as it was set', async () => {
  const account = await createAccount(bench, 'edits')
  const {
    accountId,
    storeIds: [main, german, polish],
  } = account
  const [productId = 0] = await giveOffers(bench, account, [
    offer('A', {
      eans: ['4006381333931'],
      attributes: [
        { key: 'color', value: 'red' },
        { key: 'size', value: 'L' },
      ],
    }),
  ])
  const changes: Partial<ProductChanges> = {
    sku: 'OURS',
    ean: '96385074',
    overrides: [
      { field: 'title', locale: 'DE', value: 'Unser' },
      { field: 'manufacturer', locale: '', value: 'Us' },
      { field: 'title', locale: 'en', value: 'Ours' },
      { field: 'images', locale: '', value: ' [ "https://o.example/b.jpg",\n"http://o.example/a.jpg" ]' },
    ],
    attributeOverrides: [
      { key: 'size', locale: '', value: null },
      { key: 'color', locale: 'de', value: 'rot' },
      { key: 'color', locale: '', value: 'crimson' },
    ],
    listings: [
      { storeId: polish, isListed: false },
      { storeId: main, isListed: true },
    ],
    exclusions: [
      { storeId: null, reason: 'recalled' },
      { storeId: german, reason: 'not here' },
    ],
    slugs: [{ storeId: main, name: 'slugs.main', locale: 'en', text: 'Ours' }],
  }
  await inTransaction(database.db, async (tx) => {
    expect((await edit(tx, account, productId, changes)).productIds).toEqual([productId])
  })
  expect(await marks(account)).toBe(1)
  await bench.shelf.drain(accountId)
  expect(await content(account, productId)).toMatchObject({
    sku: 'OURS',
    ean: '96385074',
    title: 'Ours',
    manufacturer: 'Us',
    images: ['https://o.example/b.jpg', 'http://o.example/a.jpg'],
    excluded: true,
    exclusion_reason: 'recalled',
    attributes: [{ key: 'color', value: 'crimson' }],
  })
  expect(await content(account, productId, 1)).toMatchObject({
    title: 'Unser',
    exclusion_reason: 'not here',
    attributes: [{ value: 'rot' }],
  })
  expect(await content(account, productId, 2)).toBeNull()
  const sources = await sourcesOf(account, productId)
  expect(sources).toEqual({
    productId,
    sku: 'OURS',
    ean: '96385074',
    createdAt: expect.any(Date) as Date,
    overrides: [
      { field: 'images', locale: '', value: '["https://o.example/b.jpg","http://o.example/a.jpg"]' },
      { field: 'manufacturer', locale: '', value: 'Us' },
      { field: 'title', locale: 'de', value: 'Unser' },
      { field: 'title', locale: 'en', value: 'Ours' },
    ],
    attributeOverrides: [
      { key: 'color', locale: '', value: 'crimson' },
      { key: 'color', locale: 'de', value: 'rot' },
      { key: 'size', locale: '', value: null },
    ],
    listings: [
      { storeId: main, isListed: true },
      { storeId: polish, isListed: false },
    ].sort((a, b) => a.storeId - b.storeId),
    exclusions: [
      { storeId: 0, reason: 'recalled' },
      { storeId: german, reason: 'not here' },
    ],
    slugs: [{ storeId: main, slug: 'ours' }],
    variantGroup: null,
  })
  // repeating the edit changes nothing, and an import does not change it either
  expect(await say(account, productId, changes)).toEqual([])
  expect(await marks(account)).toBe(0)
  await giveOffers(bench, account, [offer('A', { cost: '11.00', eans: ['4006381333931', '40123455'] })])
  expect(await sourcesOf(account, productId)).toEqual(sources)
  // when it is reset, the product is as before
  await say(account, productId, {
    sku: null,
    ean: null,
    overrides: sources!.overrides.map((row) => ({ ...row, value: null })),
    attributeResets: [
      { key: 'color', locale: 'DE' },
      { key: 'size', locale: null },
    ],
    listings: [
      { storeId: polish, isListed: null },
      { storeId: main, isListed: null },
    ],
    exclusions: [{ storeId: null, reason: null }],
  })
  expect(await sourcesOf(account, productId)).toMatchObject({
    sku: null,
    ean: null,
    overrides: [],
    attributeOverrides: [{ key: 'color', locale: '', value: 'crimson' }],
    listings: [],
    exclusions: [{ storeId: german, reason: 'not here' }],
  })
  expect(await content(account, productId)).toMatchObject({
    sku: null,
    ean: '4006381333931',
    title: 'Article A',
    manufacturer: 'Acme',
    excluded: false,
  })
  await say(account, productId, {
    attributeResets: [{ key: 'color', locale: null }],
    exclusions: [{ storeId: german, reason: null }],
  })
  expect(await sourcesOf(account, productId)).toMatchObject({ attributeOverrides: [], exclusions: [] })
  await clean(account)
})

test('each change alone moves the feed with its kind, in the stores it is about', async () => {
  const account = await createAccount(bench, 'edits-feed')
  const { accountId, storeIds } = account
  const [productId = 0] = await giveOffers(bench, account, [
    offer('A', { attributes: [{ key: 'color', value: 'red' }] }),
  ])
  const told = async (changes: Partial<ProductChanges>) => {
    const since = (await counterGet(database.db, accountId))!
    await say(account, productId, changes)
    const kinds = []
    for (const storeId of storeIds) {
      const { changes: found } = await readFeed(
        database.db,
        accountId,
        storeId,
        { kind: 'pair', since: since.lastAt, id: since.lastId },
        10,
      )
      kinds.push(found.map((row) => row.kinds.join()).join())
    }
    return kinds
  }
  expect(await told({ overrides: [{ field: 'images', locale: '', value: '[]' }] })).toEqual([
    'content',
    'content',
    'content',
  ])
  expect((await explainProduct(database.db, accountId, 'main', productId)).images).toMatchObject({
    value: [],
    source: { from: 'override' },
  })
  expect(await told({ overrides: [{ field: 'images', locale: '', value: null }] })).toEqual([
    'content',
    'content',
    'content',
  ])
  expect(await told({ sku: 'X' })).toEqual(['content', 'content', 'content'])
  expect(await told({ ean: '96385074' })).toEqual(['content', 'content', 'content'])
  expect(await told({ overrides: [{ field: 'title', locale: 'de', value: 'Deutsch' }] })).toEqual(['', 'content', ''])
  expect(await told({ attributeOverrides: [{ key: 'color', locale: 'pl', value: null }] })).toEqual(['', '', 'content'])
  expect(await told({ listings: [{ storeId: storeIds[1], isListed: false }] })).toEqual(['', 'removed', ''])
  expect(await told({ listings: [{ storeId: storeIds[1], isListed: null }] })).toEqual(['', 'price,content', ''])
  expect(await told({ exclusions: [{ storeId: storeIds[2], reason: 'x' }] })).toEqual(['', '', 'content'])
  await clean(account)
})

test('invalid members are refused by their names, and nothing is written', async () => {
  const account = await createAccount(bench, 'edits-refused')
  const { accountId, storeIds } = account
  const [productId = 0, gone = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  await bench.shelf.write(accountId, (tx) => deleteProducts(tx, accountId, [gone]))
  const before = await sourcesOf(account, productId)
  const images = (value: unknown): Partial<ProductChanges> => ({
    overrides: [{ field: 'images', locale: '', value: typeof value === 'string' ? value : JSON.stringify(value) }],
  })
  const url = 'https://o.example/'
  expect(
    (
      await refused(
        account,
        productId,
        images([
          `${url}ok`,
          '/relative',
          'ftp://o.example/x',
          'https://',
          `${url}ok`,
          `${url}\tx`,
          5,
          url + 'x'.repeat(LIMITS.urlLengthMax),
          'http:o.example',
          `${url}\n`,
        ]),
      )
    ).names,
  ).toEqual([1, 2, 3, 5, 6, 7, 8, 9].map((i) => `images.${i}`))
  for (const value of [
    '',
    '{',
    '{}',
    'null',
    '"x"',
    Array.from({ length: LIMITS.imagesPerProductMax + 1 }, (_, i) => `${url}${i}`),
  ]) {
    expect(await refused(account, productId, images(value))).toMatchObject({ code: 'invalid-input', names: ['images'] })
  }
  expect(
    await refused(account, productId, {
      sku: '',
      ean: '12a',
      overrides: [
        { field: 'title', locale: '??', value: 'x' },
        { field: 'title', locale: 'en', value: '' },
        { field: 'manufacturer', locale: 'en', value: 'x' },
        { field: 'description', locale: 'en', value: 'x'.repeat(lengthMaxOf('description') + 1) },
        { field: 'category', locale: '', value: 'a\0' },
      ],
      attributeOverrides: [
        { key: 'color', locale: '', value: '' },
        { key: 'size', locale: 'x!', value: 'y' },
      ],
      exclusions: [
        { storeId: null, reason: '' },
        { storeId: storeIds[0], reason: '\ud800' },
      ],
    }),
  ).toMatchObject({
    code: 'invalid-input',
    names: [
      'sku',
      'ean',
      'title.??',
      'title.en',
      'manufacturer',
      'description.en',
      'category',
      'attributes.color',
      'attributes.size.x!',
      'exclusions.*',
      `exclusions.${storeIds[0]}`,
    ],
  })
  expect(
    await refused(account, productId, {
      overrides: [
        { field: 'title', locale: 'en', value: 'a' },
        { field: 'title', locale: 'EN', value: 'b' },
      ],
    }),
  ).toMatchObject({ names: ['title.en'] })
  expect(
    await refused(account, productId, { sku: 'Y', listings: [{ storeId: 999_999, isListed: true }] }),
  ).toMatchObject({ code: 'unknown-reference' })
  const stranger = await createAccount(bench, 'edits-stranger')
  expect(
    await refused(account, productId, { sku: 'Y', exclusions: [{ storeId: stranger.storeIds[0], reason: 'x' }] }),
  ).toMatchObject({ code: 'unknown-reference' })
  for (const [owner, id] of [
    [account, gone],
    [account, 999_999],
    [stranger, productId],
  ] as const)
    expect(await refused(owner, id, { sku: 'Y' })).toMatchObject({ code: 'unknown-product' })
  expect(await sourcesOf(account, productId)).toEqual(before)
  expect(await marks(account)).toBe(0)
  // messages about rows of several products name their ids
  const many = refusal(
    inTransaction(database.db, (tx) =>
      setOverrides(tx, accountId, [
        { productId, field: 'images', locale: '', value: '["x"]' },
        { productId, field: 'title', locale: 'en', value: '' },
      ]),
    ),
  )
  expect((await many).names).toEqual([`${productId}.images.0`, `${productId}.title.en`])
})

test('sources of many products come in id order, without what is deleted, and own stock beside them', async () => {
  const account = await createAccount(bench, 'sources')
  const { accountId, storeIds } = account
  const stranger = await createAccount(bench, 'sources-stranger')
  const made = await inTransaction(database.db, (tx) =>
    createProducts(tx, accountId, [{ sku: 'a', ean: '96385074' }, { sku: 'b' }, {}, { ean: '123' }]),
  )
  const {
    value: [theirs = 0],
  } = await inTransaction(database.db, (tx) => createProducts(tx, stranger.accountId, [{ sku: 'theirs' }]))
  const [a = 0, b = 0, c = 0, d = 0] = made.value
  await inTransaction(database.db, async (tx) => {
    await setOwnStock(tx, accountId, [
      { productId: d, quantity: 4, cost: '1.500000' },
      { productId: a, quantity: 0, cost: null },
      { productId: b, quantity: 1, cost: null },
    ])
    await edit(tx, account, c, {
      listings: [
        { storeId: storeIds[1], isListed: true },
        { storeId: storeIds[2], isListed: true },
      ],
      exclusions: [
        { storeId: storeIds[1], reason: 'x' },
        { storeId: null, reason: 'y' },
      ],
    })
    await deleteProducts(tx, accountId, [b])
    await deleteStore(tx, accountId, storeIds[1])
  })
  const found = await productSources(database.db, accountId, [d, theirs, b, a, c, 999_999])
  expect(found.map((row) => [row.productId, row.sku, row.ean])).toEqual([
    [a, 'a', '96385074'],
    [c, null, null],
    [d, null, '123'],
  ])
  expect(found[1]).toMatchObject({
    listings: [{ storeId: storeIds[2], isListed: true }],
    exclusions: [{ storeId: 0, reason: 'y' }],
  })
  expect(await productIdsOfSources(database.db, accountId, 0, 10)).toEqual([a, c, d])
  expect(await productIdsOfSources(database.db, accountId, a, 1)).toEqual([c])
  expect(await ownStockOf(database.db, accountId, [d, b, a, c])).toEqual([
    { productId: a, quantity: 0, cost: null },
    { productId: d, quantity: 4, cost: '1.5' },
  ])
})

test('attributes reset in every locale show the supplier’s value again', async () => {
  const account = await createAccount(bench, 'reset')
  const [productId = 0] = await giveOffers(bench, account, [
    offer('A', { attributes: [{ key: 'color', value: 'red' }] }),
  ])
  await say(account, productId, {
    attributeOverrides: [
      { key: 'color', locale: 'en', value: 'x' },
      { key: 'color', locale: '', value: 'y' },
      { key: 'size', locale: '', value: 'z' },
    ],
  })
  const reset = { productId, field: 'attribute' as const, key: 'color', locale: null, value: null }
  expect(await inTransaction(database.db, (tx) => setOverrides(tx, account.accountId, [reset]))).toMatchObject({
    value: ['changed'],
    productIds: [productId],
  })
  expect((await sourcesOf(account, productId))?.attributeOverrides).toEqual([{ key: 'size', locale: '', value: 'z' }])
  // resetting and setting a key in one edit removes the old values first
  await say(account, productId, {
    attributeResets: [{ key: 'size', locale: null }],
    attributeOverrides: [{ key: 'size', locale: 'en', value: 'S' }],
  })
  expect((await sourcesOf(account, productId))?.attributeOverrides).toEqual([{ key: 'size', locale: 'en', value: 'S' }])
  await bench.shelf.drain(account.accountId)
  await clean(account)
})

test('a product has at most LIMITS.overridesPerProductMax overrides, however they are written', async () => {
  const account = await createAccount(bench, 'crowded')
  const { accountId } = account
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  const attributes = Array.from({ length: LIMITS.overridesPerProductMax - 1 }, (_, i) => ({
    productId,
    field: 'attribute' as const,
    key: `k${i}`,
    locale: '',
    value: 'v',
  }))
  const last = { productId, field: 'title' as const, locale: 'en', value: 'The last' }
  await inTransaction(database.db, (tx) => setOverrides(tx, accountId, attributes))
  await inTransaction(database.db, (tx) => setOverrides(tx, accountId, [last]))
  const title = (locale: string) => ({ field: 'title' as const, locale, value: 'More' })
  expect(await refused(account, productId, { overrides: [title('de')] })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('would have more than 2000'),
  })
  expect(
    await refusal(inTransaction(database.db, (tx) => setOverrides(tx, accountId, [{ productId, ...title('de') }]))),
  ).toMatchObject({ code: 'conflict' })
  expect(
    await refusal(
      inTransaction(database.db, (tx) =>
        setOverrides(tx, accountId, [{ productId, field: 'attribute', key: 'more', locale: '', value: 'v' }]),
      ),
    ),
  ).toMatchObject({ code: 'conflict' })
  const rows = [
    { product_id: productId, field: 'title', locale: 'de', value: 'One too many' },
    { product_id: productId, field: 'attribute', key: 'more', locale: 'de', value: 'two' },
    { product_id: productId, field: 'title', locale: 'en', value: 'Another last' },
  ]
  const { value: results } = await inTransaction(database.db, (tx) =>
    bulkNow(tx, accountId, 'bulk_overrides', rows, { atomic: false, isDryRun: false }),
  )
  expect(results.map(({ status, faults }) => [status, faults?.map(({ name }) => name)])).toEqual([
    ['failed', ['value']],
    ['failed', ['value']],
    ['changed', undefined],
  ])
  const [count] = await database.db`select
    (select count(*)::int from product_override where account_id = ${accountId}) as texts,
    (select count(*)::int from attribute_override where account_id = ${accountId}) as attributes`
  expect(count).toEqual({ texts: 1, attributes: LIMITS.overridesPerProductMax - 1 })
  // one is removed and one is added in the same edit
  await say(account, productId, { attributeResets: [{ key: 'k0', locale: null }], overrides: [title('de')] })
  await clean(account)
})
