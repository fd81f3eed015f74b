import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assortmentRulesList } from '../../src/catalog/settings/assortment-rules.sql.ts'
import { createAssortmentRule } from '../../src/catalog/settings/assortment-rules.ts'
import { exclusionRulesList } from '../../src/catalog/settings/exclusion-rules.sql.ts'
import { createExclusionRule } from '../../src/catalog/settings/exclusion-rules.ts'
import { excludeProducts } from '../../src/catalog/products/exclusions.ts'
import { writeOffers } from '../../src/catalog/products/offers.ts'
import { pricingRulesList } from '../../src/catalog/settings/pricing-rules.sql.ts'
import { createRule } from '../../src/catalog/settings/pricing-rules.ts'
import { productSources } from '../../src/catalog/products/product-resource.sql.ts'
import { setListing } from '../harness/product-edits.ts'
import { sourceOrdersList } from '../../src/catalog/settings/source-orders.sql.ts'
import { setSourceOrder } from '../../src/catalog/settings/source-orders.ts'
import { openStoreDirectory } from '../../src/catalog/settings/store-directory.ts'
import { storesList } from '../../src/catalog/settings/stores.sql.ts'
import { createStore, deleteStore, editStore, makeDefaultStore } from '../../src/catalog/settings/stores.ts'
import { suppliersList } from '../../src/catalog/settings/suppliers.sql.ts'
import { createSupplier, deleteSupplier, editSupplier } from '../../src/catalog/settings/suppliers.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { readFeed } from '../../src/feed/read.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { counterGet } from '../../src/shelf/change-counter.sql.ts'
import { explainProduct } from '../../src/shelf/explain.ts'
import { createAccount, giveOffers, offer, openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { refusal } from '../harness/refusal.ts'

// What deleting, pausing and bringing back stores and suppliers does to payloads and feed.

let database: TestDatabase
let bench: Bench
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

async function say<T>(account: TestAccount, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { result } = await bench.shelf.write(account.accountId, async (tx) => ({
    result: await work(tx),
    productIds: [],
  }))
  await bench.shelf.drain(account.accountId)
  return result
}

interface Shown {
  title: string | null
  manufacturer: string | null
  ean: string | null
  images: string[]
  attributes: { value: string }[]
  stock: number
  excluded: boolean
  exclusion_reason: string | null
  prices: { computed_price: number }[]
}

/** What clients of a store read, by product id. */
async function shown(account: TestAccount, storeId: number = account.storeIds[0]): Promise<Record<number, Shown>> {
  const rows = await database.db<{ productId: number; body: string }[]>`
    select product_id as "productId", '{' || c.body || ',' || p.body || '}' as body
    from payload_content c join payload_price p using (account_id, store_id, product_id)
    where account_id = ${account.accountId} and store_id = ${storeId}`
  return Object.fromEntries(rows.map((row) => [row.productId, JSON.parse(row.body) as Shown]))
}

/** What the feed of a store says after a moment. */
async function toldSince(
  account: TestAccount,
  since: { lastAt: Date; lastId: number },
  storeId: number = account.storeIds[0],
) {
  const { changes } = await readFeed(
    database.db,
    account.accountId,
    storeId,
    { kind: 'pair', since: since.lastAt, id: since.lastId },
    1_000,
  )
  return Object.fromEntries(changes.map((change) => [change.productId, change.kinds]))
}

const head = async (account: TestAccount) => (await counterGet(database.db, account.accountId))!
const clean = async (account: TestAccount) =>
  expect(await auditAccount(database.db, account.accountId)).toMatchObject({ differencesTotal: 0, isStale: false })
const slugs = async (account: TestAccount) => (await storesList(database.db, account.accountId)).map((row) => row.slug)

describe('a store', () => {
  test('that is deleted is in no list and cannot be read; the others stay as they are, and it is removed from rules', async () => {
    const account = await createAccount(bench, 'store-deleted')
    const {
      accountId,
      storeIds: [main, german, polish],
      suppliers,
    } = account
    const [productId = 0] = await giveOffers(bench, account, [offer('A')])
    await say(account, async (tx) => {
      await createRule(tx, accountId, { name: 'German alone', percent: '50', priority: 1, storeIds: [german] })
      await createRule(tx, accountId, { name: 'Two', percent: '60', priority: 2, storeIds: [main, german] })
      await createRule(tx, accountId, { name: 'All', percent: '70', priority: 3 })
      await createExclusionRule(tx, accountId, { name: 'German alone', kind: 'no_ean', storeIds: [german] })
      await createExclusionRule(tx, accountId, { name: 'Two', kind: 'no_stock', storeIds: [german, polish] })
      await createAssortmentRule(tx, accountId, {
        name: 'German',
        storeId: german,
        isListed: false,
        supplierIds: [suppliers[1]!.supplierId],
      })
      await createAssortmentRule(tx, accountId, { name: 'Polish', storeId: polish, isListed: true })
      await setListing(tx, accountId, german, [productId], true)
      await setListing(tx, accountId, polish, [productId], true)
      await excludeProducts(tx, accountId, german, [productId])
      await excludeProducts(tx, accountId, null, [productId], 'everywhere')
    })
    const before = [await shown(account, main), await shown(account, polish)]
    const position = await head(account)
    await say(account, (tx) => deleteStore(tx, accountId, german))
    // the default's rule for two is one for it alone now, not one for all
    const names = (rows: readonly { name: string; storeIds?: readonly number[] | null }[]) =>
      rows.map((row) => [row.name, row.storeIds])
    expect(names(await pricingRulesList(database.db, accountId))).toEqual([
      ['Default', null],
      ['Two', [main]],
      ['All', null],
    ])
    expect(names(await exclusionRulesList(database.db, accountId))).toEqual([['Two', [polish]]])
    expect((await assortmentRulesList(database.db, accountId)).map((row) => row.name)).toEqual(['Polish'])
    const [sources] = await productSources(database.db, accountId, [productId])
    expect(sources).toMatchObject({
      listings: [{ storeId: polish, isListed: true }],
      exclusions: [{ storeId: 0, reason: 'everywhere' }],
    })
    expect([await shown(account, main), await shown(account, polish)]).toEqual(before)
    expect([await toldSince(account, position, main), await toldSince(account, position, polish)]).toEqual([{}, {}])
    expect(await slugs(account)).toEqual(['main', 'pl'])
    const directory = openStoreDirectory(database.db, bench.wake)
    expect((await directory.active(accountId)).map((row) => row.slug)).toEqual(['main', 'pl'])
    expect(await refusal(Promise.resolve(directory.find(accountId, 'de')))).toMatchObject({ code: 'unknown-store' })
    expect(await refusal(explainProduct(database.db, accountId, 'de', productId))).toMatchObject({
      code: 'unknown-store',
    })
    // what comes later is resolved for the others alone, and nothing says anything for it any more
    const german_ = await shown(account, german)
    await giveOffers(bench, account, [offer('A', { cost: '20.00' })])
    expect(await shown(account, german)).toEqual(german_)
    expect(Object.keys(await toldSince(account, position, main))).toEqual([String(productId)])
    for (const work of [
      (tx: Tx) => editStore(tx, accountId, german, { isActive: true }),
      (tx: Tx) => makeDefaultStore(tx, accountId, german),
      (tx: Tx) => deleteStore(tx, accountId, german),
      (tx: Tx) => setListing(tx, accountId, german, [productId], true),
      (tx: Tx) => excludeProducts(tx, accountId, german, [productId]),
      (tx: Tx) => createRule(tx, accountId, { name: 'x', percent: '1', storeIds: [german] }),
      (tx: Tx) => createAssortmentRule(tx, accountId, { name: 'x', storeId: german, isListed: true }),
    ]) {
      expect(await refusal(inTransaction<unknown>(database.db, work))).toMatchObject({ code: 'unknown-reference' })
    }
    await clean(account)
  })

  test('keeps its slug for ever', async () => {
    const account = await createAccount(bench, 'store-slug')
    const { accountId, storeIds } = account
    await say(account, (tx) => deleteStore(tx, accountId, storeIds[1]))
    const again = (slug: string) =>
      inTransaction(database.db, (tx) =>
        createStore(tx, accountId, { slug, name: 'Again', locale: 'de', currency: 'EUR' }),
      )
    const spent = await refusal(again('de'))
    expect(spent).toMatchObject({ code: 'conflict', names: ['slug'] })
    expect(spent.message).toContain('not assigned again')
    expect((await refusal(again('pl'))).message).toContain('exists already')
    await again('de-2')
    expect(await slugs(account)).toEqual(['main', 'pl', 'de-2'])
  })

  test('that is the default is not deleted before another one is', async () => {
    const account = await createAccount(bench, 'store-default')
    const {
      accountId,
      storeIds: [main, german],
    } = account
    expect(await refusal(say(account, (tx) => deleteStore(tx, accountId, main)))).toMatchObject({ code: 'conflict' })
    await say(account, (tx) => makeDefaultStore(tx, accountId, german))
    await say(account, (tx) => deleteStore(tx, accountId, main))
    expect((await storesList(database.db, accountId)).map((row) => [row.slug, row.isDefault])).toEqual([
      ['de', true],
      ['pl', false],
    ])
  })

  test('is the only default, whichever others are made the default or deleted at the same time', async () => {
    const account = await createAccount(bench, 'store-race')
    const {
      accountId,
      storeIds: [, german, polish],
    } = account
    const defaults = async () =>
      (await storesList(database.db, accountId)).filter((row) => row.isDefault).map((row) => row.slug)
    await using second = openNamed(database)
    await using first = await hold(database.db, (tx) => makeDefaultStore(tx, accountId, german))
    const running = inTransaction(second.db, (tx) => makeDefaultStore(tx, accountId, polish), 0)
    expect(await second.fate(running)).toBe('blocked')
    await first.commit()
    await running
    expect(await defaults()).toEqual(['pl'])
    // one makes it the default, the other deletes it: whoever is second is refused
    await using third = await hold(database.db, (tx) => makeDefaultStore(tx, accountId, german))
    const deleting = inTransaction(second.db, (tx) => deleteStore(tx, accountId, german), 0)
    const refused = refusal(deleting)
    expect(await second.fate(deleting)).toBe('blocked')
    await third.commit()
    expect(await refused).toMatchObject({ code: 'conflict' })
    expect(await defaults()).toEqual(['de'])
  })

  test('that is paused keeps its payloads as they are, and catches up when it comes back', async () => {
    const account = await createAccount(bench, 'store-paused')
    const {
      accountId,
      storeIds: [, german],
    } = account
    const [productId = 0] = await giveOffers(bench, account, [offer('A')])
    const before = await shown(account, german)
    await say(account, (tx) => editStore(tx, accountId, german, { isActive: false }))
    const position = await head(account)
    await giveOffers(bench, account, [offer('A', { cost: '20.00' })])
    expect(await shown(account, german)).toEqual(before)
    await say(account, (tx) => editStore(tx, accountId, german, { isActive: true }))
    expect((await shown(account, german))[productId]?.prices[0]?.computed_price).toBe(25)
    expect(await toldSince(account, position, german)).toEqual({ [productId]: ['price'] })
    await clean(account)
  })
})

describe('a supplier', () => {
  /** p1 of both suppliers, p2 of the first alone; rules and orders that name them. */
  async function ground(name: string) {
    const account = await createAccount(bench, name)
    const { accountId } = account
    const [north = 0, south = 0] = account.suppliers.map((row) => row.supplierId)
    const [p1 = 0, p2 = 0] = await giveOffers(bench, account, [
      offer('A', { eans: ['4006381333931'] }),
      offer('B', { eans: ['96385074'] }),
    ])
    await giveOffers(
      bench,
      account,
      [offer('S', { cost: '80.00', eans: ['4006381333931'], manufacturer: 'Zeta', texts: { en: { title: 'South' } } })],
      1,
    )
    await say(account, async (tx) => {
      await createRule(tx, accountId, { name: 'North alone', percent: '50', priority: 1, supplierIds: [north] })
      await createRule(tx, accountId, { name: 'Both', percent: '10', priority: 2, supplierIds: [north, south] })
      await createExclusionRule(tx, accountId, {
        name: 'North alone',
        kind: 'supplier',
        supplierIds: [north],
        reason: 'north',
      })
      await createAssortmentRule(tx, accountId, {
        name: 'North alone',
        storeId: account.storeIds[2],
        isListed: false,
        supplierIds: [north],
      })
      await createAssortmentRule(tx, accountId, {
        name: 'Both',
        storeId: account.storeIds[2],
        isListed: true,
        supplierIds: [south, north],
      })
      await setSourceOrder(tx, accountId, 'title', [north])
      await setSourceOrder(tx, accountId, 'images', [north, south])
    })
    return { account, north, south, p1, p2 }
  }

  test('that is deleted counts nowhere from then on; products stay, and it is removed from rules', async () => {
    const { account, north, south, p1, p2 } = await ground('supplier-deleted')
    const { accountId } = account
    expect(await shown(account)).toMatchObject({
      [p1]: {
        title: 'Article A',
        manufacturer: 'Acme',
        exclusion_reason: 'north',
        prices: [{ computed_price: 15 }, {}],
        stock: 5,
      },
      [p2]: { title: 'Article B' },
    })
    expect(await shown(account, account.storeIds[2])).toEqual({})
    const position = await head(account)
    await say(account, (tx) => deleteSupplier(tx, accountId, north))
    expect(await shown(account)).toMatchObject({
      // PLN 80 at 4 is EUR 20; the rule for both is one for the other now
      [p1]: {
        title: 'South',
        manufacturer: 'Zeta',
        ean: '4006381333931',
        excluded: false,
        prices: [{ computed_price: 22 }, {}],
        stock: 5,
      },
      [p2]: {
        title: null,
        manufacturer: null,
        ean: null,
        images: [],
        attributes: [],
        excluded: true,
        exclusion_reason: 'no_price',
        prices: [],
        stock: 0,
      },
    })
    expect(await toldSince(account, position)).toEqual({ [p1]: ['price', 'content'], [p2]: ['price', 'content'] })
    expect(await toldSince(account, position, account.storeIds[2])).toEqual({
      [p1]: ['price', 'content'],
      [p2]: ['price', 'content'],
    })
    expect((await pricingRulesList(database.db, accountId)).map((row) => [row.name, row.supplierIds])).toEqual([
      ['Default', null],
      ['Both', [south]],
    ])
    expect(await exclusionRulesList(database.db, accountId)).toEqual([])
    expect((await assortmentRulesList(database.db, accountId)).map((row) => [row.name, row.supplierIds])).toEqual([
      ['Both', [south]],
    ])
    expect(await sourceOrdersList(database.db, accountId)).toEqual([{ field: 'images', supplierIds: [south] }])
    expect((await suppliersList(database.db, accountId)).map((row) => row.code)).toEqual(['south'])
    const { offers } = await explainProduct(database.db, accountId, 'main', p1)
    expect(offers.map((row) => [row.supplierId, row.ineligible])).toEqual([
      [south, null],
      [north, 'unknown_supplier'],
    ])
    for (const work of [
      (tx: Tx): Promise<unknown> => deleteSupplier(tx, accountId, north),
      (tx: Tx) => editSupplier(tx, accountId, north, { isActive: true }),
      (tx: Tx) => createRule(tx, accountId, { name: 'x', percent: '1', supplierIds: [north] }),
      (tx: Tx) => setSourceOrder(tx, accountId, 'title', [north]),
    ]) {
      expect((await refusal(inTransaction(database.db, work))).code).toMatch(/^unknown-(supplier|reference)$/)
    }
    await clean(account)
  })

  test('that is paused leaves its texts where nobody else has any, and comes back as it was', async () => {
    const { account, north, p1, p2 } = await ground('supplier-paused')
    const { accountId } = account
    const before = await shown(account)
    await say(account, (tx) => editSupplier(tx, accountId, north, { isActive: false }))
    expect(await shown(account)).toMatchObject({
      [p1]: { title: 'South', prices: [{ computed_price: 22 }, {}] },
      [p2]: {
        title: 'Article B',
        manufacturer: 'Acme',
        ean: '96385074',
        images: ['https://images.example.com/B.jpg'],
        exclusion_reason: 'no_price',
        prices: [],
        stock: 0,
      },
    })
    await say(account, (tx) => editSupplier(tx, accountId, north, { isActive: true }))
    expect(await shown(account)).toEqual(before)
    await clean(account)
  })

  test('leaves its code to another supplier, whose offers are new', async () => {
    const { account, north, p2 } = await ground('supplier-code')
    const { accountId } = account
    const again = (tx: Tx) => createSupplier(tx, accountId, { code: 'north', name: 'Another', currency: 'EUR' })
    expect(await refusal(inTransaction(database.db, again))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('north') as string,
    })
    await say(account, (tx) => deleteSupplier(tx, accountId, north))
    const { value: supplierId } = await say(account, again)
    expect(supplierId).not.toBe(north)
    account.suppliers.push({ supplierId, currency: 'EUR' })
    const [fresh = 0] = await giveOffers(bench, account, [offer('B')], 2)
    expect(fresh).not.toBe(p2)
    expect((await shown(account))[fresh]).toMatchObject({ title: 'Article B', stock: 5 })
    await clean(account)
  })

  test('is deleted when what is being written of its offers is, and nothing is written of them after that', async () => {
    const { account, north, p2 } = await ground('supplier-race')
    const { accountId } = account
    await using second = openNamed(database)
    await using writer = await hold(database.db, (tx) =>
      writeOffers(tx, accountId, account.suppliers[0]!, [offer('B', { cost: '1.00' }), offer('NEW')]),
    )
    const deleting = inTransaction(second.db, (tx) => deleteSupplier(tx, accountId, north), 0)
    expect(await second.fate(deleting)).toBe('blocked')
    await writer.commit()
    await deleting
    const late = inTransaction(database.db, (tx) =>
      writeOffers(tx, accountId, account.suppliers[0]!, [offer('B', { cost: '2.00' })]),
    )
    expect(await refusal(late)).toMatchObject({ code: 'unknown-supplier' })
    await bench.shelf.drain(accountId)
    expect((await shown(account))[p2]).toMatchObject({ title: null, prices: [], stock: 0 })
    await clean(account)
  })
})
