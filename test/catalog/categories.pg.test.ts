import { describe, expect, test } from 'vitest'
import { categoriesList } from '../../src/catalog/settings/content/categories.sql.ts'
import {
  type CategoryChanges,
  createCategory,
  deleteCategory,
  editCategory,
  type NewCategory,
} from '../../src/catalog/settings/content/categories.ts'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setOverrides } from '../../src/catalog/products/products.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { explainProduct } from '../../src/shelf/reads/explain.ts'
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

test('a category that is created, edited and deleted changes the prices of products that suppliers’ paths bring into it, and of none that an override does', async () => {
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
  expect(await list(account)).toEqual([
    {
      categoryId: id,
      path: 'Workshop/Hand',
      supplierPaths: ['tools/HAND tools'],
      names: {},
      externalId: null,
      position: 0,
      taxClass: null,
    },
  ])
  expect(await prices(account)).toEqual({ [saw]: 20, [lamp]: 12.5, [byHand]: 20 })
  expect(await category(saw)).toMatchObject({ value: 'Workshop/Hand', stated: 'Tools/Hand tools/Saws' })
  // the longer path is mapped to another category
  const { value: other } = await say(account, (tx) =>
    createCategory(tx, accountId, { path: 'Cutting', supplierPaths: ['Tools/Hand tools/Saws', 'Nothing'] }),
  )
  expect(await prices(account)).toEqual({ [saw]: 12.5, [lamp]: 12.5, [byHand]: 20 })
  await say(account, (tx) => editCategory(tx, accountId, other, { supplierPaths: [] }))
  expect(await prices(account)).toMatchObject({ [saw]: 20 })
  // after a rename the rule still names the old path
  await say(account, (tx) => editCategory(tx, accountId, id, { path: 'Shed' }))
  expect(await prices(account)).toEqual({ [saw]: 12.5, [lamp]: 12.5, [byHand]: 20 })
  await say(account, (tx) => editCategory(tx, accountId, id, { path: 'Workshop', supplierPaths: ['Tools', 'Light'] }))
  expect(await prices(account)).toEqual({ [saw]: 20, [lamp]: 20, [byHand]: 20 })
  await say(account, (tx) => deleteCategory(tx, accountId, id))
  expect(await prices(account)).toEqual({ [saw]: 12.5, [lamp]: 12.5, [byHand]: 20 })
  expect(await category(saw)).toMatchObject({ value: 'Tools/Hand tools/Saws' })
  expect((await list(account)).map((row) => row.path)).toEqual(['Cutting'])
})

test('only a change on which payloads can depend causes a sweep, and an edit that changes nothing writes nothing', async () => {
  const account = await createAccount(bench, 'categories-swept')
  const { accountId } = account
  const state = async () => {
    const [row] = await database.db<{ sweeps: number; version: number }[]>`
      select (select count(*)::int from sweep where account_id = ${accountId}) as sweeps, version from account_inputs where account_id = ${accountId}`
    return row!
  }
  const { version } = await state()
  const own = { names: { de: 'Eigene', en: 'Own ones' }, externalId: '17', position: 3 }
  const id = await make(account, { path: 'Own', ...own })
  // a sweep even without mapped paths, because an override may name the path
  expect(await state()).toEqual({ sweeps: 1, version: version + 1 })
  const edit = (changes: CategoryChanges) =>
    inTransaction(database.db, (tx) => editCategory(tx, accountId, id, changes))
  await edit({ path: ' Own ', supplierPaths: [], names: { de: ' Eigene ' }, externalId: ' 17', position: 3 })
  expect(await state()).toEqual({ sweeps: 1, version: version + 1 })
  // no sweep, because payloads do not have the position
  await edit({ position: -4 })
  expect(await state()).toEqual({ sweeps: 1, version: version + 1 })
  expect(await list(account)).toMatchObject([{ ...own, position: -4 }])
  for (const changes of [
    { supplierPaths: ['a'] },
    { names: { de: null } },
    { names: null },
    { externalId: null },
    { path: 'Elsewhere' },
  ])
    await edit(changes)
  expect(await state()).toEqual({ sweeps: 6, version: version + 6 })
  expect(await list(account)).toEqual([
    {
      categoryId: id,
      path: 'Elsewhere',
      supplierPaths: ['a'],
      names: {},
      externalId: null,
      position: -4,
      taxClass: null,
    },
  ])
  await inTransaction(database.db, (tx) => deleteCategory(tx, accountId, id))
  expect(await state()).toEqual({ sweeps: 7, version: version + 7 })
})

