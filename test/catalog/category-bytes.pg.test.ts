import { expect, test } from 'vitest'
import { createCategory, editCategory, type NewCategory } from '../../src/catalog/settings/content/categories.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { defaultLimits, setDefaultLimits } from '../../src/platform/limits/account-limits.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount } from '../harness/account.ts'
import { recordStatements } from '../harness/plans.ts'
import { refusal } from '../harness/refusal.ts'
import { client, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// The bytes of categories are a budget of the account, and a write of one category reads no other.

const { database, service } = worldOfFile({ service: {} })

async function withCategories(name: string) {
  const { accountId } = await createAccount(service.runtime, name)
  const { db } = database
  return {
    accountId,
    make: (input: NewCategory) => inTransaction(db, async (tx) => (await createCategory(tx, accountId, input)).value),
    edit: (id: number, changes: Partial<NewCategory>) =>
      inTransaction(db, (tx) => editCategory(tx, accountId, id, changes)),
    http: client(service.url, await tokenFor(service.runtime, accountId, 'full')),
  }
}

/** The statements that read categories during `work`. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent = await recordStatements([database.db, service.runtime.db], work)
  return sent.map(({ text }) => text.replaceAll(/\s+/g, ' ')).filter((text) => text.includes('from category'))
}

test('categories beyond the account’s budget are refused; what takes no more is not, and no other account pays for it (I179)', async () => {
  const account = await withCategories('category budget')
  const first = await account.make({ path: 'A', supplierPaths: ['x'.repeat(200)] })
  const second = await account.make({ path: 'B', supplierPaths: ['y'.repeat(100)], names: { en: 'é' } })
  setDefaultLimits(defaultLimits(0, { category_bytes: 300 }))
  try {
    const over = { code: 'quota-exceeded', names: ['category_bytes'] }
    // the new limit is below the present use: the categories stay, but cannot grow
    expect(await refusal(account.make({ path: 'C' }))).toMatchObject(over)
    expect(await refusal(account.edit(first, { supplierPaths: ['x'.repeat(201)] }))).toMatchObject(over)
    expect(await refusal(account.edit(second, { externalId: '1' }))).toMatchObject(over)
    await account.edit(first, { supplierPaths: ['z'.repeat(200)], position: 3 })
    await account.edit(second, { supplierPaths: [] })
    await account.make({ path: 'C' })
    const { body } = await account.http('/v1/account/limits')
    const told = (body.data as { budget: string; used: number; limit: number }[]).find(
      ({ budget }) => budget === 'category_bytes',
    )
    // A with 200 characters and {}, B with {"en": "é"}, C with {}
    expect(told).toMatchObject({ used: 203 + 13 + 3, limit: 300 })
    const beside = await withCategories('beside the category budget')
    await beside.make({ path: 'A', supplierPaths: ['x'.repeat(200)] })
  } finally {
    setDefaultLimits(defaultLimits(0, {}))
  }
})

test('one category is read without the others, and a page of large ones ends early (I179)', async () => {
  const account = await withCategories('category pages')
  const made: number[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    made.push(await account.make({ path: name, supplierPaths: [name.repeat(150)] }))
  const { categoryPageBytes: most } = LIMITS
  Object.assign(LIMITS, { categoryPageBytes: 250 })
  try {
    const read: number[] = []
    const sizes: number[] = []
    const paged = await statementsOf(async () => {
      for (let after: number | null = 0; after !== null;) {
        const { status, body } = await account.http(`/v1/account/categories?per_page=4&after=${after}`)
        expect([status, body.meta]).toMatchObject([200, { total: 5, per_page: 4 }])
        const rows = body.data as { id: number }[]
        read.push(...rows.map(({ id }) => id))
        sizes.push(rows.length)
        after = (body.meta as { next_after: number | null }).next_after
      }
    })
    expect([read, sizes]).toEqual([made, [2, 2, 1]])
    const alone = await statementsOf(async () => {
      expect((await account.http(`/v1/account/categories/${made[1]}`)).body.data).toMatchObject({ path: 'b' })
      expect((await account.http('/v1/account/categories/999999')).status).toBe(404)
    })
    const listed = [...paged, ...alone].filter((text) => text.includes('supplier_paths as "supplierPaths"'))
    expect(listed.filter((text) => !/category_id (= \$\d|> \$\d+ order by category_id limit \$\d)/.test(text))).toEqual(
      [],
    )
    expect(alone.length).toBeGreaterThan(1)
  } finally {
    Object.assign(LIMITS, { categoryPageBytes: most })
  }
})

test('what all categories take is counted once for a write that takes more, and not at all for another', async () => {
  const account = await withCategories('category counts')
  const first = await account.make({ path: 'First', supplierPaths: ['a'.repeat(40)] })
  const counted = async (work: () => Promise<unknown>) =>
    (await statementsOf(work)).filter((text) => /count\(\*\)/.test(text) && !/category_id = any/.test(text)).length
  expect(await counted(() => account.make({ path: 'Second' }))).toBe(1)
  expect(await counted(() => account.edit(first, { supplierPaths: ['b'.repeat(41)] }))).toBe(1)
  expect(await counted(() => account.edit(first, { supplierPaths: ['c'.repeat(41)], position: 3 }))).toBe(0)
})

test('suppliers’ paths of other categories are read only if some are added, in slices, and compared as those of products are (I179)', async () => {
  const account = await withCategories('category writes')
  const first = await account.make({ path: 'First', supplierPaths: ['Ta\u0308ler / Zwei', 'b'.repeat(40)] })
  const second = await account.make({ path: 'Second', supplierPaths: ['c'.repeat(40), 'Löffel'] })
  const third = await account.make({ path: 'Third', supplierPaths: ['d'.repeat(40)] })
  const isRead = (text: string) => text.includes('supplier_paths as "supplierPaths"') && !/category_id = \$/.test(text)
  const without = await statementsOf(async () => {
    await account.make({ path: 'Fourth' })
    await account.edit(third, { path: 'More', position: 2, names: { en: 'Third' } })
    await account.edit(second, { supplierPaths: ['Löffel'] })
  })
  expect(without.filter(isRead)).toEqual([])
  const { categoryMappedCharactersRead: most } = LIMITS
  Object.assign(LIMITS, { categoryMappedCharactersRead: 30 })
  try {
    const added = await statementsOf(async () => {
      expect(
        await refusal(account.edit(third, { supplierPaths: ['d'.repeat(40), 'täler/ZWEI', 'LÖFFEL'] })),
      ).toMatchObject({ code: 'conflict', names: ['supplier_paths.1', 'supplier_paths.2'] })
    })
    expect(added.filter(isRead)).toHaveLength(2)
  } finally {
    Object.assign(LIMITS, { categoryMappedCharactersRead: most })
  }
  // another spelling of its own path is no conflict
  await account.edit(first, { supplierPaths: ['TÄLER/zwei'] })
})
