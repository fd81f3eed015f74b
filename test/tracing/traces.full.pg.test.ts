import { afterEach, expect, test } from 'vitest'
import { openLog } from '../../src/platform/log.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { tracer } from '../../src/platform/tracing/tracing.ts'
import { openRuntime } from '../../src/runtime.ts'
import { startService, type Role } from '../../src/service.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { startCollector, type CollectedSpan, type Collector } from '../harness/collector.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { client, tokenFor, type Client } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// A write, its shelving and its deliveries are in the client's trace, even if several processes do them: the parts of a service
// below are as separate as processes, except for the memory of the tracer.

const { database } = worldOfFile()
let open = new AsyncDisposableStack()
afterEach(async () => {
  await open.disposeAsync()
  open = new AsyncDisposableStack()
  expect(tracer()).toBeNull()
})

interface Tried {
  http: Client
  account: TestAccount
  productIds: number[]
  receiver: Receiver
  lines: Record<string, unknown>[]
  url: string
}

/** Processes with these roles, and an account with two products and an endpoint. */
async function start(env: Record<string, string>, ...processes: (readonly Role[])[]): Promise<Tried> {
  const receiver = open.use(await startReceiver())
  const lines: Record<string, unknown>[] = []
  const log = openLog('debug', { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) })
  const urls: (string | null)[] = []
  const settings = readSettings({
    DATABASE_URL: database.url,
    PORT: '0',
    RATE_LIMIT_PER_SECOND: '0',
    MIRROR: 'off',
    SECRET_KEY: TEST_KEY,
    OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
    ...env,
  })
  let runtime = open.use(await openRuntime(settings, log))
  for (const [i, roles] of processes.entries()) {
    if (i > 0) runtime = open.use(await openRuntime(settings, log))
    urls.push(open.use(await startService(runtime, roles)).url)
  }
  const url = urls.find((found) => found !== null) ?? ''
  const { db, wake, shelf } = runtime
  const account = await createAccount({ db, wake, shelf })
  const productIds = await giveOffers({ db, wake, shelf }, account, [offer('A'), offer('B')])
  await runtime.endpoints.create(account.accountId, { url: `${receiver.url}/hook`, kinds: ['price'], storeId: null })
  const http = client(url, await tokenFor(runtime, account.accountId, 'full'))
  return { http, account, productIds, receiver, lines, url }
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const traceparent = (flags = '01') => ({ traceparent: `00-${TRACE}-${CALLER}-${flags}` })
const json = { 'content-type': 'application/json' }
const stock = ({ http, productIds: [id] }: Tried, quantity: number, headers: Record<string, string> = {}) =>
  http(`/v1/account/products/${id}/stock`, {
    method: 'PUT',
    headers: { ...json, ...headers },
    body: JSON.stringify({ quantity }),
  })
const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const span = spans.find((one) => one.name === name)
  if (span === undefined) throw new Error(`no span ${name} among ${spans.map((one) => one.name).join(', ')}`)
  return span
}

async function collected(collector: Collector, names: readonly string[], traceId = TRACE): Promise<CollectedSpan[]> {
  await until(
    `spans ${names.join(', ')} in ${collector.spans.map(({ name }) => name).join()}`,
    async () => names.every((name) => collector.of(traceId).some((span) => span.name === name)),
    15_000,
  )
  return collector.of(traceId)
}

test('a write, its shelving and its delivery are one trace over two processes, which the receiver is told', async () => {
  const collector = open.use(await startCollector())
  const tried = await start(
    { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,X-Other=1' },
    ['api'],
    ['work'],
  )
  const { receiver, account, lines } = tried
  receiver.answer = ({ headers }) => (headers['traceparent'] === undefined ? { status: 200 } : { status: 500 })
  expect((await stock(tried, 41, { ...traceparent(), 'x-request-id': 'one-write' })).status).toBe(201)
  await until('the attempt that fails', async () => receiver.received.some(({ headers }) => 'traceparent' in headers))
  receiver.answer = { status: 200 }
  await until('the failure is on record', async () => {
    const due =
      await database.db`update endpoint_state set retry_at = now(), due_at = now() where failures > 0 and lease_id is null returning 1`
    return due.length > 0
  })
  const put = 'PUT /v1/account/products/:id/stock'
  await until(
    'the attempt that does not',
    async () => collector.of(TRACE).filter(({ name }) => name === 'deliver').length === 2,
    15_000,
  )
  const spans = await collected(collector, [put, 'write', 'shelve', 'deliver'])
  expect(spans.every(({ service }) => service === 'shelfwire')).toBe(true)
  const [request, write, shelve] = [named(spans, put), named(spans, 'write'), named(spans, 'shelve')]
  expect(request).toMatchObject({
    kind: 2,
    parentSpanId: CALLER,
    attributes: {
      'http.request.method': 'PUT',
      'http.route': '/v1/account/products/:id/stock',
      'http.response.status_code': 201,
      'shelfwire.account_id': account.accountId,
      'shelfwire.request_id': 'one-write',
    },
  })
  expect(write.parentSpanId).toBe(request.spanId)
  expect(shelve).toMatchObject({
    parentSpanId: request.spanId,
    attributes: { 'shelfwire.by': 'writer', 'shelfwire.products': 1 },
  })
  const [first, second] = spans.filter(({ name }) => name === 'deliver')
  expect(first).toMatchObject({
    kind: 3,
    parentSpanId: shelve.spanId,
    status: { code: 2 },
    attributes: { 'shelfwire.attempt': 1, 'http.response.status_code': 500, 'shelfwire.account_id': account.accountId },
  })
  expect(second).toMatchObject({
    parentSpanId: shelve.spanId,
    attributes: { 'shelfwire.attempt': 2, 'http.response.status_code': 200 },
  })
  expect(second?.status).toBeUndefined()
  const told = receiver.received.map(({ headers }) => headers['traceparent'])
  expect(told).toEqual(expect.arrayContaining([`00-${TRACE}-${first?.spanId}-01`, `00-${TRACE}-${second?.spanId}-01`]))
  expect(lines.find((line) => line['request_id'] === 'one-write')).toMatchObject({ trace_id: TRACE, msg: 'answered' })
  expect(collector.requests[0]).toMatchObject({ 'x-key': 'a b', 'x-other': '1' })
  const metrics = await fetch(`${tried.url}/metrics`)
  expect(await metrics.text()).toMatch(/shelfwire_trace_spans_total\{outcome="exported"\} [1-9]/)
})

test('reads that the framework does not see are spans, with refused ones, and their log lines have the trace', async () => {
  const collector = open.use(await startCollector())
  const tried = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'shop' }, ['api', 'work'])
  const { http, productIds, account, lines } = tried
  expect(
    (
      await http(`/v1/products/${productIds[0]}`, {
        headers: { ...traceparent(), 'x-request-id': 'a-read' },
      })
    ).status,
  ).toBe(200)
  expect((await http('/v1/account', { headers: { ...traceparent(), authorization: 'Bearer nobody' } })).status).toBe(
    401,
  )
  const spans = await collected(collector, ['GET /v1/products/:id', 'GET /v1/account'])
  expect(named(spans, 'GET /v1/products/:id')).toMatchObject({
    parentSpanId: CALLER,
    service: 'shop',
    attributes: { 'shelfwire.account_id': account.accountId, 'http.response.status_code': 200 },
  })
  expect(named(spans, 'GET /v1/account').attributes).toMatchObject({ 'http.response.status_code': 401 })
  expect(named(spans, 'GET /v1/account').attributes).not.toHaveProperty('shelfwire.account_id')
  expect(lines.find((line) => line['request_id'] === 'a-read')).toMatchObject({ trace_id: TRACE })
})

