import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { LIMITS } from '../platform/limits.ts'
import { ResolveError, type Found, type Resolver } from './resolver.ts'

/** The host is, or a name of it resolves to, an address that requests may not go to. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress'
}

/** No connection within the time for it. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout'
  /** The time went by before the name was resolved. */
  readonly isResolving: boolean

  constructor(isResolving: boolean) {
    super(isResolving ? 'the name did not resolve in time' : 'no connection in time')
    this.isResolving = isResolving
  }
}

/** What connecting is held against, for all connections. */
export interface Guard {
  rule: (address: string) => boolean
  resolver: Resolver
  /** Certificates to trust instead of the system's, for tests and for installations with their own. */
  ca: string | Buffer | undefined
  onResolved(name: string, addresses: readonly Found[]): void
  onConnected(host: string, address: string): void
}

/** One connection that is being made. */
export interface Connecting {
  timeoutMs: number
  signal: AbortSignal
  /** Set while the name is being resolved. */
  isResolving: boolean
}

/**
 * Connects to `options`' host when every address of it passes the rule, and to exactly those addresses: literals are judged
 * here, because undici and Node ask `lookup` for names alone; names where they are resolved, so nothing lies between the check
 * and its use. Ends within `timeoutMs`, TLS included.
 */
export function connectGuarded(
  guard: Guard,
  connecting: Connecting,
  options: buildConnector.Options,
  callback: buildConnector.Callback,
): void {
  const { hostname } = options
  const isLiteral = isIP(hostname) !== 0
  if (isLiteral && !guard.rule(hostname)) {
    queueMicrotask(() => callback(new BlockedAddress(), null))
    return
  }
  connecting.isResolving = !isLiteral
  const resolving = new AbortController()

  const lookup: LookupFunction = (name, lookupOptions, done) => {
    const judge = async () => {
      const found = await guard.resolver.resolve(name, resolving.signal)
      connecting.isResolving = false
      if (found.length === 0) throw new ResolveError('unknown-name', `no addresses for "${name}"`)
      // one that may not be reached spoils them all: mixed answers are how a check is dodged
      if (!found.every((entry) => guard.rule(entry.address))) throw new BlockedAddress()
      guard.onResolved(name, found)
      return found
    }
    void judge().then(
      (found) => {
        const [first] = found
        if (lookupOptions.all === true) done(null, found)
        else done(null, first?.address ?? '', first?.family)
      },
      (error: NodeJS.ErrnoException) => done(error, lookupOptions.all === true ? [] : ''),
    )
  }

  const connect = buildConnector({
    lookup,
    allowH2: false,
    // a resumed session would not be verified again
    maxCachedSessions: 0,
    // the timer here is exact and covers the resolving, too
    timeout: 0,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: LIMITS.outboundNextAddressMs,
    ...(guard.ca === undefined ? {} : { ca: guard.ca }),
  })
  const end = () => {
    clearTimeout(timer)
    connecting.signal.removeEventListener('abort', giveUp)
    resolving.abort()
  }
  // undici's types hide that its connector returns the socket
  const socket = connect(options, (...outcome: Parameters<buildConnector.Callback>) => {
    end()
    const [error, connected] = outcome
    if (error !== null) {
      callback(error, null)
      return
    }
    const address = connected.remoteAddress ?? ''
    if (!guard.rule(address)) {
      connected.on('error', () => {}).destroy()
      callback(new BlockedAddress(), null)
      return
    }
    guard.onConnected(hostname, address)
    callback(null, connected)
  }) as unknown as Socket
  const giveUp = () => {
    end()
    socket.destroy()
  }
  const timer = setTimeout(() => {
    socket.destroy(new ConnectTimeout(connecting.isResolving))
    end()
  }, connecting.timeoutMs)
  if (connecting.signal.aborted) giveUp()
  else connecting.signal.addEventListener('abort', giveUp, { once: true })
}
