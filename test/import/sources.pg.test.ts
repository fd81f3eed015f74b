import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { removeSupplier } from '../../src/operations/removal.ts'
import { openRunOfSource } from '../../src/imports/runs/runs.sql.ts'
import { enqueueRun } from '../../src/imports/runs/runs.ts'
import { deleteSource, editSource, type SourceChanges } from '../../src/imports/sources/edit-sources.ts'
import { startSources } from '../../src/imports/runs/sources/loop.ts'
import {
  runDueSources,
  runSource,
  sourceRunEnded,
  writeFailureNotices,
  type RunEnd,
} from '../../src/imports/runs/sources/source-runs.ts'
import { accountsWithDueSources, validatorsGet } from '../../src/imports/sources/sources.sql.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openWake } from '../../src/db/wake.ts'
import { noticesList } from '../../src/notices/notices.sql.ts'
import { noticeText } from '../../src/notices/notice-text.ts'
import { isCluster } from '../harness/database.ts'
import { hold, openNamed, until } from '../harness/interleave.ts'
import { MAPPING, openSourcesBench } from './sources-bench.ts'
import { ofFile } from '../harness/world.ts'
import { refusalText } from '../harness/refusal.ts'

// When runs of sources are requested, and the effects of their end: failures, the next fetch, and notices to owners.

const at = ofFile(openSourcesBench)
beforeEach(async () => {
  const { accountId } = at.account
  for (const table of ['import_run', 'supplier_source', 'notice'])
    await at.database.db`delete from ${at.database.db(table)} where account_id = ${accountId}`
})

const URL_ = 'https://files.example/stock.csv'
const MINUTE = 60_000
const { now: clock } = Date

const tx = <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(at.database.db, work)
const due = () => tx((t) => runDueSources(t, at.account.accountId))
const edit = async (id: number, changes: SourceChanges) =>
  tx(async (t) => editSource(t, at.account.accountId, await at.get(id), changes, at.rules))
/** Makes a source due now, or in this many minutes. */
const setNext = (id: number, minutes = 0) => at.database.db`
  update supplier_source set next_run_at = now() + make_interval(mins => ${minutes})
  where account_id = ${at.account.accountId} and source_id = ${id}`
const runs = async (id: number) =>
  (
    await at.database.db<{ state: string }[]>`
    select state from import_run where account_id = ${at.account.accountId} and source_id = ${id} order by run_id`
  ).map(({ state }) => state)
/** Ends the run of a source as the loop of runs does: both in one transaction. */
const end = (id: number, how: RunEnd) =>
  tx(async (t) => {
    await t`update import_run set state = ${how.state}, ended_at = now() where account_id = ${at.account.accountId} and source_id = ${id} and ended_at is null`
    await sourceRunEnded(t, at.account.accountId, id, how)
  })
const failed = (over: object = {}): RunEnd => ({
  state: 'failed',
  fetched: {
    kind: 'failed',
    fault: 'http_500',
    detail: 'the server failed (500)',
    retryAfterMs: null,
    isForGood: false,
    ...over,
  },
})
/** A fetched file. */
const FETCHED = {
  kind: 'file',
  path: '',
  name: '',
  bytes: 1,
  hash: '',
  etag: '"a"',
  lastModified: null,
  version: 1,
} as const
const done: RunEnd = { state: 'unchanged', fetched: { kind: 'unchanged' } }
const notices = async () =>
  (await noticesList(at.database.db, at.account.accountId, { limit: 50 })).map(({ kind }) => kind).toReversed()
/** Minutes from now until a source is fetched next, rounded; null where it is not. */
const minutesToNext = async (id: number) => {
  const { nextRunAt: next } = await at.get(id)
  return next === null ? null : Math.round((next.getTime() - clock()) / MINUTE)
}
/** The stored ETag, by which a server is asked for a newer file. */
const etagOf = async (id: number) => (await validatorsGet(at.database.db, at.account.accountId, id)).etag
/** Moves the start of the current failures back by this many hours. */
const failedFor = (id: number, hours: number) => at.database.db`
  update supplier_source set failed_since = (select now() - make_interval(hours => ${hours})),
    tell_at = (select now() - make_interval(hours => ${hours - 24})) where account_id = ${at.account.accountId} and source_id = ${id}`

