import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Bulks and operations over HTTP.

const { service } = worldOfFile({ service: { roles: ['api', 'work'] } })
let account: TestAccount
let accounts = 0
let http: (path: string, init?: RequestInit) => Promise<Answer>

beforeEach(async () => {
  account = await createAccount(service.runtime, `b${accounts++}`)
  http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
})

const bulk = (path: string, rows: unknown[], headers: Record<string, string> = {}) =>
  http(`/v1/account/bulk/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ rows }),
  })

const offers = (count: number) =>
  giveOffers(
    service.runtime,
    account,
    Array.from({ length: count }, (_, i) => offer(`A-${i}`)),
  )

async function ended(location: string | null) {
  for (let i = 0; i < 600; i++) {
    const { body } = await http(location ?? '')
    if (body.data.ended_at !== null) return body.data
    await sleep(50)
  }
  throw new Error('the operation did not end')
}

test('up to 1,000 rows are answered one by one, and can be read when the answer arrives', async () => {
  const ids = await offers(700)
  const rows = ids.map((product_id, i) => ({ product_id, quantity: i % 100 === 7 ? 'many' : i }))
  const { status, body } = await bulk('stock', rows)
  expect([status, body.meta]).toEqual([200, { created: 693, changed: 0, unchanged: 0, failed: 7, dry_run: false }])
  expect(body.data.map((result: { row: number }) => result.row)).toEqual(rows.map((_, i) => i))
  expect(body.data[7]).toEqual({ row: 7, status: 'failed', errors: [{ name: 'quantity', reason: expect.any(String) }] })
  expect(body.data[8]).toEqual({ row: 8, status: 'created', product_id: ids[8] })
  const own =
    (await http(`/v1/prices/${ids[650]}`)).body.data.stock - (await http(`/v1/prices/${ids[7]}`)).body.data.stock
  expect(own).toBe(650)
  expect((await bulk('stock', rows)).body.meta).toMatchObject({ unchanged: 693, failed: 7 })
})

test('all or nothing, and a dry run, which finds what the write would', async () => {
  const [one, two] = await offers(2)
  const rows = [
    { product_id: one, quantity: 5 },
    { product_id: two, quantity: '1,5' },
    { sku: 'nobody', quantity: 1 },
  ]
  const refused = await bulk('stock?atomic=true', rows)
  expect([refused.status, refused.body.errors.map((fault: { name: string }) => fault.name)]).toEqual([
    422,
    ['rows.1.quantity', 'rows.2.sku'],
  ])
  const cursor = (await http('/v1/changes?since=now')).body
  const dry = await bulk('stock?dry_run=true', rows)
  const since = `/v1/changes?since=${encodeURIComponent(cursor.next_since)}&since_id=${cursor.next_id}`
  expect((await http(since)).body.changes).toEqual([])
  const wet = await bulk('stock', rows)
  expect(dry.body.data).toEqual(wet.body.data)
  expect(dry.body.meta).toEqual({ ...wet.body.meta, dry_run: true })
  expect((await http(since)).body.changes).toHaveLength(1)
})

test('rows by line, and what is no row', async () => {
  const [id] = await offers(1)
  const send = (body: string, path = 'stock') =>
    http(`/v1/account/bulk/${path}`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body })
  expect(
    (await send(`{"product_id":${id},"quantity":3}\r\n\n{"product_id":${id},"quantity":4}`)).body.data.map(
      (row: { status: string }) => row.status,
    ),
  ).toEqual(['created', 'changed'])
  expect((await send(`{"product_id":${id},"quantity":3}\n{"product_id":`)).body).toMatchObject({
    status: 400,
    detail: expect.stringMatching(/^line 2: /),
  })
  expect((await send('1\n"x"\nnull\n[]')).body.meta).toMatchObject({ failed: 4 })
  expect(
    (
      await bulk(
        'stock',
        Array.from({ length: LIMITS.bulkRowsMax + 1 }, () => 0),
      )
    ).status,
  ).toBe(413)
  expect(
    (
      await bulk(
        'stock?atomic=true',
        Array.from({ length: LIMITS.bulkRowsAtOnceMax + 1 }, () => 0),
      )
    ).status,
  ).toBe(400)
  expect((await bulk('stock?atomic=yes', [])).status).toBe(400)
  expect((await bulk('nothing', [])).status).toBe(404)
})

test(
  '5,000 rows with bad ones among them are taken, written once, and every bad one is named',
  { timeout: 60_000 },
  async () => {
    const ids = await offers(1_000)
    const rows = Array.from({ length: 5_000 }, (_, i) => ({
      product_id: ids[i % 1_000],
      quantity: i % 100 === 99 ? '-' : i,
    }))
    const taken = await bulk('stock', rows, { 'idempotency-key': 'night' })
    expect([taken.status, taken.body.data.kind, taken.body.data.total]).toEqual([202, 'bulk_stock', 5_000])
    const location = taken.headers.get('location')
    const again = await bulk('stock', rows, { 'idempotency-key': 'night' })
    expect([again.status, again.headers.get('location'), again.headers.get('idempotent-replayed')]).toEqual([
      202,
      location,
      'true',
    ])
    const operation = await ended(location)
    expect(operation).toMatchObject({ state: 'succeeded', total: 5_000, done: 5_000, failed: 50 })
    expect(
      (await http('/v1/account/operations')).body.data.filter((row: { kind: string }) => row.kind === 'bulk_stock'),
    ).toHaveLength(1)
    const seen: number[] = []
    for (let after: number | null = -1; after !== null;) {
      const { body }: Answer = await http(`${location}/errors?per_page=20${after === -1 ? '' : `&after=${after}`}`)
      for (const { row, errors } of body.data) {
        seen.push(row)
        expect(errors).toEqual([{ name: 'quantity', reason: expect.any(String) }])
      }
      after = body.meta.next_after
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i * 100 + 99))
    // the last valid row of each product is the one that is stored, and its payload is right
    const stock = (await http(`/v1/account/products/${ids[10]}/stock`)).body.data
    expect(stock.quantity).toBe(4_010)
    expect((await auditAccount(service.runtime.db, account.accountId)).differences).toEqual([])
    expect((await http(`${location}/cancel`, { method: 'POST' })).body.data.state).toBe('succeeded')
    expect((await http('/v1/account/operations/999999999')).body).toMatchObject({
      status: 404,
      code: 'unknown-operation',
    })
  },
)

test(
  'what concerns every product is followed by an operation when it is not waited for',
  { timeout: 60_000 },
  async () => {
    await offers(600)
    const { status, headers } = await http('/v1/account/pricing-rules', {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'respond-async' },
      body: JSON.stringify({ name: 'All', action: 'markup', percent: '77' }),
    })
    expect(status).toBe(201)
    const location = headers.get('operation-location')
    // no location: a worker has already finished the operation
    if (location !== null) expect(await ended(location)).toMatchObject({ kind: 'resolve', state: 'succeeded' })
    const waited = await http('/v1/account/pricing-rules', {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=20' },
      body: JSON.stringify({ name: 'All again', action: 'markup', percent: '78', priority: 1 }),
    })
    expect([waited.status, waited.headers.get('operation-location')]).toEqual([201, null])
    const { data } = (await http('/v1/products?per_page=200')).body
    expect(
      data.every((product: { prices: { applied_rule_id: number }[] }) =>
        product.prices.every((price) => price.applied_rule_id === waited.body.data.id),
      ),
    ).toBe(true)
  },
)

test('a body of megabytes is taken, refused and remembered as a small one is', async () => {
  const ids = await offers(3)
  const rows = Array.from({ length: 1_500 }, (_, i) => ({
    product_id: ids[i % 3],
    field: 'description',
    locale: `en-x-n${Math.floor(i / 3)}`,
    value: `${i} ${'ä'.repeat(600)}`,
  }))
  const text = JSON.stringify({ rows })
  expect(Buffer.byteLength(text)).toBeGreaterThan(LIMITS.requestBodyBytesMax)
  const send = (body: string, type: string, key: string) =>
    http('/v1/account/bulk/overrides', {
      method: 'POST',
      headers: { 'content-type': type, 'idempotency-key': key },
      body,
    })
  const twice = text.replace('"locale":"en-x-n499"', '"locale":"en-x-n499","locale":"de"')
  const refused = await send(twice, 'application/json', 'twice')
  expect([refused.status, refused.body.errors]).toEqual([400, [{ name: 'rows.1497.locale', reason: 'is duplicated' }]])
  expect((await send(text.slice(0, -2), 'application/json', 'cut')).status).toBe(400)

  const taken = await send(text, 'application/json', 'large')
  expect(taken.status).toBe(202)
  expect(await ended(taken.headers.get('location'))).toMatchObject({ state: 'succeeded', changed: 1_500, failed: 0 })
  const again = await send(text, 'application/json', 'large')
  expect([again.status, again.headers.get('idempotent-replayed'), again.headers.get('location')]).toEqual([
    202,
    'true',
    taken.headers.get('location'),
  ])
  expect((await send(text.replace('1 ä', '1 Ä'), 'application/json', 'large')).status).toBe(422)

  const lines = await send(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), 'application/x-ndjson', 'lines')
  expect(await ended(lines.headers.get('location'))).toMatchObject({ state: 'succeeded', unchanged: 1_500, failed: 0 })
  expect((await http(`/v1/account/products/${ids[2]}`)).body.data.description).toMatchObject({
    'en-x-n499': rows[1_499]!.value,
  })
})
