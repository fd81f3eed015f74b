import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { setOverrides } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { startTestService, tokenFor } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// Every secret and every text of a customer contains this word, which no bundle may contain.
const SECRET = 'zqsecretzq'
const secret = (what: string) => `${SECRET}-${what}-0123456789-abcdefghij`

const directory = directoryOfFile(`support-${SECRET}`)
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
let account: TestAccount

beforeAll(async () => {
  account = await createAccount(bench, `Shop ${SECRET}`)
  const [productId = 0] = await giveOffers(bench, account, [
    offer(`SKU-${SECRET}`, { texts: [{ locale: 'en', title: `Chair ${SECRET}` }] } as never),
  ])
  await bench.shelf.write(account.accountId, (tx) =>
    setOverrides(tx, account.accountId, [{ productId, field: 'title', locale: 'en', value: `Title ${SECRET}` }]),
  )
})

/** The texts of the files in a tar archive, by name. */
function untar(path: string): Map<string, string> {
  const tar = gunzipSync(readFileSync(path))
  const files = new Map<string, string>()
  for (let at = 0; tar[at] !== 0;) {
    const name = tar.toString('latin1', at, tar.indexOf(0, at))
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    files.set(name.replace('shelfwire-support/', ''), tar.toString('utf8', at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

/** An installation with all settings, each secret one with the word. */
const SETTINGS = {
  SECRET_KEY: secret('key'),
  METRICS_TOKEN: secret('metrics'),
  OPERATOR_TOKEN: secret('operator'),
  SMTP_URL: `smtp://user-${SECRET}:${secret('smtp')}@mail-${SECRET}.example.com`,
  MAIL_FROM: `Shop <${SECRET}@example.com>`,
  PUBLIC_URL: `https://${SECRET}.example.com`,
  IMAGE_URL: `https://cdn-${SECRET}.example.com`,
  IMPORT_DIR: `/srv/${SECRET}`,
  S3_BUCKET: `bucket-${SECRET}`,
  S3_REGION: `region-${SECRET}`,
  S3_ENDPOINT: 'http://127.0.0.1:1',
  S3_ACCESS_KEY_ID: secret('s3id'),
  S3_SECRET_ACCESS_KEY: secret('s3'),
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://otel-${SECRET}:4318`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secret('otel')}`,
  OTEL_SERVICE_NAME: `otel-${SECRET}`,
  HOST: '127.0.0.1',
}

function lineWith(over: Record<string, unknown>): string {
  return JSON.stringify({ level: 50, time: '2026-11-28T05:00:00.000Z', accountId: 7, ...over })
}

async function bundled(name: string, env: Record<string, string>, more: readonly string[] = []) {
  const path = join(directory, `${name}.tar.gz`)
  const { code, out, err } = await commands.run(['support-bundle', path, ...more, '--json'], { env })
  expect(code, err).toBe(0)
  expect(err).toBe('')
  expect(statSync(path).mode & 0o077).toBe(0)
  const files = untar(path)
  expect(JSON.parse(out)).toMatchObject({ file: path, files: [...files.keys()] })
  // the path of the bundle is printed, but not in the bundle
  expect([...files].filter(([, text]) => text.includes(SECRET)).map(([file]) => file)).toEqual([])
  return { files, json: (file: string) => JSON.parse(files.get(file) ?? 'null') as never }
}

test('a bundle has what maintainers ask for, and nothing of secrets, customers and their texts', async () => {
  await using service = await startTestService(database, {
    roles: ['api', 'work'],
    env: { METRICS_TOKEN: SETTINGS.METRICS_TOKEN },
  })
  await inTransaction(
    service.runtime.db,
    (tx) => tx`
    insert into mark (account_id, product_id) select account_id, product_id from product where account_id = ${account.accountId}`,
  )
  const token = await tokenFor(service.runtime, account.accountId, 'full')
  const { secret: signing } = await service.runtime.endpoints.create(account.accountId, {
    url: `https://example.com/${SECRET}`,
    kinds: ['price'],
    storeId: null,
  })
  await commands.json(`member create --account ${account.accountId} --email ${SECRET}@example.com --role owner`)
  await fetch(`${service.url}/v1/account`, { headers: { authorization: `Bearer ${token}` } })
  const log = join(directory, 'service.log')
  const failure = new Error(`cannot reach https://user:${SECRET}@host`)
  writeFileSync(
    log,
    [
      'not JSON, with a password: ' + SECRET,
      lineWith({ msg: `a message with ${SECRET}`, loop: `loop ${SECRET}.example.com`, url: SECRET, name: SECRET }),
      lineWith({ request_id: SECRET, trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', msg: 'request failed' }),
      lineWith({
        loop: 'webhooks',
        msg: 'loop step failed',
        err: {
          type: 'DatabaseError',
          code: '53300',
          message: failure.message,
          detail: `Key (name)=(${SECRET})`,
          stack: `Error: ${failure.message}\n    at step (file:///srv/${SECRET}/src/shelf/shelf.ts:12:3)\n    at ${SECRET} (/x.ts:1:1)`,
        },
      }),
    ].join('\n'),
  )
  const { files, json } = await bundled('whole', { ...SETTINGS, PORT: new URL(service.url).port }, ['--log', log])
  expect([...files.keys()]).toEqual([
    'README.txt',
    'machine.json',
    'settings.json',
    'doctor.json',
    'schema.json',
    'tables.json',
    'database.json',
    'statements.json',
    'accounts.json',
    'waiting.json',
    'log.json',
    'metrics.txt',
  ])
  for (const [file, text] of files) for (const hidden of [token, signing]) expect(text, file).not.toContain(hidden)
  expect(json('settings.json')).toMatchObject({
    databaseUrl: 'set',
    smtpUrl: 'set, smtp://',
    secretKeys: '1 entries',
    ratePerSecond: 100,
    s3: { endpoint: 'set, http://' },
  })
  expect(json('schema.json')).toMatchObject({ missing: [], unknown: [] })
  expect(files.get('tables.json')).toContain('"table": "payload_price"')
  expect(json('accounts.json')).toContainEqual({
    accountId: account.accountId,
    use: expect.objectContaining({ products: expect.any(Number) }),
  })
  expect(files.get('doctor.json')).toContain('it is that of this release')
  expect(json('log.json')).toEqual({
    leftOut: 1,
    lines: [
      { level: 50, time: '2026-11-28T05:00:00.000Z', accountId: 7, msg: '(left out)' },
      expect.objectContaining({ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', msg: 'request failed' }),
      expect.objectContaining({
        loop: 'webhooks',
        msg: 'loop step failed',
        err: { type: 'DatabaseError', code: '53300', at: ['src/shelf/shelf.ts:12'] },
      }),
    ],
  })
  expect(files.get('metrics.txt')).toMatch(
    /^shelfwire_request_seconds_count\{route="\/v1\/account\/",status="200"\} 1$/m,
  )
  expect(files.get('metrics.txt')).toMatch(/^# HELP shelfwire_unready /m)
})

test('a bundle is made even if the database does not answer, and does not contain its address', async () => {
  const url = `postgres://user-${SECRET}:${secret('database')}@127.0.0.1:1/name-${SECRET}`
  const { files, json } = await bundled('away', { ...SETTINGS, DATABASE_URL: url, PORT: '1' })
  expect(json('schema.json')).toEqual({ missing: 'ECONNREFUSED' })
  expect((json('doctor.json') as { name: string }[]).find(({ name }) => name === 'database')).toEqual({
    name: 'database',
    status: 'problem',
    advice: expect.any(String),
  })
  expect(files.get('metrics.txt')).toContain('no service answers')
})

test('a file that is there is not overwritten, and a log that is not there is named', async () => {
  const path = join(directory, 'there.tar.gz')
  writeFileSync(path, 'mine')
  expect(await commands.refusal(['support-bundle', path])).toContain('is there already')
  expect(readFileSync(path, 'utf8')).toBe('mine')
  expect(await commands.refusal(['support-bundle', join(directory, 'x.tar.gz'), '--log', '/nowhere.log'])).toContain(
    'there is no file /nowhere.log',
  )
})
