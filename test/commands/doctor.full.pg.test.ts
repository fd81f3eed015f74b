import process from 'node:process'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createAccount, openBench } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { createDatabase } from '../harness/database.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

const directory = directoryOfFile('doctor')
const { database } = worldOfFile()
const commands = openCommands(database, directory)
const KEY = 'k'.repeat(40)

interface Check {
  name: string
  status: string
  detail: string
  advice: string | null
}
async function look(env: Record<string, string> = {}) {
  const { code, out } = await commands.run(['doctor', '--json'], { env })
  const { problems, checks } = JSON.parse(out) as { problems: number; checks: Check[] }
  expect(code).toBe(problems > 0 ? 1 : 0)
  // every check that is not ok has advice
  for (const { status, advice } of checks) expect(advice === null).toBe(status === 'ok')
  return Object.fromEntries(checks.map((check) => [check.name, check]))
}

beforeEach(async () => {
  await commands.json('migrate')
})

test('an installation that works has no problem, and its checks say what they looked at', async () => {
  const checks = await look({ SECRET_KEY: KEY })
  expect(checks).toMatchObject({
    'data directory': { status: 'ok', detail: directory },
    database: { status: 'ok', detail: expect.stringMatching(/^PostgreSQL \d+ answers/) },
    schema: { status: 'ok' },
    clock: { status: 'ok' },
    connections: { status: 'ok' },
    'secret key': { status: 'ok', detail: 'nothing is sealed' },
    addresses: { status: 'ok' },
  })
  const { code, out } = await commands.run('doctor')
  expect(code).toBe(0)
  expect(out).toMatch(/^ok {6}database: PostgreSQL \d+ answers and takes writes$/m)
})

test('a Node that is older than the one of the release is told', async () => {
  const version = Object.getOwnPropertyDescriptor(process, 'version')!
  onTestFinished(() => void Object.defineProperty(process, 'version', version))
  Object.defineProperty(process, 'version', { ...version, value: 'v24.0.0' })
  expect((await look())['node']).toMatchObject({ status: 'warning', detail: expect.stringContaining('v24.0.0') })
  Object.defineProperty(process, 'version', { ...version, value: 'v25.1.0' })
  expect((await look())['node']).toMatchObject({ status: 'ok' })
})

test('a database that does not answer is a problem, and everything else is looked at all the same', async () => {
  const checks = await look({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  expect(checks['database']).toMatchObject({ status: 'problem', detail: expect.stringContaining('ECONNREFUSED') })
  expect(checks['addresses']).toBeDefined()
})

test('a pooler that does not let in, or leads elsewhere, is a problem', async () => {
  const direct = { DATABASE_DIRECT_URL: database.url }
  expect((await look(direct))['pooler']).toMatchObject({ status: 'ok' })
  expect((await look({ ...direct, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }))['pooler']).toMatchObject({
    status: 'problem',
    detail: expect.stringContaining('ECONNREFUSED'),
  })
  const other = await createDatabase()
  onTestFinished(() => other[Symbol.asyncDispose]())
  expect((await look({ ...direct, DATABASE_URL: other.url }))['pooler']).toMatchObject({
    status: 'problem',
    detail: expect.stringContaining('they lead to two'),
  })
})

test('migrations that are missing, and those of a newer release, are told', async () => {
  const [last] = await database.db<{ name: string; version: number; digest: string }[]>`
    delete from schema_migration where version = (select max(version) from schema_migration) returning name, version, digest`
  expect((await look())['schema']).toMatchObject({ status: 'warning', detail: '1 migrations are missing' })
  await database.db`insert into schema_migration (version, name, digest)
    values (${last!.version}, ${last!.name}, ${last!.digest})`
  await database.db`insert into schema_migration (version, name, digest) values (999, '999-later.sql', '')`
  expect((await look())['schema']).toMatchObject({ status: 'problem', detail: 'of a newer release (999-later.sql)' })
  await database.db`delete from schema_migration where version = 999`
})

test('a key that something is sealed with and the settings lack is a problem; an older one is to be replaced', async () => {
  const { accountId } = await createAccount(openBench(database.db))
  const endpoint = `endpoint create --account ${accountId} --url http://127.0.0.1:9000/hook --events price --json`
  const made = await commands.run(endpoint, { env: { SECRET_KEY: KEY, OUTBOUND_ALLOW: '127.0.0.0/8' } })
  expect(made.code, made.err).toBe(0)
  const other = 'o'.repeat(40)
  expect((await look({ SECRET_KEY: other }))['secret key']).toMatchObject({ status: 'problem' })
  expect((await look({ SECRET_KEY: `${other},${KEY}` }))['secret key']).toMatchObject({ status: 'warning' })
  expect((await look({ SECRET_KEY: KEY }))['secret key']).toMatchObject({ status: 'ok' })
})

test('settings that work but should be otherwise are warned of', async () => {
  expect(await look({ PUBLIC_URL: 'https://shop.example.com' })).toMatchObject({ proxy: { status: 'warning' } })
  expect(await look({ HOST: '0.0.0.0' })).toMatchObject({ addresses: { status: 'warning' } })
  expect((await look({ FILE_READER_MB: '16384' }))['memory']).toMatchObject({ status: 'warning' })
  const s3 = {
    S3_BUCKET: 'pictures',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  }
  expect((await look(s3))['bucket']).toMatchObject({ status: 'problem' })
  const provider = {
    OIDC_ISSUER: 'http://127.0.0.1:1024',
    OIDC_CLIENT_ID: 'shelfwire',
    OIDC_CLIENT_SECRET: 'of the client',
    PUBLIC_URL: 'https://shop.example.com',
  }
  expect((await look(provider))['identity provider']).toMatchObject({
    status: 'problem',
    detail: expect.stringContaining('http://127.0.0.1:1024'),
  })
})

test('it knows the last backup, and how old it may be; a server that is not there yet is not made', async () => {
  expect(await look({ DATABASE_URL: '' })).toMatchObject({
    database: { status: 'warning', detail: expect.stringContaining('there is none in') },
  })
  expect((await look())['backup']).toMatchObject({ status: 'warning', detail: 'none is known' })
  expect((await look({ BACKUP_MAX_AGE_HOURS: '26' }))['backup']).toMatchObject({ status: 'problem' })
  const note = (hours: number) =>
    database.db`
      insert into last_backup (ended_at, place) values (${new Date(Date.now() - hours * 3_600_000)}, '/srv/backups/monday')
      on conflict (last_backup_key) do update set ended_at = excluded.ended_at`
  await note(1)
  const known = { status: 'ok', detail: expect.stringContaining('/srv/backups/monday') }
  expect((await look())['backup']).toMatchObject(known)
  await note(27)
  expect((await look())['backup']).toMatchObject(known)
  expect((await look({ BACKUP_MAX_AGE_HOURS: '26' }))['backup']).toMatchObject({ status: 'problem' })
  await note(8 * 24)
  expect((await look())['backup']).toMatchObject({ status: 'warning' })
})