describe('a source that is due', () => {
  test('gets a run, and is due again after its time', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 30 })
    expect(await minutesToNext(id)).toBe(30)
    expect(await due()).toEqual({ runs: 0, isMore: false })
    await setNext(id)
    expect(await due()).toEqual({ runs: 1, isMore: false })
    expect(await runs(id)).toEqual(['waiting'])
    expect(await minutesToNext(id)).toBe(30)
    expect((await at.get(id)).lastRunAt).not.toBeNull()
  })

  test('after days without a process gets one run, not many', async () => {
    const id = await at.add({ url: URL_, cron: '0 * * * *' })
    await setNext(id, -3 * 24 * 60)
    await due()
    // the first time after now, not after the missed one
    expect(await minutesToNext(id)).toBeGreaterThanOrEqual(0)
    await end(id, done)
    await due()
    expect(await runs(id)).toEqual(['unchanged'])
    expect(await minutesToNext(id)).toBeLessThanOrEqual(60)
  })

  test('gets none while its last one waits or runs, and is asked again at its next time', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 15 })
    for (let i = 0; i < 3; i++) {
      await setNext(id)
      await due()
    }
    expect(await runs(id)).toEqual(['waiting'])
    expect(await minutesToNext(id)).toBe(15)
  })

  test('gets none when it is inactive, and is due again when it is active', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 15 })
    await edit(id, { isActive: false })
    expect((await at.get(id)).nextRunAt).toBeNull()
    // as if it became inactive between the query and the lock
    await setNext(id)
    await due()
    expect([await runs(id), (await at.get(id)).nextRunAt]).toEqual([[], null])
    await edit(id, { isActive: true })
    expect(await minutesToNext(id)).toBe(15)
  })

  test('gets one run, however many processes look at once', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 15 })
    await setNext(id)
    const loops = Array.from({ length: 4 }, () =>
      startSources(at.database.db, openWake(at.database.db, silentLog), silentLog, { idleMs: 5 }),
    )
    await until('a run', async () => (await runs(id)).length > 0)
    await Promise.all(loops.map((loop) => loop.stop()))
    expect(await runs(id)).toEqual(['waiting'])
  })

  test('and was asked for by another process at the same moment, gets one run', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 15 })
    await setNext(id)
    await using other = openNamed(at.database)
    await using third = openNamed(at.database)
    // another process has requested the run but not committed yet: nobody waits for it
    await using held = await hold(other.db, (t) => runDueSources(t, at.account.accountId))
    expect(held.value).toEqual({ runs: 1, isMore: false })
    const looking = inTransaction(third.db, (t) => runDueSources(t, at.account.accountId))
    expect(await third.fate(looking)).toBe('over')
    expect(await looking).toEqual({ runs: 0, isMore: false })
    await held.commit()
    await due()
    expect(await runs(id)).toEqual(['waiting'])
  })

  test('of a supplier for which too many runs wait, is asked again at its next time', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 15 })
    const { accountId, suppliers } = at.account
    const supplierId = suppliers[0]?.supplierId ?? 0
    const request = { supplierId, sourceId: null, trigger: 'upload', mode: 'delta', mapping: MAPPING } as const
    const file = { key: 'none', name: 'none', bytes: 1, hash: 'none' }
    for (let i = 0; i < 1_000; i++) {
      const more = await tx((t) =>
        enqueueRun(t, accountId, { ...request, file, isDryRun: false, isConfirmed: false }),
      ).then(
        () => true,
        () => false,
      )
      if (!more) break
    }
    await setNext(id)
    expect(await due()).toEqual({ runs: 0, isMore: false })
    expect(await minutesToNext(id)).toBe(15)
  })

  test('is decided again when the clock was set back, without a run', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 15 })
    const db = at.database.db
    const { accountId } = at.account
    // scheduled by a clock that was a day ahead
    await db`update supplier_source set scheduled_at = (select now() + interval '1 day'), next_run_at = (select now() + interval '1 day 15 minutes')
      where account_id = ${accountId} and source_id = ${id}`
    await due()
    expect([await runs(id), await minutesToNext(id)]).toEqual([[], 15])
  })
})

