import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { REKEY_POINTS } from '../crash/rekey-points.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { personInsert, totpBegin, totpConfirm } from '../../src/people/persons.sql.ts'
import { totpContext } from '../../src/people/sign-in/sign-in.ts'
import { openSeal } from '../../src/platform/secrets/seal.ts'
import { SEALED_KINDS, type SealedRow } from '../../src/sealed/kinds.ts'
import { sealedReplace } from '../../src/sealed/sealed.sql.ts'
import { createAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// A key of SECRET_KEY is replaced: everything is sealed with the new one, wherever that is interrupted, and nothing is lost.

const [BEFORE, AFTER] = REKEY_POINTS
const [OLD, NEW, OTHER] = ['o', 'n', 'x'].map((letter) => letter.repeat(32)) as [string, string, string]
const idOf = (key: string) => openSeal([key]).keyIds()[0] ?? ''
const ACCOUNTS = 2
const EACH = 3

const directory = directoryOfFile('rekey')
const { database } = worldOfFile()
const commands = openCommands(database, directory)
/** The text of every sealed value, by its place. */
let before: Map<string, string>

beforeAll(async () => {
  await using service = await startTestService(database, {
    env: { SECRET_KEY: OLD, DATA_DIR: directory, OUTBOUND_ALLOW: '127.0.0.1/32' },
  })
  const { runtime } = service
  for (let i = 0; i < ACCOUNTS; i++) {
    const { accountId } = await createAccount(runtime, `account ${i}`)
    const http = client(service.url, await tokenFor(runtime, accountId, 'full'))
    const post = async (path: string, body: unknown) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const answer = await http(path, init)
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body.data
    }
    const team = { kind: 'webhook', url: 'http://127.0.0.1:9999/notices' }
    for (let n = 0; n < EACH; n++) {
      await post('/v1/account/notice-channels', { name: `Team ${n}`, ...team })
      const address = { url: `http://127.0.0.1:9999/${n}`, kinds: ['price'], storeId: null }
      const { endpointId } = await runtime.endpoints.create(accountId, address)
      await runtime.endpoints.rotate(accountId, endpointId, 1)
      await post('/v1/account/suppliers/north/sources', {
        name: `source-${n}`,
        kind: 'http',
        is_active: false,
        url: 'https://files.example/a.csv',
        mapping: { format: 'csv', fields: { sku: 'sku' } },
        credentials: { kind: 'bearer', token: `token ${i} ${n}` },
      })
    }
  }
  for (let n = 0; n < EACH; n++)
    await inTransaction(database.db, async (tx) => {
      const email = `person${n}@a.example`
      const id = await personInsert(tx, {
        email,
        name: 'A',
        passwordHash: '$argon2id$v=19$m=8,t=1,p=1$YWJjZGVmZ2g$YWJj',
      })
      await totpConfirm(tx, id, runtime.seal.close(`secret ${n}`, totpContext(id)), 0)
      await totpBegin(tx, id, runtime.seal.close(`pending ${n}`, totpContext(id)))
    })
  before = await opened([OLD])
})

/** All sealed values, opened with only these keys. */
async function opened(keys: readonly string[]): Promise<Map<string, string>> {
  const seal = openSeal(keys)
  const texts = new Map<string, string>()
  for (const kind of SEALED_KINDS) {
    const { table, id, column } = kind
    const isSource = table === 'supplier_source'
    const rows = await database.db.unsafe<
      { accountId: number | null; id: number; sealed: string; supplierId: number | null; name: string | null }[]
    >(
      `select ${table === 'person' ? 'null::bigint' : 'account_id'} as "accountId", ${id} as id, ${column} as sealed,
        ${isSource ? 'supplier_id' : 'null::bigint'} as "supplierId", ${isSource ? 'name' : 'null::text'} as name
       from ${table} where ${column} is not null`,
    )
    for (const row of rows) texts.set(`${table}.${column} ${row.id}`, seal.open(row.sealed, kind.contextOf(row)))
  }
  return texts
}

/** All columns of the database that contain sealed values. */
async function sealedColumns(): Promise<string[]> {
  const { db } = database
  const columns = await db<{ table: string; column: string }[]>`
    select c.relname as "table", a.attname as "column" from pg_attribute a
      join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`
  const found: string[] = []
  for (const { table, column } of columns) {
    const [row] = await db.unsafe<{ is: boolean }[]>(
      `select exists (select 1 from "${table}" where "${column}"::text ~ '(^|[^A-Za-z0-9_-])v1\\.[0-9a-f]{8}\\.[A-Za-z0-9_-]{30}') as is`,
    )
    if (row?.is === true) found.push(`${table}.${column}`)
  }
  return found.sort()
}

const run = (args: readonly string[], keys: string, killAt = '') =>
  commands.runProcess(['rekey', ...args, '--json'], { env: { SECRET_KEY: keys, SHELFWIRE_KILL_AT: killAt } })
const start = (keys: string) => startTestService(database, { env: { SECRET_KEY: keys, DATA_DIR: directory } })

