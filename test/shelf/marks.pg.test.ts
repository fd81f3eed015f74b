import { describe, expect, test } from 'vitest'
import { createExclusionRule, deleteExclusionRule } from '../../src/catalog/settings/rules/exclusion-rules.ts'
import { markedProducts, marksAppend } from '../../src/catalog/stale/marks.sql.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { writeOffers, zeroOffers } from '../../src/catalog/products/offers/offers.ts'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { productIdsAfter } from '../../src/catalog/products/products.sql.ts'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { createProducts, setOverrides } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { pick, prng } from '../../src/demo/catalog/prng.ts'
import { bulkNow } from '../../src/operations/bulk/write.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelveBatch } from '../../src/shelf/shelve.ts'
import { sweepStep } from '../../src/shelf/sweep.ts'
import {
  createAccount,
  giveOffers,
  offer,
  type TestAccount,
  productIdsOf,
  type Said,
  expectAudited,
} from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { hold, seedFor } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// Marks for prices only: they cost half, and never leave a wrong content half.

const accounts = openCompiledAccounts()
const OPTIONS = { atomic: false, isDryRun: false }
const { database, bench } = worldOfFile({ connectionsMax: 20 })

const write = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work)
const halves = async (accountId: number) =>
  (
    await database.db<{ half: string | null }[]>`select half from mark where account_id = ${accountId} order by mark_id`
  ).map((row) => row.half)
const clean = async (accountId: number, words = '') => {
  await bench.shelf.drain(accountId)
  await expectAudited(database.db, accountId, words)
}
/** Gives stored contents a tag that no content has, so that resolving whole products writes them again. */
const spoil = async (accountId: number) => {
  await database.db`update payload_content set tag = 'spoiled' where account_id = ${accountId}`
  // digests depend on the tags, so they must be computed again
  await database.db`update payload_block set content_digest = null where account_id = ${accountId}`
}
const spoiled = async (accountId: number) =>
  (
    await database.db<
      { id: number }[]
    >`select distinct product_id as id from payload_content where account_id = ${accountId} and tag = 'spoiled' order by 1`
  ).map((row) => row.id)

async function fresh(name: string): Promise<TestAccount & { ids: number[] }> {
  const account = await createAccount(bench, name)
  return {
    ...account,
    ids: (
      await giveOffers(
        bench,
        account,
        ['A', 'B', 'C'].map((sku) => offer(sku)),
      )
    ).sort((a, b) => a - b),
  }
}

const PRICE_WRITES: Readonly<Record<string, (tx: Tx, account: TestAccount) => Promise<unknown>>> = {
  'a bulk of stock': (tx, { accountId }) => bulkNow(tx, accountId, 'bulk_stock', [{ sku: 'A', quantity: 7 }], OPTIONS),
  'stock that goes': async (tx, { accountId }) => {
    await tx`insert into own_stock (account_id, product_id, quantity) select ${accountId}, product_id, 3 from product where account_id = ${accountId} and sku = 'A'`
    return bulkNow(tx, accountId, 'bulk_stock', [{ sku: 'A', quantity: null }], OPTIONS)
  },
  'a bulk of prices': (tx, { accountId }) =>
    bulkNow(tx, accountId, 'bulk_prices', [{ supplier: 'north', sku: 'A', cost: '11' }], OPTIONS),
  'an import in which a cost moved': (tx, { accountId, suppliers }) =>
    writeOffers(tx, accountId, suppliers[0]!, [offer('A', { cost: '12' }), offer('B')]),
  'an import in which a quantity moved': (tx, { accountId, suppliers }) =>
    writeOffers(tx, accountId, suppliers[0]!, [offer('A', { quantity: 0 })]),
  'offers that a feed no longer names': (tx, { accountId, suppliers }) =>
    zeroOffers(tx, accountId, suppliers[0]!.supplierId, ['A']),
}

describe.each(Object.entries(PRICE_WRITES))('%s', (name, work) => {
  test('marks price halves, and shelving resolves nothing else', async () => {
    const account = await fresh(name)
    const { accountId, ids } = account
    await spoil(accountId)
    await write((tx) => work(tx, account))
    expect(await halves(accountId)).toEqual(['price'])
    // one batch, because of two concurrent ones the second may find the mark taken, and resolve the whole product
    await shelveBatch(database.db, accounts, accountId, await markedProducts(database.db, accountId, 0, 10))
    expect(await spoiled(accountId)).toEqual(ids)
    await shelveBatch(database.db, accounts, accountId, ids)
    await clean(accountId)
  })
})

test('a write that changes more than prices, or creates the offer, marks the whole product, once', async () => {
  const account = await fresh('wholes')
  const {
    accountId,
    suppliers: [supplier],
    ids,
  } = account
  await write((tx) =>
    writeOffers(tx, accountId, supplier!, [
      offer('A', { cost: '11', manufacturer: 'Bolt' }),
      offer('B', { cost: '12' }),
      offer('D'),
    ]),
  )
  const rows = await database.db<
    { id: number; half: string | null }[]
  >`select product_id as id, half from mark where account_id = ${accountId} order by 1`
  expect(rows.map(({ id, half }) => [ids.indexOf(id), half])).toEqual([
    [0, null],
    [1, 'price'],
    [-1, null],
  ])
  await clean(accountId)
})

