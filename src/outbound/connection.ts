import { Client, type Dispatcher } from 'undici'
import { LIMITS } from '../platform/limits.ts'
import { exchange, type BodySink, type Received } from './exchange.ts'
import { ConnectTimeout, DeadlinePassed, describeFailure, ExchangeAborted } from './failures.ts'
import { connectGuarded, type Connecting, type Guard } from './guarded-connect.ts'
import { skipContinue, type AnswerWatch } from './skip-continue.ts'

export interface ConnectionRequest {
  options: Dispatcher.DispatchOptions
  connectTimeoutMs: number
  readBytesMax: number
  sink: BodySink | null
  /** Aborts the exchange at any stage; `send` throws its reason. */
  signal: AbortSignal
}

/** The only connection of a key and origin: kept alive for a few seconds between requests, reopened when needed. */
export interface Connection {
  /** Sends requests one at a time, in the order of the calls. Throws errors for `describeFailure`. */
  send(request: ConnectionRequest): Promise<Received>
  /** Closes the connection once the requests already sent to it are finished. */
  retire(): void
}

/** Subtracted from the keep-alive time that a server announces, to allow for transmission. */
const KEEP_ALIVE_MARGIN_MS = 1_000

/** An attempt to send, which connects if no connection is open. */
class Attempt implements Connecting {
  readonly timeoutMs: number
  isResolving = false
  /** Whether the attempt opened a new connection. */
  isFresh = false
  #ending: AbortController | undefined

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs
  }

  /** Created on connect only, because most attempts use an open connection. */
  get signal(): AbortSignal {
    return (this.#ending ??= new AbortController()).signal
  }

  end(): void {
    this.#ending ??= new AbortController()
    this.#ending.abort()
  }
}

/** Opens a connection to an origin such as `https://example.com:8443`. It connects at the first request. */
export function openConnection(origin: string, guard: Guard): Connection {
  let client: Client | null = null
  let watch: AnswerWatch | null = null
  let attempt = new Attempt(0)
  let tail: Promise<void> = Promise.resolve()
  let users = 0
  let isRetired = false

  const connect = () =>
    new Client(origin, {
      connect(options, callback) {
        attempt.isFresh = true
        connectGuarded(guard, attempt, options, (...outcome) => {
          const [error, socket] = outcome
          if (error !== null) {
            callback(error, null)
            return
          }
          watch = skipContinue(socket)
          watch.expect()
          callback(null, socket)
        })
      },
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: LIMITS.outboundKeepAliveMs,
      keepAliveMaxTimeout: LIMITS.outboundKeepAliveMs,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      // the request's signal enforces all deadlines
      headersTimeout: 0,
      bodyTimeout: 0,
    })

  /** Closes the connection, or aborts the attempt to connect. */
  const drop = () => {
    attempt.end()
    void client?.destroy()
    client = null
    watch = null
  }

  const once = async (request: ConnectionRequest): Promise<Received> => {
    attempt = new Attempt(request.connectTimeoutMs)
    client ??= connect()
    watch?.expect()
    try {
      const received = await exchange(client, request.options, request.readBytesMax, request.signal, request.sink)
      if (received.isCut) drop()
      return received
    } catch (error) {
      // The server closed a kept-alive connection while the request was being sent. As no byte of a response has
      // arrived, the request has most likely not been read, so it is sent once more.
      const isStale = !attempt.isFresh && watch?.hasBegun() === false && describeFailure(error).fault === 'reset'
      drop()
      if (isStale && !request.signal.aborted) return once(request)
      // if the deadline passed while the name was being resolved, the server was not involved
      throw error instanceof DeadlinePassed && attempt.isResolving ? new ConnectTimeout(true) : error
    }
  }

  return {
    async send(request) {
      users += 1
      const turn = Promise.withResolvers<void>()
      // no earlier request to wait for, which is always so for endpoints: each has one delivery in flight at a time
      const previous = users === 1 ? null : tail
      tail = previous === null ? turn.promise : previous.then(() => turn.promise)
      try {
        if (previous !== null) await turnOf(previous, request.signal)
        return await once(request)
      } finally {
        turn.resolve()
        users -= 1
        if (isRetired && users === 0) drop()
      }
    },
    retire() {
      isRetired = true
      if (users === 0) drop()
    },
  }
}

async function turnOf(previous: Promise<void>, signal: AbortSignal): Promise<void> {
  const ending = Promise.withResolvers<never>()
  const end = () => ending.reject(new ExchangeAborted('the request waited too long for an earlier one'))
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  try {
    await Promise.race([previous, ending.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
