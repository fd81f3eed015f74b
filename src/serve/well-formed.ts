import type { IncomingMessage } from 'node:http'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'

/**
 * Refuses requests that Node's parser accepts: with a URL or headers that are too large, without Host, or with a second Host or
 * Authorization. Of two, Node ignores one, and a proxy in front of the service may have used the other.
 * @throws ShelfwireError uri-too-long, headers-too-large, bad-request.
 */
export function requireWellFormed(request: IncomingMessage): void {
  const { url = '', headers, httpVersion, rawHeaders } = request
  if (url.length > LIMITS.requestUrlBytesMax) throw uriTooLong()
  if (headers.host === undefined && httpVersion === '1.1')
    throw new ShelfwireError('bad-request', 'the request has no Host header')
  let bytes = 0
  let hosts = 0
  let authorizations = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = must(rawHeaders[i])
    // 4 for colon, blank and line break
    bytes += name.length + must(rawHeaders[i + 1]).length + 4
    // by length first: this runs for every header of every request
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++
  }
  if (bytes > LIMITS.requestHeadersBytesMax) throw headersTooLarge()
  if (hosts > 1) throw new ShelfwireError('bad-request', 'the request has more than one Host header')
  if (authorizations > 1) throw new ShelfwireError('bad-request', 'the request has more than one Authorization header')
}

export const uriTooLong = () =>
  new ShelfwireError('uri-too-long', `an address has at most ${LIMITS.requestUrlBytesMax} bytes`)
export const headersTooLarge = () =>
  new ShelfwireError('headers-too-large', `headers have at most ${LIMITS.requestHeadersBytesMax} bytes together`)
