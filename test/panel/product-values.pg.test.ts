import { entryChanges, writeEntries } from '../../src/catalog/products/prices/price-list-entries.ts'
import { createPriceList } from '../../src/catalog/settings/prices/price-lists.ts'
import { beforeAll, expect, test } from 'vitest'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { deleteProducts, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { createCategory } from '../../src/catalog/settings/content/categories.ts'
import { setSourceOrder } from '../../src/catalog/settings/suppliers/source-orders.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { pictureOf, recordAs, shownOf, turnMirrorOn } from '../harness/images.ts'
import { makeMember, makePerson, signedIn, type Browser } from './browser.ts'
import { worldOfFile } from '../harness/world.ts'

// Own values of products beside suppliers' values, as the panel's grid and its page of a product read them.

const { database, bench, service, account } = worldOfFile({ service: {}, account: 'acme' })
let browser: Browser
let ids: number[]
const EAN = '4006381333931'
const url = (name: string) => `https://supplier.example/${name}.png`

beforeAll(async () => {
  const { accountId, storeIds } = account
  await inTransaction(database.db, (tx) => createCategory(tx, accountId, { path: 'Tools', supplierPaths: ['Tls'] }))
  const article = (sku: string, title: string, images: string[]) =>
    offer(sku, {
      eans: sku.endsWith('1') ? [EAN] : [],
      texts: { en: { title }, de: { title: `${title} (de)` } },
      manufacturer: 'Bosch',
      category: 'Tls',
      attributes: [{ key: 'colour.of=box', value: `red ${sku}` }],
      images,
    })
  const first = await giveOffers(bench, account, [
    article('N-1', 'Drill', [url('one'), url('two'), url('three')]),
    article('N-2', 'Saw', []),
  ])
  await giveOffers(bench, account, [article('S-1', 'Southern drill', [url('two'), url('south')])], 1)
  ids = first.sort((a, b) => a - b)
  const [drill = 0, saw = 0] = ids
  await bench.shelf.write(accountId, (tx) =>
    setOverrides(tx, accountId, [
      { productId: drill, field: 'title', locale: 'en', value: 'My drill' },
      { productId: drill, field: 'manufacturer', locale: '', value: 'Mine' },
      { productId: saw, field: 'attribute', key: 'colour.of=box', locale: '', value: false },
    ]),
  )
  await bench.shelf.write(accountId, (tx) =>
    setOwnStock(tx, accountId, [{ productId: drill, quantity: 4, cost: '2.50' }]),
  )
  await bench.shelf.write(accountId, (tx) => excludeProducts(tx, accountId, null, [saw], 'recalled'))
  await bench.shelf.write(accountId, (tx) => excludeProducts(tx, accountId, storeIds[1], [saw], 'not in de'))
  await bench.shelf.write(accountId, async (tx) => {
    await createPriceList(tx, accountId, {
      key: 'summer',
      name: 'Summer',
      currency: 'EUR',
      storeIds: null,
      groupId: null,
      validFrom: null,
      validTo: null,
      priority: 100,
      isActive: true,
    })
    // a price for every group, and one for a single group, which the grid does not change
    const rows = [
      { productId: saw, groupId: 0, amount: '12.50' },
      { productId: drill, groupId: account.groupId, amount: '9' },
    ]
    return writeEntries(tx, accountId, 'summer', await entryChanges(tx, accountId, 'summer', rows, false))
  })
  await bench.shelf.drain(accountId)
  const personId = await makePerson(database.db, 'anna@example.com')
  await makeMember(database.db, accountId, personId, 'anna@example.com', 'member')
  browser = await signedIn(database.db, service.url, personId)
})

const path = (rest: string) => `/panel/api/accounts/${account.accountId}/${rest}`
const cells = (products: readonly number[], columns: string) =>
  browser.get(path(`product-cells?ids=${products.join(',')}&columns=${encodeURIComponent(columns)}`))

test('a cell of a price list has the price that names no group', async () => {
  const [drill = 0, saw = 0] = ids
  const { body } = await cells([saw, drill], 'price.summer,price.none')
  const none = { own: null, supplied: null }
  expect(body.data.map((row: { cells: unknown }) => row.cells)).toEqual([
    [{ own: '12.5', supplied: null }, none],
    [none, none],
  ])
  expect((await cells([saw], 'price')).status).toBe(400)
})

test('each cell says what the owner set and what suppliers say, in the order that was asked for', async () => {
  const [drill = 0, saw = 0] = ids
  const key = encodeURIComponent('colour.of=box')
  const columns = `title.en,title.de,title.pl,manufacturer,category,attribute.${key},excluded,excluded.de`
  const { status, body } = await cells([saw, drill, 999_999], columns)
  expect(status).toBe(200)
  expect(body.data).toEqual([
    {
      id: saw,
      sku: 'N-2',
      title: 'Saw',
      title_locale: null,
      picture: null,
      stock: null,
      cells: [
        { own: null, supplied: 'Saw' },
        { own: null, supplied: 'Saw (de)' },
        { own: null, supplied: null },
        { own: null, supplied: 'Bosch' },
        { own: null, supplied: 'Tools' },
        { own: false, supplied: 'red N-2' },
        { own: 'recalled', supplied: null },
        { own: 'not in de', supplied: null },
      ],
    },
    {
      id: drill,
      sku: 'N-1',
      title: 'My drill',
      title_locale: null,
      picture: null,
      stock: { quantity: 4, cost: '2.5' },
      cells: [
        { own: 'My drill', supplied: 'Drill' },
        { own: null, supplied: 'Drill (de)' },
        { own: null, supplied: null },
        { own: 'Mine', supplied: 'Bosch' },
        { own: null, supplied: 'Tools' },
        { own: null, supplied: 'red N-1' },
        { own: null, supplied: null },
        { own: null, supplied: null },
      ],
    },
  ])
})

test('slugs, all EANs and texts of pictures are told as stores are given them', async () => {
  const [drill = 0, saw = 0] = ids
  const { accountId, storeIds } = account
  const set = (value: string | null) =>
    bench.shelf.write(accountId, (tx) =>
      setOverrides(tx, accountId, [{ productId: drill, field: 'image_alts', locale: 'en', value }]),
    )
  const read = async (columns: string, product = drill) =>
    (await cells([product], columns)).body.data[0].cells as { own: unknown; supplied: string | null }[]
  const columns = 'eans,slug.main,image_alts.en,image_alts.de'
  const nothing = { own: null, supplied: null }
  expect(await read(columns)).toEqual([{ own: null, supplied: EAN }, nothing, nothing, nothing])
  expect(await read(columns, saw)).toEqual([nothing, nothing, nothing, nothing])
  await set(JSON.stringify({ [url('two')]: 'From the side' }))
  await inTransaction(
    database.db,
    (tx) => tx`
      insert into product_slug (account_id, store_id, slug, product_id, retired, is_own)
      values (${accountId}, ${storeIds[0]}, 'my-drill', ${drill}, 0, false), (${accountId}, ${storeIds[0]}, 'old', ${drill}, 1, false)`,
  )
  expect(await read(columns)).toEqual([
    { own: null, supplied: EAN },
    { own: null, supplied: 'my-drill' },
    { own: null, supplied: '– · From the side · –' },
    nothing,
  ])
  await set(null)
  for (const wrong of ['eans.en', 'slug', 'slug.nowhere', 'image_alts', 'image_alts.not a locale'])
    expect((await cells([drill], wrong)).status, wrong).toBe(400)
})

test('what suppliers say follows the order of sources', async () => {
  const [drill = 0] = ids
  const [north, south] = account.suppliers.map(({ supplierId }) => supplierId)
  const order = (first: number[]) =>
    inTransaction(database.db, (tx) => setSourceOrder(tx, account.accountId, 'title', first))
  await order([south ?? 0])
  expect((await cells([drill], 'title.en')).body.data[0].cells).toEqual([
    { own: 'My drill', supplied: 'Southern drill' },
  ])
  await order([north ?? 0])
  expect((await cells([drill], 'title.en')).body.data[0].cells[0].supplied).toBe('Drill')
})

test('columns that are none are refused, and products that were deleted are left out', async () => {
  const [drill = 0] = ids
  for (const columns of ['price', 'title', 'title.not a locale', 'attribute.', 'excluded.nowhere', 'attribute.%E0'])
    expect([columns, (await cells([drill], columns)).body]).toMatchObject([
      columns,
      { code: 'invalid-parameters', errors: [{ name: 'columns' }] },
    ])
  expect((await cells([drill], Array.from({ length: 41 }, () => 'category').join(','))).status).toBe(400)
  const [gone = 0] = await giveOffers(bench, account, [offer('GONE')])
  await bench.shelf.write(account.accountId, (tx) => deleteProducts(tx, account.accountId, [gone]))
  expect((await cells([gone], 'category')).body.data).toEqual([])
})

test('every picture of a product is there with its state: those that stores are given in order, then the others', async () => {
  const [drill = 0, saw = 0] = ids
  const { accountId } = account
  const read = async (product = drill) => (await browser.get(path(`product-pictures?product=${product}`))).body.data
  const names = (data: { pictures: { url: string; is_listed: boolean }[] }) =>
    data.pictures.map(({ url: address, is_listed: isListed }) => `${isListed ? '+' : '-'}${address.split('/').at(-1)}`)
  expect(await read()).toMatchObject({ is_own: false, supplier: 'north' })
  expect(names(await read())).toEqual(['+one.png', '+two.png', '+three.png', '-south.png'])
  // without mirrored copies a product shows the original URLs, and lists show no pictures
  expect((await browser.get(path('products'))).body.data).toMatchObject([{ picture: null }, { picture: null }])
  expect((await read()).pictures[0]).toMatchObject({ state: 'original', shown: url('one'), suppliers: ['north'] })
  expect((await read()).pictures[1]).toMatchObject({ suppliers: ['north', 'south'] })

  // alternative texts in each language of the stores; a store without a text in its language shows another one
  const altsOf = async () => (await read()).pictures[0].alts as { locale: string; text: string | null }[]
  for (const alt of await altsOf()) expect(alt).toMatchObject({ text: null, found_in: null, supplier: null })
  const [{ locale } = { locale: '' }] = await altsOf()
  const setAlts = (value: string | null) =>
    bench.shelf.write(accountId, (tx) =>
      setOverrides(tx, accountId, [{ productId: drill, field: 'image_alts', locale, value }]),
    )
  await setAlts(JSON.stringify({ [url('one')]: 'From the side' }))
  expect((await altsOf())[0]).toEqual({ locale, text: 'From the side', found_in: locale, supplier: null })
  expect((await read()).pictures[1].alts[0]).toMatchObject({ locale, text: null })
  await setAlts(null)

  await turnMirrorOn(database.db, accountId)
  await bench.shelf.drain(accountId)
  await inTransaction(database.db, async (tx) => {
    await recordAs(tx, accountId, url('one'), pictureOf('one', { width: 30, height: 20 }))
    await recordAs(tx, accountId, url('two'), { kind: 'gone', reason: 'not_found' })
    await recordAs(tx, accountId, url('three'), { kind: 'failed', reason: 'timeout', retryAfterMs: null })
  })
  await bench.shelf.drain(accountId)
  // lists show a mirrored copy, even if it is not the first picture, and never a supplier's URL
  const listed = async (route: string): Promise<Record<string, string | null>> => {
    const { status, body } = await browser.get(path(route))
    expect(status).toBe(200)
    const rows = body.data as { id?: number; product_id?: number; picture: string | null }[]
    return Object.fromEntries(rows.map(({ id, product_id: productId, picture }) => [id ?? productId, picture]))
  }
  const lists = [
    'products',
    `product-names?ids=${drill},${saw}`,
    `product-cells?ids=${drill},${saw}&columns=category`,
    'own-stock?search=N',
  ]
  for (const route of lists) expect(await listed(route), route).toEqual({ [drill]: shownOf('one'), [saw]: null })

  expect((await read()).pictures).toMatchObject([
    {
      state: 'mirrored',
      shown: shownOf('one'),
      type: 'image/png',
      width: 30,
      height: 20,
      bytes: 3,
      is_uploaded: false,
      next_fetch_at: expect.any(String),
    },
    { state: 'dead', reason: 'not_found', shown: null, next_fetch_at: expect.any(String) },
    { state: 'pending', reason: 'timeout', shown: url('three'), failed_since: expect.any(String) },
    { state: 'pending', reason: null, suppliers: ['south'] },
  ])

  await bench.shelf.write(accountId, (tx) =>
    setOverrides(tx, accountId, [
      { productId: drill, field: 'images', locale: '', value: JSON.stringify([url('south'), url('one')]) },
    ]),
  )
  for (const route of lists) expect(await listed(route), route).toEqual({ [drill]: shownOf('one'), [saw]: null })
  expect(await read()).toMatchObject({ is_own: true, supplier: null })
  expect(names(await read())).toEqual(['+south.png', '+one.png', '-two.png', '-three.png'])
  expect(await read(saw)).toEqual({ is_own: false, supplier: null, pictures: [] })
  expect((await browser.get(path('product-pictures?product=999999'))).body).toMatchObject({ code: 'unknown-product' })
})
