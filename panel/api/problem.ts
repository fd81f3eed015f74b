import type { ProblemBody } from '../../contract/schemas.ts'
import { faultWords } from '../words/faults.ts'

/** Codes of what happens before an answer of the service: it was not reached, or something else answered. */
type OwnCode = 'unreachable' | 'not-the-service'

/** An answer that is an error (RFC 9457), or none at all. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: string
  readonly status: number
  readonly title: string
  /** Fields at fault, by their names in the request, as the service says it. */
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

  /** Fields at fault, by their names in the request, in the reader's language where the reason is known. */
  get faults(): readonly { name: string; reason: string }[] {
    return this.#faults.map(({ name, reason }) => ({ name, reason: faultWords(reason) }))
  }

  /** The sentence of the service; where it ends with the first fault, with that in the reader's language. */
  get sentence(): string {
    const [first] = this.#faults
    const end = first === undefined ? '' : `${first.name} ${first.reason}`
    if (first === undefined || !this.message.endsWith(end)) return this.message
    return `${this.message.slice(0, -end.length)}${first.name} ${faultWords(first.reason)}`
  }

  /** Whether repeating the request later can help. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

export function ownProblem(code: OwnCode, detail: string): Problem {
  return new Problem({ code, status: 0, title: '', detail }, null)
}

/** Whatever was thrown, as a problem: anything else is a fault of the panel. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return ownProblem('not-the-service', error instanceof Error ? error.message : String(error))
}

/** The problem in an answer; an answer that is not the service's (a proxy's, say) is known by its status. */
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
