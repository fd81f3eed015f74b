// Reads the head of a plain request: a GET in the form in which clients send it, all of it at once, without a body. Anything else is no
// plain request, and Node's parser reads it: this one refuses nothing and repairs nothing.

/** What an answer depends on. */
export interface PlainFields {
  authorization: string
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  requestId: string | undefined
  traceparent: string | undefined
}

const REQUEST_LINE = /^GET (\/v1\/[\w\-.~:,?&=/%]*) HTTP\/1\.1$/
/** Each line a name and a value of visible characters and blanks, and an empty one at the end. */
const FIELDS = /^(?:[\w-]+:[ -~]*\r\n)+\r\n$/

const USED = new Set([
  'host',
  'authorization',
  'accept-encoding',
  'if-none-match',
  'x-request-id',
  'traceparent',
  'connection',
])
/**
 * Names of headers that change nothing in an answer; those of proxies only tell the addresses of clients whose tokens are unknown. A request
 * with a name that is in neither list is not plain: who knows what it does.
 */
const WITHOUT_EFFECT = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'forwarded',
  'pragma',
  'priority',
  'sec-fetch-mode',
  'tracestate',
  'user-agent',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
])
/** Characters that a query has when it is written as usual; those that are escaped in timestamps and lists. */
const VALUE = /^(?:[\w\-.~:,]|%2[BbCc]|%3[Aa])*$/

/** A request line and the lines of its head, if bytes may be one; null otherwise. @param bytes as latin1. */
export function plainParts(bytes: string): { target: string; fields: string } | null {
  const end = bytes.indexOf('\r\n')
  const target = REQUEST_LINE.exec(bytes.slice(0, end))?.[1]
  return target === undefined ? null : { target, fields: bytes.slice(end + 2) }
}

/** Reads the lines behind the request line. @returns null where anything in them is unusual. */
export function plainFields(lines: string): PlainFields | null {
  if (!FIELDS.test(lines)) return null
  const given: Record<string, string> = {}
  for (let at = 0; at < lines.length - 2;) {
    const colon = lines.indexOf(':', at)
    const end = lines.indexOf('\r\n', colon)
    const name = lines.slice(at, colon).toLowerCase()
    at = end + 2
    if (WITHOUT_EFFECT.has(name)) continue
    if (!USED.has(name) || given[name] !== undefined) return null
    given[name] = lines.slice(colon + 1, end).trim()
  }
  const { host, authorization, connection } = given
  if (host === undefined || authorization === undefined) return null
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return null
  return {
    authorization,
    acceptEncoding: given['accept-encoding'],
    ifNoneMatch: given['if-none-match'],
    requestId: given['x-request-id'],
    traceparent: given['traceparent'],
  }
}

/** Parameters of a query by name; null where it is written in an unusual way, or has one that is not declared or is given twice. */
export function plainQuery(query: string, isDeclared: (name: string) => boolean): Record<string, string> | null {
  const given: Record<string, string> = {}
  if (query === '') return given
  for (const part of query.split('&')) {
    const equals = part.indexOf('=')
    if (equals === -1) return null
    const name = part.slice(0, equals)
    const value = part.slice(equals + 1)
    if (!isDeclared(name) || given[name] !== undefined || !VALUE.test(value)) return null
    given[name] = value.includes('%') ? decodeURIComponent(value) : value
  }
  return given
}
