import { expect, test } from 'vitest'
import { recordHash } from '../../src/catalog/products/offers/offer-state.ts'
import { createProducts, deleteProducts } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { bulkNow, type BulkKind, type BulkResult } from '../../src/operations/bulk/write.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// Bulks of up to a thousand rows: the result of each kind of row, and that good rows are written beside bad ones.

const { database, bench } = worldOfFile()
let account: TestAccount

const EAN = '4006381333931'

async function fresh(name: string): Promise<{ accountId: number; ids: number[] }> {
  account = await createAccount(bench, name)
  const ids = await giveOffers(bench, account, [
    offer('A', { eans: [EAN] }),
    offer('B'),
    offer('C', { eans: ['12345'] }),
  ])
  return { accountId: account.accountId, ids: ids.sort((a, b) => a - b) }
}

async function write(
  kind: BulkKind,
  rows: readonly unknown[],
  options: { atomic?: boolean; isDryRun?: boolean } = {},
): Promise<BulkResult[]> {
  const { accountId } = account
  const { value: results } = await bench.shelf.write(accountId, (tx) =>
    bulkNow(tx, accountId, kind, rows, { atomic: false, isDryRun: false, ...options }),
  )
  await bench.shelf.drain(accountId)
  await expectAudited(database.db, accountId)
  return results
}

const names = (results: readonly BulkResult[]) =>
  results.map((result) => result.faults?.map((fault) => fault.name).join() ?? result.status)
const reason = (result: BulkResult | undefined) => result?.faults?.[0]?.reason ?? ''
const stock = () => database.db<{ id: number; quantity: number; cost: string | null }[]>`
  select product_id as id, quantity, trim_scale(cost)::text as cost from own_stock where account_id = ${account.accountId} order by 1`

test('stock: products by each of their keys, costs that stay, stock that is deleted; each fault by its member', async () => {
  const {
    ids: [a = 0, b = 0, c = 0],
  } = await fresh('stock')
  expect(
    await write('bulk_stock', [
      { product_id: a, quantity: 3, cost: '1.50' },
      { sku: 'B', quantity: -4 },
      { ean: '12345', quantity: 1, cost: 2.5 },
    ]),
  ).toEqual([
    { status: 'created', productId: a },
    { status: 'created', productId: b },
    { status: 'created', productId: c },
  ])
  expect([...(await stock())]).toEqual([
    { id: a, quantity: 3, cost: '1.5' },
    { id: b, quantity: 0, cost: null },
    { id: c, quantity: 1, cost: '2.5' },
  ])
  expect(
    await write('bulk_stock', [
      { ean: ' 4006381-333931', quantity: 9 },
      { sku: 'B', quantity: 0 },
      { product_id: c, quantity: null },
    ]),
  ).toMatchObject([{ status: 'changed' }, { status: 'unchanged' }, { status: 'changed' }])
  expect([...(await stock())]).toEqual([
    { id: a, quantity: 9, cost: '1.5' },
    { id: b, quantity: 0, cost: null },
  ])
  const bad = await write('bulk_stock', [
    { product_id: a, quantity: 5, cost: null },
    7,
    { quantity: 1 },
    { sku: 'A', ean: EAN, quantity: 1 },
    { sku: 'nobody', quantity: 1 },
    { product_id: 99_999_999, quantity: 1 },
    { product_id: '1', quantity: 1 },
    { sku: 'B', quantity: '1,5' },
    { sku: 'B', quantity: 3_000_000_000, cost: -1, colour: 'red' },
    { sku: 'B' },
    { ean: EAN, quantity: 6 },
    { sku: 'B', quantity: 2, cost: 0.1 + 0.2 },
    { sku: 'B', quantity: 1, cost: '1e3' },
    { sku: 'a\0b', quantity: 1 },
    { ean: '4x', quantity: 1 },
    [1],
    { sku: 'C', quantity: null, cost: '4' },
  ])
  expect(names(bad)).toEqual([
    'changed',
    'row',
    'product_id',
    'ean',
    'sku',
    'product_id',
    'product_id',
    'quantity',
    'colour,quantity,cost',
    'quantity',
    'changed',
    'cost',
    'cost',
    'sku',
    'ean',
    'row',
    'cost',
  ])
  expect(reason(bad[11])).toContain('as a string')
  expect([...(await stock())]).toEqual([
    { id: a, quantity: 6, cost: null },
    { id: b, quantity: 0, cost: null },
  ])
})

