import { LIMITS } from '../platform/limits.ts'
import { ResolveError } from './resolver.ts'

/**
 * Kinds of failed requests, as customers see them. `dns`: the name has no addresses; `resolver`: no name server answered;
 * `unreachable`: no route; `protocol`: not HTTP; `local`: this process could not send the request.
 */
export type FailureKind =
  | 'blocked_address'
  | 'dns'
  | 'resolver'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'protocol'
  | 'local'

/** A failure with a text that is safe to show to customers, without addresses or details of our name servers. */
export interface FailureDescription {
  fault: FailureKind
  detail: string
}

/** The host is, or resolves to, an address that requests may not go to. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress'
}

/** No connection was established in time. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout'
  /** Whether the name was still being resolved. */
  readonly isResolving: boolean

  constructor(isResolving: boolean) {
    super(isResolving ? 'the name did not resolve in time' : 'no connection in time')
    this.isResolving = isResolving
  }
}

/** The whole exchange took longer than its deadline. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** The caller or a closing process aborted the exchange, or it waited too long for an earlier one. */
export class ExchangeAborted extends Error {
  override readonly name = 'ExchangeAborted'
}

/** A server sends too many interim (1xx) responses. They are cheap to send but take time to read. */
export class TooManyInterim extends Error {
  override readonly name = 'TooManyInterim'
}

const DETAILS: Record<FailureKind, string> = {
  blocked_address: 'the address is not a public one',
  dns: 'the host name does not resolve',
  resolver: 'the host name could not be resolved at the moment',
  refused: 'the connection was refused',
  unreachable: 'the host could not be reached',
  reset: 'the connection was closed before the answer was complete',
  tls: 'no trusted TLS connection could be made',
  timeout: 'the answer was not complete in time',
  protocol: 'the answer is not valid HTTP',
  local: 'the request could not be sent from here',
}

const BY_CODE: Record<string, FailureKind> = {
  ECONNREFUSED: 'refused',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  // undici also reports this for every parser error after a Content-Length
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  EPROTO: 'tls',
  // the reply of a firewall of this machine
  EPERM: 'local',
  EACCES: 'local',
  EMFILE: 'local',
  ENFILE: 'local',
  EADDRNOTAVAIL: 'local',
  ENOBUFS: 'local',
  ENOMEM: 'local',
}

/** Codes of TLS errors and of OpenSSL's verification, which have no common prefix. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_MISMATCH)/

/** If several addresses were tried, the first of these kinds that occurred is reported, as the most informative. */
const BY_WEIGHT: readonly FailureKind[] = ['local', 'tls', 'protocol', 'reset', 'refused', 'timeout', 'unreachable']

/** Classifies the error that ended an exchange. An unknown error is `local`, so that the server is not blamed for it. */
export function describeFailure(error: unknown): FailureDescription {
  if (error instanceof BlockedAddress) return described('blocked_address')
  if (error instanceof ResolveError) return described(error.kind === 'unknown-name' ? 'dns' : 'resolver')
  if (error instanceof ConnectTimeout) {
    return error.isResolving ? described('resolver') : { fault: 'timeout', detail: 'no connection was made in time' }
  }
  if (error instanceof DeadlinePassed) return described('timeout')
  if (error instanceof TooManyInterim)
    return {
      fault: 'protocol',
      detail: `more than ${LIMITS.outboundInterimMax} interim answers came before the answer`,
    }
  if (error instanceof ExchangeAborted) return { fault: 'local', detail: error.message }
  if (error instanceof AggregateError && error.errors.length > 0) {
    const all = error.errors.map(describeFailure)
    for (const fault of BY_WEIGHT) {
      const found = all.find((entry) => entry.fault === fault)
      if (found !== undefined) return found
    }
  }
  const code = codeOf(error)
  // an error of undici's parser; its code begins with HPE_ or is missing
  if (error instanceof Error && error.name === 'HTTPParserError') return described('protocol')
  if (code === 'UND_ERR_SOCKET' && error instanceof Error && error.message.startsWith('bad '))
    return described('protocol')
  const known = BY_CODE[code]
  if (known !== undefined) return described(known)
  // the code names the failed check; it may be shown, because the certificate is public
  if (TLS_CODE.test(code)) return { fault: 'tls', detail: `${DETAILS.tls} (${code})` }
  return described('local')
}

/** What a kind of failure means; undefined for a word that is none. */
export const failureDetail = (fault: string): string | undefined =>
  Object.hasOwn(DETAILS, fault) ? DETAILS[fault as FailureKind] : undefined

function described(fault: FailureKind): FailureDescription {
  return { fault, detail: DETAILS[fault] }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
