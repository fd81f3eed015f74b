import { beforeAll, expect, test } from 'vitest'
import { createAssortmentRule } from '../../src/catalog/settings/rules/assortment-rules.ts'
import { deleteStore } from '../../src/catalog/settings/stores/stores.ts'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { deleteProducts, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { accountStep } from '../../src/operations/step.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { createAccount, giveOffers, offer, productIdsOf, type Said, type TestAccount } from '../harness/account.ts'

import { makeMember, makePerson, signedIn, type Browser } from './browser.ts'
import type { Tx } from '../../src/db/sql.ts'
import { worldOfFile } from '../harness/world.ts'

// Lists of products over HTTP, as the panel reads them.

const { database, bench, service } = worldOfFile({ service: {} })
let browser: Browser
let personId = 0

beforeAll(async () => {
  personId = await makePerson(database.db, 'anna@example.com')
})

async function ownAccount(name: string): Promise<TestAccount> {
  const account = await createAccount(bench, name)
  await makeMember(database.db, account.accountId, personId, 'anna@example.com', 'member')
  browser = await signedIn(database.db, service.url, personId)
  return account
}

async function say({ accountId }: TestAccount, work: (tx: Tx) => Promise<Said>): Promise<void> {
  await bench.shelf.write(accountId, async (tx) => ({ productIds: productIdsOf(await work(tx)) }))
  await bench.shelf.drain(accountId)
}

const list = async ({ accountId }: TestAccount, query: Record<string, string | number> = {}) => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return (await browser.get(`/panel/api/accounts/${accountId}/products?${text}`)).body
}
const ids = async (account: TestAccount, query: Record<string, string | number> = {}): Promise<number[]> =>
  (await list(account, query)).data.map(({ id }: { id: number }) => id)
const count = async ({ accountId }: TestAccount, query: Record<string, string>) =>
  (await browser.get(`/panel/api/accounts/${accountId}/products/count?${new URLSearchParams(query).toString()}`)).body
    .data.count

test('a product is found by its id, SKU or EAN, and by beginnings of words in any order, only in its account', async () => {
  const [mine, other] = [await ownAccount('mine'), await createAccount(bench, 'other')]
  const offers = [
    offer('A-1', {
      eans: ['4006381333931'],
      texts: { en: { title: 'Hammer 100% "steel"' }, de: { title: 'Größerer Schlosserhammer' } },
    }),
    offer('A-2', { texts: { en: { title: 'Gloves', description: 'not a hammer' } }, manufacturer: 'Łódź Tools' }),
  ]
  const [hammer = 0, gloves = 0] = await giveOffers(bench, mine, offers)
  await giveOffers(bench, other, offers)
  const found = (search: string) => ids(mine, { search })
  expect(await found(String(hammer))).toEqual([hammer])
  expect(await found('4006381333931')).toEqual([hammer])
  expect(await found('40063813')).toEqual([hammer])
  expect(await found('HAMM')).toEqual([hammer])
  expect(await found('steel 100 ham')).toEqual([hammer])
  // a title that only another store shows, without its accents
  expect(await found('grosser schlosser')).toEqual([hammer])
  expect(await found('GRÖSSERER')).toEqual([hammer])
  expect(await found('100% "ste')).toEqual([hammer])
  expect(await found('lodz')).toEqual([gloves])
  // the supplier's SKU, in parts and as one word
  expect(await found('a-2')).toEqual([gloves])
  expect(await found('a2')).toEqual([gloves])
  // special characters of patterns and queries are plain text
  expect(await found('1_0%')).toEqual([])
  expect(await found("ham' | 'x:*")).toEqual([])
  expect(await found('!!! & |')).toEqual([])
  expect(await found('glo')).toEqual([gloves])
  expect(await found('not a hammer')).toEqual([])
  expect(await list(mine, { search: 'hammer' })).toMatchObject({
    data: [{ title: 'Hammer 100% "steel"', ean: '4006381333931', stores: 3, excluded_in: 0, in_stock: true }],
    meta: { total: 1, next_after: null, is_settling: false },
  })
  const path = `/panel/api/accounts/${other.accountId}/products`
  expect((await browser.get(path)).status).toBe(404)
})

