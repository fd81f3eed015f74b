import { LRUCache } from 'lru-cache'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { checkOutboundUrl, checkReachable, hostOf } from './outbound-url.ts'
import { openAddressRule } from './addresses.ts'
import type { Received } from './exchange.ts'
import { DeadlinePassed, describeFailure, GivenUp, type FailureKind } from './failures.ts'
import type { Guard } from './guarded-connect.ts'
import { openConnection, type Connection } from './connection.ts'
import { openEvidence } from './network-evidence.ts'
import { openResolver, type Resolver } from './resolver.ts'

/** The other side answered, with whatever status; redirects are answers. */
export interface Answered extends Received {
  kind: 'answered'
  durationMs: number
}

export interface Failed {
  kind: 'failed'
  fault: FailureKind
  /** Our network, resolver or process failed, not the other side, as far as it can be told. */
  isOurs: boolean
  /** Safe for a customer: never internal addresses or resolver details. */
  detail: string
  durationMs: number
}

export type Exchange = Answered | Failed

export interface OutboundRequest {
  method: 'POST' | 'GET'
  url: string
  /** Host, lengths, encodings and what concerns the connection are set here and not taken from it. */
  headers: Record<string, string>
  body?: string | Uint8Array
  connectTimeoutMs: number
  /** From the call of `send` to the last byte. */
  totalTimeoutMs: number
  readBytesMax: number
  signal?: AbortSignal
  /** Requests of one key share kept connections and nothing else does; a new key, as after an edit, connects afresh. */
  key: string
}

export interface Outbound {
  /** Sends a request and reads the answer. Never throws. */
  send(request: OutboundRequest): Promise<Exchange>
  /** Reads a URL that somebody wants to save; throws ShelfwireError invalid-input. */
  check(url: string): Promise<URL>
  /** Gives up what is under way, which ends as failed by us, and closes all connections. */
  close(): Promise<void>
}

export interface OutboundOptions {
  /** Networks beyond public addresses that may be reached, as CIDR. */
  allow: readonly string[]
  resolver?: Resolver
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string | Buffer
  userAgent: string
}

/** Headers that the client sets, or that would let the caller speak to somebody else than the URL says. */
const OWN_HEADERS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'accept-encoding',
  'user-agent',
])

/**
 * Opens the client for all requests that leave the runtime. It goes to public addresses and those of `allow` alone, judged on each
 * connect; it follows no redirects, uses no proxies, decompresses nothing and keeps to the deadlines it is given.
 */
export function openOutbound(options: OutboundOptions): Outbound {
  const rule = openAddressRule(options.allow)
  const isPublic = openAddressRule([])
  const resolver = options.resolver ?? openResolver()
  const bounds = { freshMs: LIMITS.outboundEvidenceMs, hostsMax: LIMITS.outboundFailingHostsMax }
  const names = openEvidence(bounds)
  const routes = openEvidence(bounds)
  const guard: Guard = {
    rule,
    resolver,
    ca: options.ca,
    onResolved(name, found) {
      if (found.every((entry) => isPublic(entry.address))) names.worked(name)
    },
    onConnected(host, address) {
      if (isPublic(address)) routes.worked(host)
    },
  }
  const connections = new LRUCache<string, Connection>({
    max: LIMITS.outboundConnectionsMax,
    dispose: (connection) => connection.retire(),
  })
  const underWay = new Map<AbortController, Promise<unknown>>()
  let isClosed = false

  const failed = (error: unknown, host: string): Omit<Failed, 'durationMs'> => {
    const { fault, detail } = describeFailure(error)
    const isOurs =
      fault === 'local' ||
      (fault === 'resolver' && names.failedByUs(host)) ||
      (fault === 'unreachable' && routes.failedByUs(host))
    return { kind: 'failed', fault, isOurs, detail }
  }

  const exchangeWith = async (
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<Omit<Answered, 'durationMs'> | Omit<Failed, 'durationMs'>> => {
    let url: URL
    try {
      url = checkOutboundUrl(request.url)
    } catch (error) {
      const reason = error instanceof ShelfwireError ? error.message : 'the URL cannot be used'
      return { kind: 'failed', fault: 'protocol', isOurs: false, detail: reason }
    }
    const key = `${request.key}\n${url.origin}`
    let connection = connections.get(key)
    if (connection === undefined) connections.set(key, (connection = openConnection(url.origin, guard)))
    try {
      const received = await connection.send({
        options: {
          method: request.method,
          path: `${url.pathname}${url.search}`,
          headers: { ...headersOf(request.headers), 'user-agent': options.userAgent, 'accept-encoding': 'identity' },
          body: request.body ?? null,
        },
        connectTimeoutMs: request.connectTimeoutMs,
        readBytesMax: request.readBytesMax,
        signal,
      })
      return { kind: 'answered', ...received }
    } catch (error) {
      return failed(error, hostOf(url))
    }
  }

  return {
    async send(request) {
      const began = performance.now()
      const ending = new AbortController()
      const giveUp = () => ending.abort(new GivenUp('the request was given up'))
      const timer = setTimeout(() => ending.abort(new DeadlinePassed()), request.totalTimeoutMs)
      request.signal?.addEventListener('abort', giveUp, { once: true })
      if (isClosed || request.signal?.aborted === true) giveUp()
      const working = exchangeWith(request, ending.signal).catch((error: unknown) => failed(asError(error), ''))
      underWay.set(ending, working)
      const outcome = await working
      underWay.delete(ending)
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', giveUp)
      return { ...outcome, durationMs: performance.now() - began }
    },
    async check(text) {
      const url = checkOutboundUrl(text)
      await checkReachable(url, rule, resolver)
      return url
    },
    async close() {
      isClosed = true
      for (const ending of underWay.keys()) ending.abort(new GivenUp('the service is shutting down'))
      await Promise.all(underWay.values())
      connections.clear()
    },
  }
}

function headersOf(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { accept: '*/*' }
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!OWN_HEADERS.has(lower)) headers[lower === 'accept' ? lower : name] = value
  }
  return headers
}
