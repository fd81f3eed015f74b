import { isIP, type Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { remembered } from '../platform/caches/remembered.ts'
import { checkOutboundUrl, checkReachable, hostOf } from './outbound-url.ts'
import { openAddressRule } from './addresses.ts'
import type { BodySink, Received } from './exchange.ts'
import { DeadlinePassed, describeFailure, ExchangeAborted, type FailureKind } from './failures.ts'
import type { Guard } from './guarded-connect.ts'
import type * as Connections from './connection.ts'
import { openEvidence } from './network-evidence.ts'
import { openResolver, type Resolver } from './resolver.ts'

/** A response with any status, including redirects. */
export interface Answered extends Received {
  kind: 'answered'
  durationMs: number
}

export interface Failed {
  kind: 'failed'
  /** Stored and shown as the `fault` of a delivery attempt. */
  fault: FailureKind
  /** Whether our network, resolver or process failed rather than the server, as far as that can be known. */
  isOurs: boolean
  /** Safe to show to customers: no internal addresses or resolver details. */
  detail: string
  durationMs: number
}

export type Exchange = Answered | Failed

export interface OutboundRequest {
  method: 'POST' | 'GET'
  url: string
  /** Headers in OWN_HEADERS are ignored, because the client sets them itself. */
  headers: Record<string, string>
  body?: string | Uint8Array
  connectTimeoutMs: number
  /** From the call of `send` to the last byte of the response. */
  totalTimeoutMs: number
  readBytesMax: number
  /** Receives the body of a 200, which is then not in the answer. */
  sink?: BodySink
  signal?: AbortSignal
  /** Only requests with the same key share a kept-alive connection. A new key, for example after an edit, opens a new one. */
  key: string
}

export interface Outbound {
  /** Sends a request and reads the response. Never throws. */
  send(request: OutboundRequest): Promise<Exchange>
  /**
   * Connects to a host for a protocol other than HTTP, under the same rules and without TLS.
   * @throws errors for `describeFailure`; the reason of `signal`
   */
  connect(target: { host: string; port: number; timeoutMs: number; signal: AbortSignal }): Promise<Socket>
  /** Trusted certificates (PEM) in place of the system's; undefined: the system's. */
  ca: string | Buffer | undefined
  /**
   * Whether a host may be reached: false for addresses that are neither public nor allowed. Names are always accepted here, and checked on
   * connect.
   */
  isAllowed(host: string): boolean
  /** Checks a URL before it is saved. @throws ShelfwireError `invalid-input` with one fault named `url` */
  check(url: string): Promise<URL>
  /** Aborts running requests, which then fail with `isOurs`, and closes all connections. */
  close(): Promise<void>
}

export interface OutboundOptions {
  /** Non-public networks that may be reached, in CIDR form. */
  allow: readonly string[]
  resolver?: Resolver
  /** Trusted certificates (PEM) in place of the system's. */
  ca?: string | Buffer
  userAgent: string
}

/** Headers that the client sets itself, or that would let a caller reach a host other than the URL's. */
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

/** The number of cached parsed URLs. Requests to endpoints use the same ones again and again. */
const TARGETS_MAX = 1_000

function targetOf(text: string): { origin: string; path: string; host: string } {
  const url = checkOutboundUrl(text)
  return { origin: url.origin, path: `${url.pathname}${url.search}`, host: hostOf(url) }
}

/**
 * The requests that each caller's signal aborts, with one listener per signal: deliveries share a signal, and the time to add a listener to a
 * signal is proportional to its listeners.
 */
function openAborts() {
  const aborted = new WeakMap<AbortSignal, Set<AbortController>>()
  return (signal: AbortSignal): Set<AbortController> => {
    let endings = aborted.get(signal)
    if (endings === undefined) {
      const made = (endings = new Set<AbortController>())
      aborted.set(signal, made)
      signal.addEventListener('abort', () => made.forEach(giveUp), { once: true })
    }
    return endings
  }
}

const giveUp = (ending: AbortController) => ending.abort(new ExchangeAborted('the request was aborted'))

/**
 * Opens the client for all outbound requests. It connects only to public addresses and those in `allow`, checked on each connect; it follows
 * no redirects, uses no proxies, decompresses nothing and enforces the given deadlines.
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
  const connections = new LRUCache<string, Connections.Connection>({
    max: LIMITS.outboundConnectionsMax,
    dispose: (connection) => connection.retire(),
  })
  /** Loaded at the first request: undici takes 20 MB, and many services never send one. */
  let loading: Promise<typeof Connections> | undefined
  const running = new Map<AbortController, Promise<unknown>>()
  const target = remembered(TARGETS_MAX, targetOf)
  const abortedBy = openAborts()
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
    let to: ReturnType<typeof targetOf>
    try {
      to = target(request.url)
    } catch (error) {
      const reason = error instanceof ShelfwireError ? error.message : 'the URL cannot be used'
      return { kind: 'failed', fault: 'protocol', isOurs: false, detail: reason }
    }
    const key = `${request.key}\n${to.origin}`
    // a load that failed, for lack of memory or file handles, is tried again by the next request
    const { openConnection } = await (loading ??= import('./connection.ts').catch((error: unknown) => {
      loading = undefined
      throw error
    }))
    let connection = connections.get(key)
    if (connection === undefined) connections.set(key, (connection = openConnection(to.origin, guard)))
    try {
      const received = await connection.send({
        options: {
          method: request.method,
          path: to.path,
          headers: headersOf(request.headers, options.userAgent),
          body: request.body ?? null,
        },
        connectTimeoutMs: request.connectTimeoutMs,
        readBytesMax: request.readBytesMax,
        sink: request.sink ?? null,
        signal,
      })
      return { kind: 'answered', ...received }
    } catch (error) {
      return failed(error, to.host)
    }
  }

  return {
    async send(request) {
      const began = performance.now()
      const ending = new AbortController()
      const timer = setTimeout(() => ending.abort(new DeadlinePassed()), request.totalTimeoutMs)
      const aborts = request.signal === undefined ? undefined : abortedBy(request.signal)
      aborts?.add(ending)
      if (isClosed || request.signal?.aborted === true) giveUp(ending)
      const working = exchangeWith(request, ending.signal).catch((error: unknown) => failed(asError(error), ''))
      running.set(ending, working)
      const outcome = await working
      running.delete(ending)
      clearTimeout(timer)
      aborts?.delete(ending)
      return { ...outcome, durationMs: performance.now() - began }
    },
    connect({ host, port, timeoutMs, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<Socket>()
      const abort = () => reject(asError(signal.reason))
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      const address = { hostname: host, host, port: String(port), protocol: 'http:' }
      import('./guarded-connect.ts').then(({ connectGuarded }) => {
        connectGuarded(guard, { timeoutMs, signal, isResolving: false }, address, (...[error, socket]) => {
          signal.removeEventListener('abort', abort)
          if (error !== null) reject(error)
          else if (signal.aborted) socket.destroy()
          else resolve(socket)
        })
      }, reject)
      return promise
    },
    ca: options.ca,
    isAllowed: (host) => isIP(host) === 0 || rule(host),
    async check(text) {
      const url = checkOutboundUrl(text)
      await checkReachable(url, rule, resolver)
      return url
    },
    async close() {
      isClosed = true
      for (const ending of running.keys()) ending.abort(new ExchangeAborted('the service is shutting down'))
      await Promise.all(running.values())
      connections.clear()
    },
  }
}

function headersOf(given: Record<string, string>, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = { accept: '*/*' }
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!OWN_HEADERS.has(lower)) headers[lower === 'accept' ? lower : name] = value
  }
  headers['user-agent'] = userAgent
  headers['accept-encoding'] = 'identity'
  return headers
}
