import type { Schemas } from '../api.ts'
import type { CustomerGroup, ListedCategory, Product, Store } from '../answers.ts'
import { Catalog } from './catalog.ts'
import type { TokenKind } from './callers.ts'
import { MirrorChecks } from './mirror-checks.ts'
import { signedDelivery, type GivenDelivery, type SignedDelivery } from './delivery.ts'
import { delay, faultReply, Faults, faultyBody, type Fault } from './fault.ts'
import {
  groupsOf,
  storesOf,
  wholeProduct,
  type GivenGroup,
  type GivenProduct,
  type GivenStore,
} from './given-product.ts'
import type { Listening, Sent } from './listen.ts'
import type { ProblemCode } from './problem.ts'
import { Routes } from './routes.ts'
import { AccountWrites } from './writes/account.ts'
import type { GivenSupplier, Write } from './writes/written.ts'

export type { GivenDelivery, SignedDelivery } from './delivery.ts'
export type { Fault } from './fault.ts'
export type { GivenGroup, GivenProduct, GivenStore } from './given-product.ts'
export type { Listening } from './listen.ts'
export type { GivenSupplier, Offer, OwnStock, ProductAsSet, Rate, Supplier, Write } from './writes/written.ts'
export type { ProblemCode, TokenKind }

export interface FakeOptions {
  /** The first is the default one; one store `main` unless set. */
  stores?: readonly GivenStore[]
  /** One group `Retail` unless set. */
  customerGroups?: readonly GivenGroup[]
  /** By the slug of the store that lists them, in the order of the answer. */
  categories?: Readonly<Record<string, readonly ListedCategory[]>>
  /** Products of every store. For products of only some stores, use `put`. */
  products?: readonly GivenProduct[]
  /** The account's members; those left out are as for a new account, in the currency and locale of the default store. */
  account?: Partial<Schemas['AccountResource']>
  /** The suppliers whose offers may be written; one `supplier` unless set. */
  suppliers?: readonly GivenSupplier[]
  /**
   * Called for each write that has changed something, before it is answered. The fake resolves nothing: what readers see of the write, the test states
   * here, by `put`, `change`, `exclude` and so on. `fetch` rejects with its errors. A deleted product has left every store already.
   */
  onWrite?: (write: Write, fake: FakeShelfwire) => void
  /** The tokens and what each permits: `{ sw_fake: 'connector' }` unless set, which may only read. */
  tokens?: Readonly<Record<string, TokenKind>>
  /** The clock, in milliseconds. */
  now?: () => number
}

/** A request that the fake has received. */
export interface Seen {
  method: string
  /** Below `/v1`. */
  path: string
  query: Record<string, string>
  /** 0: there was no answer. */
  status: number
  requestId: string
}

/** No server can have this address, so requests that bypass the fake's `fetch` fail. */
const URL_OF_FAKE = 'https://shelfwire.invalid'

/**
 * A Shelfwire in memory, for tests of its clients: it answers as the service does, with the data that the test states.
 *
 * ```ts
 * const fake = new FakeShelfwire({ stores: [{ slug: 'de' }], products: [{ id: 7, title: 'Hammer', price: 9.9 }] })
 * const shelf = new Shelfwire(fake)
 * ```
 */
export class FakeShelfwire {
  /** For the client, together with `token` and `fetch`. No server has this address. */
  readonly url = URL_OF_FAKE
  /** The first of the tokens. */
  readonly token: string
  /** The requests so far, in the order in which they were answered. */
  readonly requests: Seen[] = []
  readonly #catalog: Catalog
  readonly #routes: Routes
  readonly #writes: AccountWrites
  readonly #checks: MirrorChecks
  readonly #faults = new Faults()
  #restore: () => void

