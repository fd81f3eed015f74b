import { expect, test } from 'vitest'
import { openCommands } from '../harness/command.ts'
import { client, startTestService } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// What operators can see of the last complete backup, on a database that is backed up by other means.

const { database } = worldOfFile()
const commands = openCommands(database, directoryOfFile('last-backup'))
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

test('a backup that is noted is in /readyz and /metrics, and makes nothing unready when it is late', async () => {
  await using service = await startTestService(database, { env: { BACKUP_MAX_AGE_HOURS: '26' } })
  const call = client(service.url, null)
  const seen = async () => {
    // answers are cached for a second
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    return (await call('/readyz')).body as object
  }
  expect(await seen()).toEqual({
    status: 'ready',
    unready: [],
    warnings: ['backup'],
    last_backup: null,
    log_archive: null,
  })
  expect((await call('/metrics')).text).toMatch(/^shelfwire_last_backup_timestamp_seconds 0$/m)

  const place = 's3://key:secret@backups/base-2026-11-27?token=secret'
  const noted = await commands.json([
    'note-backup',
    place,
    '--ended',
    hoursAgo(30),
    '--bytes',
    '5000',
    '--seconds',
    '7',
  ])
  expect(noted).toMatchObject({ place: 's3://backups/base-2026-11-27', is_last: true })
  expect(await seen()).toMatchObject({
    status: 'ready',
    warnings: ['backup'],
    last_backup: { age_seconds: expect.toSatisfy((age: number) => age >= 108_000 && age < 108_120) },
  })
  const { text } = await call('/metrics')
  expect(text).toMatch(/^shelfwire_last_backup_size_bytes 5000$/m)
  expect(text).toMatch(/^shelfwire_last_backup_duration_seconds 7$/m)

  await commands.json(['note-backup', 'the tape of monday'])
  expect(await seen()).toMatchObject({ status: 'ready', unready: [], warnings: [] })
  expect((await call('/readyz')).status).toBe(200)
  expect((await call('/metrics')).text).not.toMatch(/^shelfwire_last_backup_(size|duration)/m)
  // an older backup does not replace a later one
  expect(await commands.json(['note-backup', 'late', '--ended', hoursAgo(2)])).toMatchObject({ is_last: false })
})

test('what cannot be a backup is refused by its name', async () => {
  expect(await commands.refusal(['note-backup', 'a', '--ended', '2999-01-01T00:00:00Z'])).toContain('--ended')
  expect(await commands.refusal(['note-backup', 'a', '--ended', 'yesterday'])).toContain('--ended')
  expect(await commands.refusal(['note-backup', ' '])).toContain('place')
  expect(await commands.refusal(['note-backup', 'a', '--bytes', '-1'])).toContain('--bytes')
})
