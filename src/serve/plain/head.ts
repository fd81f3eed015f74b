// Reads the head of a plain request: a GET in the usual form of clients, complete in one piece and without a body. For anything else it
// returns null, and Node's parser reads the request: this one refuses nothing and repairs nothing.

/** The headers that an answer depends on. */
export interface PlainFields {
  authorization: string
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  requestId: string | undefined
  traceparent: string | undefined
}

const REQUEST_LINE = /^GET (\/v1\/[\w\-.~:,?&=/%]*) HTTP\/1\.1$/
/** Lines of a name and a value of visible characters and blanks, and an empty line at the end. */
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
 * Headers that do not affect a plain answer. Those of proxies name the client's address, which matters only for unknown tokens, and behind
 * trusted proxies these are left to the framework. A request with a header that is in neither list is not plain: its effect is unknown.
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
/** Characters of a value in usual spelling, with the escapes that occur in timestamps and lists. */
const VALUE = /^(?:[\w\-.~:,]|%2[BbCc]|%3[Aa])*$/

/** The target of a request line and the header lines; null if the line is not plain. @param bytes as latin1. */
export function plainParts(bytes: string): { target: string; fields: string } | null {
  const end = bytes.indexOf('\r\n')
  const target = REQUEST_LINE.exec(bytes.slice(0, end))?.[1]
  return target === undefined ? null : { target, fields: bytes.slice(end + 2) }
}

/** Reads the header lines. @returns null if anything in them is unusual. */
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

/** Parameters of a query by name; null if the spelling is unusual, or a parameter is undeclared or given twice. */
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
