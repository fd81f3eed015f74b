import { expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { imagesLockForRemoval, imagesUnnamed, imagesDelete } from '../../src/images/mirror/records.sql.ts'
import { urlHashOf } from '../../src/images/register/url-hash.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelveBatch, shelveIn } from '../../src/shelf/shelve.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { leaseAs, pictureOf, recordAs, shownOf, turnMirrorOn } from '../harness/images.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// Concurrent work of the mirror and the shelver on one picture: in any order, the product ends with the picture's last state.

const accounts = openCompiledAccounts()
const URL = 'https://images.example.com/shared.jpg'

const { database, bench } = worldOfFile()

/** An account in which product P names the picture, and Q names none. */
async function twoProducts(): Promise<TestAccount & { p: number; q: number }> {
  const account = await createAccount(bench)
  await turnMirrorOn(database.db, account.accountId)
  const [p = 0] = await giveOffers(bench, account, [offer('P', { images: [URL] })])
  const [q = 0] = await giveOffers(bench, account, [offer('Q', { images: [] })])
  return { ...account, p, q }
}

const nameIt = (account: TestAccount) =>
  inTransaction(database.db, (tx) =>
    writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'Q', images: [URL] }]),
  )

async function imagesOf(accountId: number, productId: number): Promise<string[]> {
  const rows = await database.db<{ body: string }[]>`
    select body from payload_content where account_id = ${accountId} and product_id = ${productId} order by store_id`
  const lists = rows.map(({ body }) => (JSON.parse(`{${body}}`) as { images: string[] }).images)
  expect(new Set(lists.map((list) => list.join())).size).toBe(1)
  return lists[0] ?? []
}

async function expectRest(account: TestAccount, productIds: readonly number[], images: readonly string[]) {
  await bench.shelf.drain(account.accountId)
  for (const productId of productIds) expect(await imagesOf(account.accountId, productId)).toEqual(images)
  await expectAudited(database.db, account.accountId)
}

test('a product that begins to name a picture while the mirror records it waits for the new state', async () => {
  const account = await twoProducts()
  await nameIt(account)
  await using a = openNamed(database)
  // the picture is recorded and its products are marked, but not committed
  await using mirror = await hold(database.db, (tx) => recordAs(tx, account.accountId, URL, pictureOf('one')))
  const shelving = shelveBatch(a.db, accounts, account.accountId, [account.q])
  expect(await a.fate(shelving)).toBe('blocked')
  await mirror.commit()
  await shelving
  await expectRest(account, [account.p, account.q], [shownOf('one')])
})

test('a product that has begun to name a picture is marked by the mirror, which waits for it', async () => {
  const account = await twoProducts()
  await nameIt(account)
  await using a = openNamed(database)
  await using b = openNamed(database)
  const leaseId = await leaseAs(database.db, account.accountId, URL)
  // the batch has registered and read the old state, and stops before it writes the payload
  await using obstacle = await hold(
    database.db,
    (tx) =>
      tx`select from payload_content where account_id = ${account.accountId} and product_id = ${account.q} for update`,
  )
  const shelving = shelveBatch(a.db, accounts, account.accountId, [account.q])
  expect(await a.fate(shelving)).toBe('blocked')
  const recording = inTransaction(b.db, (tx) => recordAs(tx, account.accountId, URL, pictureOf('one'), leaseId))
  await b.fate(recording)
  await obstacle.commit()
  await Promise.all([shelving, recording])
  await expectRest(account, [account.p, account.q], [shownOf('one')])
})

test('a change of state that is committed while a batch has read the old one leaves a mark', async () => {
  const account = await twoProducts()
  await using a = openNamed(database)
  await using obstacle = await hold(
    database.db,
    (tx) =>
      tx`select from payload_content where account_id = ${account.accountId} and product_id = ${account.p} for update`,
  )
  await inTransaction(database.db, (tx) =>
    writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'P', texts: { en: { title: 'Other' } } }]),
  )
  const shelving = shelveBatch(a.db, accounts, account.accountId, [account.p])
  expect(await a.fate(shelving)).toBe('blocked')
  await inTransaction(database.db, (tx) => recordAs(tx, account.accountId, URL, { kind: 'gone', reason: 'gone' }))
  await obstacle.commit()
  await shelving
  await expectRest(account, [account.p], [])
})