test('one whole-product mark among price marks: the product is resolved as a whole; so is one without any mark', async () => {
  const {
    accountId,
    ids: [a = 0, b = 0, c = 0],
  } = await fresh('mixed')
  await spoil(accountId)
  await write((tx) => marksAppend(tx, accountId, [a, b], 'price'))
  await write((tx) => marksAppend(tx, accountId, [a]))
  await write((tx) => marksAppend(tx, accountId, [a, b], 'price'))
  await shelveBatch(database.db, accounts, accountId, [a, b, c])
  expect(await spoiled(accountId)).toEqual([b])
  expect(await markedProducts(database.db, accountId, 0, 10)).toEqual([])
  await shelveBatch(database.db, accounts, accountId, [b])
  await clean(accountId)
})

test('a sweep over whole products resolves a product as a whole even if it has only price marks', async () => {
  const { accountId } = await fresh('swept')
  await spoil(accountId)
  const ids = await productIdsAfter(database.db, accountId, 0, 10)
  await write((tx) => marksAppend(tx, accountId, ids, 'price'))
  await write((tx) => sweepAppend(tx, accountId, 'test'))
  while ((await sweepStep(database.db, accounts, accountId)) !== null);
  expect(await spoiled(accountId)).toEqual([])
  await clean(accountId)
})

test('a whole-product mark that is committed after its product was shelved for its price is kept', async () => {
  const {
    accountId,
    ids: [a = 0],
  } = await fresh('late')
  // a writer with the shared lock, for which shelvers do not wait
  await using late = await hold(database.db, (tx) => excludeProducts(tx, accountId, null, [a], 'Late'))
  await write((tx) => bulkNow(tx, accountId, 'bulk_stock', [{ product_id: a, quantity: 4 }], OPTIONS))
  await shelveBatch(database.db, accounts, accountId, [a])
  await late.commit()
  expect(await halves(accountId)).toEqual([null])
  await clean(accountId)
  const [row] = await database.db<
    { body: string }[]
  >`select body from payload_content where account_id = ${accountId} and product_id = ${a} limit 1`
  expect(row!.body).toContain('Late')
})

test('stock that excludes a product, or no longer does, changes its content too; with rules on titles the whole is resolved', async () => {
  const {
    accountId,
    ids: [a = 0],
  } = await fresh('exclusion')
  const excluded = async () => {
    const rows = await database.db<
      { body: string }[]
    >`select body from payload_content where account_id = ${accountId} and product_id = ${a}`
    return rows.map(({ body }) => (JSON.parse(`{${body}}`) as { excluded: boolean }).excluded)
  }
  await write((tx) => createExclusionRule(tx, accountId, { name: 'Sold out', kind: 'no_stock' }))
  await clean(accountId)
  await write((tx) =>
    bulkNow(tx, accountId, 'bulk_prices', [{ supplier: 'north', sku: 'A', cost: '10', quantity: 0 }], OPTIONS),
  )
  await clean(accountId)
  expect(await excluded()).toEqual([true, true, true])
  await write((tx) => bulkNow(tx, accountId, 'bulk_stock', [{ sku: 'A', quantity: 1 }], OPTIONS))
  await clean(accountId)
  expect(await excluded()).toEqual([false, false, false])
  await write((tx) => createExclusionRule(tx, accountId, { name: 'No title', kind: 'no_title' }))
  await clean(accountId)
  await spoil(accountId)
  await write((tx) => bulkNow(tx, accountId, 'bulk_stock', [{ sku: 'A', quantity: 2 }], OPTIONS))
  await bench.shelf.drain(accountId)
  expect(await spoiled(accountId)).not.toContain(a)
})

const ROUNDS = inGate([4, 5], [0, 1, 2, 3, 4, 5])
const WRITES = 60

