import { Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import {
  createChannel,
  deleteChannel,
  editChannel,
  rotateChannel,
  type NewChannel,
} from '../../src/channels/channels.ts'
import { channelsList } from '../../src/channels/channels.sql.ts'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { openRuntime } from '../../src/runtime.ts'
import { startService } from '../../src/service.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'

import { hasParser, itemsOf, readXml } from './read-xml.ts'
import { worldOfFile } from '../harness/world.ts'

// Channel files at secret addresses: their content, and that only clients with the address can read them.

const { database, service, account } = worldOfFile({ service: {}, account: 'acme' })
let ids: number[]
beforeAll(async () => {
  ids = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 450 }, (_, i) =>
      offer(`A${i}`, {
        cost: String(i + 1),
        texts: { en: { title: `Nasty <&> ]]> "${i}"`, description: `<p>No ${i} &amp; more</p>` } },
      }),
    ),
  )
})

const write = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work)
const GOOGLE: NewChannel = {
  store: 'main',
  name: 'Google',
  format: 'google',
  groupId: null,
  linkTemplate: 'https://shop.example/{sku}',
}
const make = (over: Partial<NewChannel> = {}) =>
  write((tx) => createChannel(tx, account.accountId, { ...GOOGLE, ...over }))
const fetchFile = async (file: string, init: RequestInit = {}) => {
  const response = await fetch(`${service.url}/channels/${file}`, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
/** The parts of an answer from which a client could learn something. */
const told = async (file: string) => {
  const { status, headers, text } = await fetchFile(file)
  return { status, text, headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)) }
}

test.skipIf(!hasParser)(
  'a Google file holds the store’s products at the default group’s prices, page after page',
  async () => {
    const { secret } = await make()
    const { status, headers, text } = await fetchFile(`${secret}.xml`)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'private, max-age=300',
      'x-robots-tag': 'noindex',
    })
    const items = itemsOf(readXml(text))
    expect(items.map((item) => item['g:id']?.[0])).toEqual(ids.map((_, i) => `A${i}`))
    expect(items[9]).toMatchObject({
      title: ['Nasty <&> ]]> "9"'],
      description: ['No 9 & more'],
      'g:price': ['12.50 EUR'],
      link: ['https://shop.example/A9'],
    })
  },
)

