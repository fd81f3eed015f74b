import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOffer } from '../../src/catalog/products/offers/delete-offer.ts'
import { mergeProducts, splitProduct } from '../../src/catalog/products/merge-split.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { editSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { readFeed } from '../../src/feed/read.ts'
import type { OfferGroup, OfferRecord } from '../../src/model/offer.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { findFindings } from '../../src/shelf/findings/findings.ts'
import { shelveBatch, shelveIn } from '../../src/shelf/shelve.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import {
  createAccount,
  giveOffers,
  offer,
  openBench,
  type Bench,
  type TestAccount,
  expectAudited,
} from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { until } from '../harness/interleave.ts'

let database: TestDatabase
let bench: Bench
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

const EANS = ['4006381333931', '96385074', '4000539002502', '5901234123457'] as const
const group = (key: string, over: Partial<OfferGroup> = {}): OfferGroup => ({
  key,
  title: { en: `Group ${key}` },
  options: [],
  position: null,
  ...over,
})

type Shown = { id: number; key: string; title: string | null }

/** The group of each product in the first store, by product; those without one are left out. */
async function shown(account: TestAccount): Promise<Map<number, Shown>> {
  const rows = await database.db<{ productId: number; body: string }[]>`
    select product_id as "productId", body from payload_content
    where account_id = ${account.accountId} and store_id = ${account.storeIds[0]} order by product_id`
  return new Map(
    rows.flatMap(({ productId, body }) => {
      const { group: found } = JSON.parse(`{${body}}`) as { group?: Shown }
      return found === undefined ? [] : [[productId, found]]
    }),
  )
}
/** Product ids by the id of their group. */
async function members(account: TestAccount): Promise<Record<number, number[]>> {
  const found: Record<number, number[]> = {}
  for (const [productId, { id }] of await shown(account)) (found[id] ??= []).push(productId)
  return found
}

const north = (account: TestAccount, ...offers: OfferRecord[]) => giveOffers(bench, account, offers, 0)
const south = (account: TestAccount, ...offers: OfferRecord[]) => giveOffers(bench, account, offers, 1)
const isClean = (account: TestAccount) => expectAudited(database.db, account.accountId)

/** The products that the first store's feed announces during `work`. */
async function announcedBy(account: TestAccount, work: () => Promise<unknown>): Promise<number[]> {
  const head = (await counterGet(database.db, account.accountId))!
  await work()
  const since = { kind: 'pair', since: head.lastAt, id: head.lastId } as const
  const { changes } = await readFeed(database.db, account.accountId, account.storeIds[0], since, 1_000)
  for (const { kinds } of changes) expect(kinds).toEqual(['content'])
  return changes.map(({ productId }) => productId).toSorted((a, b) => a - b)
}

test('two suppliers that group the same articles make one group with one id, which is right again after either drops it', async () => {
  const account = await createAccount(bench, 'joined')
  const [a = 0, b = 0] = await north(
    account,
    offer('A', { eans: [EANS[0]], group: group('tee') }),
    offer('B', { eans: [EANS[1]], group: group('tee') }),
  )
  const first = await members(account)
  const [id] = Object.keys(first).map(Number)
  expect(first).toEqual({ [id!]: [a, b] })
  // without a common article it is a separate group
  const [c = 0] = await south(
    account,
    offer('30', { eans: [EANS[2]], group: group('9') }),
    offer('20', { eans: [EANS[1]] }),
  )
  const apart = await members(account)
  expect(Object.values(apart)).toEqual([[a, b], [c]])
  // a common article joins the groups: only the product whose group id changes is announced
  expect(await announcedBy(account, () => south(account, { sku: '20', group: group('9') }))).toEqual([c])
  expect(await members(account)).toEqual({ [id!]: [a, b, c] })
  expect((await shown(account)).get(b)).toMatchObject({ key: 'tee' })
  await isClean(account)
  // the first supplier drops it: the second's statement keeps the rest together, under the same id
  await north(account, { sku: 'A', group: null }, { sku: 'B', group: null })
  expect(await members(account)).toEqual({ [id!]: [b, c] })
  expect((await shown(account)).get(b)).toMatchObject({ key: '9', title: 'Group 9' })
  await north(account, { sku: 'A', group: group('tee') }, { sku: 'B', group: group('tee') })
  expect(await members(account)).toEqual({ [id!]: [a, b, c] })
  // then the second drops it: products that only it had grouped leave
  expect(await announcedBy(account, () => south(account, { sku: '20', group: null }))).toEqual([c])
  const parted = await members(account)
  expect(Object.values(parted).toSorted()).toEqual([[a, b], [c]].toSorted())
  expect(parted[id!]).toEqual([a, b])
  await isClean(account)
})

