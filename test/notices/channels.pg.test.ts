import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NoticeSubject } from '../../contract/notice-kinds.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { sendThroughChannels } from '../../src/notices/deliver.ts'
import { writeNotices } from '../../src/notices/write-notice.sql.ts'
import { verifies } from '../../src/outbound/signature.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount } from '../harness/account.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { client, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Channels for notices, set over HTTP, to receivers on real sockets; time is moved in the database.

const { database, service } = worldOfFile({
  service: { env: { SECRET_KEY: 'k'.repeat(32), OUTBOUND_ALLOW: '127.0.0.1/32', PUBLIC_URL: 'https://shelf.example' } },
})

let receiver: Receiver
let accountId: number
let http: ReturnType<typeof client>
beforeEach(async () => {
  receiver = await startReceiver()
  accountId = (await createAccount(service.runtime)).accountId
  http = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
})
afterEach(async () => {
  await database.db`delete from notice`
  await receiver[Symbol.asyncDispose]()
})

const ask = (method: string, path: string, body?: unknown) =>
  http(`/v1/account/notice-channels${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
async function create(kind: 'slack' | 'webhook', path: string, over: object = {}) {
  const made = await ask('POST', '', { name: 'Team', kind, url: `${receiver.url}${path}`, ...over })
  expect([made.status, made.text]).toEqual([201, made.text])
  return made.body.data as { id: number; secret?: string; url: string }
}
const read = async (id: number) => (await ask('GET', `/${id}`)).body.data
const HELD: NoticeSubject = {
  endpointId: null,
  kind: 'source_held',
  facts: {
    source_id: 1,
    source: 'stock',
    supplier: 'north',
    run_id: 3,
    state: 'held',
    failure: 'prices <zero> & more <!channel>',
    failed_since: null,
  },
}
const tell = (...notices: NoticeSubject[]) =>
  inTransaction(database.db, (tx) => writeNotices(tx, accountId, notices.length === 0 ? [HELD] : notices))
const send = () => {
  const { db, outbound, seal } = service.runtime
  return sendThroughChannels({ db, log: silentLog, outbound, seal, publicUrl: () => 'https://shelf.example' })
}
const makeDue = () =>
  database.db`update notice_delivery set next_at = now() where next_at is not null and channel_id > 0`

test('a notice reaches Slack as escaped text and blocks, with a link to the panel', async () => {
  const { id, url } = await create('slack', '/services/T0/B0/hush')
  await tell()
  expect(await send()).toBe('idle')
  const [delivery, ...others] = receiver.at('/services/T0/B0/hush')
  expect(others).toEqual([])
  const sent = JSON.parse(delivery?.body ?? '') as { text: string; blocks: { type: string }[] }
  expect(sent.text).toContain('*A file of the source stock of the supplier north was held back*\n')
  expect(sent.text).toContain('prices &lt;zero&gt; &amp; more &lt;!channel&gt;')
  expect(sent.text).toContain(`<https://shelf.example/panel/${accountId}/notices|Open in the panel>`)
  expect(sent.blocks.map(({ type }) => type)).toEqual(['header', 'section', 'section'])
  expect(JSON.stringify(sent)).not.toContain('<!channel>')
  expect((await read(id)).status).toMatchObject({ waiting: 0, last_sent_at: expect.any(String), failure: null })
  // the URL is the secret: neither the resource nor the table has it
  expect(url).toBe(`${receiver.url}/…`)
  expect(JSON.stringify(await database.db`select * from notice_channel`)).not.toContain('hush')
  await send()
  expect(receiver.received).toHaveLength(1)
})

test('a notice reaches a webhook signed, with the same id at every try and without the query of an endpoint’s URL', async () => {
  const { id, secret = '' } = await create('webhook', '/in?key=1')
  const [endpoint] = await database.db<{ id: number }[]>`
    insert into endpoint (account_id, url, kinds, secret) values (${accountId}, 'https://shop.example/h', '{price}', 'sealed') returning endpoint_id as id`
  const url = 'https://shop.example/hook?key=hush'
  const facts = { url, failures: 5, last: '503', paused_until: null, pending_since: null }
  await tell({ endpointId: endpoint?.id ?? 0, kind: 'failing', facts })
  receiver.answer = { status: 503, body: 'busy\u001B[2J\nnow', headers: { 'retry-after': '120' } }
  await send()
  const { status } = await read(id)
  expect(status).toMatchObject({ waiting: 1, last_sent_at: null, failure: 'status 503: busy [2J now' })
  const wait = Date.parse(status.next_attempt_at) - Date.now()
  expect(wait).toBeGreaterThan(100_000)
  receiver.answer = { status: 204 }
  await makeDue()
  await send()
  const [first, second] = receiver.received
  expect(second?.deliveryId).toBe(first?.deliveryId)
  expect(second?.body).toBe(first?.body)
  expect(JSON.parse(first?.body ?? '')).toMatchObject({
    id: first?.deliveryId,
    kind: 'failing',
    severity: 'warning',
    subject: 'Deliveries to https://shop.example/hook fail',
    facts: { ...facts, url: 'https://shop.example/hook', endpoint_id: endpoint?.id },
    link: `https://shelf.example/panel/${accountId}/endpoints/${endpoint?.id}`,
    created_at: expect.stringMatching(/^20/),
  })
  expect(first?.body).not.toContain('hush')
  const timestamp = String(second?.headers['x-service-timestamp'])
  expect(verifies(secret, timestamp, second?.body ?? '', String(second?.headers['x-service-signature']))).toBe(true)
  expect((await read(id)).status).toMatchObject({ waiting: 0, failed_at: null, failure: null })
})