test('a CSV file is of its own store and group, without what is excluded', async () => {
  await write((tx) => createRule(tx, account.accountId, { name: 'W', percent: '0', groupIds: [account.groupId] }))
  await write((tx) => excludeProducts(tx, account.accountId, null, [ids[1]!], 'gone'))
  await service.runtime.shelf.drain(account.accountId)
  const { secret } = await make({ format: 'csv', store: 'pl', groupId: account.groupId, linkTemplate: null })
  const { status, headers, text } = await fetchFile(`${secret}.csv`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = text.split('\r\n')
  expect(lines[0]).toMatch(/^id,sku,ean,title,/)
  expect(lines).toHaveLength(1 + 449 + 1)
  expect(lines[1]).toContain(',4.00,PLN,5,,')
  expect(text).not.toContain(',A1,')
})

test('HEAD, and codings', async () => {
  const { secret } = await make()
  const head = await fetchFile(`${secret}.xml`, { method: 'HEAD' })
  expect([head.status, head.text, head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
    200,
    '',
    'application/xml; charset=utf-8',
    null,
  ])
  const plain = await fetchFile(`${secret}.xml`, { headers: { 'accept-encoding': 'identity' } })
  for (const coding of ['gzip', 'br']) {
    const coded = await fetchFile(`${secret}.xml`, { headers: { 'accept-encoding': coding } })
    expect([coded.headers.get('content-encoding'), coded.text === plain.text]).toEqual([coding, true])
  }
})

test('a file that would be the same again is not sent, until a product or the channel changes', async () => {
  const { channelId, secret } = await make()
  const again = async (tag: string) => (await fetchFile(`${secret}.xml`, { headers: { 'if-none-match': tag } })).status
  const tag = async () => (await fetchFile(`${secret}.xml`, { method: 'HEAD' })).headers.get('etag') ?? ''
  const first = await tag()
  expect([first.startsWith('W/"'), await again(first)]).toEqual([true, 304])
  await write((tx) => editChannel(tx, account.accountId, channelId, { linkTemplate: 'https://shop.example/p/{id}' }))
  expect(await again(first)).toBe(200)
  const second = await tag()
  await service.runtime.shelf.write(account.accountId, (tx) =>
    setOwnStock(tx, account.accountId, [{ productId: ids[0]!, quantity: 7, cost: null }]),
  )
  expect([await again(second), (await fetchFile(`${secret}.xml`, { method: 'POST' })).status]).toEqual([200, 405])
})

test('another time zone of the account, by which sales begin and end, sends a file for Google again', async () => {
  const files = [`${(await make()).secret}.xml`, `${(await make({ format: 'csv' })).secret}.csv`]
  const tags = await Promise.all(files.map(async (file) => (await fetchFile(file)).headers.get('etag') ?? ''))
  const again = () =>
    Promise.all(
      files.map(async (file, i) => (await fetchFile(file, { headers: { 'if-none-match': tags[i]! } })).status),
    )
  expect(await again()).toEqual([304, 304])
  await write((tx) => tx`update account set time_zone = 'Africa/Lagos' where account_id = ${account.accountId}`)
  // 304, because no cell of the CSV has a time
  expect(await again()).toEqual([200, 304])
})

test('whatever is no file is answered alike: unknown, revoked, rotated, of another ending, of a store at rest', async () => {
  const { channelId, secret } = await make({ store: 'de' })
  const nobody = await told(`swf_${'x'.repeat(40)}.xml`)
  expect(nobody.status).toBe(404)
  expect(JSON.parse(nobody.text)).toMatchObject({ code: 'unknown-route' })
  expect((await fetchFile(`${secret}.xml`)).status).toBe(200)
  const files = [
    `${secret}.csv`,
    secret,
    `${secret}.XML`,
    `${secret.toLowerCase()}x.xml`,
    'x.xml',
    '.xml',
    '%00.xml',
    `${secret}.xml.xml`,
    'swf_.xml',
  ]
  for (const file of files) expect(await told(file), file).toEqual(nobody)

  await write((tx) => editStore(tx, account.accountId, account.storeIds[1], { isActive: false }))
  expect(await told(`${secret}.xml`)).toEqual(nobody)
  await write((tx) => editStore(tx, account.accountId, account.storeIds[1], { isActive: true }))
  // that an address has no file is cached for two seconds
  await expect.poll(async () => (await fetchFile(`${secret}.xml`)).status, { timeout: 10_000 }).toBe(200)

  const second = await write((tx) => rotateChannel(tx, account.accountId, channelId))
  expect(await told(`${secret}.xml`)).toEqual(nobody)
  expect((await fetchFile(`${second}.xml`)).status).toBe(200)
  await write((tx) => deleteChannel(tx, account.accountId, channelId))
  expect(await told(`${second}.xml`)).toEqual(nobody)
})

test('a secret is shown once, of 40 base62 signs, and only its hash is kept', async () => {
  const { channelId, secret } = await make()
  expect(secret).toMatch(/^swf_[0-9A-Za-z]{40}$/)
  const rows = await database.db<
    { row: string }[]
  >`select c::text as row from channel_file c where account_id = ${account.accountId}`
  expect(rows.some(({ row }) => row.includes(secret.slice(4, 12)))).toBe(false)
  expect(JSON.stringify(await channelsList(database.db, account.accountId))).not.toContain(secret.slice(4))
  expect(await write((tx) => rotateChannel(tx, account.accountId, channelId))).not.toBe(secret)
})

test('bad input is told by field, and nothing is written', async () => {
  const before = await channelsList(database.db, account.accountId)
  const faults = (over: Partial<NewChannel>) =>
    make(over).then(
      () => [],
      (error: { code: string; faults: { name: string }[] }) => [error.code, ...error.faults.map(({ name }) => name)],
    )
  expect(await faults({ name: '', linkTemplate: 'ftp://x/{id}', format: 'xml' as 'csv' })).toEqual([
    'invalid-input',
    'name',
    'format',
    'link_template',
  ])
  expect(await faults({ store: 'nowhere' })).toEqual(['unknown-store', 'store'])
  expect(await faults({ groupId: 999_999 })).toEqual(['unknown-reference', 'group_id'])
  expect(await channelsList(database.db, account.accountId)).toEqual(before)
  const { channelId } = await make()
  const edit = (changes: Parameters<typeof editChannel>[3]) =>
    write((tx) => editChannel(tx, account.accountId, channelId, changes))
  await edit({ name: 'Other', groupId: account.groupId })
  await edit({ linkTemplate: null })
  expect((await channelsList(database.db, account.accountId)).at(-1)).toMatchObject({
    channelId,
    name: 'Other',
    store: 'main',
    groupId: account.groupId,
    linkTemplate: null,
  })
  await expect(edit({ groupId: 999_999 })).rejects.toMatchObject({ code: 'unknown-reference' })
  await expect(write((tx) => editChannel(tx, account.accountId, 0, {}))).rejects.toMatchObject({
    code: 'unknown-reference',
  })
  await expect(write((tx) => rotateChannel(tx, account.accountId, 0))).rejects.toMatchObject({
    code: 'unknown-reference',
  })
})

test('another account reaches none of them by id, and there is a limit', async () => {
  const other = await createAccount(service.runtime, 'other')
  const { channelId } = await make()
  const works: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => rotateChannel(tx, other.accountId, channelId),
    (tx) => deleteChannel(tx, other.accountId, channelId),
    (tx) => editChannel(tx, other.accountId, channelId, { name: 'x' }),
  ]
  for (const work of works) {
    await expect(write(work)).rejects.toMatchObject({ code: 'unknown-reference' })
  }
  expect(await channelsList(database.db, other.accountId)).toEqual([])
  // as many concurrent creations as the limit allows, and more
  const all = await Promise.allSettled(
    Array.from({ length: LIMITS.channelFilesPerAccountMax + 4 }, () =>
      write((tx) => createChannel(tx, other.accountId, GOOGLE)),
    ),
  )
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMITS.channelFilesPerAccountMax)
})

