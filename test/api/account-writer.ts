import { expect } from 'vitest'
import { auditAccount } from '../../src/shelf/audit.ts'
import { createAccount, type TestAccount, expectAudited } from '../harness/account.ts'
import { client, tokenFor, type Answer, type TestService } from '../harness/service.ts'
import type { Documented } from './documented.ts'

/** A product as a client reads it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Product = Record<string, any> & { id: number }
/** Products of a store by id. */
export type Shelf = Map<number, Product>
export type Kind = 'price' | 'content' | 'removed'

const PRICE_MEMBERS = ['prices', 'stock'] as const

/** A client with a full token that writes below /v1/account and compares what the stores' clients read. */
export class AccountWriter {
  readonly account: TestAccount
  readonly token: string
  readonly service: TestService
  readonly document: Documented
  readonly http: (path: string, init?: RequestInit) => Promise<Answer>

  private constructor(service: TestService, document: Documented, account: TestAccount, token: string) {
    this.service = service
    this.document = document
    this.account = account
    this.token = token
    this.http = client(service.url, token)
  }

  /** An account of the harness (stores main, de, pl; groups; rates; suppliers north, south), written over HTTP alone. */
  static async open(service: TestService, document: Documented, name: string): Promise<AccountWriter> {
    const account = await createAccount(service.runtime, name)
    return new AccountWriter(service, document, account, await tokenFor(service.runtime, account.accountId, 'full'))
  }

