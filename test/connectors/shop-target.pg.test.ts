import { afterEach, expect, test, vi } from 'vitest'
import type { Product } from '../../client/src/answers.ts'
import type { Article } from '../../client/src/shop/article.ts'
import { Follower } from '../../client/src/shop/follower.ts'
import type { Deviation, Keeper } from '../../client/src/shop/keeper.ts'
import {
  dueRefused,
  KEPT_TABLES,
  lastRun,
  makeKeptTables,
  refusedArticles,
  refusedCount,
  type KeptDatabase,
} from '../../client/src/shop/kept.sql.ts'
import { openAccount } from '../../client/src/shop/shop-session.ts'
import { ShopTarget } from '../../client/src/shop/shop-target.ts'
import { verifyShop } from '../../client/src/shop/verify-shop.ts'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'
import { sayOf } from '../../connectors/medusa/src/migrated.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { worldOfFile } from '../harness/world.ts'

// The data that a connector keeps in a shop's database, with a simulated shop that ends in the middle of a batch. medusa-kills
// and vendure-kills kill real shops.

const { database } = worldOfFile()
const store = 'main'

afterEach(() => {
  vi.restoreAllMocks()
})

/** The database as Knex and Vendure provide it. */
function keptDatabase(): KeptDatabase {
  const raw =
    (of: { unsafe(sql: string, values?: never[]): Promise<unknown> }) =>
    async (sql: string, values: readonly unknown[] = []) => {
      let count = 0
      const rows = await of.unsafe(
        sql.replaceAll('?', () => `$${++count}`),
        [...values] as never[],
      )
      return { rows: [...(rows as unknown[])] }
    }
  return {
    raw: raw(database.db),
    transaction: (work) => inTransaction(database.db, (tx) => work({ raw: raw(tx as never) })),
  }
}

/** A shop that ends after a number of articles. */
class EndingShop implements Keeper {
  readonly has = new Map<string, number[]>()
  endsAfter = Number.POSITIVE_INFINITY
  readonly refuses = new Set<string>()
  /** Pairs: once the first is written, the second is no longer refused. */
  readonly frees = new Map<string, string>()
  /** The articles of all calls. */
  readonly seen: string[] = []
  /** The number of products of each call. */
  readonly brought: number[] = []

  async bring(articles: readonly Article[]): Promise<Map<string, string>> {
    const refused = new Map<string, string>()
    this.brought.push(articles.flatMap(({ listings }) => listings).length)
    for (const { key, listings } of articles) {
      this.seen.push(key)
      this.refuses.delete(this.frees.get(key) ?? '')
      if (this.refuses.has(key)) refused.set(key, 'its SKU is taken')
      else if (listings.length === 0) this.has.delete(key)
      else
        this.has.set(
          key,
          listings.map(({ product: { id } }) => id),
        )
      if (--this.endsAfter <= 0) throw new Error('the shop has ended')
    }
    return refused
  }

  /** An article differs if the shop has other products of it than it should have. */
  async compare(articles: readonly Article[]): Promise<Deviation[]> {
    return articles.flatMap(({ key, listings }) => {
      const [shop, shelfwire] = [this.has.get(key) ?? null, listings.map(({ product: { id } }) => id)]
      const isSame = (shop ?? []).join() === shelfwire.join()
      return isSame ? [] : [{ article: key, differences: [{ member: 'products', shop, shelfwire }] }]
    })
  }
}

const product = (id: number, group?: number): Product =>
  ({ id, prices: [], stock: 1, ...(group === undefined ? {} : { group: { id: group } }) }) as unknown as Product

const batch = (products: Product[], from: string | null, position: string) => ({
  store,
  from,
  position,
  products,
  removed: [],
  changes: [],
})

const filling = (after: number) => JSON.stringify({ kind: 'filling', after })
const following = JSON.stringify({ kind: 'following' })

const open = (db: KeptDatabase, shop: EndingShop, of = store) =>
  new ShopTarget(db, shop, [of], { info() {}, warn() {}, error() {} })

