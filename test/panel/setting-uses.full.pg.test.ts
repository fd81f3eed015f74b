import { beforeEach, describe, expect, test } from 'vitest'
import { bankFetchFailed } from '../../src/bank-rates/bank-rates.sql.ts'
import { createChannel, rotateChannel } from '../../src/channels/channels.ts'
import { entryChanges, writeEntries } from '../../src/catalog/products/prices/price-list-entries.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { createCategory } from '../../src/catalog/settings/content/categories.ts'
import { createPriceList } from '../../src/catalog/settings/prices/price-lists.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { createStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { runInsert } from '../../src/imports/runs/runs.sql.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'

import { makeMember, makePerson, signedIn, type Browser } from './browser.ts'
import { worldOfFile } from '../harness/world.ts'

// Data on the panel's pages of settings that /v1/account does not have.

let account: TestAccount
let other: TestAccount
let browser: Browser
let accounts = 0

const { database, bench, service } = worldOfFile({ service: {} })

beforeEach(async () => {
  accounts++
  account = await createAccount(bench, `account ${accounts}`)
  other = await createAccount(bench, 'other')
  const email = `m${accounts}@example.com`
  const personId = await makePerson(database.db, email)
  await makeMember(database.db, account.accountId, personId, email, 'member')
  browser = await signedIn(database.db, service.url, personId)
})

const get = async (path: string, accountId = account.accountId) =>
  await browser.get(`/panel/api/accounts/${accountId}/${path}`)
const write = <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(database.db, work)

test('suppliers are told with their offers and their newest import: not a comparison, not one of another account', async () => {
  await giveOffers(bench, account, [offer('A-1'), offer('A-2')])
  await giveOffers(bench, other, [offer('X')])
  const ask = (of: TestAccount, at: number, isDryRun = false) =>
    write((tx) =>
      runInsert(tx, of.accountId, {
        supplierId: of.suppliers[at]!.supplierId,
        sourceId: null,
        trigger: 'upload',
        mode: 'full',
        mapping: null,
        file: null,
        isDryRun,
        isConfirmed: false,
      }),
    )
  const [north = 0, south = 0] = account.suppliers.map(({ supplierId }) => supplierId)
  const uses = async () => (await get('supplier-uses')).body.data as unknown
  expect(await uses()).toEqual([{ supplier_id: north, offers: 2, last_run: null }])
  await ask(account, 1)
  const ended = await ask(account, 1)
  await database.db`
    update import_run set state = 'succeeded', refused = 3, ended_at = now()
    where account_id = ${account.accountId} and run_id = ${ended!}`
  await ask(account, 1, true)
  await ask(other, 0)
  expect(await uses()).toEqual([
    { supplier_id: north, offers: 2, last_run: null },
    {
      supplier_id: south,
      offers: 0,
      last_run: { state: 'succeeded', trigger: 'upload', refused: 3, stale: 0, created_at: expect.any(String) },
    },
  ])
})

describe('currencies', () => {
  test('are those with a rate and those that offers and stores use, with how old each rate is', async () => {
    await giveOffers(bench, account, [offer('A-1'), offer('A-2', { currency: 'CZK' })])
    await giveOffers(bench, account, [offer('B-1')], 1)
    await giveOffers(bench, other, [offer('X', { currency: 'SEK' })])
    await write((tx) =>
      createStore(tx, account.accountId, { slug: 'ch', name: 'Schweiz', locale: 'de-CH', currency: 'CHF' }),
    )
    const { data } = (await get('currencies')).body
    expect(data).toMatchObject([
      { currency: 'CHF', rate: null, offers: 0, suppliers: [], stores: ['ch'] },
      { currency: 'CZK', rate: null, offers: 1, suppliers: ['north'], stores: [] },
      { currency: 'PLN', rate: '4', offers: 1, suppliers: ['south'], stores: ['pl'] },
      { currency: 'USD', rate: '1.25', offers: 0, suppliers: [], stores: [] },
    ])
    expect(data.map((row: { set_at: string | null }) => row.set_at === null)).toEqual([true, true, false, false])
  })

  test('a rate that is set to what it was is as new as one that is not, and shelves nothing', async () => {
    const { accountId } = account
    await database.db`update exchange_rate set set_at = null where account_id = ${accountId}`
    const sweeps = async () => (await database.db`select 1 from sweep where account_id = ${accountId}`).length
    await bench.shelf.drain(accountId)
    await write((tx) => setRates(tx, accountId, [{ currency: 'PLN', rate: '4.00' }]))
    expect(await sweeps()).toBe(0)
    const { data } = (await get('currencies')).body
    const age = (currency: string) =>
      data.find((row: { currency: string }) => row.currency === currency).set_at as string | null
    expect(Date.now() - new Date(age('PLN') ?? 0).getTime()).toBeLessThan(60_000)
    expect(age('USD')).toBeNull()
    await write((tx) => setRates(tx, accountId, [{ currency: 'PLN', rate: '5' }]))
    expect(await sweeps()).toBe(1)
  })
})