describe('a run by request', () => {
  const run = (id: number, over = {}) =>
    tx((t) => runSource(t, at.account.accountId, id, { isDryRun: false, isConfirmed: false, ...over }))

  test('is asked for also when the source is inactive, and refused while one waits or runs', async () => {
    const id = await at.add({ url: URL_, isActive: false })
    const runId = await run(id, { isDryRun: true })
    expect(await tx((t) => openRunOfSource(t, at.account.accountId, id))).toBe(runId)
    expect(await refusalText(run(id))).toBe(
      `conflict: run ${runId} of this source waits or runs; wait for it, or cancel it`,
    )
    expect(await minutesToNext(id)).toBeNull()
  })

  test('is refused for what is not fetched', async () => {
    expect(await refusalText(run(await at.add({ kind: 'upload' })))).toMatch(/^conflict: .*send a file instead/)
  })

  test('fetches the file whether or not it has changed', async () => {
    const id = await at.add({ url: URL_ })
    await end(id, { state: 'succeeded', fetched: FETCHED })
    await run(id)
    expect(await etagOf(id)).toBeNull()
  })
})

describe('a source that fails', () => {
  test('is tried again soon, then later and later, and not after its time', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 120 })
    const seen = []
    for (let i = 0; i < 6; i++) {
      await setNext(id)
      await due()
      await end(id, failed())
      seen.push(await minutesToNext(id))
    }
    expect(seen).toEqual([1, 5, 15, 60, 60, 60])
    expect(await at.get(id)).toMatchObject({ failures: 6, failure: 'the server failed (500)' })
    const often = await at.add({ url: URL_, everyMinutes: 7 })
    for (let i = 0; i < 3; i++) {
      await setNext(often)
      await due()
      await end(often, failed())
    }
    expect(await minutesToNext(often)).toBe(7)
  })

  test('waits as long as its server asks, and until its scheduled time if trying soon is of no use', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 30 })
    const after = async (over: object) => {
      await setNext(id)
      await due()
      await end(id, failed(over))
      return minutesToNext(id)
    }
    expect(await after({ retryAfterMs: 20 * MINUTE })).toBe(20)
    expect(await after({ retryAfterMs: 90 * MINUTE })).toBe(90)
    expect(await after({ isForGood: true })).toBe(30)
  })

  test('and has no schedule, or is inactive, is not tried again automatically', async () => {
    const manual = await at.add({ url: URL_ })
    await end(manual, failed())
    expect([await minutesToNext(manual), (await at.get(manual)).failures]).toEqual([null, 1])
    const paused = await at.add({ url: URL_, everyMinutes: 30 })
    await edit(paused, { isActive: false })
    await end(paused, failed())
    expect(await minutesToNext(paused)).toBeNull()
  })

  test('works again: what was counted is forgotten, and it is due at its time', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 30 })
    await end(id, failed())
    await end(id, failed())
    await end(id, done)
    expect(await at.get(id)).toMatchObject({ failures: 0, failedSince: null, failure: null })
    expect(await minutesToNext(id)).toBe(30)
    expect(await notices()).toEqual([])
  })

  test('in a dry run, or when the run was canceled, is not counted', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 30 })
    await end(id, { ...failed(), isDryRun: true })
    await end(id, { state: 'canceled', fetched: null })
    expect(await at.get(id)).toMatchObject({ failures: 0, failedSince: null })
  })
})

