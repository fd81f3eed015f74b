import { expect, test } from 'vitest'
import { createExclusionRule } from '../../src/catalog/settings/rules/exclusion-rules.ts'
import { setAttributeDefinitions } from '../../src/catalog/settings/content/attribute-definitions.ts'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { createProducts } from '../../src/catalog/products/products.ts'
import { editProduct, setListing } from '../harness/product-edits.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { sweepStep } from '../../src/shelf/sweep.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// A sweep of contents computes no prices, and leaves other changes to marks and other sweeps.

const accounts = openCompiledAccounts()
const { database, bench } = worldOfFile()

const write = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work)

async function filled(name: string): Promise<{ account: TestAccount; ids: number[]; ruleId: number }> {
  const account = await createAccount(bench, name)
  const ids = await giveOffers(bench, account, [
    offer('A', { cost: '10', attributes: [{ key: 'color', value: 'red' }] }),
    offer('B', { cost: '100' }),
  ])
  const { value: ruleId } = await write((tx) => createRule(tx, account.accountId, { name: 'All', percent: '10' }))
  await write((tx) =>
    createExclusionRule(tx, account.accountId, { name: 'Cheap', kind: 'price_below', amount: '15', reason: 'cheap' }),
  )
  await bench.shelf.drain(account.accountId)
  return { account, ids, ruleId }
}

const NO_CHANGES = { overrides: [], attributeOverrides: [], attributeResets: [], listings: [], exclusions: [] }
const patterned = (accountId: number, skuPattern: string) => write((tx) => editAccount(tx, accountId, { skuPattern }))
const step = (accountId: number) => sweepStep(database.db, accounts, accountId)
const stored = (accountId: number) => database.db<
  { productId: number; sku: string; excluded: boolean; contents: string; prices: string; resolver: number }[]
>`
  select product_id as "productId", c.sku, ('{' || c.body || '}')::json ->> 'excluded' = 'true' as excluded, c.xmin::text as contents,
    p.xmin::text as prices, least(c.resolver, p.resolver) as resolver
  from payload_content c join payload_price p using (account_id, store_id, product_id)
  where account_id = ${accountId} order by store_id, product_id`

test('a pattern of SKUs and a definition of attributes rewrite content halves and no price half', async () => {
  const {
    account: { accountId },
  } = await filled('contents')
  const before = await stored(accountId)
  await patterned(accountId, 'X-{supplier_sku}')
  expect(await step(accountId)).toMatchObject({ products: 2, changes: 6 })
  const after = await stored(accountId)
  expect(after.map(({ sku }) => sku)).toEqual(['X-A', 'X-B', 'X-A', 'X-B', 'X-A', 'X-B'])
  expect(after.map(({ prices }) => prices)).toEqual(before.map(({ prices }) => prices))
  expect(after.map(({ contents }, i) => contents === before[i]?.contents)).not.toContain(true)
  // the exclusion of a product is not computed again, but kept
  expect(after.map(({ excluded }) => excluded)).toEqual(before.map(({ excluded }) => excluded))
  expect(after.some(({ excluded }) => excluded) && after.some(({ excluded }) => !excluded)).toBe(true)
  await expectAudited(database.db, accountId)
  await write((tx) =>
    setAttributeDefinitions(tx, accountId, [
      { key: 'color', unit: null, position: 1, labels: { de: 'Farbe', en: 'Color' } },
    ]),
  )
  expect(await step(accountId)).toMatchObject({ products: 2 })
  expect((await stored(accountId)).map(({ prices }) => prices)).toEqual(before.map(({ prices }) => prices))
  await expectAudited(database.db, accountId)
})

test('whether a price is the public one is said by prices: a choice of it is no sweep of contents', async () => {
  const {
    account: { accountId },
  } = await filled('members')
  const before = await stored(accountId)
  await write((tx) => editAccount(tx, accountId, { additionalMembers: ['created_at'] }))
  await step(accountId)
  expect((await stored(accountId)).map(({ prices }) => prices)).toEqual(before.map(({ prices }) => prices))
  await expectAudited(database.db, accountId)
  await write((tx) => editAccount(tx, accountId, { additionalMembers: ['created_at', 'prices_is_default'] }))
  await step(accountId)
  await expectAudited(database.db, accountId)
})

test('when contents last changed is said by those of a sweep as well', async () => {
  const {
    account: { accountId },
  } = await filled('dated')
  await write((tx) => editAccount(tx, accountId, { additionalMembers: ['updated_at'] }))
  await step(accountId)
  const saying = () => database.db<{ at: string }[]>`
    select ('{' || body || '}')::json ->> 'updated_at' as at from payload_content where account_id = ${accountId}
      and ('{' || body || '}')::json ->> 'updated_at' is not null`
  const first = await saying()
  expect(first).toHaveLength(6)
  await write((tx) =>
    setAttributeDefinitions(tx, accountId, [{ key: 'never-used', unit: null, position: 1, labels: { de: 'Nie' } }]),
  )
  expect(await step(accountId)).toMatchObject({ changes: 0 })
  expect(await saying()).toEqual(first)
  // whole seconds
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await patterned(accountId, 'X-{supplier_sku}')
  await step(accountId)
  expect((await saying()).map(({ at }, i) => at > first[i]!.at)).not.toContain(false)
  await expectAudited(database.db, accountId)
})