test('the position of a shop is never ahead of what it was told, and an article that was begun is looked at again', async () => {
  const db = keptDatabase()
  await makeKeptTables(db)
  const shop = new EndingShop()
  expect(await open(db, shop).apply(batch([product(1, 7), product(2, 7), product(3)], null, 'p1'))).toBe(true)
  expect(Object.fromEntries(shop.has)).toEqual({ 'group:7': [1, 2], 'product:3': [3] })

  // 2 leaves its group: the shop ends after it has written both affected articles, before that is stored
  shop.endsAfter = 2
  const leaving = batch([product(2)], 'p1', 'p2')
  await expect(open(db, shop).apply(leaving)).rejects.toThrow('the shop has ended')
  expect(shop.has.get('product:2')).toEqual([2])
  expect(await open(db, shop).position(store)).toBe('p1')

  // by now it is deleted: the product that the shop has written meanwhile belongs to no article
  shop.endsAfter = Number.POSITIVE_INFINITY
  expect(await open(db, shop).apply({ ...batch([], 'p1', 'p3'), removed: [2] })).toBe(true)
  expect(Object.fromEntries(shop.has)).toEqual({ 'group:7': [1], 'product:3': [3] })
  expect(await open(db, shop).position(store)).toBe('p3')
  // a slower process does not overwrite newer data
  expect(await open(db, shop).apply(leaving)).toBe(false)
  expect(Object.fromEntries(shop.has)).toEqual({ 'group:7': [1], 'product:3': [3] })
})

test('what a shop has refused is tried once more when something else has changed', async () => {
  const db = keptDatabase()
  await makeKeptTables(db)
  const shop = new EndingShop()
  const target = open(db, shop, 'pl')
  shop.refuses.add('product:9')
  await target.apply({ ...batch([product(9)], null, 'p1'), store: 'pl' })
  expect((await refusedArticles(db, 10)).map(({ article }) => article)).toEqual(['product:9'])
  await target.bringRefused(true)
  expect(shop.has.size).toBe(0)

  shop.refuses.clear()
  await target.bringRefused(true)
  expect(Object.fromEntries(shop.has)).toEqual({ 'product:9': [9] })
  expect(await refusedArticles(db, 10)).toEqual([])
})

test('of very many refused articles some are tried at a time, those first that have waited longest, and after ever longer pauses', async () => {
  const db = keptDatabase()
  await makeKeptTables(db)
  const shop = new EndingShop()
  const target = open(db, shop, 'at')
  const products = Array.from({ length: 250 }, (_, i) => product(1_000 + i))
  for (const { id } of products) shop.refuses.add(`product:${id}`)
  await target.apply({ ...batch(products, null, 'p1'), store: 'at' })
  expect(await refusedArticles(db, 1_000)).toHaveLength(250)

  const triedBy = async (hasChanged: boolean) => {
    shop.brought.length = 0
    await target.bringRefused(hasChanged)
    return shop.brought.reduce((sum, each) => sum + each, 0)
  }
  for (const id of [1_050, 1_249]) shop.refuses.delete(`product:${id}`)
  expect(await triedBy(false)).toBe(200)
  expect([...shop.has.keys()]).toEqual(['product:1050'])
  // articles that were not tried yet come first
  expect(await triedBy(false)).toBe(200)
  expect([...shop.has.keys()]).toEqual(['product:1050', 'product:1249'])

  // each is retried three times at once; then comes a pause, which ends early if something else changes
  for (let turns = 0; (await triedBy(false)) > 0; turns++) expect(turns).toBeLessThan(4)
  expect(await triedBy(true)).toBe(200)
  expect(await refusedCount(db)).toBe(248)
  const pauses = async () => {
    const { rows } = await db.raw(
      `select attempts, (extract(epoch from due - now()) / 60)::int as minutes from shelfwire_refused where article = 'product:1000'`,
    )
    return (rows as { attempts: number; minutes: number }[])[0]
  }
  await db.raw(`update shelfwire_refused set attempts = 3`)
  const seen: number[] = []
  for (let attempt = 0; attempt < 14; attempt++) {
    await target.bring(['product:1000'])
    seen.push((await pauses())?.minutes ?? Number.NaN)
  }
  expect(seen).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_440, 1_440, 1_440])
})

