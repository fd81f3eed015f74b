import type { Catalog } from '../catalog.ts'
import { Problem, type Reply } from '../problem.ts'
import { bulkStock } from './bulk-stock.ts'
import { deleteOffer, findOffer, patchOffer, putOffer } from './offers.ts'
import { deleteProduct, patchProduct, productAsSet } from './products.ts'
import { idempotencyKey, parsedBody, requireMatch } from './request.ts'
import { deleteStock, patchStock, putStock, stockOf } from './stock.ts'
import type { Call, GivenSupplier, Work, Write, Written } from './written.ts'

// From a write to its answer, and what the account has written.

/** Reads the body. @throws Problem invalid-input */
type Handler = (call: Call) => Work
interface Place {
  path: RegExp
  /** Null: it is not read. */
  get: ((call: Call) => unknown) | null
  /** Parameters of the query that are true or false; all others are refused. */
  flags?: readonly string[]
  methods: Readonly<Partial<Record<string, Handler>>>
}

const PLACES: readonly Place[] = [
  {
    path: /^\/account\/products\/([^/]+)\/stock$/,
    get: stockOf,
    methods: { PUT: putStock, PATCH: patchStock, DELETE: deleteStock },
  },
  {
    path: /^\/account\/products\/([^/]+)$/,
    get: productAsSet,
    methods: { PATCH: patchProduct, DELETE: deleteProduct },
  },
  {
    path: /^\/account\/suppliers\/([^/]+)\/offers\/([^/]+)$/,
    get: findOffer,
    methods: { PUT: putOffer, PATCH: patchOffer, DELETE: deleteOffer },
  },
  { path: /^\/account\/bulk\/stock$/, get: null, flags: ['atomic', 'dry_run'], methods: { POST: bulkStock } },
]

const EMPTY: Written = {
  stock: new Map(),
  offers: new Map(),
  products: new Map(),
  offered: new Map(),
  made: new Map(),
  deleted: new Set(),
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
  readonly #suppliers: readonly Required<GivenSupplier>[]
  readonly #onWrite: (write: Write) => void
  readonly #since: string
  #written = EMPTY
  /** One after the other: what a precondition was compared with is what is written. */
  #last: Promise<unknown> = Promise.resolve()

  /** @param since when the account was made, as a timestamp */
  constructor(
    catalog: Catalog,
    suppliers: readonly GivenSupplier[],
    { since, onWrite }: { since: string; onWrite: (write: Write) => void },
  ) {
    this.#catalog = catalog
    this.#suppliers = suppliers.map(({ code, currency = 'EUR' }) => ({ code, currency }))
    this.#since = since
    this.#onWrite = onWrite
  }

  /** @returns what goes back to this moment */
  remember(): () => void {
    const written = this.#written
    return () => {
      this.#written = written
    }
  }

  /** @throws Problem where it is refused; what `onWrite` throws, and then nothing is written */
  answer(asked: Writing): Promise<Reply> {
    const answered = this.#last.then(() => this.#answer(asked))
    this.#last = answered.catch(() => {})
    return answered
  }

  async #answer(asked: Writing): Promise<Reply> {
    const { method, path, search, headers } = asked
    const place = PLACES.find((one) => one.path.test(path))
    if (place === undefined)
      throw new Problem(
        'unknown-route',
        'the fake of @shelfwire/client/testing has stock, offers, products and bulks of stock below /account, and nothing else',
      )
    const isRead = place.get !== null && (method === 'GET' || method === 'HEAD')
    const write = place.methods[method]
    if (!isRead && write === undefined)
      throw new Problem('method-not-allowed', `${method} is not possible here; Allow names what is`, {
        headers: { allow: [...(place.get === null ? [] : ['GET', 'HEAD']), ...Object.keys(place.methods)].join(', ') },
      })
    const body = isRead ? undefined : parsedBody(method, headers, asked.body)
    const flags = flagsIn(search, place.flags)
    const params = (place.path.exec(path) ?? []).slice(1).map(decoded)
    const call: Call = {
      catalog: this.#catalog,
      suppliers: this.#suppliers,
      written: this.#written,
      params,
      body,
      since: this.#since,
      flags,
      match: async (current) => requireMatch(headers, current === null ? null : await this.#tagOf(bodyOf(current))),
    }
    return write === undefined ? this.#reply(200, place.get?.(call)) : this.#write(asked, write(call))
  }

  async #write({ method, path, search, headers, body }: Writing, work: Work): Promise<Reply> {
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
    const { status, data, whole, location, next, writes } = await work()
    const reply = whole === undefined ? await this.#reply(status, data, location) : wholeReply(whole)
    const before = this.#written
    const answers = key === null ? before.answers : new Map(before.answers).set(key, { request, reply })
    this.#written = { ...before, ...next, answers }
    try {
      // a write that changes nothing is not told
      for (const write of writes)
        if (JSON.stringify(write.before) !== JSON.stringify(write.now)) this.#onWrite(structuredClone(write))
    } catch (error) {
      this.#written = before
      throw error
    }
    return reply
  }

  async #reply(status: number, data: unknown, location?: string): Promise<Reply> {
    if (status === 204) return { status, headers: {}, body: null }
    const body = bodyOf(data)
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

const bodyOf = (data: unknown) => JSON.stringify({ data })

const wholeReply = (whole: object): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(whole),
})

/** @throws Problem invalid-parameters: on these routes every unknown one is refused */
function flagsIn(search: URLSearchParams, known: readonly string[] = []): Record<string, boolean> {
  const faults = [...new Set(search.keys())].flatMap((name) => {
    if (!known.includes(name)) return [{ name: name.slice(0, 80), reason: 'is unknown' }]
    const text = search.get(name) ?? ''
    return /^(?:true|false)$/.test(text) ? [] : [{ name, reason: `must be true or false, not "${text.slice(0, 40)}"` }]
  })
  if (faults.length > 0)
    throw new Problem('invalid-parameters', faults.map(({ name, reason }) => `${name} ${reason}`).join('; '), {
      faults,
    })
  return Object.fromEntries(known.flatMap((name) => (search.has(name) ? [[name, search.get(name) === 'true']] : [])))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
