import { afterEach, expect, inject, test } from 'vitest'
import { migrate, readMigrations } from '../../src/db/migrations/migrate.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { COORDINATOR_TABLES, distribute } from '../../src/db/distribution/distribute.ts'
import { silentLog } from '../../src/platform/log.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { oracle, Mirror } from '../feed/mirror.ts'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { createClusterDatabase } from '../harness/citus-cluster.ts'
import { openWebhooks } from '../harness/delivering.ts'
import { onEvery, withDatabase } from '../harness/every-server.ts'

// `shelfwire distribute` and migrations after it, on databases of the cluster that are not distributed yet.

const nodes = () => [inject('serverUrl'), ...inject('workerUrls')]
let sequence = 0
const made: { name: string; db: Db }[] = []
afterEach(async () => {
  for (const { name, db } of made.splice(0)) {
    await db.end({ timeout: 5 })
    await onEvery(nodes(), `drop database ${name} with (force)`)
  }
})

/** A migrated database of the cluster that is not distributed. */
async function undistributed(): Promise<Db> {
  const name = `distribute_${process.pid}_${sequence++}`
  await createClusterDatabase(nodes(), name)
  const db = openDb({ url: withDatabase(inject('serverUrl'), name), connectionsMax: 8 })
  made.push({ name, db })
  await migrate(db, silentLog)
  return db
}

const kinds = async (db: Db) =>
  new Map(
    (
      await db<{ name: string; kind: string }[]>`
        select logicalrelid::text as name, case partmethod when 'n' then 'reference' else 'by account' end as kind
        from pg_dist_partition`
    ).map(({ name, kind }) => [name, kind]),
  )

const REFERENCE_TABLES = [
  'account',
  'channel_file',
  'ended_session',
  'endpoint_link',
  'known_device',
  'one_time_link',
  'passkey',
  'person',
  'person_event',
  'person_identity',
  'recovery_code',
  'security_mail',
  'session',
  'sign_in_step',
  'token',
]

test('an empty database is distributed, and a second run changes nothing', async () => {
  const db = await undistributed()
  const first = await distribute(db, { shards: 4 })
  expect(first).toMatchObject({ reference: REFERENCE_TABLES, unchanged: 0, workers: 2 })
  expect(await distribute(db, { shards: 4 })).toEqual({
    byAccount: [],
    reference: [],
    unchanged: first.byAccount.length + REFERENCE_TABLES.length,
    workers: 2,
  })
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  expect((await kinds(db)).size).toBe(tables.length - COORDINATOR_TABLES.length)
  // one shard of every table for the same accounts on the same node
  expect(await db`select colocationid from pg_dist_partition where partmethod = 'h' group by 1`).toHaveLength(1)
  expect(await db`select shardid from pg_dist_shard where logicalrelid = 'product'::regclass`).toHaveLength(4)
  const account = await createAccount(openBench(db))
  await giveOffers(openBench(db), account, [offer('A')])
  expect(await auditAccount(db, account.accountId)).toMatchObject({ differences: [] })
})

