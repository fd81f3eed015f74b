import { callerOf, type Caller, type TokenKind } from './callers.ts'
import type { Catalog } from './catalog.ts'
import { readChanges, readDigest, readExport, readTags, Waiters } from './feed-reads.ts'
import { CONFLICTS, QUERIES, readQuery } from './parameters.ts'
import { Problem, type Reply } from './problem.ts'
import { findListed, openLocales, pricesIn, readList, seenBy, textWith } from './product-reads.ts'
import { readGroup, readGroups } from './variant-group-reads.ts'
import type { MirrorChecks } from './mirror-checks.ts'
import type { AccountWrites } from './writes/account.ts'

// Routes a request to the function that answers it.

export interface Asked {
  method: string
  origin: string
  pathname: string
  searchParams: URLSearchParams
  headers: Headers
  body: string
  signal: AbortSignal
}

type Route = keyof typeof QUERIES
type Read = (asked: Asked & { caller: Caller; id: number }) => string | Reply | Promise<string | Reply>

/** Headers of every answer. */
const STANDARD = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
/** Headers of every answer below `/v1`. */
const GUARDED = { 'cache-control': 'private, no-cache', vary: 'Authorization, Accept-Encoding' }

export class Routes {
  isSuspended = false
  readonly #catalog: Catalog
  readonly #tokens: Readonly<Record<string, TokenKind>>
  readonly #writes: AccountWrites
  readonly #checks: MirrorChecks
  readonly #waiters = new Waiters()
  readonly #reads: Readonly<Record<string, Read>>

  constructor(
    catalog: Catalog,
    tokens: Readonly<Record<string, TokenKind>>,
    { account, checks }: { account: AccountWrites; checks: MirrorChecks },
  ) {
    this.#catalog = catalog
    this.#writes = account
    this.#checks = checks
    this.#tokens = tokens
    this.#reads = this.#readsByPath()
  }

  /** Answers any request; a Problem becomes its answer. */
  async answer(asked: Asked): Promise<Reply> {
    const isBelow = /^\/v1(?:\/|$)/.test(asked.pathname)
    const guarded = isBelow ? { ...STANDARD, ...GUARDED } : STANDARD
    try {
      const reply = await this.#found(asked, isBelow)
      const headers = { ...guarded, ...reply.headers }
      const isRead = asked.method === 'GET' || asked.method === 'HEAD'
      const known = isRead ? asked.headers.get('if-none-match') : null
      return isKnown(known, reply.headers['etag'] ?? '')
        ? { status: 304, headers: without(headers, reply), body: null }
        : { ...reply, headers }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { status, headers, body } = error.reply(asked.origin)
      return { status, headers: { ...guarded, ...headers }, body }
    }
  }

  async #found(asked: Asked, isBelow: boolean): Promise<Reply> {
    const { method, pathname, headers } = asked
    if (!isBelow) throw nothingHere()
    const caller = callerOf(headers.get('authorization'), this.#tokens)
    if (this.isSuspended)
      throw new Problem(
        'account-suspended',
        'the operator of this service has suspended the account; its members read why in the panel',
      )
    if (/^\/v1\/account(?:\/|$)/.test(pathname)) {
      if (!caller.mayWrite)
        throw new Problem(
          'insufficient-scope',
          'this needs a token with full access; a connector token reads finished products',
        )
      const { searchParams: search, body } = asked
      return this.#writes.answer({ method, path: pathname.slice('/v1'.length), search, headers, body })
    }
    const [, base = '', last] = /^\/v1(\/.*?)(?:\/([^/]*))?$/.exec(pathname) ?? []
    const read =
      this.#reads[pathname.slice('/v1'.length)] ?? (last === undefined ? undefined : this.#reads[`${base}/{id}`])
    if (/^\/v1\/products\/[^/]+\/explain$/.test(pathname))
      throw new Problem('unknown-route', 'the fake of @shelfwire/client/testing explains no prices: it computes none')
    if (read === undefined) throw nothingHere()
    const isTold = pathname === '/v1/digest/checks'
    if (isTold && method === 'POST')
      return {
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ data: this.#checks.tell(headers, asked.body) }),
      }
    if (method !== 'GET' && method !== 'HEAD')
      throw new Problem('method-not-allowed', `${method} is not possible here; Allow names what is`, {
        headers: { allow: isTold ? 'GET, HEAD, POST' : 'GET, HEAD' },
      })
    const found = await read({ ...asked, caller, id: idIn(last ?? '') })
    return typeof found === 'string' ? this.#json(found) : found
  }