test('a key of several products, or of a deleted one, names none', async () => {
  const {
    accountId,
    ids: [a = 0, b = 0],
  } = await fresh('keys')
  const {
    value: [twin = 0],
  } = await inTransaction(database.db, (tx) => createProducts(tx, accountId, [{ sku: 'A', ean: EAN }]))
  await inTransaction(database.db, (tx) => deleteProducts(tx, accountId, [b]))
  const results = await write('bulk_stock', [
    { sku: 'A', quantity: 1 },
    { ean: EAN, quantity: 1 },
    { product_id: b, quantity: 1 },
    { sku: 'B', quantity: 1 },
    { product_id: twin, quantity: 1 },
  ])
  expect(names(results)).toEqual(['sku', 'ean', 'product_id', 'sku', 'created'])
  expect(reason(results[0])).toContain(`products ${a} and ${twin}`)
})

test('prices: cost, currency and quantity of offers that are there, and nothing else of them', async () => {
  const {
    accountId,
    ids: [a = 0, b = 0],
  } = await fresh('prices')
  const offers = () => database.db`
    select supplier_sku as sku, trim_scale(cost)::text as cost, currency, quantity, feed_hash from offer where account_id = ${accountId} order by 1`
  expect(
    await write('bulk_prices', [
      { supplier: 'north', sku: 'A', cost: '12.50' },
      { supplier: 'north', sku: 'B', cost: 10 },
      { supplier: 'north', sku: 'C', cost: null, currency: 'usd', quantity: 0 },
    ]),
  ).toMatchObject([{ status: 'changed', productId: a }, { status: 'unchanged', productId: b }, { status: 'changed' }])
  const rows = [...(await offers())]
  expect(rows).toMatchObject([
    { sku: 'A', cost: '12.5', currency: 'EUR', quantity: 5, feed_hash: null },
    { sku: 'B', cost: '10', quantity: 5 },
    { sku: 'C', cost: null, currency: 'USD', quantity: 0 },
  ])
  expect(rows[1]?.['feed_hash']).not.toBeNull()
  expect(
    names(
      await write('bulk_prices', [
        { supplier: 'north', sku: 'Z', cost: '1' },
        { supplier: 'west', sku: 'A', cost: '1' },
        { supplier: 'north', sku: 'A' },
        { supplier: 'south', sku: 'A', cost: '1' },
        { supplier: 'north', sku: 'A', cost: '1', currency: 'XXQ' },
        { supplier: 'north', sku: 'A', cost: '3' },
        { supplier: 'north', sku: 'A', cost: '4' },
        {},
      ]),
    ),
  ).toEqual(['sku', 'supplier', 'cost', 'sku', 'currency', 'changed', 'changed', 'supplier,sku,cost'])
  // an import of the earlier file restores the old price
  await giveOffers(bench, account, [offer('A', { eans: [EAN] })])
  expect((await offers())[0]).toMatchObject({
    cost: '10',
    feed_hash: recordHash(offer('A', { eans: [EAN] })),
  })
})