test('a picture that is deleted because nothing names it is inserted again by whoever begins to name it', async () => {
  const account = await twoProducts()
  const { accountId } = account
  await inTransaction(database.db, (tx) => recordAs(tx, accountId, URL, pictureOf('one')))
  await bench.shelf.write(accountId, (tx) =>
    writeOffers(tx, accountId, account.suppliers[0]!, [{ sku: 'P', images: [] }]),
  )
  await nameIt(account)
  await using a = openNamed(database)
  const leaseId = await leaseAs(database.db, accountId, URL)
  const remove = async (tx: Tx) => {
    await imagesLockForRemoval(tx, accountId, [urlHashOf(URL)], leaseId)
    const unnamed = await imagesUnnamed(tx, accountId, [urlHashOf(URL)])
    await imagesDelete(tx, accountId, unnamed)
    return unnamed.length
  }
  await using removing = await hold(database.db, remove)
  expect(removing.value).toBe(1)
  const shelving = shelveBatch(a.db, accounts, accountId, [account.q])
  expect(await a.fate(shelving)).toBe('blocked')
  await removing.commit()
  await shelving
  await expectRest(account, [account.q], [URL])
  const rows = await database.db`select state from image where account_id = ${accountId}`
  expect([...rows]).toEqual([{ state: 'pending' }])
})

test('a picture that a batch has just begun to name is not deleted', async () => {
  const account = await twoProducts()
  const { accountId } = account
  await bench.shelf.write(accountId, (tx) =>
    writeOffers(tx, accountId, account.suppliers[0]!, [{ sku: 'P', images: [] }]),
  )
  await nameIt(account)
  const leaseId = await leaseAs(database.db, accountId, URL)
  await using a = openNamed(database)
  await using b = openNamed(database)
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from payload_content where account_id = ${accountId} and product_id = ${account.q} for update`,
  )
  const shelving = shelveBatch(a.db, accounts, accountId, [account.q])
  expect(await a.fate(shelving)).toBe('blocked')
  const removing = inTransaction(b.db, async (tx) => {
    await imagesLockForRemoval(tx, accountId, [urlHashOf(URL)], leaseId)
    const unnamed = await imagesUnnamed(tx, accountId, [urlHashOf(URL)])
    await imagesDelete(tx, accountId, unnamed)
    return unnamed
  })
  // a failure is checked below
  removing.catch(() => {})
  await b.fate(removing)
  await obstacle.commit()
  await shelving
  expect(await removing.catch(String)).toEqual([])
  await expectRest(account, [account.q], [URL])
})

test('two batches that register the same new pictures in opposite orders do not deadlock', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  await turnMirrorOn(database.db, accountId)
  // products are resolved in slices of 100: the first batch reaches the pictures X before Y, the second Y before X
  const offers = Array.from({ length: 400 }, (_, i) => {
    const set = [0, 3].includes(Math.floor(i / 100)) ? 'x' : 'y'
    return offer(`D${String(i).padStart(4, '0')}`, { images: [`https://images.example.com/${set}-${i % 10}.jpg`] })
  })
  const { productIds } = await inTransaction(database.db, (tx) =>
    writeOffers(tx, accountId, account.suppliers[0]!, offers),
  )
  const shelve = (ids: readonly number[]) =>
    // without retries, so that a deadlock fails the test
    inTransaction(database.db, (tx) => shelveIn(tx, accounts, accountId, ids, {}), 0)
  const ended = await Promise.allSettled([shelve(productIds.slice(0, 200)), shelve(productIds.slice(200))])
  expect(ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([])
  await bench.shelf.drain(accountId)
  const rows = await database.db<{ images: number; named: number }[]>`
    select (select count(*)::int from image where account_id = ${accountId}) as images,
      (select count(*)::int from product_image where account_id = ${accountId}) as named`
  expect([...rows]).toEqual([{ images: 20, named: 400 }])
})
