import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { createStore, deleteStore } from '../../src/catalog/settings/stores/stores.ts'
import { createSupplier, deleteSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { openWake } from '../../src/db/wake.ts'
import { demoEan } from '../../src/demo/catalog/ean.ts'
import { pick, prng } from '../../src/demo/catalog/prng.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { startOperations } from '../../src/operations/operations.ts'
import { accountStep } from '../../src/operations/step.ts'
import { operationGet, trackDeletion } from '../../src/operations/operations.sql.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelveIn } from '../../src/shelf/shelve.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import {
  createAccount,
  giveOffers,
  offer,
  type TestAccount,
  productIdsOf,
  type Said,
  expectAudited,
} from '../harness/account.ts'
import { hold, openNamed, seedFor, until } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// Nothing is left of a store or a supplier after its deletion, despite concurrent writers.

const PRODUCTS = 60
const { deletedRowsPerStep } = LIMITS
const { database, bench } = worldOfFile({ connectionsMax: 20 })
beforeAll(async () => {
  Object.assign(LIMITS, { deletedRowsPerStep: 28 })
})
afterAll(async () => {
  Object.assign(LIMITS, { deletedRowsPerStep })
})

const write = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work)
const removeStore = (accountId: number, storeId: number) =>
  write(async (tx) => {
    await deleteStore(tx, accountId, storeId)
    return trackDeletion(tx, accountId, 'delete_store', storeId)
  })
const removeSupplier = (accountId: number, supplierId: number) =>
  write(async (tx) => {
    await deleteSupplier(tx, accountId, supplierId)
    return trackDeletion(tx, accountId, 'delete_supplier', supplierId)
  })

async function stocked(name: string): Promise<TestAccount & { ids: number[] }> {
  const account = await createAccount(bench, name)
  const { accountId, storeIds } = account
  const articles = Array.from({ length: PRODUCTS }, (_, i) => i)
  const ids = await giveOffers(
    bench,
    account,
    articles.map((i) => offer(`N${i}`, { eans: [demoEan(i)] })),
  )
  await giveOffers(
    bench,
    account,
    articles.map((i) => offer(`S${i}`, { eans: [demoEan(i)], cost: '8' })),
    1,
  )
  await bench.shelf.write(accountId, async (tx) => {
    for (const storeId of storeIds) {
      await setListing(tx, accountId, storeId, ids.slice(0, 5), true)
      await excludeProducts(tx, accountId, storeId, ids.slice(3, 8))
    }
    return { productIds: [] }
  })
  await bench.shelf.drain(accountId)
  await database.db`
    insert into price_hold (account_id, product_id, store_id, group_id, currency, shown_cost, shown_price, shown_rule_id,
      wanted_cost, wanted_price, wanted_rule_id)
    select ${accountId}, ${ids[0]!}, store_id, 999, 'EUR', 1, 1, 1, 1, 1, 1
    from unnest(${storeIds}::bigint[]) as given (store_id)`
  return { ...account, ids }
}

