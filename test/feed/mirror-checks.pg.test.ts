import { expect, test } from 'vitest'
import { ROUTES } from '../../contract/routes.ts'
import { removeStore } from '../../src/operations/removal.ts'
import { deletionStep } from '../../src/operations/deletion/step.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { recordMirrorCheck } from '../../src/feed/mirror-checks.ts'
import { mirrorCheckPut } from '../../src/feed/mirror-checks.sql.ts'
import { formatTimestamp } from '../../src/platform/time/timestamp.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { hold, until } from '../harness/interleave.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { makeOwner } from '../panel/browser.ts'
import { worldOfFile } from '../harness/world.ts'

// The results of verification that mirrors report (docs/decisions/239-a-mirror-tells-what-it-found.md).

const { service, database } = worldOfFile({ service: {} })

/** An account with three products and a connector token, and functions that report and read checks with it. */
async function shopOf(name: string) {
  const account = await createAccount(service.runtime, name)
  const rename = (title: string) => giveOffers(service.runtime, account, [offer('A1', { texts: { de: { title } } })])
  const ids = await giveOffers(
    service.runtime,
    account,
    ['A1', 'A2', 'A3'].map((sku) => offer(sku)),
  )
  const token = await tokenFor(service.runtime, account.accountId, 'connector')
  const get = client(service.url, token)
  const tell = (told: object, init: RequestInit = {}): Promise<Answer> =>
    get('/v1/digest/checks', {
      method: 'POST',
      body: JSON.stringify(told),
      headers: { 'content-type': 'application/json' },
      ...init,
    })
  const cursor = async (store = 'de') => {
    const { body } = await get(`/v1/changes?store=${store}`)
    return { since: body.next_since as string, since_id: body.next_id as number }
  }
  const list = async () => (await get('/v1/digest/checks')).body.data
  return { account, ids, get, tell, cursor, list, rename }
}

const seconds = (text: string) => new Date(text).getTime()

test('an equal mirror is equal as of now while its store has nothing after its cursor, then as of its cursor', async () => {
  const { account, tell, cursor, list, rename } = await shopOf('alder')
  // the time of the last change in the feed is not the time of the check
  const anHourAgo = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000)
  await database.db`update change set changed_at = ${anHourAgo} where account_id = ${account.accountId}`
  const at = await cursor()
  const before = Math.floor(Date.now() / 1_000) * 1_000
  const { status, body } = await tell({ store: 'de', mirror: 'Medusa', ...at, differing: 0 })
  expect(status).toBe(200)
  expect(body.data).toEqual({
    store: 'de',
    mirror: 'Medusa',
    differing: 0,
    as_of: expect.any(String),
    equal_as_of: body.data.as_of,
    differs_since: null,
    told_at: body.data.as_of,
  })
  expect(seconds(body.data.as_of)).toBeGreaterThanOrEqual(before)
  expect(await list()).toEqual([body.data])

  await rename('Neu')
  const later = (await tell({ store: 'de', mirror: 'Medusa', ...at, differing: 0 })).body.data
  expect([later.as_of, later.equal_as_of]).toEqual([at.since, at.since])
  expect(seconds(later.told_at)).toBeGreaterThanOrEqual(before)
})

test('a mirror differs since it was first told to, and is no longer when it is equal again', async () => {
  const { account, tell, cursor } = await shopOf('birch')
  const at = await cursor()
  const past = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 7_200_000)
  const [, storeId] = account.storeIds
  const told = { storeId, mirror: 'm', asOf: past, toldAt: past }
  const since = new Date(past.getTime() + 60_000)
  await inTransaction(database.db, async (tx) => {
    await mirrorCheckPut(tx, account.accountId, { ...told, differing: 0 })
    await mirrorCheckPut(tx, account.accountId, { ...told, differing: 2, asOf: since, toldAt: since })
  })
  const differs = (await tell({ store: 'de', mirror: 'm', ...at, differing: 3 })).body.data
  expect(differs).toMatchObject({
    differing: 3,
    differs_since: formatTimestamp(since),
    equal_as_of: formatTimestamp(past),
  })
  const equal = (await tell({ store: 'de', mirror: 'm', ...at, differing: 0 })).body.data
  expect(equal).toMatchObject({ differing: 0, differs_since: null, equal_as_of: equal.as_of })
})

