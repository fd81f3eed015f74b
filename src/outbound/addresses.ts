import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** Length of the prefix of an IPv4-mapped IPv6 address, before the IPv4 address. */
const MAPPED_BITS = 96

/**
 * Networks that are not public, or whose addresses translate to others (NAT64, 6to4, Teredo). Listed here although ipaddr.js
 * knows most of them: its definition of unicast may change with a release, and this list must not.
 */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's platform service: public by its number, but reached from inside a virtual machine only
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
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
].map(network)

/** The only IPv6 range from which IANA allocates global unicast addresses. */
const GLOBAL_IPV6 = network('2000::/3')

/**
 * Returns a function that tells whether an outbound request may go to an address: public unicast addresses, and those of the
 * networks in `allow`. It takes an address as text without brackets, returns false for other texts, and treats an
 * IPv4-mapped IPv6 address (::ffff:a.b.c.d) as the IPv4 address that it contains.
 * @param allow networks in CIDR form; a malformed one throws
 */
export function openAddressRule(allow: readonly string[]): (address: string) => boolean {
  const allowed = allow.map(network)
  return (text) => {
    // an address with a zone (fe80::1%eth0) is link-local; isIP, because ipaddr.js also accepts forms such as 0x7f.1
    if (isIP(text) === 0 || text.includes('%')) return false
    const address = unmapped(ipaddr.parse(plainForm(text)))
    if (allowed.some((entry) => isWithin(address, entry))) return true
    if (address.range() !== 'unicast' || NOT_PUBLIC.some((entry) => isWithin(address, entry))) return false
    return address.kind() === 'ipv4' || isWithin(address, GLOBAL_IPV6)
  }
}

function network(cidr: string): Network {
  const [base = '', prefix = ''] = cidr.split('/')
  const [address, bits] = ipaddr.parseCIDR(`${plainForm(base)}/${prefix}`)
  const plain = unmapped(address)
  return plain !== address && bits >= MAPPED_BITS ? [plain, bits - MAPPED_BITS] : [address, bits]
}

/**
 * IPv6 as hexadecimal groups, because ipaddr.js confuses ::1.2.3.4 with the mapped ::ffff:1.2.3.4, which is another address.
 */
function plainForm(text: string): string {
  return isIP(text) === 6 ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text
}

function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function isWithin(address: Address, [base, bits]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}
