import { connect, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Bodies that are large, crafted, slow, or cut off: the memory and places that they may use, and that both are freed.

interface Sender {
  account: TestAccount
  token: string
  http: (path: string, init?: RequestInit) => Promise<Answer>
  /** How many operations the account has. */
  operations: () => Promise<number>
}

const MEGABYTE = 1_048_576
const { service } = worldOfFile({ service: { roles: ['api', 'work'] } })
let accounts = 0
const open = new Set<Socket>()

afterEach(() => {
  for (const socket of open) socket.destroy()
  open.clear()
})

async function sender(): Promise<Sender> {
  const account = await createAccount(service.runtime, `large${accounts++}`)
  const token = await tokenFor(service.runtime, account.accountId, 'full')
  const http = client(service.url, token)
  // so that the authenticator has cached the token
  await http('/v1/account')
  return { account, token, http, operations: async () => (await http('/v1/account/operations')).body.data.length }
}

/** Starts the POST of a bulk: sends its headers; `write` adds parts of the body, and `answer` collects the service's bytes. */
function begin({ token }: Sender, headers: Record<string, string | number>, kind = 'stock') {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  open.add(socket)
  let answer = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => (answer += text))
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const lines = { host: 'x', authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers }
  socket.write(
    `POST /v1/account/bulk/${kind} HTTP/1.1\r\n${Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  )
  const problem = () => JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
  const status = () => Number(/^HTTP\/1.1 (?!100)(\d+)/m.exec(answer)?.[1] ?? 0)
  const isAsked = () => /^HTTP\/1.1 100/.test(answer)
  return {
    socket,
    closed,
    status,
    isAsked,
    problem,
    header: (name: string) => new RegExp(`${name}: (.+)\r`, 'i').exec(answer)?.[1],
  }
}

/** Starts a large body and waits until the service asks for it with 100 Continue, so that it holds a place. */
async function taken(from: Sender, length: number) {
  const sending = begin(from, { 'content-length': length, expect: '100-continue' })
  await vi.waitFor(() => expect(sending.isAsked()).toBe(true), { timeout: 10_000, interval: 20 })
  return sending
}

/** Waits until `begin`'s request has an answer. */
const answered = (sending: ReturnType<typeof begin>) =>
  vi.waitFor(() => expect(sending.status()).toBeGreaterThan(0), { timeout: 10_000, interval: 20 })

const json = (body: string) => ({ headers: { 'content-type': 'application/json' }, body })
const post = (from: Sender, body: string) => from.http('/v1/account/bulk/stock', { method: 'POST', ...json(body) })

/** A body of more than a megabyte that is refused after it was read. */
const LARGE = JSON.stringify({ rows: [{ a: 'x'.repeat(600_000) }, { a: 'x'.repeat(600_000) }], more: 1 })

/** Waits until a large body of the sender is accepted, which needs a free place. */
const untilTaken = (from: Sender) =>
  vi.waitFor(async () => expect((await post(from, LARGE)).status).toBe(422), { timeout: 10_000, interval: 50 })

test('one large body of an account at a time is received; small ones, other accounts and reads do not notice', async () => {
  const [one, other] = [await sender(), await sender()]
  const [id] = await giveOffers(service.runtime, one.account, [offer('A')])
  const first = await taken(one, 4 * MEGABYTE)
  first.socket.write('{"rows":[')
  // a client that sends its body at once, one that waits for 100 Continue, and one that wants the connection closed
  for (const headers of [{}, { expect: '100-continue' }, { connection: 'close' }]) {
    const second = begin(one, { 'content-length': 2 * MEGABYTE, ...headers })
    await answered(second)
    expect([second.status(), second.isAsked()]).toEqual([429, false])
    expect(second.header('retry-after')).toBe(String(LIMITS.largeBodyRetrySeconds))
    expect(second.problem()).toMatchObject({ code: 'rate-limited', detail: expect.stringMatching(/at most 1 body/) })
  }
  const small = await post(one, JSON.stringify({ rows: [{ product_id: id, quantity: 4 }] }))
  expect([small.status, small.body.meta.created]).toEqual([200, 1])
  expect((await one.http(`/v1/products/${id}`)).status).toBe(200)
  await untilTaken(other)
  // the place is freed when its client disconnects, and no part of a half-received body was written
  first.socket.destroy()
  await untilTaken(one)
  expect(await one.operations()).toBe(0)
})

test('large bodies of all accounts share the memory of the process, and small ones need none of it', async () => {
  const [one, two, three] = [await sender(), await sender(), await sender()]
  const [id] = await giveOffers(service.runtime, three.account, [offer('A')])
  await taken(one, LIMITS.bulkBodyBytesMax)
  const second = await taken(two, LIMITS.largeBodiesBytesMax - LIMITS.bulkBodyBytesMax)
  const refused = await post(three, LARGE)
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'rate-limited',
    String(LIMITS.largeBodyRetrySeconds),
  ])
  const rows = JSON.stringify({ rows: [{ product_id: id, quantity: 4 }] })
  expect((await post(three, rows)).status).toBe(200)
  second.socket.destroy()
  await untilTaken(three)
})

test('large bodies that drip give their memory to others long before their time is over', async () => {
  const [one, two, three] = [await sender(), await sender(), await sender()]
  const { arrival } = service.service.app!
  arrival.largeGraceMs = 500
  const dripping: Awaited<ReturnType<typeof taken>>[] = []
  const drip = setInterval(() => {
    for (const { socket } of dripping) if (socket.writable) socket.write(' '.repeat(1_000))
  }, 50)
  try {
    dripping.push(await taken(one, LIMITS.bulkBodyBytesMax))
    dripping.push(await taken(two, LIMITS.largeBodiesBytesMax - LIMITS.bulkBodyBytesMax))
    expect((await post(three, LARGE)).status).toBe(429)
    await untilTaken(three)
    for (const sending of dripping) expect(sending.status()).toBe(408)
  } finally {
    clearInterval(drip)
    arrival.largeGraceMs = LIMITS.largeBodyGraceMs
  }
})

test('a large body that comes at the pace that it needs is taken, however long it rested at first', async () => {
  const one = await sender()
  const { arrival } = service.service.app!
  Object.assign(arrival, { largeGraceMs: 1_500, timeoutMs: 6_000 })
  try {
    const sending = await taken(one, LARGE.length)
    for (let at = 0; at < LARGE.length; at += 100_000) {
      await new Promise((resolve) => setTimeout(resolve, at === 0 ? 1_400 : 200))
      sending.socket.write(LARGE.slice(at, at + 100_000))
    }
    await answered(sending)
    expect(sending.status()).toBe(422)
  } finally {
    Object.assign(arrival, { largeGraceMs: LIMITS.largeBodyGraceMs, timeoutMs: LIMITS.requestTimeoutMs })
  }
})

test('a body without Content-Length takes its place as it grows, and is told after it has gone by', async () => {
  const [one, other] = [await sender(), await sender()]
  const first = await taken(one, 4 * MEGABYTE)
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const second = begin(one, { 'transfer-encoding': 'chunked' })
  second.socket.write(chunk('x'.repeat(MEGABYTE)) + chunk('x'.repeat(MEGABYTE)))
  second.socket.write('0\r\n\r\n')
  await answered(second)
  expect([second.status(), second.problem().code]).toEqual([429, 'rate-limited'])
  const third = begin(other, { 'transfer-encoding': 'chunked' })
  const rows = `{"rows":[${Array.from({ length: 40_000 }, (_, i) => `{"sku":"N-${i}","quantity":${i}}`).join(',')}]}`
  third.socket.write(chunk(rows.slice(0, 700_000)) + chunk(rows.slice(700_000)) + '0\r\n\r\n')
  await answered(third)
  expect(third.status()).toBe(202)
  const tooLong = begin(other, { 'transfer-encoding': 'chunked' }, 'prices')
  for (let i = 0; i < 65; i++) tooLong.socket.write(chunk(' '.repeat(MEGABYTE)))
  await answered(tooLong)
  expect([tooLong.status(), tooLong.problem().code]).toEqual([413, 'payload-too-large'])
  first.socket.destroy()
})

test('a client that goes while its body is read leaves nothing behind', { timeout: 60_000 }, async () => {
  const one = await sender()
  const row = (i: number) => JSON.stringify({ sku: `S-${i}`, quantity: i, cost: null, note: 'x'.repeat(500) })
  const rows = `{"rows":[${Array.from({ length: 90_000 }, (_, i) => row(i)).join(',')}]}`
  const sending = begin(one, { 'content-length': Buffer.byteLength(rows) })
  await new Promise<void>((resolve) => void sending.socket.write(rows, () => resolve()))
  // the whole body has been sent; validating it takes the service some hundred milliseconds
  sending.socket.destroy()
  await untilTaken(one)
  expect(await one.operations()).toBe(0)
})

test('rows with more values than a row can have are refused by their number, before they become values', async () => {
  const one = await sender()
  const crafted = (values: number) => `{"a":[${Array.from({ length: values }, () => '[]').join(',')}]}`
  const send = (body: string, type = 'application/json') =>
    one.http('/v1/account/bulk/offers', { method: 'POST', headers: { 'content-type': type }, body })
  const refused = await send(`{"rows":[{},${crafted(300_000)},{}]}`)
  const reason = `has more than ${LIMITS.bulkRowValuesMax} values`
  expect(refused).toMatchObject({
    status: 413,
    body: { code: 'payload-too-large', detail: `row 1 ${reason}`, errors: [{ name: 'rows.1', reason }] },
  })
  expect((await send(`{}\n${crafted(300_000)}`, 'application/x-ndjson')).body).toMatchObject({
    status: 413,
    detail: `line 2 ${reason}`,
    errors: [{ name: 'rows.1', reason }],
  })
  const many = await send(`{"rows":[${Array.from({ length: 3_000 }, () => crafted(1_900)).join(',')}]}`)
  expect(many).toMatchObject({
    status: 413,
    body: { detail: expect.stringMatching(/^a bulk has at most 8388608 values, and row \d+ exceeds them/) },
  })
})

test('the largest offer that is valid is taken', async () => {
  const one = await sender()
  const { body } = await one.http('/v1/account/bulk/offers', {
    method: 'POST',
    ...json(JSON.stringify({ rows: [largestOffer()] })),
  })
  expect(body.meta).toMatchObject({ created: 1, failed: 0 })
})

/** An offer with every member and the most entries that each may have. The entries are small, because a row has at most a megabyte. */
function largestOffer() {
  const many = <T>(count: number, entry: (i: number) => T) => Array.from({ length: count }, (_, i) => entry(i))
  const locales = many(LIMITS.localesPerOfferMax, (i) => `en-x-n${i}`)
  return {
    supplier: 'north',
    sku: 'S',
    eans: many(LIMITS.eansPerProductMax, (i) => String(40_000_000 + i)),
    cost: '1',
    currency: 'EUR',
    quantity: 1,
    texts: Object.fromEntries(locales.map((locale) => [locale, { title: 't', description: 'd' }])),
    manufacturer: 'm',
    category: 'c',
    attributes: many(LIMITS.attributesPerProductMax, (i) => ({ key: `k${i}`, value: 'v' })),
    images: many(LIMITS.imagesPerProductMax, (i) => `https://a.example/${i}.jpg`),
  }
}

