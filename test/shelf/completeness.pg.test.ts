import { beforeEach, describe, expect, it, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { deleteStore, editStore } from '../../src/catalog/settings/stores/stores.ts'
import { editSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { advanceAccount } from '../../src/catalog/settings/days.ts'
import type { OfferRecord } from '../../src/model/offer.ts'
import { GAPS } from '../../src/model/gaps.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { gapsAfter } from '../../src/shelf/findings/completeness.sql.ts'
import { openKnownTerms } from '../../src/shelf/search/search-terms.ts'
import { NO_SEARCH_WRITES } from '../../src/shelf/search/search-index.ts'
import { batchWrites, openWritten } from '../../src/shelf/payloads/write-payloads.ts'
import { findCompleteness } from '../../src/shelf/findings/completeness.ts'
import { createAccount, type TestAccount, expectAudited } from '../harness/account.ts'
import { setListing } from '../harness/product-edits.ts'
import { worldOfFile } from '../harness/world.ts'

// The gaps of products are stored and counted with their payloads.

const { database, bench } = worldOfFile()
let account: TestAccount
beforeEach(async () => {
  account = await createAccount(bench)
})

const WHOLE: Omit<OfferRecord, 'sku'> = {
  cost: '10',
  quantity: 5,
  category: 'Tools',
  images: ['https://i.example/a.jpg'],
  texts: { en: { title: 'Spade' } },
}

async function offer(records: readonly OfferRecord[], from = 0): Promise<readonly number[]> {
  const { accountId, suppliers } = account
  const written = await inTransaction(database.db, (tx) => writeOffers(tx, accountId, suppliers[from]!, records))
  await bench.shelf.drain(accountId)
  return written.productIds
}

/** The number of products of a store and the count of each gap, as text: `products: gap count`. */
async function lacking(storeId: number): Promise<string> {
  const { stores } = await findCompleteness(database.db, account.accountId)
  const store = stores.find((row) => row.storeId === storeId)
  if (store === undefined) return 'no store'
  for (const { gap, products, productIds } of store.gaps) {
    expect(productIds).toHaveLength(Math.min(products, 20))
    const page = await gapsAfter(database.db, account.accountId, storeId, gap, 0, 20)
    expect(page.map(({ productId }) => productId)).toEqual(productIds)
  }
  const gaps = store.gaps.filter(({ products }) => products > 0)
  return `${store.products}: ${gaps.map(({ gap, products }) => `${gap} ${products}`).join(', ')}`
}

const sound = () => expectAudited(database.db, account.accountId)

test('what products lack is counted per store, and follows every change', async () => {
  const [first] = account.storeIds
  const [whole = 0, bare = 0] = await offer([
    { sku: 'A', ...WHOLE },
    { sku: 'B', quantity: 1 },
    { sku: 'C', ...WHOLE, cost: '0' },
    { sku: 'D', ...WHOLE, category: null, images: [] },
  ])
  expect(await lacking(first)).toBe('4: no_title 1, no_image 2, no_category 2, no_price 1, price_zero 1')
  await sound()
  // a category is not part of the payload: the count changes, the feed does not
  const head = await counterGet(database.db, account.accountId)
  await offer([{ sku: 'D', category: 'Tools' }])
  expect(await counterGet(database.db, account.accountId)).toEqual(head)
  expect(await lacking(first)).toBe('4: no_title 1, no_image 2, no_category 1, no_price 1, price_zero 1')
  // for a cost of 0 and for an unknown cost clients read the same: no price
  for (const cost of [null, '0', null]) {
    await offer([{ sku: 'C', cost }])
    expect(await counterGet(database.db, account.accountId)).toEqual(head)
    expect(await lacking(first)).toBe(
      `4: no_title 1, no_image 2, no_category 1, ${cost === null ? 'no_price 2' : 'no_price 1, price_zero 1'}`,
    )
  }
  await sound()
  await offer([{ sku: 'B', ...WHOLE }])
  expect(await lacking(first)).toBe('4: no_image 1, no_price 1')
  const { accountId } = account
  await bench.shelf.write(accountId, async (tx) => ({
    productIds: (await setOwnStock(tx, accountId, [{ productId: bare, quantity: 1, cost: '0' }])).productIds,
  }))
  expect(await lacking(first)).toBe('4: no_image 1, no_price 1, price_zero 1')
  await bench.shelf.write(accountId, async (tx) => {
    await setListing(tx, accountId, first, [bare], false)
    return { productIds: [whole, bare] }
  })
  expect(await lacking(first)).toBe('3: no_image 1, no_price 1')
  await sound()
})

test('rates and rules change what prices lack, by sweeps over price halves alone', async () => {
  const [first] = account.storeIds
  const { accountId } = account
  await offer([
    { sku: 'A', ...WHOLE, currency: 'CHF' },
    { sku: 'B', ...WHOLE },
  ])
  expect(await lacking(first)).toBe('2: no_price 1')
  await inTransaction(database.db, (tx) => setRates(tx, accountId, [{ currency: 'CHF', rate: '0.93' }]))
  await bench.shelf.drain(accountId)
  expect(await lacking(first)).toBe('2: ')
  const rule = { name: 'Gift', action: 'fixed' as const, fixedPrice: '0', storeIds: [first], priority: 1 }
  const { value: ruleId } = await inTransaction(database.db, (tx) => createRule(tx, accountId, rule))
  await bench.shelf.drain(accountId)
  expect(await lacking(first)).toBe('2: price_zero 2')
  await sound()
  await inTransaction(database.db, (tx) => editRule(tx, accountId, ruleId, { isActive: false }))
  await bench.shelf.drain(accountId)
  expect(await lacking(first)).toBe('2: ')
  await sound()
})

test('payloads of an older release get what they lack, without a change', async () => {
  const { accountId, storeIds } = account
  await offer([{ sku: 'A', quantity: 1 }])
  const before = await lacking(storeIds[0])
  expect(before).toBe('1: no_title 1, no_image 1, no_category 1, no_price 1')
  for (const table of ['payload_content', 'payload_price'] as const)
    await database.db`update ${database.db(table)} set gaps = 0, resolver = ${RESOLVER_VERSION - 1} where account_id = ${accountId}`
  await database.db`
    update payload_block set no_title = 0, no_image = 0, no_category = 0, no_price = 0 where account_id = ${accountId}`
  await database.db`
    update account_inputs set resolver = ${RESOLVER_VERSION - 1}, version = version + 1 where account_id = ${accountId}`
  // nothing is counted as long as processes of the older release may remove payloads
  await bench.shelf.write(accountId, async (tx) => {
    const written = await writeOffers(tx, accountId, account.suppliers[0]!, [{ sku: 'A', manufacturer: 'Acme' }])
    return { productIds: written.productIds }
  })
  await bench.shelf.write(accountId, async (tx) => {
    const written = await writeOffers(tx, accountId, account.suppliers[0]!, [{ sku: 'A', quantity: 2 }])
    return { productIds: written.productIds }
  })
  const head = await counterGet(database.db, accountId)
  expect(await lacking(storeIds[0])).toBe('1: ')
  await inTransaction(database.db, (tx) => advanceAccount(tx, accountId, RESOLVER_VERSION))
  await bench.shelf.drain(accountId)
  expect(await lacking(storeIds[0])).toBe(before)
  expect(await counterGet(database.db, accountId)).toEqual(head)
  await sound()
})

test('two shelvers that write gaps of one block at once, one of them without a change, count both', async () => {
  const { accountId, storeIds } = account
  const ids = await offer(Array.from({ length: 40 }, (_, i) => ({ sku: `A${i}`, ...WHOLE })))
  expect(ids).toHaveLength(40)
  const { suppliers } = account
  const half = (from: number, record: Partial<OfferRecord>) =>
    Array.from({ length: 20 }, (_, i) => ({ sku: `A${from + i}`, ...record }))
  for (let round = 0; round < 5; round++) {
    const isOff = round % 2 === 0
    await Promise.all([
      bench.shelf.write(accountId, async (tx) => ({
        productIds: (await writeOffers(tx, accountId, suppliers[0]!, half(0, { category: isOff ? null : 'Tools' })))
          .productIds,
      })),
      bench.shelf.write(accountId, async (tx) => ({
        productIds: (
          await writeOffers(
            tx,
            accountId,
            suppliers[0]!,
            half(20, { texts: { en: { title: isOff ? null : 'Spade' } } }),
          )
        ).productIds,
      })),
    ])
    await bench.shelf.drain(accountId)
    expect(await lacking(storeIds[0])).toBe(isOff ? '40: no_title 20, no_category 20' : '40: ')
  }
  await sound()
})

/** Enough blocks that the statements of two writers overlap. */
const BLOCKS = 4_000
const ROUNDS = 3

test('counts of gaps alone are written in turn, in whatever order the blocks come', async () => {
  const { accountId, storeIds } = account
  const [storeId] = storeIds
  const blocks = Array.from({ length: BLOCKS }, (_, block) => ({
    storeId,
    block,
    delta: 0,
    gaps: [1, 0, 0, 0, 0],
    content: 1n,
    price: 0n,
  }))
  const nothing = batchWrites([], new Set(), { keep: [], gone: [] }, NO_SEARCH_WRITES)
  const write = (counts: typeof blocks) =>
    inTransaction(
      database.db,
      async (tx) => {
        const written = openWritten(tx, accountId, openKnownTerms())
        await written.add({ ...nothing, counts }, true)
        await written.number()
      },
      // no retries: the first deadlock is an error
      0,
    )
  for (let round = 0; round < ROUNDS; round++) {
    const written = await Promise.allSettled([write(blocks), write(blocks.toReversed()), write(blocks)])
    expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  }
  const [row] = await database.db<{ count: number }[]>`
    select sum(no_title)::int as count from payload_block where account_id = ${accountId}`
  expect(row?.count).toBe(BLOCKS * 3 * ROUNDS)
})

describe('what is incomplete', () => {
  it('is listed by page, in the order of ids', async () => {
    const ids = await offer(
      Array.from({ length: 50 }, (_, i) => ({
        sku: `A${i}`,
        quantity: i % 3,
        ...(i % 2 === 0 ? {} : { category: 'Tools' }),
      })),
    )
    const [storeId] = account.storeIds
    const walked: number[] = []
    for (let after = 0; ;) {
      const page = await gapsAfter(database.db, account.accountId, storeId, 'no_image', after, 7)
      walked.push(...page.map(({ productId }) => productId))
      if (page.length < 7) break
      after = walked.at(-1)!
    }
    expect(walked).toEqual(ids.toSorted((a, b) => a - b))
    expect(GAPS).toHaveLength(5)
  })

  it('is not that of a store that is inactive or deleted, whose counts go with its payloads', async () => {
    const { accountId, storeIds } = account
    await offer([{ sku: 'A', quantity: 1 }])
    const [, second, third] = storeIds
    await inTransaction(database.db, (tx) => editStore(tx, accountId, second, { isActive: false }))
    expect(await lacking(second)).toBe('no store')
    await inTransaction(database.db, (tx) => deleteStore(tx, accountId, third))
    expect(await lacking(third)).toBe('no store')
  })

  it('names suppliers that are silent for longer than they may be, and no others', async () => {
    const { accountId, suppliers } = account
    const silent = async () =>
      (await findCompleteness(database.db, accountId)).suppliersSilent.map(({ supplierId }) => supplierId)
    const [a, b] = suppliers.map(({ supplierId }) => supplierId)
    await inTransaction(database.db, (tx) => editSupplier(tx, accountId, a!, { silentDaysMax: 3 }))
    expect(await silent()).toEqual([])
    await database.db`update supplier_heard set heard_at = (select now() - interval '4 days') where account_id = ${accountId}`
    expect(await silent()).toEqual([a])
    await inTransaction(database.db, (tx) => editSupplier(tx, accountId, b!, { silentDaysMax: 4 }))
    expect(await silent()).toEqual([a, b])
    await inTransaction(database.db, (tx) => editSupplier(tx, accountId, b!, { silentDaysMax: null }))
    expect(await silent()).toEqual([a])
    await inTransaction(database.db, (tx) => editSupplier(tx, accountId, a!, { isActive: false }))
    expect(await silent()).toEqual([])
    await inTransaction(database.db, (tx) => editSupplier(tx, accountId, a!, { isActive: true }))
    await offer([{ sku: 'A', quantity: 1 }])
    expect(await silent()).toEqual([])
  })
})