test('what is told of a cursor that the feed does not have is refused', async () => {
  const { tell, cursor, list } = await shopOf('cedar')
  const at = await cursor()
  const ahead = await tell({ store: 'de', mirror: 'm', ...at, since_id: at.since_id + 1_000_000, differing: 0 })
  expect([ahead.status, ahead.body.code]).toEqual([410, 'cursor-ahead'])
  expect(await list()).toEqual([])
})

test('names, numbers and times are checked, and unknown stores are', async () => {
  const { tell, cursor, list } = await shopOf('dogwood')
  const good = { store: 'de', mirror: 'm', ...(await cursor()), differing: 0 }
  const bad = [
    { mirror: '' },
    { mirror: ' m' },
    { mirror: 'a\u0000b' },
    { mirror: 'a\ud800b' },
    { since: '2026-02-30T10:00:00Z' },
    { mirror: 'x'.repeat(101) },
    { since: 'yesterday' },
    { since_id: -1 },
    { differing: -1 },
    { differing: 0.5 },
    { more: 1 },
  ]
  for (const part of bad) {
    const { status, body } = await tell({ ...good, ...part })
    expect([part, status, body.code]).toEqual([part, 422, 'invalid-input'])
  }
  for (const body of ['', '[]', '{"mirror":']) expect((await tell({}, { body })).status).toBeGreaterThanOrEqual(400)
  expect((await tell({ ...good, store: 'nowhere' })).body.code).toBe('unknown-store')
  expect((await tell({ ...good, mirror: 'x'.repeat(5_000) })).body.code).toBe('payload-too-large')
  expect(await list()).toEqual([])
})

test('mirrors of an account are told and read by its own tokens alone', async () => {
  const [alder, birch] = [await shopOf('elder'), await shopOf('fir')]
  await alder.tell({ store: 'de', mirror: 'm', ...(await alder.cursor()), differing: 0 })
  await birch.tell({ store: 'de', mirror: 'm', ...(await birch.cursor()), differing: 7 })
  expect((await alder.list()).map(({ differing }: { differing: number }) => differing)).toEqual([0])
  expect((await birch.list()).map(({ differing }: { differing: number }) => differing)).toEqual([7])
  const nobody = client(service.url, null)
  expect((await nobody('/v1/digest/checks', { method: 'POST' })).status).toBe(401)
  // the only write that a connector token may send
  const writes = ROUTES.filter(({ access, method }) => access === 'connector' && method !== 'get')
  expect(writes.map(({ id }) => id)).toEqual(['tellMirrorCheck'])
})

test('telling changes no product, no digest and no cursor', async () => {
  const { get, tell, cursor } = await shopOf('ginkgo')
  const read = async () => {
    const paths = ['/v1/products?store=de', '/v1/digest?store=de', '/v1/changes?store=de', '/v1/stores']
    return Promise.all(paths.map(async (path) => (await get(path)).text))
  }
  const before = await read()
  expect((await tell({ store: 'de', mirror: 'm', ...(await cursor()), differing: 5 })).status).toBe(200)
  expect(await read()).toEqual(before)
})

test('of a store those that told last are kept, and those of the last 30 days', async () => {
  const { account, tell, cursor, list } = await shopOf('hazel')
  const {
    accountId,
    storeIds: [, de, pl],
  } = account
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const put = (mirror: string, minutes: number, storeId: number = de) =>
    inTransaction(database.db, (tx) =>
      mirrorCheckPut(tx, accountId, { storeId, mirror, differing: 0, asOf: at(minutes), toldAt: at(minutes) }),
    )
  await put('forgotten', 31 * 24 * 60)
  expect(await list()).toEqual([])
  await put('of another store', 1_000, pl)
  for (let i = 1; i <= LIMITS.mirrorsPerStore; i++) await put(`m${i}`, i)
  await tell({ store: 'de', mirror: 'newest', ...(await cursor()), differing: 0 })
  const names = (await list()).map(({ mirror }: { mirror: string }) => mirror)
  expect(names).toHaveLength(LIMITS.mirrorsPerStore + 1)
  expect(names).toContain('newest')
  expect(names).toContain('of another store')
  expect(names).not.toContain(`m${LIMITS.mirrorsPerStore}`)
  const rows = await database.db`select from mirror_check where account_id = ${accountId}`
  expect(rows).toHaveLength(LIMITS.mirrorsPerStore + 1)
})

