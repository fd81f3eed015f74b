import { afterAll, beforeAll, expect, test } from 'vitest'
import { editProduct, productHold, type ProductChanges } from '../../src/catalog/products/edit-product.ts'
import { ownStockOf } from '../../src/catalog/products/own-stock.sql.ts'
import { productIdsOfSources, productSources } from '../../src/catalog/products/product-resource.sql.ts'
import {
  createProducts,
  deleteProducts,
  resetAttribute,
  setAttributeOverrides,
  setOverrides,
  setOwnStock,
  setPrimaryEan,
} from '../../src/catalog/products/products.ts'
import { deleteStore } from '../../src/catalog/settings/stores.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { readFeed } from '../../src/feed/read.ts'
import { bulkNow } from '../../src/operations/bulk/write.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { counterGet } from '../../src/shelf/change-counter.sql.ts'
import { explainProduct } from '../../src/shelf/explain.ts'
import { createAccount, giveOffers, offer, openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { refusal } from '../harness/refusal.ts'

let database: TestDatabase
let bench: Bench
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

const NONE: ProductChanges = {
  overrides: [],
  attributeOverrides: [],
  attributeResets: [],
  listings: [],
  exclusions: [],
}
const edit = (tx: Tx, account: TestAccount, productId: number, changes: Partial<ProductChanges>) =>
  editProduct(tx, account.accountId, productId, { ...NONE, ...changes })

/** Edits as a request does: what is changed can be read when this resolves. @returns the ids that the edit names. */
async function say(
  account: TestAccount,
  productId: number,
  changes: Partial<ProductChanges>,
): Promise<readonly number[]> {
  const { productIds } = await bench.shelf.write(account.accountId, async (tx) => ({
    productIds: await edit(tx, account, productId, changes),
  }))
  return productIds
}
const refused = (account: TestAccount, productId: number, changes: Partial<ProductChanges>) =>
  refusal(inTransaction(database.db, (tx) => edit(tx, account, productId, changes)))
const sourcesOf = async (account: TestAccount, productId: number) =>
  (await productSources(database.db, account.accountId, [productId]))[0]
const marks = async (account: TestAccount) =>
  (await database.db`select from mark where account_id = ${account.accountId}`).length
const clean = async (account: TestAccount) =>
  expect(await auditAccount(database.db, account.accountId)).toMatchObject({ differencesTotal: 0, isStale: false })

async function content(account: TestAccount, productId: number, store = 0) {
  const [row] = await database.db<{ body: string }[]>`
    select '{' || body || '}' as body from payload_content
    where account_id = ${account.accountId} and store_id = ${account.storeIds[store]!} and product_id = ${productId}`
  return row === undefined ? null : (JSON.parse(row.body) as Record<string, unknown>)
}

test('any mix of what the owner says goes in at once, with one mark, and can be read as it was said', async () => {
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
  }
  await inTransaction(database.db, async (tx) => {
    expect(await edit(tx, account, productId, changes)).toEqual([productId])
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
  })
  // said again it is no news, and an import moves none of it
  expect(await say(account, productId, changes)).toEqual([])
  expect(await marks(account)).toBe(0)
  await giveOffers(bench, account, [offer('A', { cost: '11.00', eans: ['4006381333931', '40123455'] })])
  expect(await sourcesOf(account, productId)).toEqual(sources)
  // and taken back it is as it was
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

test('what cannot be is refused by the name of the member, and nothing is written', async () => {
  const account = await createAccount(bench, 'edits-refused')
  const { accountId, storeIds } = account
  const [productId = 0, gone = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  await bench.shelf.write(accountId, async (tx) => ({ productIds: await deleteProducts(tx, accountId, [gone]) }))
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
          `${url} x`,
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
        { field: 'description', locale: 'en', value: 'x'.repeat(LIMITS.descriptionLengthMax + 1) },
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
  // rows of several products are told apart by their ids
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

test('a held product waits for nobody but the next who edits it; one that is deleted or another’s is not held', async () => {
  const account = await createAccount(bench, 'edits-hold')
  const { accountId } = account
  const [productId = 0, other = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  await using second = openNamed(database)
  await using first = await hold(database.db, async (tx) => {
    expect(await productHold(tx, accountId, productId)).toBe(true)
    return edit(tx, account, productId, { overrides: [{ field: 'title', locale: 'en', value: 'First' }] })
  })
  await inTransaction(second.db, (tx) => edit(tx, account, other, { sku: 'free' }), 0)
  const running = inTransaction(
    second.db,
    async (tx) => {
      await productHold(tx, accountId, productId)
      // what is read after the wait is what the first has written
      const seen = (await productSources(tx, accountId, [productId]))[0]?.overrides
      await edit(tx, account, productId, { overrides: [{ field: 'description', locale: 'en', value: 'Second' }] })
      return seen
    },
    0,
  )
  expect(await second.fate(running)).toBe('blocked')
  await first.commit()
  expect(await running).toEqual([{ field: 'title', locale: 'en', value: 'First' }])
  expect((await sourcesOf(account, productId))?.overrides.map((row) => row.value)).toEqual(['Second', 'First'])
  await using deleter = await hold(database.db, (tx) => deleteProducts(tx, accountId, [productId]))
  const late = inTransaction(second.db, (tx) => productHold(tx, accountId, productId), 0)
  expect(await second.fate(late)).toBe('blocked')
  await deleter.commit()
  expect(await late).toBe(false)
})

test('two that choose an EAN at once take turns, and the last one is shown', async () => {
  const account = await createAccount(bench, 'edits-ean')
  const { accountId } = account
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  await using second = openNamed(database)
  await using first = await hold(database.db, (tx) => setPrimaryEan(tx, accountId, productId, '96385074'))
  const running = inTransaction(second.db, (tx) => setPrimaryEan(tx, accountId, productId, '4006381333931'), 0)
  expect(await second.fate(running)).toBe('blocked')
  await first.commit()
  expect(await running).toEqual([productId])
  expect((await sourcesOf(account, productId))?.ean).toBe('4006381333931')
  expect(await inTransaction(database.db, (tx) => setPrimaryEan(tx, accountId, productId, '4006381333931'))).toEqual([])
  expect(await refusal(inTransaction(database.db, (tx) => setPrimaryEan(tx, accountId, 999_999, null)))).toMatchObject({
    code: 'unknown-product',
  })
  expect(await inTransaction(database.db, (tx) => setPrimaryEan(tx, accountId, productId, null))).toEqual([productId])
  expect((await sourcesOf(account, productId))?.ean).toBeNull()
  await bench.shelf.drain(accountId)
  await clean(account)
})

test('sources of many products come in id order, without what is deleted, and own stock beside them', async () => {
  const account = await createAccount(bench, 'sources')
  const { accountId, storeIds } = account
  const stranger = await createAccount(bench, 'sources-stranger')
  const made = await inTransaction(database.db, (tx) =>
    createProducts(tx, accountId, [{ sku: 'a', ean: '96385074' }, { sku: 'b' }, {}, { ean: '123' }]),
  )
  const [theirs = 0] = await inTransaction(database.db, (tx) =>
    createProducts(tx, stranger.accountId, [{ sku: 'theirs' }]),
  )
  const [a = 0, b = 0, c = 0, d = 0] = made
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
  expect(await inTransaction(database.db, (tx) => resetAttribute(tx, account.accountId, productId, 'color'))).toEqual([
    productId,
  ])
  expect((await sourcesOf(account, productId))?.attributeOverrides).toEqual([{ key: 'size', locale: '', value: 'z' }])
  // set anew in one edit, what stood for the key is gone first
  await say(account, productId, {
    attributeResets: [{ key: 'size', locale: null }],
    attributeOverrides: [{ key: 'size', locale: 'en', value: 'S' }],
  })
  expect((await sourcesOf(account, productId))?.attributeOverrides).toEqual([{ key: 'size', locale: 'en', value: 'S' }])
  await bench.shelf.drain(account.accountId)
  await clean(account)
})

test('a product has so many overrides and not one more, by whatever way they come', async () => {
  const account = await createAccount(bench, 'crowded')
  const { accountId } = account
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  const attributes = Array.from({ length: LIMITS.overridesPerProductMax - 1 }, (_, i) => ({
    productId,
    key: `k${i}`,
    locale: '',
    value: 'v',
  }))
  const last = { productId, field: 'title' as const, locale: 'en', value: 'The last' }
  await inTransaction(database.db, (tx) => setAttributeOverrides(tx, accountId, attributes))
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
        setAttributeOverrides(tx, accountId, [{ productId, key: 'more', locale: '', value: 'v' }]),
      ),
    ),
  ).toMatchObject({ code: 'conflict' })
  const rows = [
    { product_id: productId, field: 'title', locale: 'de', value: 'One too many' },
    { product_id: productId, field: 'attribute', key: 'more', locale: 'de', value: 'two' },
    { product_id: productId, field: 'title', locale: 'en', value: 'Another last' },
  ]
  const { results } = await inTransaction(database.db, (tx) =>
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
  // one goes, one comes, in the same edit
  await say(account, productId, { attributeResets: [{ key: 'k0', locale: null }], overrides: [title('de')] })
  await clean(account)
})