  /** Sends any request and validates its answer by the OpenAPI document. A text is sent as it is, bytes as a PNG, anything else as JSON. */
  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const type = body instanceof Uint8Array ? 'image/png' : 'application/json'
    const isAsItIs = typeof body === 'string' || body instanceof Uint8Array
    const answer = await this.http(path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      ...(body === undefined ? {} : { body: isAsItIs ? (body as RequestInit['body'] & {}) : JSON.stringify(body) }),
    })
    this.document.hold(method, path, answer)
    return answer
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(method, `/v1/account${path}`, body, headers)
  }

  /** Sends a write that must succeed. @returns the `data` of its answer. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async say(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.send(method, path, body)
    expect([method, path, answer.status < 300 ? 'taken' : `${answer.status} ${answer.text}`]).toEqual([
      method,
      path,
      'taken',
    ])
    return answer.body?.data
  }

  /** Sends a request that must be refused. @returns the problem. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async refused(method: string, path: string, body: unknown, status: number): Promise<any> {
    const answer = await this.send(method, path, body)
    expect([method, path, answer.status, answer.text.slice(0, 300)]).toEqual([method, path, status, expect.any(String)])
    return answer.body
  }

  async slugs(): Promise<string[]> {
    return (await this.ask('GET', '/v1/stores')).body.data.map((store: { slug: string }) => store.slug)
  }

  async cursor(slug: string): Promise<string> {
    const { status, body } = await this.ask('GET', `/v1/changes?store=${slug}&since=now`)
    expect([slug, status]).toEqual([slug, 200])
    return `since=${encodeURIComponent(body.next_since)}&since_id=${body.next_id}`
  }

  /** All changes in a store's feed after a cursor: sorted kinds by product id. */
  async told(slug: string, cursor: string): Promise<Record<number, Kind[]>> {
    const told: Record<number, Kind[]> = {}
    for (let at = cursor; ;) {
      const { status, body } = await this.ask('GET', `/v1/changes?store=${slug}&limit=1000&${at}`)
      expect([slug, status]).toEqual([slug, 200])
      for (const change of body.changes) told[change.product_id] = [...change.change_types].sort()
      if (!body.has_more) return told
      at = `since=${encodeURIComponent(body.next_since)}&since_id=${body.next_id}`
    }
  }

  async shelf(slug: string): Promise<Shelf> {
    const shelf: Shelf = new Map()
    for (let after: number | null = 0; after !== null;) {
      const { status, body }: Answer = await this.ask(
        'GET',
        `/v1/products?store=${slug}&per_page=200&after_id=${after}`,
      )
      expect([slug, status]).toEqual([slug, 200])
      for (const product of body.data) shelf.set(product.id, product)
      after = body.meta.next_after_id
    }
    return shelf
  }

  /** The products of each active store now, and the cursor of its feed. */
  async look(): Promise<Look> {
    const look: Look = new Map()
    for (const slug of await this.slugs())
      look.set(slug, { cursor: await this.cursor(slug), shelf: await this.shelf(slug) })
    return look
  }

  /**
   * Runs `work` and fails unless the feed of each store that is active before and after names exactly the products whose
   * payloads differ, each with the halves that differ. @returns those changes by store.
   */
  async changesOf(work: () => Promise<unknown>): Promise<Record<string, Record<number, Kind[]>>> {
    const before = await this.look()
    await work()
    return await this.changesSince(before)
  }

  async changesSince(before: Look): Promise<Record<string, Record<number, Kind[]>>> {
    const told: Record<string, Record<number, Kind[]>> = {}
    const differing: Record<string, Record<number, Kind[]>> = {}
    for (const slug of await this.slugs()) {
      const then = before.get(slug)
      if (then === undefined) continue
      told[slug] = await this.told(slug, then.cursor)
      differing[slug] = differences(then.shelf, await this.shelf(slug))
    }
    expect(told, 'the feed names what differs').toEqual(differing)
    return told
  }

  /** All account resources and everything that the stores' clients read, as one value to compare. */
  async everything(): Promise<Record<string, unknown>> {
    const all: Record<string, unknown> = { account: (await this.send('GET', '')).body }
    const lists = [
      'stores',
      'groups',
      'rates',
      'tax-classes',
      'price-lists',
      'categories',
      'variant-groups',
      'attributes',
      'suppliers',
      'source-orders',
      'pricing-rules',
      'exclusion-rules',
      'assortment-rules',
      'channels',
      'notice-channels',
      'products',
      'operations',
    ]
    for (const list of lists) all[list] = (await this.send('GET', `/${list}?per_page=200`)).body.data
    for (const { code } of all['suppliers'] as { code: string }[]) {
      all[`offers of ${code}`] = (await this.send('GET', `/suppliers/${code}/offers?per_page=200`)).body.data
      all[`sources of ${code}`] = (await this.send('GET', `/suppliers/${code}/sources`)).body.data
    }
    for (const { key } of all['price-lists'] as { key: string }[])
      all[`entries of ${key}`] = (await this.send('GET', `/price-lists/${key}/entries`)).body.data
    for (const { id } of all['products'] as { id: number }[])
      all[`stock of ${id}`] = (await this.send('GET', `/products/${id}/stock`)).body.data ?? null
    for (const [slug, { cursor, shelf }] of await this.look())
      all[`store ${slug}`] = { cursor, shelf: [...shelf.values()] }
    return all
  }

  /** Waits until all operations have succeeded and no product of the account waits to be resolved. */
  async atRest(): Promise<void> {
    await expect
      .poll(
        async () =>
          (await this.send('GET', '/operations')).body.data
            .map((row: { kind: string; state: string }) => `${row.kind} ${row.state}`)
            .filter((row: string) => !row.endsWith('succeeded')),
        { timeout: 20_000, interval: 30 },
      )
      .toEqual([])
    await expect
      .poll(async () => (await auditAccount(this.service.runtime.db, this.account.accountId)).isStale, {
        timeout: 20_000,
        interval: 30,
      })
      .toBe(false)
  }

  /** Fails unless every payload is what its inputs resolve to. */
  async audit(): Promise<void> {
    await expectAudited(this.service.runtime.db, this.account.accountId)
  }
}

export type Look = Map<string, { cursor: string; shelf: Shelf }>

/** The changes that a store's feed must announce between two states of the store. */
export function differences(before: Shelf, after: Shelf): Record<number, Kind[]> {
  const told: Record<number, Kind[]> = {}
  for (const [id, product] of after) {
    const old = before.get(id)
    const kinds: Kind[] = old === undefined ? ['content', 'price'] : []
    if (old !== undefined) {
      if (contentOf(old) !== contentOf(product)) kinds.push('content')
      if (priceOf(old) !== priceOf(product)) kinds.push('price')
    }
    if (kinds.length > 0) told[id] = kinds
  }
  for (const id of before.keys()) if (!after.has(id)) told[id] = ['removed']
  return told
}

const priceOf = (product: Product) => JSON.stringify(PRICE_MEMBERS.map((member) => product[member] as unknown))
const contentOf = (product: Product) =>
  JSON.stringify(Object.entries(product).filter(([member]) => !PRICE_MEMBERS.some((other) => other === member)))

/** An EAN-13 with a valid check digit. */
export function eanOf(number: number): string {
  const body = String(590_000_000_000 + number)
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return body + String((10 - (sum % 10)) % 10)
}
