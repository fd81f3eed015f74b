import { describe, expect, test, vi } from 'vitest'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import type { Product } from '../../client/src/answers.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import { offer } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'
import { tokenFor } from '../harness/service.ts'

// The client against the service.

const SKUS = Array.from({ length: 420 }, (_, i) => `A${String(i).padStart(3, '0')}`)
const { service, account, ids, http } = worldOfFile({
  service: {},
  account: 'acme',
  products: SKUS.map((sku) => offer(sku, { texts: { en: { title: `Article ${sku} «…»` } } })),
})
const open = async () =>
  new Shelfwire({ url: service.url, token: await tokenFor(service.runtime, account.accountId, 'connector') })

const putOffer = async (sku: string, cost: string, more: object = {}) => {
  const { status } = await http(`/v1/account/suppliers/north/offers/${sku}`, {
    method: 'PUT',
    body: JSON.stringify({ cost, quantity: 5, ...more }),
    headers: { 'content-type': 'application/json', prefer: 'wait=10' },
  })
  expect(status).toBeLessThan(300)
}
const dropOffer = async (sku: string) => {
  const { status } = await http(`/v1/account/suppliers/north/offers/${sku}`, {
    method: 'DELETE',
    headers: { prefer: 'wait=10' },
  })
  expect(status).toBeLessThan(300)
}
const products = async (shelf: Shelfwire, store: string) => {
  const found = new Map<number, Product>()
  for await (const product of shelf.products.walk({ store })) found.set(product.id, product)
  return found
}

describe('reading', () => {
  test('stores, groups, one product, its prices, and what a store does not list', async () => {
    const shelf = await open()
    expect((await shelf.stores()).map(({ slug }) => slug)).toEqual(['main', 'de', 'pl'])
    expect((await shelf.customerGroups()).length).toBeGreaterThan(1)
    const made = await http('/v1/account/categories', {
      method: 'POST',
      body: JSON.stringify({ path: 'Tools', names: { pl: 'Narzędzia' } }),
      headers: { 'content-type': 'application/json', prefer: 'wait=10' },
    })
    expect(made.status).toBe(201)
    expect(await shelf.categories({ store: 'pl' })).toMatchObject([
      { parent_id: null, name: 'Narzędzia', path: 'Narzędzia', external_id: null },
    ])
    const product = await shelf.products.get(ids[0]!, { store: 'pl' })
    expect(product).toMatchObject({ id: ids[0], store: 'pl' })
    const { id, sku, prices, stock } = product
    expect(await shelf.prices.get(ids[0]!, { store: 'pl' })).toEqual({ id, sku, prices, stock })
    await expect(shelf.products.get(999_999_999)).rejects.toMatchObject({ code: 'unknown-product', status: 404 })
  })

  test('more ids than a request takes, pages, a walk and the export agree', async () => {
    const shelf = await open()
    const { data, meta } = await shelf.products.list({ ids: [...ids, 999_999_999] })
    expect(data.map(({ id }) => id)).toEqual(ids)
    expect(meta.total).toBe(SKUS.length)
    expect(await shelf.products.list({ store: 'de', ids: [] })).toMatchObject({
      data: [],
      store: 'de',
      meta: { total: 0, last_page: 1 },
    })
    expect([...(await products(shelf, 'main')).values()]).toEqual(data)
    const exported = []
    const { products: all, cursor } = await shelf.export()
    for await (const product of all) exported.push(product)
    expect(exported).toEqual(data)
    expect(await shelf.changes({ cursor })).toMatchObject({ changes: [], has_more: false })
    expect((await shelf.products.list({ page: 3, perPage: 200 })).data).toEqual(data.slice(400))
  })

  test('some members instead of all, however products are read; the types have no others', async () => {
    const shelf = await open()
    const [id = 0] = ids
    const fields = ['sku', 'stock'] as const
    const { sku, stock } = await shelf.products.get(id)
    const part = await shelf.products.get(id, { fields })
    expect(part).toEqual({ id, sku, stock })
    // @ts-expect-error the member was not requested
    expect(part.title).toBeUndefined()
    const { data } = await shelf.products.list({ ids: [...ids, 999_999_999], fields })
    expect(data.map((product) => Object.keys(product).join())).toEqual(ids.map(() => 'id,sku,stock'))
    const walked = []
    for await (const product of shelf.products.walk({ fields })) walked.push(product)
    const exported = []
    for await (const product of (await shelf.export({ fields })).products) exported.push(product)
    expect([walked, exported]).toEqual([data, data])
    const { products = [] } = await shelf.changes({ expand: true, fields })
    expect(products.map((product) => Object.keys(product).join())).toEqual(
      Array.from({ length: 200 }, () => 'id,sku,stock'),
    )
    // @ts-expect-error no member
    await expect(shelf.products.get(id, { fields: ['titel'] })).rejects.toMatchObject({ code: 'invalid-parameters' })
    // @ts-expect-error prices have no `fields`
    void (() => shelf.prices.list({ fields: ['stock'] }))
  })

  test('groups of variants, and the products of one', async () => {
    const shelf = await open()
    const group = (position: number) => ({ key: 'tee', title: { en: 'Tee' }, options: [], position })
    for (const [i, sku] of ['T1', 'T2'].entries()) await putOffer(sku, '5', { group: group(2 - i) })
    const groups = []
    for await (const each of shelf.groups()) groups.push(each)
    const [tee, ...others] = groups
    expect(others).toEqual([])
    expect(tee).toMatchObject({ key: 'tee', title: 'Tee', products: 2 })
    const { products: variants } = await shelf.group(tee!.id)
    expect(variants.map(({ id }) => id)).toEqual([tee!.leading_product_id, variants[1]?.id])
    expect(variants.map(({ group: of }) => [of?.id, of?.position])).toEqual([
      [tee!.id, 1],
      [tee!.id, 2],
    ])
    await expect(shelf.group(999_999_999)).rejects.toMatchObject({ code: 'unknown-variant-group' })
    for (const sku of ['T1', 'T2']) await dropOffer(sku)
  })

  test('a token that is wrong ends a mirror instead of being asked for again', async () => {
    const shelf = new Shelfwire({ url: service.url, token: 'sw_nothing' })
    const sync = shelf.sync({ stores: ['main', 'de'], target: new MemoryTarget() })
    await expect(sync.run()).rejects.toMatchObject({ code: 'invalid-token' })
  })
})

