import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { must } from '../../platform/must.ts'
import { LIMITS } from '../../platform/limits.ts'

// Reads a connection as long as its requests are plain. At the first request that is not, the connection is handed to Node's HTTP
// server, which answers that request and all later ones. docs/decisions/165-plain-requests.md says why.

/** Requests with longer heads are not plain. */
const PLAIN_BYTES_MAX = 4_096

/** Answers a plain request. @returns false if it is not plain: then it has done nothing. */
export type AnswerPlain = (bytes: string, connection: PlainConnection) => boolean

/** The connections that are read here, for the shutdown of the server. */
export interface PlainConnections {
  /** From now on requests are handed to the HTTP server, which closes their connections; idle connections are closed at once. */
  drain(): void
  /** Destroys all connections. */
  cut(): void
}

/** A connection that has only sent plain requests so far. It handles one request at a time. */
export class PlainConnection {
  /** The header lines of the last request, parsed: clients send the same ones again and again. */
  lines: { text: string; fields: unknown } = { text: '', fields: null }
  readonly socket: Socket
  readonly #take: (chunk: Buffer, connection: PlainConnection) => void
  #isBusy = false
  #hasEnded = false
  #held: Buffer | null = null
  #idleSince = performance.now()
  /** Whether there has been a request. */
  hasAsked = false

  constructor(socket: Socket, take: (chunk: Buffer, connection: PlainConnection) => void) {
    this.socket = socket
    this.#take = take
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', ignore)
  }

  readonly #onData = (chunk: Buffer) => {
    if (!this.#isBusy) {
      this.#take(chunk, this)
      return
    }
    // the client sent a further request before this one was answered
    this.#held = chunk
    this.socket.pause()
  }

  readonly #onEnd = () => {
    this.#hasEnded = true
    if (!this.#isBusy) this.socket.end()
  }

  /** Call this before a request is answered. */
  begin(): void {
    this.#isBusy = true
    this.hasAsked = true
  }

  /** Sends an answer. @param isLast closes the connection afterwards @param sent called when all is written to the socket, or it has failed */
  send(head: string, body: string | Buffer | null, isLast: boolean, sent: () => void): void {
    const socket = this.socket
    const done = () => {
      sent()
      if (isLast || this.#hasEnded) socket.end()
      else this.#next()
    }
    if (body === null) socket.write(head, 'latin1', done)
    else if (typeof body === 'string') socket.write(head + body, done)
    else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body, done)
      socket.uncork()
    }
  }

  #next() {
    this.#isBusy = false
    this.#idleSince = performance.now()
    const held = this.#held
    if (held === null) return
    this.#held = null
    this.socket.resume()
    this.#take(held, this)
  }

  /** Gives the socket away. Its new reader gets these bytes first. */
  leave(chunk: Buffer): Socket {
    const socket = this.socket
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', ignore)
    socket.pause()
    socket.unshift(chunk)
    return socket
  }

  /** Closes the connection if it has been idle for too long after a request. @returns false if not even a first request came in time */
  look(now: number, firstMs: number, nextMs: number): boolean {
    if (this.#isBusy) return true
    const silentMs = now - this.#idleSince
    if (!this.hasAsked) return silentMs <= firstMs
    if (silentMs > nextMs) this.socket.destroy()
    return true
  }

  closeIfIdle(): void {
    if (!this.#isBusy) this.socket.destroy()
  }

  cut(): void {
    this.socket.destroy()
  }
}

const ignore = () => {}

/**
 * Reads the connections of a server in place of the server's own listener.
 * @param unused connections without a request so far, which are closed at shutdown; a connection is in it only after it has been handed on
 */
export function readPlainConnections(server: Server, unused: Set<Socket>, answerPlain: AnswerPlain): PlainConnections {
  const [toHttp, ...others] = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  const open = new Map<Socket, PlainConnection>()
  let isDraining = false
  const take = (chunk: Buffer, connection: PlainConnection) => {
    if (!isDraining && chunk.length <= PLAIN_BYTES_MAX && answerPlain(chunk.toString('latin1'), connection)) return
    const socket = connection.leave(chunk)
    socket.off('close', forget)
    open.delete(socket)
    if (!connection.hasAsked) unused.add(socket)
    must(toHttp).call(server, socket)
    socket.resume()
  }
  const forget = function (this: Socket) {
    open.delete(this)
  }
  server.removeAllListeners('connection')
  for (const other of others) server.on('connection', other)
  server.on('connection', (socket: Socket) => {
    if (isDraining) {
      must(toHttp).call(server, socket)
      return
    }
    unused.delete(socket)
    open.set(socket, new PlainConnection(socket, take))
    socket.on('close', forget)
  })
  const look = setInterval(() => {
    const now = performance.now()
    for (const [socket, connection] of open) {
      // Node, too, waits a second longer than the keep-alive that it announces
      if (connection.look(now, server.headersTimeout, server.keepAliveTimeout + 1_000)) continue
      const late = Object.assign(new Error('no request came in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      server.emit('clientError', late, socket)
    }
  }, LIMITS.requestTimeoutCheckMs)
  look.unref()
  server.once('close', () => clearInterval(look))
  return {
    drain() {
      isDraining = true
      for (const connection of open.values()) connection.closeIfIdle()
    },
    cut() {
      for (const connection of open.values()) connection.cut()
    },
  }
}
