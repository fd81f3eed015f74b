import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { migrate, readMigrations } from '../../src/db/migrations/migrate.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createDatabase } from '../harness/database.ts'
import { dumpSchema } from '../harness/schema.ts'

test('the migrations result in the schema of migrations/schema.txt (npm run schema writes it)', async () => {
  await using database = await createDatabase()
  const expected = await readFile(new URL('../../migrations/schema.txt', import.meta.url), 'utf8')
  expect(await dumpSchema(database.db)).toBe(expected)
})

test('every primary key of an account table leads with account_id', async () => {
  await using database = await createDatabase()
  const rows = await database.db<{ name: string; first: string }[]>`
    select c.relname as name, a.attname as first
    from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indisprimary and c.relnamespace = 'public'::regnamespace`
  const others = rows.filter((row) => row.first !== 'account_id').map((row) => row.name)
  expect(rows.length).toBeGreaterThan(20)
  // picture hosts are shared by all accounts; tokens, sessions and links are looked up by hash before the account is known; a person may be in several accounts
  expect(others.sort()).toEqual([
    'account_erasure',
    'bank_rate',
    'bank_rate_fetch',
    'created_account',
    'ended_session',
    'endpoint_link',
    'image_host',
    'known_device',
    'last_backup',
    'one_time_link',
    'passkey',
    'person',
    'person_event',
    'person_identity',
    'recovery_code',
    'schema_migration',
    'security_mail',
    'session',
    'sign_in_step',
    'token',
  ])
})

test('every foreign key leads with account_id, or is to a person from what belongs to no account', async () => {
  await using database = await createDatabase()
  const rows = await database.db<{ name: string; definition: string }[]>`
    select conrelid::regclass::text as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace`
  expect(rows.length).toBeGreaterThan(10)
  const others = rows.filter((row) => !row.definition.startsWith('FOREIGN KEY (account_id'))
  expect(others.filter((row) => !row.definition.endsWith('REFERENCES person(person_id)'))).toEqual([])
  expect([...new Set(others.map((row) => row.name))].sort()).toEqual([
    'endpoint_link',
    'known_device',
    'one_time_link',
    'passkey',
    'person_event',
    'person_identity',
    'recovery_code',
    'session',
    'sign_in_step',
  ])
})

test('migrating again does nothing, and concurrent migrations are serialized', async () => {
  await using database = await createDatabase()
  expect(await migrate(database.db, silentLog)).toEqual([])
  const extra = [
    ...(await readMigrations()),
    { version: 999, name: '999-extra.sql', sql: 'create table extra (account_id bigint primary key)', digest: 'x' },
  ]
  const applied = await Promise.all([migrate(database.db, silentLog, extra), migrate(database.db, silentLog, extra)])
  expect(applied.flat()).toEqual(['999-extra.sql'])
  await expect(migrate(database.db, silentLog)).rejects.toThrow(/newer release \(999-extra.sql\)/)
})

test('an edited migration is refused, and a failed one is rolled back', async () => {
  await using database = await createDatabase()
  const [first, ...rest] = await readMigrations()
  await expect(migrate(database.db, silentLog, [{ ...first!, digest: 'other' }, ...rest])).rejects.toThrow(
    /never edited/,
  )
  const broken = [
    ...(await readMigrations()),
    { version: 998, name: '998-broken.sql', sql: 'create table half (a int); select nonsense', digest: 'x' },
  ]
  await expect(migrate(database.db, silentLog, broken)).rejects.toThrow(/nonsense/)
  const [row] = await database.db<{ half: string | null }[]>`select to_regclass('half')::text as half`
  expect(row?.half).toBeNull()
  expect(await migrate(database.db, silentLog)).toEqual([])
})
