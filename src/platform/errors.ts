/** Every error this house raises on purpose: a stable kebab-case code, and words for whoever must act on it. */
export type ErrorCode =
  | 'invalid-parameters'
  | 'invalid-input'
  | 'missing-token'
  | 'invalid-token'
  | 'token-without-account'
  | 'insufficient-scope'
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
  | 'rate-limited'
  | 'conflict'
  | 'precondition-failed'
  | 'idempotency-key-reused'
  | 'unknown-operation'
  | 'import-refused'
  | 'import-running'
  | 'source-unreadable'
  | 'settings-invalid'
  | 'database-unusable'
  | 'database-unavailable'
  | 'shutting-down'
  | 'newer-release'
  | 'internal'

/** One thing wrong with an input: where (a parameter, a dotted path, a line) and what. */
export interface Fault {
  name: string
  reason: string
}

/**
 * An error with a meaning. `detail` is for the reader of the answer and never carries internals; put those in `cause`.
 * The HTTP status is given by serve/problem.ts, the exit code by main.ts: this class knows of neither.
 */
export class ShelfwireError extends Error {
  override readonly name = 'ShelfwireError'
  readonly code: ErrorCode
  readonly faults: readonly Fault[]

  constructor(code: ErrorCode, detail: string, options: { faults?: readonly Fault[]; cause?: unknown } = {}) {
    super(detail, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.faults = options.faults ?? []
  }
}

/** Turns whatever was thrown into an Error, keeping one that already is. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Marks a branch that types say cannot be reached. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