test(
  'a filled database is distributed while it is used: rows, keys, cursors, deliveries and ids go on',
  { timeout: 120_000 },
  async () => {
    const db = await undistributed()
    const bench = openBench(db)
    const accounts = [
      await createAccount(bench, 'one'),
      await createAccount(bench, 'two'),
      await createAccount(bench, 'three'),
    ]
    const mirrors = []
    for (const account of accounts) {
      await giveOffers(
        bench,
        account,
        Array.from({ length: 200 }, (_, i) => offer(`S${i}`)),
      )
      mirrors.push(await new Mirror(db, account.accountId, account.storeIds[0]).readAll(() => 100))
    }
    await using webhooks = openWebhooks(bench)
    const endpoint = await webhooks.endpoints.create(accounts[0]!.accountId, {
      url: 'http://127.0.0.1:9999/',
      kinds: ['price'],
      storeId: null,
    })
    const keys =
      await db`select conrelid::regclass::text as t, conname, pg_get_constraintdef(oid) as d from pg_constraint where contype = 'f' and conname !~ '_\\d+$' order by 1, 2`
    const before = await db<{ last: number }[]>`select last_id as last from change_counter order by account_id`

    // concurrent writers wait, and are not refused
    const load = { isOver: false }
    const failures: unknown[] = []
    const writers = accounts.map(async (account, i) => {
      for (let n = 0; !load.isOver; n++)
        await giveOffers(bench, account, [offer(`S${n % 200}`, { cost: `${10 + i}.${10 + (n % 80)}` })]).catch(
          (error: unknown) => failures.push(error),
        )
    })
    const distributed = await distribute(db, { shards: null })
    load.isOver = true
    await Promise.all(writers)
    expect(failures).toEqual([])
    expect(distributed.byAccount.length).toBeGreaterThan(40)
    expect(
      await db`select conrelid::regclass::text as t, conname, pg_get_constraintdef(oid) as d from pg_constraint where contype = 'f' and conname !~ '_\\d+$' order by 1, 2`,
    ).toEqual(keys)
    const after = await db<{ last: number }[]>`select last_id as last from change_counter order by account_id`
    for (const [i, row] of after.entries()) expect(row.last).toBeGreaterThanOrEqual(before[i]!.last)

    // the coordinator has no copies of the rows
    const sizes = await db<{ bytes: number }[]>`select pg_relation_size('offer')::int as bytes`
    expect(sizes).toEqual([{ bytes: 0 }])
    for (const [i, account] of accounts.entries()) {
      const more = await giveOffers(bench, account, [offer('NEW')])
      const taken = await db`select from product where account_id = ${account.accountId} and product_id = ${more[0]!}`
      expect(taken).toHaveLength(1)
      // from the cursor before the distribution
      await mirrors[i]!.readAll(() => 100)
      expect(mirrors[i]!.products).toEqual(await oracle(db, account.accountId, account.storeIds[0]))
      expect(mirrors[i]!.products.size).toBe(201)
      expect(await auditAccount(db, account.accountId)).toMatchObject({ differences: [] })
    }
    const state = await db<{ position: number }[]>`
    select position from endpoint_state where account_id = ${accounts[0]!.accountId} and endpoint_id = ${endpoint.endpointId}`
    expect(state[0]?.position).toBeLessThan(after[0]!.last)
  },
)

test('a table that is not ours and has no account_id is named, and nothing is distributed', async () => {
  const db = await undistributed()
  await db.unsafe('create table legacy_note (note text); create table theirs (account_id bigint primary key)')
  await expect(distribute(db, { shards: null })).rejects.toMatchObject({
    code: 'database-unusable',
    message: expect.stringContaining('legacy_note') as string,
  })
  expect((await kinds(db)).size).toBe(0)
})

test('a table that stays in use is not waited for longer than the limit', async () => {
  const db = await undistributed()
  const held = Promise.withResolvers<void>()
  const holder = inTransaction(db, async (tx) => {
    await tx`lock table offer in row exclusive mode`
    await held.promise
  })
  await expect(distribute(db, { shards: null })).rejects.toMatchObject({ code: 'conflict' })
  held.resolve()
  await holder
  expect((await distribute(db, { shards: null })).unchanged).toBe(0)
})

test('a later migration alters distributed tables and adds some of its own', async () => {
  const db = await undistributed()
  await distribute(db, { shards: null })
  const account = await createAccount(openBench(db))
  await giveOffers(openBench(db), account, [offer('A')])
  const later = [
    ...(await readMigrations()),
    {
      version: 990,
      name: '990-later.sql',
      digest: 'x',
      sql: `
        create table note (
          account_id bigint not null,
          note_id bigint generated by default as identity,
          store_id bigint not null,
          text text not null,
          primary key (account_id, note_id)
        );
        select distribute_table('note');
        alter table note add foreign key (account_id, store_id) references store (account_id, store_id);
        alter table note add foreign key (account_id) references account (account_id);
        create table sign_in (sign_in_id bigint generated by default as identity primary key, hash bytea not null unique);
        select distribute_table('sign_in', 'reference');
        alter table offer add column colour text;
        alter table offer add constraint offer_colour check (length(colour) < 20);
        create index offer_colour on offer (account_id, colour) where colour is not null;
        update offer set colour = 'red' where supplier_sku = 'A';
      `,
    },
  ]
  expect(await migrate(db, silentLog, later)).toEqual(['990-later.sql'])
  expect((await kinds(db)).get('note')).toBe('by account')
  expect((await kinds(db)).get('sign_in')).toBe('reference')
  await inTransaction(
    db,
    (tx) => tx`
    insert into note (account_id, store_id, text) values (${account.accountId}, ${account.storeIds[0]}, 'x')`,
  )
  await expect(
    inTransaction(
      db,
      (tx) => tx`insert into note (account_id, store_id, text) values (${account.accountId}, 999999, 'x')`,
    ),
  ).rejects.toThrow(/foreign key/)
  expect(await db`select colour from offer where account_id = ${account.accountId}`).toEqual([{ colour: 'red' }])
})