test.for([
  ['slack', 404, 'kept', {}],
  ['slack', 410, 'kept', {}],
  ['slack', 429, 'waiting', {}],
  ['webhook', 410, 'kept', {}],
  ['webhook', 401, 'waiting', {}],
  ['webhook', 302, 'kept', { location: 'http://169.254.169.254/' }],
] as const)(
  '%s: after a %i the notice is %s, and a redirect is not followed',
  async ([kind, status, state, headers]) => {
    const { id } = await create(kind, '/in')
    receiver.answer = { status, headers }
    await tell()
    await send()
    expect(receiver.received).toHaveLength(1)
    expect([...(await database.db`select state from notice_delivery where channel_id = ${id}`)]).toEqual([{ state }])
    expect((await read(id)).status.failure).toBe(`status ${status}`)
  },
)

test('a channel that is paused or deleted, or that does not want the kind, gets nothing; what waited is given up', async () => {
  const wanted = await create('webhook', '/wanted', { notice_kinds: ['source_held'] })
  await create('webhook', '/other', { notice_kinds: ['source_recovered', 'failing'] })
  await create('webhook', '/asleep', { is_paused: true })
  const gone = await create('webhook', '/gone')
  receiver.answer = { status: 500 }
  await tell()
  await send()
  await send()
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/gone', '/wanted'])
  expect((await ask('DELETE', `/${gone.id}`)).status).toBe(204)
  expect((await ask('PATCH', `/${wanted.id}`, { is_paused: true })).body.data.is_paused).toBe(true)
  expect((await read(wanted.id)).status).toMatchObject({ waiting: 0 })
  await ask('PATCH', `/${wanted.id}`, { is_paused: false })
  await makeDue()
  await send()
  expect(receiver.received).toHaveLength(2)
  expect(await database.db`select from notice_delivery where channel_id = ${gone.id}`).toHaveLength(0)
  // a delivery whose channel was deleted while it was created
  await database.db`insert into notice_delivery (account_id, notice_id, channel_id) select account_id, notice_id, ${gone.id} from notice`
  expect(await send()).toBe('idle')
  expect([...(await database.db`select state, error from notice_delivery where channel_id = ${gone.id}`)]).toEqual([
    { state: 'kept', error: 'the channel was deleted' },
  ])
})

test('a notice of a transaction that is rolled back is not sent, and one of another account goes only there', async () => {
  await create('webhook', '/one')
  const rolledBack = inTransaction(database.db, async (tx) => {
    await writeNotices(tx, accountId, [HELD])
    throw new Error('undone')
  })
  await expect(rolledBack).rejects.toThrow('undone')
  const other = (await createAccount(service.runtime)).accountId
  await inTransaction(database.db, (tx) => writeNotices(tx, other, [HELD]))
  await send()
  expect(receiver.received).toEqual([])
})

test('a test says what the receiver answered, and stores nothing', async () => {
  const slack = await create('slack', '/services/x', { is_paused: true })
  receiver.answer = { status: 200, body: 'ok' }
  expect((await ask('POST', `/${slack.id}/test`)).body).toEqual({ data: { is_ok: true, status: 200, detail: 'ok' } })
  const webhook = await create('webhook', '/in')
  receiver.answer = { status: 403, body: 'who are you' }
  expect((await ask('POST', `/${webhook.id}/test`)).body).toEqual({
    data: { is_ok: false, status: 403, detail: 'who are you' },
  })
  expect(receiver.at('/in')[0]?.headers['x-service-test']).toBe('1')
  expect(await database.db`select from notice_delivery`).toHaveLength(0)
  expect((await ask('POST', '/999999/test')).status).toBe(404)
})

test('the URL as it is shown keeps what is stored; another one replaces it, and the signing secret stays', async () => {
  const { id, secret = '', url } = await create('webhook', '/first?token=hush')
  expect(url).toBe(`${receiver.url}/first?…`)
  expect((await ask('PATCH', `/${id}`, { url, name: 'Renamed' })).body.data).toMatchObject({ name: 'Renamed', url })
  await ask('POST', `/${id}/test`)
  await ask('PATCH', `/${id}`, { url: `${receiver.url}/second` })
  await ask('POST', `/${id}/test`)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/first?token=hush', '/second'])
  const last = receiver.received[1]
  const signature = String(last?.headers['x-service-signature'])
  expect(verifies(secret, String(last?.headers['x-service-timestamp']), last?.body ?? '', signature)).toBe(true)
})

test('what cannot be a channel is refused, by name', async () => {
  const refused = async (body: object) => {
    const answer = await ask('POST', '', { name: 'A', kind: 'slack', url: receiver.url, ...body })
    return [answer.status, answer.body.errors?.[0]?.name ?? answer.body.code]
  }
  expect(await refused({ url: 'http://10.0.0.1/' })).toEqual([422, 'url'])
  expect(await refused({ url: 'ftp://a.example/' })).toEqual([422, 'url'])
  expect(await refused({ kind: 'pigeon' })).toEqual([422, 'kind'])
  expect(await refused({ notice_kinds: ['no such'] })).toEqual([422, 'notice_kinds.0'])
  expect(await refused({ notice_kinds: [] })).toEqual([422, 'notice_kinds'])
  expect(await refused({ name: '  ' })).toEqual([422, 'name'])
  for (let i = 0; i < LIMITS.noticeChannelsPerAccountMax; i++) await create('slack', `/${i}`)
  const beyond = await ask('POST', '', { name: 'A', kind: 'slack', url: receiver.url })
  expect([beyond.status, beyond.body.detail]).toEqual([409, expect.stringContaining('at most 10 notice channels')])
})
