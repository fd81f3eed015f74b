import { expect, test } from 'vitest'
import type { Product } from '../../client/src/answers.ts'
import type { Article } from '../../client/src/shop/article.ts'
import type { Keeper } from '../../client/src/shop/keeper.ts'
import { makeKeptTables, refusedArticles, type KeptDatabase } from '../../client/src/shop/kept.sql.ts'
import { ShopTarget } from '../../client/src/shop/shop-target.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { worldOfFile } from '../harness/world.ts'

// What a connector keeps in a shop's database, beside a shop that is ended in the middle of what it is told. The shops themselves are killed by
// medusa-kills and vendure-kills.

const { database } = worldOfFile()
const store = 'main'

/** As Knex and Vendure have it. */
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

/** A shop that ends after so many articles. */
class EndingShop implements Keeper {
  readonly has = new Map<string, number[]>()
  endsAfter = Number.POSITIVE_INFINITY
  readonly refuses = new Set<string>()

  async bring(articles: readonly Article[]): Promise<Map<string, string>> {
    const refused = new Map<string, string>()
    for (const { key, listings } of articles) {
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

  async compare(): Promise<[]> {
    return []
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

const open = (db: KeptDatabase, shop: EndingShop, of = store) =>
  new ShopTarget(db, shop, [of], { info() {}, warn() {}, error() {} })

test('the position of a shop is never ahead of what it was told, and an article that was begun is looked at again', async () => {
  const db = keptDatabase()
  await makeKeptTables(db)
  const shop = new EndingShop()
  expect(await open(db, shop).apply(batch([product(1, 7), product(2, 7), product(3)], null, 'p1'))).toBe(true)
  expect(Object.fromEntries(shop.has)).toEqual({ 'group:7': [1, 2], 'product:3': [3] })

  // 2 leaves its group: the shop ends when it has been told of both articles that this is about, before it is kept that it was
  shop.endsAfter = 2
  const leaving = batch([product(2)], 'p1', 'p2')
  await expect(open(db, shop).apply(leaving)).rejects.toThrow('the shop has ended')
  expect(shop.has.get('product:2')).toEqual([2])
  expect(await open(db, shop).position(store)).toBe('p1')

  // by now it is deleted: what the shop was told of it meanwhile is in no article any more
  shop.endsAfter = Number.POSITIVE_INFINITY
  expect(await open(db, shop).apply({ ...batch([], 'p1', 'p3'), removed: [2] })).toBe(true)
  expect(Object.fromEntries(shop.has)).toEqual({ 'group:7': [1], 'product:3': [3] })
  expect(await open(db, shop).position(store)).toBe('p3')
  // another process that was slower has nothing to say
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
  await target.bringRefused()
  expect(shop.has.size).toBe(0)

  shop.refuses.clear()
  await target.bringRefused()
  expect(Object.fromEntries(shop.has)).toEqual({ 'product:9': [9] })
  expect(await refusedArticles(db, 10)).toEqual([])
})

test('all that a shop has refused is tried again, also where the first hundreds are refused still', async () => {
  const db = keptDatabase()
  await makeKeptTables(db)
  const shop = new EndingShop()
  const target = open(db, shop, 'at')
  const products = Array.from({ length: 250 }, (_, i) => product(1_000 + i))
  for (const { id } of products) shop.refuses.add(`product:${id}`)
  await target.apply({ ...batch(products, null, 'p1'), store: 'at' })
  expect(await refusedArticles(db, 1_000)).toHaveLength(250)

  for (const id of [1_050, 1_100, 1_249]) shop.refuses.delete(`product:${id}`)
  await target.bringRefused()
  expect([...shop.has.keys()]).toEqual(['product:1050', 'product:1100', 'product:1249'])
  expect(await refusedArticles(db, 1_000)).toHaveLength(247)
})
