import { expect, test } from 'vitest'
import { categoriesList } from '../../src/catalog/settings/categories.sql.ts'
import {
  createCategory,
  deleteCategory,
  editCategory,
  type NewCategory,
} from '../../src/catalog/settings/categories.ts'
import { createRule } from '../../src/catalog/settings/pricing-rules.ts'
import { setOverrides } from '../../src/catalog/products/products.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { explainProduct } from '../../src/shelf/explain.ts'
import {
  createAccount,
  giveOffers,
  offer,
  type TestAccount,
  expectAudited,
  writeAndShelve,
} from '../harness/account.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { refusal } from '../harness/refusal.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile()

async function say<T>(account: TestAccount, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await writeAndShelve(bench, account.accountId, work)
  await expectAudited(database.db, account.accountId)
  return result
}
const make = (account: TestAccount, input: NewCategory) =>
  inTransaction(database.db, async (tx) => (await createCategory(tx, account.accountId, input)).value)
const list = (account: TestAccount) => categoriesList(database.db, account.accountId)

/** The retail prices of the main store by product id. */
async function prices(account: TestAccount): Promise<Record<number, number>> {
  const rows = await database.db<{ productId: number; body: string }[]>`
    select product_id as "productId", '{' || body || '}' as body from payload_price
    where account_id = ${account.accountId} and store_id = ${account.storeIds[0]}`
  return Object.fromEntries(
    rows.map((row) => [
      row.productId,
      (JSON.parse(row.body) as { prices: { computed_price: number }[] }).prices[0]?.computed_price ?? 0,
    ]),
  )
}

test('a category that is created, edited and deleted changes products that suppliers’ paths bring into it, and none that is in it by an override', async () => {
  const account = await createAccount(bench, 'categories')
  const { accountId } = account
  const [saw = 0, lamp = 0, byHand = 0] = await giveOffers(bench, account, [
    offer('S', { category: 'Tools/Hand tools/Saws' }),
    offer('L', { category: 'Light' }),
    offer('H', { category: 'Light' }),
  ])
  const category = async (productId: number) =>
    (await explainProduct(database.db, accountId, 'main', productId)).category
  await say(account, async (tx) => {
    await createRule(tx, accountId, { name: 'Workshop', percent: '100', categories: ['Workshop'], priority: 1 })
    await setOverrides(tx, accountId, [{ productId: byHand, field: 'category', locale: '', value: 'Workshop' }])
  })
  expect(await prices(account)).toEqual({ [saw]: 12.5, [lamp]: 12.5, [byHand]: 20 })
  const { value: id } = await say(account, (tx) =>
    createCategory(tx, accountId, { path: ' Workshop / Hand ', supplierPaths: [' tools/HAND tools '] }),
  )
  expect(await list(account)).toEqual([{ categoryId: id, path: 'Workshop/Hand', supplierPaths: ['tools/HAND tools'] }])
  expect(await prices(account)).toEqual({ [saw]: 20, [lamp]: 12.5, [byHand]: 20 })
  expect(await category(saw)).toMatchObject({ value: 'Workshop/Hand', stated: 'Tools/Hand tools/Saws' })
  // the longer path goes to another category
  const { value: other } = await say(account, (tx) =>
    createCategory(tx, accountId, { path: 'Cutting', supplierPaths: ['Tools/Hand tools/Saws', 'Nothing'] }),
  )
  expect(await prices(account)).toEqual({ [saw]: 12.5, [lamp]: 12.5, [byHand]: 20 })
  await say(account, (tx) => editCategory(tx, accountId, other, { supplierPaths: [] }))
  expect(await prices(account)).toMatchObject({ [saw]: 20 })
  // renamed, the rule goes on naming the old path
  await say(account, (tx) => editCategory(tx, accountId, id, { path: 'Shed' }))
  expect(await prices(account)).toEqual({ [saw]: 12.5, [lamp]: 12.5, [byHand]: 20 })
  await say(account, (tx) => editCategory(tx, accountId, id, { path: 'Workshop', supplierPaths: ['Tools', 'Light'] }))
  expect(await prices(account)).toEqual({ [saw]: 20, [lamp]: 20, [byHand]: 20 })
  await say(account, (tx) => deleteCategory(tx, accountId, id))
  expect(await prices(account)).toEqual({ [saw]: 12.5, [lamp]: 12.5, [byHand]: 20 })
  expect(await category(saw)).toMatchObject({ value: 'Tools/Hand tools/Saws' })
  expect((await list(account)).map((row) => row.path)).toEqual(['Cutting'])
})

