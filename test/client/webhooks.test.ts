import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import {
  verifyWebhook,
  webhookHandler,
  webhookListener,
  WebhookRefused,
  type NodeRequest,
  type NodeResponse,
  type WebhookEvent,
} from '../../client/src/webhooks/verify.ts'
import vectors from '../../docs/examples/webhook-vectors.json' with { type: 'json' }

test.for(vectors)('$name: $why', async (vector) => {
  const given = {
    'x-service-timestamp': vector.timestamp,
    'x-service-signature': vector.signature,
    'x-service-signature-next': vector.signature_next,
    'x-service-signature-previous': vector.signature_previous,
  }
  const headers = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  const body = Buffer.from(vector.body_base64, 'base64')
  const verdict = verifyWebhook({ body, headers, secrets: [vector.secret], now: vector.now * 1_000 }).then(
    () => true,
    (error: unknown) => {
      // for a body that is not JSON the signature may be valid
      if (error instanceof SyntaxError) return true
      expect(error).toBeInstanceOf(WebhookRefused)
      return false
    },
  )
  expect(await verdict).toBe(vector.valid)
})

const BODY = '{"event":"price","store_id":null,"product_ids":[1,2],"occurred_at":"2026-11-20T10:00:00+00:00"}'

function request(secret: string, more: Record<string, string> = {}): Request {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const hex = createHmac('sha256', secret).update(`${timestamp}.${BODY}`).digest('hex')
  const headers = { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': `sha256=${hex}`, ...more }
  return new Request('http://shop.example/hook', { method: 'POST', body: BODY, headers })
}

test('a handler hands on what is signed with one of its secrets, answers tests, and refuses the rest', async () => {
  const events: WebhookEvent[] = []
  const handle = webhookHandler(['whsec_old', 'whsec_new'], (event) => void events.push(event))
  expect((await handle(request('whsec_new', { 'X-Service-Delivery': 'd-1' }))).status).toBe(204)
  expect((await handle(request('whsec_old', { 'X-Service-Test': '1' }))).status).toBe(204)
  expect((await handle(request('whsec_else'))).status).toBe(401)
  expect(events).toEqual([
    {
      event: 'price',
      store_id: null,
      product_ids: [1, 2],
      occurred_at: '2026-11-20T10:00:00+00:00',
      delivery: 'd-1',
      isTest: false,
    },
  ])
})

test('a handler reads no more of a body than a delivery has', async () => {
  const handle = webhookHandler(['whsec_new'], () => {
    throw new Error('it was taken for a delivery')
  })
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      sent += 1_024
      stream.enqueue(new Uint8Array(1_024))
    },
  })
  const endless = new Request('https://shop.example/hook', { method: 'POST', body, duplex: 'half' })
  expect((await handle(endless)).status).toBe(413)
  expect(sent).toBeLessThan(100_000)
  const empty = new Request('https://shop.example/hook', { method: 'POST' })
  expect((await handle(empty)).status).toBe(401)
})