test('what a product is found by follows its inputs, its stores and its stock', async () => {
  const account = await ownAccount('follows')
  const { accountId, storeIds } = account
  const [first = 0, second = 0] = await giveOffers(bench, account, [
    offer('F-1', { texts: { en: { title: 'Kettle' }, pl: { title: 'Czajnik' } } }),
    offer('F-2', { texts: { en: { title: 'Pan' } }, quantity: 0 }),
  ])
  expect(await ids(account, { search: 'czajnik' })).toEqual([first])
  // a sweep of one store includes the titles of other stores
  await inTransaction(database.db, (tx) =>
    createAssortmentRule(tx, accountId, {
      storeId: storeIds[1],
      name: 'None',
      isListed: false,
      manufacturers: ['none'],
    }),
  )
  await bench.shelf.drain(accountId)
  expect(await ids(account, { search: 'czajnik' })).toEqual([first])
  expect(await ids(account, { stock: 'out' })).toEqual([second])
  await say(account, (tx) =>
    setOverrides(tx, accountId, [{ productId: first, field: 'title', locale: 'en', value: 'Wok' }]),
  )
  expect([await ids(account, { search: 'kettle' }), await ids(account, { search: 'wok' })]).toEqual([[], [first]])
  await say(account, (tx) => setOwnStock(tx, accountId, [{ productId: second, quantity: 3, cost: null }]))
  expect([await ids(account, { stock: 'out' }), await ids(account, { stock: 'in' })]).toEqual([[], [first, second]])
  // the last store that shows Polish titles
  await inTransaction(database.db, (tx) => deleteStore(tx, accountId, storeIds[2]))
  await bench.shelf.drain(accountId)
  expect(await ids(account, { search: 'czajnik' })).toEqual([])
  await say(account, (tx) => deleteProducts(tx, accountId, [first]))
  expect([await ids(account, { search: 'wok' }), await ids(account)]).toEqual([[], [second]])
  expect(await auditAccount(database.db, accountId)).toMatchObject({ differencesTotal: 0 })
})

test('filters narrow each other, and pages in every order have each product once', async () => {
  const account = await ownAccount('filters')
  const { accountId, storeIds, suppliers } = account
  const made = await giveOffers(
    bench,
    account,
    Array.from({ length: 60 }, (_, i) =>
      offer(`P-${String(i).padStart(3, '0')}`, {
        texts: { en: { title: `${['Rope', 'Saw', 'Axe'][i % 3]} ${i}` } },
        manufacturer: i % 2 === 0 ? 'Even & Co' : 'Odd',
        category: i % 5 === 0 ? 'Tools/Cutting/Blades' : 'Tools/Other',
        quantity: i % 4 === 0 ? 0 : 5,
      }),
    ),
  )
  await giveOffers(bench, account, [offer('S-1', { texts: { en: { title: 'Southern' } } })], 1)
  await inTransaction(database.db, (tx) =>
    createAssortmentRule(tx, accountId, {
      storeId: storeIds[1],
      name: 'No Odd',
      isListed: false,
      manufacturers: ['odd'],
    }),
  )
  await say(account, (tx) => excludeProducts(tx, accountId, storeIds[0], made.slice(0, 10), 'recalled'))
  const where = (test: (i: number) => boolean) => made.filter((_, i) => test(i)).sort((a, b) => a - b)
  const sorted = async (query: Record<string, string | number>) =>
    (await ids(account, { ...query, per_page: 200 })).sort((a, b) => a - b)
  expect(await sorted({ manufacturer: 'EVEN & co' })).toEqual(where((i) => i % 2 === 0))
  expect(await sorted({ category: 'tools / cutting' })).toEqual(where((i) => i % 5 === 0))
  expect(await sorted({ supplier: suppliers[1]?.supplierId ?? 0 })).toHaveLength(1)
  expect(await sorted({ store: 'de', search: 'p' })).toEqual(where((i) => i % 2 === 0))
  expect(await sorted({ excluded: 'yes' })).toEqual(where((i) => i < 10))
  expect(await sorted({ excluded: 'yes', store: 'de' })).toEqual([])
  expect(await sorted({ reason: 'recalled', search: 'saw' })).toEqual(where((i) => i < 10 && i % 3 === 1))
  expect(await sorted({ reason: 'other' })).toEqual([])
  expect(await sorted({ excluded: 'no', store: 'main', search: 'axe', stock: 'in', manufacturer: 'odd' })).toEqual(
    where((i) => i >= 10 && i % 3 === 2 && i % 4 !== 0 && i % 2 === 1),
  )
  expect(await sorted({ changed_since: '2000-01-01T00:00:00+00:00' })).toHaveLength(61)
  expect(await sorted({ changed_since: '2999-01-01T00:00:00+00:00' })).toEqual([])
  expect(await count(account, { excluded: 'no', store: 'main' })).toBe(51)
  expect(await count(account, {})).toBe(61)
  // for every way of finding a page: walking, collecting, and both with early limits
  for (const limits of [
    {},
    { productsWalkedMax: 5, productsSampled: 5 },
    { productsWalkedMax: 5, productsSampled: 5, productsCollectedMax: 2, productsSortedMax: 200 },
    { productsWalkedMax: 5, productsSampled: 5, productsCollectedMax: 2, productsSortedMax: 2, changesWalkedMax: 10 },
  ]) {
    const before = { ...LIMITS }
    Object.assign(LIMITS, limits)
    try {
      await walkEveryOrder(account)
    } finally {
      Object.assign(LIMITS, before)
    }
  }
  expect((await browser.get(`/panel/api/accounts/${accountId}/products?after=x`)).status).toBe(400)
  expect((await browser.get(`/panel/api/accounts/${accountId}/products?store=none`)).status).toBe(404)
})

