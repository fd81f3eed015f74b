import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCommands } from '../harness/command.ts'
import { until } from '../harness/interleave.ts'
import { serve } from '../harness/serving.ts'
import { client } from '../harness/service.ts'
import { mountSmallDisk, noSmallDisk } from '../harness/small-disk.ts'
import { directoryOfFile } from '../harness/world.ts'

// A restore drill: a backup of an embedded server under writes is restored into another DATA_DIR.

const directory = directoryOfFile('backup')
const dataDir = join(directory, 'data')
const backup = join(directory, 'backups', 'monday')
/** Commands on the embedded server of a DATA_DIR. */
const on = (name: string) => openCommands({ url: '' }, join(directory, name))
const commands = on('data')
/** A backup that was made without concurrent writes, when it is first needed. */
const wholeBackup = () =>
  (whole ??= commands
    .json(['backup', join(directory, 'backups', 'whole')])
    .then((made) => (made as { directory: string }).directory))
let whole: Promise<string> | undefined
const PICTURE = join('images', 'ab', 'picture.bin')

let account = ''
let token = ''
let service: { url: string; stop(): Promise<void> }
/** The latest cost that was acknowledged of the offer, in hundredths. */
let acknowledged = 0

beforeAll(async () => {
  service = await serve(commands, {}, 120_000)
  const opened = await commands.json('account create --name Acme --currency EUR --locale en')
  account = String((opened as { account_id: number }).account_id)
  await commands.json([
    'supplier',
    'create',
    '--account',
    account,
    '--code',
    'north',
    '--name',
    'North',
    '--currency',
    'EUR',
  ])
  ;({ token } = (await commands.json(`token create --account ${account} --access full`)) as { token: string })
  // the file that the service creates when it first stores a secret
  writeFileSync(join(dataDir, 'secret.key'), 'k'.repeat(40))
  mkdirSync(join(dataDir, 'images', 'ab'), { recursive: true })
  mkdirSync(join(dataDir, 'images', 'unfinished'), { recursive: true })
  writeFileSync(join(dataDir, PICTURE), Buffer.alloc(300_000, 'picture'))
  writeFileSync(join(dataDir, 'images', 'unfinished', 'half'), 'half')
}, 180_000)
afterAll(async () => service.stop())

test(
  'a backup of a server that is written to is restored with all that was acknowledged before it began',
  { timeout: 300_000 },
  async () => {
    const ending = new AbortController()
    const writing = write(ending.signal)
    await until('something was written', async () => acknowledged > 20)
    const before = acknowledged
    const made = (await commands.json(['backup', backup])) as { files: number; directory: string; ended_at: string }
    expect(made).toMatchObject({ directory: backup, has_key: true, is_noted: true })
    ending.abort()
    await writing
    expect(existsSync(`${backup}.unfinished`)).toBe(false)
    const [, madeAt] =
      /^shelfwire_last_backup_timestamp_seconds (\d+)/m.exec((await client(service.url, null)('/metrics')).text) ?? []
    expect(Math.abs(Number(madeAt) - Date.now() / 1_000)).toBeLessThan(120)
    const ready = (await client(service.url, null)('/readyz')).body as { last_backup: { age_seconds: number } }
    expect(ready.last_backup.age_seconds).toBeLessThan(120)
    expect(statSync(backup).mode & 0o077).toBe(0)
    // changes after the backup are lost, and cursors from then must not be accepted after the restore
    const later = await put(99_999)
    const head = (await client(service.url, token)('/v1/changes?since=now')).body as {
      next_since: string
      next_id: number
    }
    expect(later).toBe(200)

    const restored = on('restored')
    // a note of this backup is not in the restored database
    await commands.json(['backup', join(directory, 'backups', 'tuesday')])
    expect(await restored.json(['restore', backup])).toMatchObject({ accounts: 1, files: made.files })
    expect(readFileSync(join(directory, 'restored', PICTURE))).toEqual(readFileSync(join(dataDir, PICTURE)))
    expect(existsSync(join(directory, 'restored', 'images', 'unfinished'))).toBe(false)
    expect(readFileSync(join(directory, 'restored', 'secret.key'))).toEqual(readFileSync(join(dataDir, 'secret.key')))
    const second = await serve(restored, {}, 120_000)
    try {
      const { last_backup: last } = (await client(second.url, null)('/readyz')).body as {
        last_backup: { ended_at: string }
      }
      expect(Date.parse(last.ended_at)).toBe(Math.floor(Date.parse(made.ended_at) / 1_000) * 1_000)
      const http = client(second.url, token)
      const offer = (await http('/v1/account/suppliers/north/offers/A-1')).body as { data: { cost: string } }
      const cost = Math.round(Number(offer.data.cost) * 100)
      expect(cost).toBeGreaterThanOrEqual(before)
      expect(cost).toBeLessThan(99_999)
      const cursor = new URLSearchParams({ since: head.next_since, since_id: String(head.next_id) })
      expect((await http(`/v1/changes?${cursor.toString()}`)).status).toBe(410)
      expect(await restored.json(`audit --account ${account}`)).toMatchObject({ differences: 0 })
    } finally {
      await second.stop()
    }
  },
)