test('an article that moves to another group leaves the first; titles and options announce exactly the products that show them', async () => {
  const account = await createAccount(bench, 'moved')
  const offers = ['A', 'B', 'C', 'D'].map((sku, i) => offer(sku, { group: group(i < 2 ? 'tee' : 'mug') }))
  const [a = 0, b = 0, c = 0, d = 0] = await north(account, ...offers)
  const before = await shown(account)
  expect(await announcedBy(account, () => north(account, { sku: 'B', group: group('mug') }))).toEqual([b])
  const after = await shown(account)
  expect([a, b, c, d].map((id) => after.get(id)?.id)).toEqual([a, c, c, d].map((id) => before.get(id)?.id))
  const renamed = group('mug', { title: { en: 'Mug' } })
  expect(
    await announcedBy(account, () => north(account, { sku: 'C', group: renamed }, { sku: 'D', group: renamed })),
  ).toEqual([c, d])
  // repeating it, with the languages in another order, changes nothing
  expect(await announcedBy(account, () => north(account, { sku: 'C', group: { ...renamed } }))).toEqual([])
  // a deleted offer, and a write without a group, change no other product
  expect(await announcedBy(account, () => north(account, { sku: 'C', group: undefined } as never))).toEqual([])
  await isClean(account)
})

test('merge, split, a deleted offer and a paused supplier leave the groups as the offers say', async () => {
  const account = await createAccount(bench, 'merged')
  const { accountId, suppliers } = account
  const [a = 0, b = 0] = await north(account, offer('A', { group: group('tee') }), offer('B', { group: group('tee') }))
  const [x = 0, y = 0] = await south(account, offer('X', { group: group('9') }), offer('Y', { group: group('9') }))
  const ids = Object.keys(await members(account)).map(Number)
  const say = async (work: Parameters<typeof bench.shelf.write>[1]) => {
    await bench.shelf.write(accountId, work)
    await bench.shelf.drain(accountId)
    await isClean(account)
  }
  await say((tx) => mergeProducts(tx, accountId, b, [x]))
  expect(await members(account)).toEqual({ [ids[0]!]: [a, b, y] })
  let made = 0
  await say(async (tx) => {
    const split = await splitProduct(tx, accountId, b, [{ supplierId: suppliers[1]!.supplierId, supplierSku: 'X' }])
    made = split.value
    return split
  })
  const parted = await members(account)
  expect(Object.values(parted).map((of) => of.toSorted((p, q) => p - q))).toEqual(
    expect.arrayContaining([
      [a, b],
      [y, made],
    ]),
  )
  await say((tx) => deleteOffer(tx, accountId, suppliers[0]!.supplierId, 'A'))
  expect((await shown(account)).has(a)).toBe(false)
  await say((tx) => editSupplier(tx, accountId, suppliers[1]!.supplierId, { isActive: false }))
  expect([...(await shown(account)).keys()]).toEqual([b, y, made])
})

test('a shelver that changes groups waits for another one that does, and sees what that one has said', async () => {
  const account = await createAccount(bench, 'turns')
  const { accountId, suppliers } = account
  const compiled = openCompiledAccounts()
  const [a = 0, b = 0] = await north(account, offer('A'), offer('B'))
  const say = (sku: string) =>
    inTransaction(bench.db, (tx) => writeOffers(tx, accountId, suppliers[0]!, [{ sku, group: group('new') }]))
  await say('A')
  await say('B')
  // the first has registered its product but not committed; the second has read before that
  const begun = Promise.withResolvers<void>()
  const second = Promise.withResolvers<unknown>()
  await inTransaction(bench.db, async (tx) => {
    await shelveIn(tx, compiled, accountId, [a], {})
    second.resolve(shelveBatch(bench.db, compiled, accountId, [b]).finally(() => begun.resolve()))
    await Promise.race([begun.promise, isWaiting()])
  })
  await second.promise
  await bench.shelf.drain(accountId)
  expect(Object.values(await members(account))).toEqual([[a, b]])
  await isClean(account)
})

