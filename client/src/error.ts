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
 * An error answer of the service, or the lack of an answer. Decide by `code`, which never changes: the codes of the service
 * (`/docs/problems` lists them), and two of this library: `no-answer` (there was no answer, or not in time) and `not-shelfwire` (the
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
  /** The parameters or members at fault, for `invalid-parameters` and the like. */
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
    // a page of a proxy: some have statuses of their own, such as 520 to 530, for a service that is down
    return this.code === 'not-shelfwire' && (this.status === 408 || this.status >= 500)
  }
}

const PASSING = new Set([429, 502, 503, 504])
/** In characters. */
const PROBLEM_MAX = 2 ** 20

/** The error of an unsuccessful answer. A body that is no problem of the API was sent by a proxy or another server. */
export async function errorOf(response: Response): Promise<ShelfwireError> {
  const text = await beginningOf(response).catch((error: unknown) => error)
  const isCutOff = typeof text !== 'string'
  const problem = isCutOff ? undefined : problemIn(text)
  return new ShelfwireError({
    // a body that was cut off is worth another attempt
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

/** Reads at most `PROBLEM_MAX` characters: a problem is short, but another server's page may never end. */
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

/** Retry-After in seconds. A date in it is compared with the answer's own Date, which is from the same clock. */
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