test('the group that a file is for is gone: nobody else’s prices take its place', async () => {
  const { secret } = await make({ groupId: account.groupId })
  await database.db`update channel_file set group_id = 999999 where account_id = ${account.accountId} and group_id = ${account.groupId}`
  expect((await fetchFile(`${secret}.xml`)).text).not.toContain('<item>')
})

test('no secret is ever logged, neither when it is found nor when it is not, nor when the fetcher hangs up', async () => {
  const lines: string[] = []
  const log = pino(
    { level: 'trace' },
    new Writable({ write: (chunk: Buffer, _, done) => (lines.push(String(chunk)), done()) }),
  )
  const settings = readSettings({
    DATABASE_URL: database.url,
    PORT: '0',
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'silent',
  })
  const runtime = await openRuntime(settings, log)
  const own = await startService(runtime, ['api'])
  const { secret } = await make()
  try {
    const files = [`${secret}.xml`, `${secret}.csv`, `swf_${'y'.repeat(40)}.xml`]
    for (const file of files) await (await fetch(`${own.url}/channels/${file}`)).text()
    await (await fetch(`${own.url}/channels/${secret}.xml`, { method: 'POST' })).text()
    const hangUp = new AbortController()
    const response = await fetch(`${own.url}/channels/${secret}.xml`, {
      signal: hangUp.signal,
      headers: { 'accept-encoding': 'identity' },
    })
    await response.body!.getReader().read()
    hangUp.abort()
    await database.db`alter table channel_file rename to channel_file_away`
    expect((await fetch(`${own.url}/channels/${secret}.xml`)).status).toBe(500)
  } finally {
    await database.db`alter table if exists channel_file_away rename to channel_file`
    await own[Symbol.asyncDispose]()
    await runtime[Symbol.asyncDispose]()
  }
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.filter((line) => line.includes(secret) || line.includes('y'.repeat(40)))).toEqual([])
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toContain('/channels/:file')
  expect(metrics).not.toContain('swf_')
})