test('what came of asking the bank is read by accounts that follow it, as a kind: its text names the installation’s addresses', async () => {
  const { db } = database
  const nothing = { asked_at: null, is_answered: false, day: null, failing_since: null, failure: null }
  const read = async (accountId?: number) => (await get('bank-answer', accountId)).body.data
  await db`insert into bank_rate (day, currency, rate) values ('2026-11-26', 'USD', 1.1), ('2026-11-25', 'USD', 1.2)`
  await db`insert into bank_rate_fetch (asked_at, answered_at) values (now(), now())`
  expect(await read()).toEqual(nothing)
  await db`update account set rates_from = 'ecb' where account_id = ${account.accountId}`
  const known = { asked_at: expect.any(String), is_answered: true, day: '2026-11-26' }
  expect(await read()).toEqual({ ...nothing, ...known })
  await inTransaction(db, (tx) => bankFetchFailed(tx, 'unreachable', 'connect ECONNREFUSED 10.1.2.3:8080'))
  expect(await read()).toEqual({ ...known, failing_since: expect.any(String), failure: 'unreachable' })
  // as written by a release without kinds of failures
  await db`update bank_rate_fetch set failure_kind = null, asked_at = now() + interval '1 second'`
  expect(await read()).toMatchObject({ is_answered: false, failing_since: expect.any(String), failure: null })
  expect((await get('bank-answer', other.accountId)).status).toBe(404)
})

describe('suppliers’ paths', () => {
  test('come with their products and the category that they, or a path above, are mapped to', async () => {
    await giveOffers(bench, account, [
      offer('A-1', { category: 'Tools/Hand tools' }),
      offer('A-2', { category: 'tools / Hand tools/' }),
      offer('A-3', { category: 'Garden' }),
      offer('A-4', { category: 'Tools/Hand tools' }),
    ])
    await giveOffers(bench, account, [offer('B-1', { category: 'Garden' })], 1)
    await write((tx) => createCategory(tx, account.accountId, { path: 'Werkzeug', supplierPaths: ['Tools'] }))
    expect((await get('supplier-paths')).body).toEqual({
      data: [
        { path: 'Tools/Hand tools', suppliers: ['north'], products: 3, category: 'Werkzeug' },
        { path: 'Garden', suppliers: ['north', 'south'], products: 2, category: null },
      ],
      meta: { is_capped: false },
    })
    // the mapping is the current one, although products were counted before
    await write((tx) => createCategory(tx, account.accountId, { path: 'Garten', supplierPaths: ['GARDEN'] }))
    expect((await get('supplier-paths')).body.data[1].category).toBe('Garten')
  })
})

