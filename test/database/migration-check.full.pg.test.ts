import { gunzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { checkMigrations } from '../../src/db/checks/migration-check.ts'
import { migrate, readMigrations } from '../../src/db/migrations/migrate.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { createDatabase, isCluster } from '../harness/database.ts'
import { keptFile } from '../upgrade/older-release.ts'

// The check before an upgrade names every table that a migration locks, and changes nothing: compared with pg_locks during each migration.

const STRONG: Readonly<Record<string, string>> = {
  AccessExclusiveLock: 'reads and writes',
  ShareLock: 'writes',
  ShareRowExclusiveLock: 'writes',
}

// a dump of one server
test.skipIf(isCluster())(
  'what is said of the migrations since 0.1.0 is what they lock',
  { timeout: 120_000 },
  async () => {
    const database = await createDatabase()
    onTestFinished(() => database[Symbol.asyncDispose]())
    const empty = openDb({ url: database.url, connectionsMax: 1 })
    await empty.unsafe('drop schema public cascade; create schema public')
    // the dump sets the search path of its connection
    await empty.unsafe(gunzipSync(await readFile(keptFile('0.1.0', 'sql'))).toString())
    await empty.end()
    const { db } = database
    const applied = () => db<{ name: string }[]>`select name from schema_migration order by version`
    const before = await applied()

    const check = await checkMigrations(db)
    expect([check.unknown, await applied()]).toEqual([[], before])
    expect(check.migrations.length).toBeGreaterThan(20)
    expect(check.seconds).toBeGreaterThan(0)

    await db.unsafe('create schema seen; create table seen.lock (name text, mode text)')
    const all = await readMigrations()
    const said: string[] = []
    const held: string[] = []
    for (const { name, tables } of check.migrations) {
      const at = all.findIndex((each) => each.name === name)
      const looking = `insert into seen.lock select c.relname, l.mode from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`
      const sized = await db<{ name: string }[]>`
      select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`
      await db`truncate seen.lock`
      const sql = `${all[at]!.sql};\n${looking}`
      await migrate(db, silentLog, [...all.slice(0, at), { ...all[at]!, sql }])
      const modes = await db<{ name: string; mode: string }[]>`select name, mode from seen.lock`
      // a table that was empty before the first migration may have rows by now
      const known = new Set(tables.map(({ table }) => table))
      for (const { name: table } of sized.filter(({ name: of }) => of !== 'schema_migration' && known.has(of))) {
        const of = modes.filter((row) => row.name === table).map(({ mode }) => STRONG[mode] ?? 'none')
        const strongest = ['reads and writes', 'writes'].find((blocked) => of.includes(blocked)) ?? 'none'
        held.push(`${name} ${table}: ${strongest}`)
      }
      for (const { table, blocked } of tables) said.push(`${name} ${table}: ${blocked}`)
      const unsaid = modes
        .filter(({ name: table, mode }) => STRONG[mode] !== undefined && !known.has(table))
        .filter(({ name: table }) => sized.some((row) => row.name === table))
      expect(unsaid, name).toEqual([])
    }
    expect(said.toSorted()).toEqual(held.toSorted())
    expect((await checkMigrations(db)).migrations).toEqual([])
  },
)

test('a transaction that is open for long is named, with what it keeps', async () => {
  const database = await createDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const { db } = database
  await createAccount(openBench(db))
  await db`delete from schema_migration where name = '102-list-prices-of-rules.sql'`
  const other = openDb({ url: database.url, connectionsMax: 1 })
  onTestFinished(() => other.end({ timeout: 5 }))
  await inTransaction(other, async (tx) => {
    await tx`select 1 from pricing_rule limit 1`
    expect((await checkMigrations(db)).waitsFor).toEqual([])
    await asOther(database.url, async (limited) => {
      // the start times of other roles' transactions are not visible
      expect((await checkMigrations(limited)).waitsFor).toMatchObject([
        { seconds: null, role: expect.stringMatching(/./), tables: ['pricing_rule'] },
      ])
    })
    await new Promise((resolve) => setTimeout(resolve, 6_500))
    const { migrations, waitsFor } = await checkMigrations(db)
    // also if its rows are on the nodes of a cluster
    expect(migrations).toMatchObject([
      {
        tables: [{ table: 'pricing_rule', blocked: 'reads and writes', work: ['scan'], megabytes: expect.any(Number) }],
      },
    ])
    expect(migrations[0]?.tables[0]?.megabytes).toBeGreaterThan(0)
    expect(waitsFor).toMatchObject([
      { seconds: expect.toSatisfy((seconds: number) => seconds >= 5), tables: ['pricing_rule'] },
    ])
  })
})

test('what else keeps a release from starting is said', async () => {
  const database = await createDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const { db } = database
  expect((await checkMigrations(db)).refused).toBe(null)
  await db`update schema_migration set digest = 'another' where version = 12`
  expect((await checkMigrations(db)).refused).toMatch('012-people.sql was applied with different contents')
})

/** Runs `ask` as a role that may read the migrated tables, but not the activity of others. Skipped on a cluster, whose nodes would have to admit the role. */
async function asOther(url: string, ask: (db: Db) => Promise<void>): Promise<void> {
  if (isCluster()) return
  const db = openDb({ url, connectionsMax: 1 })
  const role = `checks_${process.pid}`
  try {
    await db.unsafe(`create role ${role}; grant select on schema_migration to ${role}; set role ${role}`)
    await ask(db)
  } finally {
    await db.unsafe(`reset role; drop owned by ${role}; drop role ${role}`)
    await db.end({ timeout: 5 })
  }
}