/** Every page of every order, with and without words: each product once, in its order. */
async function walkEveryOrder(account: TestAccount): Promise<void> {
  for (const sort of ['', 'sku', '-sku', 'title', '-title', 'id', '-id', '-changed'] as const)
    for (const [search, wanted] of [
      ['', 61],
      ['p', 60],
      ['saw', 20],
    ] as const) {
      const query = { ...(sort === '' ? {} : { sort }), ...(search === '' ? {} : { search }), per_page: 7 }
      const seen: { id: number; title: string; sku: string | null }[] = []
      for (let after = ''; ;) {
        const page = await list(account, { ...query, ...(after === '' ? {} : { after }) })
        expect(page.data.length).toBeLessThanOrEqual(7)
        if (page.meta.total !== null) expect([sort, search, page.meta.total]).toEqual([sort, search, wanted])
        seen.push(...page.data)
        if (page.meta.next_after === null) break
        after = page.meta.next_after
      }
      expect([sort, search, seen.length, new Set(seen.map(({ id }) => id)).size]).toEqual([
        sort,
        search,
        wanted,
        wanted,
      ])
      if (sort === '' || sort === '-changed') continue
      const keys = seen.map(({ id, title, sku }) =>
        sort.endsWith('sku')
          ? (sku ?? '~')
          : sort.endsWith('title')
            ? title.toLowerCase()
            : String(id).padStart(12, '0'),
      )
      const ordered = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect([sort, search, ...keys]).toEqual([
        sort,
        search,
        ...(sort.startsWith('-') ? ordered.toReversed() : ordered),
      ])
    }
}

test('what products lack is a filter, in one store or in any, whichever way a page is found', async () => {
  const account = await ownAccount('incomplete')
  const { accountId } = account
  const made = await giveOffers(
    bench,
    account,
    Array.from({ length: 30 }, (_, i) =>
      offer(`G-${String(i).padStart(3, '0')}`, {
        texts: i % 3 === 0 ? { de: { title: `Nur deutsch ${i}` } } : { en: { title: `Thing ${i}` } },
        ...(i % 5 === 0 ? { cost: null } : {}),
        ...(i % 2 === 0 ? {} : { category: null }),
      }),
    ),
  )
  // the products that the findings count and list for the same store
  const gapsOf = async (store: string, gap: string): Promise<number[]> =>
    (
      await browser.get(`/v1/account/findings/gaps/${gap}?store=${store}&per_page=200`, {
        headers: { 'Shelfwire-Account': String(accountId) },
      })
    ).body.data.map((row: { product_id: number }) => row.product_id)
  const stores = ['main', 'de', 'pl']
  const before = { ...LIMITS }
  for (const limits of [
    {},
    { productsWalkedMax: 5, productsSampled: 5 },
    { productsWalkedMax: 5, productsSampled: 5, productGapsMax: 0 },
    { productsWalkedMax: 5, productsSampled: 5, productsCollectedMax: 2, productsSortedMax: 2 },
  ]) {
    Object.assign(LIMITS, limits)
    try {
      const every = async (query: Record<string, string | number>) => {
        const seen: number[] = []
        for (let after = ''; ;) {
          const page = await list(account, { ...query, per_page: 4, ...(after === '' ? {} : { after }) })
          seen.push(...page.data.map(({ id }: { id: number }) => id))
          if (page.meta.next_after === null) return seen.toSorted((a, b) => a - b)
          after = page.meta.next_after
        }
      }
      for (const gap of ['no_title', 'no_image', 'no_category', 'no_price', 'price_zero']) {
        const inStores = await Promise.all(stores.map((store) => gapsOf(store, gap)))
        for (const sort of [{}, { sort: 'sku' }, { sort: '-title' }, { sort: 'id' }, { sort: '-changed' }]) {
          for (const [i, store] of stores.entries())
            expect([gap, sort, store, await every({ ...sort, incomplete: gap, store })]).toEqual([
              gap,
              sort,
              store,
              inStores[i],
            ])
          const inAny = [...new Set(inStores.flat())].toSorted((a, b) => a - b)
          expect([gap, sort, await every({ ...sort, incomplete: gap })]).toEqual([gap, sort, inAny])
        }
        expect(await count(account, { incomplete: gap, store: 'de' })).toBe(inStores[1]?.length)
        expect(await count(account, { incomplete: gap })).toBe(new Set(inStores.flat()).size)
      }
    } finally {
      Object.assign(LIMITS, before)
    }
  }
  expect(await gapsOf('main', 'no_price')).toEqual(made.filter((_, i) => i % 5 === 0).toSorted((a, b) => a - b))
  expect((await gapsOf('main', 'no_category')).length).toBe(15)
  expect(await ids(account, { incomplete: 'no_price', search: 'thing' })).toHaveLength(4)
  expect((await browser.get(`/panel/api/accounts/${accountId}/products?incomplete=nothing`)).status).toBe(400)
})