test('long texts that are written and shelved in several statements and slices can be read at once', async () => {
  const one = await sender()
  const ids = await giveOffers(
    service.runtime,
    one.account,
    Array.from({ length: 300 }, (_, i) => offer(`A-${i}`)),
  )
  const long = (i: number) => `${i} ${'lang '.repeat(8_000)}`.trim()
  const rows = ids.map((product_id, i) => ({ product_id, field: 'description', locale: 'de', value: long(i) }))
  const written = await one.http('/v1/account/bulk/overrides', { method: 'POST', ...json(JSON.stringify({ rows })) })
  expect([written.status, written.body.meta.created, written.headers.get('operation-location')]).toEqual([
    200,
    300,
    null,
  ])
  for (const i of [0, 150, 299])
    expect((await one.http(`/v1/account/products/${ids[i]}`)).body.data.description.de).toBe(long(i))
  await expectAudited(service.runtime.db, one.account.accountId)
})

test('a body that drips in is ended by the timeout of requests, and nothing of it is written', async () => {
  const one = await sender()
  const { server, arrival } = service.service.app!
  const timeoutMs = LIMITS.requestTimeoutMs
  expect([server.headersTimeout, arrival.timeoutMs]).toEqual([timeoutMs, timeoutMs])
  server.headersTimeout = arrival.timeoutMs = 1_000
  try {
    const text = `{"rows":[${Array.from({ length: 1_001 }, () => '{"sku":"A","quantity":1}').join(',')}]}`
    const dripping = begin(one, { 'content-length': text.length })
    dripping.socket.write(text.slice(0, -200))
    let sent = text.length - 200
    const drip = setInterval(() => dripping.socket.write(text.charAt(sent++)), 20)
    await dripping.closed
    clearInterval(drip)
    expect(sent).toBeLessThan(text.length)
    expect([dripping.status(), dripping.header('content-type'), dripping.problem().code]).toEqual([
      408,
      'application/problem+json',
      'request-timeout',
    ])
  } finally {
    server.headersTimeout = arrival.timeoutMs = timeoutMs
  }
  expect(await one.operations()).toBe(0)
})
