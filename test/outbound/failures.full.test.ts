import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOutbound, type Exchange, type Outbound, type OutboundRequest } from '../../src/outbound/client.ts'
import {
  answer,
  closeBeforeHeaders,
  closedPort,
  closeMidBody,
  dripBody,
  dripHeaders,
  endlessBody,
  gzipBomb,
  neverAnswer,
  resetBeforeHeaders,
  resetMidHeaders,
  startHostileReceiver,
  tlsFile,
  write,
  writeInPieces,
  type Behaviour,
  type Certificate,
} from '../harness/hostile-receiver.ts'

// Misbehaving receivers on real sockets. Whatever they do, the exchange ends in time, its socket is freed, and the next
// request of the same key works.

const DEADLINE_MS = 600
const TOLERANCE_MS = 400
const READ_MAX = 16_384

let outbound: Outbound
beforeAll(() => {
  outbound = openOutbound({ allow: ['127.0.0.0/8', '::1/128'], ca: tlsFile('ca'), userAgent: 'shelfwire-test' })
})
afterAll(() => outbound.close())

let keys = 0
const send = (url: string, more: Partial<OutboundRequest> = {}): Promise<Exchange> =>
  outbound.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    connectTimeoutMs: 300,
    totalTimeoutMs: DEADLINE_MS,
    readBytesMax: READ_MAX,
    key: `key ${keys++}`,
    ...more,
  })
const text = (exchange: Exchange) =>
  exchange.kind === 'answered' ? Buffer.from(exchange.body).toString('latin1') : exchange.fault

/** Sends to a receiver with `behaviour`, then checks that the socket is freed and that the same key works again. */
async function sendTo(behaviour: Behaviour, more: Partial<OutboundRequest> = {}): Promise<Exchange> {
  await using receiver = await startHostileReceiver(behaviour)
  const key = `misbehaving ${keys++}`
  const began = performance.now()
  const exchange = await send(`${receiver.origin}/hook`, { key, ...more })
  const took = performance.now() - began
  expect(took).toBeLessThan((more.totalTimeoutMs ?? DEADLINE_MS) + TOLERANCE_MS)
  expect(Math.abs(exchange.durationMs - took)).toBeLessThan(50)
  if (exchange.kind === 'failed') await receiver.untilNoneIsOpen(500)
  expect(receiver.connections()).toBe(1)
  receiver.behave(answer(200, {}, 'works again'))
  expect(text(await send(`${receiver.origin}/hook`, { key }))).toBe('works again')
  return exchange
}

