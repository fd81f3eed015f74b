import type {
  AnswerOf,
  CallOf,
  ChangesQuery,
  DigestQuery,
  Export,
  ListQuery,
  OfFields,
  OfLocales,
  OfStore,
  Operation,
  Part,
  ProductField,
  TagsQuery,
} from './queries.ts'
import { linesIn, productsIn } from './lines.ts'
import { Sender, notShelfwire, type Answer, type ClientOptions, type Request } from './sender.ts'
import { Sync, type SyncOptions } from './sync/sync.ts'
import type {
  ChangeList,
  CustomerGroup,
  DigestList,
  GroupProducts,
  List,
  ListedCategory,
  ListedGroup,
  Meta,
  Product,
  ProductPrices,
  ProductTags,
  Store,
} from './answers.ts'
import type { VerifiableTarget } from './verify/held.ts'
import type { Verified, VerifyOptions } from './verify/verify.ts'

export { ShelfwireError, type Fault } from './error.ts'
export type { Answer, ClientOptions, Request } from './sender.ts'
export type { Status, Sync, SyncOptions } from './sync/sync.ts'
export type { Batch, Target } from './sync/target.ts'
export type { Damage, Held, VerifiableTarget } from './verify/held.ts'
export { VerifyError } from './verify/verify-error.ts'
export type { Finding } from './verify/comparison.ts'
export type { Verified, VerifyOptions } from './verify/verify.ts'
export type * from './queries.ts'
export type * from './answers.ts'
export type { Api, Schemas } from './api.ts'

/** How many ids one request may name, and how many products a page has at most. */
const PAGE = 200

interface GroupPage {
  data: ListedGroup[]
  meta: { next_after_id: number | null }
}

/** Products, or their prices and stock alone. `Choice`: the members that `fields` may name. */
class Items<T extends { id: number }, Choice extends keyof T & string = never> {
  readonly #sender: Sender
  readonly #path: string

  constructor(sender: Sender, path: string) {
    this.#sender = sender
    this.#path = path
  }

  /** @throws ShelfwireError `unknown-product` where the store does not list it */
  async get<F extends Choice = never>(
    id: number,
    { store, fields, locales, signal }: OfStore & OfFields<F> & OfLocales = {},
  ): Promise<Part<T, F>> {
    const query = { store, fields: fields?.join(','), locales }
    const { data } = await this.#sender.send<{ data: Part<T, F> }>({ path: `${this.#path}/${id}`, query, signal })
    return required(data).data
  }

  /** One page; with `ids` all of them that the store lists, in as many requests as it takes. @throws ShelfwireError */
  async list<F extends Choice = never>({
    store,
    ids,
    sku,
    ean,
    slug,
    page,
    perPage,
    fields,
    locales,
    signal,
  }: ListQuery & OfFields<F> & OfLocales = {}): Promise<List<Part<T, F>>> {
    const most = ids === undefined || locales === undefined ? PAGE : await this.#idsMax(signal)
    if (ids !== undefined && (ids.length === 0 || ids.length > most))
      return this.#ofIds(ids, most, { store, fields, locales, signal })
    const query = {
      store,
      ids: ids?.join(','),
      sku,
      ean,
      slug: slug?.join(','),
      page,
      per_page: perPage ?? (ids === undefined ? undefined : PAGE),
      fields: fields?.join(','),
      locales,
    }
    const { data } = await this.#sender.send<List<Part<T, F>>>({ path: this.#path, query, signal })
    return withList(data, 'data')
  }

  /** How many ids a request with `locales: 'all'` may name: products times locales are at most `PAGE`. */
  async #idsMax(signal: AbortSignal | undefined): Promise<number> {
    const { data } = await this.#sender.send<{ data: Store[] }>({ path: '/stores', signal })
    return Math.max(1, Math.floor(PAGE / new Set(withList(data, 'data').data.map(({ locale }) => locale)).size))
  }

  async #ofIds<F extends Choice>(
    ids: readonly number[],
    most: number,
    of: OfStore & OfFields<F> & OfLocales,
  ): Promise<List<Part<T, F>>> {
    const lists: List<Part<T, F>>[] = []
    for (let i = 0; i < ids.length; i += most) lists.push(await this.list({ ...of, ids: ids.slice(i, i + most) }))
    const data = lists.flatMap((one) => one.data)
    // without ids, only the slug of the store is needed, which a page of one product has
    if (ids.length === 0) lists.push(await this.list({ ...of, perPage: 1 }))
    const meta = { current_page: 1, per_page: Math.max(1, ids.length), last_page: 1, total: data.length }
    return { data, store: required(lists[0]).store, meta }
  }

  /** All items of a store by ascending id, after `afterId`. No item that stays in the store is missed, whatever changes meanwhile. */
  async *walk<F extends Choice = never>({
    store,
    fields,
    locales,
    signal,
    afterId = 0,
  }: OfStore & OfFields<F> & OfLocales & { afterId?: number } = {}): AsyncGenerator<Part<T, F>> {
    for (let after: number | null = afterId; after !== null;) {
      const query: Request['query'] = { store, after_id: after, per_page: PAGE, fields: fields?.join(','), locales }
      const { data } = await this.#sender.send<List<Part<T, F>>>({ path: this.#path, query, signal })
      const list: List<Part<T, F>> = withList(data, 'data')
      yield* list.data
      after = onward(after, list.meta?.next_after_id)
    }
  }
}

