import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../src/db/open-db.ts'
import type { Db } from '../../src/db/sql.ts'
import { createAccount } from '../harness/account.ts'
import { client, startTestService, tokenFor, type TestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// A database that no longer accepts the service: its password was changed or has expired, or the database was renamed.

const role = `expiring_${process.pid}`
const { database } = worldOfFile()
let admin: Db
let service: TestService
let name: string
let token: string
beforeAll(async () => {
  const url = new URL(database.url)
  name = url.pathname.slice(1)
  url.pathname = '/postgres'
  admin = openDb({ url: url.toString(), connectionsMax: 1 })
  await admin.unsafe(`create role ${role} superuser login password 'first'`)
  const own = new URL(database.url)
  own.username = role
  own.password = 'first'
  service = await startTestService({ url: own.toString() }, { roles: ['api', 'work'] })
  const { accountId } = await createAccount(service.runtime, 'expiring')
  token = await tokenFor(service.runtime, accountId, 'full')
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await admin.unsafe(`drop role ${role}`)
  await admin.end()
})

const read = () => client(service.url, token)('/v1/account/suppliers')
const cutOff = () => admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`

test('reads and writes are 503 with Retry-After while the database refuses the login, and go on when it does not', async () => {
  const expectRefused = async (why: string) => {
    // a connection that is logging in at that moment is not among the terminated ones
    const refused = async () => {
      await cutOff()
      const answer = await read()
      expect([200, 503], why).toContain(answer.status)
      return answer.status === 503 ? answer : null
    }
    let got = await refused()
    for (let i = 0; got === null && i < 20; i++) got = await refused()
    if (got === null) throw new Error(`${why} is not refused`)
    expect(got.body.code, why).toBe('database-unavailable')
    expect(Number(got.headers.get('retry-after')), why).toBeGreaterThan(0)
    const written = await client(service.url, token)('/v1/account', {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"name": "A"}',
    })
    expect([written.status, written.body.code], why).toEqual([503, 'database-unavailable'])
    expect((await fetch(`${service.url}/readyz`)).status, why).toBe(503)
  }
  const expectBack = (why: string) =>
    expect.poll(async () => (await read()).status, { timeout: 20_000, message: why }).toBe(200)
  await expectBack('before')
  await admin.unsafe(`alter role ${role} password 'second'`)
  await expectRefused('a changed password')
  await admin.unsafe(`alter role ${role} password 'first'`)
  await expectBack('the password is the old one again')
  await admin.unsafe(`alter role ${role} valid until '2001-01-01'`)
  await expectRefused('an expired password')
  await admin.unsafe(`alter role ${role} valid until 'infinity' nologin`)
  await expectRefused('a role that may not sign in')
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
  await admin.unsafe(`alter database "${name}" rename to "${name}_away"`)
  await admin.unsafe(`alter role ${role} login`)
  await expectRefused('a database of another name')
  await expect
    .poll(
      async () => {
        await cutOff()
        return admin.unsafe(`alter database "${name}_away" rename to "${name}"`).then(
          () => 'renamed',
          () => 'in use',
        )
      },
      { timeout: 10_000 },
    )
    .toBe('renamed')
  await expectBack('the database has its name again')
})