describe('failures', () => {
  test.each<[string, string, Behaviour]>([
    ['reset before headers', 'reset', resetBeforeHeaders],
    ['closed before headers', 'reset', closeBeforeHeaders],
    ['reset within headers', 'reset', resetMidHeaders],
    ['closed within the body', 'reset', closeMidBody],
    [
      'closed within the last body',
      'protocol',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10\r\n\r\nhalf'),
    ],
    ['accepts and never answers', 'timeout', neverAnswer],
    ['drips a header byte at a time', 'timeout', dripHeaders(100)],
    ['drips the body for ever', 'timeout', dripBody(100)],
    ['is not HTTP', 'protocol', write('SSH-2.0-OpenSSH_9.2\r\n')],
    ['is HTTP/0.9', 'protocol', write('<html>hello</html>\r\n\r\n')],
    ['has a broken header', 'protocol', write('HTTP/1.1 200 OK\r\nno colon here\r\n\r\n')],
    ['has two lengths', 'protocol', write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc')],
    [
      'has length and chunks',
      'protocol',
      write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n'),
    ],
    ['has a broken chunk', 'protocol', write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n')],
    ['has 100 kB of headers', 'protocol', write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n`)],
    [
      'switches protocols unasked',
      'protocol',
      write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    ],
    [
      'sends interim answers for ever',
      'protocol',
      writeInPieces(
        Array.from({ length: 100 }, () => 'HTTP/1.1 100 Continue\r\n\r\n'),
        5,
      ),
    ],
    [
      'sends early hints for ever',
      'protocol',
      writeInPieces(
        Array.from({ length: 1_000 }, () => 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1_000)),
        1,
      ),
    ],
  ])('%s: %s', { retry: 2 }, async (_what, fault, behaviour) => {
    const exchange = await sendTo(behaviour)
    expect(exchange).toMatchObject({ kind: 'failed', fault, isOurs: false })
    expect(exchange.kind === 'failed' && exchange.detail).toMatch(/^[a-z][^\n]{10,80}$/)
    expect(exchange.kind === 'failed' && exchange.detail).not.toMatch(/127\.0|::1|\d{5}/)
    if (fault === 'timeout') expect(exchange.durationMs).toBeGreaterThan(DEADLINE_MS - 5)
  })

  test('refused', { retry: 2 }, async () => {
    expect(await send(`http://127.0.0.1:${await closedPort()}/`)).toMatchObject({
      kind: 'failed',
      fault: 'refused',
      isOurs: false,
    })
  })

  test('refused on both addresses of a name', { retry: 2 }, async () => {
    const port = await closedPort()
    expect(await send(`http://localhost:${port}/`)).toMatchObject({ kind: 'failed', fault: 'refused', isOurs: false })
  })

  test('aborted by the caller', { retry: 2 }, async () => {
    const key = 'given up'
    await using receiver = await startHostileReceiver(neverAnswer)
    const exchange = await send(receiver.origin, { key, signal: AbortSignal.timeout(50) })
    expect(exchange).toMatchObject({ kind: 'failed', fault: 'local', isOurs: true })
    expect(exchange.durationMs).toBeLessThan(300)
    await receiver.untilNoneIsOpen(500)
    expect(await send(receiver.origin, { key, signal: AbortSignal.abort() })).toMatchObject({
      fault: 'local',
      isOurs: true,
    })
    receiver.behave(answer(204))
    expect(await send(receiver.origin, { key })).toMatchObject({ kind: 'answered', status: 204 })
  })

  test('requests that cannot be sent never throw', async () => {
    for (const url of ['ftp://example.com/', 'nonsense', 'http://127.0.0.1:22/', 'http://u:p@127.0.0.1/']) {
      expect(await send(url)).toMatchObject({ kind: 'failed', fault: 'protocol', isOurs: false })
    }
    await using receiver = await startHostileReceiver(answer(200))
    expect(await send(receiver.origin, { headers: { 'x-bad': 'a\r\nb: c' } })).toMatchObject({
      kind: 'failed',
      fault: 'local',
      isOurs: true,
    })
    expect(await send(receiver.origin, { headers: { 'bad name': 'a' } })).toMatchObject({
      kind: 'failed',
      fault: 'local',
      isOurs: true,
    })
    expect(receiver.requests).toEqual([])
  })
})

describe('answers', () => {
  test.each([204, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 408, 410, 413, 429, 500, 503])(
    '%d is returned as it is',
    async (status) => {
      const body = status === 204 || status === 304 ? '' : 'words'
      await using receiver = await startHostileReceiver(answer(status, {}, body))
      expect(await send(receiver.origin)).toMatchObject({
        kind: 'answered',
        status,
        isCut: false,
        retryAfter: null,
        contentEncoding: null,
      })
    },
  )

  test.each([301, 302, 303, 307, 308])('a redirect by %d is not followed', async (status) => {
    await using inner = await startHostileReceiver(answer(200, {}, 'secret'))
    const exchange = await sendTo(answer(status, { location: `${inner.origin}/admin` }))
    expect(exchange).toMatchObject({ kind: 'answered', status })
    expect(inner.connections()).toBe(0)
  })

  test.each(['120', 'Wed, 21 Oct 2026 07:28:00 GMT', 'soon', '-5', '31536000', '\u00ff'])(
    'Retry-After "%s" is returned raw',
    async (hint) => {
      await using receiver = await startHostileReceiver(
        write(
          Buffer.from(
            `HTTP/1.1 429 No\r\nretry-after: ${hint}\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n`,
            'latin1',
          ),
        ),
      )
      expect(await send(receiver.origin)).toMatchObject({ kind: 'answered', status: 429, retryAfter: hint })
    },
  )

  test.each<[string, Behaviour]>([
    ['100 Continue', write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')],
    [
      '100 Continue with headers, twice',
      write('HTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTTP/1.1 100 \r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    ],
    [
      '100, 102 and 103 byte by byte',
      writeInPieces(
        [
          ...'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
        ],
        1,
      ),
    ],
    ['no interim answer, byte by byte', writeInPieces([...'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'], 2)],
    [
      'a body that looks like an interim answer',
      write('HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'),
    ],
    ['a body until the end of the connection', (socket) => void socket.end('HTTP/1.0 200 OK\r\n\r\nok')],
    [
      'chunks',
      write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\nx-trailer: y\r\n\r\n'),
    ],
  ])('%s', async (what, behaviour) => {
    await using receiver = await startHostileReceiver(behaviour)
    const exchange = await send(receiver.origin)
    expect(exchange).toMatchObject({ kind: 'answered', status: 200, isCut: false })
    expect(text(exchange)).toBe(what.includes('looks like') ? 'HTTP/1.1 100 Continue\r\n\r\n' : 'ok')
  })

  test('invalid UTF-8 in headers and body', async () => {
    const bytes = Buffer.concat([
      Buffer.from('HTTP/1.1 200 \xff\xfe\r\nx-\x80: a\r\ncontent-encoding: \xff\xfe\xc3\r\n', 'latin1').subarray(0),
      Buffer.from('content-length: 3\r\n\r\n'),
      Buffer.from([0xff, 0xc3, 0x28]),
    ])
    const exchange = await sendTo(write(bytes))
    // such bytes are invalid in a header's name and valid in its value
    expect(exchange).toMatchObject({ kind: 'failed', fault: 'protocol' })
    const valid = await sendTo(write(Buffer.from(bytes.toString('latin1').replace('x-\x80', 'x-a'), 'latin1')))
    expect(valid).toMatchObject({ kind: 'answered', status: 200, contentEncoding: '\u00ff\u00fe\u00c3', isCut: false })
    expect(valid.kind === 'answered' && [...valid.body]).toEqual([0xff, 0xc3, 0x28])
  })

  test('a body of 10 GB is cut, and neither read to its end nor kept', async () => {
    let sent = 0
    const before = process.memoryUsage().arrayBuffers
    const exchange = await sendTo(endlessBody((bytes) => (sent += bytes)))
    expect(exchange).toMatchObject({ kind: 'answered', status: 200, isCut: true })
    expect(exchange.kind === 'answered' && exchange.body.length).toBe(READ_MAX)
    // the socket buffers of both sides
    expect(sent).toBeLessThan(50_000_000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
  })

  test('a gzip bomb is not decompressed', async () => {
    const bomb = gzipBomb()
    const exchange = await sendTo(bomb)
    expect(exchange).toMatchObject({ kind: 'answered', status: 200, isCut: true, contentEncoding: 'gzip' })
    expect(exchange.kind === 'answered' && [...exchange.body.subarray(0, 2)]).toEqual([0x1f, 0x8b])
    expect(exchange.kind === 'answered' && exchange.body.length).toBe(READ_MAX)
  })

  test('a body of exactly the maximum length is complete; one byte more is cut', async () => {
    for (const [length, isCut] of [
      [READ_MAX - 1, false],
      [READ_MAX, false],
      [READ_MAX + 1, true],
    ] as const) {
      const exchange = await sendTo(answer(200, {}, 'x'.repeat(length)))
      expect(exchange).toMatchObject({ kind: 'answered', isCut })
      expect(exchange.kind === 'answered' && exchange.body.length).toBe(Math.min(length, READ_MAX))
    }
    expect(await sendTo(answer(200, {}, 'x'), { readBytesMax: 0 })).toMatchObject({ kind: 'answered', isCut: true })
    // the maximum was read, but the end of the body never comes
    const full = await sendTo(
      write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4000\r\n${'x'.repeat(READ_MAX)}\r\n`),
    )
    expect(full).toMatchObject({ kind: 'answered', status: 200, isCut: true })
  })
})

describe('a sent request', () => {
  test('has the headers it was given and few others', async () => {
    await using receiver = await startHostileReceiver(answer(200))
    await send(`${receiver.origin}/a%20b?c=d`, {
      headers: { 'X-One': '1', Host: 'elsewhere', 'Accept-Encoding': 'gzip', Connection: 'close' },
      body: 'ä',
    })
    const [head = '', body] = receiver.requests[0]?.raw.toString('utf8').split('\r\n\r\n') ?? []
    expect(body).toBe('ä')
    expect(
      head
        .split('\r\n')
        .map((line) => line.toLowerCase())
        .sort(),
    ).toEqual([
      'accept-encoding: identity',
      'accept: */*',
      'connection: keep-alive',
      'content-length: 2',
      `host: 127.0.0.1:${receiver.port}`,
      'post /a%20b?c=d http/1.1',
      'user-agent: shelfwire-test',
      'x-one: 1',
    ])
  })

  test('has no body as a GET; bytes are sent unchanged', async () => {
    await using receiver = await startHostileReceiver(answer(200))
    await outbound.send({
      method: 'GET',
      url: receiver.origin,
      headers: {},
      connectTimeoutMs: 300,
      totalTimeoutMs: DEADLINE_MS,
      readBytesMax: 10,
      key: 'get',
    })
    expect(receiver.requests[0]?.raw.toString()).toMatch(/^GET \/ HTTP\/1\.1\r\n/)
    expect(receiver.requests[0]?.raw.toString()).not.toMatch(/content-length/i)
    await send(receiver.origin, { body: new Uint8Array([0, 255, 13, 10]) })
    expect([...receiver.requests[1]!.raw.subarray(-4)]).toEqual([0, 255, 13, 10])
  })
})

describe('TLS', () => {
  const over = async (certificate: Certificate, url: (port: number) => string) => {
    await using receiver = await startHostileReceiver(answer(200, {}, 'ok'), { tls: certificate })
    const exchange = await send(url(receiver.port))
    if (exchange.kind === 'failed') {
      await receiver.untilNoneIsOpen(500)
      expect(receiver.requests).toEqual([])
    }
    return exchange
  }

  test('accepts a certificate of the private CA by name and by address, and keeps the connection alive', async () => {
    expect(await over('good', (port) => `https://localhost:${port}/`)).toMatchObject({ kind: 'answered', status: 200 })
    await using receiver = await startHostileReceiver(answer(200), { tls: 'good' })
    for (let i = 0; i < 3; i++) expect(await send(receiver.origin, { key: 'tls' })).toMatchObject({ kind: 'answered' })
    expect(receiver.connections()).toBe(1)
  })

  test.each<[Certificate, string]>([
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['expired', 'CERT_HAS_EXPIRED'],
    ['wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('refuses a %s certificate with %s', async (certificate, code) => {
    const exchange = await over(certificate, (port) => `https://localhost:${port}/`)
    expect(exchange).toMatchObject({ kind: 'failed', fault: 'tls', isOurs: false })
    expect(exchange.kind === 'failed' && exchange.detail).toContain(code)
  })

  test('refuses an untrusted CA', async () => {
    await using receiver = await startHostileReceiver(answer(200), { tls: 'good' })
    const stranger = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'x' })
    const exchange = await stranger.send({
      method: 'GET',
      url: receiver.origin,
      headers: {},
      connectTimeoutMs: 500,
      totalTimeoutMs: 1_000,
      readBytesMax: 10,
      key: 'k',
    })
    expect(exchange).toMatchObject({ kind: 'failed', fault: 'tls', isOurs: false })
    await stranger.close()
  })

  test('fails for HTTP where TLS was expected, and the other way round', { retry: 2 }, async () => {
    await using plain = await startHostileReceiver(answer(200))
    expect(await send(`https://127.0.0.1:${plain.port}/`)).toMatchObject({ kind: 'failed', isOurs: false })
    await using tls = await startHostileReceiver(answer(200), { tls: 'good' })
    expect(await send(`http://127.0.0.1:${tls.port}/`)).toMatchObject({ kind: 'failed', isOurs: false })
  })

  test('reports a handshake that never ends as a connect timeout', { retry: 2 }, async () => {
    await using receiver = await startHostileReceiver(neverAnswer)
    const exchange = await send(`https://127.0.0.1:${receiver.port}/`, { connectTimeoutMs: 200, totalTimeoutMs: 5_000 })
    expect(exchange).toMatchObject({ kind: 'failed', fault: 'timeout', isOurs: false })
    expect(exchange.durationMs).toBeLessThan(600)
    await receiver.untilNoneIsOpen(500)
  })

  test('keeps the total deadline during the handshake', { retry: 2 }, async () => {
    await using receiver = await startHostileReceiver(neverAnswer)
    const exchange = await send(`https://127.0.0.1:${receiver.port}/`, { connectTimeoutMs: 5_000, totalTimeoutMs: 200 })
    expect(exchange).toMatchObject({ kind: 'failed', fault: 'timeout' })
    expect(exchange.durationMs).toBeLessThan(600)
    await receiver.untilNoneIsOpen(500)
  })
})
