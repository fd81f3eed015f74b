import { expect } from 'vitest'
import { createSupplier, type NewSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { createGroup } from '../../src/catalog/settings/stores/groups.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { createStore } from '../../src/catalog/settings/stores/stores.ts'
import type { Written } from '../../src/catalog/stale/written.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction, type Db, type Tx } from '../../src/db/sql.ts'
import { openWake, type Wake } from '../../src/db/wake.ts'
import { silentLog } from '../../src/platform/log.ts'
import type { OfferRecord } from '../../src/model/offer.ts'
import { openAccount } from '../../src/shelf/account.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { Shelf } from '../../src/shelf/shelf.ts'

/** The objects that most tests against a database work with. */
export interface Bench {
  db: Db
  wake: Wake
  shelf: Shelf
}

/** Opens the rooms on a test database, without background loops: tests call `shelf.drain` when products should be shelved. */
export function openBench(db: Db): Bench {
  const wake = openWake(db, silentLog)
  return { db, wake, shelf: new Shelf(db, wake, silentLog) }
}

export interface TestAccount {
  accountId: number
  /** en/EUR (default), de/EUR, pl/PLN. */
  storeIds: [number, number, number]
  groupId: number
  suppliers: { supplierId: number; currency: string }[]
}

/** Creates an account with three stores, two groups, rates for PLN (4) and USD (1.25), and two suppliers (EUR, PLN). */
export async function createAccount(bench: Bench, name = 'acme'): Promise<TestAccount> {
  const { db } = bench
  const opened = await inTransaction(db, async (tx) => {
    const { accountId, storeId } = await openAccount(tx, {
      name,
      currency: 'EUR',
      locale: 'en',
      store: { slug: 'main', name: 'Main', locale: 'en', currency: 'EUR' },
      // without the jump guard, so that tests can change prices freely; tests of the guard set the factor
      priceJumpFactor: null,
    })
    const german = (await createStore(tx, accountId, { slug: 'de', name: 'Deutsch', locale: 'de', currency: 'EUR' }))
      .value
    const polish = (await createStore(tx, accountId, { slug: 'pl', name: 'Polski', locale: 'pl-PL', currency: 'PLN' }))
      .value
    const groupId = (await createGroup(tx, accountId, 'Wholesale')).value
    await setRates(tx, accountId, [
      { currency: 'PLN', rate: '4' },
      { currency: 'USD', rate: '1.25' },
    ])
    const suppliers = []
    for (const supplier of [
      { code: 'north', name: 'North', currency: 'EUR', priority: 1 },
      { code: 'south', name: 'South', currency: 'PLN', priority: 2 },
    ] satisfies NewSupplier[]) {
      suppliers.push({ supplierId: (await createSupplier(tx, accountId, supplier)).value, currency: supplier.currency })
    }
    return { accountId, storeIds: [storeId, german, polish] as [number, number, number], groupId, suppliers }
  })
  await bench.shelf.drain(opened.accountId)
  return opened
}

/** Writes offers of one of the account's suppliers as an import does, and shelves them. @returns the product ids */
export async function giveOffers(
  bench: Bench,
  account: TestAccount,
  offers: readonly OfferRecord[],
  supplier = 0,
): Promise<number[]> {
  const from = account.suppliers[supplier]
  if (from === undefined) throw new Error('no such supplier')
  const written = await bench.shelf.write(account.accountId, (tx) => writeOffers(tx, account.accountId, from, offers))
  await bench.shelf.drain(account.accountId)
  return [...written.productIds]
}

/** A typical offer; `over` replaces fields. */
export function offer(sku: string, over: Partial<OfferRecord> = {}): OfferRecord {
  return {
    sku,
    cost: '10.00',
    quantity: 5,
    texts: { en: { title: `Article ${sku}`, description: `<p>About ${sku}</p>` } },
    manufacturer: 'Acme',
    category: 'Tools/Hand tools',
    attributes: [{ key: 'color', value: 'red' }],
    images: [`https://images.example.com/${sku}.jpg`],
    ...over,
  }
}

/** The result of a write in a test: that of the room's function, product ids, or nothing. */
export type Said = Written<unknown> | readonly number[] | void

/** The products that a write changed. */
export function productIdsOf(said: Said): readonly number[] {
  if (said === undefined) return []
  return 'productIds' in said ? said.productIds : said
}

/** Writes settings or rules, and shelves the products that they affect. @returns the result of `work` */
export async function writeAndShelve<T>(bench: Bench, accountId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { result } = await bench.shelf.write(accountId, async (tx) => ({ result: await work(tx), productIds: [] }))
  await bench.shelf.drain(accountId)
  return result
}

/** Expects that every payload of an account equals what its inputs resolve to, and that nothing waits to be shelved. */
export async function expectAudited(db: Db, accountId: number, message?: string): Promise<void> {
  const audit = await auditAccount(db, accountId)
  expect(audit, message).toMatchObject({ isStale: false, differences: [], differencesTotal: 0 })
}
