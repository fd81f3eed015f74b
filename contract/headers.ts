// Headers of answers. The document declares each once as a component, and an answer refers to those that it can have.

interface HeaderKind {
  description: string
  example: string
  /** By default `string`. */
  type?: 'integer'
}

export const HEADERS = {
  'X-Request-Id': {
    description: 'Identifies the request in the service’s log; the value that was sent, where it is well formed.',
    example: '0198f0a3-6f0e-7c43-9f55-3c1d2a4b5e6f',
  },
  'Cache-Control': {
    description:
      'How the answer may be stored: private, no-cache where it can be asked for again by its ETag; no-store for problems.',
    example: 'private, no-cache',
  },
  Vary: {
    description: 'The request headers that the answer depends on.',
    example: 'Authorization, Accept-Encoding',
  },
  'Content-Encoding': {
    description: 'zstd, br or gzip, by Accept-Encoding; absent where the body is not coded.',
    example: 'gzip',
  },
  RateLimit: {
    description:
      'r: requests that may be sent now, as far as the process that answers knows; t: seconds until all of q may be, or with 429 until one may. Absent where the service has no limit.',
    example: '"default";r=199;t=1',
  },
  'RateLimit-Policy': {
    description: 'q: requests that may be sent at once; w: seconds in which as many become available again.',
    example: '"default";q=200;w=2',
  },
  'Retry-After': {
    description: 'Seconds after which the request may be repeated.',
    type: 'integer',
    example: '1',
  },
  ETag: {
    description: 'Identifies exactly these bytes; send it back as If-None-Match, and as If-Match with a write.',
    example: '"mB1d1nqLb4MhP8z8v3hZ2w0x"',
  },
  'WWW-Authenticate': {
    description: 'Bearer: send a token of the account.',
    example: 'Bearer',
  },
  Allow: {
    description: 'With 405: the methods that the address has.',
    example: 'GET, HEAD',
  },
  Location: {
    description: 'Path of what was created; with 202 of the operation or the import run.',
    example: '/v1/account/groups/3',
  },
  'Operation-Location': {
    description:
      'Path of the operation that shows how far payloads are, where the answer did not wait for all of them.',
    example: '/v1/account/operations/12',
  },
  'Idempotent-Replayed': {
    description: 'true where the request was made before under this Idempotency-Key: the answer is the first one’s.',
    example: 'true',
  },
  'Shelfwire-Next-Since': {
    description: 'First half of the cursor from before the first product: send it as since to /changes.',
    example: '2026-11-20T10:00:00+00:00',
  },
  'Shelfwire-Next-Id': {
    description: 'Second half of that cursor: send it as since_id.',
    type: 'integer',
    example: '4711',
  },
  'Content-Disposition': {
    description: 'attachment, with the name to save it under.',
    example: 'attachment; filename="refusals-12.csv"',
  },
  'Accept-Ranges': {
    description: 'bytes: parts of it can be asked for with Range.',
    example: 'bytes',
  },
  'Content-Range': {
    description: 'Which part it is, and of how many bytes; with 416 of how many bytes a part may be asked for.',
    example: 'bytes 0-999/48213',
  },
  'Access-Control-Allow-Origin': {
    description: '*: pages of any origin may read it.',
    example: '*',
  },
  'X-Robots-Tag': {
    description: 'noindex: the address is a secret.',
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
