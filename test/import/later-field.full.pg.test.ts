import { expect, test } from 'vitest'
import type * as openedDb from '../../src/db/open-db.ts'
import { createAccount } from '../harness/account.ts'
import { copyTree, LATER_FIELD } from '../harness/copied-tree.ts'
import type * as runBench from './run-bench.ts'
import { openRunBench } from './run-bench.ts'
import { ofFile } from '../harness/world.ts'

// A release that adds a field of products recognizes the offers of an existing database as unchanged, and can undo runs of the
// previous release.

const runs = ofFile(openRunBench)

const FILE = `sku,cost,qty,title,ean,maker
A,10.50,5,Spade,4006381333931,Stabilo
B,8,1,Rake,,
C,7,0,Hoe,9780201379624,Acme
`
const FIELDS = {
  sku: 'sku',
  cost: 'cost',
  quantity: 'qty',
  title: 'title',
  ean: 'ean',
  manufacturer: 'maker',
}
const MAPPING = { format: 'csv', locale: 'en', fields: FIELDS }

test('a file that is imported again after a field was added changes nothing, and runs from before can be undone', async () => {
  const { db } = runs.database
  const account = await createAccount(runs.bench)
  const mapping = { mapping: MAPPING }
  expect(await runs.bring(account, FILE, mapping)).toMatchObject({ created: 3 })
  const rows = async () =>
    db`select o.supplier_sku, o.feed_hash, o.xmin::text as offer, c.xmin::text as content
      from offer o join offer_content c using (account_id, product_id, supplier_id, supplier_sku)
      where o.account_id = ${account.accountId} order by 1`
  const first = await rows()
  const bad = await runs.bring(account, FILE.replace('Rake', 'Rage').replace('Acme', ''), {
    ...mapping,
    isConfirmed: true,
  })
  expect(bad).toMatchObject({ changed: 2, unchanged: 1 })

  // the next release, with its migration and its code
  await db`alter table offer_content add column later text`
  await using copy = await copyTree(
    ['contract', 'src', 'test/harness', 'test/import', 'migrations', 'package.json'],
    LATER_FIELD,
  )
  const { openDb } = await copy.import<typeof openedDb>('src/db/open-db.ts')
  const laterBench = await copy.import<typeof runBench>('test/import/run-bench.ts')
  const laterDb = openDb({ url: runs.database.url, connectionsMax: 8 })
  await using later = await laterBench.openRunBench({
    ...runs.database,
    db: laterDb,
    [Symbol.asyncDispose]: () => laterDb.end(),
  })
  const undone = await later.undo(account, bad.runId)
  expect(undone).toMatchObject({ state: 'succeeded', changed: 2, refused: 0 })
  const before = await rows()
  expect(before.map((row) => row['feed_hash'])).toEqual(first.map((row) => row['feed_hash']))
  expect(await later.bring(account, FILE, mapping)).toMatchObject({ created: 0, changed: 0, unchanged: 3 })
  expect(await rows()).toEqual(before)

  // the new field is imported; an offer without it is unchanged
  const withLater = { mapping: { ...MAPPING, fields: { ...FIELDS, later: 'maker' } } }
  expect(await later.bring(account, FILE, withLater)).toMatchObject({ changed: 2, unchanged: 1 })
  expect(await later.bring(account, FILE, withLater)).toMatchObject({ changed: 0, unchanged: 3 })
  expect(
    await db`select later from offer_content where account_id = ${account.accountId} order by supplier_sku`,
  ).toEqual(['Stabilo', null, 'Acme'].map((value) => ({ later: value })))
})
