// Headers of answers. The document declares each once as a component, and an answer refers to those that it can have.

interface HeaderKind {
  description: string
  example: string
  /** By default `string`. */
  type?: 'integer'
}

export const HEADERS = {
  'X-Request-Id': {
    description:
      'ID of the request in the service’s log; the value of the request’s X-Request-Id if that is well-formed.',
    example: '0198f0a3-6f0e-7c43-9f55-3c1d2a4b5e6f',
  },
  'Cache-Control': {
    description:
      'How the answer may be cached: private, no-cache if it can be revalidated by its ETag; no-store for problems.',
    example: 'private, no-cache',
  },
  Vary: {
    description: 'Request headers on which the answer depends.',
    example: 'Authorization, Accept-Encoding',
  },
  'Content-Encoding': {
    description:
      'Compression of the body, chosen by Accept-Encoding: zstd, br or gzip; absent if the body is not compressed.',
    example: 'gzip',
  },
  RateLimit: {
    description:
      'r: number of requests that may be sent now, as far as the answering process knows; t: seconds until all q of RateLimit-Policy may be sent again, or with 429 until one may. Absent if the service has no rate limit.',
    example: '"default";r=199;t=1',
  },
  'RateLimit-Policy': {
    description: 'q: number of requests that may be sent at once; w: seconds in which as many become available again.',
    example: '"default";q=200;w=2',
  },
  'Retry-After': {
    description: 'Number of seconds to wait before repeating the request.',
    type: 'integer',
    example: '1',
  },
  ETag: {
    description:
      'Identifier of exactly these bytes. Send it as If-None-Match to read only if they have changed, or as If-Match to write only if they have not.',
    example: '"mB1d1nqLb4MhP8z8v3hZ2w0x"',
  },
  'WWW-Authenticate': {
    description: 'Bearer: send a token of the account as Authorization: Bearer TOKEN.',
    example: 'Bearer',
  },
  Allow: {
    description: 'With 405: methods of this path.',
    example: 'GET, HEAD',
  },
  Location: {
    description: 'Path of what was created; with 202, path of the operation or the import run.',
    example: '/v1/account/groups/3',
  },
  'Operation-Location': {
    description:
      'Path of the operation that shows the progress of updating products, if the answer did not wait for all of them.',
    example: '/v1/account/operations/12',
  },
  'Idempotent-Replayed': {
    description: 'true if the same request was made before with this Idempotency-Key: this is the first answer again.',
    example: 'true',
  },
  'Shelfwire-Next-Since': {
    description:
      'First half of the change feed’s cursor, from before the first product was read: send it as since to GET /v1/changes.',
    example: '2026-11-20T10:00:00+00:00',
  },
  'Shelfwire-Next-Id': {
    description: 'Second half of the change feed’s cursor: send it as since_id to GET /v1/changes.',
    type: 'integer',
    example: '4711',
  },
  'Content-Disposition': {
    description: 'attachment, with the file name to save the body under.',
    example: 'attachment; filename="refusals-12.csv"',
  },
  'Accept-Ranges': {
    description: 'bytes: parts of the body can be requested with Range.',
    example: 'bytes',
  },
  'Content-Range': {
    description: 'Range of bytes in the body, and the total number of bytes; with 416, the total number only.',
    example: 'bytes 0-999/48213',
  },
  'Access-Control-Allow-Origin': {
    description: '*: web pages of any origin may read the answer.',
    example: '*',
  },
  'X-Robots-Tag': {
    description: 'noindex: search engines must not index the secret URL.',
    example: 'noindex',
  },
} as const satisfies Readonly<Record<string, HeaderKind>>

export type HeaderName = keyof typeof HEADERS

/** On every answer of the service. */
const ALWAYS = ['X-Request-Id'] as const
/** On every answer below /v1. */
const WITH_TOKEN = [...ALWAYS, 'Cache-Control', 'Vary', 'RateLimit', 'RateLimit-Policy'] as const

/**
 * Headers that every answer has.
 * @param hasToken whether the route is below /v1
 */
export const headersOfAnswer = (hasToken: boolean): readonly HeaderName[] => (hasToken ? WITH_TOKEN : ALWAYS)

/** Headers of a problem, by its status; 0 means the `default` answer. */
export function headersOfProblem(status: number, hasToken: boolean): readonly HeaderName[] {
  const own: Readonly<Record<number, readonly HeaderName[]>> = {
    0: ['Allow', 'Retry-After'],
    401: ['WWW-Authenticate'],
    416: ['Content-Range'],
    429: ['Retry-After'],
    503: ['Retry-After'],
  }
  return [...(hasToken ? WITH_TOKEN : ([...ALWAYS, 'Cache-Control'] as const)), ...(own[status] ?? [])]
}

/** References to the headers, for an answer in the document. */
export const headerReferences = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
