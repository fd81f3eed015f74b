import { once } from 'node:events'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Registry } from 'prom-client'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { findShipped } from '../../src/commands/installation/ship-log.ts'
import { shippedFigures } from '../../src/embedded/shipped.ts'
import { openS3Objects } from '../../src/objects/s3-objects.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { openCommands } from '../harness/command.ts'
import { startS3 } from '../harness/s3-server.ts'
import { directoryOfFile, ofFile } from '../harness/world.ts'

// The parts of ship-log that need no server; test/embedded/restore-to-a-moment.full.pg.test.ts ships a log and restores it.

const directory = directoryOfFile('ship-log')
const store = ofFile(() => startS3('logs'))
const DATABASE = '7d1f0a34-0000-4000-8000-000000000001'
const FIRST = '000000010000000000000002'
const SEGMENT = randomBytes(700_000)
const ENDED = '2026-11-27T10:00:00.000Z'
let env: Record<string, string> = {}

// readable for the server's user, which is another one if the tests run as root
beforeAll(() => chmodSync(directory, 0o755))
beforeEach(() => {
  const { endpoint, region, accessKeyId, secretAccessKey } = store.settings
  env = {
    S3_BUCKET: 'logs',
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
  store.seen.length = 0
})

/** A backup as `shelfwire backup` makes it, but with no more of its cluster than the start of the log, which is all that is read here. */
function backupOf(name: string): string {
  const backup = join(directory, name)
  mkdirSync(join(backup, 'cluster'), { recursive: true })
  const label = `START WAL LOCATION: 0/2000028 (file ${FIRST})\n`
  writeFileSync(join(backup, 'cluster', 'backup_label'), label)
  const list = `${JSON.stringify({ path: 'cluster/backup_label', bytes: label.length, sha256: sha256(label) })}\n`
  writeFileSync(join(backup, 'files.ndjson'), list)
  const postgres = 18
  const manifest = { format: 1, shelfwire: '0.2.0', postgres, began_at: ENDED, ended_at: ENDED, files: 1, bucket: null }
  writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, list_sha256: sha256(list) }))
  return backup
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

async function putSegments(...names: string[]): Promise<void> {
  await using bucket = openS3Objects(store.settings)
  const file = join(directory, 'segment')
  writeFileSync(file, SEGMENT)
  for (const name of names)
    await bucket.put(`wal/${DATABASE}/${name}.gz`, file, { sha256: sha256(SEGMENT), type: 'application/gzip' })
}

const segmentsFetched = () => store.seen.filter((what) => what.startsWith('GET wal/'))

test('a restore that is refused has fetched nothing, and one that fails leaves nothing beside DATA_DIR', async () => {
  await putSegments(FIRST)
  const backup = backupOf('monday')
  const data = join(directory, 'parent', 'data')
  const commands = openCommands({ url: '' }, data)
  const refusal = (from: string, to: string) =>
    commands.refusal(['restore', from, '--to', to, '--archive', 's3:'], { ...env, DATABASE_URL: '' })
  store.seen.length = 0
  expect(await refusal(directory, '2026-11-27T11:00:00Z')).toContain(`${directory} is no complete backup`)
  expect(await refusal(backup, '2026-11-27T09:00:00Z')).toContain('is before the end of this backup')
  expect(store.seen).toEqual([])
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'something'), '')
  expect(await refusal(backup, '2026-11-27T11:00:00Z')).toContain('is not empty (something)')
  expect(segmentsFetched()).toEqual([])

  const elsewhere = openCommands({ url: '' }, join(directory, 'parent', 'new'))
  // the segment is not valid gzip, and there is no cluster
  const failed = await elsewhere.run(['restore', backup, '--to', '2026-11-27T11:00:00Z', '--archive', 's3:'], {
    env: { ...env, DATABASE_URL: '' },
  })
  expect(failed.code).toBe(1)
  expect(failed.err).toContain('is not a PostgreSQL database')
  expect(segmentsFetched()).toEqual([`GET wal/${DATABASE}/${FIRST}.gz`])
  expect(readdirSync(dirname(data)).sort()).toEqual(['data', 'new'])
})

test('what breaks off is fetched again, and what cannot be had is named', async () => {
  const second = '000000010000000000000003'
  await putSegments('000000010000000000000001', FIRST, second)
  const found = await findShipped('s3:', backupOf('tuesday'), readSettings({ ...env, DATA_DIR: directory }))
  expect(found?.archive).toBe(`s3:${DATABASE}`)
  const log = join(directory, 'log')
  mkdirSync(log)
  const told: string[] = []
  const fetch = async () => found?.fetch(log, (...done) => told.push(done.join('/')))
  store.fail.push('half', 'half')
  await fetch()
  expect(readdirSync(log).sort()).toEqual([`${FIRST}.gz`, `${second}.gz`])
  expect(readFileSync(join(log, `${FIRST}.gz`)).equals(SEGMENT)).toBe(true)
  expect(told).toEqual(['1/2', '2/2'])
  store.fail.push('half', 'half', 'half')
  await expect(fetch()).rejects.toThrow(`wal/${DATABASE}/${FIRST}.gz could not be fetched from the bucket`)
  await using bucket = openS3Objects(store.settings)
  await bucket.remove(`wal/${DATABASE}/${second}.gz`)
  await expect(fetch()).rejects.toThrow(`wal/${DATABASE}/${second}.gz has gone from the bucket`)
})

/** An archive with this many segments, as the server of DATABASE writes it. */
function archiveOf(name: string, segments: number): string {
  const archive = join(directory, name)
  mkdirSync(archive)
  writeFileSync(join(archive, 'archive.json'), JSON.stringify({ database: DATABASE }))
  for (let n = 0; n < segments; n++)
    writeFileSync(join(archive, `00000002${n.toString(16).toUpperCase().padStart(16, '0')}.gz`), `${n}`)
  return archive
}