describe('owners are told', () => {
  test('once when a source has failed for a day, and once when it works again', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 30 })
    await end(id, failed())
    await tx((t) => writeFailureNotices(t, at.account.accountId))
    expect(await notices()).toEqual([])
    await failedFor(id, 24)
    for (let i = 0; i < 3; i++) {
      await tx((t) => writeFailureNotices(t, at.account.accountId))
      await end(id, failed())
    }
    expect(await notices()).toEqual(['source_failing'])
    await end(id, done)
    await end(id, done)
    expect(await notices()).toEqual(['source_failing', 'source_recovered'])
  })

  test('also when its files can be fetched and are refused, or by several processes at once', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 30 })
    await end(id, { state: 'refused', fetched: null, detail: 'this is HTML' })
    await failedFor(id, 25)
    await Promise.all(Array.from({ length: 5 }, () => tx((t) => writeFailureNotices(t, at.account.accountId))))
    expect(await notices()).toEqual(['source_failing'])
    expect(await at.get(id)).toMatchObject({ failures: 0, failure: 'this is HTML' })
    expect(await minutesToNext(id)).toBe(30)
  })

  test('by the loop, of a source that is not due for long', async () => {
    const id = await at.add({ url: URL_, cron: '0 5 1 1 *' })
    await end(id, failed({ isForGood: true }))
    await failedFor(id, 24)
    const loop = startSources(at.database.db, at.bench.wake, silentLog, { idleMs: 5 })
    await until('a notice', async () => (await notices()).length > 0)
    await loop.stop()
    expect(await notices()).toEqual(['source_failing'])
  })

  test('at once of a run that is held, once until it works again', async () => {
    const id = await at.add({ url: URL_, everyMinutes: 30 })
    const held: RunEnd = { state: 'held', fetched: null, runId: 7, detail: '80 % of the offers would be set to 0' }
    await end(id, held)
    await end(id, held)
    await failedFor(id, 30)
    expect(await notices()).toEqual(['source_held'])
    await end(id, { state: 'succeeded', fetched: null })
    await end(id, held)
    expect(await notices()).toEqual(['source_held', 'source_recovered', 'source_held'])
  })

  test('what happened, and what to do', async () => {
    const id = await at.add({
      name: 'stock',
      url: URL_,
      everyMinutes: 30,
      credentials: { kind: 'bearer', token: 'hush-token' },
    })
    await end(id, { state: 'held', fetched: null, runId: 7, detail: '80 % of the offers would be set to 0' })
    await end(id, done)
    const { accountId } = at.account
    const [again, held] = await noticesList(at.database.db, accountId, { limit: 2 })
    if (held === undefined || again === undefined) throw new Error('there are no notices')
    const text = noticeText(accountId, held, 'en')
    expect(text.subject).toBe('A file of the source stock of the supplier north was held back')
    for (const words of [
      'Run:         7',
      '80 % of the offers',
      `shelfwire source run --account ${accountId} --supplier north --source stock --confirm`,
    ])
      expect(text.text).toContain(words)
    expect(noticeText(accountId, again, 'en').subject).toBe('The source stock of the supplier north works again')
    expect(JSON.stringify([held, again])).not.toContain('hush')
  })
})

test('a source that was edited to another file is fetched whether or not it has changed, and runs that began before say nothing', async () => {
  const id = await at.add({ url: URL_ })
  await end(id, { state: 'succeeded', fetched: FETCHED })
  expect(await etagOf(id)).toBe('"a"')
  await edit(id, { everyMinutes: 30 })
  expect(await etagOf(id)).toBe('"a"')
  // after an incomplete import no ETag is kept, so that the next fetch cannot be "unchanged"
  await end(id, { state: 'failed', fetched: FETCHED })
  expect(await etagOf(id)).toBeNull()
  await end(id, { state: 'succeeded', fetched: FETCHED })
  await edit(id, { mapping: { ...MAPPING, delimiter: ';' } })
  expect(await etagOf(id)).toBeNull()
  await end(id, { state: 'succeeded', fetched: FETCHED })
  expect(await etagOf(id)).toBeNull()
  await end(id, { state: 'succeeded', fetched: { ...FETCHED, version: 2 } })
  expect(await etagOf(id)).toBe('"a"')
  await end(id, failed())
  expect(await etagOf(id)).toBe('"a"')
})

test('a source goes with its supplier, beside a loop that asks for runs', async () => {
  const id = await at.add({ url: URL_, everyMinutes: 30 }, 1)
  await setNext(id)
  const { accountId, suppliers } = at.account
  const loop = startSources(at.database.db, at.bench.wake, silentLog, { idleMs: 1 })
  await tx((t) => removeSupplier(t, accountId, suppliers[1]?.supplierId ?? 0))
  await loop.stop()
  await expect(at.get(id)).rejects.toThrow('there is no source')
  // the requested run finds no source
  expect(await at.fetching().fetchSource(accountId, id, new AbortController().signal, () => {})).toMatchObject({
    fault: 'deleted',
  })
  await tx((t) => sourceRunEnded(t, accountId, id, failed()))
  await tx((t) => deleteSource(t, accountId, id))
})

test.runIf(!isCluster())('accounts with sources that are due are found by indexes', async () => {
  const { db } = at.database
  let sent: { text: string; values: readonly never[] } | null = null
  db.onStatement = (text, values) => (sent ??= { text, values: values as readonly never[] })
  await accountsWithDueSources(db, 1_000)
  db.onStatement = null
  const { text, values } = sent ?? { text: '', values: [] }
  const plan = JSON.stringify(await db.unsafe(`explain ${text}`, values))
  for (const index of ['supplier_source_due', 'supplier_source_tell', 'supplier_source_scheduled'])
    expect(plan).toContain(index)
})