test('a change sweeps only where payloads can depend on it, and an edit that changes nothing writes nothing', async () => {
  const account = await createAccount(bench, 'categories-swept')
  const { accountId } = account
  const state = async () => {
    const [row] = await database.db<{ sweeps: number; version: number }[]>`
      select (select count(*)::int from sweep where account_id = ${accountId}) as sweeps, version from account_inputs where account_id = ${accountId}`
    return row!
  }
  const { version } = await state()
  const id = await make(account, { path: 'Own' })
  expect(await state()).toEqual({ sweeps: 0, version: version + 1 })
  const edit = (changes: Partial<NewCategory>) =>
    inTransaction(database.db, (tx) => editCategory(tx, accountId, id, changes))
  await edit({ path: ' Own ', supplierPaths: [] })
  expect(await state()).toEqual({ sweeps: 0, version: version + 1 })
  await edit({ supplierPaths: ['a'] })
  await edit({ supplierPaths: ['a'] })
  expect(await state()).toEqual({ sweeps: 1, version: version + 2 })
  await edit({ supplierPaths: [] })
  await inTransaction(database.db, (tx) => deleteCategory(tx, accountId, id))
  expect(await state()).toEqual({ sweeps: 2, version: version + 4 })
})

test('invalid members are refused by their names', async () => {
  const account = await createAccount(bench, 'categories-refused')
  const first = await make(account, { path: 'Tools/Ärger', supplierPaths: ['Hand Tools / Saws', 'Drills'] })
  const refused = (input: NewCategory) => refusal(make(account, input))
  expect(await refused({ path: 'tools/ÄRGER' })).toMatchObject({ code: 'conflict', names: ['path'] })
  expect(await refused({ path: 'New', supplierPaths: ['x', 'hand tools/SAWS/', 'drills'] })).toMatchObject({
    code: 'conflict',
    names: ['supplier_paths.1', 'supplier_paths.2'],
    message: expect.stringContaining('Tools/Ärger') as string,
  })
  for (const [path, ...supplierPaths] of [
    [''],
    ['/Tools'],
    ['Tools//Saws'],
    ['Tools/ '],
    ['x'.repeat(LIMITS.categoryLengthMax + 1)],
    ['a\0'],
    ['\ud800'],
  ] as [string, ...string[]][]) {
    expect(await refused({ path, supplierPaths }), JSON.stringify(path)).toMatchObject({
      code: 'invalid-input',
      names: expect.arrayContaining(['path']) as string[],
    })
  }
  expect(
    await refused({
      path: 'P',
      supplierPaths: ['ok', '', ' / ', 'OK ', 'a\0', 'x'.repeat(LIMITS.categoryLengthMax + 1)],
    }),
  ).toMatchObject({
    code: 'invalid-input',
    names: expect.arrayContaining([
      'supplier_paths.1',
      'supplier_paths.2',
      'supplier_paths.3',
      'supplier_paths.4',
      'supplier_paths.5',
    ]) as string[],
  })
  expect(
    (
      await refused({
        path: 'P',
        supplierPaths: Array.from({ length: LIMITS.supplierPathsPerCategoryMax + 1 }, (_, i) => `p${i}`),
      })
    ).names,
  ).toEqual(['supplier_paths'])
  const second = await make(account, { path: 'Second', supplierPaths: ['Planes'] })
  const edit = (id: number, changes: Partial<NewCategory>) =>
    inTransaction(database.db, (tx) => editCategory(tx, account.accountId, id, changes))
  expect(await refusal(edit(second, { path: 'tools/ärger' }))).toMatchObject({ code: 'conflict', names: ['path'] })
  expect(await refusal(edit(second, { supplierPaths: ['DRILLS'] }))).toMatchObject({
    code: 'conflict',
    names: ['supplier_paths.0'],
  })
  // its own path in another spelling is its own
  await edit(first, { path: 'TOOLS/Ärger', supplierPaths: ['drills'] })
  expect(await refusal(edit(99_999, { path: 'x' }))).toMatchObject({ code: 'unknown-reference' })
  expect(
    await refusal(inTransaction(database.db, (tx) => deleteCategory(tx, account.accountId, 99_999))),
  ).toMatchObject({ code: 'unknown-reference' })
  const stranger = await createAccount(bench, 'categories-stranger')
  expect(
    await refusal(inTransaction(database.db, (tx) => deleteCategory(tx, stranger.accountId, first))),
  ).toMatchObject({ code: 'unknown-reference' })
  expect((await list(account)).map((row) => [row.path, row.supplierPaths])).toEqual([
    ['TOOLS/Ärger', ['drills']],
    ['Second', ['Planes']],
  ])
})

test('one of two writers that map the same path at once is refused', async () => {
  const account = await createAccount(bench, 'categories-race')
  await using second = openNamed(database)
  await using first = await hold(database.db, (tx) =>
    createCategory(tx, account.accountId, { path: 'A', supplierPaths: ['x'] }),
  )
  const running = inTransaction(
    second.db,
    (tx) => createCategory(tx, account.accountId, { path: 'B', supplierPaths: ['X'] }),
    0,
  )
  const refused = refusal(running)
  expect(await second.fate(running)).toBe('blocked')
  await first.commit()
  expect(await refused).toMatchObject({ code: 'conflict', names: ['supplier_paths.0'] })
  expect((await list(account)).map((row) => row.path)).toEqual(['A'])
})
