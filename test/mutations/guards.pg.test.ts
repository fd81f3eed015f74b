import { expect, test } from 'vitest'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { deleteProducts, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setPrimaryEan } from '../harness/product-edits.ts'
import { editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import {
  deleteAttributeDefinition,
  setAttributeDefinitions,
} from '../../src/catalog/settings/content/attribute-definitions.ts'
import { createStore, editStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { demoEan } from '../../src/demo/catalog/ean.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelveBatch, shelveWritten } from '../../src/shelf/shelve.ts'
import { sweepStep } from '../../src/shelf/sweep.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

const accounts = openCompiledAccounts()

// Each protection of a change, by the interleaving that breaks without it. test/mutations.full.pg.test.ts takes the protections
// away one by one and expects the test of the same subject to fail.

const { database, bench } = worldOfFile()

const stockOf = (productId: number, quantity: number) => [{ productId, quantity, cost: null }]

/** T1 alone: the inputs and their marks, nothing shelved. */
const write = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work)

/** Shelves the remaining products and expects every payload to match its inputs. */
async function expectRest(accountId: number): Promise<void> {
  await bench.shelf.drain(accountId)
  const audit = await auditAccount(database.db, accountId)
  expect(audit).toMatchObject({ isStale: false, differences: [], differencesTotal: 0 })
}

async function oneProduct(): Promise<TestAccount & { productId: number }> {
  const account = await createAccount(bench)
  const [productId = 0] = await giveOffers(bench, account, [offer('P', { eans: [demoEan(1)] })])
  return { ...account, productId }
}

test('what is written while a batch is reading its inputs is shelved after it', async () => {
  const { accountId, productId } = await oneProduct()
  await write((tx) => setOwnStock(tx, accountId, stockOf(productId, 7)))
  await using a = openNamed(database)
  // the batch has read the stock and waits at the listings, the last of its inputs
  await using obstacle = await hold(database.db, (tx) => tx`lock table product_listing in access exclusive mode`)
  const shelving = shelveBatch(a.db, accounts, accountId, [productId])
  expect(await a.fate(shelving)).toBe('blocked')
  await write((tx) => setOwnStock(tx, accountId, stockOf(productId, 8)))
  await obstacle.commit()
  await shelving
  await expectRest(accountId)
})

test.for(['price', 'whole'] as const)(
  'what is written while a product that was just written is read (%s) is shelved after it',
  async (written) => {
    const half = written === 'price' ? 'price' : null
    const { accountId, productId } = await oneProduct()
    await write((tx) => setOwnStock(tx, accountId, stockOf(productId, 7)))
    await using a = openNamed(database)
    await using obstacle = await hold(database.db, (tx) => tx`lock table product_listing in access exclusive mode`)
    const shelving = shelveWritten(a.db, accounts, accountId, [productId], half)
    expect(await a.fate(shelving)).toBe('blocked')
    await write((tx) => setOwnStock(tx, accountId, stockOf(productId, 8)))
    await obstacle.commit()
    expect(await shelving).toMatchObject({ products: 1 })
    await expectRest(accountId)
  },
)

test.for(['price', 'whole'] as const)(
  'a product that was just written (%s) is compared with what is stored in stores that are new since the account was known',
  async (written) => {
    const half = written === 'price' ? 'price' : null
    const { accountId, productId } = await oneProduct()
    await shelveWritten(database.db, accounts, accountId, [productId], half)
    await write((tx) => createStore(tx, accountId, { slug: 'fr', name: 'France', locale: 'fr', currency: 'EUR' }))
    await bench.shelf.drain(accountId)
    if (half === 'price') await write((tx) => setOwnStock(tx, accountId, stockOf(productId, 7)))
    const { changes } = await shelveWritten(database.db, accounts, accountId, [productId], half)
    expect(changes).toBe(half === 'price' ? 4 : 0)
    await expectRest(accountId)
  },
)

test('the batch of a product that read its inputs later writes later', async () => {
  const { accountId, productId } = await oneProduct()
  await write((tx) =>
    setAttributeDefinitions(tx, accountId, [{ key: 'color', unit: null, position: 1, labels: { en: 'Colour' } }]),
  )
  await using a = openNamed(database)
  await using b = openNamed(database)
  // the first has resolved with the label and waits before it writes; meanwhile the label is reset
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from payload_content where account_id = ${accountId} for update`,
  )
  const first = shelveBatch(a.db, accounts, accountId, [productId])
  expect(await a.fate(first)).toBe('blocked')
  await write((tx) => deleteAttributeDefinition(tx, accountId, 'color'))
  const second = sweepStep(b.db, accounts, accountId)
  await b.fate(second)
  await obstacle.commit()
  expect([await first, await second]).toMatchObject([{ products: 1 }, { products: 1 }])
  await expectRest(accountId)
})

test('a write that was not committed when its product was shelved for an earlier mark keeps a mark', async () => {
  const { accountId, productId } = await oneProduct()
  await write((tx) => setOwnStock(tx, accountId, stockOf(productId, 7)))
  await using late = await hold(database.db, (tx) => setOwnStock(tx, accountId, stockOf(productId, 8)))
  await shelveBatch(database.db, accounts, accountId, [productId])
  await late.commit()
  await expectRest(accountId)
})

test('a sweep of one store leaves the marks of what it shelved for the other stores', async () => {
  const { accountId, productId, storeIds } = await oneProduct()
  await write((tx) => setOwnStock(tx, accountId, stockOf(productId, 7)))
  await write((tx) => editStore(tx, accountId, storeIds[1], { name: 'Anders' }))
  expect(await sweepStep(database.db, accounts, accountId)).toMatchObject({ products: 1, changes: 1 })
  await expectRest(accountId)
})

test('shelving again with nothing changed writes no row', async () => {
  const { accountId } = await createAccount(bench).then(async (account) => {
    await giveOffers(bench, account, [offer('P'), offer('Q')])
    return account
  })
  const rows = () => database.db`
    select 'content' as what, xmin::text, ctid::text from payload_content where account_id = ${accountId}
    union all select 'price', xmin::text, ctid::text from payload_price where account_id = ${accountId}
    union all select 'block', xmin::text, ctid::text from payload_block where account_id = ${accountId}
    union all select 'change', xmin::text, ctid::text from change where account_id = ${accountId}
    union all select 'counter', xmin::text, ctid::text from change_counter where account_id = ${accountId}
    order by 1, 3`
  const before = [...(await rows())]
  const ids = await database.db<{ id: number }[]>`select product_id as id from product where account_id = ${accountId}`
  expect(
    await shelveBatch(
      database.db,
      accounts,
      accountId,
      ids.map((row) => row.id),
    ),
  ).toMatchObject({ products: 2, changes: 0 })
  expect([...(await rows())]).toEqual(before)
})

test('a payload is not committed before its change: a batch that dies at the counter leaves the old payload and its mark', async () => {
  const { accountId, productId } = await oneProduct()
  const prices = () => database.db`
    select store_id, body from payload_price where account_id = ${accountId} and product_id = ${productId} order by store_id`
  const before = [...(await prices())]
  await write((tx) => setOwnStock(tx, accountId, stockOf(productId, 7)))
  await using a = openNamed(database)
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from change_counter where account_id = ${accountId} for update`,
  )
  const shelving = shelveBatch(a.db, accounts, accountId, [productId])
  shelving.catch(() => {})
  expect(await a.fate(shelving)).toBe('blocked')
  expect([...(await prices())]).toEqual(before)
  await a.cancel()
  await expect(shelving).rejects.toThrow()
  await obstacle.rollback()
  expect([...(await prices())]).toEqual(before)
  await expectRest(accountId)
  expect([...(await prices())]).not.toEqual(before)
})