test('nothing is overwritten: neither a backup nor a DATA_DIR that has something', { timeout: 60_000 }, async () => {
  const backup = await wholeBackup()
  expect(await commands.refusal(['backup', backup])).toContain('is there already')
  expect(await commands.refusal(['restore', backup])).toContain('is not empty')
  expect(await commands.refusal(['restore', join(directory, 'data')])).toContain('is no complete backup')
})

test(
  'a damaged backup is refused by the file, no service starts on what was copied, and another restore begins anew',
  { timeout: 180_000 },
  async () => {
    const backup = await wholeBackup()
    const damaged = join(directory, 'damaged')
    const file = join(backup, PICTURE)
    const bytes = readFileSync(file)
    writeFileSync(file, Buffer.concat([Buffer.from('x'), bytes.subarray(1)]))
    expect(await on('damaged').refusal(['restore', backup])).toContain('images/ab/picture.bin is not what was copied')
    expect(existsSync(join(damaged, 'postgres', 'cluster'))).toBe(false)
    expect(await on('damaged').refusal(['account', 'list'])).toContain('is being restored')
    writeFileSync(file, bytes)
    await on('damaged').json(['restore', backup])
    expect(await on('damaged').json('account list')).toMatchObject({ accounts: [{ name: 'Acme' }] })
  },
)

test(
  'a backup that is killed has no folder under its name, and what is left is refused',
  { timeout: 120_000 },
  async () => {
    const killed = join(directory, 'backups', 'killed')
    const child = commands.start(['backup', killed])
    const ended = once(child, 'exit')
    const draft = `${killed}.unfinished`
    await until(
      'it copies',
      async () => existsSync(join(draft, 'cluster')) && readdirSync(join(draft, 'cluster')).length > 2,
    )
    child.kill('SIGKILL')
    await ended
    expect(existsSync(killed)).toBe(false)
    expect(await on('none').refusal(['restore', draft])).toContain('is no complete backup')
    expect(await commands.refusal(['backup', killed])).toContain('remove it if none is')
  },
)

test('a second restore into a DATA_DIR is refused while the first one runs', { timeout: 240_000 }, async () => {
  const backup = await wholeBackup()
  const twice = on('twice')
  const child = twice.start(['restore', backup, '--json'], { NODE_COMPILE_CACHE: join(directory, 'compiled') })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
  const ended = once(child, 'exit')
  await until(
    'it has begun',
    async () => {
      if (child.exitCode !== null) throw new Error(said)
      return existsSync(join(directory, 'twice', 'restore.lock'))
    },
    100_000,
  )
  // also after the copy, when it starts the database, which another process would stop
  let refused = 0
  while (child.exitCode === null) {
    const { err } = await twice.run(['restore', backup])
    expect(err).toMatch(/another restore into .* is under way|is not empty/)
    if (err.includes('another')) refused++
    await sleep(100)
  }
  expect(refused).toBeGreaterThan(3)
  expect(await ended, said).toEqual([0, null])
  expect(await twice.json('account list')).toMatchObject({ accounts: [{ name: 'Acme' }] })
  expect(existsSync(join(directory, 'twice', 'restore.lock'))).toBe(false)
})

const noDisk = noSmallDisk()
test.skipIf(noDisk !== null)(
  'a backup onto a disk that gets full says so in one line, leaves nothing, and disturbs nobody',
  { timeout: 120_000 },
  async () => {
    using disk = mountSmallDisk(24, process.getuid?.() ?? 0)
    const place = join(disk.directory, 'tuesday')
    const said = await commands.refusal(['backup', place])
    expect(said).toMatch(/^shelfwire: no backup was made, and what was copied was removed from \S+: ENOSPC[^\n]*\n?$/)
    expect(readdirSync(disk.directory)).toEqual([])
    expect(await put(100)).toBe(200)
    // a backup that fits is made
    expect(await commands.json(['backup', join(directory, 'backups', 'after')])).toMatchObject({ is_noted: true })
  },
)

async function put(hundredths: number): Promise<number> {
  const offer = { cost: (hundredths / 100).toFixed(2), quantity: 3, texts: { en: { title: 'Pen' } } }
  const { status } = await client(service.url, token)('/v1/account/suppliers/north/offers/A-1', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(offer),
  })
  return status === 201 ? 200 : status
}

async function write(signal: AbortSignal): Promise<void> {
  for (let cost = 1; !signal.aborted; cost++) {
    expect(await put(cost)).toBe(200)
    acknowledged = cost
  }
}
