/** A parameter or member at fault. */
export interface Fault {
  name: string
  reason: string
}

export interface ErrorFacts {
  code: string
  status: number
  detail: string
  requestId: string | null
  retryAfter: number | null
  errors: Fault[]
  cause?: unknown
}

/**
 * What the service answered instead of data, or that it did not answer. Decide by `code`, which never changes: those of the service
 * (`/docs/problems` lists them), and two of this library: `no-answer` (nothing was answered, or not in time) and `not-shelfwire` (the
 * answer is not one of this API: a proxy's page, or the wrong address).
 */
export class ShelfwireError extends Error {
  override readonly name = 'ShelfwireError'
  readonly code: string
  /** HTTP status; 0: there was no answer. */
  readonly status: number
  /** Names the request in the service's log. */
  readonly requestId: string | null
  /** Seconds after which the request may be repeated, where the service said so. */
  readonly retryAfter: number | null
  /** What is at fault, for `invalid-parameters` and the like. */
  readonly errors: readonly Fault[]

  constructor({ code, status, detail, requestId, retryAfter, errors, cause }: ErrorFacts) {
    super(`${code}: ${detail}${requestId === null ? '' : ` (request ${requestId})`}`, { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.errors = errors
  }

  /** Whether the same request may succeed later: no answer, 429, or a service, database or proxy that is not there now. */
  get isPassing(): boolean {
    if (this.code === 'no-answer' || PASSING.has(this.status)) return true
    // a page of something in between, which has statuses of its own: 520 to 530 where the service is down
    return this.code === 'not-shelfwire' && (this.status === 408 || this.status >= 500)
  }
}

const PASSING = new Set([429, 502, 503, 504])
/** In characters. */
const PROBLEM_MAX = 2 ** 20

/** What an answer that is no success says. A body that is not a problem of the API comes from something in between. */
export async function errorOf(response: Response): Promise<ShelfwireError> {
  const text = await beginningOf(response).catch((error: unknown) => error)
  const isCutOff = typeof text !== 'string'
  const problem = isCutOff ? undefined : problemIn(text)
  return new ShelfwireError({
    // what was cut off may be asked for again
    code: problem?.code ?? (isCutOff ? 'no-answer' : 'not-shelfwire'),
    status: response.status,
    detail: problem?.detail ?? detailOf(response, String(text)),
    requestId: response.headers.get('x-request-id'),
    retryAfter: secondsIn(response.headers),
    errors: problem?.errors ?? [],
  })
}

function detailOf({ status, headers }: Response, text: string): string {
  const place = headers.get('location')
  return status >= 300 && status < 400 && place !== null
    ? `status ${status}: it is at ${place} now, and writes are not sent on. Give that address`
    : `status ${status} without a problem of the API: ${text.slice(0, 200)}`
}

/** A problem is short, and a page of something else may never end. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (text.length < PROBLEM_MAX) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
    return text + decoder.decode()
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/** Of Retry-After: seconds, or a date, which is one of the clock that the answer's own date is of. */
function secondsIn(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const now = Date.parse(headers.get('date') ?? '')
  const seconds = /^[\d.]+$/.test(text)
    ? Number(text)
    : (Date.parse(text) - (Number.isNaN(now) ? Date.now() : now)) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

function problemIn(text: string): { code: string; detail: string; errors?: Fault[] } | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('code' in body) || typeof body.code !== 'string')
      return undefined
    return body as { code: string; detail: string; errors?: Fault[] }
  } catch {
    return undefined
  }
}
