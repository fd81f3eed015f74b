import type { Schemas } from '../../api.ts'
import type { Catalog } from '../catalog.ts'
import { timestamp } from '../feed-reads.ts'
import { readQuery } from '../parameters.ts'
import { Problem, type Reply } from '../problem.ts'
import { PLACES, PLACES_SHOWN, type Place } from './places.ts'
import { idempotencyKey, parsedBody, requireMatch } from './request.ts'
import { accountOf } from './settings/read-only.ts'
import { suppliersOf } from './settings/suppliers.ts'
import type { Call, GivenSupplier, Made, Work, Write, Written } from './written.ts'

// Answers requests below /v1/account, and keeps what the account has written.

const EMPTY: Written = {
  stock: new Map(),
  offers: new Map(),
  products: new Map(),
  suppliers: new Map(),
  rates: new Map(),
  offered: new Map(),
  made: new Map(),
  deleted: new Set(),
  operations: new Map(),
  answers: new Map(),
}

export interface Writing {
  method: string
  /** Below `/v1`. */
  path: string
  search: URLSearchParams
  headers: Headers
  body: string
}

export class AccountWrites {
  readonly #catalog: Catalog
  readonly #account: Schemas['AccountResource']
  readonly #onWrite: (write: Write) => void
  readonly #now: () => number
  readonly #since: string
  #written: Written
  /** Requests are answered one after the other, so that nothing changes between the check of a precondition and the write. */
  #last: Promise<unknown> = Promise.resolve()
  /** Work that begins after the current answer. */
  readonly #after: (() => void)[] = []

  /** @param now the clock, in milliseconds */
  constructor(
    catalog: Catalog,
    { account, suppliers }: { account: Partial<Schemas['AccountResource']>; suppliers: readonly GivenSupplier[] },
    { now, onWrite }: { now: () => number; onWrite: (write: Write) => void },
  ) {
    this.#catalog = catalog
    this.#written = { ...EMPTY, suppliers: new Map(suppliersOf(suppliers).map((one) => [one.code, one])) }
    this.#account = accountOf(account, catalog.active)
    this.#now = now
    this.#since = this.#at
    this.#onWrite = onWrite
  }

  /** @returns a function that returns to the present state */
  remember(): () => void {
    const written = this.#written
    return () => {
      this.#written = written
    }
  }

  get #at(): string {
    return timestamp(Math.floor(this.#now() / 1_000))
  }

  /** @throws Problem where the request is refused; errors of `onWrite`, after which nothing is written */
  answer(asked: Writing): Promise<Reply> {
    const answered = this.#last.then(() => this.#answer(asked))
    this.#last = answered
      .catch(() => {})
      .then(() => {
        for (const goOn of this.#after.splice(0)) goOn()
      })
    return answered
  }

  async #answer(asked: Writing): Promise<Reply> {
    const { method, path, search, headers } = asked
    const place = PLACES.find((one) => one.path.test(path))
    if (place === undefined) throw new Problem('unknown-route', PLACES_SHOWN)
    const canBeRead = place.get !== undefined || place.list !== undefined
    const isRead = canBeRead && (method === 'GET' || method === 'HEAD')
    const write = place.methods[method]
    if (write === undefined && place.unwritten?.includes(method) === true)
      throw new Problem('unknown-route', PLACES_SHOWN)
    if (!isRead && write === undefined)
      throw new Problem('method-not-allowed', `${method} is not possible here; Allow names what is`, {
        headers: { allow: [...(canBeRead ? ['GET', 'HEAD'] : []), ...Object.keys(place.methods)].join(', ') },
      })
    const body = isRead ? undefined : parsedBody(method, headers, asked.body, place.hasLines)
    const params = (place.path.exec(path) ?? []).slice(1).map(decoded)
    const query = readQuery(search, place.query ?? {}, undefined, true)
    const call = this.#callOf({ params, query, body, headers })
    if (write !== undefined) return this.#write(asked, call, write(call))
    return this.#reply(200, read(place, call))
  }

  #callOf({ params, query, body, headers }: Pick<Call, 'params' | 'query' | 'body'> & { headers: Headers }): Call {
    return {
      catalog: this.#catalog,
      account: this.#account,
      written: this.#written,
      params,
      body,
      since: this.#since,
      at: this.#at,
      query,
      match: async (current) =>
        requireMatch(headers, current === null ? null : await this.#tagOf(JSON.stringify({ data: current }))),
    }
  }

  async #write({ method, path, search, headers, body }: Writing, call: Call, work: Work): Promise<Reply> {
    const key = idempotencyKey(headers)
    const request = `${method} ${path}?${search.toString()}\n${body}`
    const known = key === null ? undefined : this.#written.answers.get(key)
    if (known !== undefined) {
      if (known.request !== request)
        throw new Problem(
          'idempotency-key-reused',
          'this Idempotency-Key came with another request before; use a new key for a new write, and the same bytes for a repetition',
        )
      return { ...known.reply, headers: { ...known.reply.headers, 'idempotent-replayed': 'true' } }
    }
    const made = await work()
    const { status, data, whole, location, later } = made
    const reply = whole === undefined ? await this.#reply(status, { data }, location) : wholeReply(whole)
    const before = this.#written
    const answers = key === null ? before.answers : new Map(before.answers).set(key, { request, reply })
    this.#keep({ ...made.next, answers }, made.writes)
    if (later !== undefined) this.#after.push(() => this.#goOn(call, later))
    return reply
  }

  /** @throws errors of `onWrite`, after which the former state is kept */
  #keep(next: Partial<Written>, writes: readonly Write[]): void {
    const before = this.#written
    this.#written = { ...before, ...next }
    try {
      // `onWrite` is not called for a write that changes nothing
      for (const write of writes)
        if (JSON.stringify(write.before) !== JSON.stringify(write.now)) this.#onWrite(structuredClone(write))
    } catch (error) {
      this.#written = before
      throw error
    }
  }

  #goOn(call: Call, { run: first, failed }: NonNullable<Made['later']>): void {
    for (let run: typeof first | null = first; run !== null;) {
      const at: Call = { ...call, written: this.#written, at: this.#at }
      const { next, writes, later } = run(at)
      run = later
      try {
        this.#keep(next, writes)
      } catch (error) {
        // the request was answered long ago, so the operation records the error
        this.#keep(failed(at, error instanceof Error ? error.message : String(error)), [])
        return
      }
    }
  }

  async #reply(status: number, whole: object, location?: string): Promise<Reply> {
    if (status === 204) return { status, headers: {}, body: null }
    const body = JSON.stringify(whole)
    return {
      status,
      headers: {
        ...(location === undefined ? {} : { location }),
        etag: await this.#tagOf(body),
        'content-type': 'application/json; charset=utf-8',
      },
      body,
    }
  }

  async #tagOf(body: string): Promise<string> {
    return `"${(await this.#catalog.hash(body, 'base64url')).slice(0, 24)}"`
  }
}

const read = ({ get, list }: Place, call: Call): object => list?.(call) ?? { data: get?.(call) }

const wholeReply = (whole: object): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(whole),
})

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