test('every sealed value of the database is known, and so is every place that seals', async () => {
  expect(before.size).toBe(ACCOUNTS * EACH * 4 + EACH * 2)
  expect(await sealedColumns()).toEqual(SEALED_KINDS.map(({ table, column }) => `${table}.${column}`).sort())
  const source = join(import.meta.dirname, '../../src')
  const files = (await readdir(source, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const sealing: string[] = []
  for (const file of files) {
    const count = (await readFile(join(source, file), 'utf8')).split(/seal\.close\(/).length - 1
    if (count > 0) sealing.push(`${file} ${count}`)
  }
  // a new kind of sealed value must be listed in src/sealed/kinds.ts and created above
  expect(sealing.sort()).toEqual([
    'archive/imported.ts 1',
    'imports/sources/credentials.ts 1',
    'notices/notice-channels.ts 1',
    'people/own-account.ts 1',
    'sealed/rekey.ts 2',
    'webhooks/endpoints/endpoints.ts 2',
  ])
})

describe('a start', () => {
  test('refuses where values are sealed with a key that the settings do not have, and says how many', async () => {
    await expect(start(NEW)).rejects.toThrow(
      new RegExp(
        `^the database has values that are sealed with a key which the settings do not have: ${ACCOUNTS * EACH} signing secrets of endpoints \\(key ${idOf(OLD)}\\), .*${EACH} secrets of authenticator apps .*Add that key to SECRET_KEY behind a comma.*shelfwire rekey`,
      ),
    )
    // a key that was never used is no reason to refuse
    await using service = await start(`${OLD},${OTHER}`)
    expect(service.url).toMatch(/^http/)
    await using second = await start(`${NEW},${OLD}`)
    expect(second.url).toMatch(/^http/)
  })
})

describe('rekey', () => {
  test('counts without writing', async () => {
    const { code, out } = await run(['--check'], `${NEW},${OLD}`)
    expect(code).toBe(0)
    const answer = JSON.parse(out) as { keys: { count: number; key: string; key_is: string }[]; is_complete: boolean }
    expect(answer.is_complete).toBe(false)
    expect(answer.keys.reduce((sum, { count }) => sum + count, 0)).toBe(before.size)
    expect(new Set(answer.keys.map(({ key, key_is }) => `${key} ${key_is}`))).toEqual(new Set([`${idOf(OLD)} older`]))
    expect(await opened([OLD])).toEqual(before)
  })

  test('leaves a value that was replaced since it was read', async () => {
    const { db } = database
    const [kind] = SEALED_KINDS
    const [row] = await db<SealedRow[]>`
      select account_id as "accountId", endpoint_id as id, secret as sealed, null::bigint as "supplierId", null::text as name
      from endpoint order by endpoint_id limit 1`
    if (kind === undefined || row === undefined) throw new Error('there is an endpoint')
    {
      await using service = await start(OLD)
      await service.runtime.endpoints.rotate(row.accountId ?? 0, row.id, 'leaked')
    }
    const rotated = await opened([OLD])
    const sealed = openSeal([NEW]).close('of before', kind.contextOf(row))
    expect(await inTransaction(db, (tx) => sealedReplace(tx, kind, row, sealed))).toBe(false)
    expect(await opened([OLD])).toEqual(rotated)
    before = rotated
  })

  test('killed at every step and begun again seals everything with the first key, and every text is as it was', async () => {
    // one transaction for each kind of an account, and one for each of the two kinds of persons
    const steps = 4 * ACCOUNTS + 2
    for (let step = 0; step < steps; step++) {
      // earlier steps are committed, so each process does one more step
      const at = step === 0 ? `${BEFORE}#1` : step % 2 === 0 ? `${BEFORE}#2` : `${AFTER}#1`
      const { code } = await run([], `${NEW},${OLD}`, at)
      expect(code, `${step} ${at}`).toBe(null)
      expect(await opened([NEW, OLD]), `${step} ${at}`).toEqual(before)
    }
    const { code, out } = await run([], `${NEW},${OLD}`)
    expect(code, out).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ first_key: idOf(NEW), is_complete: true, unreadable: 0 })
    expect(await opened([NEW])).toEqual(before)
    // the service starts without the old key
    await using service = await start(NEW)
    expect(service.url).toMatch(/^http/)
    // a second run does nothing
    expect(JSON.parse((await run([], NEW)).out)).toMatchObject({ sealed: 0, is_complete: true })
  })

  test('leaves what no key opens as it is, and takes it away only when it is told to', async () => {
    const refused = await run([], OTHER)
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.out)).toMatchObject({ sealed: 0, unreadable: before.size, is_complete: false })
    expect(await opened([NEW])).toEqual(before)
    // a key that is not named is not lost, whatever SECRET_KEY is
    const other = JSON.parse((await run(['--forget-lost', idOf(OLD)], OTHER)).out) as unknown
    expect(other).toMatchObject({ forgotten: 0, unreadable: before.size })
    expect((await run(['--forget-lost', 'all'], OTHER)).code).toBe(1)
    const { code, out } = await run(['--forget-lost', idOf(NEW)], OTHER)
    expect(code, out).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ sealed: 0, forgotten: before.size, is_complete: true })
    const kept = await opened([OTHER])
    // only endpoint secrets are left: they were replaced by new ones, whose text nobody knows
    expect([...kept.keys()].filter((name) => !name.startsWith('endpoint.secret '))).toEqual([])
    expect(kept.size).toBe(ACCOUNTS * EACH)
    await using service = await start(OTHER)
    expect(service.url).toMatch(/^http/)
  })
})
