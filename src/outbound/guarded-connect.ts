import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { LIMITS } from '../platform/limits.ts'
import { BlockedAddress, ConnectTimeout } from './failures.ts'
import { ResolveError, type Found, type Resolver } from './resolver.ts'
import { must } from '../platform/must.ts'

/** The rules for every connect, shared by all connections. */
export interface Guard {
  rule: (address: string) => boolean
  resolver: Resolver
  /** Trusted certificates in place of the system's, for tests and for installations with their own. */
  ca: string | Buffer | undefined
  onResolved(name: string, addresses: readonly Found[]): void
  onConnected(host: string, address: string): void
}

/** One attempt to connect. */
export interface Connecting {
  timeoutMs: number
  signal: AbortSignal
  /** True while the name is being resolved. */
  isResolving: boolean
}

/**
 * Connects to the host of `options` if all its addresses pass the rule, and to exactly those addresses. Literal addresses
 * are checked here, because undici and Node call `lookup` for names only. Names are checked in `lookup` itself, so that no
 * second resolution can return an address other than the checked one (DNS rebinding). `timeoutMs` includes TLS.
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
    const resolveAllowed = async () => {
      const found = await guard.resolver.resolve(name, resolving.signal)
      connecting.isResolving = false
      if (found.length === 0) throw new ResolveError('unknown-name', `no addresses for "${name}"`)
      // one forbidden address blocks the name, because mixed results are a way to evade the check
      if (!found.every((entry) => guard.rule(entry.address))) throw new BlockedAddress()
      guard.onResolved(name, found)
      return found
    }
    void resolveAllowed().then(
      (found) => {
        if (lookupOptions.all === true) done(null, found)
        else done(null, must(found[0]).address, must(found[0]).family)
      },
      // Node ignores the address if there is an error
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }

  const connect = buildConnector({
    lookup,
    allowH2: false,
    // no session resumption, which would skip the verification of the certificate
    maxCachedSessions: 0,
    // 0: disabled, because the timer below is exact and includes resolving the name
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
  // undici's connector returns the socket, although its types do not declare it
  const socket = connect(options, (...outcome: Parameters<buildConnector.Callback>) => {
    end()
    const [error, connected] = outcome
    if (error !== null) {
      callback(error, null)
      return
    }
    const address = connected.remoteAddress
    // a connection that was reset immediately has no remote address
    if (address === undefined) {
      connected.on('error', () => {}).destroy()
      callback(
        Object.assign(new Error(`the connection to "${hostname}" was lost at once`), { code: 'ECONNRESET' }),
        null,
      )
      return
    }
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
