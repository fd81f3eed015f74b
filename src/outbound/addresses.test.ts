import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openAddressRule } from './addresses.ts'

const isOpen = openAddressRule([])

const ipv4 = (bits: bigint) => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.')
const ipv6 = (bits: bigint) =>
  Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':')
const bits4 = (text: string) => text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
const bits6 = (groups: string) =>
  groups.split(':').reduce((sum, part, i) => sum | (BigInt(`0x${part}`) << BigInt(112 - 16 * i)), 0n)

/** Any address of the block; its first and last ones more often than others. */
function within(base: bigint, size: number, prefix: number): fc.Arbitrary<bigint> {
  const span = (1n << BigInt(size - prefix)) - 1n
  return fc.oneof(
    fc.constant(base),
    fc.constant(base + span),
    fc.bigInt({ min: 0n, max: span }).map((offset) => base + offset),
  )
}

const BLOCKED_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
// the leading groups, without "::"
const BLOCKED_6 = [
  ['0:0:0:0:0:0', 96],
  ['0:0:0:0:ffff:0', 96],
  ['64:ff9b:0:0:0:0', 96],
  ['64:ff9b:1', 48],
  ['100:0:0:0', 64],
  ['2001:0', 32],
  ['2001:2:0', 48],
  ['2001:3', 32],
  ['2001:10', 28],
  ['2001:20', 28],
  ['2001:db8', 32],
  ['2002', 16],
  ['3fff:0', 20],
  ['5f00', 16],
  ['fc00', 7],
  ['fd00:ec2', 32],
  ['fe80', 10],
  ['fec0', 10],
  ['ff00', 8],
  ['4000', 2],
  ['8000', 1],
  ['1000', 4],
] as const
const PUBLIC_4 = [
  '1.1.1.0/24',
  '8.8.8.0/24',
  '93.184.216.0/24',
  '172.32.0.0/11',
  '100.128.0.0/9',
  '192.1.0.0/16',
  '198.20.0.0/14',
  '11.0.0.0/8',
  '223.255.255.0/24',
]
const PUBLIC_6 = [
  ['2606:4700', 32],
  ['2a00:1450', 32],
  ['2001:4860', 32],
  ['2400:cb00', 32],
  ['2003', 16],
] as const

const cut = (cidr: string): [string, number] => {
  const [base = '', prefix] = cidr.split('/')
  return [base, Number(prefix)]
}

describe('blocks', () => {
  test.each(BLOCKED_4)('%s is blocked completely, also inside IPv6 addresses', (cidr) => {
    const [base, prefix] = cut(cidr)
    fc.assert(
      fc.property(within(bits4(base), 32, prefix), (bits) => {
        expect(isOpen(ipv4(bits)), ipv4(bits)).toBe(false)
        for (const text of [`::ffff:${ipv4(bits)}`, ipv6(0xffff_0000_0000n | bits)])
          expect(isOpen(text), text).toBe(false)
        // its translations: NAT64, 6to4, IPv4-compatible
        for (const text of [`64:ff9b::${ipv4(bits)}`, ipv6((0x2002n << 112n) | (bits << 80n)), `::${ipv4(bits)}`]) {
          expect(isOpen(text), text).toBe(false)
        }
      }),
    )
  })

  test.each(BLOCKED_6)('%s::/%d is blocked completely', (groups, prefix) => {
    fc.assert(
      fc.property(within(bits6(groups), 128, prefix), (bits) => {
        expect(isOpen(ipv6(bits)), ipv6(bits)).toBe(false)
      }),
    )
  })

  test.each(PUBLIC_4)('%s is allowed, also as IPv4-mapped, never as NAT64', (cidr) => {
    const [base, prefix] = cut(cidr)
    fc.assert(
      fc.property(within(bits4(base), 32, prefix), (bits) => {
        expect(isOpen(ipv4(bits)), ipv4(bits)).toBe(true)
        expect(isOpen(`::ffff:${ipv4(bits)}`)).toBe(true)
        for (const text of [`64:ff9b::${ipv4(bits)}`, `::${ipv4(bits)}`, `::ffff:0:${ipv4(bits)}`])
          expect(isOpen(text), text).toBe(false)
        expect(isOpen(`2002:${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}::1`)).toBe(false)
      }),
    )
  })

  test.each(PUBLIC_6)('%s::/%d is allowed', (groups, prefix) => {
    fc.assert(
      fc.property(within(bits6(groups), 128, prefix), (bits) => {
        expect(isOpen(ipv6(bits)), ipv6(bits)).toBe(true)
      }),
    )
  })

  test('no IPv6 address outside 2000::/3 is allowed, except IPv4-mapped ones', () => {
    fc.assert(
      fc.property(within(0n, 128, 0), (bits) => {
        if (bits >> 125n !== 1n && bits >> 32n !== 0xffffn) expect(isOpen(ipv6(bits)), ipv6(bits)).toBe(false)
      }),
      { numRuns: 1_000 },
    )
  })
})