test('what waits in marks stays there: prices, products that are new, taken out, listed again and excluded', async () => {
  const {
    account,
    ids: [a, b],
  } = await filled('marks')
  const { accountId, storeIds } = account
  await write((tx) => setListing(tx, accountId, storeIds[1], [a!], false))
  await bench.shelf.drain(accountId)
  const marks = async () => (await database.db`select from mark where account_id = ${accountId}`).length
  await write((tx) => createProducts(tx, accountId, [{ sku: 'N', ean: '4006381333931' }]))
  await write((tx) => setListing(tx, accountId, storeIds[1], [a!], true))
  await write((tx) => setListing(tx, accountId, storeIds[0], [b!], false))
  await write((tx) =>
    editProduct(tx, accountId, b!, { ...NO_CHANGES, exclusions: [{ storeId: storeIds[2], reason: 'by hand' }] }),
  )
  const waiting = await marks()
  const before = await stored(accountId)
  await patterned(accountId, 'X-{supplier_sku}{id}')
  await step(accountId)
  expect(await marks()).toBe(waiting)
  const after = await stored(accountId)
  // unchanged: products are listed, removed and excluded by their marks, not by this sweep
  expect(after.map(({ productId }) => productId)).toEqual(before.map(({ productId }) => productId))
  expect(after.map(({ excluded }) => excluded)).toEqual(before.map(({ excluded }) => excluded))
  expect(after.map(({ prices }) => prices)).toEqual(before.map(({ prices }) => prices))
  await bench.shelf.drain(accountId)
  await expectAudited(database.db, accountId)
})

test('payloads of an older resolver are resolved as a whole', async () => {
  const {
    account: { accountId },
    ids: [a],
  } = await filled('older')
  await database.db`update payload_price set resolver = resolver - 1, body = '"prices":[],"stock":0', tag = 'old'
    where account_id = ${accountId} and product_id = ${a!}`
  await patterned(accountId, 'X-{supplier_sku}')
  await step(accountId)
  const rows = await stored(accountId)
  expect(new Set(rows.map(({ resolver }) => resolver)).size).toBe(1)
  const [body] = await database.db<{ prices: number }[]>`
    select json_array_length(('{' || body || '}')::json -> 'prices') as prices from payload_price
    where account_id = ${accountId} and product_id = ${a!} limit 1`
  expect(body!.prices).toBe(2)
  expect(rows.map(({ sku }) => sku)).toEqual(['X-A', 'X-B', 'X-A', 'X-B', 'X-A', 'X-B'])
})

test('merged with a sweep of prices it goes over whole products', async () => {
  const {
    account: { accountId },
    ruleId,
  } = await filled('merged')
  await patterned(accountId, 'X-{supplier_sku}')
  await write((tx) => editRule(tx, accountId, ruleId, { percent: '60' }))
  await step(accountId)
  const rows = await stored(accountId)
  expect(rows.map(({ excluded }) => excluded)).not.toContain(true)
  expect(rows.map(({ sku }) => sku)).toEqual(['X-A', 'X-B', 'X-A', 'X-B', 'X-A', 'X-B'])
  await expectAudited(database.db, accountId)
})

test('of many products those of an older resolver are resolved with all of their inputs, and the others as before', async () => {
  const account = await createAccount(bench, 'many')
  const { accountId, storeIds } = account
  const skus = Array.from({ length: 250 }, (_, i) => `S${i}`)
  const ids = await giveOffers(
    bench,
    account,
    skus.map((sku) => offer(sku)),
  )
  await write((tx) => editAccount(tx, accountId, { additionalMembers: ['slug'] }))
  for (const id of [ids[3]!, ids[180]!])
    await write((tx) =>
      editProduct(tx, accountId, id, { ...NO_CHANGES, exclusions: [{ storeId: storeIds[0], reason: 'by hand' }] }),
    )
  await bench.shelf.drain(accountId)
  // every second product, so that each slice has some
  await database.db`update payload_price set resolver = resolver - 1
    where account_id = ${accountId} and product_id = any(${ids.filter((_, i) => i % 2 === 1 || i === 180)}::bigint[])`
  await patterned(accountId, 'X-{supplier_sku}')
  expect(await step(accountId)).toMatchObject({ products: 250, changes: 750 })
  const rows = await stored(accountId)
  expect(new Set(rows.map(({ resolver }) => resolver)).size).toBe(1)
  expect(rows.filter(({ excluded }) => excluded)).toHaveLength(2)
  await expectAudited(database.db, accountId)
})