test('a database of 0.2.0 learns when a refused article is tried again, and a shop that has yet to be migrated says so', async () => {
  const db = keptDatabase()
  await makeKeptTables(db)
  await db.raw('drop table if exists shelfwire_refused')
  await db.raw(
    'create table shelfwire_refused (article text primary key, reason text not null, since timestamptz not null default now())',
  )
  await db.raw(`insert into shelfwire_refused (article, reason) values ('product:5', 'of before')`)
  const logged: string[] = []
  await new Follower().follow({
    db,
    logger: { info() {}, warn() {}, error: (text) => logged.push(text) },
    open: async () => {
      await dueRefused(db, 1, false)
      throw new Error('it has the columns')
    },
    sayOf,
  })
  expect(logged).toEqual([expect.stringMatching(/column "due" does not exist.*npx medusa db:migrate; tried again/)])
  expect((await lastRun(db))?.problem).toContain('npx medusa db:migrate')
  await makeKeptTables(db)
  expect(await dueRefused(db, 10, false)).toEqual(['product:5'])
})

test('stores that are filled at the same time have each article written once', async () => {
  const db = keptDatabase()
  await makeKeptTables(db)
  const shop = new EndingShop()
  const filledBy = async (stores: [string, string], work: (step: Step) => Promise<unknown>) => {
    shop.brought.length = 0
    const target = new ShopTarget(db, shop, stores, { info() {}, warn() {}, error() {} })
    await work(async (of, ids, from, position) => {
      const products = ids.map((id) => product(id))
      expect(await target.apply({ ...batch(products, from, position), store: of })).toBe(true)
    })
    return shop.brought.filter((products) => products > 0)
  }
  type Step = (store: string, ids: number[], from: string | null, position: string) => Promise<void>
  const brought = await filledBy(['fr', 'be'], async (step) => {
    const fill = async (of: string, pauseMs: number) => {
      await step(of, [], null, filling(0))
      // the other store is not read as fast
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      await step(of, [11, 12], filling(0), filling(12))
      await step(of, [13], filling(12), following)
    }
    await Promise.all([fill('fr', 0), fill('be', 50)])
    // a store that is filled does not make others wait
    const since = performance.now()
    await step('be', [14], following, 'p')
    expect(performance.now() - since).toBeLessThan(2_000)
  })
  expect(brought).toEqual([4, 2, 1])
  expect(Object.fromEntries(shop.has)).toEqual({
    'product:11': [11, 11],
    'product:12': [12, 12],
    'product:13': [13, 13],
    'product:14': [14],
  })

  // a store that is a batch ahead waits for the other one
  const ahead = await filledBy(['it', 'es'], async (step) => {
    await step('it', [], null, filling(0))
    await step('it', [21, 22], filling(0), filling(22))
    await step('es', [], null, filling(0))
    const behind = async () => {
      await step('es', [21, 22], filling(0), filling(22))
      await step('es', [23], filling(22), following)
    }
    await Promise.all([step('it', [23], filling(22), following), behind()])
  })
  expect(ahead).toEqual([2, 4, 2])
})

/** Stores whose fill has begun, so that their batches are written together. */
async function filledTogether(stores: [string, string], refuses: string[] = []) {
  const db = keptDatabase()
  await makeKeptTables(db)
  const shop = new EndingShop()
  for (const article of refuses) shop.refuses.add(article)
  const target = new ShopTarget(db, shop, stores, { info() {}, warn() {}, error() {} })
  const apply = (of: string, products: Product[], from: string | null, position: string) =>
    target.apply({ ...batch(products, from, position), store: of })
  for (const of of stores) await apply(of, [], null, filling(0))
  shop.brought.length = 0
  return { db, shop, target, apply }
}

test('an article that several stores have is refused once by a write of all of them', async () => {
  const stores: [string, string] = ['dk', 'fi']
  const { db, shop, apply } = await filledTogether(stores, ['product:31'])
  expect(await Promise.all(stores.map((of) => apply(of, [product(31)], filling(0), filling(31))))).toEqual([true, true])
  expect(shop.brought).toEqual([2])
  const { rows } = await db.raw(`select attempts from shelfwire_refused where article = 'product:31'`)
  expect(rows).toEqual([{ attempts: 1 }])
})