test('what is written and read by method and path has the types of the contract', async () => {
  const shelf = new Shelfwire({
    url: service.url,
    token: await tokenFor(service.runtime, account.accountId, 'full'),
  })
  // a parameter is always one segment of the path, whatever characters it has
  const none = shelf.call('GET /account/stores/{slug}', { params: { slug: 'cz / ü' } })
  await expect(none).rejects.toMatchObject({ status: 404 })
  const params = { slug: 'cz' }
  const made = await shelf.call('PUT /account/stores/{slug}', {
    params,
    body: { name: 'Česko', locale: 'cs', currency: 'EUR' },
  })
  expect([made.status, made.data?.data.slug]).toEqual([201, 'cz'])
  const changed = await shelf.call('PATCH /account/stores/{slug}', {
    params,
    body: { name: 'Česká republika' },
    headers: { 'If-Match': made.etag ?? '' },
  })
  expect(changed.data?.data.name).toBe('Česká republika')
  const { data: stores } = await shelf.call('GET /account/stores', { query: { per_page: 200 } })
  expect(stores?.data.map(({ slug }) => slug)).toContain('cz')
  const { data: products } = await shelf.call('GET /products', { query: { ids: ids.slice(0, 2), fields: ['title'] } })
  expect(products?.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect((await shelf.call('GET /account')).data?.data.id).toBe(account.accountId)
  expect((await shelf.call('DELETE /account/stores/{slug}', { params })).status).toBeLessThan(300)
  void (() => [
    // @ts-expect-error there is no such operation
    shelf.call('GET /account/shops'),
    // @ts-expect-error it needs a slug
    shelf.call('DELETE /account/stores/{slug}'),
    // @ts-expect-error a store has no such member
    shelf.call('PATCH /account/stores/{slug}', { params, body: { title: 'x' } }),
    // @ts-expect-error it needs a currency
    shelf.call('POST /account/stores', { body: { slug: 'a', name: 'A', locale: 'en' } }),
  ])
})

describe('a mirror', () => {
  test('is filled, follows changes and removals, and is equal after each', async () => {
    const shelf = await open()
    const target = new MemoryTarget()
    const sync = shelf.sync({ stores: ['main', 'pl'], target })
    const equal = async () => {
      await sync.once()
      for (const store of ['main', 'pl']) expect(new Map(target.products(store))).toEqual(await products(shelf, store))
    }
    await equal()
    expect(target.products('pl').size).toBeGreaterThanOrEqual(SKUS.length)
    for (const [i, sku] of SKUS.slice(0, 5).entries()) await putOffer(sku, `${100 + i}`)
    await putOffer('NEW', '7')
    await dropOffer(SKUS[9]!)
    await equal()
    const before = await target.position('main')
    await equal()
    // without changes nothing is written
    expect(await target.position('main')).toBe(before)
  })

  test('of a service that was restored from an older backup is filled again, and forgets what is not there', async () => {
    const shelf = await open()
    const target = new MemoryTarget()
    const states: string[] = []
    const sync = shelf.sync({ stores: ['de'], target, onStatus: ({ state }) => void states.push(state) })
    await sync.once()
    // more products than are requested from a target at once, with ids after all of the store
    const gone = Array.from({ length: 2_500 }, (_, i) => ({
      ...target.products('de').get(ids[0]!)!,
      id: 999_999_999 + i,
    }))
    const ahead = JSON.stringify({ kind: 'following', since: '2026-11-20T10:00:00+00:00', since_id: 999_999_999 })
    const from = await target.position('de')
    await target.apply({ store: 'de', from, position: ahead, products: gone, removed: [ids[1]!], changes: [] })
    const batches = vi.spyOn(target, 'apply')
    await sync.once()
    expect(states).toContain('reset')
    expect(batches.mock.calls.reduce((most, [{ removed }]) => Math.max(most, removed.length), 0)).toBe(1_000)
    expect(new Map(target.products('de'))).toEqual(await products(shelf, 'de'))
  })

  test('waits for changes, and hears a hint where it does not', async () => {
    const shelf = await open()
    for (const wait of [25, 0]) {
      const target = new MemoryTarget()
      const sync = shelf.sync({ stores: ['main'], target, wait, everyMs: 600_000 })
      const ending = new AbortController()
      const running = sync.run({ signal: ending.signal })
      const stock = () => target.products('main').get(ids[20]!)?.prices[0]?.base_cost
      await expect.poll(stock).toBeDefined()
      await putOffer(SKUS[20]!, wait === 0 ? '333' : '222')
      sync.hint()
      await expect.poll(stock, { timeout: 5_000 }).toBe(wait === 0 ? 333 : 222)
      ending.abort()
      await running
    }
  })
})
