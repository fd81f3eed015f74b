import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { dial } from '../harness/raw-request.ts'
import { startMeasuredService } from '../shapes/service-process.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// What connections can do to a service before it knows who they are: slow requests, requests that hide another one, other protocols.

const { database } = worldOfFile()
const service = ofFile(() => startMeasuredService(database))

interface Heard {
  text: string
  isClosed: boolean
  socket: Socket
}

/** Opens a connection that collects the service's bytes. */
function open(): Heard {
  const heard: Heard = { text: '', isClosed: false, socket: dial(service.url) }
  heard.socket
    .on('data', (data) => (heard.text += data.toString('latin1')))
    .on('error', () => {})
    .on('close', () => (heard.isClosed = true))
  return heard
}

/** Sends bytes. @returns the bytes of the answer, when none has arrived for `quietMs` or the service has closed the connection. */
async function exchange(bytes: string, quietMs = 500): Promise<Heard> {
  const heard = open()
  heard.socket.write(bytes, 'latin1')
  for (let last = -1, since = performance.now(); !heard.isClosed && performance.now() - since < quietMs;) {
    if (heard.text.length !== last) [last, since] = [heard.text.length, performance.now()]
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  heard.socket.destroy()
  return heard
}

const until = async (isDone: () => boolean, withinMs: number): Promise<boolean> => {
  for (const from = performance.now(); performance.now() - from < withinMs;) {
    if (isDone()) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return isDone()
}

const answersIn = (text: string) => [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status))
const authorized = () => `Host: x\r\nAuthorization: Bearer ${service.token}`

async function readStores(): Promise<number> {
  const from = performance.now()
  const answer = await fetch(`${service.url}/v1/stores`, { headers: { authorization: `Bearer ${service.token}` } })
  await answer.arrayBuffer()
  expect(answer.status).toBe(200)
  return performance.now() - from
}

describe('slow requests', { retry: 2 }, () => {
  const WAYS: readonly { first: () => string; more: string }[] = [
    // headers a byte at a time
    { first: () => 'GET /v1/stores HTTP/1.1\r\nX-A: ', more: 'a' },
    // nothing at all
    { first: () => '', more: '' },
    // a body a byte at a time
    {
      first: () =>
        `POST /v1/account/stores HTTP/1.1\r\n${authorized()}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
      more: ' ',
    },
    // a body in chunks of a byte
    {
      first: () =>
        `POST /v1/account/stores HTTP/1.1\r\n${authorized()}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
      more: '1\r\n \r\n',
    },
  ]

  it('300 connections of each kind keep nobody waiting, and end within their time', { timeout: 90_000 }, async () => {
    const connections = WAYS.flatMap((way) => Array.from({ length: 300 }, () => ({ ...way, heard: open() })))
    for (const { first, heard } of connections) heard.socket.write(first())
    const dripping = setInterval(() => {
      for (const { more, heard } of connections) if (!heard.isClosed && more !== '') heard.socket.write(more)
    }, 1_000)
    let slowest = 0
    const { longestMs, rssBytes } = await service.measure(async () => {
      const ended = until(() => connections.every(({ heard }) => heard.isClosed), 45_000)
      for (let i = 0; i < 50; i++) {
        slowest = Math.max(slowest, await readStores())
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect(await ended).toBe(true)
    })
    clearInterval(dripping)
    for (const { heard } of connections) expect([[], [408], [503], [429]]).toContainEqual(answersIn(heard.text))
    expect(slowest).toBeLessThan(3_000)
    expect(longestMs).toBeLessThan(250)
    expect(rssBytes).toBeLessThan(1_500_000_000)
  })

  it('a client that asks 5,000 times and reads nothing takes no memory', async () => {
    const heard = open()
    heard.socket.pause()
    const request = `GET /v1/stores HTTP/1.1\r\n${authorized()}\r\n\r\n`
    const { longestMs, rssBytes } = await service.measure(async () => {
      heard.socket.write(request.repeat(5_000))
      for (let i = 0; i < 20; i++) {
        await readStores()
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    })
    heard.socket.destroy()
    expect(longestMs).toBeLessThan(250)
    expect(rssBytes).toBeLessThan(1_500_000_000)
  })
})

describe('requests that hide another one', () => {
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'
  const post = (fields: string, body: string) =>
    `POST /v1/account/stores HTTP/1.1\r\n${authorized()}\r\nContent-Type: application/json\r\n${fields}\r\n\r\n${body}`
  const CASES: Readonly<Record<string, () => string>> = {
    'a length and chunks': () => post('Content-Length: 6\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`),
    'chunks and a length': () => post('Transfer-Encoding: chunked\r\nContent-Length: 6', `0\r\n\r\n${hidden}`),
    'two lengths': () => post('Content-Length: 2\r\nContent-Length: 50', `{}${hidden}`),
    'a list of lengths': () => post('Content-Length: 2, 50', `{}${hidden}`),
    'a length with a sign': () => post('Content-Length: +2', `{}${hidden}`),
    'a length in hexadecimal': () => post('Content-Length: 0x2', `{}${hidden}`),
    'a length that is too large': () => post('Content-Length: 99999999999999999999', `{}${hidden}`),
    'a blank before the colon': () => post('Content-Length : 2', `{}${hidden}`),
    'chunks with a blank before the colon': () => post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`),
    'a coding that is not known': () => post('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`),
    'chunks that are not last': () => post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`),
    'chunks behind a tab': () => post('Transfer-Encoding:\u000bchunked', `0\r\n\r\n${hidden}`),
    'a field that goes on in the next line': () => post('X: a\r\n Content-Length: 2', `{}${hidden}`),
    'a line end of CR alone': () => post('X: a\rContent-Length: 2', `{}${hidden}`),
    'a zero in a field': () => post('X: a\0\r\nContent-Length: 2', `{}${hidden}`),
    'a name with a line feed': () => post('X\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`),
    'chunks whose size is too large': () =>
      post('Transfer-Encoding: chunked', `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${hidden}`),
    'chunks whose size has a sign': () => post('Transfer-Encoding: chunked', `-1\r\n{}\r\n0\r\n\r\n${hidden}`),
    'chunks without a line end': () => post('Transfer-Encoding: chunked', `2\r\n{}X0\r\n\r\n${hidden}`),
    'chunks with an extension that does not end': () => post('Transfer-Encoding: chunked', `2;${'a'.repeat(100_000)}`),
  }

  it.each(Object.entries(CASES))('%s: refused, and nothing after it is read', async (_, bytes) => {
    const { text, isClosed } = await exchange(bytes())
    expect(answersIn(text), text.slice(0, 500)).toHaveLength(1)
    expect([400, 408, 411, 413, 431, 501], text.slice(0, 500)).toContain(answersIn(text)[0])
    expect(isClosed).toBe(true)
    expect(text).not.toContain('/hidden')
  })

  it('a body of a GET is not the next request', async () => {
    const { text } = await exchange(
      `GET /v1/stores HTTP/1.1\r\n${authorized()}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    )
    expect(answersIn(text)).toEqual([200])
  })

  it('two requests in one packet get two answers, in their order', async () => {
    const { text } = await exchange(`GET /v1/stores HTTP/1.1\r\n${authorized()}\r\n\r\n${hidden}`)
    expect(answersIn(text)).toEqual([200, 404])
  })
})

describe('other protocols', () => {
  const settings = 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'
  it.each([
    ['h2c', `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n${settings}`],
    [
      'websocket',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13',
    ],
    ['TLS/1.0', 'Connection: Upgrade\r\nUpgrade: TLS/1.0'],
  ])('an upgrade to %s is answered as if it had not been asked for, or refused', async (_, fields) => {
    const { text } = await exchange(`GET /v1/stores HTTP/1.1\r\n${authorized()}\r\n${fields}\r\n\r\n`)
    expect(text).not.toMatch(/^HTTP\/1\.1 101/)
    expect(answersIn(text), text.slice(0, 300)).toHaveLength(1)
    expect([200, 400, 426, 501]).toContain(answersIn(text)[0])
  })

  it('an upgrade does not let a request through that has no token', async () => {
    const { text } = await exchange(
      `GET /v1/stores HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n${settings}\r\n\r\nGET /v1/stores HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    for (const status of answersIn(text)) expect([400, 401, 426, 501]).toContain(status)
  })

  it.each([
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(517, '\0')],
    ['SSH', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/0.9', 'GET /v1/stores\r\n\r\n'],
    ['a proxy’s tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'],
  ])('%s is refused, and the connection ends', async (_, bytes) => {
    const heard = await exchange(bytes, 4_000)
    expect(heard.isClosed).toBe(true)
    for (const status of answersIn(heard.text)) expect(status).toBeGreaterThanOrEqual(400)
  })
})

it('the service is as before', async () => {
  expect(service.ended()).toBeUndefined()
  expect(await readStores()).toBeLessThan(3_000)
})