/** Rows by table that name the store or the supplier; of the catalog's settings only its own row may. */
async function leftOf(
  accountId: number,
  column: 'store_id' | 'supplier_id',
  id: number,
): Promise<Record<string, number>> {
  const tables = await database.db<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = ${column}`
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    if (name === 'store' || name === 'supplier') continue
    const [row] = await database.db<{ count: number }[]>`
      select count(*)::int as count from ${database.db(name)} where account_id = ${accountId} and ${database.db(column)} = ${id}`
    if ((row?.count ?? 0) > 0) found[name] = row?.count ?? 0
  }
  return found
}

async function finish(accountId: number, operationId: number): Promise<void> {
  for (;;) {
    const { isProductive } = await accountStep(database.db, silentLog, accountId, new Map())
    await bench.shelf.drain(accountId)
    if (!isProductive && (await operationGet(database.db, accountId, operationId))?.endedAt !== null) break
  }
  expect(await operationGet(database.db, accountId, operationId)).toMatchObject({ state: 'succeeded' })
  await expectAudited(database.db, accountId)
}

test('a store is deleted with all rows that name it, in bounded steps, and the other stores do not change', async () => {
  const {
    accountId,
    storeIds: [main, german],
  } = await stocked('store')
  expect(Object.keys(await leftOf(accountId, 'store_id', german)).length).toBeGreaterThan(5)
  const before = [
    ...(await database.db`select xmin::text, ctid::text from payload_price where account_id = ${accountId} and store_id = ${main} order by product_id`),
  ]
  const operationId = await removeStore(accountId, german)
  await accountStep(database.db, silentLog, accountId, new Map())
  const [half] = await database.db<
    { count: number }[]
  >`select count(*)::int as count from payload_price where account_id = ${accountId} and store_id = ${german}`
  expect(half!.count).toBe(PRODUCTS - 7)
  // the audit also finds no difference in the middle of the deletion
  expect(await auditAccount(database.db, accountId)).toMatchObject({ differences: [], differencesTotal: 0 })
  await finish(accountId, operationId)
  expect(await leftOf(accountId, 'store_id', german)).toEqual({})
  expect(await operationGet(database.db, accountId, operationId)).toMatchObject({ done: PRODUCTS })
  expect([
    ...(await database.db`select xmin::text, ctid::text from payload_price where account_id = ${accountId} and store_id = ${main} order by product_id`),
  ]).toEqual(before)
})

test('a supplier is deleted with its offers, content and EANs, and prices follow', async () => {
  const {
    accountId,
    storeIds: [main],
    suppliers: [north, south],
  } = await stocked('supplier')
  const costs = () => database.db<{ cost: number }[]>`
    select distinct (('{' || body || '}')::json -> 'prices' -> 0 ->> 'base_cost')::float as cost from payload_price where account_id = ${accountId} and store_id = ${main}`
  expect([...(await costs())]).toEqual([{ cost: 2 }])
  await finish(accountId, await removeSupplier(accountId, south!.supplierId))
  expect(await leftOf(accountId, 'supplier_id', south!.supplierId)).toEqual({})
  expect([...(await costs())]).toEqual([{ cost: 10 }])
  const [kept] =
    await database.db`select count(*)::int as count from offer_content where account_id = ${accountId} and supplier_id = ${north!.supplierId}`
  expect(kept).toEqual({ count: PRODUCTS })
})

test('a batch that knew the store when it was deleted, and commits after it, leaves nothing of it behind', async () => {
  const {
    accountId,
    storeIds: [, german],
    ids,
  } = await stocked('late')
  await using a = openNamed(database)
  const accounts = openCompiledAccounts()
  await database.db`delete from payload_price where account_id = ${accountId} and store_id = ${german}`
  await database.db`delete from payload_content where account_id = ${accountId} and store_id = ${german}`
  await database.db`delete from payload_block where account_id = ${accountId} and store_id = ${german}`
  // this transaction has written payloads of the store again, and commits after the deletion
  const late = await hold(database.db, (tx) => shelveIn(tx, accounts, accountId, ids.slice(0, 3), {}))
  const operationId = await removeStore(accountId, german)
  const stepping = accountStep(a.db, silentLog, accountId, new Map())
  expect(await a.fate(stepping)).toBe('blocked')
  await late.commit()
  await stepping
  await finish(accountId, operationId)
  expect(await leftOf(accountId, 'store_id', german)).toEqual({})
})

test('whoever writes an offer when its supplier is deleted is waited for; whoever comes later is refused', async () => {
  const {
    accountId,
    suppliers: [, south],
  } = await stocked('writers')
  await using a = openNamed(database)
  const record = [offer('LATE', { cost: '1' })]
  await using writing = await hold(database.db, (tx) => writeOffers(tx, accountId, south!, record))
  const deleting = inTransaction(a.db, async (tx) => {
    await deleteSupplier(tx, accountId, south!.supplierId)
    return trackDeletion(tx, accountId, 'delete_supplier', south!.supplierId)
  })
  expect(await a.fate(deleting)).toBe('blocked')
  await writing.commit()
  const operationId = await deleting
  await expect(write((tx) => writeOffers(tx, accountId, south!, record))).rejects.toMatchObject({
    code: 'unknown-supplier',
  })
  await finish(accountId, operationId)
  expect(await leftOf(accountId, 'supplier_id', south!.supplierId)).toEqual({})
})

test(
  'stores and suppliers deleted while everybody writes and shelves leave nothing behind',
  { timeout: 90_000 },
  async () => {
    const seed = seedFor('deletions')
    const { accountId, storeIds, suppliers, ids } = await stocked('storm')
    const extra = await write(async (tx) => {
      const storeId = (await createStore(tx, accountId, { slug: 'fr', name: 'France', locale: 'fr', currency: 'EUR' }))
        .value
      const supplierId = (
        await createSupplier(tx, accountId, {
          code: 'west',
          name: 'West',
          currency: 'EUR',
          priority: 3,
        })
      ).value
      return { storeId, supplierId }
    })
    const west = { supplierId: extra.supplierId, currency: 'EUR' }
    const doomed = { stores: [storeIds[1], extra.storeId], suppliers: [suppliers[1]!.supplierId, extra.supplierId] }
    const operationIds: number[] = []
    const unexpected: unknown[] = []
    {
      const db = openDb({ url: database.url, connectionsMax: 6 })
      const wake = openWake(db, silentLog)
      await wake.start()
      const shelf = new Shelf(db, wake, silentLog)
      const loops = [
        shelf.startWorker('a'),
        shelf.startWorker('b'),
        startOperations(db, wake, silentLog),
        startOperations(database.db, bench.wake, silentLog),
      ]
      const end = performance.now() + 3_000
      const writing = [0, 1, 2, 3].map(async (writer) => {
        const random = prng(seed + writer)
        while (performance.now() < end) {
          const some = ids.filter(() => random() < 0.2)
          const works: ((tx: Tx) => Promise<Said>)[] = [
            async (tx) =>
              (
                await writeOffers(
                  tx,
                  accountId,
                  pick([...suppliers, west], random),
                  some.map((id) =>
                    offer(`X${id}`, { cost: `${1 + Math.floor(random() * 50)}`, eans: [demoEan(ids.indexOf(id))] }),
                  ),
                )
              ).productIds,
            (tx) =>
              setOwnStock(
                tx,
                accountId,
                some.map((productId) => ({ productId, quantity: Math.floor(random() * 9), cost: null })),
              ),
            (tx) => setListing(tx, accountId, pick([...storeIds, extra.storeId], random), some, random() < 0.7),
            (tx) => excludeProducts(tx, accountId, pick([...storeIds, extra.storeId], random), some),
            (tx) => sweepAppend(tx, accountId, 'storm'),
          ]
          await bench.shelf
            .write(accountId, async (tx) => ({ productIds: productIdsOf(await pick(works, random)(tx)) }))
            .catch((error: unknown) => {
              // writes to the deleted store or supplier are refused
              const code = (error as { code?: string }).code ?? ''
              if (!['unknown-reference', 'unknown-supplier', 'unknown-store', 'invalid-input'].includes(code))
                unexpected.push(error)
            })
          await sleep(random() * 4)
        }
      })
      for (const [i, remove] of [
        () => removeStore(accountId, doomed.stores[0]!),
        () => removeSupplier(accountId, doomed.suppliers[0]!),
        () => removeStore(accountId, doomed.stores[1]!),
        () => removeSupplier(accountId, doomed.suppliers[1]!),
      ].entries()) {
        await sleep(400 + i)
        operationIds.push(await remove())
        wake.notify('operation', accountId)
      }
      await Promise.all(writing)
      for (const id of operationIds)
        await until(
          'the deletion has succeeded',
          async () => (await operationGet(database.db, accountId, id))?.state === 'succeeded',
          20_000,
        )
      await Promise.all(loops.map((loop) => loop.stop()))
      await wake.stop()
      await db.end({ timeout: 5 })
    }
    expect(unexpected, `SEED=${seed}`).toEqual([])
    await bench.shelf.drain(accountId)
    for (const id of doomed.stores) expect(await leftOf(accountId, 'store_id', id), `SEED=${seed}`).toEqual({})
    for (const id of doomed.suppliers) expect(await leftOf(accountId, 'supplier_id', id), `SEED=${seed}`).toEqual({})
    await expectAudited(database.db, accountId, `SEED=${seed}`)
  },
)