test('a store whose products are all behind those of another one does not wait for its end', async () => {
  const { shop, apply } = await filledTogether(['se', 'no'])
  const real = performance.now.bind(performance)
  const far = apply('no', [product(900)], filling(0), following)
  await apply('se', [product(41)], filling(0), filling(41))
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 21_000)
  await Promise.all([far, apply('se', [product(42)], filling(41), filling(42))])
  await apply('se', [product(43)], filling(42), following)
  expect(shop.brought, 'after twenty seconds it goes along with what comes next').toEqual([1, 2, 1])
})

test('a repair of more than fit into one part ends the refusal of what a later part has freed, and counts one attempt', async () => {
  const db = keptDatabase()
  await makeKeptTables(db)
  const shop = new EndingShop()
  const target = open(db, shop, 'cz')
  const products = Array.from({ length: 201 }, (_, i) => product(2_000 + i))
  await target.apply({ ...batch(products, null, 'p1'), store: 'cz' })
  // 2000 is refused until 2200, which now has its SKU, is written; the SKU of 2001 belongs to something else
  shop.refuses.add('product:2000').add('product:2001')
  shop.frees.set('product:2200', 'product:2000')
  const refused = await target.bring(products.map(({ id }) => `product:${id}`))
  expect([...refused.keys()]).toEqual(['product:2001'])
  const { rows } = await db.raw(`select article, attempts from shelfwire_refused where article like 'product:2___'`)
  expect(rows).toEqual([{ article: 'product:2001', attempts: 1 }])
})

test('what a store had that the options name no more is looked at once', async () => {
  const db = keptDatabase()
  await makeKeptTables(db)
  const shop = new EndingShop()
  const target = new ShopTarget(db, shop, ['hu'], { info() {}, warn() {}, error() {} })
  await target.forgetOthers()
  await open(db, shop, 'sk').apply({ ...batch([product(51), product(52)], null, 'p1'), store: 'sk' })
  await target.forgetOthers()
  expect([...shop.has.keys()]).toEqual([])
  shop.seen.length = 0
  await target.apply({ ...batch([product(53)], null, 'p1'), store: 'hu' })
  expect(shop.seen).toEqual(['product:53'])
})

test('the account is told of each store whether the shop is equal to it, and after a repair how it is then', async () => {
  const db = keptDatabase()
  await database.db.unsafe(`drop table if exists ${Object.keys(KEPT_TABLES).join(', ')}`)
  await makeKeptTables(db)
  const fake = new FakeShelfwire({ stores: [{ slug: 'de' }, { slug: 'pl' }], products: [{ id: 1 }, { id: 2 }] })
  fake.put('de', { id: 3 })
  const stores = ['de', 'pl']
  const shelf = new Shelfwire(fake)
  const shop = new EndingShop()
  const target = new ShopTarget(db, shop, stores, { info() {}, warn() {}, error() {} })
  await shelf.sync({ stores, target }).once()
  const verify = (repair: boolean) =>
    verifyShop({
      db,
      open: () => Promise.resolve({ shelf, keeper: shop, target, stores, name: 'My shop' }),
      async *keys() {
        yield [...shop.has.keys()]
      },
      repair,
    })
  const told = () => fake.checks.map(({ store: of, mirror, differing }) => [of, mirror, differing])
  await verify(false)
  expect(told()).toEqual([
    ['de', 'My shop', 0],
    ['pl', 'My shop', 0],
  ])

  // missing in the shop: an article of one store, one of both, and one that it refused
  shop.has.delete('product:3')
  shop.has.set('product:2', [2])
  expect(await verify(false)).toMatchObject({ isEqual: false, deviating: 2 })
  expect(told()).toEqual([
    ['de', 'My shop', 2],
    ['pl', 'My shop', 1],
  ])
  shop.refuses.add('product:3')
  expect(await verify(true)).toMatchObject({ repaired: 1, refusedCount: 1 })
  expect(told()).toEqual([
    ['de', 'My shop', 1],
    ['pl', 'My shop', 0],
  ])
  shop.refuses.clear()
  // a product of the shop that no store has is a deviation in every store
  shop.has.set('product:9', [9])
  await verify(false)
  expect(told()).toEqual([
    ['de', 'My shop', 2],
    ['pl', 'My shop', 1],
  ])
  await verify(true)
  expect(told()).toEqual([
    ['de', 'My shop', 0],
    ['pl', 'My shop', 0],
  ])
})