test('two suppliers that bring one new EAN at once make one product of it', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  const [north, south] = [suppliers[0]!, suppliers[1]!]
  await using b = openNamed(database)
  await using first = await hold(database.db, (tx) =>
    writeOffers(tx, accountId, north, [offer('N', { eans: [demoEan(9)] })]),
  )
  const second = inTransaction(b.db, (tx) => writeOffers(tx, accountId, south, [offer('S', { eans: [demoEan(9)] })]))
  expect(await b.fate(second)).toBe('blocked')
  await first.commit()
  expect((await second).productIds).toEqual(first.value.productIds)
  await expectRest(accountId)
})

test.each(['delete', 'offer'] as const)(
  'a new offer never lands on a product that is deleted at the same time (%s first)',
  async (who) => {
    const { accountId, productId, suppliers } = await oneProduct()
    const [, south] = suppliers
    const remove = (tx: Tx): Promise<unknown> => deleteProducts(tx, accountId, [productId])
    const add = async (tx: Tx): Promise<unknown> =>
      (await writeOffers(tx, accountId, south!, [offer('S', { eans: [demoEan(1)] })])).productIds
    await using b = openNamed(database)
    await using first = await hold(database.db, who === 'delete' ? remove : add)
    const second = inTransaction(b.db, who === 'delete' ? add : remove)
    await b.fate(second)
    await first.commit()
    await second
    const lost = await database.db`
    select supplier_sku from offer o join product p using (account_id, product_id)
    where account_id = ${accountId} and p.deleted_at is not null`
    expect([...lost]).toEqual([])
    await expectRest(accountId)
  },
)

