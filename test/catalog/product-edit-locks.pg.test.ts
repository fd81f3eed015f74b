import { expect, test } from 'vitest'
import { productSources } from '../../src/catalog/products/product-resource.sql.ts'
import { deleteProducts } from '../../src/catalog/products/products.ts'
import { setPrimaryEan } from '../harness/product-edits.ts'
import { productLock } from '../../src/catalog/products/products.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { refusal } from '../harness/refusal.ts'
import { bench, clean, database, edit, sourcesOf, setUp } from './editing.ts'

setUp()

// Concurrent edits of one product: which one waits for which.

test('the lock of a product makes only its next edit wait; a product that is deleted or another account’s is not locked', async () => {
  const account = await createAccount(bench, 'edits-hold')
  const { accountId } = account
  const [productId = 0, other = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  await using second = openNamed(database)
  await using first = await hold(database.db, async (tx) => {
    expect(await productLock(tx, accountId, productId)).toBe(true)
    return edit(tx, account, productId, { overrides: [{ field: 'title', locale: 'en', value: 'First' }] })
  })
  await inTransaction(second.db, (tx) => edit(tx, account, other, { sku: 'free' }), 0)
  const running = inTransaction(
    second.db,
    async (tx) => {
      await productLock(tx, accountId, productId)
      // after waiting, the second reads what the first has written
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
  const late = inTransaction(second.db, (tx) => productLock(tx, accountId, productId), 0)
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
  expect((await running).productIds).toEqual([productId])
  expect((await sourcesOf(account, productId))?.ean).toBe('4006381333931')
  const choose = async (ean: string | null) =>
    (await inTransaction(database.db, (tx) => setPrimaryEan(tx, accountId, productId, ean))).productIds
  expect(await choose('4006381333931')).toEqual([])
  expect(await refusal(inTransaction(database.db, (tx) => setPrimaryEan(tx, accountId, 999_999, null)))).toMatchObject({
    code: 'unknown-product',
  })
  expect(await choose(null)).toEqual([productId])
  expect((await sourcesOf(account, productId))?.ean).toBeNull()
  await bench.shelf.drain(accountId)
  await clean(account)
})