describe('examples of SKUs', () => {
  test('are those that the pattern would give, faults those that saving it would be refused for', async () => {
    const ids = await giveOffers(bench, account, [offer('A-1'), offer('A-2'), offer('A-3', { manufacturer: null })])
    const examples = async (pattern: string) =>
      (await get(`sku-examples?pattern=${encodeURIComponent(pattern)}`)).body.data
    const by = await examples('{manufacturer|upper}-{supplier_sku}')
    expect(
      by.examples.map((row: { exported: string | null; missing: string | null }) => [row.exported, row.missing]),
    ).toEqual([
      ['ACME-A-1', null],
      ['ACME-A-2', null],
      [null, 'manufacturer'],
    ])
    expect([by.sampled, by.without, by.shared]).toEqual([3, 1, 0])
    expect((await examples('{manufacturer|default:none}')).shared).toBe(2)
    const faults = (await examples('{supplier_skuu}-{id')).faults
    expect(faults.map(({ at }: { at: number }) => at)).toEqual([1, 16])
    // the result equals the preview after saving
    await bench.shelf.write(account.accountId, (tx) =>
      editAccount(tx, account.accountId, { skuPattern: '{manufacturer|upper}-{supplier_sku}' }),
    )
    await bench.shelf.drain(account.accountId)
    const stored = await database.db<{ sku: string | null }[]>`
      select sku from payload_content where account_id = ${account.accountId} and product_id = any(${ids}::bigint[])
        and store_id = ${account.storeIds[0]} order by product_id`
    expect(stored.map(({ sku }) => sku)).toEqual(
      by.examples.map(({ exported }: { exported: string | null }) => exported),
    )
  })

  test('an account without products has none', async () => {
    expect((await get('sku-examples?pattern=%7Bid%7D')).body.data).toEqual({
      faults: [],
      examples: [],
      sampled: 0,
      without: 0,
      shared: 0,
    })
  })
})

describe('own stock', () => {
  test('is listed page by page; a search finds products without any, too', async () => {
    const ids = await giveOffers(bench, account, [offer('A-1'), offer('A-2'), offer('A-3')])
    const [first = 0, second = 0, third = 0] = ids
    await write((tx) =>
      setOwnStock(tx, account.accountId, [
        { productId: first, quantity: 3, cost: '2.50' },
        { productId: third, quantity: 0, cost: null },
      ]),
    )
    const page = (await get('own-stock?per_page=1')).body
    expect(page).toMatchObject({
      data: [{ product_id: first, title: 'Article A-1', quantity: 3, cost: '2.5' }],
      meta: { total: 2, next_after: first },
    })
    expect((await get(`own-stock?per_page=1&after=${first}`)).body).toMatchObject({
      data: [{ product_id: third, quantity: 0, cost: null }],
      meta: { next_after: null },
    })
    const found = (await get('own-stock?search=A-2')).body
    expect(found.data).toMatchObject([{ product_id: second, quantity: null, cost: null }])
    expect((await get('own-stock', other.accountId)).status).toBe(404)
  })
})

describe('held prices', () => {
  test('say what was and what is wanted, and why', async () => {
    const { accountId } = account
    const [productId = 0] = await giveOffers(bench, account, [offer('A-1', { cost: '10' })])
    await write((tx) => editAccount(tx, accountId, { priceJumpFactor: '2' }))
    await bench.shelf.drain(accountId)
    await giveOffers(bench, account, [offer('A-1', { cost: '90' })])
    const { data, meta } = (await get('held-prices')).body
    expect(meta).toMatchObject({ total: 1, next_after: null })
    expect(data).toMatchObject([{ product_id: productId, title: 'Article A-1' }])
    // three stores, two groups
    expect(data[0].prices).toHaveLength(6)
    expect(data[0].prices[0]).toMatchObject({
      store: 'main',
      currency: 'EUR',
      cost: '90',
      shown_rule: data[0].prices[0].wanted_rule,
    })
    expect(Number(data[0].prices[0].wanted_price) / Number(data[0].prices[0].shown_price)).toBeCloseTo(9, 1)
  })
})

