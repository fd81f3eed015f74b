import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const directory = mkdtempSync(join(tmpdir(), 'shelfwire-secrets-'))
afterAll(() => rmSync(directory, { recursive: true }))

function fileOf(name: string, content: string): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

const [KEY, OLD] = ['k'.repeat(40), 'o'.repeat(40)]

test('every secret is read from the file that its variable names, without blanks around it', () => {
  const settings = readSettings({
    DATABASE_URL_FILE: fileOf('database', 'postgres://u:p@db/x\n'),
    DATABASE_DIRECT_URL_FILE: fileOf('direct', 'postgres://u:p@primary/x'),
    SECRET_KEY_FILE: fileOf('key', `${KEY}\r\n`),
    SMTP_URL_FILE: fileOf('smtp', ' smtps://u:p@mail \n\n'),
    METRICS_TOKEN_FILE: fileOf('token', 'scrape-me-1234567890\n'),
    OPERATOR_TOKEN_FILE: fileOf('operator', `${'o'.repeat(40)}\n`),
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID_FILE: fileOf('id', 'key\n'),
    S3_SECRET_ACCESS_KEY_FILE: fileOf('access', 'secret\n'),
  })
  expect(settings).toMatchObject({
    databaseUrl: 'postgres://u:p@db/x',
    databaseDirectUrl: 'postgres://u:p@primary/x',
    secretKeys: [KEY],
    smtpUrl: 'smtps://u:p@mail',
    metricsToken: 'scrape-me-1234567890',
    operatorToken: 'o'.repeat(40),
    s3: { accessKeyId: 'key', secretAccessKey: 'secret' },
  })
})

test('a file of keys has one a line, or commas', () => {
  for (const content of [`${KEY}\n${OLD}\n`, `${KEY},${OLD}`, `${KEY}, ${OLD}\n`])
    expect(readSettings({ SECRET_KEY_FILE: fileOf('keys', content) }).secretKeys).toEqual([KEY, OLD])
})

test('an empty variable names no file, and the setting itself counts', () => {
  expect(readSettings({ SECRET_KEY: KEY, SECRET_KEY_FILE: '' }).secretKeys).toEqual([KEY])
})

test('a file that cannot be used stops the start by the name of its variable, and says nothing of what is in it', () => {
  const lines = 'postgres://u:hidden@a/x\npostgres://u:hidden@b/x\n'
  const cases: [Record<string, string>, string][] = [
    [{ SECRET_KEY_FILE: join(directory, 'none') }, 'SECRET_KEY_FILE names a file that cannot be read: ENOENT'],
    [{ SMTP_URL_FILE: directory }, 'SMTP_URL_FILE names a file that cannot be read: EISDIR'],
    [{ METRICS_TOKEN_FILE: fileOf('blank', ' \n') }, `METRICS_TOKEN_FILE names ${directory}/blank, which is empty`],
    [{ DATABASE_URL_FILE: fileOf('two', lines) }, `DATABASE_URL_FILE names ${directory}/two, which has more than one`],
    [{ SECRET_KEY_FILE: fileOf('long', 'hidden'.repeat(20_000)) }, 'which has more than 65536 bytes'],
    [
      { SECRET_KEY: KEY, SECRET_KEY_FILE: fileOf('key', KEY) },
      'SECRET_KEY_FILE must not be set together with SECRET_KEY',
    ],
    [{ SECRET_KEY_FILE: fileOf('short', 'hidden') }, 'SECRET_KEY must be 32 to 200 printable characters'],
  ]
  for (const [env, message] of cases) {
    let said = ''
    try {
      readSettings(env)
    } catch (error) {
      said = (error as Error).message
    }
    expect(said).toContain(message)
    expect(said).not.toContain('hidden')
  }
})

test('a file that cannot be read is the only thing that is reported of its setting', () => {
  const none = join(directory, 'none')
  expect(() => readSettings({ DATABASE_URL_FILE: none, DATABASE_DIRECT_URL: 'postgres://db/x' })).toThrow(
    /^DATABASE_URL_FILE [^;]*$/,
  )
  expect(() =>
    readSettings({ S3_BUCKET: 'pictures', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY_FILE: none }),
  ).toThrow(/^S3_SECRET_ACCESS_KEY_FILE [^;]*$/)
})
