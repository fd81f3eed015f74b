import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Answer } from '../harness/service.ts'

// Clients of the service while its database fails over. Each retries requests that got 503, as the documentation says.

export type Call = (path: string, init?: RequestInit) => Promise<Answer>

/** The answers that the clients got, until `isOver`. */
export interface Storm {
  isOver: boolean
  /** Half of the writers stop: their last acknowledged writes must stay. */
  isHalved: boolean
  /** The number of answers by status. */
  statuses: Map<number, number>
  /** performance.now() of each write that was acknowledged. */
  writtenAt: number[]
}

const RETRY_MS = 100
/** Longer than the longest pause of any loop, so that a request that hangs fails the test. */
const REQUEST_MS_MAX = 30_000

/** Sends a request, counts its status and checks the form of a refusal. Fails on any status but success and 503. */
export async function ask(storm: Storm, call: Call, path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await call(path, { ...init, signal: AbortSignal.timeout(REQUEST_MS_MAX) })
  storm.statuses.set(answer.status, (storm.statuses.get(answer.status) ?? 0) + 1)
  expect([200, 201, 503], `${path}: ${answer.text}`).toContain(answer.status)
  if (answer.status !== 503) {
    if (init.method !== undefined) storm.writtenAt.push(performance.now())
    return answer
  }
  expect(['database-unavailable', 'writes-unavailable'], answer.text).toContain(answer.body.code)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  await sleep(RETRY_MS)
  return answer
}

export const json = (method: string, body: unknown, key?: string): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
})

/** A connector over HTTP: it follows the feed of a store by long polls and keeps its products. */
export class HttpMirror {
  readonly #storm: Storm
  readonly #call: Call
  #cursor: { next_since: string; next_id: number } | null = null
  readonly products = new Map<number, string>()

  constructor(storm: Storm, call: Call) {
    this.#storm = storm
    this.#call = call
  }

  get cursor(): string {
    const { next_since, next_id } = this.#cursor!
    return `since=${encodeURIComponent(next_since)}&since_id=${next_id}`
  }

  /** Reads one window. @returns false if it was not the last one or must be repeated. */
  async poll(wait: number): Promise<boolean> {
    const from = this.#cursor === null ? '' : `&${this.cursor}&wait=${wait}`
    const window = await ask(this.#storm, this.#call, `/v1/changes?store=main&limit=200${from}`)
    if (window.status !== 200) return false
    const ids = (window.body.changes as { product_id: number }[]).map((change) => change.product_id)
    if (ids.length > 0) {
      const read = await ask(this.#storm, this.#call, `/v1/products?store=main&per_page=200&ids=${ids.join(',')}`)
      if (read.status !== 200) return false
      const found = byId(read)
      for (const id of ids) {
        const product = found.get(id)
        if (product === undefined) this.products.delete(id)
        else this.products.set(id, product)
      }
    }
    this.#cursor = window.body
    return window.body.has_more === false
  }

  async catchUp(): Promise<void> {
    while (!(await this.poll(0)));
  }
}

const byId = ({ body }: Answer) =>
  new Map((body.data as { id: number }[]).map((product) => [product.id, JSON.stringify(product)]))

/** All products of the store as clients read them. */
export async function readAll(storm: Storm, call: Call): Promise<Map<number, string>> {
  const all = new Map<number, string>()
  for (let after = 0; ;) {
    const page = await ask(storm, call, `/v1/products?store=main&per_page=200&after_id=${after}`)
    expect(page.status).toBe(200)
    const found = byId(page)
    for (const [id, product] of found) all.set(id, product)
    if (found.size < 200) return all
    after = Math.max(...found.keys())
  }
}