test('an account tells a bounded number at once', async () => {
  const { tell, cursor } = await shopOf('juniper')
  const told = { store: 'de', mirror: 'm', ...(await cursor()), differing: 0 }
  const answers = await Promise.all(Array.from({ length: LIMITS.mirrorChecksAtOnce * 2 }, () => tell(told)))
  const refused = answers.filter(({ status }) => status !== 200)
  // while they are answered, the limit refills for a few more
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(LIMITS.mirrorChecksAtOnce)
  expect(refused.length).toBeGreaterThan(LIMITS.mirrorChecksAtOnce / 2)
  for (const { status, body, headers } of refused) {
    expect([status, body.code]).toEqual([429, 'rate-limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
})

test('the mirrors of a deleted store are forgotten', async () => {
  const { account, tell, cursor, list } = await shopOf('larch')
  const {
    accountId,
    storeIds: [, , pl],
  } = account
  await tell({ store: 'pl', mirror: 'm', ...(await cursor('pl')), differing: 0 })
  await inTransaction(database.db, (tx) => removeStore(tx, accountId, pl))
  const work = { kind: 'delete_store', subjectId: pl, rows: '[9007199254740991]' }
  await inTransaction(database.db, (tx) => deletionStep(tx, accountId, work as never))
  const rows = await database.db`select from mirror_check where account_id = ${accountId}`
  expect(rows).toHaveLength(0)
  expect(await list()).toEqual([])
})

// skipped on a cluster: the coordinator does not show who waits on a node
test.skipIf(isCluster())(
  'a check that is told while its store is deleted is of an unknown store, and nothing of it stays',
  async () => {
    const { account, tell, cursor } = await shopOf('lime')
    const {
      accountId,
      storeIds: [, , pl],
    } = account
    const told = { store: 'pl', mirror: 'm', ...(await cursor('pl')), differing: 0 }
    // the service has cached the store, and gets no notification of its deletion
    expect((await tell(told)).status).toBe(200)
    let late: Promise<Answer>
    {
      await using deleting = await hold(database.db, (tx) => removeStore(tx, accountId, pl))
      late = tell({ ...told, mirror: 'late' })
      await until('it waits for the deletion', async () => {
        const [row] = await database.db<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and query like '%from store%'`
        return row?.waiting === 1
      })
      await deleting.commit()
    }
    const work = { kind: 'delete_store', subjectId: pl, rows: '[9007199254740991]' }
    await inTransaction(database.db, (tx) => deletionStep(tx, accountId, work as never))
    for (const { status, body } of [await late, await tell({ ...told, mirror: 'later' })])
      expect([status, body.code]).toEqual([404, 'unknown-store'])
    const rows = await database.db`select from mirror_check where account_id = ${accountId}`
    expect(rows).toHaveLength(0)
    // when the account is erased, the store itself is gone
    const cursorOf = { since: new Date(told.since), id: told.since_id }
    const gone = recordMirrorCheck(database.db, accountId, {
      storeId: pl + 1_000,
      mirror: 'm',
      cursor: cursorOf,
      differing: 0,
    })
    await expect(gone).rejects.toMatchObject({ code: 'unknown-store' })
  },
)

test('the panel has with each store what its mirrors have told', async () => {
  const { account, tell, cursor, list } = await shopOf('maple')
  const { owner } = await makeOwner(database.db, service.url, account.accountId, 'owner@example.com')
  const at = await cursor()
  await tell({ store: 'de', mirror: 'Medusa', ...at, differing: 0 })
  await tell({ store: 'de', mirror: 'copy', ...at, differing: 3 })
  const [equal, copy] = await list()
  const { stores } = (await owner.get(`/panel/api/accounts/${account.accountId}/overview`)).body.data
  expect(stores.map((row: { slug: string; mirrors: unknown[] }) => [row.slug, row.mirrors])).toEqual([
    ['main', []],
    [
      'de',
      [
        { name: 'Medusa', differing: 0, as_of: equal.as_of, differs_since: null, told_at: equal.told_at },
        { name: 'copy', differing: 3, as_of: copy.as_of, differs_since: copy.told_at, told_at: copy.told_at },
      ],
    ],
    ['pl', []],
  ])
})
