import type { ProblemBody } from '../../contract/problem-schema.ts'
import { faultWords } from '../words/faults.ts'

/** Codes of failures without an answer of the service: it was not reached, or something else answered. */
type OwnCode = 'unreachable' | 'not-the-service'

/** An error answer (RFC 9457), or a failure to get an answer. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: string
  readonly status: number
  readonly title: string
  /** Faults by field name in the request, with the service's English reasons. */
  readonly #faults: readonly { name: string; reason: string }[]
  /** Seconds after which the request may be repeated. */
  readonly retryAfter: number | null

  constructor(body: Pick<ProblemBody, 'code' | 'status' | 'title' | 'detail' | 'errors'>, retryAfter: number | null) {
    super(body.detail)
    this.code = body.code
    this.status = body.status
    this.title = body.title
    this.#faults = body.errors ?? []
    this.retryAfter = retryAfter
  }

  /** Faults by field name in the request, with reasons in the reader's language if there is a translation. */
  get faults(): readonly { name: string; reason: string }[] {
    return this.#faults.map(({ name, reason }) => ({ name, reason: faultWords(reason) }))
  }

  /** The service's sentence. If it ends with the first fault, that part is in the reader's language. */
  get sentence(): string {
    const [first] = this.#faults
    const end = first === undefined ? '' : `${first.name} ${first.reason}`
    if (first === undefined || !this.message.endsWith(end)) return this.message
    return `${this.message.slice(0, -end.length)}${first.name} ${faultWords(first.reason)}`
  }

  /** Whether repeating the request later can succeed. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

/** A Problem that the panel itself reports, with status 0. */
export function ownProblem(code: OwnCode, detail: string): Problem {
  return new Problem({ code, status: 0, title: '', detail }, null)
}

/** A thrown value as a Problem. Anything that is not one is a fault of the panel. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return ownProblem('not-the-service', error instanceof Error ? error.message : String(error))
}

/** The Problem of an error answer. If another server has answered, such as a proxy, only its status is used. */
export async function problemOf(response: Response): Promise<Problem> {
  const wait = Number(response.headers.get('Retry-After'))
  const retryAfter = Number.isFinite(wait) && wait > 0 ? wait : null
  const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json') ?? false
  if (isProblem) return new Problem((await response.json()) as ProblemBody, retryAfter)
  return new Problem(
    { code: 'not-the-service', status: response.status, title: response.statusText, detail: `HTTP ${response.status}` },
    retryAfter,
  )
}
