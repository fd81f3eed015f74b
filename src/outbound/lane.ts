import { Client, type Dispatcher } from 'undici'
import { LIMITS } from '../platform/limits.ts'
import { exchange, type Received } from './exchange.ts'
import { DeadlinePassed, describeFailure, GivenUp } from './faults.ts'
import { connectGuarded, ConnectTimeout, type Guard } from './guarded-connect.ts'
import { skipContinue, type AnswerWatch } from './skip-continue.ts'

export interface LaneRequest {
  options: Dispatcher.DispatchOptions
  connectTimeoutMs: number
  readBytesMax: number
  /** Ends the exchange wherever it is; its reason is what `send` throws. */
  signal: AbortSignal
}

/** The one connection of a key and origin, kept for a few seconds between requests. */
export interface Lane {
  /** Sends when its turn comes; one request at a time. Throws what `describeFailure` understands. */
  send(request: LaneRequest): Promise<Received>
  /** Lets the requests that came so far finish, then closes the connection. */
  retire(): void
}

/** A server's hint at how long it keeps connections is shortened by this, for the way there. */
const KEEP_ALIVE_MARGIN_MS = 1_000

/** Opens a lane to an origin such as https://example.com:8443. Nothing is connected yet. */
export function openLane(origin: string, guard: Guard): Lane {
  let client: Client | null = null
  let watch: AnswerWatch | null = null
  let attempt = { timeoutMs: 0, signal: AbortSignal.abort(), isResolving: false, isFresh: false, end: () => {} }
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
      // the signal holds all deadlines
      headersTimeout: 0,
      bodyTimeout: 0,
    })

  /** Takes the connection down, a half-made one, too. */
  const drop = () => {
    attempt.end()
    void client?.destroy()
    client = null
    watch = null
  }

  const once = async (request: LaneRequest): Promise<Received> => {
    const ending = new AbortController()
    attempt = {
      timeoutMs: request.connectTimeoutMs,
      signal: ending.signal,
      isResolving: false,
      isFresh: false,
      end: () => ending.abort(),
    }
    client ??= connect()
    watch?.expect()
    try {
      const received = await exchange(client, request.options, request.readBytesMax, request.signal)
      if (received.isCut) drop()
      return received
    } catch (error) {
      // the other side closed a kept connection while the request was on its way: it has, as far as HTTP tells, not been read
      const isStale = !attempt.isFresh && watch?.hasBegun() === false && describeFailure(error).fault === 'reset'
      drop()
      if (isStale && !request.signal.aborted) return once(request)
      // the whole time went by before anybody else was involved
      throw error instanceof DeadlinePassed && attempt.isResolving ? new ConnectTimeout(true) : error
    }
  }

  return {
    async send(request) {
      users += 1
      const previous = tail
      const turn = Promise.withResolvers<void>()
      tail = previous.then(() => turn.promise)
      try {
        await turnOf(previous, request.signal)
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
  const end = () => ending.reject(new GivenUp('the request waited too long for an earlier one'))
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  try {
    await Promise.race([previous, ending.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
