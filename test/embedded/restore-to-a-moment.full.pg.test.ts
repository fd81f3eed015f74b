import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCommands, type Commands } from '../harness/command.ts'
import { until } from '../harness/interleave.ts'
import { serve } from '../harness/serving.ts'
import { client } from '../harness/service.ts'
import { startS3 } from '../harness/s3-server.ts'
import { directoryOfFile } from '../harness/world.ts'

// Restore drills: a backup of an embedded server and the log that it archived afterwards are restored to recorded points in time.

const directory = directoryOfFile('moment')
// readable for the server's user, which is another one if the tests run as root
const outside = mkdtempSync(join(tmpdir(), 'shelfwire-archive-'))
chmodSync(outside, 0o755)
const archive = join(outside, 'log')
const backup = join(directory, 'backups', 'monday')
/** Commands on the embedded server of a DATA_DIR. */
/** The longest time to replay the restored log before the service listens. */
const SERVING_MS = 120_000
const on = (name: string) => openCommands({ url: '' }, join(directory, name))
const commands = on('data')
let account = ''
let token = ''
/** Points in time with the offer's cost and the head of the feed at each. */
const moments: { at: Date; cost: string; head: { next_since: string; next_id: number } }[] = []
let madeAt = ''
let beforeBackup = new Date()
let stoppedAt = new Date()
/** The metrics after the backup. */
let figures = ''
let readiness: unknown
let doctor: Awaited<ReturnType<Commands['run']>> | undefined

beforeAll(async () => {
  const service = await serve(commands, { WAL_ARCHIVE_DIR: archive }, SERVING_MS)
  const opened = await commands.json('account create --name Acme --currency EUR --locale en')
  account = String((opened as { account_id: number }).account_id)
  await commands.json(`supplier create --account ${account} --code north --name North --currency EUR`)
  ;({ token } = (await commands.json(`token create --account ${account} --access full`)) as { token: string })
  const put = (cost: string) => putCost(service.url, cost)
  const note = async (cost: string) => {
    const { body } = await client(service.url, token)('/v1/changes?since=now')
    await sleep(20)
    moments.push({ at: new Date(), cost, head: body as (typeof moments)[number]['head'] })
    await sleep(20)
  }
  await put('1.00')
  beforeBackup = new Date()
  ;({ ended_at: madeAt } = (await commands.json(['backup', backup])) as { ended_at: string })
  await put('2.00')
  await put('3.00')
  await note('3.00')
  await put('4.00')
  // each backup begins a segment of its own
  await commands.json(['backup', join(directory, 'backups', 'tuesday')])
  await put('5.00')
  await note('5.00')
  await put('6.00')
  await until('segments were archived', async () => {
    figures = (await client(service.url, null)('/metrics')).text
    return /^shelfwire_wal_archived_timestamp_seconds 1\d{9}/m.test(figures)
  })
  readiness = (await client(service.url, null)('/readyz')).body
  doctor = await commands.run(['doctor', '--json'], { env: { WAL_ARCHIVE_DIR: archive } })
  await service.stop()
  stoppedAt = new Date()
}, 240_000)
afterAll(() => rmSync(outside, { recursive: true, force: true }))

const restoring = (to: Date, from = archive) => ['restore', backup, '--to', to.toISOString(), '--archive', from]

test(
  'exactly what was committed up to the moment is there, and later cursors are refused',
  { timeout: 240_000 },
  async () => {
    for (const [i, { at, cost }] of moments.entries()) {
      const restored = on(`restored-${i}`)
      const said = (await restored.json(restoring(at))) as { to: string; last_change_at: string; accounts: number }
      expect(said).toMatchObject({ to: at.toISOString(), accounts: 1 })
      expect(Date.parse(said.last_change_at)).toBeLessThanOrEqual(at.getTime())
      const service = await serve(restored, {}, SERVING_MS)
      try {
        const http = client(service.url, token)
        const { body } = await http('/v1/account/suppliers/north/offers/A-1')
        expect(Number((body as { data: { cost: string } }).data.cost)).toBe(Number(cost))
        // a cursor from the last moment may name changes that the restored database does not have
        const { next_since: since, next_id: id } = moments.at(-1)!.head
        const cursor = new URLSearchParams({ since, since_id: String(id) })
        if (i === 0) expect((await http(`/v1/changes?${cursor.toString()}`)).status).toBe(410)
        expect(await restored.json(`audit --account ${account}`)).toMatchObject({ differences: 0 })
      } finally {
        await service.stop()
      }
    }
  },
)

test('the log is shipped to a bucket once, and restored from there', { timeout: 240_000 }, async () => {
  await using store = await startS3('logs')
  const env = {
    S3_BUCKET: 'logs',
    S3_ENDPOINT: store.settings.endpoint,
    S3_REGION: store.settings.region,
    S3_ACCESS_KEY_ID: store.settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.settings.secretAccessKey,
  }
  const ship = async () => {
    const { code, out, err } = await commands.run('ship-log --json', { env: { ...env, WAL_ARCHIVE_DIR: archive } })
    expect(code, err).toBe(0)
    return JSON.parse(out) as { archive: string; shipped: number; newest: string }
  }
  const archived = readdirSync(archive)
    .filter((name) => name.endsWith('.gz'))
    .sort()
  const shipped = await ship()
  expect(shipped).toMatchObject({ shipped: archived.length, newest: archived.at(-1) })
  expect((await ship()).shipped).toBe(0)
  const { at, cost } = moments[0]!
  const restored = on('from-bucket')
  const { code, err } = await restored.run([...restoring(at, 's3:'), '--json'], { env })
  expect(code, err).toBe(0)
  for (const place of [directory, join(directory, 'from-bucket', 'postgres')])
    expect(existsSync(place) ? readdirSync(place).filter((name) => /log-|restored-log/.test(name)) : []).toEqual([])
  const service = await serve(restored, {}, SERVING_MS)
  try {
    const { body } = await client(service.url, token)('/v1/account/suppliers/north/offers/A-1')
    expect(Number((body as { data: { cost: string } }).data.cost)).toBe(Number(cost))
  } finally {
    await service.stop()
  }
  const unknown = 's3:00000000-0000-0000-0000-000000000000'
  expect((await on('of-nobody').run([...restoring(at, unknown), '--json'], { env })).err).toContain(
    'has no segment of a log',
  )
})