test('a store that is deactivated keeps its products in the shop and holds up no other store, and is read again when it is active', async () => {
  const db = keptDatabase()
  await database.db.unsafe(`drop table if exists ${Object.keys(KEPT_TABLES).join(', ')}`)
  await makeKeptTables(db)
  const fake = new FakeShelfwire({
    stores: [{ slug: 'de' }, { slug: 'pl', currency: 'PLN', locale: 'pl' }],
    products: [{ id: 1 }, { id: 2 }],
  })
  const { url, close } = await fake.listen()
  const options = { url, token: fake.token }
  const slugs = ['pl', 'de']
  const shop = new EndingShop()
  const logged: string[] = []
  const log = (text: string) => void logged.push(text)
  const logger = { info() {}, warn: log, error: log }
  const open = async () => {
    const { shelf, active } = await openAccount(options, slugs, { kept: db, warn: log })
    return { shelf, keeper: shop, target: new ShopTarget(db, shop, slugs, logger), stores: active, name: 'My shop' }
  }
  const follow = async () => {
    logged.length = 0
    await new Follower().follow({ db, logger, open })
    return (await lastRun(db))?.problem
  }
  expect(await follow()).toBeNull()
  expect(Object.fromEntries(shop.has)).toEqual({ 'product:1': [1, 1], 'product:2': [2, 2] })

  fake.deactivate('pl')
  fake.put('de', { id: 3 })
  expect(await follow()).toBeNull()
  expect(Object.fromEntries(shop.has)).toEqual({ 'product:1': [1, 1], 'product:2': [2, 2], 'product:3': [3] })
  expect(logged).toEqual([expect.stringMatching(/store pl is not active: its products stay/)])
  // in the stores that still sell it, it is unchanged
  const { stores, active } = await openAccount(options, slugs, { kept: db, warn: log })
  expect(active).toEqual(['de'])
  expect([...stores]).toEqual([
    ['pl', { locale: 'pl', currency: 'PLN' }],
    ['de', { locale: expect.any(String) as string, currency: 'EUR' }],
  ])
  const keys = async function* () {
    yield [...shop.has.keys()]
  }
  const verified = await verifyShop({ db, open, keys, repair: true })
  expect(verified).toMatchObject({ isEqual: true, stores: [{ store: 'de' }] })

  // during a comparison: the other store is brought up to date, and the next comparison continues
  fake.activate('pl')
  fake.put('de', { id: 4 })
  fake.fault({ path: '/changes', code: 'unknown-store' })
  expect(await follow()).toMatch(/unknown-store/)
  expect(await follow()).toBeNull()
  fake.remove('pl', 2)
  expect(await follow()).toBeNull()
  expect(Object.fromEntries(shop.has)).toEqual({
    'product:1': [1, 1],
    'product:2': [2],
    'product:3': [3],
    'product:4': [4],
  })

  // a store that never existed is refused, and so is an account without active stores
  slugs.push('dee')
  expect(await follow()).toMatch(/no active store dee; it has de, pl/)
  slugs.pop()
  fake.deactivate('pl')
  fake.deactivate('de')
  expect(await follow()).toMatch(/none of the stores pl, de is active/)
  expect(shop.has.size).toBe(4)

  // the data of a store that the options no longer name is deleted
  fake.activate('de')
  slugs.shift()
  expect(await follow()).toBeNull()
  expect(Object.fromEntries(shop.has)).toEqual({
    'product:1': [1],
    'product:2': [2],
    'product:3': [3],
    'product:4': [4],
  })
  slugs.push('pl')
  expect(await follow()).toMatch(/no active store pl/)
  await close()
})