test('a bulk that is written later is in the trace of its request: its chunks, what the workers shelve, and the deliveries', async () => {
  const collector = open.use(await startCollector())
  const tried = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, ['api'], ['work'])
  const { http, productIds } = tried
  const rows = Array.from({ length: 1_001 }, (_, i) => ({ product_id: productIds[i % 2], quantity: i }))
  const sent = await http('/v1/account/bulk/stock', {
    method: 'POST',
    headers: { ...json, ...traceparent() },
    body: JSON.stringify({ rows }),
  })
  expect(sent.status).toBe(202)
  const spans = await collected(collector, ['POST /v1/account/bulk/stock', 'operation bulk_stock', 'shelve', 'deliver'])
  expect(named(spans, 'operation bulk_stock').parentSpanId).toBe(named(spans, 'POST /v1/account/bulk/stock').spanId)
  expect(spans.some(({ name, attributes }) => name === 'shelve' && attributes['shelfwire.by'] === 'worker')).toBe(true)
})

test('what a client does not sample is not sent, and told on; without traceparent a share of traces is', async () => {
  const collector = open.use(await startCollector())
  const tried = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, ['api', 'work'])
  await stock(tried, 51, traceparent('00'))
  await until('a delivery', async () =>
    tried.receiver.received.some(({ headers }) => String(headers['traceparent']).endsWith('-00')),
  )
  const told = tried.receiver.received.at(-1)?.headers['traceparent']
  expect(told).toContain(TRACE)
  await stock(tried, 52)
  const next = await new Promise<string>((resolve) => {
    void until('a delivery in a trace of its own', async () => {
      const found = tried.receiver.received
        .map(({ headers }) => String(headers['traceparent']))
        .find((text) => text.endsWith('-01') && !text.includes(TRACE))
      if (found !== undefined) resolve(found.split('-')[1] ?? '')
      return found !== undefined
    })
  })
  await collected(collector, ['deliver', 'shelve', 'PUT /v1/account/products/:id/stock'], next)
  expect(collector.of(TRACE)).toEqual([])
})

test('a collector that hangs costs nothing: writes are answered and delivered, and the service ends', async () => {
  const collector = open.use(await startCollector())
  collector.answer = 'hang'
  const tried = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, ['api', 'work'])
  for (let i = 0; i < 20; i++) expect((await stock(tried, 100 + i)).status).toBe(i === 0 ? 201 : 200)
  await until('a delivery', async () => tried.receiver.received.length > 0)
  expect(collector.spans).toEqual([])
  const since = performance.now()
  await open.disposeAsync()
  open = new AsyncDisposableStack()
  // LIMITS.traceCloseMs, and the time of a service to end
  expect(performance.now() - since).toBeLessThan(6_000)
})

test('without a collector nothing is traced: no header, no member of a log line, no metric', async () => {
  const tried = await start({}, ['api', 'work'])
  expect(tracer()).toBeNull()
  await stock(tried, 61, { ...traceparent(), 'x-request-id': 'untraced' })
  await until('a delivery', async () => tried.receiver.received.length > 0)
  expect(tried.receiver.received.some(({ headers }) => 'traceparent' in headers)).toBe(false)
  expect(tried.lines.find((line) => line['request_id'] === 'untraced')).not.toHaveProperty('trace_id')
  expect(await (await fetch(`${tried.url}/metrics`)).text()).not.toContain('shelfwire_trace')
})
