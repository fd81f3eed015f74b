import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDnsServer, type DnsServer } from '../../test/harness/dns-server.ts'
import { openResolver, ResolveError, type Resolver } from './resolver.ts'

let dns: DnsServer
/** Names requested from the fake system look-up; a real one would depend on this machine's network. */
const askedSystem: string[] = []
let resolver: Resolver

const notFound = (name: string) =>
  Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }))

beforeAll(async () => {
  dns = await startDnsServer()
  resolver = openResolver({
    servers: [dns.address],
    lookup: (name) => {
      askedSystem.push(name)
      return name === 'in-hosts-file.test' || name === 'intranet'
        ? Promise.resolve([{ address: '10.1.1.1', family: 4 }])
        : notFound(name)
    },
  })
})
afterAll(() => dns[Symbol.asyncDispose]())

const resolve = (name: string, signal = new AbortController().signal) => resolver.resolve(name, signal)
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => 'nothing thrown',
    (thrown: unknown) => thrown,
  )
  return error instanceof ResolveError ? error.kind : String(error)
}

test('returns all addresses of both families, IPv4 first, without duplicates', async () => {
  dns.set('both.test', ['2606:4700::1', '93.184.216.34', '93.184.216.34', '93.184.216.35'])
  const found = await resolve('both.test')
  expect(found.map((entry) => entry.family)).toEqual([4, 4, 6])
  expect(new Set(found.map((entry) => entry.address))).toEqual(
    new Set(['93.184.216.34', '93.184.216.35', '2606:4700::1']),
  )
})

test('returns the addresses of a name with one family only', async () => {
  dns.set('six.test', ['2606:4700::1'])
  expect(await resolve('six.test')).toEqual([{ address: '2606:4700::1', family: 6 }])
  dns.set('four.test', ['93.184.216.34'])
  expect(await resolve('four.test')).toEqual([{ address: '93.184.216.34', family: 4 }])
})

test('caches nothing between queries', async () => {
  dns.set('moves.test', { sequence: [['93.184.216.34'], ['127.0.0.1']] })
  expect((await resolve('moves.test'))[0]?.address).toBe('93.184.216.34')
  expect((await resolve('moves.test'))[0]?.address).toBe('127.0.0.1')
})

test('looks up a name without addresses in the system; if that does not know it, the name is unknown', async () => {
  dns.set('empty.test', [])
  askedSystem.length = 0
  expect(await failure(resolve('nobody.test'))).toBe('unknown-name')
  expect(await failure(resolve('empty.test'))).toBe('unknown-name')
  expect(await failure(resolve(`${'a'.repeat(70)}.test`))).toBe('unknown-name')
  expect(askedSystem).toEqual(['nobody.test', 'empty.test', `${'a'.repeat(70)}.test`])
  expect(await resolve('in-hosts-file.test')).toEqual([{ address: '10.1.1.1', family: 4 }])
})

test('asks only the system for names without a dot', async () => {
  const before = dns.questions.length
  expect(await resolve('intranet')).toEqual([{ address: '10.1.1.1', family: 4 }])
  expect(dns.questions.length).toBe(before)
})

test('resolves localhost by the real system', async () => {
  const found = await openResolver().resolve('localhost', AbortSignal.timeout(5_000))
  for (const { address } of found) expect(['127.0.0.1', '::1']).toContain(address)
  expect(found.length).toBeGreaterThan(0)
})

test.each(['servfail', 'refused'] as const)(
  'reports %s as a resolver failure and does not ask the system',
  async (answer) => {
    dns.set('broken.test', answer)
    askedSystem.length = 0
    expect(await failure(resolve('broken.test'))).toBe('resolver')
    expect(askedSystem).toEqual([])
  },
)

test('reports an unreachable name server as a resolver failure', async () => {
  const gone = await startDnsServer()
  await gone[Symbol.asyncDispose]()
  const began = performance.now()
  expect(
    await failure(openResolver({ servers: [gone.address] }).resolve('any.test', new AbortController().signal)),
  ).toBe('resolver')
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('ignores the failure of one family when the other has addresses', async () => {
  dns.set('half.test', ['93.184.216.34'], { AAAA: 'servfail' })
  expect(await resolve('half.test')).toEqual([{ address: '93.184.216.34', family: 4 }])
  dns.set('half-silent.test', ['93.184.216.34'], { AAAA: 'silent' })
  const began = performance.now()
  expect(await resolve('half-silent.test')).toEqual([{ address: '93.184.216.34', family: 4 }])
  expect(performance.now() - began).toBeLessThan(1_500)
  dns.set('half-empty.test', [], { AAAA: 'servfail' })
  expect(await failure(resolve('half-empty.test'))).toBe('resolver')
})

test('stops waiting for a silent name server when the signal is aborted', async () => {
  dns.set('silent.test', 'silent')
  const began = performance.now()
  expect(await failure(resolve('silent.test', AbortSignal.timeout(200)))).toBe('resolver')
  expect(performance.now() - began).toBeLessThan(700)
  expect(await failure(resolve('both.test', AbortSignal.abort()))).toBe('resolver')
})

test('gives up on a silent name server after its tries, and blocks no thread meanwhile', async () => {
  const began = performance.now()
  const silent = Promise.all(Array.from({ length: 50 }, () => failure(resolve('silent.test'))))
  // libuv's pool has four threads: this ends at once only if one is free
  await promisify(pbkdf2)('a', 'b', 1, 32, 'sha256')
  expect(performance.now() - began).toBeLessThan(1_000)
  expect(new Set(await silent)).toEqual(new Set(['resolver']))
  const took = performance.now() - began
  expect(took).toBeGreaterThan(1_900)
  expect(took).toBeLessThan(9_000)
})

test('runs at most two system look-ups at the same time, and an abort removes a waiting one from the queue', async () => {
  let running = 0
  let most = 0
  let calls = 0
  const gate = Promise.withResolvers<void>()
  const slow = openResolver({
    lookup: async () => {
      calls += 1
      most = Math.max(most, ++running)
      await gate.promise
      running -= 1
      return [{ address: '10.1.1.1', family: 4 }]
    },
  })
  const patient = Array.from({ length: 5 }, (_, i) => slow.resolve(`host${i}`, new AbortController().signal))
  expect(await failure(slow.resolve('hurried', AbortSignal.timeout(50)))).toBe('resolver')
  expect(calls).toBe(2)
  gate.resolve()
  expect(await Promise.all(patient)).toHaveLength(5)
  expect(most).toBe(2)
  expect(calls).toBe(5)
})

test('reports a failing system look-up of a name without a dot as a resolver failure', async () => {
  const broken = openResolver({
    lookup: () => Promise.reject(Object.assign(new Error('try again'), { code: 'EAI_AGAIN' })),
  })
  expect(await failure(broken.resolve('intranet', new AbortController().signal))).toBe('resolver')
})