describe('a branch', () => {
  const edit = (account: TestAccount, id: number, changes: CategoryChanges) =>
    inTransaction(database.db, (tx) => editCategory(tx, account.accountId, id, changes))
  const paths = async (account: TestAccount) => (await list(account)).map(({ path }) => path)

  test('moves with all categories below it, and payloads show its new path', async () => {
    const account = await createAccount(bench, 'categories-branch')
    const { accountId } = account
    const [saw = 0, byHand = 0, other = 0] = await giveOffers(bench, account, [
      offer('S', { category: 'Saws' }),
      offer('H', { category: 'Nothing' }),
      offer('O', { category: 'Nothing' }),
    ])
    const workshop = await make(account, { path: 'Workshop', names: { en: 'The workshop' } })
    const saws = await make(account, { path: 'workshop/Hand/Saws', supplierPaths: ['Saws'], externalId: 's' })
    const shed = await make(account, { path: 'Garden', names: { en: 'Shed' } })
    await make(account, { path: 'Workshops' })
    await say(account, async (tx) => {
      await setOverrides(tx, accountId, [{ productId: byHand, field: 'category', locale: '', value: 'Workshop' }])
    })
    const shown = async () => {
      const rows = await database.db<{ productId: number; body: string }[]>`
        select product_id as "productId", '{' || body || '}' as body from payload_content
        where account_id = ${accountId} and store_id = ${account.storeIds[0]}`
      return Object.fromEntries(
        rows.map(({ productId, body }) => [productId, (JSON.parse(body) as { categories?: unknown }).categories]),
      )
    }
    const inSaws = (path: string) => [{ id: saws, path, external_id: 's' }]
    expect(await shown()).toEqual({
      [saw]: inSaws('The workshop > Hand > Saws'),
      [byHand]: [{ id: workshop, path: 'The workshop', external_id: null }],
      [other]: undefined,
    })
    await say(account, (tx) => editCategory(tx, accountId, workshop, { path: 'GARDEN/Work' }))
    expect(await paths(account)).toEqual(['GARDEN/Work', 'GARDEN/Work/Hand/Saws', 'Garden', 'Workshops'])
    // the override keeps the path that it names
    expect(await shown()).toEqual({
      [saw]: inSaws('Shed > The workshop > Hand > Saws'),
      [byHand]: undefined,
      [other]: undefined,
    })
    await say(account, (tx) => deleteCategory(tx, accountId, shed))
    expect((await shown())[saw]).toEqual(inSaws('GARDEN > The workshop > Hand > Saws'))
    await say(account, (tx) => editCategory(tx, accountId, workshop, { path: 'workshop' }))
    expect(await paths(account)).toEqual(['workshop', 'workshop/Hand/Saws', 'Workshops'])
    expect(await shown()).toMatchObject({
      [saw]: inSaws('The workshop > Hand > Saws'),
      [byHand]: [{ id: workshop }],
    })
  })

  test('moves up together with all below it, each of which takes the path that the next one leaves', async () => {
    const account = await createAccount(bench, 'categories-up')
    const ids = []
    for (let depth = 2; depth <= 20; depth++)
      ids.push(await make(account, { path: Array.from({ length: depth }, () => 'A').join('/') }))
    await edit(account, ids[0]!, { path: 'a' })
    expect((await paths(account)).map((path) => path.split('/').length)).toEqual(
      Array.from({ length: 19 }, (_, i) => i + 1),
    )
    expect((await paths(account))[2]).toBe('a/A/A')
  })

  test('can not move below itself, to a path that is taken, too deep or too long; then nothing has moved', async () => {
    const account = await createAccount(bench, 'categories-loop')
    const root = await make(account, { path: 'Root' })
    await make(account, { path: 'Root/a/b' })
    await make(account, { path: 'Other' })
    await make(account, { path: 'Other/x/A/B' })
    const before = await list(account)
    for (const path of ['Root/new', 'root/a/b', 'ROOT/a/b/c'])
      expect(await refusal(edit(account, root, { path }))).toMatchObject({
        code: 'invalid-input',
        names: ['path'],
        message: expect.stringContaining('must not be below "Root"') as string,
      })
    expect(await refusal(edit(account, root, { path: 'other/X' }))).toMatchObject({
      code: 'conflict',
      names: ['path'],
      message: expect.stringContaining('"Other/x/A/B"') as string,
    })
    expect(await refusal(edit(account, root, { path: 'other' }))).toMatchObject({ code: 'conflict', names: ['path'] })
    const deep = (levels: number) => Array.from({ length: levels }, (_, i) => `L${i}`).join('/')
    expect(await refusal(edit(account, root, { path: deep(LIMITS.categoryLevelsMax - 1) }))).toMatchObject({
      code: 'invalid-input',
      names: ['path'],
      message: expect.stringContaining('moves "Root/a/b" to a path that must have at most 20 levels') as string,
    })
    expect(await refusal(edit(account, root, { path: 'x'.repeat(LIMITS.categoryLengthMax) }))).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('moves "Root/a/b"') as string,
    })
    expect(await list(account)).toEqual(before)
    await edit(account, root, { path: deep(LIMITS.categoryLevelsMax - 2) })
    expect((await paths(account))[1]?.split('/')).toHaveLength(LIMITS.categoryLevelsMax)
  })
})

