import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenRequestsInsert, tokenRequestsPage } from '../../src/accounts/token-requests.sql.ts'
import { isConnectionError } from '../../src/db/connections/connection-errors.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db, type Tx } from '../../src/db/sql.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { openAddress } from '../harness/address.ts'
import { until } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// A connection that is lost costs only its transaction: never the process, never another transaction.

const { database } = worldOfFile()
let admin: Db
beforeAll(async () => {
  admin = openDb({ url: database.url, connectionsMax: 1, applicationName: 'admin' })
  await admin.unsafe('create table note (writer text not null, number integer not null, primary key (writer, number))')
})
afterAll(() => admin.end())

async function openPool(connectionsMax: number) {
  const db = openDb({ url: database.url, connectionsMax, applicationName: 'victim' })
  return Object.assign(db, { [Symbol.asyncDispose]: () => db.end({ timeout: 1 }) })
}
const pidOf = async (tx: Tx) => (await tx<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid
const kill = (pid: number) => admin`select pg_terminate_backend(${pid}::int)`
const numbersOf = async (writer: string) =>
  (await admin<{ number: number }[]>`select number from note where writer = ${writer} order by 1`).map(
    (row) => row.number,
  )

test('statements of a transaction whose connection died while it waited for something else reach nobody', async () => {
  await using db = await openPool(1)
  const began = Promise.withResolvers<number>()
  const goOn = Promise.withResolvers<void>()
  const dying = inTransaction(db, async (tx) => {
    began.resolve(await pidOf(tx))
    await goOn.promise
    await tx`insert into note values ('dying', 1)`
  })
  await kill(await began.promise)
  // waits for the only connection of the pool
  const other = inTransaction(db, async (tx) => {
    await tx`insert into note values ('other', 1)`
    goOn.resolve()
    await expect(dying).rejects.toSatisfy(isConnectionError)
    await tx`insert into note values ('other', 2)`
    throw new Error('the other one rolls back')
  })
  // a pool with one connection gives it to the next only after the failed transaction has ended
  goOn.resolve()
  await expect(dying).rejects.toSatisfy(isConnectionError)
  await expect(other).rejects.toThrow('rolls back')
  expect(await numbersOf('dying')).toEqual([])
  expect(await numbersOf('other')).toEqual([])
})

test('a transaction that is over takes no more statements', async () => {
  await using db = await openPool(1)
  let kept: Tx | undefined
  await inTransaction(db, async (tx) => {
    kept = tx
    await tx`select 1`
  })
  const late = await kept!`insert into note values ('late', 1)`.then(
    () => 'sent',
    (error: unknown) => String(error),
  )
  expect(late).toContain('the transaction has ended')
  expect(await numbersOf('late')).toEqual([])
})

test('an error that is caught inside a transaction does not let the rest of it be committed', async () => {
  await using db = await openPool(1)
  const work = inTransaction(db, async (tx) => {
    await tx`insert into note values ('caught', 1)`
    await tx`insert into note values ('caught', 1)`.catch(() => {})
  })
  await expect(work).rejects.toMatchObject({ code: '23505' })
  expect(await numbersOf('caught')).toEqual([])
})

test('the error names the failed one of statements sent together, however deep it was sent', async () => {
  await using db = await openPool(1)
  const deep = async (tx: Tx, depth: number): Promise<unknown> =>
    depth === 0 ? await tx`insert into note values ('together', 1)` : await deep(tx, depth - 1)
  const together = (tx: Tx) => Promise.all([deep(tx, 20), tx`select count(*) from note`])
  const work = inTransaction(db, async (tx) => {
    await tx`insert into note values ('together', 1)`
    await together(tx)
  })
  await expect(work).rejects.toMatchObject({ code: '23505' })
  await inTransaction(db, async (tx) => {
    await tx`insert into note values ('together', 1)`
    await expect(tx.savepoint(together)).rejects.toMatchObject({ code: '23505' })
  })
  expect(await numbersOf('together')).toEqual([1])
})

test('what a transaction sends last without awaiting it is committed with the rest, or nothing is', async () => {
  await using db = await openPool(1)
  await inTransaction(db, async (tx) => {
    void tx`insert into note values ('unawaited', 1)`.execute()
  })
  expect(await numbersOf('unawaited')).toEqual([1])
  const failing = inTransaction(db, async (tx) => {
    await tx`insert into note values ('unawaited', 2)`
    void tx`insert into note values ('unawaited', 1)`.execute()
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  // a failure after which a transaction may be repeated
  let attempts = 0
  await inTransaction(db, async (tx) => {
    await tx`insert into note values ('unawaited', 3)`
    if (++attempts < 3) void tx.unsafe(`do $$ begin raise exception using errcode = '40001'; end $$`).execute()
  })
  expect(attempts).toBe(3)
  await inTransaction(db, async (tx) => {
    const inner = tx.savepoint(async (sp) => {
      await sp`insert into note values ('unawaited', 4)`
      void sp`insert into note values ('unawaited', 1)`.execute()
    })
    await expect(inner).rejects.toMatchObject({ code: '23505' })
  })
  expect(await numbersOf('unawaited')).toEqual([1, 3])
})

test('a transaction that does not begin writes nothing', async () => {
  await using db = await openPool(1)
  const first = db.begin('in no mode', (tx) => tx`insert into note values ('unbegun', 1)`)
  await expect(first).rejects.toMatchObject({ code: '42601' })
  const behindReads = db.begin('in no mode', async (tx) => {
    const reading = tx`select count(*) from note`.execute()
    await Promise.all([tx`insert into note values ('unbegun', 2)`, tx`select count(*) from note`, reading])
  })
  await expect(behindReads).rejects.toMatchObject({ code: '42601' })
  await expect(db.begin('in no mode', (tx) => tx`select 1`)).rejects.toMatchObject({ code: '42601' })
  expect(await numbersOf('unbegun')).toEqual([])
})

test('statements keep their order while a transaction begins', async () => {
  await using db = await openPool(1)
  const counts = await inTransaction(db, async (tx) => {
    const before = tx<{ n: number }[]>`select count(*)::int as n from note where writer = 'order'`.execute()
    void tx`insert into note values ('order', 1)`.execute()
    const after = tx<{ n: number }[]>`select count(*)::int as n from note where writer = 'order'`.execute()
    return (await Promise.all([before, after])).map(([row]) => row?.n)
  })
  expect(counts).toEqual([0, 1])
})

test('a failure in a savepoint undoes the savepoint alone', async () => {
  await using db = await openPool(1)
  await inTransaction(db, async (tx) => {
    await tx`insert into note values ('saved', 1)`
    const inner = tx.savepoint(async (sp) => {
      await sp`insert into note values ('saved', 2)`
      await sp`insert into note values ('saved', 1)`
    })
    await expect(inner).rejects.toMatchObject({ code: '23505' })
    await tx`insert into note values ('saved', 3)`
  })
  expect(await numbersOf('saved')).toEqual([1, 3])
})

test('outside of a transaction what reads is asked once more when its connection breaks before the answer, what writes is not', async () => {
  await using address = await openAddress(Number(new URL(database.url).port))
  const url = new URL(database.url)
  url.port = String(address.port)
  const db = openDb({ url: url.href, connectionsMax: 1, applicationName: 'victim' })
  await using _closed = { [Symbol.asyncDispose]: () => db.end({ timeout: 1 }) }
  const { accountId } = await createAccount(openBench(database.db))
  const row = {
    accountId,
    tokenId: 1,
    at: new Date(),
    method: 'GET',
    route: null,
    address: '/',
    status: 200,
    code: null,
    durationMs: 1,
    requestId: 'one',
    leftOut: 0,
  }
  // prepares the statements, so that each takes one round trip
  await tokenRequestsInsert(db, [row])
  await tokenRequestsPage(db, accountId, 1, { before: undefined, failed: false, limit: 10 })
  address.breakBeforeAnswers()
  await expect(tokenRequestsInsert(db, [{ ...row, requestId: 'two' }])).rejects.toSatisfy(isConnectionError)
  await db`select 1`
  address.breakBeforeAnswers()
  const read = await tokenRequestsPage(db, accountId, 1, { before: undefined, failed: false, limit: 10 })
  // it was written, once
  expect(read.map(({ requestId }) => requestId)).toEqual(['two', 'one'])
  address.breakBeforeAnswers()
  const written = db`with moved as (update token_request set left_out = left_out + 1 where account_id = ${accountId} returning 1) select from moved`
  await expect(written).rejects.toSatisfy(isConnectionError)
  const rows = await admin<
    { leftOut: number }[]
  >`select left_out as "leftOut" from token_request where account_id = ${accountId}`
  expect(rows.map(({ leftOut }) => leftOut)).toEqual([1, 1])
})

test('a plan that a migration has made useless is prepared again', async () => {
  await using db = await openPool(1)
  await admin.unsafe('create table widening (id integer)')
  const ask = () => db`select w from widening w`
  const inside = () => inTransaction(db, async (tx) => [...(await tx<{ id: number }[]>`select * from widening`)])
  await ask()
  await inside()
  await admin.unsafe('alter table widening add column name text; insert into widening values (1, $$one$$)')
  expect([...(await ask())]).toHaveLength(1)
  expect(await inside()).toEqual([{ id: 1, name: 'one' }])
})

test.for([10, 3])(
  'backends killed at random under 24 writers, pool of %i: every acknowledged row is there, no other is',
  async (connectionsMax) => {
    const KILLS = Number(process.env['KILLS'] ?? 40)
    await using db = await openPool(connectionsMax)
    const writers = Array.from({ length: 24 }, (_, i) => `storm ${connectionsMax} ${i}`)
    const acknowledged = new Map<string, number[]>(writers.map((name) => [name, []]))
    const unknown = new Map<string, Set<number>>(writers.map((name) => [name, new Set()]))
    const storm = { isOver: false }
    const write = async (writer: string) => {
      for (let number = 0; !storm.isOver; number++) {
        try {
          await inTransaction(db, async (tx) => {
            await tx`insert into note values (${writer}, ${2 * number})`
            if (number % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
            const last = tx`insert into note values (${writer}, ${2 * number + 1})`
            // a statement that is not awaited is sent together with the commit
            if (number % 2 === 0) void last.execute()
            else await last
          })
          acknowledged.get(writer)!.push(number)
        } catch (error) {
          expect(isConnectionError(error), String(error)).toBe(true)
          unknown.get(writer)!.add(number)
        }
      }
    }
    const all = writers.map(write)
    for (let i = 0; i < KILLS; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await admin`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'victim' and datname = current_database() order by random() limit ${1 + (i % 3)}`
    }
    storm.isOver = true
    await Promise.all(all)
    expect(
      [...unknown.values()].some((numbers) => numbers.size > 0),
      'a kill must have hit somebody',
    ).toBe(true)
    for (const writer of writers) {
      const rows = await numbersOf(writer)
      const whole = new Set(rows.filter((number) => number % 2 === 0).map((number) => number / 2))
      // both rows of a transaction or none
      expect(rows).toHaveLength(2 * whole.size)
      for (const number of acknowledged.get(writer)!) expect(whole.delete(number), `${writer} ${number}`).toBe(true)
      for (const number of whole) expect(unknown.get(writer)!.has(number), `${writer} ${number}`).toBe(true)
    }
    // and the pool has all its connections again
    await Promise.all(Array.from({ length: 2 * connectionsMax }, () => db`select pg_sleep(0.01)`))
  },
)

/** Terminates the connections of the pool that run a statement with this text. */
const killThoseThat = (asking: string) =>
  until(`${asking} is asked`, async () => {
    const killed = await admin`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'victim' and datname = current_database() and state = 'active' and query like ${`%${asking}%`}`
    return killed.length > 0
  })

test('a read outside of a transaction is repeated once when its connection breaks', async () => {
  await using db = await openPool(2)
  const read = db<{ n: number }[]>`select 7 as n, pg_sleep(0.5) as once_more`.then((rows) => rows[0]?.n, String)
  await killThoseThat('once_more')
  expect(await read).toBe(7)
  // but not for ever, and no statement that may write
  const twice = db`select pg_sleep(0.5) as twice`.then(
    () => 'read',
    (error: unknown) => isConnectionError(error),
  )
  await killThoseThat('as twice')
  await killThoseThat('as twice')
  expect(await twice).toBe(true)
  const text = db.unsafe('select pg_sleep(0.5) as as_text').then(
    () => 'read',
    (error: unknown) => isConnectionError(error),
  )
  await killThoseThat('as_text')
  expect(await text).toBe(true)
})

test('connections that broke while nobody used them cost no request, however many there are', async () => {
  await using db = await openPool(4)
  const all = () => Promise.all(Array.from({ length: 4 }, () => inTransaction(db, (tx) => tx`select pg_sleep(0.05)`)))
  await all()
  // while this process is blocked, the pool does not notice lost connections: the next one that it gives out is broken
  const script = `
    const client = new (require('pg').Client)(process.argv[1])
    client.connect()
      .then(() => client.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'victim' and datname = current_database()"))
      .then(({ rowCount }) => { console.log(rowCount); return client.end() })`
  const killed = execFileSync(process.execPath, ['-e', script, database.url], { encoding: 'utf8' })
  const next = all()
  expect(Number(killed)).toBe(4)
  expect(await next.then((done) => done.length, String)).toBe(4)
})

test('a statement that a server does not answer any more ends, and so does a transaction on it', async () => {
  const { port, pathname, username, password } = new URL(database.url)
  await using address = await openAddress(Number(port))
  const url = `postgres://${username}:${password}@127.0.0.1:${address.port}${pathname}`
  const db = openDb({ url, connectionsMax: 2, answerTimeoutMs: 1_500 })
  const ports = () => Promise.all([1, 2].map(() => inTransaction(db, (tx) => tx`select pg_sleep(0.05)`)))
  await ports()
  address.vanish()
  const from = performance.now()
  const ended = await Promise.allSettled([inTransaction(db, (tx) => tx`select 1`), db`select 1`])
  for (const result of ended) {
    expect(result.status).toBe('rejected')
    expect(result.status === 'rejected' && isConnectionError(result.reason), JSON.stringify(result)).toBe(true)
  }
  expect(performance.now() - from).toBeLessThan(10_000)
  // the connections were dropped, and the pool has room for new ones
  address.leadTo(Number(port))
  await ports()
  // a migration is not cut short
  await inTransaction(db, async (tx) => {
    await tx.allowLongStatements()
    await tx`select pg_sleep(2)`
  })
  await db.end({ timeout: 1 })
})

test('a listener whose connection is killed listens again', async () => {
  await using db = await openPool(1)
  const heard: string[] = []
  let listening = 0
  const listener = await db.listen(
    'lost',
    (payload) => heard.push(payload),
    () => listening++,
  )
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim' and query like 'listen%'`
  await expect.poll(() => listening, { timeout: 5_000 }).toBe(2)
  await admin`select pg_notify('lost', 'hello')`
  await expect.poll(() => heard).toEqual(['hello'])
  await listener.stop()
})

test('a connection that the server has no place for is a connection error, and a later one succeeds', async () => {
  const role = `crowded_${process.pid}`
  await admin.unsafe(`create role ${role} login password 'crowded' connection limit 1`)
  const url = new URL(database.url)
  url.username = role
  url.password = 'crowded'
  const first = openDb({ url: url.toString(), connectionsMax: 1 })
  const second = openDb({ url: url.toString(), connectionsMax: 1 })
  const one = (db: Db) => db`select 1`.then((rows) => rows.length)
  expect(await one(first)).toBe(1)
  const refused = await one(second).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: '53300' })
  expect(isConnectionError(refused)).toBe(true)
  await first.end()
  await expect.poll(() => one(second).catch(() => 0)).toBe(1)
  await second.end()
  await admin.unsafe(`drop role ${role}`)
})
