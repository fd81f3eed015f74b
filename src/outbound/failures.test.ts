import { errors } from 'undici'
import { describe, expect, test } from 'vitest'
import { BlockedAddress, ConnectTimeout, describeFailure } from './failures.ts'
import { ResolveError } from './resolver.ts'

const coded = (code: string) => Object.assign(new Error(`connect ${code} 10.1.2.3:8080`), { code, address: '10.1.2.3' })
const faultOf = (error: unknown) => describeFailure(error).fault

describe('codes of Node and undici', () => {
  test.each([
    ['ECONNREFUSED', 'refused'],
    ['ENETUNREACH', 'unreachable'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETDOWN', 'unreachable'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['ETIMEDOUT', 'timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['EMFILE', 'local'],
    ['ENFILE', 'local'],
    ['EADDRNOTAVAIL', 'local'],
    ['ENOBUFS', 'local'],
    ['ENOMEM', 'local'],
    ['EPERM', 'local'],
    ['EPROTO', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['CERT_NOT_YET_VALID', 'tls'],
    ['CERT_REVOKED', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls'],
    ['INVALID_CA', 'tls'],
    ['INVALID_PURPOSE', 'tls'],
    ['UND_ERR_SOCKET', 'reset'],
    ['UND_ERR_HEADERS_OVERFLOW', 'protocol'],
    ['SOMETHING_NEW', 'local'],
  ])('%s is %s, and the description has no address', (code, fault) => {
    const described = describeFailure(coded(code))
    expect(described.fault).toBe(fault)
    expect(described.detail).not.toMatch(/10\.1|8080/)
  })
})

test('errors of this room', () => {
  expect(faultOf(new BlockedAddress())).toBe('blocked_address')
  expect(faultOf(new ResolveError('unknown-name', 'x'))).toBe('dns')
  expect(faultOf(new ResolveError('resolver', 'x'))).toBe('resolver')
  expect(faultOf(new ConnectTimeout(true))).toBe('resolver')
  expect(faultOf(new ConnectTimeout(false))).toBe('timeout')
})

test('errors of the HTTP parser are protocol failures, with and without a code', () => {
  expect(faultOf(Object.assign(new errors.HTTPParserError('x'), { code: 'HPE_INVALID_CONSTANT' }))).toBe('protocol')
  expect(faultOf(new errors.HTTPParserError('x'))).toBe('protocol')
  expect(faultOf(new errors.SocketError('bad response'))).toBe('protocol')
  expect(faultOf(new errors.SocketError('other side closed'))).toBe('reset')
})

test('with several addresses the most informative failure is reported', () => {
  const all = (...codes: string[]) => Object.assign(new AggregateError(codes.map(coded)), { code: codes[0] })
  expect(faultOf(all('ENETUNREACH', 'ECONNREFUSED'))).toBe('refused')
  expect(faultOf(all('ENETUNREACH', 'ETIMEDOUT'))).toBe('timeout')
  expect(faultOf(all('ENETUNREACH', 'EHOSTUNREACH'))).toBe('unreachable')
  expect(faultOf(all('ECONNREFUSED', 'EMFILE'))).toBe('local')
})

test('anything else that is thrown is a local failure', () => {
  for (const thrown of [undefined, null, 'text', new TypeError('bug'), new AggregateError([])])
    expect(faultOf(thrown)).toBe('local')
})
