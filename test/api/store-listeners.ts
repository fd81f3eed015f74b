import { expect } from 'vitest'
import { endpointsList } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import type { Receiver } from '../harness/receiver.ts'
import type { AccountWriter, Kind } from './account-writer.ts'

/** Webhook endpoints of an account, one for each store and one for all, and the changes that they received since the last check. */
export class StoreListeners {
  readonly writer: AccountWriter
  readonly receiver: Receiver
  readonly path: string
  /** Endpoint ids by store slug; '' is the endpoint for all stores. */
  readonly endpoints = new Map<string, number>()
  readonly slugOf = new Map<number, string>()
  #from = 0

  private constructor(writer: AccountWriter, receiver: Receiver) {
    this.writer = writer
    this.receiver = receiver
    this.path = `/${writer.account.accountId}`
  }

  static async open(writer: AccountWriter, receiver: Receiver): Promise<StoreListeners> {
    const listeners = new StoreListeners(writer, receiver)
    const { data } = (await writer.ask('GET', '/v1/stores')).body as { data: { id: number; slug: string }[] }
    for (const { id, slug } of data) {
      listeners.slugOf.set(id, slug)
      await listeners.#add(slug, id)
    }
    await listeners.#add('', null)
    return listeners
  }

  async #add(slug: string, storeId: number | null): Promise<void> {
    const { endpointId } = await this.writer.service.runtime.endpoints.create(this.writer.account.accountId, {
      url: `${this.receiver.url}${this.path}/${slug}`,
      kinds: ['price', 'content', 'removed'],
      storeId,
    })
    this.endpoints.set(slug, endpointId)
  }

  async remove(slug: string): Promise<void> {
    await this.writer.service.runtime.endpoints.remove(this.writer.account.accountId, this.endpoints.get(slug)!)
    this.endpoints.delete(slug)
  }

  async setEnabled(isEnabled: boolean): Promise<void> {
    for (const endpointId of this.endpoints.values())
      await this.writer.service.runtime.endpoints.setEnabled(this.writer.account.accountId, endpointId, isEnabled)
  }

  /** Resolves when everything is delivered: the endpoints have read the log to its end and none has a delivery in flight. */
  async idle(): Promise<void> {
    const { account, service } = this.writer
    const busy = async () =>
      (await endpointsList(service.runtime.db, account.accountId))
        .filter((row) => row.isEnabled && (row.isInFlight || row.position < row.head))
        .map((row) => row.url)
    await expect.poll(busy, { timeout: 8_000, interval: 10 }).toEqual([])
  }

  /**
   * The changes that each endpoint received, by slug. Those of the endpoint for all stores, under '', also name the store, or
   * `all` for a delivery without one.
   */
  #heard(): Record<string, string[]> {
    const heard: Record<string, Set<string>> = {}
    for (const { path, event, storeId, productIds } of this.receiver.received.slice(this.#from)) {
      if (!path.startsWith(`${this.path}/`)) continue
      const endpoint = path.slice(this.path.length + 1)
      for (const id of productIds)
        (heard[endpoint] ??= new Set()).add(
          `${id} ${event}${endpoint === '' ? ` ${storeId === null ? 'all' : this.slugOf.get(storeId)}` : ''}`,
        )
    }
    return Object.fromEntries(Object.entries(heard).map(([endpoint, told]) => [endpoint, [...told].sort()]))
  }

  /**
   * Fails unless the endpoints receive exactly these changes by store. The endpoint for all stores must receive each with its
   * store, or as one delivery for all stores that list the product.
   */
  async hear(changes: Record<string, Record<number, Kind[]>>): Promise<void> {
    const wanted = Object.fromEntries(
      Object.entries(changes)
        .filter(([slug]) => this.endpoints.has(slug))
        .map(
          ([slug, told]) =>
            [
              slug,
              Object.entries(told)
                .flatMap(([id, kinds]) => kinds.map((kind) => `${id} ${kind}`))
                .sort(),
            ] as const,
        )
        .filter(([, told]) => told.length > 0),
    )
    const storesOfAll = () => {
      const heard = this.#heard()
      const { '': all = [], ...rest } = heard
      return { rest, all: [...new Set(all.map((told) => told.split(' ').slice(0, 2).join(' ')))].sort() }
    }
    const everywhere = [
      ...new Set(
        Object.values(changes).flatMap((told) =>
          Object.entries(told).flatMap(([id, kinds]) => kinds.map((kind) => `${id} ${kind}`)),
        ),
      ),
    ].sort()
    await expect.poll(storesOfAll, { timeout: 8_000, interval: 25 }).toEqual({ rest: wanted, all: everywhere })
    await this.idle()
    expect(storesOfAll()).toEqual({ rest: wanted, all: everywhere })
    for (const told of this.#heard()[''] ?? []) {
      const [id = '', kind, slug = ''] = told.split(' ')
      if (slug === 'all')
        expect(
          Object.values(changes).filter((store) => (store[Number(id)] ?? []).some((one) => one === kind)).length,
          told,
        ).toBeGreaterThan(1)
      else expect(changes[slug]?.[Number(id)] ?? [], told).toContain(kind)
    }
    this.#from = this.receiver.received.length
  }
}