  async #json(body: string, tag?: string): Promise<Reply> {
    const etag = `"${tag ?? (await this.#catalog.hash(body, 'base64url')).slice(0, 24)}"`
    return { status: 200, headers: { etag, 'content-type': 'application/json; charset=utf-8' }, body }
  }

  #readsByPath(): Readonly<Record<string, Read>> {
    const catalog = this.#catalog
    const read = <R extends Route>(route: R, { searchParams }: Asked) =>
      readQuery(searchParams, QUERIES[route], CONFLICTS[route])
    return {
      '/stores'(asked) {
        read('none', asked)
        return JSON.stringify({ data: catalog.active })
      },
      '/customer-groups'(asked) {
        read('none', asked)
        return JSON.stringify({ data: catalog.groups })
      },
      '/categories'(asked) {
        const { slug } = catalog.find(read('categories', asked).store)
        return JSON.stringify({ data: catalog.categories[slug] ?? [], store: slug })
      },
      '/products': (asked) => readList(catalog, asked.caller, 'products', read('products', asked)),
      '/prices': (asked) => readList(catalog, asked.caller, 'prices', read('prices', asked)),
      '/products/{id}': (asked) => this.#product(asked, read('product', asked)),
      '/prices/{id}'(asked) {
        const { listed } = findListed(catalog, read('pricesOfOne', asked).store, asked.id)
        return `{"data":${pricesIn(seenBy(asked.caller, listed))}}`
      },
      '/groups': (asked) => readGroups(catalog, read('groups', asked)),
      '/groups/{id}': (asked) => readGroup(catalog, asked.caller, asked.id, read('group', asked)),
      '/changes': (asked) => readChanges(catalog, asked.caller, this.#waiters, read('changes', asked), asked.signal),
      '/export': (asked) => readExport(catalog, asked.caller, read('export', asked), asked.headers.get('accept')),
      '/digest': (asked) => readDigest(catalog, asked.caller, read('digest', asked)),
      '/digest/checks': (asked) => {
        read('none', asked)
        return JSON.stringify({ data: this.#checks.list() })
      },
      '/digest/products': (asked) => readTags(catalog, asked.caller, read('tags', asked)),
    }
  }

  async #product(
    { caller, id }: { caller: Caller; id: number },
    query: ReturnType<typeof readQuery<(typeof QUERIES)['product']>>,
  ): Promise<Reply> {
    const { store, listed } = findListed(this.#catalog, query.store, id)
    const text = seenBy(caller, listed)
    if (query.locales !== undefined)
      return this.#json(`{"data":${openLocales(this.#catalog, store, query.fields).add(text)}}`)
    if (query.fields !== undefined) return this.#json(`{"data":${textWith(text, query.fields)}}`)
    // the ETag is both tags, one after the other, as the service makes it
    const { content, price } = await this.#catalog.tags(listed, text)
    return this.#json(`{"data":${text}}`, content + price)
  }
}

const nothingHere = () => new Problem('unknown-route', 'there is nothing at this address; /docs lists what there is')

/** The id in a path; 0 where no product can have it. */
function idIn(text: string): number {
  const id = /^[1-9]\d{0,18}$/.test(text) ? Number(text) : 0
  return Number.isSafeInteger(id) ? id : 0
}

/** If-None-Match: `*` or a list, compared weakly. */
function isKnown(header: string | null, etag: string): boolean {
  if (header === null || etag === '') return false
  if (header.trim() === '*') return true
  const plain = (text: string) => text.trim().replace(/^W\//, '')
  return header.split(',').some((entry) => plain(entry) === plain(etag))
}

/** The headers of a 304: only that of an export has a content type. */
function without(headers: Readonly<Record<string, string>>, { headers: own }: Reply): Record<string, string> {
  const isExport = own['shelfwire-next-id'] !== undefined
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isExport || name !== 'content-type'))
}