test('what changed last comes first, and comes once', async () => {
  const account = await ownAccount('changes')
  const { accountId } = account
  const [a = 0, b = 0, c = 0] = await giveOffers(bench, account, [offer('C-1'), offer('C-2'), offer('C-3')])
  await say(account, (tx) => setOwnStock(tx, accountId, [{ productId: b, quantity: 9, cost: null }]))
  await say(account, (tx) =>
    setOverrides(tx, accountId, [{ productId: a, field: 'title', locale: 'de', value: 'Neu' }]),
  )
  expect(await ids(account, { sort: '-changed' })).toEqual([a, b, c])
  // in a store in which its title did not change, its place is the same
  expect(await ids(account, { sort: '-changed', store: 'main' })).toEqual([b, c, a])
})

test('the service finds what is selected, and an operation does the same with all of it', async () => {
  const account = await ownAccount('bulk')
  const { accountId } = account
  const made = await giveOffers(
    bench,
    account,
    Array.from({ length: 30 }, (_, i) => offer(`B-${i}`, { texts: { en: { title: i < 20 ? 'Nail' : 'Screw' } } })),
  )
  const path = `/panel/api/accounts/${accountId}/products/bulk`
  const run = async (body: unknown, query = '') => {
    const answer = await browser.post(path + query, body)
    expect([answer.status, answer.text]).toEqual([202, answer.text])
    const read = async () =>
      (
        await browser.get(`/v1/account/operations/${answer.body.data.id}`, {
          headers: { 'Shelfwire-Account': String(accountId) },
        })
      ).body.data
    for (let i = 0; i < 20 && (await read()).ended_at === null; i++) {
      await accountStep(database.db, silentLog, accountId, new Map())
      await bench.shelf.drain(accountId)
    }
    return read()
  }
  const nails = { filter: { search: 'nail' }, except: made.slice(0, 5) }
  expect(await run({ selection: nails, exclusion: { store: 'main', reason: 'seasonal' } })).toMatchObject({
    kind: 'bulk_exclusions',
    state: 'succeeded',
    total: 15,
    changed: 15,
    failed: 0,
  })
  expect(await ids(account, { reason: 'seasonal' })).toEqual(made.slice(5, 20))
  expect(await run({ selection: nails, exclusion: { store: 'main', reason: null } })).toMatchObject({ changed: 15 })
  expect(await ids(account, { excluded: 'yes' })).toEqual([])
  expect(
    await run({ selection: { ids: made.slice(0, 2) }, override: { field: 'manufacturer', value: 'Mine' } }),
  ).toMatchObject({ kind: 'bulk_overrides', changed: 2 })
  expect(await ids(account, { manufacturer: 'mine' })).toEqual(made.slice(0, 2))
  expect(
    await run({ selection: { filter: { search: 'screw' } }, stock: { quantity: '77' } }, '?dry_run=true'),
  ).toMatchObject({ dry_run: true, changed: 10 })
  expect((await list(account, { search: 'screw' })).data[0].stock).toBe(5)
  expect(await run({ selection: { filter: { search: 'screw' } }, stock: { quantity: '77' } })).toMatchObject({
    changed: 10,
  })
  expect((await list(account, { search: 'screw' })).data[0].stock).toBe(82)
  // a value that no product can have is refused with the name of its field, and nothing is stored
  for (const [body, field] of [
    [{ selection: nails, stock: { quantity: 'many' } }, 'stock.quantity'],
    [{ selection: nails, override: { field: 'colour', value: 'x' } }, 'override.field'],
    [{ selection: nails, override: { field: 'title', value: 'x' } }, 'override.locale'],
    [{ selection: nails, exclusion: { store: 'none', reason: 'x' } }, 'exclusion.store'],
    [{ selection: { filter: { search: 'nothing' } }, stock: { quantity: 1 } }, 'selection'],
    [{ selection: {}, stock: { quantity: 1 } }, 'selection'],
    [{ selection: nails }, 'exclusion'],
  ] as const) {
    const answer = await browser.post(path, body)
    expect([field, answer.status, answer.body.errors?.[0]?.name]).toEqual([field, 422, field])
  }
  const audit = await browser.get(`/panel/api/accounts/${accountId}/products/count`)
  expect(audit.body.data.count).toBe(30)
})