test('offers: several suppliers in one batch, one product of an EAN that both bring, absent stays and null clears', async () => {
  const {
    accountId,
    ids: [a = 0],
  } = await fresh('offers')
  const created = await write('bulk_offers', [
    { supplier: 'south', sku: 'S1', eans: [EAN], cost: '30', quantity: 2 },
    {
      supplier: 'north',
      sku: 'N1',
      eans: ['96385074'],
      cost: 4,
      texts: { 'pl-pl': { title: 'Łopata' } },
      attributes: [{ key: 'size', value: 'L' }],
      images: ['https://i.example/1.jpg'],
    },
    { supplier: 'south', sku: 'S2', eans: ['96385074'], currency: 'EUR', cost: '3' },
    { supplier: 'north', sku: 'A', manufacturer: null, texts: { en: { title: 'New' }, de: null } },
    { supplier: 'north', sku: 'B', cost: '10.00', quantity: 5 },
  ])
  expect(created.map(({ status }) => status)).toEqual(['created', 'created', 'created', 'changed', 'unchanged'])
  expect(created[0]?.productId).toBe(a)
  expect(created[2]?.productId).toBe(created[1]?.productId)
  const [content] =
    await database.db`select manufacturer, category, texts from offer_content where account_id = ${accountId} and supplier_sku = 'A'`
  expect(content).toMatchObject({
    manufacturer: null,
    category: 'Tools/Hand tools',
    texts: { en: { title: 'New', description: '<p>About A</p>' } },
  })
  expect(Object.keys((content as { texts: object }).texts)).toEqual(['en'])
  expect(await write('bulk_offers', [{ supplier: 'north', sku: 'A', texts: null }])).toMatchObject([
    { status: 'changed' },
  ])
  expect(
    (await database.db`select texts from offer_content where account_id = ${accountId} and supplier_sku = 'A'`)[0],
  ).toEqual({ texts: {} })
  expect(
    names(
      await write('bulk_offers', [
        { supplier: 'north', sku: ' A', cost: '1' },
        {
          supplier: 'north',
          sku: 'X',
          eans: ['1', 2, '123456789012345'],
          images: ['/a.jpg', 'ftp://a', 'https://ok.example/'],
          texts: { xx_yy: {}, en: { name: 'x' }, fr: 5 },
        },
        {
          supplier: 'north',
          sku: 'Y',
          attributes: [{ key: 'a', value: 'b' }, { key: 'a', value: 'c' }, { key: 1 }, 'x'],
          quantity: '5 pieces',
          manufacturer: 4,
          category: ['a'],
        },
        { supplier: 'north', sku: 'Z', texts: [], eans: 'x', images: {}, cost: {}, currency: 5 },
      ]),
    ),
  ).toEqual([
    'sku',
    'eans.1,eans.2,texts.xx_yy,texts.en.name,texts.fr,images.0,images.1',
    'quantity,manufacturer,category,attributes.1.key,attributes.2.key,attributes.2.value,attributes.3',
    'eans,cost,currency,texts,images',
  ])
})

