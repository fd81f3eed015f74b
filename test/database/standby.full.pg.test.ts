import { beforeAll, expect, test } from 'vitest'
import { CommitUnknown, failureOf, isConnectionError } from '../../src/db/connections/connection-errors.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db, type Tx } from '../../src/db/sql.ts'
import { openAddress } from '../harness/address.ts'
import { until } from '../harness/interleave.ts'
import { startPair, SYNCHRONOUS } from '../harness/standby.ts'
import { ofFile } from '../harness/world.ts'

// A pool with a primary and its streaming standby: which of them it uses, and what it reports about a commit.

const pair = ofFile(() => startPair(SYNCHRONOUS))
beforeAll(async () => {
  await pair.primary.ask((db) => db.unsafe('create table note (number integer primary key)'))
}, 60_000)

const portOf = async (reader: Db | Tx) => (await reader<{ port: number }[]>`select inet_server_port() as port`)[0]?.port
const open = (hosts: readonly number[], attribute = '', over: object = {}) => {
  const db = openDb({
    url: `postgres://shelfwire@${hosts.map((port) => `127.0.0.1:${port}`).join(',')}/app${attribute}`,
    connectionsMax: 4,
    ...over,
  })
  return Object.assign(db, { [Symbol.asyncDispose]: () => db.end({ timeout: 1 }) })
}

test('the primary among several hosts is used, in any position and whichever others do not answer', async () => {
  const { primary, standby } = pair
  await using nobody = await openAddress(1)
  for (const hosts of [
    [standby.port, primary.port],
    [primary.port, standby.port],
    [nobody.port, standby.port, primary.port],
  ]) {
    await using db = open(hosts)
    expect(await Promise.all(Array.from({ length: 4 }, () => inTransaction(db, portOf)))).toEqual(
      Array.from({ length: 4 }, () => primary.port),
    )
    expect(await portOf(db)).toBe(primary.port)
    const heard: string[] = []
    const listener = await db.listen(
      'heard',
      (payload) => heard.push(payload),
      () => {},
    )
    await db`select pg_notify('heard', 'hello')`
    await expect.poll(() => heard).toEqual(['hello'])
    await listener.stop()
  }
})

test('without a primary there is no connection; a standby that is named alone is read, without the attribute', async () => {
  const { standby } = pair
  for (const attribute of ['?target_session_attrs=primary', '?target_session_attrs=read-write']) {
    await using db = open([standby.port], attribute)
    const refused = await portOf(db).catch((error: unknown) => error)
    expect(String(refused)).toMatch(/is a standby/)
    expect(isConnectionError(refused)).toBe(true)
  }
  await using db = open([standby.port])
  expect(await portOf(db)).toBe(standby.port)
})

test('a commit whose wait for the standby was cancelled is not acknowledged', async () => {
  const { primary, standby } = pair
  await using db = open([primary.port])
  await standby.stop('fast')
  try {
    const writing = inTransaction(db, (tx) => tx`insert into note values (1)`).catch((error: unknown) => error)
    await until('the commit waits for the standby', () =>
      primary.ask(async (asking) => {
        const cancelled = await asking`
          select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit'`
        return cancelled.length === 1
      }),
    )
    const error = await writing
    expect(error).toBeInstanceOf(CommitUnknown)
    expect(failureOf(error)).toBe('commit-unknown')
    // the row is committed, but would be lost by a failover
    expect(await primary.ask(async (asking) => (await asking`select from note where number = 1`).length)).toBe(1)
  } finally {
    await standby.start()
  }
  // the connection that got the warning is not used again, so later commits are trusted
  expect((await inTransaction(db, (tx) => tx`insert into note values (2) returning 1`)).length).toBe(1)
})

test('a commit that the server does not answer is reported as unknown, not as failed', async () => {
  const { primary, standby } = pair
  await using db = open([primary.port])
  await standby.stop('fast')
  try {
    const writing = inTransaction(db, (tx) => tx`insert into note values (3)`).catch((error: unknown) => error)
    await until('the commit waits for the standby', () =>
      primary.ask(async (asking) => {
        const ended = await asking`
          select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit'`
        return ended.length === 1
      }),
    )
    expect(await writing).toBeInstanceOf(CommitUnknown)
  } finally {
    await standby.start()
  }
})

test('a refused write replaces the connections to a former primary, also those that only read', async () => {
  const { primary, standby } = pair
  await using address = await openAddress(standby.port)
  await using db = open([address.port])
  const ports = () => Promise.all(Array.from({ length: 4 }, () => inTransaction(db, (tx) => portSlowly(tx))))
  expect(new Set(await ports())).toEqual(new Set([standby.port]))
  address.leadTo(primary.port)
  // open connections stay open if they only read
  expect(new Set(await ports())).toEqual(new Set([standby.port]))
  const refused = await inTransaction(db, (tx) => tx`insert into note values (4)`).catch((error: unknown) => error)
  expect(failureOf(refused)).toBe('read-only')
  expect(new Set(await ports())).toEqual(new Set([primary.port]))
})

test(
  'when a primary vanishes without a word, what waits for it ends as soon as another one is found',
  { timeout: 90_000 },
  async () => {
    await using own = await startPair({})
    const { primary, standby } = own
    await primary.ask((asking) => asking.unsafe('create table note (number integer primary key)'))
    await until('the standby has the table', () =>
      standby.ask(async (asking) => (await asking`select to_regclass('note') as name`)[0]?.['name'] !== null),
    )
    await using first = await openAddress(primary.port)
    await using second = await openAddress(standby.port)
    // a timeout that is too long to be the cause
    await using db = open([first.port, second.port], '', { answerTimeoutMs: 20_000 })
    // two idle connections, and one in the middle of a transaction
    await Promise.all([inTransaction(db, portSlowly), inTransaction(db, portSlowly), inTransaction(db, portSlowly)])
    const began = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const waiting = inTransaction(db, async (tx) => {
      await tx`insert into note values (1)`
      began.resolve()
      await goOn.promise
      await tx`insert into note values (2)`
    }).then(
      () => 'acknowledged',
      (error: unknown) => error,
    )
    await began.promise
    first.vanish()
    await primary.stop('kill')
    goOn.resolve()
    await own.promote()
    const from = performance.now()
    // in production the listening connection notices it first, by its keepalives; here a new one is opened at once
    const listener = await db.listen(
      'x',
      () => {},
      () => {},
    )
    const lost = await waiting
    expect(isConnectionError(lost), String(lost)).toBe(true)
    expect(performance.now() - from).toBeLessThan(15_000)
    expect(await Promise.all(Array.from({ length: 6 }, () => inTransaction(db, portSlowly)))).toEqual(
      Array.from({ length: 6 }, () => standby.port),
    )
    await listener.stop()
  },
)

/** The port of the server, read slowly, so that concurrent transactions need a connection each. */
async function portSlowly(tx: Tx) {
  await tx`select pg_sleep(0.1)`
  return portOf(tx)
}