test('names and the external ID are checked, and an external ID belongs to one category', async () => {
  const account = await createAccount(bench, 'categories-names')
  const refused = (input: Omit<NewCategory, 'path'>) => refusal(make(account, { path: 'P', ...input }))
  await make(account, { path: 'First', externalId: '0017', names: { de: 'Gleich', ar: 'أدوات' } })
  // two categories may have the same name; paths and IDs must differ
  await make(account, { path: 'Second', names: { DE: 'Gleich' } })
  expect((await list(account)).map(({ names }) => names)).toEqual([{ de: 'Gleich', ar: 'أدوات' }, { de: 'Gleich' }])
  expect(await refused({ externalId: ' 0017 ' })).toMatchObject({
    code: 'conflict',
    names: ['external_id'],
    message: expect.stringContaining('"First"') as string,
  })
  for (const externalId of ['', ' ', 'x'.repeat(LIMITS.nameLengthMax + 1), 'a\0'])
    expect(await refused({ externalId })).toMatchObject({ code: 'invalid-input', names: ['external_id'] })
  for (const names of [
    { de: '' },
    { de: 'x'.repeat(5_000) },
    { xx_yy: 'a' },
    { de: 'a', DE: 'b' },
    Object.fromEntries(Array.from({ length: LIMITS.localesPerDefinitionMax + 1 }, (_, i) => [`en-x-a${i}`, 'a'])),
  ] as Record<string, string>[])
    expect(await refused({ names })).toMatchObject({
      code: 'invalid-input',
      names: [expect.stringMatching(/^names/) as string],
    })
  for (const position of [0.5, LIMITS.priorityMax + 1, Number.NaN])
    expect(await refused({ position })).toMatchObject({ code: 'invalid-input', names: ['position'] })
  const levels = Array.from({ length: LIMITS.categoryLevelsMax + 1 }, () => 'a').join('/')
  expect(await refusal(make(account, { path: levels }))).toMatchObject({ code: 'invalid-input', names: ['path'] })
  // another account has its own
  const stranger = await createAccount(bench, 'categories-names-2')
  await make(stranger, { path: 'First', externalId: '0017' })
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
  // another spelling of its own path is no conflict
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
