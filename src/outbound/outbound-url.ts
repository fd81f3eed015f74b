import { isIP } from 'node:net'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Resolver } from './resolver.ts'

/** The only ports below 1,024 that are allowed: others belong to services that might misread an HTTP request. */
const LOW_PORTS = ['', '80', '443']
const LOW_PORTS_END = 1_024

/**
 * Parses a URL that requests may be sent to: http or https, no credentials, no fragment, port 80, 443 or from 1,024 on. A
 * trailing dot of the host is removed, and an internationalized host is converted to ASCII (Punycode).
 *
 * @throws ShelfwireError `invalid-input`, with one fault named `url`
 */
export function checkOutboundUrl(text: string): URL {
  if (text.length > LIMITS.urlLengthMax) throw refused(`must have at most ${LIMITS.urlLengthMax} characters`)
  // the URL parser would remove them silently
  if (/[\s\p{Cc}]/u.test(text)) throw refused('must not contain spaces or control characters')
  if (!URL.canParse(text)) throw refused('must be a complete URL, such as https://example.com/hooks')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('must start with https:// or http://')
  if (url.username !== '' || url.password !== '' || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(text)) {
    throw refused('must not contain a user name or password')
  }
  if (text.includes('#')) throw refused('must not have a fragment (#)')
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (url.hostname === '' || url.hostname.endsWith('.')) throw refused('must name a host')
  if (!LOW_PORTS.includes(url.port) && Number(url.port) < LOW_PORTS_END) {
    throw refused(`must use port 80, 443, or one from ${LOW_PORTS_END} on, not ${url.port}`)
  }
  // percent-encoding may lengthen it
  if (url.href.length > LIMITS.urlLengthMax)
    throw refused(`must have at most ${LIMITS.urlLengthMax} characters when it is escaped`)
  return url
}

/**
 * Refuses a URL whose host is, or currently resolves to, an address that requests may not go to. This only gives an early
 * error when a URL is saved; the protection is the check on each connect (guarded-connect.ts). A name that does not
 * resolve is accepted, because its DNS entry may be made later.
 * @throws ShelfwireError `invalid-input`, with one fault named `url` that never contains the address
 */
export async function checkReachable(url: URL, rule: (address: string) => boolean, resolver: Resolver): Promise<void> {
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await currentAddresses(host, resolver) : [host]
  if (addresses.every(rule)) return
  throw refused('must lead to a public address; other networks must be listed in the setting OUTBOUND_ALLOW')
}

/** The host of a URL as a name or a bare address, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

async function currentAddresses(name: string, resolver: Resolver): Promise<string[]> {
  try {
    const found = await resolver.resolve(name, AbortSignal.timeout(LIMITS.outboundCheckMs))
    return found.map((entry) => entry.address)
  } catch {
    return []
  }
}

function refused(reason: string): ShelfwireError {
  return new ShelfwireError('invalid-input', `url ${reason}`, { faults: [{ name: 'url', reason }] })
}
