import { errorOf, ShelfwireError } from './error.ts'

// Sends requests with the token and a time limit, and repeats them where that is safe.

export interface ClientOptions {
  /** Of the service, with or without its `/v1`. */
  url: string
  /** A connector token reads; writing takes one with full access. */
  token: string
  /** Another `fetch`, for a proxy or a test. */
  fetch?: typeof fetch
  /** How often a request is sent at most; 6 unless set. */
  attempts?: number
  /** The longest pause between two attempts, in milliseconds; 30,000 unless set. Where the service asks for a longer one, the request fails at once. */
  pauseMaxMs?: number
  /** How long the service may send nothing, in milliseconds; 60,000 unless set. */
  timeoutMs?: number
  /** Before each attempt: for logs and traces. */
  onRequest?: (request: { method: string; url: string; attempt: number }) => void
  /** After each attempt that was answered. */
  onResponse?: (response: {
    method: string
    url: string
    attempt: number
    status: number
    milliseconds: number
  }) => void
}

export type Query = Readonly<Record<string, string | number | undefined>>

export interface Request {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/v1`: `/products`. */
  path: string
  query?: Query
  /** Sent as JSON. */
  body?: unknown
  /** `Authorization` is always set to the token. */
  headers?: Readonly<Record<string, string>>
  /** The `etag` of an earlier answer: where nothing has changed since, the answer has status 304 and no data. */
  ifNoneMatch?: string
  /** For writes. Unless it is set here or in `headers`, each write gets a random one, so that a repetition has no second effect. */
  idempotencyKey?: string
  signal?: AbortSignal | undefined
}

export interface Answer<T> {
  status: number
  /** Undefined with 204 and 304. */
  data: T | undefined
  etag: string | null
  headers: Headers
}

/** An answer whose body is read as it arrives. */
export interface Stream {
  headers: Headers
  /** Throws a ShelfwireError where the transfer was cut off, or nothing has arrived for `timeoutMs`. */
  chunks: AsyncIterable<Uint8Array>
  /** Ends a transfer of which nothing is read. */
  cancel: () => void
}

const FIRST_PAUSE_MS = 250
/** In bytes. Far above any answer that is read whole; without it an endless answer would take all memory. */
const ANSWER_MAX = 2 ** 28
/** The longest delay of a timer, which has 31 bits: a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

export class Sender {
  readonly #options: ClientOptions
  readonly #base: string

  /** @throws TypeError where the address or the token is missing or malformed, mostly because a variable is not set */
  constructor(options: ClientOptions) {
    // `localhost:8080` can be parsed, with `localhost` for its protocol
    if (typeof options.url !== 'string' || !/^https?:/i.test(options.url) || !URL.canParse(options.url))
      throw new TypeError(
        `\`url\` must be the address of the service, such as https://catalog.example, and is ${JSON.stringify(options.url) ?? 'not set'}`,
      )
    if (typeof options.token !== 'string' || options.token === '')
      throw new TypeError('`token` must be a token of the account, which begins with sw_, and is not set')
    // `fetch` would repeat it in its error
    if (!isToken(options.token))
      throw new TypeError('`token` must be copied whole and alone: it has characters that no token has')
    const { origin, pathname } = new URL(options.url)
    const path = pathname.replace(/\/+$/, '')
    this.#base = origin + (path.endsWith('/v1') ? path : `${path}/v1`)
    this.#options = { ...options, token: options.token.trim() }
  }

  /** @throws ShelfwireError; the signal's reason where it was aborted */
  async send<T>(request: Request): Promise<Answer<T>> {
    return this.#repeat(request, async (response) => {
      const { status, headers } = response
      const etag = headers.get('etag')
      if (status === 304 || status === 204 || request.method === 'HEAD')
        return { status, data: undefined, etag, headers }
      return { status, data: parsed(await this.#textOf(response, request.signal), response) as T, etag, headers }
    })
  }

  /** Reads a whole body before it is parsed. Its duration has no limit, only the time in which nothing arrives, and its size. */
  async #textOf(response: Response, signal: AbortSignal | undefined): Promise<string> {
    const { body } = response
    let bytes = 0
    const decoder = new TextDecoder()
    let text = ''
    if (body !== null)
      for await (const chunk of watched(body, this.#options.timeoutMs ?? 60_000, signal)) {
        bytes += chunk.length
        if (bytes > ANSWER_MAX) throw notShelfwire(response, `an answer of more than ${ANSWER_MAX} bytes`)
        text += decoder.decode(chunk, { stream: true })
      }
    return text + decoder.decode()
  }

  /** Sends a request whose answer is streamed. It is repeated only until the body begins. @throws ShelfwireError */
  async stream(request: Request): Promise<Stream> {
    const response = await this.#repeat(request, (one) => Promise.resolve(one))
    const { body } = response
    if (body === null) throw notShelfwire(response, 'the answer has no body')
    return {
      headers: response.headers,
      chunks: watched(body, this.#options.timeoutMs ?? 60_000, request.signal),
      // rejects while the body is being read: the reader ends it then
      cancel: () => void body.cancel().catch(() => {}),
    }
  }

  async #repeat<R>(request: Request, read: (response: Response) => Promise<R>): Promise<R> {
    const method = request.method ?? 'GET'
    const headers = this.#headersOf(request, method)
    // before the first attempt: a body that cannot be serialized must not count as a lost answer
    const body = request.body === undefined ? null : JSON.stringify(request.body)
    const attempts = this.#options.attempts ?? 6
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request, { method, headers, body }, attempt, read)
      } catch (error) {
        request.signal?.throwIfAborted()
        const pause = error instanceof ShelfwireError && error.isPassing ? this.#pauseMs(error, attempt) : undefined
        if (attempt >= attempts || pause === undefined) throw error
        await sleep(pause, request.signal)
      }
    }
  }

  #headersOf({ headers, body, ifNoneMatch, idempotencyKey }: Request, method: string): Record<string, string> {
    const given = new Headers(headers)
    const own: Record<string, string> = {}
    const set = (name: string, value: string | undefined) => {
      if (value === undefined) return
      given.delete(name)
      own[name] = value
    }
    const isRead = method === 'GET' || method === 'HEAD'
    set('Accept', given.get('Accept') ?? 'application/json')
    set('Authorization', `Bearer ${this.#options.token}`)
    set('Content-Type', given.get('Content-Type') ?? (body === undefined ? undefined : 'application/json'))
    set('If-None-Match', ifNoneMatch)
    // PUT and DELETE, too: without a key, If-Match would refuse the repetition of an attempt that has succeeded
    const made = isRead ? undefined : crypto.randomUUID()
    set('Idempotency-Key', idempotencyKey ?? given.get('Idempotency-Key') ?? made)
    // a plain object, because a caller's own `fetch` may spread it
    return { ...Object.fromEntries(given), ...own }
  }

  async #attempt<R>(
    { path, query, signal }: Request,
    sent: { method: string; headers: Record<string, string>; body: string | null },
    attempt: number,
    read: (response: Response) => Promise<R>,
  ): Promise<R> {
    const url = this.#base + path + search(query)
    const { method } = sent
    const { onRequest, onResponse, timeoutMs = 60_000 } = this.#options
    onRequest?.({ method, url, attempt })
    const from = performance.now()
    const timer = new Silence(timeoutMs, signal)
    timer.restart()
    try {
      const response = await this.#answerTo(url, sent, timer)
      onResponse?.({ method, url, attempt, status: response.status, milliseconds: performance.now() - from })
      if (!response.ok && response.status !== 304) throw await errorOf(response)
      // from here on the reader of the body has its own timer
      timer.pause()
      return await read(response)
    } finally {
      timer.end()
    }
  }

  async #answerTo(
    url: string,
    sent: { method: string; headers: Record<string, string>; body: string | null },
    { signal, ms }: Silence,
  ): Promise<Response> {
    const send = this.#options.fetch ?? fetch
    try {
      // a redirected write may arrive as a GET, whose answer would be taken for the write's
      const redirect = sent.method === 'GET' || sent.method === 'HEAD' ? 'follow' : 'manual'
      return await send(url, { ...sent, redirect, signal })
    } catch (error) {
      const reason = signal.aborted ? `nothing came for ${ms / 1_000} seconds` : String(error)
      throw noAnswer(`${sent.method} ${url}: ${reason}`, error)
    }
  }

  /** Milliseconds before the next attempt; undefined where the service asks for more than `pauseMaxMs`. */
  #pauseMs({ retryAfter }: ShelfwireError, attempt: number): number | undefined {
    const longest = this.#options.pauseMaxMs ?? 30_000
    // never sooner than the service asks for, with jitter so that clients do not all return at the same moment
    if (retryAfter !== null)
      return retryAfter * 1_000 > longest ? undefined : retryAfter * 1_000 * (1 + Math.random() / 5)
    return Math.min(longest, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
  }
}

