import { expect, inject, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { createProducts } from '../../src/catalog/products/products.ts'
import { createCategory } from '../../src/catalog/settings/content/categories.ts'
import { createGroup } from '../../src/catalog/settings/stores/groups.ts'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { createStore } from '../../src/catalog/settings/stores/stores.ts'
import { createSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { spool } from '../../src/operations/spool.ts'
import { fenceRestore } from '../../src/shelf/fence-restore.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { openWebhooks } from '../harness/delivering.ts'
import { freeze } from '../harness/citus-cluster.ts'
import { onEvery, withDatabase } from '../harness/every-server.ts'

/** Creates one of each resource whose id clients can see. */
async function makeOneOfEach(db: Db, accountId: number): Promise<Record<string, number>> {
  const made = await inTransaction(db, async (tx) => ({
    product: (await createProducts(tx, accountId, [{ sku: 'NEW' }])).value[0]!,
    store: (await createStore(tx, accountId, { slug: 'new', name: 'New', locale: 'en', currency: 'EUR' })).value,
    supplier: (await createSupplier(tx, accountId, { code: 'new', name: 'New', currency: 'EUR' })).value,
    group: (await createGroup(tx, accountId, 'New')).value,
    rule: (await createRule(tx, accountId, { name: 'New', percent: '1' })).value,
    category: (await createCategory(tx, accountId, { path: 'New' })).value,
    operation: await spool(tx, accountId, 'bulk_stock', [{}], false),
    token: (await createToken(tx, { accountId, access: 'full' })).tokenId,
  }))
  await using webhooks = openWebhooks(openBench(db))
  const endpoint = await webhooks.endpoints.create(accountId, {
    url: 'http://127.0.0.1:9999/',
    kinds: ['price'],
    storeId: null,
  })
  return { ...made, endpoint: endpoint.endpointId }
}

test('after a restore no id of the lost time is assigned again, of whatever kind', async () => {
  const serverUrl = inject('serverUrl')
  const nodes = [serverUrl, ...inject('workerUrls')]
  const name = `restore_${process.pid}_${Date.now()}`
  const open = (suffix: string) => openDb({ url: withDatabase(serverUrl, `${name}_${suffix}`), connectionsMax: 4 })
  await onEvery(nodes, `create database ${name}_lost template ${inject('template')}`)
  const db = open('lost')
  const account = await createAccount(openBench(db))
  await inTransaction(db, (tx) => createProducts(tx, account.accountId, [{ sku: 'OLD' }]))
  await db.end()
  // the restored backup, beside the database that continues
  await freeze(nodes, `${name}_lost`)
  await onEvery(nodes, `create database ${name}_restored template ${name}_lost`)
  await onEvery(nodes, `alter database ${name}_lost allow_connections true`)
  const lost = open('lost')
  const restored = open('restored')
  try {
    const before = await makeOneOfEach(lost, account.accountId)
    expect(await fenceRestore(restored)).toBe(1)
    const after = await makeOneOfEach(restored, account.accountId)
    for (const [kind, id] of Object.entries(before)) expect(after[kind], kind).toBeGreaterThan(id + 100_000)
    // every sequence of the schema, so that tables of later releases are included
    const values = (db: Db) =>
      db<
        { sequencename: string; last: number | null }[]
      >`select sequencename, last_value as last from pg_sequences where schemaname = current_schema() order by 1`
    const old = await values(lost)
    for (const [i, { sequencename, last }] of (await values(restored)).entries()) {
      expect(last, sequencename).toBeGreaterThan(old[i]?.last ?? 0)
    }
  } finally {
    await lost.end()
    await restored.end()
    for (const suffix of ['lost', 'restored']) await onEvery(nodes, `drop database ${name}_${suffix} with (force)`)
  }
})
