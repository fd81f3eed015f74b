import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'

// HTTP servers that misbehave like servers on the internet do, on real sockets.

/** What a receiver does with a complete request. `number` counts its requests from 1. */
export type Behaviour = (socket: Socket, number: number) => void

export interface ReceivedRequest {
  /** Head and body as they were received. */
  raw: Buffer
  body: string
  /** Number of its connection, from 1. */
  connection: number
}

export interface HostileReceiver extends AsyncDisposable {
  port: number
  /** Such as `http://127.0.0.1:41234`. */
  origin: string
  requests: ReceivedRequest[]
  /** Number of connections so far. */
  connections(): number
  /** Resolves when no connection is open; throws after `ms`. */
  untilNoneIsOpen(ms?: number): Promise<void>
  /** Changes the behaviour from the next request on. */
  behave(behaviour: Behaviour): void
}

export type Certificate = 'good' | 'expired' | 'wrong-name' | 'self-signed'

export const tlsFile = (name: string): string =>
  readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8')

/** Starts a server that reads complete requests and calls `behaviour` with them. */
export async function startHostileReceiver(
  behaviour: Behaviour,
  options: { tls?: Certificate; host?: string } = {},
): Promise<HostileReceiver> {
  const host = options.host ?? '127.0.0.1'
  const requests: ReceivedRequest[] = []
  const open = new Set<Socket>()
  let current = behaviour
  let connections = 0

  const take = (socket: Socket) => {
    const connection = ++connections
    let waiting = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk])
      const headEnd = waiting.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const head = waiting.toString('latin1', 0, headEnd)
      const end = headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (waiting.length < end) return
      const raw = waiting.subarray(0, end)
      waiting = waiting.subarray(end)
      requests.push({ raw, body: raw.toString('utf8', headEnd + 4), connection })
      current(socket, requests.length)
    })
  }
  const server =
    options.tls === undefined
      ? createTcpServer(take)
      : createTlsServer({ cert: tlsFile(options.tls), key: tlsFile(`${options.tls}.key`) }, take)
  // TCP connections, also below TLS: sockets must be freed, not only sessions
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    port,
    origin: `${options.tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    requests,
    connections: () => connections,
    async untilNoneIsOpen(ms = 2_000) {
      const end = performance.now() + ms
      while (open.size > 0) {
        if (performance.now() > end) throw new Error(`${open.size} connections are still open after ${ms} ms`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    behave(next) {
      current = next
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

/** A port of 127.0.0.1 on which nothing listens. */
export async function closedPort(): Promise<number> {
  await using receiver = await startHostileReceiver(neverAnswer)
  return receiver.port
}

/** A valid response; the connection is kept alive. */
export function answer(status: number, headers: Record<string, string> = {}, body = ''): Behaviour {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return write(`HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n${body}`)
}

/** Writes the given bytes. */
export function write(bytes: string | Buffer): Behaviour {
  return (socket) => void socket.write(bytes)
}

/** Writes pieces with pauses between them, as over a slow line. */
export function writeInPieces(pieces: readonly string[], pauseMs: number): Behaviour {
  return (socket) => drip(socket, pieces[Symbol.iterator](), pauseMs)
}

export const neverAnswer: Behaviour = () => {}

export const resetBeforeHeaders: Behaviour = (socket) => void socket.resetAndDestroy()

export const closeBeforeHeaders: Behaviour = (socket) => void socket.end()

/** Writes half a head and then resets the connection. */
export const resetMidHeaders: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: te', () => setTimeout(() => socket.resetAndDestroy(), 20))
}

/** Sends less of the body than the head announces. */
export const closeMidBody: Behaviour = (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')

export function dripHeaders(pauseMs: number): Behaviour {
  return (socket) =>
    drip(
      socket,
      (function* () {
        yield* 'HTTP/1.1 200 OK\r\nx-slow: '
        for (;;) yield 'a'
      })(),
      pauseMs,
    )
}

export function dripBody(pauseMs: number): Behaviour {
  return (socket) =>
    drip(
      socket,
      (function* () {
        yield 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
        for (;;) yield '1\r\na\r\n'
      })(),
      pauseMs,
    )
}

/** Sends a body of 10 GB as fast as it is read. `sent` is called with the number of bytes of each piece. */
export function endlessBody(sent: (bytes: number) => void): Behaviour {
  const piece = Buffer.alloc(65_536, 'a')
  return (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n')
    const more = () => {
      while (!socket.destroyed) {
        sent(piece.length)
        if (!socket.write(piece)) break
      }
    }
    socket.on('drain', more)
    more()
  }
}

/** Sends 200 MB of zeros as about 200 kB of gzip, although the request did not accept gzip. */
export function gzipBomb(): Behaviour {
  const bomb = gzipSync(Buffer.alloc(200_000_000), { level: 9 })
  return (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
    socket.write(bomb)
  }
}

function drip(socket: Socket, pieces: Iterator<string>, pauseMs: number): void {
  const step = () => {
    const next = pieces.next()
    if (next.done === true || socket.destroyed) clearInterval(timer)
    else socket.write(next.value)
  }
  const timer = setInterval(step, pauseMs)
  socket.on('close', () => clearInterval(timer))
  step()
}
