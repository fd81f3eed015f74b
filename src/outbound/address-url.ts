import { isIP } from 'node:net'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Resolver } from './resolver.ts'

/** The ports below 1,024 that are HTTP's. All others belong to services that could take a request for one of theirs. */
const LOW_PORTS = ['', '80', '443']
const LOW_PORTS_END = 1_024

/**
 * Reads an address that requests may be sent to: http or https, no credentials, no fragment, a port that may speak HTTP.
 * A dot at the end of the host is removed, and a host in other scripts is written in ASCII.
 *
 * @throws ShelfwireError invalid-input, with one fault named `url`
 */
export function checkOutboundUrl(text: string): URL {
  if (text.length > LIMITS.urlLengthMax) throw refused(`must have at most ${LIMITS.urlLengthMax} characters`)
  // the parser would drop them silently
  if (/[\s\p{Cc}]/u.test(text)) throw refused('must not contain spaces or control characters')
  if (!URL.canParse(text)) throw refused('must be a complete URL, such as https://example.com/hooks')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('must start with https:// or http://')
  if (url.username !== '' || url.password !== '' || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(text)) {
    throw refused('must not contain a user name or password')
  }
  if (text.includes('#')) throw refused('must not have a fragment ("#")')
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (url.hostname === '' || url.hostname.endsWith('.')) throw refused('must name a host')
  if (!LOW_PORTS.includes(url.port) && Number(url.port) < LOW_PORTS_END) {
    throw refused(`must use port 80, 443, or one from ${LOW_PORTS_END} on, not ${url.port}`)
  }
  // escaping makes it longer
  if (url.href.length > LIMITS.urlLengthMax)
    throw refused(`must have at most ${LIMITS.urlLengthMax} characters when it is escaped`)
  return url
}

/**
 * Refuses a URL whose host is, or at this moment resolves to, an address that requests may not go to. This is for a
 * friendly error when it is saved; what keeps requests inside is the check on each connect. A name that does not resolve
 * passes: its entry may come later.
 *
 * @throws ShelfwireError invalid-input, with one fault named `url` that never names the address
 */
export async function checkReachable(url: URL, rule: (address: string) => boolean, resolver: Resolver): Promise<void> {
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await currentAddresses(host, resolver) : [host]
  if (addresses.every(rule)) return
  throw refused('must lead to a public address; networks of this installation need the setting OUTBOUND_ALLOW')
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
