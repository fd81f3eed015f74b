import { beforeAll, expect, test } from 'vitest'
import { runGroups } from '../../src/imports/runs/runs.sql.ts'
import { createAccount, type Bench } from '../harness/account.ts'
import type { TestDatabase } from '../harness/database.ts'
import { openRunBench } from './run-bench.ts'
import { ofFile } from '../harness/world.ts'

// The remarks of a run about rows that it does not refuse.

let database: TestDatabase
let bench: Bench
const runs = ofFile(openRunBench)
beforeAll(async () => {
  ;({ database, bench } = runs)
})

test('rows that are left out are told by what leaves them out, and rows without a cost apart from them', async () => {
  const account = await createAccount(bench)
  const mapping = {
    fields: { sku: 'sku', cost: 'cost', quantity: 'qty', title: 'name' },
    locale: 'en',
    skip: [
      { column: 'sku', matches: '^Sum' },
      { column: 'name', in: ['sample'] },
    ],
  }
  const lines = ['sku,name,cost,qty', 'Tools,All tools,,', 'A,Spade,1,1', 'B,sample,2,2', 'Sum,,3,', 'Sum of all,,4,']
  const content = `${[...lines, 'Garden,,,', 'Paint,,,', 'C,x,y,1'].join('\n')}\n`
  const expected = [
    {
      kind: 'without-cost',
      condition: null,
      count: 3,
      examples: [
        { line: 2, cells: ['Tools', 'All tools'] },
        { line: 7, cells: ['Garden'] },
      ],
    },
    {
      kind: 'left-out',
      condition: { column: 'sku', matches: '^Sum' },
      count: 2,
      examples: [
        { line: 5, cells: ['Sum', '3'] },
        { line: 6, cells: ['Sum of all', '4'] },
      ],
    },
    {
      kind: 'left-out',
      condition: { column: 'name', in: ['sample'] },
      count: 1,
      examples: [{ line: 4, cells: ['B', 'sample', '2', '2'] }],
    },
  ]
  for (const isDryRun of [true, false]) {
    const run = await runs.bring(account, content, { mapping, isDryRun, isConfirmed: true })
    expect(run).toMatchObject({ state: 'succeeded', skipped: 3, refused: 1, created: 4 })
    const { rowGroups, refusals } = await runGroups(database.db, account.accountId, run.runId)
    expect(rowGroups).toEqual(expected)
    // they are not among the refused rows
    expect(refusals).toMatchObject([{ field: 'cost', count: 1 }])
  }
})

test('sums, repeated headers and notes are no articles; an offer with such a key is kept', async () => {
  const account = await createAccount(bench)
  const fields = { sku: 'sku', title: 'name', cost: 'cost', quantity: 'qty' }
  const mapping = { fields, locale: 'en' }
  const articles = ['sku,name,cost,qty', 'A,Spade,1,1', 'B,Hoe,2,2', 'C,Rake,3,3']
  await runs.bring(account, `${[...articles, 'Total,Washing powder,4,4', 'Gone,Shovel,5,5'].join('\n')}\n`, { mapping })
  const remarks = ['sku,name,cost,qty', 'Prices are valid until 31.12.2026', 'Total,,10,6', '"Sum: 3 articles",,,']
  const content = `${[...articles, ...remarks].join('\n')}\n`
  for (const isDryRun of [true, false]) {
    const run = await runs.bring(account, content, { mapping, mode: 'full', isDryRun, isConfirmed: true })
    expect(run).toMatchObject({ state: 'succeeded', rows: 7, skipped: 4, refused: 0, created: 0, zeroed: 1, stale: 1 })
    expect((await runGroups(database.db, account.accountId, run.runId)).rowGroups).toMatchObject([
      { kind: 'sum', condition: null, count: 2, examples: [{ line: 7 }, { line: 8, cells: ['Sum: 3 articles'] }] },
      { kind: 'header', count: 1, examples: [{ line: 5, cells: ['sku', 'name', 'cost', 'qty'] }] },
      { kind: 'note', count: 1, examples: [{ line: 6, cells: ['Prices are valid until 31.12.2026'] }] },
    ])
  }
  const offers = await database.db`select supplier_sku as sku, quantity from offer
    where account_id = ${account.accountId} order by supplier_sku`
  expect(offers).toEqual([
    { sku: 'A', quantity: 1 },
    { sku: 'B', quantity: 2 },
    { sku: 'C', quantity: 3 },
    { sku: 'Gone', quantity: 0 },
    { sku: 'Total', quantity: 4 },
  ])
})

test('values of optional fields that cannot be read cost neither the row nor what the offer has, and are told in groups', async () => {
  const account = await createAccount(bench)
  const fields = { sku: 'sku', cost: 'cost', quantity: 'qty', title: 'name', ean: 'ean', images: 'image' }
  const attributes = ['weight', 'color'].map((key) => ({
    key,
    column: key,
    ...(key === 'weight' ? { number: true } : {}),
  }))
  const mapping = { fields: { ...fields, attributes }, locale: 'en' }
  const file = (...lines: string[]) => `${['sku,name,cost,qty,ean,image,weight,color', ...lines].join('\n')}\n`
  const good = 'A,Spade,1,1,4006381333931,https://pictures.example/a.jpg,2.5,red'
  await runs.bring(account, file(good), { mapping })
  const bad = ['A,Spade,3,4,n/a,-,heavy,blue', 'B,Hoe,2,2,4.00638E+12,img/7.jpg,n/a,', 'C,Rake,5,3,,-,1,']
  for (const isDryRun of [true, false]) {
    const run = await runs.bring(account, file(...bad), { mapping, isDryRun })
    expect(run).toMatchObject({ state: 'succeeded', refused: 0, stale: 0, created: 2, changed: 1 })
    const { refusals, dropped } = await runGroups(database.db, account.accountId, run.runId)
    expect(refusals).toEqual([])
    expect(dropped.map(({ field, count, examples }) => [field, count, examples[0]?.line])).toEqual([
      ['images', 2, 2],
      ['ean', 1, 2],
      ['ean', 1, 3],
      ['attributes.weight', 1, 2],
      ['attributes.weight', 1, 3],
      ['images', 1, 3],
    ])
  }
  const offer = (sku: string) =>
    database.db`select o.cost::float8 as cost, quantity, attributes, images,
        array(select ean from product_ean e where e.account_id = o.account_id and e.supplier_id = o.supplier_id
          and e.supplier_sku = o.supplier_sku) as eans
      from offer o join offer_content c using (account_id, supplier_id, supplier_sku)
      where o.account_id = ${account.accountId} and o.supplier_sku = ${sku}`
  expect(await offer('A')).toMatchObject([
    {
      cost: 3,
      quantity: 4,
      eans: ['4006381333931'],
      images: ['https://pictures.example/a.jpg'],
      attributes: [
        { key: 'weight', value: '2.5' },
        { key: 'color', value: 'blue' },
      ],
    },
  ])
  expect(await offer('B')).toMatchObject([{ cost: 2, quantity: 2, eans: [], images: [], attributes: [] }])
})
