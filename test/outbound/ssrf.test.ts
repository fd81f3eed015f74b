import { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { openOutbound, type Exchange, type Outbound } from '../../src/outbound/client.ts'
import { openResolver, ResolveError, type Resolver } from '../../src/outbound/resolver.ts'
import { startDnsServer } from '../harness/dns-server.ts'
import { answer, startHostileReceiver, tlsFile } from '../harness/hostile-receiver.ts'
import { ofFile } from '../harness/world.ts'

// Server-side request forgery: attempts to make this machine send requests into its own network. Real sockets and a real
// name server; public addresses are never connected to, because the tests must not need the internet.

const PUBLIC = '93.184.216.34'
const notInHostsFile = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))

const dns = ofFile(startDnsServer)
/** A receiver that must not be reached. */
const inner = ofFile(() => startHostileReceiver(answer(200, {}, 'secret')))
const innerSix = ofFile(() => startHostileReceiver(answer(200, {}, 'secret'), { host: '::1' }))
let resolver: Resolver
/** The default: public addresses only. */
let closed: Outbound
/** With loopback allowed. */
let local: Outbound

beforeAll(async () => {
  resolver = openResolver({ servers: [dns.address], lookup: notInHostsFile })
  closed = openOutbound({ allow: [], resolver, userAgent: 'test' })
  local = openOutbound({ allow: ['127.0.0.0/8', '::1/128'], resolver, userAgent: 'test', ca: tlsFile('ca') })
})
afterAll(async () => {
  await closed.close()
  await local.close()
})

let keys = 0
const send = (outbound: Outbound, url: string, key = `key ${keys++}`): Promise<Exchange> =>
  outbound.send({
    method: 'POST',
    url,
    headers: {},
    body: 'x',
    connectTimeoutMs: 500,
    totalTimeoutMs: 1_000,
    readBytesMax: 1_000,
    key,
  })
const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => 'passed',
    (thrown: unknown) => thrown,
  )
  return error instanceof ShelfwireError ? `${error.code}: ${error.message}` : String(error)
}
const BLOCKED = { kind: 'failed', fault: 'blocked_address', isOurs: false }

test('a connection that is lost before its address can be read counts as reset, and nothing is sent over it', async () => {
  const requests = inner.requests.length
  // the result of Node if the peer's RST arrives between the connect and this call
  const peer = vi.spyOn(Socket.prototype as Socket & { _getpeername(): object }, '_getpeername').mockReturnValue({})
  try {
    const url = `http://127.0.0.1:${inner.port}/`
    expect(await send(local, url)).toMatchObject({ kind: 'failed', fault: 'reset' })
    expect(peer).toHaveBeenCalled()
  } finally {
    peer.mockRestore()
  }
  expect(inner.requests).toHaveLength(requests)
})

describe('by literal', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    '127.0.0.1.',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '255.255.255.255',
    '224.0.0.1',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::8.8.8.8]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
  ])('%s can neither be saved nor reached', { retry: 2 }, async (host) => {
    const before = inner.connections() + innerSix.connections()
    for (const port of [inner.port, innerSix.port]) {
      const url = `http://${host}:${port}/`
      expect(await refusal(closed.check(url))).toMatch(/^invalid-input: .*OUTBOUND_ALLOW/)
      const exchange = await send(closed, url)
      expect(exchange).toMatchObject(BLOCKED)
      expect(exchange.kind === 'failed' && exchange.detail).not.toContain('.1')
      expect(exchange.durationMs).toBeLessThan(200)
      expect(await send(closed, url.replace('http:', 'https:'))).toMatchObject(BLOCKED)
    }
    expect(inner.connections() + innerSix.connections()).toBe(before)
  })

  test('the allow-list allows its networks, also in IPv4-mapped form, and nothing else', async () => {
    expect(await send(local, `http://127.0.0.1:${inner.port}/`)).toMatchObject({ kind: 'answered' })
    expect(await send(local, `http://[::1]:${innerSix.port}/`)).toMatchObject({ kind: 'answered' })
    expect(await send(local, `http://[::ffff:127.0.0.1]:${inner.port}/`)).toMatchObject({ kind: 'answered' })
    expect((await local.check(`http://127.1:${inner.port}/hook`)).href).toBe(`http://127.0.0.1:${inner.port}/hook`)
    expect(await send(local, `http://0.0.0.0:${inner.port}/`)).toMatchObject(BLOCKED)
    expect(await send(local, 'http://10.0.0.1/')).toMatchObject(BLOCKED)
    expect(await refusal(local.check('http://169.254.169.254/'))).toMatch(/^invalid-input/)
  })
})