test('an offer that gets another EAN while its product is deleted leaves nothing on the deleted product', async () => {
  const { accountId, productId, suppliers } = await oneProduct()
  const [north] = suppliers
  await using b = openNamed(database)
  await using first = await hold(database.db, (tx) =>
    writeOffers(tx, accountId, north!, [offer('P', { eans: [demoEan(2)] })]),
  )
  const second = inTransaction(b.db, (tx) => deleteProducts(tx, accountId, [productId]))
  await b.fate(second)
  await first.commit()
  await second
  await expectRest(accountId)
  // the article returns as a product that can be read
  const [fresh] = await giveOffers(bench, { accountId, suppliers, storeIds: [0, 0, 0], groupId: 0 }, [
    offer('P', { eans: [demoEan(2)] }),
  ])
  expect(fresh).not.toBe(productId)
  expect(await auditAccount(database.db, accountId)).toMatchObject({ payloads: 3, differencesTotal: 0 })
})

/** Writers with different locks: many products under the shared lock, one product under an edit's exclusive lock. */
const SAY = {
  'what the owner says': (tx: Tx, accountId: number, productId: number) =>
    excludeProducts(tx, accountId, null, [productId], 'Said meanwhile'),
  'what the owner edits': (tx: Tx, accountId: number, productId: number) =>
    setPrimaryEan(tx, accountId, productId, demoEan(3)),
}

test.each([
  ['what the owner says', 'delete'],
  ['what the owner says', 'write'],
  ['what the owner edits', 'delete'],
  ['what the owner edits', 'write'],
] as const)('%s of a product that is deleted meanwhile goes with it or is refused (%s first)', async (what, who) => {
  const { accountId, productId } = await oneProduct()
  const remove = (tx: Tx): Promise<unknown> => deleteProducts(tx, accountId, [productId])
  const say = (tx: Tx): Promise<unknown> => SAY[what](tx, accountId, productId)
  await using b = openNamed(database)
  await using first = await hold(database.db, who === 'delete' ? remove : say)
  const second = inTransaction(b.db, who === 'delete' ? say : remove)
  expect(await b.fate(second)).toBe('blocked')
  await first.commit()
  const outcome = await second.then(
    () => 'done',
    (error: unknown) => String(error),
  )
  expect(outcome).toMatch(who === 'delete' ? /no product/ : /^done$/)
  await expectRest(accountId)
})

test('what all products share is read again once it was written', async () => {
  const { accountId, productId } = await oneProduct()
  await shelveBatch(database.db, accounts, accountId, [productId])
  const [rule] = await database.db<
    { id: number }[]
  >`select rule_id as id from pricing_rule where account_id = ${accountId} and is_default`
  await write((tx) => editRule(tx, accountId, rule!.id, { percent: '50' }))
  // the same cache throughout, because another one might not have loaded the account before
  expect(await sweepStep(database.db, accounts, accountId)).toMatchObject({ products: 1, changes: 3 })
  await expectRest(accountId)
})

test('a sweep of prices leaves the marks of what it shelved for the content', async () => {
  const { accountId, productId } = await oneProduct()
  await write((tx) => setOverrides(tx, accountId, [{ productId, field: 'title', locale: 'en', value: 'Marked' }]))
  const [rule] = await database.db<
    { id: number }[]
  >`select rule_id as id from pricing_rule where account_id = ${accountId} and is_default`
  await write((tx) => editRule(tx, accountId, rule!.id, { percent: '60' }))
  expect(await sweepStep(database.db, accounts, accountId)).toMatchObject({ products: 1, changes: 3 })
  expect(await database.db`select product_id from mark where account_id = ${accountId}`).toHaveLength(1)
  await expectRest(accountId)
})