test('a moment that cannot be restored is refused with what can', { timeout: 120_000 }, async () => {
  const to = on('refused')
  expect(await to.refusal(restoring(beforeBackup))).toContain(`it can be brought to ${madeAt} or later`)
  expect(await to.refusal(restoring(new Date(Date.now() + 3_600_000)))).toContain('has not come yet')
  expect(existsSync(join(directory, 'refused', 'restore-unfinished.json'))).toBe(false)
  const [, until = ''] =
    /does not reach .*: its last change is of (\S+)/.exec(await to.refusal(restoring(new Date()))) ?? []
  expect(Date.parse(until)).toBeGreaterThan(moments.at(-1)!.at.getTime())
  expect(Date.parse(until)).toBeLessThanOrEqual(stoppedAt.getTime())
  // no service starts on a database that was replayed but not fenced
  expect(await to.refusal(['account', 'list'])).toContain('is being restored')
  expect(await to.refusal(['restore', backup, '--to', stoppedAt.toISOString()])).toContain('needs --archive')
  expect(await to.refusal(['restore', backup, '--to', 'yesterday', '--archive', archive])).toContain('takes a time')
  expect(await to.refusal(restoring(moments[0]!.at, directory))).toContain('has no segment of a log')
})

test(
  'a segment that is missing or cut off is named, with how far the log is whole; and another restore begins anew',
  { timeout: 240_000 },
  async () => {
    const broken = join(outside, 'broken')
    cpSync(archive, broken, { recursive: true })
    // a segment between the two backups is removed from the archive: the last moment is after it
    const label = readFileSync(join(directory, 'backups', 'tuesday', 'cluster', 'backup_label'), 'utf8')
    const [, segment = ''] = /\(file ([0-9A-F]{24})\)/.exec(label) ?? []
    const file = join(broken, `${segment}.gz`)
    const last = moments.at(-1)!
    truncateSync(file, 2_000)
    const said = await on('broken').refusal(restoring(last.at, broken))
    expect(said).toContain(`${segment}.gz is damaged`)
    const [, until = ''] = /can be restored up to (\S+)/.exec(said) ?? []
    expect(Date.parse(until)).toBeGreaterThan(moments[0]!.at.getTime())
    expect(Date.parse(until)).toBeLessThan(last.at.getTime())
    rmSync(file)
    expect(await on('broken').refusal(restoring(last.at, broken))).toContain(`${segment}.gz is missing`)
    // moments before the gap can be restored
    expect(await on('broken').json(restoring(moments[0]!.at, broken))).toMatchObject({ accounts: 1 })
  },
)

test('a restore that is killed while it replays is made again', { timeout: 240_000 }, async () => {
  const killed = on('killed')
  // a compile cache inside its DATA_DIR would make the directory not empty
  const child = killed.start(restoring(moments[0]!.at), { NODE_COMPILE_CACHE: join(directory, 'compiled') })
  const ended = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
  const log = join(directory, 'killed', 'postgres.log')
  await until(
    'the server replays',
    async () => {
      if (child.exitCode !== null) throw new Error(said)
      return existsSync(log) && readFileSync(log, 'utf8').includes('recovery')
    },
    120_000,
  )
  child.kill('SIGKILL')
  await ended
  expect(await killed.refusal(['account', 'list'])).toContain('is being restored')
  expect(await killed.json(restoring(moments[0]!.at))).toMatchObject({ to: moments[0]!.at.toISOString() })
  expect(await killed.json('account list')).toMatchObject({ accounts: [{ name: 'Acme' }] })
  expect(await killed.json(`audit --account ${account}`)).toMatchObject({ differences: 0 })
})

test('an archive is of one database, and is told in figures', { timeout: 120_000 }, async () => {
  expect(figures).toMatch(/^shelfwire_wal_archive_failing 0$/m)
  expect(readiness).toMatchObject({
    warnings: [],
    log_archive: { archived_at: expect.any(String), age_seconds: expect.any(Number), is_failing: false },
  })
  expect(JSON.parse(doctor?.out ?? '')).toMatchObject({
    checks: expect.arrayContaining([expect.objectContaining({ name: 'archive', status: 'ok', advice: null })]),
  })
  expect(readdirSync(archive).filter((name) => name.endsWith('.unfinished'))).toEqual([])
  expect(await on('other').refusal(['account', 'list'], { WAL_ARCHIVE_DIR: archive })).toContain(
    `has the log of another database (DATA_DIR ${join(directory, 'data')})`,
  )
  expect(await on('other').refusal(['account', 'list'], { WAL_ARCHIVE_DIR: `${archive}'s` })).toContain('quotes')
  // no files that look like a database
  expect(readdirSync(join(directory, 'other')).filter((name) => /^postgres(?!\.lock)/.test(name))).toEqual([])
})

async function putCost(url: string, cost: string): Promise<void> {
  const { status } = await client(url, token)('/v1/account/suppliers/north/offers/A-1', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cost, quantity: 3, texts: { en: { title: 'Pen' } } }),
  })
  expect([200, 201]).toContain(status)
}