describe('by name', () => {
  test.each<[string, string[]]>([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['only internal IPv6', ['fd00::1']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['public and internal', [PUBLIC, '127.0.0.1']],
    ['internal and public', ['127.0.0.1', PUBLIC]],
    ['public IPv4 and internal IPv6', [PUBLIC, '::1']],
    ['internal IPv4 and public IPv6', ['127.0.0.1', '2606:4700::1']],
    ['metadata', ['169.254.169.254']],
    ['any', ['0.0.0.0']],
  ])('%s', async (what, addresses) => {
    const name = `${what.replaceAll(' ', '-')}.test`
    dns.set(name, addresses)
    const before = inner.connections()
    expect(await refusal(closed.check(`http://${name}:${inner.port}/`))).toMatch(/^invalid-input: .*OUTBOUND_ALLOW/)
    expect(await send(closed, `http://${name}:${inner.port}/`)).toMatchObject(BLOCKED)
    expect(await send(closed, `https://${name}:${inner.port}/`)).toMatchObject(BLOCKED)
    expect(inner.connections()).toBe(before)
  })

  test('localhost, resolved by the system', async () => {
    const system = openOutbound({ allow: [], userAgent: 'test' })
    const before = inner.connections()
    expect(await send(system, `http://localhost:${inner.port}/`)).toMatchObject(BLOCKED)
    expect(await send(system, `http://localhost.:${inner.port}/`)).toMatchObject(BLOCKED)
    expect(await refusal(system.check(`http://localhost:${inner.port}/`))).toMatch(/^invalid-input/)
    expect(inner.connections()).toBe(before)
    await system.close()
  })

  test('a name with one allowed and one forbidden address is refused', async () => {
    dns.set('half-allowed.test', ['127.0.0.1', '10.0.0.1'])
    expect(await send(local, `http://half-allowed.test:${inner.port}/`)).toMatchObject(BLOCKED)
  })

  test('DNS rebinding: a name that is public when saved and loopback when connected to is refused', async () => {
    dns.set('rebinds.test', { sequence: [[PUBLIC], ['127.0.0.1']] })
    const before = inner.connections()
    const url = await closed.check(`http://rebinds.test:${inner.port}/`)
    expect(await send(closed, url.href)).toMatchObject(BLOCKED)
    expect(inner.connections()).toBe(before)
  })

  test('each connect resolves and checks the name again', async () => {
    dns.set('moves.test', { sequence: [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']] })
    const url = `http://moves.test:${inner.port}/`
    expect(await send(local, url, 'moves 1')).toMatchObject({ kind: 'answered' })
    expect(await send(local, url, 'moves 2')).toMatchObject(BLOCKED)
    expect(await send(local, url, 'moves 2')).toMatchObject({ kind: 'answered' })
  })

  test('the name is sent in Host and verified in TLS', async () => {
    dns.set('receiver.test', ['127.0.0.1'])
    await using receiver = await startHostileReceiver(answer(200), { tls: 'good' })
    expect(await send(local, `https://receiver.test:${receiver.port}/`)).toMatchObject({ kind: 'answered' })
    expect(receiver.requests[0]?.raw.toString()).toContain(`\r\nhost: receiver.test:${receiver.port}\r\n`)
    dns.set('not-in-certificate.test', ['127.0.0.1'])
    expect(await send(local, `https://not-in-certificate.test:${receiver.port}/`)).toMatchObject({
      kind: 'failed',
      fault: 'tls',
    })
  })

  test('the second address is tried when the first refuses', async () => {
    dns.set('two.test', ['127.0.0.1', '::1'])
    expect(await send(local, `http://two.test:${innerSix.port}/`)).toMatchObject({ kind: 'answered' })
    expect(await send(local, `http://two.test:${inner.port}/`)).toMatchObject({ kind: 'answered' })
  })
})

describe('names that do not resolve', () => {
  test("NXDOMAIN and an empty answer are the endpoint's failure, and its URL may be saved", async () => {
    dns.set('empty.test', [])
    for (const name of ['nobody.test', 'empty.test']) {
      const exchange = await send(local, `http://${name}:${inner.port}/`)
      expect(exchange).toMatchObject({ kind: 'failed', fault: 'dns', isOurs: false })
      expect((await closed.check(`http://${name}/`)).hostname).toBe(name)
    }
  })

  test(
    'a broken or silent name server is our failure, ends in time, and is not described to the customer',
    { retry: 2 },
    async () => {
      dns.set('broken.test', 'servfail')
      dns.set('silent.test', 'silent')
      for (const name of ['broken.test', 'silent.test']) {
        const exchange = await send(local, `http://${name}:${inner.port}/`)
        expect(exchange).toMatchObject({ kind: 'failed', fault: 'resolver', isOurs: true })
        expect(exchange.durationMs).toBeLessThan(900)
        expect(exchange.kind === 'failed' && exchange.detail).not.toMatch(/\d|SERVFAIL|test/)
      }
    },
  )

  test('the deadline is kept while a name is resolved, and the next request works', { retry: 2 }, async () => {
    dns.set('slow.test', { sequence: ['silent', 'silent', ['127.0.0.1']] }, { AAAA: [] })
    const request = {
      method: 'GET',
      url: `http://slow.test:${inner.port}/`,
      headers: {},
      connectTimeoutMs: 5_000,
      readBytesMax: 10,
      key: 'slow',
    } as const
    const exchange = await local.send({ ...request, totalTimeoutMs: 300 })
    expect(exchange).toMatchObject({ kind: 'failed', fault: 'resolver', isOurs: true })
    expect(exchange.durationMs).toBeLessThan(600)
    dns.set('slow.test', ['127.0.0.1'])
    expect(await local.send({ ...request, totalTimeoutMs: 2_000 })).toMatchObject({ kind: 'answered' })
  })

  test("a resolver failure is the endpoint's once another public name has resolved since it began to fail", async () => {
    const enough = new AbortController()
    const works: Resolver = {
      async resolve(name) {
        if (name === 'sick.test') throw new ResolveError('resolver', 'SERVFAIL')
        // only a public name proves it; aborted here, so that nothing is sent there
        if (name === 'elsewhere.test') enough.abort()
        return [{ address: name === 'inside.test' ? '127.0.0.1' : PUBLIC, family: 4 }]
      },
    }
    const own = openOutbound({ allow: ['127.0.0.0/8'], resolver: works, userAgent: 'test' })
    const isOurs = async () => {
      const exchange = await send(own, 'http://sick.test:9999/')
      return exchange.kind === 'failed' && exchange.fault === 'resolver' && exchange.isOurs
    }
    expect(await isOurs()).toBe(true)
    await send(own, `http://inside.test:${inner.port}/`)
    expect(await isOurs()).toBe(true)
    await own.send({
      method: 'GET',
      url: 'http://elsewhere.test/',
      headers: {},
      connectTimeoutMs: 50,
      totalTimeoutMs: 50,
      readBytesMax: 1,
      key: 'k',
      signal: enough.signal,
    })
    expect(await isOurs()).toBe(false)
    await own.close()
  })

  test('a resolver that returns nothing, throws a bug or returns a name leads to no connection', async () => {
    const own = openOutbound({ allow: [], resolver: { resolve: async () => [] }, userAgent: 'test' })
    expect(await send(own, 'http://nothing.test/')).toMatchObject({ kind: 'failed', fault: 'dns' })
    await own.close()
    const other = openOutbound({
      allow: [],
      resolver: { resolve: () => Promise.reject(new TypeError('bug')) },
      userAgent: 'test',
    })
    expect(await send(other, 'http://nothing.test/')).toMatchObject({ kind: 'failed', fault: 'local', isOurs: true })
    await other.close()
    const nonsense = openOutbound({
      allow: [],
      resolver: { resolve: async () => [{ address: 'localhost', family: 4 }] },
      userAgent: 'test',
    })
    expect(await send(nonsense, `http://nothing.test:${inner.port}/`)).toMatchObject(BLOCKED)
    await nonsense.close()
  })
})

test('proxies from environment variables are not used', async () => {
  await using proxy = await startHostileReceiver(answer(200, {}, 'by proxy'))
  const names = [
    'NODE_USE_ENV_PROXY',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'NO_PROXY',
    'no_proxy',
  ]
  const before = names.map((name) => process.env[name])
  for (const name of names) process.env[name] = name.toLowerCase() === 'no_proxy' ? '' : proxy.origin
  process.env['NODE_USE_ENV_PROXY'] = '1'
  try {
    await using receiver = await startHostileReceiver(answer(200, {}, 'direct'))
    await using secure = await startHostileReceiver(answer(200, {}, 'direct'), { tls: 'good' })
    const own = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'test', ca: tlsFile('ca') })
    for (const origin of [receiver.origin, secure.origin]) {
      const exchange = await send(own, origin)
      expect(exchange.kind === 'answered' && Buffer.from(exchange.body).toString()).toBe('direct')
    }
    await own.close()
  } finally {
    names.forEach((name, i) => {
      if (before[i] === undefined) delete process.env[name]
      else process.env[name] = before[i]
    })
  }
  expect(proxy.connections()).toBe(0)
})