test('a file that cannot be read keeps none behind it, and is named', async () => {
  const archive = archiveOf('with-a-bad-one', 3)
  const bad = `00000002${'0'.repeat(15)}1.gz`
  rmSync(join(archive, bad))
  mkdirSync(join(archive, bad))
  const commands = openCommands({ url: '' }, directory)
  const said = await commands.refusal('ship-log', { ...env, DATABASE_URL: '', WAL_ARCHIVE_DIR: archive })
  expect(said).toMatch(/^shelfwire: 2 files were shipped; not shipped: 0{7}20{15}1\.gz \(EISDIR.*\)$/)
  expect(store.seen.filter((what) => what.startsWith('PUT '))).toEqual([
    `PUT wal/${DATABASE}/00000002${'0'.repeat(16)}.gz`,
    `PUT wal/${DATABASE}/00000002${'0'.repeat(15)}2.gz`,
  ])
  // with --follow they are retried, after new ones
  const child = commands.start('ship-log --follow', { ...env, DATABASE_URL: '', WAL_ARCHIVE_DIR: archive })
  let notes = ''
  child.stderr.on('data', (more: Buffer) => (notes += more.toString()))
  await expect.poll(() => notes, { timeout: 20_000 }).toMatch(/^not shipped, and tried again: 0{7}20{15}1\.gz \(EISDIR/)
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('if no file can be shipped, only a few are tried', async () => {
  const archive = archiveOf('of-no-use', 0)
  for (let n = 0; n < 20; n++) mkdirSync(join(archive, `${n}`.padStart(24, '0') + '.gz'))
  const said = await openCommands({ url: '' }, directory).refusal('ship-log', { ...env, WAL_ARCHIVE_DIR: archive })
  expect(said.match(/EISDIR/g)).toHaveLength(5)
})

test('an end comes between two files', async () => {
  const archive = archiveOf('long', 2_000)
  const commands = openCommands({ url: '' }, directory)
  const child = commands.start('ship-log --follow --json', { ...env, DATABASE_URL: '', WAL_ARCHIVE_DIR: archive })
  const said = text(child.stdout)
  await expect
    .poll(() => store.seen.filter((what) => what.startsWith('PUT ')).length, { timeout: 20_000 })
    .toBeGreaterThan(1)
  child.kill('SIGTERM')
  const { shipped } = JSON.parse(await said) as { shipped: number }
  expect(shipped).toBeGreaterThan(0)
  expect(shipped).toBeLessThan(1_000)
})

/** The metrics of a service with this archive that describe it. */
const figuresOf = async (archive: string) => {
  const registry = new Registry()
  for (const metric of shippedFigures(archive)) registry.registerMetric(metric)
  const text = await registry.metrics()
  const of = (name: string) => {
    const value = new RegExp(`^shelfwire_wal_${name} (\\S+)$`, 'm').exec(text)?.[1]
    return value === undefined ? undefined : Number(value)
  }
  return { until: of('shipped_timestamp_seconds'), waiting: of('unshipped_files') }
}

test('the metrics of a service with the archive say how far it is, also while files wait', async () => {
  const archive = archiveOf('with-figures', 3)
  // another database, because the bucket has keys of the first
  writeFileSync(join(archive, 'archive.json'), JSON.stringify({ database: '7d1f0a34-0000-4000-8000-000000000002' }))
  const names = readdirSync(archive).filter((name) => name.endsWith('.gz'))
  for (const [n, name] of names.entries()) utimesSync(join(archive, name), 1_000 + n, 1_000 + n)
  expect(await figuresOf(archive)).toEqual({ until: undefined, waiting: undefined })
  const commands = openCommands({ url: '' }, directory)
  const settings = { ...env, DATABASE_URL: '', WAL_ARCHIVE_DIR: archive }
  const away = await commands.refusal('ship-log', { ...settings, S3_ENDPOINT: 'http://127.0.0.1:1' })
  expect(away).not.toBe('')
  // it cannot even list the bucket, so it has no figures
  expect(await figuresOf(archive)).toEqual({ until: undefined, waiting: undefined })

  const began = Date.now() / 1_000
  expect((await commands.run('ship-log', { env: settings })).code).toBe(0)
  const all = await figuresOf(archive)
  expect(all.waiting).toBe(0)
  expect(all.until).toBeGreaterThan(began)
  // a new segment counts as waiting until it is shipped
  const next = join(archive, `00000002${'0'.repeat(15)}3.gz`)
  mkdirSync(next)
  writeFileSync(join(archive, `00000002${'0'.repeat(15)}4.gz`), 'later')
  await commands.refusal('ship-log', settings)
  expect(await figuresOf(archive)).toEqual({ until: 1_002, waiting: 1 })
  // after shipped segments are removed, the waiting time still counts from the archiving, not from 1970
  for (const name of names) rmSync(join(archive, name))
  utimesSync(next, 1_003, 1_003)
  rmSync(join(archive, `00000002${'0'.repeat(15)}4.gz`))
  await commands.refusal('ship-log', settings)
  expect(await figuresOf(archive)).toEqual({ until: 1_003, waiting: 1 })
  // the same with --follow
  writeFileSync(join(archive, `00000002${'0'.repeat(15)}5.gz`), 'later')
  rmSync(join(archive, 'shipped.json'))
  const child = commands.start('ship-log --follow', settings)
  await expect.poll(async () => (await figuresOf(archive)).waiting, { timeout: 20_000 }).toBe(1)
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  // a damaged note counts as missing
  writeFileSync(join(archive, 'shipped.json'), '{')
  expect(await figuresOf(archive)).toEqual({ until: undefined, waiting: undefined })
})