/** Aborts when nothing has arrived for `ms` milliseconds, or when the caller aborts. */
class Silence {
  readonly ms: number
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #abort = () => this.#controller.abort(this.#outer?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number, outer: AbortSignal | undefined) {
    this.ms = ms
    this.#outer = outer
    outer?.addEventListener('abort', this.#abort, { once: true })
    if (outer?.aborted === true) this.#abort()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  restart(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(new Error('silence')), Math.min(this.ms, LONGEST_MS))
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#abort)
  }

  /** Stops the timer while nothing is awaited from the service. */
  pause(): void {
    clearTimeout(this.#timer)
  }
}

/** The chunks of a body. @throws ShelfwireError `no-answer` where it breaks off or nothing arrives for `timeoutMs`; the signal's reason where it was aborted */
async function* watched(
  body: ReadableStream<Uint8Array>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const silence = new Silence(timeoutMs, signal)
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  silence.signal.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      silence.restart()
      const { done, value } = await reader.read()
      // a cancelled body looks like one that has ended
      signal?.throwIfAborted()
      if (silence.signal.aborted) throw new Error(`nothing came for ${timeoutMs / 1_000} seconds`)
      if (done) return
      silence.pause()
      yield value
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw noAnswer(`the transfer was cut off: ${String(error)}`, error)
  } finally {
    silence.end()
    // a consumer that stops early ends the transfer
    cancel()
  }
}