describe('price lists', () => {
  const LIST = {
    key: 'trade',
    name: 'Trade',
    currency: 'EUR',
    storeIds: null,
    groupId: null,
    validFrom: null,
    validTo: null,
    priority: 100,
    isActive: true,
  }

  test('have as many entries as are counted, those of other accounts left out', async () => {
    for (const owner of [account, other]) {
      const [productId = 0] = await giveOffers(bench, owner, [offer('A-1')])
      await write(async (tx) => {
        for (const key of ['trade', 'empty']) await createPriceList(tx, owner.accountId, { ...LIST, key })
        const rows = [0, owner.groupId].map((groupId) => ({ productId, groupId, amount: '12' }))
        const changes = await entryChanges(tx, owner.accountId, 'trade', rows, false)
        await writeEntries(tx, owner.accountId, 'trade', changes)
      })
    }
    expect((await get('price-list-uses')).body).toEqual({ data: [{ key: 'trade', entries: 2 }] })
    expect((await get('price-list-uses', other.accountId)).status).toBe(404)
  })

  test('have their prices found as products are, those of other lists and accounts left out', async () => {
    const ids: number[] = []
    for (const owner of [account, other]) {
      ids.push(...(await giveOffers(bench, owner, [offer('A-1'), offer('B-2'), offer('C-3')])))
      await write(async (tx) => {
        for (const key of ['trade', 'empty']) await createPriceList(tx, owner.accountId, { ...LIST, key })
        const rows = [0, owner.groupId].map((groupId) => ({ productId: ids.at(-3) ?? 0, groupId, amount: '12.50' }))
        const further = { productId: ids.at(-2) ?? 0, groupId: 0, amount: '7' }
        const changes = await entryChanges(tx, owner.accountId, 'trade', [...rows, further], false)
        await writeEntries(tx, owner.accountId, 'trade', changes)
      })
    }
    const found = async (key: string, search: string) =>
      (await get(`price-lists/${key}/found-prices?search=${search}`)).body
    const entry = (group_id: number | null) => ({ product_id: ids[0], sku: 'A-1', group_id, price: '12.5' })
    const both = [entry(null), entry(account.groupId)]
    expect(await found('trade', 'A-1')).toEqual({ data: both, meta: { is_capped: false } })
    expect(await found('trade', 'article')).toMatchObject({ data: [...both, { sku: 'B-2', price: '7' }] })
    for (const [key, search] of [
      ['trade', 'C-3'],
      ['trade', 'nothing'],
      ['empty', 'A-1'],
    ] as const)
      expect(await found(key, search)).toEqual({ data: [], meta: { is_capped: false } })
    expect((await get('price-lists/other/found-prices?search=A-1')).status).toBe(404)
    expect((await get('price-lists/trade/found-prices?search=A-1', other.accountId)).status).toBe(404)
  })

  test('are written by a session, by rows and by a file, and a look at what that would do is no change', async () => {
    const { accountId } = account
    const [productId = 0] = await giveOffers(bench, account, [offer('A-1')])
    await write((tx) => createPriceList(tx, accountId, LIST))
    const headers = { 'Shelfwire-Account': String(accountId) }
    const path = '/v1/account/price-lists/trade'
    const rows = async (query: string) =>
      await browser.send('PATCH', `${path}/entries${query}`, {
        headers,
        body: { entries: [{ product_id: productId, price: '12' }] },
      })
    const file = async (query: string) => {
      const answer = await fetch(`${service.url}${path}/file${query}`, {
        method: 'PUT',
        headers: {
          ...headers,
          'Content-Type': 'text/csv',
          Cookie: `shelfwire_session=${browser.cookie ?? ''}`,
          'X-CSRF-Token': browser.csrf ?? '',
        },
        body: `product_id;price\n${productId};13\n`,
      })
      return { status: answer.status, body: await answer.json() }
    }
    const actions = async () =>
      (
        await database.db<{ action: string }[]>`
          select action from audit_entry where account_id = ${accountId} order by entry_id`
      ).map(({ action }) => action)
    for (const send of [rows, file])
      expect(await send('?dry_run=true')).toMatchObject({ status: 200, body: { data: { created: 1, dry_run: true } } })
    expect(await actions()).toEqual([])
    expect(await rows('')).toMatchObject({ status: 200, body: { data: { created: 1, dry_run: false } } })
    expect(await file('')).toMatchObject({ status: 200, body: { data: { changed: 1, dry_run: false } } })
    expect(await actions()).toEqual(['patchPriceListEntries', 'putPriceListFile'])
  })
})