test.each([
  ['metadata services', '169.254.169.254'],
  ['metadata services', 'fd00:ec2::254'],
  ['metadata services', '100.100.100.200'],
  ['metadata services', '168.63.129.16'],
  ['any', '0.0.0.0'],
  ['any', '::'],
  ['broadcast', '255.255.255.255'],
  ['loopback', '::1'],
  ['loopback', '::ffff:7f00:1'],
  ['a zone', 'fe80::1%eth0'],
  ['a zone', '2606:4700::1%eth0'],
  // some parsers accept these as addresses
  ['another notation', '0x7f.1'],
  ['another notation', '2130706433'],
  ['another notation', '127.1'],
  ['another notation', '0177.0.0.1'],
  ['another notation', '0x08080808'],
  ['brackets', '[2606:4700::1]'],
  ['a name', 'localhost'],
  ['nothing', ''],
  ['a space', ' 8.8.8.8'],
])('%s: "%s" is blocked', (_what, address) => {
  expect(isOpen(address)).toBe(false)
})

describe('the allow-list', () => {
  const withLoopback = openAddressRule(['127.0.0.0/8', '::1/128'])

  test('allows its networks', () => {
    fc.assert(
      fc.property(within(bits4('127.0.0.0'), 32, 8), (bits) => {
        expect(withLoopback(ipv4(bits))).toBe(true)
        expect(withLoopback(`::ffff:${ipv4(bits)}`)).toBe(true)
      }),
    )
    expect(withLoopback('::1')).toBe(true)
    expect(withLoopback('8.8.8.8')).toBe(true)
  })

  test('and nothing else', () => {
    fc.assert(
      fc.property(within(0n, 32, 0), (bits) => {
        if (bits >> 24n !== 127n) expect(withLoopback(ipv4(bits))).toBe(isOpen(ipv4(bits)))
      }),
      { numRuns: 1_000 },
    )
    fc.assert(
      fc.property(within(0n, 128, 0), (bits) => {
        if (bits !== 1n && bits >> 24n !== 0xffff7fn)
          expect(withLoopback(ipv6(bits)), ipv6(bits)).toBe(isOpen(ipv6(bits)))
      }),
      { numRuns: 1_000 },
    )
    for (const address of ['126.255.255.255', '128.0.0.0']) expect(withLoopback(address)).toBe(true)
    for (const address of [
      '10.0.0.1',
      '169.254.169.254',
      '::2',
      '::',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::127.0.0.1',
    ]) {
      expect(withLoopback(address), address).toBe(false)
    }
  })

  test('does not match a NAT64 address by the IPv4 address inside it', () => {
    expect(openAddressRule(['10.0.0.0/8'])('64:ff9b::a00:1')).toBe(false)
    expect(openAddressRule(['64:ff9b::/96'])('64:ff9b::a00:1')).toBe(true)
    expect(openAddressRule(['64:ff9b::/96'])('10.0.0.1')).toBe(false)
  })

  test('reads an IPv4-mapped network as IPv4; ::/0 contains no IPv4-mapped address', () => {
    expect(openAddressRule(['::ffff:10.0.0.0/104'])('10.1.2.3')).toBe(true)
    expect(openAddressRule(['::ffff:10.0.0.0/104'])('11.1.2.3')).toBe(true)
    expect(openAddressRule(['::ffff:10.0.0.0/104'])('192.168.0.1')).toBe(false)
    expect(openAddressRule(['::/0'])('::ffff:10.0.0.1')).toBe(false)
    expect(openAddressRule(['::/0'])('fd00::1')).toBe(true)
  })

  test('throws on an invalid network', () => {
    for (const cidr of ['localhost', '10.0.0.0', '10.0.0.0/33']) expect(() => openAddressRule([cidr])).toThrow(/./)
  })
})