/**
 * A client of one account's catalog. Requests are repeated where that is safe; a request that fails throws a `ShelfwireError`.
 *
 * ```ts
 * const shelf = new Shelfwire({ url: 'https://catalog.example', token })
 * const { data } = await shelf.products.list({ store: 'de', ids: [1, 2, 3] })
 * ```
 */
export class Shelfwire {
  readonly products: Items<Product, ProductField>
  readonly prices: Items<ProductPrices>
  readonly #sender: Sender

  constructor(options: ClientOptions) {
    this.#sender = new Sender(options)
    this.products = new Items(this.#sender, '/products')
    this.prices = new Items(this.#sender, '/prices')
  }

  /** Any route of the API, with the same repetitions and errors: `request({ method: 'PUT', path: '/account/…', body })`. */
  request<T = unknown>(request: Request): Promise<Answer<T>> {
    return this.#sender.send<T>(request)
  }

  /**
   * Any read or write that is sent and answered as JSON, with the types of the contract:
   * `call('PUT /account/stores/{slug}', { params: { slug: 'de' }, body: { name: 'Deutsch', locale: 'de', currency: 'EUR' } })`.
   * @throws ShelfwireError
   */
  call<O extends Operation>(
    operation: O,
    ...[asked]: object extends CallOf<O> ? [asked?: CallOf<O>] : [asked: CallOf<O>]
  ): Promise<Answer<AnswerOf<O>>> {
    const { params = {}, ...request } = (asked ?? {}) as Partial<Request> & { params?: Record<string, string | number> }
    const [method, path = ''] = operation.split(' ')
    return this.#sender.send<AnswerOf<O>>({
      ...request,
      method: method as NonNullable<Request['method']>,
      path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    })
  }

  /** The active stores, the default one first. */
  async stores({ signal }: { signal?: AbortSignal } = {}): Promise<Store[]> {
    const { data } = await this.#sender.send<{ data: Store[] }>({ path: '/stores', signal })
    return withList(data, 'data').data
  }

  async customerGroups({ signal }: { signal?: AbortSignal } = {}): Promise<CustomerGroup[]> {
    const { data } = await this.#sender.send<{ data: CustomerGroup[] }>({ path: '/customer-groups', signal })
    return withList(data, 'data').data
  }