/** Waits until a session of the database waits for a lock, on any node. */
const isWaiting = () => until('a session waits for a lock', () => database.isBlocked())

test('whatever two suppliers say at the same time, the groups are the connected statements', async () => {
  const account = await createAccount(bench, 'at once')
  const { accountId } = account
  // products 0 to 7 of both suppliers, each by its EAN
  const skus = Array.from({ length: 8 }, (_, i) => String(i))
  const eans = skus.map((i) => ean13(`4012345${i.padStart(5, '0')}`))
  for (const supplier of [0, 1])
    await giveOffers(
      bench,
      account,
      skus.map((sku, i) => offer(sku, { eans: [eans[i]!] })),
      supplier,
    )
  let seed = 20_261_123
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const said = new Map<string, string | null>()
  for (let round = 0; round < 12; round++) {
    await Promise.all(
      [0, 1].map(async (supplier) => {
        const records = skus
          .filter(() => random(3) === 0)
          .map((sku) => ({ sku, group: random(4) === 0 ? null : group(`${supplier}${random(3)}`) }))
        for (const { sku, group: stated } of records) said.set(`${supplier} ${sku}`, stated?.key ?? null)
        await inTransaction(database.db, (tx) => writeOffers(tx, accountId, account.suppliers[supplier]!, records))
        await bench.shelf.drain(accountId)
      }),
    )
    await bench.shelf.drain(accountId)
    const ids = new Map<string, Set<number>>()
    const products = await database.db<{ productId: number; sku: string }[]>`
      select product_id as "productId", supplier_sku as sku from offer
      where account_id = ${accountId} and supplier_id = ${account.suppliers[0]!.supplierId} order by supplier_sku`
    const groups = await shown(account)
    // expected groups by label propagation over products and keys, from the statements alone
    const label = new Map(skus.map((sku, i) => [sku, i]))
    for (let i = 0; i < skus.length; i++)
      for (const one of skus)
        for (const other of skus)
          for (const supplier of [0, 1]) {
            const key = said.get(`${supplier} ${one}`) ?? null
            if (key !== null && key === said.get(`${supplier} ${other}`))
              label.set(one, Math.min(label.get(one)!, label.get(other)!))
          }
    for (const { productId, sku } of products) {
      const isStated = [0, 1].some((supplier) => (said.get(`${supplier} ${sku}`) ?? null) !== null)
      expect(groups.has(productId)).toBe(isStated)
      if (!isStated) continue
      const at = String(label.get(sku))
      ids.set(at, (ids.get(at) ?? new Set()).add(groups.get(productId)!.id))
    }
    expect([...ids.values()].every((of) => of.size === 1)).toBe(true)
    expect(new Set([...ids.values()].flatMap((of) => [...of])).size).toBe(ids.size)
    await isClean(account)
  }
})

