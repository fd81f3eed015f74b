import { expect, test } from 'vitest'
import { createVariantGroup } from '../../src/catalog/products/variants/variant-groups.ts'
import { expectAudited, createAccount } from '../harness/account.ts'
import { ofFile } from '../harness/world.ts'
import { MAPPING, openRunBench } from './run-bench.ts'

// The undo of a file that grouped articles differently restores the earlier groups, and does not change those made by hand.

const runs = ofFile(openRunBench)
const mapping = {
  ...MAPPING,
  fields: {
    ...MAPPING.fields,
    group_key: 'model',
    group_options: [{ key: 'size', column: 'size' }],
  },
}

test('an import that groups articles otherwise is undone: those that were together are, and what is grouped by hand stayed', async () => {
  const { database, bench } = runs
  const account = await createAccount(bench)
  const { accountId, storeIds } = account
  const groups = async () => {
    const rows = await database.db<{ sku: string; group: { id: number; options: { value: string }[] } | null }[]>`
      select o.supplier_sku as sku, ('{' || c.body || '}')::jsonb -> 'group' as group
      from payload_content c join offer o on o.account_id = ${accountId} and o.product_id = c.product_id
      where c.account_id = ${accountId} and c.store_id = ${storeIds[0]} order by 1`
    return rows.map(({ sku, group }) => [sku, group?.id ?? null, group?.options.map(({ value }) => value) ?? []])
  }
  const head = 'sku,cost,qty,title,ean,model,size\n'
  const first = `${head}A,1,1,A,,tee,S\nB,1,1,B,,tee,M\nC,1,1,C,,tee,L\nD,1,1,D,,,\n`
  expect(await runs.bring(account, first, { mapping })).toMatchObject({ state: 'succeeded', created: 4 })
  const [productId] = await database.db<{ productId: number }[]>`
    select product_id as "productId" from offer where account_id = ${accountId} and supplier_sku = 'C'`
  const { value: own } = await bench.shelf.write(accountId, (tx) =>
    createVariantGroup(tx, accountId, { products: [{ productId: productId!.productId }] }),
  )
  await bench.shelf.drain(accountId)
  const before = await groups()
  const tee = before[0]![1]
  expect(before).toEqual([
    ['A', tee, ['S']],
    ['B', tee, ['M']],
    ['C', own, ['L']],
    ['D', null, []],
  ])
  const bad = `${head}A,1,1,A,,mug,S\nB,1,1,B,,,\nC,1,1,C,,mug,XL\nD,1,1,D,,mug,M\n`
  const { runId } = await runs.bring(account, bad, { mapping })
  const [a, b, c, d] = await groups()
  expect([a, b, c, d]).toEqual([
    ['A', d![1], ['S']],
    ['B', null, []],
    // the supplier's size is shown, in the group that the owner chose
    ['C', own, ['XL']],
    ['D', a![1], ['M']],
  ])
  await runs.undo(account, runId)
  await bench.shelf.drain(accountId)
  const after = await groups()
  // the id of a group that became empty is not used again
  expect(after).toEqual([
    ['A', expect.any(Number), ['S']],
    ['B', after[0]![1], ['M']],
    ['C', own, ['L']],
    ['D', null, []],
  ])
  await expectAudited(database.db, accountId)
})
