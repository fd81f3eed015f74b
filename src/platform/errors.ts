/** The codes of every error raised on purpose: kebab-case, part of the API, never renamed. */
export type ErrorCode =
  | 'invalid-parameters'
  | 'invalid-input'
  | 'missing-token'
  | 'invalid-token'
  | 'token-without-account'
  | 'account-suspended'
  | 'insufficient-scope'
  | 'not-signed-in'
  | 'sign-in-failed'
  | 'local-sign-in-off'
  | 'provider-unavailable'
  | 'provider-refused'
  | 'person-not-invited'
  | 'email-not-verified'
  | 'email-domain-refused'
  | 'identity-differs'
  | 'csrf-refused'
  | 'owner-required'
  | 'confirmation-required'
  | 'second-factor-required'
  | 'link-ended'
  | 'unknown-store'
  | 'unknown-product'
  | 'unknown-route'
  | 'unknown-account'
  | 'unknown-supplier'
  | 'unknown-reference'
  | 'method-not-allowed'
  | 'cursor-ahead'
  | 'payload-too-large'
  | 'unsupported-media-type'
  | 'bad-request'
  | 'forbidden'
  | 'request-timeout'
  | 'uri-too-long'
  | 'range-not-satisfiable'
  | 'expectation-failed'
  | 'headers-too-large'
  | 'method-not-implemented'
  | 'quota-exceeded'
  | 'rate-limited'
  | 'conflict'
  | 'precondition-failed'
  | 'idempotency-key-reused'
  | 'unknown-operation'
  | 'unknown-run'
  | 'unknown-variant-group'
  | 'import-refused'
  | 'import-running'
  | 'source-unreadable'
  | 'settings-invalid'
  | 'database-unusable'
  | 'database-unavailable'
  | 'writes-unavailable'
  | 'image-unavailable'
  | 'newer-release'
  | 'internal'

/** One thing that is wrong with an input: where (a parameter, a dotted path, a line) and what. */
export interface Fault {
  name: string
  reason: string
}

/**
 * An error that its reader can act on. `detail` is shown to clients and never contains internals; put those in `cause`.
 * serve/problem.ts maps the code to an HTTP status, commands/console/exit-codes.ts to an exit code.
 */
export class ShelfwireError extends Error {
  override readonly name = 'ShelfwireError'
  readonly code: ErrorCode
  readonly faults: readonly Fault[]
  /** When to try again; null if waiting makes no difference. */
  readonly retryAfterSeconds: number | null

  constructor(
    code: ErrorCode,
    detail: string,
    options: { faults?: readonly Fault[]; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(detail, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.faults = options.faults ?? []
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

/** Wraps a thrown value in an Error; returns an Error unchanged. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** For branches that the types rule out. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