  /** @throws TypeError where stores or products are invalid */
  constructor({
    stores = [{ slug: 'main' }],
    customerGroups = [{ name: 'Retail' }],
    categories = {},
    products = [],
    account = {},
    suppliers = [{ code: 'supplier' }],
    onWrite = () => {},
    tokens = { sw_fake: 'connector' },
    now = Date.now,
  }: FakeOptions = {}) {
    this.token = Object.keys(tokens)[0] ?? ''
    this.#catalog = new Catalog(storesOf(stores), groupsOf(customerGroups), categories, now)
    this.#writes = new AccountWrites(
      this.#catalog,
      { account, suppliers },
      {
        now,
        onWrite: (write) => this.#written(write, onWrite),
      },
    )
    this.#checks = new MirrorChecks(this.#catalog, now)
    this.#routes = new Routes(this.#catalog, tokens, { account: this.#writes, checks: this.#checks })
    for (const { slug } of this.stores) this.#catalog.put(slug, products)
    this.#restore = this.#remembered()
  }

  #remembered(): () => void {
    const restores = [this.#catalog.remember(), this.#writes.remember(), this.#checks.remember()]
    return () => restores.forEach((restore) => restore())
  }

  /** Removes a deleted product from all stores, as the service always does, and then calls the test's `onWrite`. */
  #written(write: Write, onWrite: NonNullable<FakeOptions['onWrite']>): void {
    if (write.kind === 'product' && write.now === null)
      for (const slug of this.#catalog.slugs) this.#catalog.remove(slug, [write.productId])
    onWrite(write, this)
  }

  /** The reports of mirrors on whether they are equal, by store and name. */
  get checks(): readonly Schemas['MirrorCheck'][] {
    return this.#checks.list()
  }

  /** The active stores, the default one first. */
  get stores(): readonly Store[] {
    return this.#catalog.active
  }

  get customerGroups(): readonly CustomerGroup[] {
    return this.#catalog.groups
  }

  /** The products that a store lists, by ID ascending. @throws TypeError without such a store */
  products(store: string): Product[] {
    return this.#catalog.all(store).map(({ product }) => structuredClone(product))
  }

  /** For `new Shelfwire({ …, fetch })`, and any other code that takes a `fetch`. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { url, method, headers, signal } = request
    signal.throwIfAborted()
    return this.#answer({ method, url, headers, body: await request.text(), signal })
  }

  /**
   * Serves the fake at an address of this machine until it is closed, for a client in another process or language.
   * @param port a free one unless set
   */
  async listen({ port = 0 }: { port?: number } = {}): Promise<Listening> {
    // loaded only where a test listens
    const { listenOnLoopback } = await import('./listen.ts')
    return listenOnLoopback((sent) => this.#answer(sent), port)
  }

  async #answer({ method, url, headers, body, signal }: Sent): Promise<Response> {
    const { origin, pathname, searchParams } = new URL(url)
    const path = pathname.replace(/^\/v1(?=\/)/, '')
    const given = headers.get('x-request-id')
    const requestId = given !== null && /^[\w.:=+/-]{1,128}$/.test(given) ? given : crypto.randomUUID()
    const seen = { method, path, query: Object.fromEntries(searchParams), status: 0, requestId }
    const fault = this.#faults.take(method, path) ?? {}
    try {
      if (fault.delayMs !== undefined) await delay(fault.delayMs, signal)
      if (fault.reset === true) throw new TypeError('fetch failed', { cause: new Error('the connection was reset') })
      const asked = { method, origin, pathname, searchParams, headers, body, signal }
      const reply = faultReply(fault, origin) ?? (await this.#routes.answer(asked))
      if (fault.lost === true) throw new TypeError('fetch failed', { cause: new Error('the connection was reset') })
      seen.status = reply.status
      const isWithoutBody = reply.body === null || method === 'HEAD' || reply.status === 304
      return new Response(isWithoutBody ? null : faultyBody(reply.body ?? '', fault, signal), {
        status: reply.status,
        headers: { 'x-request-id': requestId, ...reply.headers },
      })
    } finally {
      this.requests.push(seen)
    }
  }

  /**
   * Writes whole products of one or more stores; members that are left out get the values of a new product. Only halves that differ for
   * readers become changes in the feed.
   * @throws TypeError without such a store, or where a product is invalid
   */
  put(store: string | readonly string[], ...products: GivenProduct[]): void {
    for (const slug of [store].flat()) this.#catalog.put(slug, products)
  }

  /** Changes some members of a product that the store lists; `price` changes all its prices. @throws TypeError where it does not list it */
  change(store: string | readonly string[], id: number, members: Omit<GivenProduct, 'id'>): void {
    for (const slug of [store].flat()) {
      const before = this.#catalog.listed(slug).get(id)?.product
      if (before === undefined) throw new TypeError(`the store ${slug} lists no product ${id}`)
      const { price, ...others } = members
      const prices = price === undefined ? before.prices : this.#pricesOf(slug, id, price)
      const { store: _store, texts: _texts, ...own } = before
      this.#catalog.put(slug, [{ ...own, prices, ...others }])
    }
  }

  #pricesOf(slug: string, id: number, price: number): Product['prices'] {
    const store = this.stores.find((one) => one.slug === slug)
    return store === undefined ? [] : wholeProduct({ id, price }, store, this.customerGroups).prices
  }

  /** Removes products from one or more stores. */
  remove(store: string | readonly string[], ...ids: number[]): void {
    for (const slug of [store].flat()) this.#catalog.remove(slug, ids)
  }

  /** Excludes a product: it stays in the list and must not be sold. */
  exclude(store: string | readonly string[], id: number, reason = 'excluded_by_hand'): void {
    this.change(store, id, { excluded: true, exclusion_reason: reason })
  }

  include(store: string | readonly string[], id: number): void {
    this.change(store, id, { excluded: false, exclusion_reason: null })
  }

  /** Names unchanged products in the feed, to test that readers do no harm by reading them again. */
  announce(store: string, kind: 'price' | 'content' | 'removed', ...ids: number[]): void {
    this.#catalog.announce(store, [kind], ids)
  }

  /** From now on requests for the store are answered 404 `unknown-store`. */
  deactivate(store: string): void {
    this.#catalog.activate(store, false)
  }

  /** Makes the store active again, with its products and those written meanwhile. */
  activate(store: string): void {
    this.#catalog.activate(store, true)
  }

  /** From now on every request is answered 403 `account-suspended`. */
  suspend(): void {
    this.#routes.isSuspended = true
  }

  resume(): void {
    this.#routes.isSuspended = false
  }

  /** Makes a backup for `restore`. The first one is made by the constructor. */
  backup(): void {
    this.#restore = this.#remembered()
  }

  /** Restores the last backup. Cursors from after it are answered 410 `cursor-ahead`. */
  restore(): void {
    this.#restore()
  }

  /** Makes the next requests fail. Of several faults that match a request, the one that was added first is used. */
  fault(fault: Fault): void {
    this.#faults.add(fault)
  }

  /** Ends all faults. */
  heal(): void {
    this.#faults.clear()
  }

  /** A signed delivery, for tests of a receiver of webhooks. @throws TypeError without such a store */
  async webhook({ store, ...given }: GivenDelivery): Promise<SignedDelivery> {
    const id = store === null ? null : this.#catalog.idOf(store)
    return signedDelivery(given, id)
  }
}