function search(query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

/**
 * @throws ShelfwireError `no-answer` where JSON cannot be parsed: a proxy may have cut it off without an error, so another attempt may succeed;
 * `not-shelfwire` where the answer does not claim to be JSON
 */
function parsed(text: string, response: Response): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (response.headers.get('content-type')?.includes('json') === true)
      throw noAnswer(`the transfer was cut off: ${text.slice(-200)}`, error)
    throw notShelfwire(response, `not JSON: ${text.slice(0, 200)}`, error)
  }
}

export function noAnswer(detail: string, cause?: unknown): ShelfwireError {
  return new ShelfwireError({
    code: 'no-answer',
    status: 0,
    detail,
    requestId: null,
    retryAfter: null,
    errors: [],
    cause,
  })
}

export function notShelfwire({ status, headers }: Response, detail: string, cause?: unknown): ShelfwireError {
  const requestId = headers.get('x-request-id')
  return new ShelfwireError({ code: 'not-shelfwire', status, detail, requestId, retryAfter: null, errors: [], cause })
}

/** Whether a text may be a token: visible ASCII, which is safe in a header. Blanks around it are ignored. */
export const isToken = (text: string): boolean => /^[\u0021-\u007e]+$/.test(text.trim())

/** Resolves after the time; rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', end)
        resolve()
      },
      Math.min(ms, LONGEST_MS),
    )
    signal?.addEventListener('abort', end, { once: true })
  })
}