test('overrides: each field is set, repeated, and reset to the imported value', async () => {
  const { accountId } = await fresh('overrides')
  const rows = (value: unknown, attribute: unknown, images: unknown) => [
    { sku: 'A', field: 'title', locale: 'en', value },
    { sku: 'A', field: 'manufacturer', value },
    { sku: 'A', field: 'images', value: images },
    { sku: 'A', field: 'attribute', key: 'color', value: attribute },
    { sku: 'A', field: 'attribute', key: 'color', locale: 'pl-pl', value },
  ]
  const statuses = async (...args: Parameters<typeof rows>) =>
    (await write('bulk_overrides', rows(...args))).map(({ status }) => status)
  expect(await statuses('Mine', false, ['https://i.example/mine.jpg'])).toEqual(Array(5).fill('created'))
  expect(await statuses('Mine', false, ['https://i.example/mine.jpg'])).toEqual(Array(5).fill('unchanged'))
  const [stored] =
    await database.db`select value from product_override where account_id = ${accountId} and field = 'images'`
  expect(stored).toEqual({ value: '["https://i.example/mine.jpg"]' })
  expect([
    ...(await database.db`select locale, value from attribute_override where account_id = ${accountId} order by 1`),
  ]).toEqual([
    { locale: '', value: null },
    { locale: 'pl-PL', value: 'Mine' },
  ])
  expect(await statuses('Other', 'blue', [])).toEqual(Array(5).fill('changed'))
  expect(await statuses(null, null, null)).toEqual(Array(5).fill('changed'))
  expect(await statuses(null, null, null)).toEqual(Array(5).fill('unchanged'))
  expect(
    names(
      await write('bulk_overrides', [
        { sku: 'A', field: 'title', value: 'x' },
        { sku: 'A', field: 'category', locale: 'en', value: 'x' },
        { sku: 'A', field: 'colour', value: 'x' },
        { sku: 'A', field: 'attribute', value: 'x' },
        { sku: 'A', field: 'title', locale: 'en' },
        { sku: 'A', field: 'title', locale: 'no such', value: 'x' },
        { sku: 'A', field: 'images', value: ['x'] },
        { sku: 'A', field: 'title', locale: 'en', value: false },
        { sku: 'A', field: 'title', locale: 'en', key: 'k', value: 'x' },
        { sku: 'A', field: 'title', locale: 'en', value: 'one' },
        { ean: EAN, field: 'title', locale: 'EN', value: 'two' },
      ]),
    ),
  ).toEqual(['locale', 'locale', 'field', 'key', 'value', 'locale', 'value.0', 'value', 'key', 'created', 'changed'])
})

test('all or nothing: one bad row, and nothing is written; its fault has the row in its path', async () => {
  await fresh('atomic')
  const refused = write(
    'bulk_stock',
    [{ sku: 'A', quantity: 1 }, { sku: 'B', quantity: 'x' }, 5, { sku: 'nobody', quantity: 1 }],
    { atomic: true },
  )
  const error = await refused.then(
    () => null,
    (thrown: unknown) => thrown as ShelfwireError,
  )
  expect(error).toBeInstanceOf(ShelfwireError)
  expect(error?.code).toBe('invalid-input')
  expect(error?.faults.map(({ name }) => name)).toEqual(['rows.1.quantity', 'rows.2', 'rows.3.sku'])
  expect(await stock()).toHaveLength(0)
  expect(
    await write(
      'bulk_stock',
      [
        { sku: 'A', quantity: 1 },
        { sku: 'B', quantity: 2 },
      ],
      { atomic: true },
    ),
  ).toMatchObject([{ status: 'created' }, { status: 'created' }])
})

test('a dry run finds what the write finds and leaves nothing behind, no mark and no product', async () => {
  const { accountId, ids } = await fresh('dry')
  const rows = [
    { supplier: 'north', sku: 'NEW', cost: '1' },
    { supplier: 'north', sku: 'A', cost: '77' },
    { supplier: 'west', sku: 'A' },
    { supplier: 'north', sku: 'B', cost: 'x' },
  ]
  const everything = () => database.db`
    select (select count(*)::int from mark where account_id = ${accountId}) as marks, (select count(*)::int from product where account_id = ${accountId}) as products,
      (select string_agg(xmin::text || ctid::text, ' ' order by supplier_sku) from offer where account_id = ${accountId} and quantity > 0) as offers,
      (select next_id from product_id_block where account_id = ${accountId}) as next`
  const before = [...(await everything())]
  const { value: dry, productIds } = await inTransaction(database.db, (tx) =>
    bulkNow(tx, accountId, 'bulk_offers', rows, { atomic: false, isDryRun: true }),
  )
  expect(productIds).toEqual([])
  expect(dry[0]).toEqual({ status: 'created' })
  expect(dry[1]).toEqual({ status: 'changed', productId: ids[0] })
  expect([...(await everything())]).toEqual(before)
  const wet = await write('bulk_offers', rows)
  expect(dry.map(({ status, faults }) => ({ status, faults }))).toEqual(
    wet.map(({ status, faults }) => ({ status, faults })),
  )
})
