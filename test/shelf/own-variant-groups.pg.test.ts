import { expect, test } from 'vitest'
import { mergeProducts, splitProduct } from '../../src/catalog/products/merge-split.ts'
import { deleteProducts } from '../../src/catalog/products/products.ts'
import { variantGroupGet } from '../../src/catalog/products/variants/variant-groups.sql.ts'
import {
  createVariantGroup,
  deleteVariantGroup,
  editVariantGroup,
  ungroupProducts,
  type VariantGroupChanges,
} from '../../src/catalog/products/variants/variant-groups.ts'
import type { Written } from '../../src/catalog/stale/written.ts'
import type { Tx } from '../../src/db/sql.ts'
import { readFeed } from '../../src/feed/read.ts'
import type { OfferGroup, OfferRecord } from '../../src/model/offer.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { findFindings } from '../../src/shelf/findings/findings.ts'
import { createAccount, expectAudited, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// Groups of variants by hand, beside those of suppliers.

const { database, bench } = worldOfFile()

const tee = (size: string, over: Partial<OfferGroup> = {}): OfferGroup => ({
  key: 'tee',
  title: { en: 'Tee' },
  options: [{ key: 'size', label: 'Size', value: size }],
  position: null,
  ...over,
})
const north = (account: TestAccount, ...offers: OfferRecord[]) => giveOffers(bench, account, offers, 0)
const south = (account: TestAccount, ...offers: OfferRecord[]) => giveOffers(bench, account, offers, 1)

interface Shown {
  id: number
  title: string | null
  position: number
  options: { key: string; label: string; value: string }[]
}

/** The group of each product in the first store, by product. */
async function shown(account: TestAccount): Promise<Map<number, Shown>> {
  const rows = await database.db<{ productId: number; body: string }[]>`
    select product_id as "productId", body from payload_content
    where account_id = ${account.accountId} and store_id = ${account.storeIds[0]} order by product_id`
  return new Map(
    rows.flatMap(({ productId, body }) => {
      const { group } = JSON.parse(`{${body}}`) as { group?: Shown }
      return group === undefined ? [] : [[productId, group]]
    }),
  )
}

/** The products of each group, in their order. */
async function members(account: TestAccount): Promise<number[][]> {
  const byId = Map.groupBy(await shown(account), ([, { id }]) => id)
  return [...byId.values()].map((of) =>
    of.toSorted(([a, p], [b, q]) => p.position - q.position || a - b).map(([productId]) => productId),
  )
}

/** Writes, shelves and audits. @returns the result, and the products that the first store's feed announces. */
async function say<T>(
  account: TestAccount,
  work: (tx: Tx) => Promise<Written<T>>,
): Promise<{ value: T; announced: number[] }> {
  const { accountId, storeIds } = account
  const head = (await counterGet(database.db, accountId))!
  const { value } = await bench.shelf.write(accountId, work)
  await bench.shelf.drain(accountId)
  await expectAudited(database.db, accountId)
  const since = { kind: 'pair', since: head.lastAt, id: head.lastId } as const
  const { changes } = await readFeed(database.db, accountId, storeIds[0], since, 1_000)
  return { value, announced: changes.map(({ productId }) => productId).toSorted((a, b) => a - b) }
}

const make = (account: TestAccount, input: VariantGroupChanges) =>
  say(account, (tx) => createVariantGroup(tx, account.accountId, input))
const edit = (account: TestAccount, groupId: number, changes: VariantGroupChanges) =>
  say(account, async (tx) =>
    editVariantGroup(tx, account.accountId, (await variantGroupGet(tx, account.accountId, groupId))!, changes),
  )
const products = (...ids: number[]) => ids.map((productId) => ({ productId }))

test('the owner puts products into a group, moves them and takes one out, and suppliers change none of it', async () => {
  const account = await createAccount(bench, 'by hand')
  const { accountId } = account
  const [a = 0, b = 0, c = 0] = await north(
    account,
    offer('A', { group: tee('S') }),
    offer('B', { group: tee('M') }),
    offer('C', { group: tee('L') }),
  )
  const [x = 0] = await south(account, offer('X'))
  const theirs = (await shown(account)).get(a)?.id
  // C leaves the supplier's group for one with X, which leads it
  const { value: id, announced } = await make(account, { title: { en: 'Shirt' }, products: products(x, c) })
  expect(announced).toEqual([c, x])
  expect(await members(account)).toEqual([
    [a, b],
    [x, c],
  ])
  expect((await shown(account)).get(c)).toMatchObject({ id, title: 'Shirt', options: [{ value: 'L' }] })
  expect((await shown(account)).get(a)?.id).toBe(theirs)
  // the supplier moves the article, drops its group, and states it again: it stays where the owner put it
  for (const group of [tee('L', { key: 'other' }), null, tee('L')]) await north(account, { sku: 'C', group })
  await expectAudited(database.db, accountId)
  expect(await members(account)).toEqual([
    [a, b],
    [x, c],
  ])
  // another leading product, so both have a new position
  expect((await edit(account, id, { products: products(c, x) })).announced).toEqual([c, x])
  expect(await members(account)).toEqual([
    [a, b],
    [c, x],
  ])
  // repeating it changes nothing
  expect((await edit(account, id, { products: products(c, x) })).announced).toEqual([])
  // the owner takes B out of the supplier's group, and it stays out
  const ungrouped = await say(account, (tx) => ungroupProducts(tx, accountId, [b, b], false))
  expect(ungrouped).toEqual({ value: [b], announced: [b] })
  await north(account, { sku: 'B', group: tee('M', { title: { en: 'Changed' } }) })
  expect((await shown(account)).has(b)).toBe(false)
  // moved to another group, it leaves the first
  const second = await make(account, { products: products(c, b) })
  expect(await members(account)).toEqual(expect.arrayContaining([[x], [c, b], [a]]))
  // suppliers determine the groups again
  expect((await say(account, (tx) => ungroupProducts(tx, accountId, [b, c, x], true))).announced).toEqual([b, c, x])
  expect(await members(account)).toEqual([[a, b, c]])
  expect((await shown(account)).get(b)?.id).toBe(theirs)
  expect((await variantGroupGet(database.db, accountId, second.value))?.products).toEqual([])
})

test('titles, labels and values by hand announce exactly the products of the group', async () => {
  const account = await createAccount(bench, 'named')
  const [a = 0, b = 0] = await north(account, offer('A', { group: tee('S') }), offer('B', { group: tee('M') }))
  const [x = 0] = await south(account, offer('X'))
  const { value: id } = await make(account, {
    options: [{ key: 'size', labels: { en: 'Width', de: 'Weite' } }, { key: 'cut' }],
    products: [{ productId: a, options: { cut: 'slim' } }, { productId: b }, { productId: x, options: { size: 'XL' } }],
  })
  const found = await shown(account)
  expect(found.get(a)?.options.map(({ label, value }) => [label, value])).toEqual([
    ['Width', 'S'],
    ['cut', 'slim'],
  ])
  expect(found.get(x)?.options.map(({ label, value }) => [label, value])).toEqual([['Width', 'XL']])
  expect((await edit(account, id, { title: { en: 'Slim tee' } })).announced).toEqual([a, b, x])
  expect((await edit(account, id, { title: { pl: 'Koszulka' } })).announced).toEqual([])
  // values of a removed option are removed
  expect((await edit(account, id, { options: [{ key: 'size' }] })).announced).toEqual([a, b, x])
  expect((await variantGroupGet(database.db, account.accountId, id))?.products[0]).toEqual({
    productId: a,
    options: {},
  })
  // products that are no longer named return to their supplier's group; the others move up
  expect((await edit(account, id, { products: products(x) })).announced).toEqual([a, b, x])
  expect(await members(account)).toEqual(expect.arrayContaining([[a, b], [x]]))
  const row = (await variantGroupGet(database.db, account.accountId, id))!
  expect((await say(account, (tx) => deleteVariantGroup(tx, account.accountId, row))).announced).toEqual([x])
  expect(await members(account)).toEqual([[a, b]])
})

test('merge, split and deletion leave groups by hand as they are said of the products that stay', async () => {
  const account = await createAccount(bench, 'merged by hand')
  const { accountId, suppliers } = account
  const ids = await north(account, ...['A', 'B', 'C', 'D'].map((sku) => offer(sku, { group: tee(sku) })))
  const [a = 0, b = 0, c = 0, d = 0] = ids
  const { value: one } = await make(account, { products: products(a, b) })
  const { value: two } = await make(account, { products: products(c, d) })
  // when products of two groups are merged, the remaining one keeps its group
  await say(account, (tx) => mergeProducts(tx, accountId, b, [c]))
  expect(await members(account)).toEqual([[a, b], [d]])
  // a product that was split off is in its supplier's group
  const split = await say(account, (tx) =>
    splitProduct(tx, accountId, b, [{ supplierId: suppliers[0]!.supplierId, supplierSku: 'C' }]),
  )
  expect(await members(account)).toEqual(expect.arrayContaining([[a, b], [d], [split.value]]))
  // the next one leads when the first is deleted
  await say(account, (tx) => deleteProducts(tx, accountId, [a]))
  expect((await members(account)).find((of) => of.includes(b))).toEqual([b])
  expect((await variantGroupGet(database.db, accountId, one))?.products.map(({ productId }) => productId)).toEqual([b])
  // an empty group keeps only its name, and can be used again
  await say(account, (tx) => deleteProducts(tx, accountId, [d]))
  expect((await edit(account, two, { products: products(split.value) })).announced).toEqual([split.value])
})

test('what a group by hand may not be is refused, and nothing of it is written', async () => {
  const account = await createAccount(bench, 'refused')
  const other = await createAccount(bench, 'another')
  const [a = 0, b = 0] = await north(account, offer('A'), offer('B'))
  const [foreign = 0] = await north(other, offer('A'))
  const { value: id } = await make(account, { options: [{ key: 'size' }], products: products(a) })
  const many = Array.from({ length: 1_001 }, (_, i) => ({ productId: a + i }))
  const refused: [VariantGroupChanges, string][] = [
    [{ products: products(a, foreign) }, `the account has no product ${foreign}`],
    [{ products: products(a, b, a) }, 'products.2.product_id is duplicated'],
    [{ products: many }, 'products must be at most 1000'],
    [{ products: [{ productId: a, options: { cut: 'slim' } }] }, 'products.0.options.cut is not among the options'],
    [{ products: [{ productId: a, options: { size: ' ' } }] }, 'products.0.options.size must not be empty'],
    [{ options: [{ key: 'size' }, { key: ' size ' }] }, 'options.1.key is duplicated'],
    [{ title: { nonsense_: 'x' } }, 'title.nonsense_'],
  ]
  for (const [changes, words] of refused) await expect(edit(account, id, changes)).rejects.toThrow(words)
  await expect(say(account, (tx) => ungroupProducts(tx, account.accountId, [b, foreign], false))).rejects.toThrow(
    `no product ${foreign}`,
  )
  expect(await members(account)).toEqual([[a]])
})

test('of two writers that put one product into two groups the second wins, and it is in one group', async () => {
  const account = await createAccount(bench, 'two writers')
  const { accountId } = account
  const [a = 0, b = 0, c = 0] = await north(account, offer('A'), offer('B'), offer('C'))
  await Promise.all([
    bench.shelf.write(accountId, (tx) => createVariantGroup(tx, accountId, { products: products(a, c) })),
    bench.shelf.write(accountId, (tx) => createVariantGroup(tx, accountId, { products: products(c, b) })),
  ])
  await bench.shelf.drain(accountId)
  await expectAudited(database.db, accountId)
  const found = await members(account)
  expect(found.filter((of) => of.includes(c))).toHaveLength(1)
  expect(found.flat().toSorted((p, q) => p - q)).toEqual([a, b, c])
})

test('findings look at groups by hand as they are shown', async () => {
  const account = await createAccount(bench, 'found')
  const [a = 0, b = 0, c = 0] = await north(account, offer('A', { group: tee('M') }), offer('B'), offer('C'))
  await make(account, {
    options: [{ key: 'size' }],
    products: [{ productId: a }, { productId: b, options: { size: 'M' } }, { productId: c }],
  })
  const { variantsAlike, variantsWithoutOptions } = await findFindings(database.db, account.accountId)
  expect(variantsAlike.map((row) => [row.supplierId, row.options, row.productIds])).toEqual([
    [0, { size: 'M' }, [a, b]],
  ])
  expect(variantsWithoutOptions.map((row) => [row.productId, row.missing])).toEqual([[c, ['size']]])
})

test('findings look at keys of options as groups by hand show them: what the owner says, or names, counts', async () => {
  const account = await createAccount(bench, 'twice')
  const cased = tee('L', { options: [{ key: 'Size', label: null, value: 'L' }] })
  const [a = 0, b = 0] = await north(account, offer('A', { group: tee('M') }), offer('B', { group: cased }))
  const [c = 0] = await south(account, offer('C', { group: cased }))
  const found = async () =>
    (await findFindings(database.db, account.accountId)).variantOptionsTwice.map(
      ({ key, supplierIds, productIds, usualKey }) => [key, supplierIds, productIds, usualKey],
    )
  const [supplierNorth, supplierSouth] = account.suppliers.map(({ supplierId }) => supplierId)
  const { value: id } = await make(account, { products: products(a, b, c) })
  expect(await found()).toEqual([['size', [supplierNorth], [a], 'Size']])
  // a value by hand is the owner's
  const said = [{ productId: a, options: { size: 'XL' } }, { productId: b, options: { size: 'L' } }, { productId: c }]
  await edit(account, id, { options: [{ key: 'Size' }, { key: 'size' }], products: said })
  expect(await found()).toEqual([['Size', [supplierNorth, supplierSouth], [b, c], 'size']])
  expect((await shown(account)).get(b)?.options.map(({ key }) => key)).toEqual(['Size', 'size'])
  // if options are named, others are not shown
  await edit(account, id, { options: [{ key: 'size' }] })
  expect(await found()).toEqual([])
})