test('a listener in Fastify has the bytes as the README says, and other routes of the app have their JSON', async () => {
  const events: WebhookEvent[] = []
  const listener = webhookListener(['whsec_new'], (event) => void events.push(event))
  const app = Fastify()
  app.post('/echo', (given) => given.body)
  await app.register(async (hook) => {
    hook.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    hook.post('/hook', (given, reply) => {
      reply.hijack()
      return listener(given, reply.raw)
    })
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const send = (path: string, secret: string) => {
      const headers = { ...Object.fromEntries(request(secret).headers), 'content-type': 'application/json' }
      return fetch(url + path, { method: 'POST', body: BODY, headers })
    }
    expect((await send('/hook', 'whsec_new')).status).toBe(204)
    expect((await send('/hook', 'whsec_else')).status).toBe(401)
    expect(events).toMatchObject([{ event: 'price', product_ids: [1, 2] }])
    expect(await (await send('/echo', 'whsec_new')).json()).toMatchObject({ event: 'price' })
  } finally {
    await app.close()
  }
})

test('a listener of node:http does the same, also with the bytes that something has read before it', async () => {
  const events: WebhookEvent[] = []
  const told: unknown[] = []
  const listen = webhookListener(
    ['whsec_new'],
    (event) => {
      if (event.delivery === 'fails') throw new TypeError('the queue of acme is full')
      events.push(event)
    },
    (error) => told.push(error),
  )
  const server = createServer((incoming: NodeRequest & AsyncIterable<Uint8Array>, response: NodeResponse) => {
    void (async () => {
      if (incoming.headers['x-read'] === undefined) return listen(incoming, response)
      const chunks: Uint8Array[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      // the body as a middleware leaves it that parses bytes, or JSON
      const body: unknown = incoming.headers['x-read'] === 'bytes' ? Buffer.concat(chunks) : {}
      return listen(Object.assign(incoming, { body }), response)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const send = async (secret: string, more: Record<string, string> = {}) => {
    const { headers } = request(secret, more)
    const answer = await fetch(url, { method: 'POST', body: BODY, headers })
    return [answer.status, await answer.text()]
  }
  try {
    expect(await send('whsec_new')).toEqual([204, ''])
    expect(await send('whsec_new', { 'X-Read': 'bytes' })).toEqual([204, ''])
    expect(await send('whsec_new', { 'X-Read': 'json' })).toEqual([
      500,
      expect.stringContaining('before a parser of JSON'),
    ])
    expect(await send('whsec_else')).toEqual([401, 'no signature of this delivery is valid'])
    expect(await send('whsec_new', { 'X-Service-Delivery': 'fails' })).toEqual([500, ''])
    expect(told.map(String)).toEqual([
      expect.stringContaining('before a parser of JSON'),
      'TypeError: the queue of acme is full',
    ])
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(413)
    expect(events).toHaveLength(2)
  } finally {
    server.closeAllConnections()
    server.close()
  }
  const passed: unknown[] = []
  const unanswered: NodeResponse = { statusCode: 0, end: () => passed.push('answered') }
  await listen({ headers: {} }, unanswered, (error) => passed.push(error))
  expect(passed, 'Express answers what it is told').toEqual([expect.any(TypeError)])
})

test('headers are found in what another library has them in, and however their names are written', async () => {
  const { headers } = request('whsec_a')
  const plain = {
    'X-Service-Timestamp': headers.get('x-service-timestamp') ?? '',
    'X-SERVICE-SIGNATURE': [headers.get('x-service-signature') ?? ''],
  }
  // like the Headers of node-fetch, which are no instance of the built-in class
  const others = { get: (name: string) => headers.get(name) } as Headers
  for (const given of [plain, others])
    expect(await verifyWebhook({ body: BODY, headers: given, secrets: ['whsec_a'] })).toMatchObject({ event: 'price' })
})

test('a secret that is empty is none: beside another one it signs nothing', async () => {
  const { headers } = request('whsec_a')
  for (const secrets of [[], [''], [' '], [undefined as unknown as string]])
    await expect(verifyWebhook({ body: BODY, headers, secrets })).rejects.toThrow('needs a secret')
  // '' is the secret of a rotation that has not begun
  expect(await verifyWebhook({ body: BODY, headers, secrets: ['', 'whsec_a'] })).toMatchObject({ event: 'price' })
  const other = request('whsec_b')
  await expect(verifyWebhook({ body: BODY, headers: other.headers, secrets: ['', 'whsec_a'] })).rejects.toThrow(
    WebhookRefused,
  )
})

test('a tolerance or a time that is no number lets nothing in', async () => {
  const { headers } = request('whsec_a')
  for (const odd of [{ toleranceSeconds: Number.NaN }, { now: Number.NaN }])
    await expect(verifyWebhook({ body: BODY, headers, secrets: ['whsec_a'], ...odd })).rejects.toThrow(WebhookRefused)
})
