import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { must } from '../../platform/must.ts'
import { LIMITS } from '../../platform/limits.ts'

// Connections are read here as long as their requests are plain. The first one that is not goes to Node's HTTP server with its
// connection, and with it whatever comes after it.
// docs/decisions/165-plain-requests.md says why.

/** Longer heads are not plain. */
const PLAIN_BYTES_MAX = 4_096

/** Answers a plain request. @returns false where it is none: then nothing has been done. */
export type AnswerPlain = (bytes: string, connection: PlainConnection) => boolean

export interface PlainConnections {
  /** From here on requests go to the HTTP server, which closes their connections; those without one are closed. */
  drain(): void
  /** Cuts all of them off. */
  cut(): void
}

/** A connection that has had only plain requests so far: one at a time. */
export class PlainConnection {
  /** What was read of the lines behind the last request line; clients send the same ones again and again. */
  lines: { text: string; fields: unknown } = { text: '', fields: null }
  readonly socket: Socket
  readonly #take: (chunk: Buffer, connection: PlainConnection) => void
  #isBusy = false
  #hasEnded = false
  #held: Buffer | null = null
  #idleSince = performance.now()
  /** Whether there was a request. */
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
    // a further request before the answer to this one
    this.#held = chunk
    this.socket.pause()
  }

  readonly #onEnd = () => {
    this.#hasEnded = true
    if (!this.#isBusy) this.socket.end()
  }

  /** To be called before a request is answered. */
  begin(): void {
    this.#isBusy = true
    this.hasAsked = true
  }

  /** Sends an answer. @param isLast whether the connection is closed then @param sent called when the client has it, or is gone */
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

  /** Leaves the socket to somebody else, who reads it from these bytes on. */
  leave(chunk: Buffer): Socket {
    const socket = this.socket
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', ignore)
    socket.pause()
    socket.unshift(chunk)
    return socket
  }

  /** Closes it where nothing has been asked for too long. @returns false where not even a first request has come in time */
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
 * Reads the connections of a server before its own listener.
 * @param unused connections without a request so far, which are closed at shutdown; these here are not in it
 */
export function readPlainly(server: Server, unused: Set<Socket>, answerPlain: AnswerPlain): PlainConnections {
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
      // Node, too, closes a second later than it says
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
