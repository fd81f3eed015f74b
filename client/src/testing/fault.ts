import { sleep } from '../sender.ts'
import { PROBLEMS, Problem, type ProblemCode, type Reply } from './problem.ts'

// Faults on demand: answers that are errors, late, cut off or missing.

export interface Fault {
  /** Hits only requests whose path below `/v1` begins with this, such as `/changes`; all unless set. */
  path?: string
  /** Hits only requests of this method, such as `PATCH`; all unless set. */
  method?: string
  /** How many requests it hits; 1 unless set. */
  times?: number
  /** How many requests are answered before the first that it hits; none unless set. */
  after?: number
  /** Answers with this status and its usual problem: 401, 403, 404, 409, 410, 412, 422, 429, 500, 503. 502 and 504 have a proxy's HTML page. */
  status?: number
  /** Another problem of that status, by its code, such as `newer-release`. */
  code?: ProblemCode
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number
  /** The connection breaks before the request is handled: there is no answer. */
  reset?: true
  /** The connection breaks after the request was handled: a write has taken effect, but its answer is lost. */
  lost?: true
  /**
   * The body ends in its middle, or after so many bytes, with an error of the transfer. `unnoticed`: without an error, and after a complete line where
   * it has lines, as behind a proxy that hides the error.
   */
  cut?: true | number | 'unnoticed'
  /** Milliseconds before the answer; `Infinity`: no answer until the client gives up. */
  delayMs?: number
  /** Milliseconds of a pause in the middle of the body. */
  pauseMs?: number
}

const OF_STATUS: Readonly<Record<number, readonly [ProblemCode, detail: string]>> = {
  401: ['invalid-token', 'the bearer token is unknown or was revoked'],
  403: [
    'account-suspended',
    'the operator of this service has suspended the account; its members read why in the panel',
  ],
  404: ['unknown-route', 'there is nothing at this address; /docs lists what there is'],
  409: ['conflict', 'what was sent contradicts what is there'],
  410: ['cursor-ahead', 'the cursor is ahead of this feed, as after a backup was restored'],
  412: [
    'precondition-failed',
    'it was changed since the ETag that If-Match names; read it again and repeat the change on what it is now',
  ],
  422: ['invalid-input', 'the body is not valid'],
  429: ['rate-limited', 'at most 100 requests per second and token; see Retry-After'],
  500: ['internal', 'the request could not be answered; try again later'],
  503: ['database-unavailable', 'the database cannot be reached; try again later'],
}
const OF_PROXY = new Set([502, 504])

export class Faults {
  readonly #faults: { fault: Fault; toCome: number; left: number }[] = []

  /** @throws TypeError for an unknown code or status */
  add(fault: Fault): void {
    const { status, code, times = 1, after = 0 } = fault
    if (code !== undefined && !Object.hasOwn(PROBLEMS, code))
      throw new TypeError(`there is no problem "${code}"; there are ${Object.keys(PROBLEMS).join(', ')}`)
    if (code === undefined && status !== undefined && !(status in OF_STATUS) && !OF_PROXY.has(status))
      throw new TypeError(`a fault has the status ${Object.keys(OF_STATUS).join(', ')}, 502 or 504, not ${status}`)
    this.#faults.push({ fault, toCome: after, left: times })
  }

  clear(): void {
    this.#faults.length = 0
  }

  /** The first fault that hits this request, which counts against its `times`; undefined: none. */
  take(method: string, path: string): Fault | undefined {
    for (const [i, one] of this.#faults.entries()) {
      if (!path.startsWith(one.fault.path ?? '') || method !== (one.fault.method ?? method)) continue
      if (one.toCome > 0) {
        one.toCome--
        continue
      }
      if (--one.left <= 0) this.#faults.splice(i, 1)
      return one.fault
    }
    return undefined
  }
}

/** The answer that a fault puts in place of the data; undefined: the data is answered. */
export function faultReply({ status, code, retryAfter }: Fault, origin: string): Reply | undefined {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  if (code !== undefined) return new Problem(code, 'a fault of this test', { headers }).reply(origin)
  if (status === undefined) return undefined
  const [ofStatus, detail] = OF_STATUS[status] ?? []
  if (ofStatus !== undefined && detail !== undefined) return new Problem(ofStatus, detail, { headers }).reply(origin)
  return {
    status,
    headers: { ...headers, 'content-type': 'text/html' },
    body: `<html><body><h1>${status}</h1></body></html>`,
  }
}

/** Waits for a time, or until the client gives up. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  // timers have no more than 31 bits
  return sleep(Math.min(ms, 2 ** 31 - 1), signal)
}

function halfOf(body: string): string {
  const middle = Math.floor(body.length / 2)
  const end = body.lastIndexOf('\n', middle) + 1
  return body.slice(0, end === 0 ? middle : end)
}

/** The body, cut off or with a pause as the fault says. */
export function faultyBody(body: string, { cut, pauseMs }: Fault, signal: AbortSignal): BodyInit {
  if (cut === 'unnoticed') return faultyBody(halfOf(body), pauseMs === undefined ? {} : { pauseMs }, signal)
  if (cut === undefined && pauseMs === undefined) return body
  const bytes = new TextEncoder().encode(body)
  const middle = typeof cut === 'number' ? Math.min(cut, bytes.length) : Math.floor(bytes.length / 2)
  let part = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      part++
      if (part === 1 && middle > 0) return controller.enqueue(bytes.subarray(0, middle))
      try {
        if (pauseMs !== undefined) await delay(pauseMs, signal)
      } catch (error) {
        return controller.error(error)
      }
      if (cut !== undefined) return controller.error(new TypeError('terminated'))
      if (middle < bytes.length) controller.enqueue(bytes.subarray(middle))
      controller.close()
    },
  })
}
