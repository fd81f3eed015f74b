import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { openBase } from '../../src/serve/base.ts'
import { readPlainConnections } from '../../src/serve/plain/connections.ts'

// Answers that their clients do not read, for both ways in which the service sends answers.

/** More than the socket buffers of both ends hold. */
const LARGE = Buffer.alloc(48_000_000, 'x')
const limits: { answerUnreadMs: number; requestTimeoutCheckMs: number } = LIMITS
const before = { ...limits }
let app: FastifyInstance
/** Answers that were sent completely, or whose clients disconnected. */
let ended: string[]
/** Sockets of the server. */
let sockets: Socket[]
beforeEach(async () => {
  Object.assign(limits, { answerUnreadMs: 500, requestTimeoutCheckMs: 50 })
  ;[ended, sockets] = [[], []]
  app = openBase(pino({ level: 'silent' }), [], [], () => 'http://127.0.0.1')
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => ended.push(request.url))
    done()
  })
  app.get('/large', (_request, reply) => reply.send(LARGE))
  app.get('/late', async () => {
    await sleep(1_600)
    return 'late'
  })
  app.server.on('connection', (socket: Socket) => sockets.push(socket))
  readPlainConnections(app.server, app.unusedConnections, (bytes, connection) => {
    const path = /^GET (\/plain-\w+) /.exec(bytes)?.[1]
    if (path === undefined) return false
    connection.begin()
    const body = path === '/plain-large' ? LARGE : 'small'
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`
    const answer = () => connection.send(head, body, false, () => ended.push(path))
    if (path === '/plain-late') setTimeout(answer, 1_600)
    else answer()
    return true
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  Object.assign(limits, before)
  for (const socket of sockets) socket.destroy()
  await app.close()
})

function ask(path: string, client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')): Socket {
  client.on('error', () => {})
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return client
}
/** Reads this many bytes in pieces, with a pause between them. */
async function take(client: Socket, bytes: number, restMs = 0): Promise<number> {
  let taken = 0
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    taken += (chunk as Buffer).length
    if (taken >= bytes) break
    if (restMs > 0) await sleep(restMs)
  }
  return taken
}

test.each(['/large', '/plain-large'])('an answer to %s that nobody reads ends with its connection', async (path) => {
  const client = ask(path)
  client.pause()
  await expect.poll(() => ended, { timeout: 5_000 }).toEqual([path])
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])
  client.destroy()
})

test.each(['/large', '/plain-large'])('an answer to %s that is read slowly is sent whole', async (path) => {
  const client = ask(path)
  const from = performance.now()
  // pieces of 64 kB, so that reading takes longer than the time limit
  expect(await take(client, LARGE.length, 3)).toBeGreaterThan(LARGE.length)
  expect(performance.now() - from).toBeGreaterThan(1_500)
  client.destroy()
})

test.each([
  ['/large', '/late'],
  ['/plain-large', '/plain-late'],
  ['/plain-large', '/late'],
])('after a large answer to %s nothing has to be sent within its time: %s', async (path, late) => {
  const client = ask(path)
  // for longer than the interval of the checks, but less than the time limit
  client.pause()
  await sleep(200)
  expect(await take(client, LARGE.length)).toBeGreaterThan(LARGE.length)
  ask(late, client)
  expect((await once(client, 'data')).toString()).toContain('200 OK')
  expect(ended).toContain(path)
  client.destroy()
})
