import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusalsOf, rowGroupsOf } from '../../src/imports/runs/runs.sql.ts'
import { createAccount, type Bench } from '../harness/account.ts'
import type { TestDatabase } from '../harness/database.ts'
import { openRunBench, type RunBench } from './run-bench.ts'

// What a run says of rows that it does not refuse.

let database: TestDatabase
let bench: Bench
let runs: RunBench
beforeAll(async () => {
  runs = await openRunBench()
  ;({ database, bench } = runs)
})
afterAll(() => runs[Symbol.asyncDispose]())

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
    expect(await rowGroupsOf(database.db, account.accountId, run.runId)).toEqual(expected)
    // they are not among those that were refused
    expect(await refusalsOf(database.db, account.accountId, run.runId)).toMatchObject([{ field: 'cost', count: 1 }])
  }
})
