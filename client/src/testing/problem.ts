// The problems that the service answers (test/client/fake.pg.test.ts compares them with those of a service).

/** Status and title by code, as in the contract. */
export const PROBLEMS = {
  'bad-request': [400, 'Bad request'],
  'invalid-parameters': [400, 'Invalid parameters'],
  'missing-token': [401, 'Bearer token missing'],
  'invalid-token': [401, 'Bearer token invalid'],
  'token-without-account': [403, 'Token tied to no account'],
  'account-suspended': [403, 'Account suspended'],
  'insufficient-scope': [403, 'Token may only read'],
  'unknown-store': [404, 'Unknown store'],
  'unknown-product': [404, 'Unknown product'],
  'unknown-supplier': [404, 'Unknown supplier'],
  'unknown-operation': [404, 'Unknown operation'],
  'unknown-reference': [404, 'Unknown reference'],
  'unknown-variant-group': [404, 'Unknown group of variants'],
  'unknown-route': [404, 'Unknown route'],
  'method-not-allowed': [405, 'Method not allowed'],
  conflict: [409, 'Conflict'],
  'cursor-ahead': [410, 'Cursor ahead of the feed'],
  'precondition-failed': [412, 'Changed meanwhile'],
  'payload-too-large': [413, 'Request too large'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'invalid-input': [422, 'Invalid input'],
  'idempotency-key-reused': [422, 'Idempotency key used for another request'],
  'quota-exceeded': [422, 'Budget used up'],
  'rate-limited': [429, 'Too many requests'],
  internal: [500, 'Internal error'],
  'database-unavailable': [503, 'Database unavailable'],
  'writes-unavailable': [503, 'Writes unavailable'],
  'newer-release': [503, 'Newer release at work'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>

export type ProblemCode = keyof typeof PROBLEMS

interface ParameterFault {
  name: string
  reason: string
}

/** An answer, independent of how it is sent. Names of headers are in lower case. */
export interface Reply {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** Refuses a request. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly faults: readonly ParameterFault[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
    detail: string,
    {
      faults = [],
      headers = {},
    }: { faults?: readonly ParameterFault[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail)
    this.code = code
    this.faults = faults
    this.headers = headers
  }

  /** @param origin of the service, for the URL in `type` */
  reply(origin: string): Reply {
    const [status, title] = PROBLEMS[this.code]
    const body = {
      type: `${origin}/docs/problems#${this.code}`,
      title,
      status,
      detail: this.message,
      code: this.code,
      ...(this.faults.length > 0 ? { errors: this.faults } : {}),
    }
    return {
      status,
      headers: {
        ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
        ...(status === 503 ? { 'retry-after': '1' } : {}),
        ...this.headers,
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
      },
      body: JSON.stringify(body),
    }
  }
}