test('views are kept per person and account, and a name stands for one', async () => {
  const account = await ownAccount('views')
  const path = `/panel/api/accounts/${account.accountId}/product-views`
  const put = (name: string, address: string) => browser.send('PUT', path, { body: { name, address } })
  const first = (await put('Out of stock', '{"stock":"out"}')).body.data
  await put('Recalled', '{"reason":"recalled"}')
  expect((await put('OUT of stock', '{"stock":"in"}')).body.data.id).toBe(first.id)
  expect((await put(' ', '{}')).body).toMatchObject({ status: 422, errors: [{ name: 'name' }] })
  const names = async () => (await browser.get(path)).body.data.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['OUT of stock', 'Recalled'])
  const mine = browser
  const otherId = await makePerson(database.db, 'piotr@example.com')
  await makeMember(database.db, account.accountId, otherId, 'piotr@example.com', 'owner')
  browser = await signedIn(database.db, service.url, otherId)
  expect(await names()).toEqual([])
  expect((await browser.send('DELETE', `${path}/${first.id}`)).status).toBe(404)
  browser = mine
  expect((await browser.send('DELETE', `${path}/${first.id}`)).status).toBe(204)
  expect(await names()).toEqual(['Recalled'])
})

test('a product is called by any title there is, with its language, where the default store has none', async () => {
  const account = await ownAccount('called')
  const { accountId } = account
  const [both = 0, foreign = 0, mute = 0, set = 0] = await giveOffers(bench, account, [
    offer('N-1', { texts: { pl: { title: 'Młotek' }, en: { title: 'Hammer' } } }),
    offer('N-2', { texts: { fr: { title: 'Marteau' }, 'pl-PL': { title: 'Młotek' } } }),
    offer('N-3', { texts: {} }),
    offer('N-4', { texts: { fr: { title: 'Marteau' } } }),
  ])
  await say(account, async (tx) =>
    setOverrides(tx, accountId, [{ productId: set, field: 'title', locale: 'de', value: 'Hammer, groß' }]),
  )
  const names = async (given: readonly number[]) =>
    (await browser.get(`/panel/api/accounts/${accountId}/product-names?ids=${given.join(',')}`)).body.data
  const called = [
    { product_id: set, sku: 'N-4', title: 'Hammer, groß', title_locale: 'de', picture: null },
    { product_id: mute, sku: 'N-3', title: null, title_locale: null, picture: null },
    { product_id: foreign, sku: 'N-2', title: 'Marteau', title_locale: 'fr', picture: null },
    { product_id: both, sku: 'N-1', title: 'Hammer', title_locale: null, picture: null },
  ]
  expect(await names([set, mute, foreign, both])).toEqual(called)
  // the list, the grid and own stock show the same title
  const rows = (await list(account)).data as { id: number; title: string; title_locale: string }[]
  const cells = (await browser.get(`/panel/api/accounts/${accountId}/product-cells?ids=${foreign}`)).body.data
  expect(rows.find(({ id }) => id === foreign)).toMatchObject({ title: 'Marteau', title_locale: 'fr' })
  expect(cells).toMatchObject([{ id: foreign, title: 'Marteau', title_locale: 'fr' }])
  const path = `/panel/api/accounts/${accountId}/products/${both}/merge-preview`
  const { body: preview } = await browser.post(path, { product_ids: [foreign] })
  expect(preview.data.takes).toMatchObject([{ product_id: foreign, title: 'Marteau', title_locale: 'fr', sku: 'N-2' }])
  // the Polish store shows a title in its own language
  expect((await list(account, { store: 'pl' })).data.find(({ id }: { id: number }) => id === foreign)).toMatchObject({
    title: 'Młotek',
    title_locale: null,
  })
  // whoever lists it
  await say(account, (tx) =>
    createAssortmentRule(tx, accountId, { storeId: account.storeIds[0], name: 'none', isListed: false }),
  )
  expect((await names([both]))[0]).toMatchObject({ title: 'Hammer', title_locale: null })
})