describe('channel files', () => {
  test('are noted when they are read', async () => {
    const { channelId } = await write((tx) =>
      createChannel(tx, account.accountId, {
        store: 'main',
        name: 'Shopping',
        format: 'csv',
        groupId: null,
        linkTemplate: null,
      }),
    )
    expect((await get('channel-uses')).body.data).toEqual([])
    const secret = await write((tx) => rotateChannel(tx, account.accountId, channelId))
    for (let reads = 0; reads < 2; reads++)
      expect((await fetch(`${service.url}/channels/${secret}.csv`)).status).toBe(200)
    await expect.poll(async () => (await get('channel-uses')).body.data).toHaveLength(1)
    const [use] = (await get('channel-uses')).body.data
    expect(use.channel_id).toBe(channelId)
    expect(Date.now() - new Date(use.last_read_at).getTime()).toBeLessThan(120_000)
  })
})

describe('counts of findings', () => {
  test('have what needs attention, and nothing of other accounts', async () => {
    await giveOffers(bench, account, [
      offer('A-1', { currency: 'CZK', eans: ['123'] }),
      offer('A-2', { category: 'Garden' }),
    ])
    await giveOffers(bench, other, [offer('X', { eans: ['999'] })])
    await write((tx) => createCategory(tx, account.accountId, { path: 'Tools', supplierPaths: ['Tools'] }))
    const { data } = (await get('finding-counts')).body
    expect(data).toEqual([
      { kind: 'offers_without_rate', count: 1, is_capped: false },
      { kind: 'eans_invalid', count: 1, is_capped: false },
      // A-1 has no price, because its currency has no rate; counted once for all stores
      { kind: 'products_incomplete', count: 1, is_capped: false },
      { kind: 'supplier_paths_unmapped', count: 1, is_capped: false },
    ])
  })

  test('count variants that a customer cannot tell apart, as the page of findings lists them', async () => {
    const sized = (sku: string, key: string, size: string | null) =>
      offer(sku, {
        group: {
          key,
          title: {},
          options: size === null ? [] : [{ key: 'size', label: null, value: size }],
          position: 0,
        },
      })
    await giveOffers(bench, account, [
      ...['S', 'S', 'M', null, null].map((size, i) => sized(`T-${i}`, 'TEE', size)),
      ...['S', 'M'].map((size, i) => sized(`C-${i}`, 'CAP', size)),
      sized('ALONE', 'ALONE', null),
    ])
    await giveOffers(bench, other, [sized('X-1', 'X', 'S'), sized('X-2', 'X', 'S')])
    expect((await get('finding-counts')).body.data).toEqual([
      { kind: 'variants_alike', count: 1, is_capped: false },
      { kind: 'variants_without_options', count: 2, is_capped: false },
    ])
  })

  test('count options that a group has twice, once for each key that is not the usual one', async () => {
    const cased = (sku: string, key: string) =>
      offer(sku, { group: { key: 'TEE', title: {}, options: [{ key, label: null, value: sku }], position: 0 } })
    await giveOffers(bench, account, [cased('A', 'Size'), cased('B', 'size')])
    expect((await get('finding-counts')).body.data).toEqual([
      { kind: 'variant_options_twice', count: 1, is_capped: false },
      { kind: 'variants_without_options', count: 2, is_capped: false },
    ])
  })

  test('count attributes with values that their type does not understand', async () => {
    await giveOffers(bench, account, [offer('A-1', { attributes: [{ key: 'load', value: 'heavy' }] })])
    await write(
      (tx) => tx`
        insert into attribute_definition (account_id, key, type) values (${account.accountId}, 'load', 'number')`,
    )
    expect((await get('finding-counts')).body.data).toEqual([{ kind: 'values_unread', count: 1, is_capped: false }])
  })

  test('count a SKU of several products once, in however many stores', async () => {
    await write((tx) => editAccount(tx, account.accountId, { skuPattern: '{manufacturer|default:none}' }))
    await giveOffers(bench, account, [offer('A-1'), offer('A-2')])
    const { data } = (await get('finding-counts')).body
    expect(data).toEqual([{ kind: 'sku_collisions', count: 1, is_capped: false }])
  })
})