  /** The account's own categories, named in the store's language: from the top down, each followed by those below it. */
  async categories({ store, signal }: OfStore = {}): Promise<ListedCategory[]> {
    const { data } = await this.#sender.send<{ data: ListedCategory[] }>({
      path: '/categories',
      query: { store },
      signal,
    })
    return withList(data, 'data').data
  }

  /** The groups of variants of which a store lists a product, by ID ascending. */
  async *groups({ store, signal, afterId = 0 }: OfStore & { afterId?: number } = {}): AsyncGenerator<ListedGroup> {
    for (let after: number | null = afterId; after !== null;) {
      const query: Request['query'] = { store, after_id: after, per_page: PAGE }
      const { data } = await this.#sender.send<GroupPage>({ path: '/groups', query, signal })
      const page: GroupPage = withList(data, 'data')
      yield* page.data
      after = onward(after, page.meta?.next_after_id)
    }
  }

  /**
   * A group of variants with the products that the store lists, at most 1,000.
   * @throws ShelfwireError `unknown-variant-group` where the group does not exist any more, or the store lists none of its products
   */
  async group<F extends ProductField = never>(
    id: number,
    { store, fields, signal }: OfStore & OfFields<F> = {},
  ): Promise<GroupProducts<Part<Product, F>>> {
    const products: Part<Product, F>[] = []
    for (let page = 1; ; page++) {
      const query = { store, page, per_page: PAGE, fields: fields?.join(',') }
      const { data } = await this.#sender.send<{ data: GroupProducts<Part<Product, F>>; meta: Meta }>({
        path: `/groups/${id}`,
        query,
        signal,
      })
      const { data: group, meta } = required(data)
      products.push(...group.products)
      if (page >= meta.last_page || group.products.length === 0) return { ...group, products }
    }
  }

  /** One window of the change feed. `sync` reads all windows and keeps the cursor. */
  async changes<F extends ProductField = never>({
    store,
    cursor,
    wait,
    limit,
    expand,
    fields,
    signal,
  }: ChangesQuery & OfFields<F> = {}): Promise<ChangeList<Part<Product, F>>> {
    const position = cursor === undefined ? {} : cursor === 'now' ? { since: 'now' } : { ...cursor }
    const query = {
      store,
      ...position,
      wait,
      limit,
      expand: expand === true ? 'products' : undefined,
      fields: fields?.join(','),
    }
    const { data } = await this.#sender.send<ChangeList<Part<Product, F>>>({ path: '/changes', query, signal })
    const list = withList(data, 'changes')
    const { next_since: since, next_id: id, has_more: hasMore }: { [M in keyof ChangeList]?: unknown } = list
    if (typeof since !== 'string' || !Number.isSafeInteger(id) || typeof hasMore !== 'boolean')
      throw notShelfwire(new Response(), 'changes without a cursor')
    return list
  }

  /**
   * Streams all products of a store. A regular end does not prove that it is complete, because a proxy may end a transfer that was cut off as if it
   * were complete. `sync` therefore reads the pages after the last product, as you can with `products.walk({ afterId })`.
   * @throws ShelfwireError while it is read, where the transfer was cut off
   */
  async export<F extends ProductField = never>({
    store,
    fields,
    locales,
    signal,
  }: OfStore & OfFields<F> & OfLocales = {}): Promise<Export<F>> {
    const { headers, chunks, cancel } = await this.#sender.stream({
      path: '/export',
      query: { store, fields: fields?.join(','), locales },
      headers: { Accept: 'application/x-ndjson' },
      signal,
    })
    const since = headers.get('shelfwire-next-since')
    const id = Number(headers.get('shelfwire-next-id') ?? Number.NaN)
    if (since === null || !Number.isSafeInteger(id)) {
      cancel()
      throw notShelfwire(new Response(null, { headers }), 'an export without a cursor')
    }
    const lines = linesIn(chunks)
    return { cursor: { since, since_id: id }, products: productsIn<Part<Product, F>>(lines), lines, cancel }
  }

  /** One page of the digests by which a mirror proves that it is equal. `verify` reads and compares them. */
  async digest({ store, half, afterBlock, limit, signal }: DigestQuery = {}): Promise<DigestList> {
    const query = { store, half, after_block: afterBlock, limit }
    return withList((await this.#sender.send<DigestList>({ path: '/digest', query, signal })).data, 'data')
  }

  /** One page of the tags that digests are made of. */
  async productTags({ store, half, afterId, limit, signal }: TagsQuery = {}): Promise<ProductTags> {
    const query = { store, half, after_id: afterId, limit }
    return withList((await this.#sender.send<ProductTags>({ path: '/digest/products', query, signal })).data, 'data')
  }

  /**
   * Compares a mirror with the service, byte for byte: by digests, without reading the products that are equal. With `repair` it reads what is
   * missing or different again, and removes what the service does not have.
   * @throws VerifyError where a store is not filled yet, or the service was restored from an older backup
   */
  async verify(target: VerifiableTarget, options: VerifyOptions): Promise<Verified[]> {
    // loaded only where a mirror is verified
    const { verify } = await import('./verify/verify.ts')
    return verify(this, target, options)
  }

  /** Keeps a mirror of stores in a target. Nothing is sent before its `run` or `once` is called. */
  sync(options: SyncOptions): Sync {
    return new Sync(this, options)
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw notShelfwire(new Response(), 'an answer without data')
  return value
}

/** @throws ShelfwireError `not-shelfwire` where the list is missing: another server answered with JSON of its own */
function withList<T extends object>(value: T | undefined, name: keyof T & string): T {
  const answer = required(value)
  if (!Array.isArray(answer?.[name])) throw notShelfwire(new Response(), `an answer without a list \`${name}\``)
  return answer
}

/**
 * The id after which the next page begins; null after the last page, the only one whose answer says null.
 * @throws ShelfwireError `not-shelfwire` where it is not above the id before: the pages would never end
 */
function onward(after: number, next: number | null | undefined): number | null {
  if (next === null) return null
  if (next === undefined || !(next > after))
    throw notShelfwire(new Response(), `the page after ${after} is followed by that after ${next}`)
  return next
}