function ean13(digits: string): string {
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

test('groups that are too large to be read whole are neither joined nor taken apart, and take what is said of them', async () => {
  const before = LIMITS.groupStatementsJoinedMax
  Object.assign(LIMITS, { groupStatementsJoinedMax: 3 })
  try {
    const account = await createAccount(bench, 'large')
    const skus = ['A', 'B', 'C', 'D']
    const ids = await north(
      account,
      ...skus.map((sku, i) => offer(sku, { eans: [EANS[i]!], group: group('everything') })),
    )
    const [e = 0] = await south(account, offer('E', { group: group('tee') }))
    // the second supplier's group shares an article with the large one, but the two are not joined
    await south(account, offer('A2', { eans: [EANS[0]], group: group('tee') }))
    const found = await shown(account)
    expect(new Set(ids.map((id) => found.get(id)?.id)).size).toBe(1)
    expect(found.get(e)?.id).not.toBe(found.get(ids[0]!)?.id)
    // one more of each key, and one that leaves
    const [f = 0] = await north(account, offer('F', { group: group('everything') }))
    const [g = 0] = await south(account, offer('G', { group: group('tee') }))
    await north(account, offer('A', { eans: [EANS[0]], group: null }))
    const after = await shown(account)
    expect(after.get(f)?.id).toBe(found.get(ids[1]!)?.id)
    expect(after.get(g)?.id).toBe(found.get(e)?.id)
    expect(after.get(ids[0]!)?.id).toBe(found.get(e)?.id)
    await isClean(account)
  } finally {
    Object.assign(LIMITS, { groupStatementsJoinedMax: before })
  }
})

test('findings name options that a group has twice, because suppliers spell their keys differently', async () => {
  const account = await createAccount(bench, 'twice')
  const [supplierNorth = 0, supplierSouth = 0] = account.suppliers.map(({ supplierId }) => supplierId)
  const tee = (ean: number, keys: readonly string[], key = 'tee') =>
    offer(`${key}-${ean}`, {
      eans: [EANS[ean]!],
      group: group(key, { options: keys.map((each) => ({ key: each, label: null, value: `${each} ${ean}` })) }),
    })
  const found = async () => (await findFindings(database.db, account.accountId)).variantOptionsTwice
  const [a = 0] = await north(account, tee(0, ['Size', 'Colour']), tee(1, ['Size', 'Colour']))
  // the same articles with other names of options: the first supplier's option is shown, only once
  await south(account, tee(0, ['size', 'colour'], 't'), tee(1, ['size', 'colour'], 't'))
  expect(await found()).toEqual([])
  // an article of only the other supplier joins the group
  const [c = 0] = await south(account, tee(2, ['SIZE', 'Fit'], 't'))
  const { id: groupId = 0 } = (await shown(account)).get(a) ?? {}
  expect((await shown(account)).get(c)?.id).toBe(groupId)
  const twice = { groupId, supplierIds: [supplierSouth], productIds: [c], usualSupplierIds: [supplierNorth] }
  expect(await found()).toEqual([{ ...twice, key: 'SIZE', usualKey: 'Size' }])
  await south(account, tee(2, ['size_', ' colour'], 't'))
  expect(await found()).toEqual([
    { ...twice, key: ' colour', usualKey: 'Colour' },
    { ...twice, key: 'size_', usualKey: 'Size' },
  ])
  // the key that most products use is shown
  await south(account, tee(3, ['size'], 't'))
  await south(account, tee(2, ['size'], 't'))
  await north(account, tee(1, ['Colour']))
  const rest = { groupId, productIds: [a], key: 'Size', supplierIds: [supplierNorth], usualKey: 'size' }
  expect(await found()).toEqual([{ ...rest, usualSupplierIds: [supplierSouth] }])
  // right again after the supplier corrects it, or drops the article
  await south(account, tee(2, ['Size'], 't'), tee(3, ['Size'], 't'))
  expect(await found()).toEqual([])
})

test('findings name variants with the same options, and those that lack one that others of the group have', async () => {
  const account = await createAccount(bench, 'alike')
  const options = (of: Record<string, string>) =>
    Object.entries(of).map(([key, value]) => ({ key, label: null, value }))
  const tee = (sku: string, of: Record<string, string>, key = 'tee') =>
    offer(sku, { group: group(key, { options: options(of) }) })
  const found = async () => {
    const { variantsAlike, variantsWithoutOptions } = await findFindings(database.db, account.accountId)
    return [
      variantsAlike.map((row) => [row.key, row.options, row.productIds]),
      variantsWithoutOptions.map((row) => [row.key, row.productId, row.missing]),
    ]
  }
  const [a = 0, b = 0, c = 0, d = 0] = await north(
    account,
    tee('A', { size: 'M', color: 'red' }),
    tee('B', { color: 'red', size: 'M' }),
    tee('C', { size: 'L' }),
    tee('D', {}),
    tee('E', { size: 'XL', color: 'red' }),
    // a single product in its group needs no options
    tee('F', {}, 'mug'),
  )
  expect(await found()).toEqual([
    [['tee', { color: 'red', size: 'M' }, [a, b]]],
    [
      ['tee', c, ['color']],
      ['tee', d, ['color', 'size']],
    ],
  ])
  // another supplier's group is checked separately; without any options, each of its products is named
  const [x = 0, y = 0] = await south(account, tee('X', {}, '9'), tee('Y', {}, '9'))
  expect((await found())[1]).toEqual([
    ['tee', c, ['color']],
    ['tee', d, ['color', 'size']],
    ['9', x, []],
    ['9', y, []],
  ])
  // right again after the supplier corrects them, or drops the offer
  await north(
    account,
    tee('B', { color: 'blue', size: 'M' }),
    tee('C', { size: 'L', color: 'red' }),
    tee('D', { size: 'S', color: 'red' }),
  )
  await south(account, { sku: 'Y', group: null })
  expect(await found()).toEqual([[], []])
})
