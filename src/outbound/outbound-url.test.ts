import { describe, expect, test } from 'vitest'
import { ShelfwireError } from '../platform/errors.ts'
import { checkOutboundUrl, checkReachable, hostOf } from './outbound-url.ts'
import { openAddressRule } from './addresses.ts'
import { ResolveError, type Resolver } from './resolver.ts'

const faultOf = (text: string): string => {
  try {
    return `passed as ${checkOutboundUrl(text).href}`
  } catch (error) {
    if (!(error instanceof ShelfwireError) || error.code !== 'invalid-input') throw error
    expect(error.faults).toHaveLength(1)
    expect(error.faults[0]?.name).toBe('url')
    return error.faults[0]?.reason ?? ''
  }
}

describe('a URL that is refused', () => {
  test.each([
    ['ftp://example.com/', 'start with'],
    ['javascript:alert(1)', 'start with'],
    ['file:///etc/passwd', 'start with'],
    ['data:text/plain,x', 'start with'],
    ['ws://example.com/', 'start with'],
    ['http+unix://%2Fvar%2Frun/x', 'start with'],
    ['', 'complete URL'],
    ['example.com/hook', 'complete URL'],
    ['//example.com/hook', 'complete URL'],
    ['https://', 'complete URL'],
    ['https:///', 'complete URL'],
    ['https://[::1', 'complete URL'],
    ['https://[fe80::1%25eth0]/', 'complete URL'],
    ['https://999.1.1.1/', 'complete URL'],
    ['https://exa%00mple.com/', 'complete URL'],
    ['https://example.com:65536/', 'complete URL'],
    ['https://./', 'name a host'],
    ['https://example.com../', 'name a host'],
    ['https://user:secret@example.com/', 'user name'],
    ['https://user@example.com/', 'user name'],
    ['https://@example.com/', 'user name'],
    ['https://:@example.com/', 'user name'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com/#part', 'fragment'],
    [' https://example.com/', 'spaces'],
    ['https://example.com/ ', 'spaces'],
    ['https://example.com/a b', 'spaces'],
    ['https://exam\nple.com/', 'spaces'],
    ['https://example.com/\t', 'spaces'],
    ['https://example.com/\u0000', 'spaces'],
    ['https://example.com/\u00a0', 'spaces'],
    ['https://example.com/\u2028', 'spaces'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:25/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://example.com:1023/', 'port'],
    [`https://example.com/${'a'.repeat(5_000)}`, '2048'],
    [`https://example.com/${'ä'.repeat(1_000)}`, '2048'],
  ])('"%s"', (text, reason) => {
    expect(faultOf(text)).toContain(reason)
  })

  test('does not repeat a long input in its reason', () => {
    expect(faultOf(`https://${'x'.repeat(100_000)}/`).length).toBeLessThan(100)
  })
})

describe('a URL that is accepted', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM/Hook', 'https://example.com/Hook'],
    ['http://example.com/a?b=c', 'http://example.com/a?b=c'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://example.com:80/', 'https://example.com:80/'],
    ['http://example.com:443/', 'http://example.com:443/'],
    ['https://example.com:1024/', 'https://example.com:1024/'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['https://example.com./hook', 'https://example.com/hook'],
    ['http://localhost.:8080/', 'http://localhost:8080/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://日本語.example/', 'https://xn--wgv71a119e.example/'],
    ['https://example.com/ä', 'https://example.com/%C3%A4'],
    ['https://example.com/a@b', 'https://example.com/a@b'],
    ['https://example.com\\@internal/', 'https://example.com/@internal/'],
    // other notations, as WHATWG parses them; the resulting address is checked later
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://0177.0.0.1/', 'http://127.0.0.1/'],
    ['http://①②⑦.0.0.1/', 'http://127.0.0.1/'],
    ['http://0/', 'http://0.0.0.0/'],
    ['http://127.0.0.1./', 'http://127.0.0.1/'],
    ['http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]/'],
    [`https://example.com/${'a'.repeat(2_028)}`, `https://example.com/${'a'.repeat(2_028)}`],
  ])('"%s"', (text, href) => {
    expect(checkOutboundUrl(text).href).toBe(href)
  })

  test('has its host without brackets', () => {
    expect(hostOf(checkOutboundUrl('http://[2606:4700::1]:8080/'))).toBe('2606:4700::1')
  })
})

describe('checkReachable', () => {
  const rule = openAddressRule([])
  const resolvesTo = (...addresses: string[]): Resolver => ({
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })
  const fails = (kind: 'unknown-name' | 'resolver'): Resolver => ({
    resolve: async () => {
      throw new ResolveError(kind, 'nothing')
    },
  })
  const outcome = async (url: string, resolver: Resolver) => {
    try {
      await checkReachable(checkOutboundUrl(url), rule, resolver)
      return 'passed'
    } catch (error) {
      return error instanceof ShelfwireError ? `${error.code}: ${error.faults[0]?.reason}` : String(error)
    }
  }

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://0/',
    'http://169.254.169.254/',
  ])('refuses the literal %s without asking the resolver', async (url) => {
    expect(await outcome(url, { resolve: () => Promise.reject(new Error('asked')) })).toMatch(
      /^invalid-input: .*public.*OUTBOUND_ALLOW/,
    )
  })

  test('accepts a public literal and a public name', async () => {
    expect(await outcome('http://93.184.216.34/', fails('resolver'))).toBe('passed')
    expect(await outcome('http://shop.example/', resolvesTo('93.184.216.34', '2606:4700::1'))).toBe('passed')
  })

  test('refuses a name with one internal address, without repeating the address', async () => {
    const reason = await outcome('http://shop.example/', resolvesTo('93.184.216.34', '10.20.30.40'))
    expect(reason).toMatch(/^invalid-input: .*OUTBOUND_ALLOW/)
    expect(reason).not.toContain('10.20')
    expect(await outcome('http://shop.example/', resolvesTo('fd00::1'))).toMatch(/^invalid-input/)
  })

  test('accepts a name that does not resolve yet: its DNS entry may be made later', async () => {
    expect(await outcome('http://shop.example/', fails('unknown-name'))).toBe('passed')
    expect(await outcome('http://shop.example/', fails('resolver'))).toBe('passed')
  })
})