test(
  'after random mixes of price writes and others, shelved in pieces, every payload is as its inputs resolve',
  { timeout: 120_000 },
  async () => {
    const seed = seedFor('price marks')
    for (const round of ROUNDS) {
      const random = prng(seed + round)
      const number = (below: number) => Math.floor(random() * below)
      const account = await createAccount(bench, `round ${round}`)
      const { accountId, storeIds, suppliers } = account
      const skus = Array.from({ length: 12 }, (_, i) => `K${i}`)
      const ids = await giveOffers(
        bench,
        account,
        skus.map((sku) => offer(sku)),
      )
      await giveOffers(
        bench,
        account,
        skus.slice(0, 6).map((sku) => offer(`S${sku}`, { cost: '35', eans: [] })),
        1,
      )
      const { value: ruleId } = await write((tx) =>
        createRule(tx, accountId, { name: 'Tier', percent: '60', costMin: '20', costBelow: '60' }),
      )
      if (round % 2 === 0) await write((tx) => editAccount(tx, accountId, { priceJumpFactor: '2' }))
      const kinds = [
        'no_stock',
        'price_below',
        'price_above',
        'margin_below',
        'supplier',
        'no_price',
        ...(round === 5 ? (['no_title', 'no_image'] as const) : []),
      ] as const
      const exclusionIds: number[] = []
      const some = () => skus.filter(() => random() < 0.3)
      const rowsOf = <T>(row: (sku: string) => T) => some().map(row)
      const works: ((tx: Tx) => Promise<Said>)[] = [
        async (tx) =>
          (
            await bulkNow(
              tx,
              accountId,
              'bulk_stock',
              rowsOf((sku) => ({ sku, quantity: pick([null, 0, 1, 5], random) })),
              OPTIONS,
            )
          ).productIds,
        async (tx) =>
          (
            await bulkNow(
              tx,
              accountId,
              'bulk_stock',
              rowsOf((sku) => ({ sku, quantity: number(3), cost: pick([null, '1', '90'], random) })),
              OPTIONS,
            )
          ).productIds,
        async (tx) =>
          (
            await bulkNow(
              tx,
              accountId,
              'bulk_prices',
              rowsOf((sku) => ({
                supplier: 'north',
                sku,
                cost: pick([null, `${1 + number(80)}`], random),
                quantity: number(3),
              })),
              OPTIONS,
            )
          ).productIds,
        async (tx) =>
          (
            await writeOffers(
              tx,
              accountId,
              suppliers[0]!,
              rowsOf((sku) => ({ sku, cost: `${1 + number(80)}`, quantity: number(3) })),
            )
          ).productIds,
        async (tx) =>
          (
            await writeOffers(
              tx,
              accountId,
              suppliers[1]!,
              rowsOf((sku) => ({ sku: `S${sku}`, cost: `${1 + number(300)}`, quantity: number(3) })),
            )
          ).productIds,
        (tx) => zeroOffers(tx, accountId, suppliers[number(2)]!.supplierId, some()),
        async (tx) =>
          (
            await writeOffers(
              tx,
              accountId,
              suppliers[0]!,
              rowsOf((sku) =>
                offer(sku, {
                  manufacturer: pick(['Acme', 'Bolt', null], random),
                  texts: { en: { title: pick(['One', 'Two', null], random) } },
                  images: pick([[], ['https://i.example/x.jpg']], random),
                }),
              ),
            )
          ).productIds,
        (tx) =>
          setOverrides(tx, accountId, [
            { productId: pick(ids, random), field: 'title', locale: 'en', value: pick([null, 'Mine'], random) },
          ]),
        (tx) => setListing(tx, accountId, pick(storeIds, random), [pick(ids, random)], random() < 0.5),
        (tx) => createProducts(tx, accountId, [{ sku: `N${number(1_000_000)}` }]),
      ]
      const settings: ((tx: Tx) => Promise<unknown>)[] = [
        (tx) => editRule(tx, accountId, ruleId, { percent: `${number(90)}` }),
        (tx) => setRates(tx, accountId, [{ currency: 'PLN', rate: `${3 + number(3)}` }]),
        async (tx) => {
          const old = exclusionIds.pop()
          if (old !== undefined && random() < 0.5) return deleteExclusionRule(tx, accountId, old)
          const kind = pick(kinds, random)
          const bound =
            kind === 'price_below' || kind === 'price_above' || kind === 'margin_below'
              ? { amount: `${10 + number(40)}` }
              : {}
          exclusionIds.push(
            (
              await createExclusionRule(tx, accountId, {
                name: `R${number(1e6)}`,
                kind,
                ...bound,
                ...(kind === 'supplier' ? { supplierIds: [suppliers[number(2)]!.supplierId] } : {}),
              })
            ).value,
          )
          return undefined
        },
        (tx) => editStore(tx, accountId, storeIds[1], { isActive: random() < 0.7 }),
      ]
      for (let i = 0; i < WRITES; i++) {
        // half of the writes commit concurrently, so that a batch sees some marks and not others
        const writers = Array.from({ length: 1 + number(3) }, () =>
          random() < 0.15 ? pick(settings, random) : pick(works, random),
        )
        await Promise.all(
          writers.map(async (work, n) => {
            if (n === 0 && random() < 0.4)
              await bench.shelf.write(accountId, async (tx) => ({ productIds: productIdsOf((await work(tx)) as Said) }))
            else await write(work)
          }),
        )
        const way = random()
        if (way < 0.3)
          await shelveBatch(
            database.db,
            accounts,
            accountId,
            (await markedProducts(database.db, accountId, 0, 20)).filter(() => random() < 0.6),
          )
        else if (way < 0.5) await sweepStep(database.db, accounts, accountId, 5)
        else if (way < 0.55) await clean(accountId, `SEED=${seed} round ${round} write ${i}`)
      }
      await clean(accountId, `SEED=${seed} round ${round}`)
    }
  },
)
