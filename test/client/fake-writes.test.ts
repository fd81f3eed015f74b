import { describe, expect, test, vi } from 'vitest'
import { FakeShelfwire, type Write } from '../../client/src/testing/fake-shelfwire.ts'
import {
  OFFER,
  PRODUCT_CREATE,
  PRODUCT_PATCH,
  STOCK_PATCH,
  STOCK_PUT,
} from '../../client/src/testing/writes/body-shapes.ts'
import { readAmount, readPieces } from '../../client/src/testing/writes/numbers.ts'
import { bodiesOf } from '../../client/src/testing/writes/settings/kept.ts'
import { RATES } from '../../client/src/testing/writes/settings/rates.ts'
import { SUPPLIERS } from '../../client/src/testing/writes/settings/suppliers.ts'
import { Shelfwire, ShelfwireError } from '../../client/src/shelfwire.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import { createBody, patchBody, putBody } from '../../contract/account-resource.ts'
import { SUPPLIERS as SUPPLIER_RESOURCE } from '../../contract/supplier-resource.ts'
import * as bodies from '../../contract/product-resources.ts'
import { RATES as RATE_RESOURCE } from '../../contract/rate-resource.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { BOUNDS, readDecimal } from '../../src/input/decimal.ts'
import { readQuantity } from '../../src/input/quantity.ts'
import { shapeReader } from '../../src/serve/writing/shape.ts'
import { seedFor } from '../harness/interleave.ts'

// The writes of the fake beyond the service's behaviour (fake-writes.full.pg.test.ts): its methods for tests, and how it reads bodies.

const openFake = (onWrite?: (write: Write, fake: FakeShelfwire) => void) =>
  new FakeShelfwire({
    stores: [{ slug: 'de' }, { slug: 'pl' }],
    products: [{ id: 7, stock: 3 }, { id: 8 }],
    suppliers: [{ code: 'north' }],
    tokens: { sw_full: 'full', sw_read: 'connector' },
    ...(onWrite === undefined ? {} : { onWrite }),
  })
const stock = 'PUT /account/products/{id}/stock'

describe('a write', () => {
  test('shows readers what the test says, before it is answered, and a mirror follows', async () => {
    const said: Write[] = []
    const fake = openFake((write, one) => {
      said.push(write)
      if (write.kind === 'stock') one.change(['de', 'pl'], write.productId, { stock: write.now?.quantity ?? 0 })
      if (write.kind === 'offer' && write.now !== null)
        one.put('de', { id: write.productId, sku: write.sku, price: Number(write.now.cost) })
    })
    const shelf = new Shelfwire(fake)
    const target = new MemoryTarget()
    const sync = shelf.sync({ stores: ['de', 'pl'], target })
    await sync.once()
    await shelf.call(stock, { params: { id: 7 }, body: { quantity: 9 } })
    expect((await shelf.products.get(7, { store: 'pl' })).stock).toBe(9)
    const { data } = await shelf.call('PUT /account/suppliers/{code}/offers/{sku}', {
      params: { code: 'north', sku: 'A/1' },
      body: { cost: '12.50' },
    })
    expect(data?.data).toMatchObject({ sku: 'A/1', product_id: 9, cost: '12.5', currency: 'EUR', quantity: 0 })
    await sync.once()
    expect(target.products('de').get(9)?.prices[0]?.computed_price).toBe(12.5)
    await shelf.call('DELETE /account/products/{id}/stock', { params: { id: 7 } })
    await sync.once()
    for (const store of ['de', 'pl'])
      expect([...target.products(store).values()].sort((a, b) => a.id - b.id)).toEqual(fake.products(store))
    expect(said.map(({ kind, before, now }) => [kind, before === null, now === null])).toEqual([
      ['stock', true, false],
      ['offer', true, false],
      ['stock', false, true],
    ])
  })

  test('changes nothing for readers unless the test says so, or a product is deleted', async () => {
    const fake = openFake()
    const shelf = new Shelfwire(fake)
    const { next_since: since, next_id: id } = await shelf.changes({ store: 'de', cursor: 'now' })
    await shelf.call(stock, { params: { id: 7 }, body: { quantity: 9 } })
    await shelf.call('PATCH /account/products/{id}', { params: { id: 7 }, body: { manufacturer: 'Own' } })
    expect((await shelf.products.get(7)).stock).toBe(3)
    await shelf.call('DELETE /account/products/{id}', { params: { id: 8 } })
    const { changes } = await shelf.changes({ store: 'de', cursor: { since, since_id: id } })
    expect(changes).toMatchObject([{ product_id: 8, change_types: ['removed'] }])
    expect(fake.products('pl').map((product) => product.id)).toEqual([7])
  })

  test('that changes nothing is told to nobody', async () => {
    const onWrite = vi.fn()
    const shelf = new Shelfwire(openFake(onWrite))
    for (let i = 0; i < 3; i++) await shelf.call(stock, { params: { id: 7 }, body: { quantity: 9 } })
    expect(onWrite).toHaveBeenCalledTimes(1)
  })

  test('of a bulk are told row by row, and a dry run or one that is refused tells nothing', async () => {
    const said: unknown[] = []
    const fake = openFake((write) => void said.push([write.productId, write.before, write.now]))
    const shelf = new Shelfwire(fake)
    const bulk = (rows: unknown[], query = {}) =>
      shelf.request({ method: 'POST', path: '/account/bulk/stock', body: { rows }, query })
    const rows = [
      { product_id: 7, quantity: 1 },
      { product_id: 8, quantity: 2 },
      { product_id: 7, quantity: 3 },
      { product_id: 8, quantity: 2 },
    ]
    await bulk(rows, { dry_run: 'true' })
    await expect(bulk([...rows, { product_id: 9, quantity: 1 }], { atomic: 'true' })).rejects.toMatchObject({
      code: 'invalid-input',
    })
    expect(said).toEqual([])
    await bulk(rows)
    const of = (id: number, quantity: number) => ({ product_id: id, quantity, cost: null })
    expect(said).toEqual([
      [7, null, of(7, 1)],
      [8, null, of(8, 2)],
      [7, of(7, 1), of(7, 3)],
    ])
  })

  test('of settings are told, too, and a backup has them', async () => {
    const said: unknown[] = []
    const fake = openFake((write) => void said.push([write.kind, write.productId, write.before, write.now]))
    const shelf = new Shelfwire(fake)
    const put = (body: { rate: string }) =>
      shelf.call('PUT /account/rates/{currency}', { params: { currency: 'pln' }, body })
    await put({ rate: '4.50' })
    await put({ rate: '4.5' })
    const rate = { currency: 'PLN', rate: '4.5', status: { from: 'hand', day: null, held_rate: null, held_day: null } }
    expect(said).toEqual([['rate', null, null, rate]])
    await shelf.call('PATCH /account/suppliers/{code}', { params: { code: 'north' }, body: { priority: 1 } })
    expect(said[1]).toMatchObject(['supplier', null, { code: 'north', priority: 100 }, { code: 'north', priority: 1 }])
    fake.deactivate('pl')
    const { data } = await shelf.call('GET /account/stores/{slug}', { params: { slug: 'pl' } })
    expect(data?.data).toMatchObject({ slug: 'pl', is_active: false, is_default: false })
    fake.restore()
    expect((await shelf.call('GET /account/rates')).data).toEqual({
      data: [],
      meta: { per_page: 50, total: 0, next_after: null },
    })
  })

  test('of an operation are told after it is answered, and what throws then ends it', async () => {
    const said: unknown[] = []
    let isBroken = false
    const fake = openFake((write, one) => {
      if (isBroken && said.length >= 1_000) throw new Error('no more')
      said.push(write.productId)
      if (write.kind === 'stock') one.change('de', write.productId, { stock: write.now?.quantity ?? 0 })
    })
    const shelf = new Shelfwire(fake)
    const rows = Array.from({ length: 1_500 }, (_, i) => ({ product_id: 7, quantity: i + 1 }))
    const bulk = async () => {
      const { data } = await shelf.call('POST /account/bulk/stock', { body: { rows } })
      const { id } = (data as { data: { id: number } }).data
      return (await shelf.call('GET /account/operations/{id}', { params: { id } })).data?.data
    }
    expect(await bulk()).toMatchObject({ state: 'succeeded', total: 1_500, done: 1_500, changed: 1_500, failed: 0 })
    expect(said).toHaveLength(1_500)
    expect((await shelf.products.get(7)).stock).toBe(1_500)
    said.length = 0
    isBroken = true
    expect(await bulk()).toMatchObject({
      state: 'failed',
      done: 1_000,
      message:
        'rows 1000 to at most 1999 could not be written because onWrite threw: no more; earlier rows are written, later rows are not',
    })
    const { data } = await shelf.call('GET /account/products/{id}/stock', { params: { id: 7 } })
    expect(data?.data.quantity).toBe(1_000)
    // the backup is older than the operations
    fake.restore()
    await expect(shelf.call('GET /account/operations/{id}', { params: { id: 1 } })).rejects.toMatchObject({
      code: 'unknown-operation',
    })
  })

  test('whose answer is lost is made once by its key, and is not refused by what it has written itself', async () => {
    const onWrite = vi.fn()
    const fake = openFake(onWrite)
    const shelf = new Shelfwire({ url: fake.url, token: fake.token, fetch: fake.fetch, pauseMaxMs: 1 })
    await shelf.call(stock, { params: { id: 7 }, body: { quantity: 9 } })
    for (const [quantity, fault] of [
      [11, { lost: true }],
      [12, { cut: true }],
    ] as const) {
      onWrite.mockClear()
      fake.fault({ ...fault, method: 'PATCH', path: '/account' })
      const { data, headers } = await shelf.call('PATCH /account/products/{id}/stock', {
        params: { id: 7 },
        body: { quantity },
      })
      expect(data?.data.quantity).toBe(quantity)
      expect(headers.get('idempotent-replayed')).toBe('true')
      expect(onWrite).toHaveBeenCalledTimes(1)
    }
    const { etag } = await shelf.call('GET /account/products/{id}/stock', { params: { id: 7 } })
    onWrite.mockClear()
    fake.fault({ lost: true, method: 'PUT' })
    const put = { params: { id: 7 }, body: { quantity: 13 }, headers: { 'If-Match': etag! } }
    expect((await shelf.call(stock, put)).data?.data.quantity).toBe(13)
    expect(onWrite).toHaveBeenCalledTimes(1)
    await expect(shelf.call(stock, put), 'somebody else has changed it').rejects.toMatchObject({
      code: 'precondition-failed',
    })
    fake.fault({ lost: true, method: 'DELETE' })
    expect(await shelf.call('DELETE /account/products/{id}/stock', { params: { id: 7 } })).toMatchObject({
      status: 204,
    })
    expect(fake.requests.slice(-2).map(({ method, status }) => [method, status])).toEqual([
      ['DELETE', 0],
      ['DELETE', 204],
    ])
  })

  test('is refused by faults that only writes have', async () => {
    const fake = openFake()
    const shelf = new Shelfwire({ url: fake.url, token: fake.token, fetch: fake.fetch, attempts: 1 })
    const codes = [
      'writes-unavailable',
      'quota-exceeded',
      'conflict',
      'precondition-failed',
      'idempotency-key-reused',
    ] as const
    for (const code of codes) {
      fake.fault({ code, method: 'PUT' })
      await expect(shelf.call(stock, { params: { id: 7 }, body: { quantity: 1 } })).rejects.toMatchObject({ code })
    }
    for (const [status, code] of [
      [409, 'conflict'],
      [412, 'precondition-failed'],
    ] as const) {
      fake.fault({ status })
      await expect(shelf.stores()).rejects.toMatchObject({ code, status })
    }
    // nothing of it was written
    await expect(shelf.call('GET /account/products/{id}/stock', { params: { id: 7 } })).rejects.toBeInstanceOf(
      ShelfwireError,
    )
  })

  test('is gone after a backup is restored, as is its Idempotency-Key', async () => {
    const fake = openFake()
    const shelf = new Shelfwire(fake)
    const put = () =>
      shelf
        .call(stock, { params: { id: 7 }, body: { quantity: 9 }, idempotencyKey: 'one' })
        .then(({ status }) => status)
    fake.backup()
    expect(await put()).toBe(201)
    fake.restore()
    expect(await put()).toBe(201)
    fake.backup()
    await shelf.call('DELETE /account/products/{id}', { params: { id: 7 } })
    fake.restore()
    expect(fake.products('de').map(({ id }) => id)).toEqual([7, 8])
    const { data } = await shelf.call('GET /account/products/{id}/stock', { params: { id: 7 } })
    expect(data?.data.quantity).toBe(9)
  })

  test('to what the fake does not have is answered with what it has', async () => {
    const shelf = new Shelfwire(openFake())
    const has = 'has stock, offers, products, bulks, operations, suppliers and rates'
    await expect(shelf.call('GET /account/pricing-rules')).rejects.toThrow(has)
    await expect(shelf.call('PATCH /account/stores/{slug}', { params: { slug: 'de' }, body: {} })).rejects.toThrow(has)
  })

  test('is taken back where onWrite throws', async () => {
    const fake = openFake(() => {
      throw new Error('a mistake in the test')
    })
    const send = () =>
      fake.fetch(`${fake.url}/v1/account/products/7/stock`, {
        method: 'PUT',
        headers: { authorization: 'Bearer sw_full', 'content-type': 'application/json' },
        body: '{"quantity":1}',
      })
    await expect(send()).rejects.toThrow('a mistake in the test')
    await expect(send()).rejects.toThrow('a mistake in the test')
  })
})

describe('bodies are read as the service reads them', () => {
  const VALUES: readonly unknown[] = [
    null,
    0,
    -1,
    1.5,
    1e300,
    '',
    'x',
    '12',
    '>10',
    '-1.50',
    'long '.repeat(30),
    true,
    false,
    [],
    ['a'],
    [null, 7],
    [{}],
    [{ key: 'a' }],
    [{ key: 'a', value: 'b', label: null }],
    [{ quantity: 2, cost: '1' }],
    [{ quantity: 1.5, cost: 'x', more: 1 }],
    {},
    { en: 'x' },
    { en: null, de: 7 },
    { en: { title: 'x', titel: 'y' } },
    { en: { title: 7, description: null } },
    { '*': false },
    { a: { '*': true, de: null } },
    { id: 7 },
    { id: null, more: 1 },
    { key: 'a' },
    { key: 'a', title: { en: 7 }, options: [{ key: 7 }], position: 'x' },
    { title: 'x', options: null },
    { options: [{ key: 'a', value: 'b', label: 7 }], more: 1 },
  ]

  const [supplier, rate] = [bodiesOf(SUPPLIERS), bodiesOf(RATES)]

  test.each([
    ['offer', OFFER, bodies.OfferPut],
    ['product', PRODUCT_PATCH, bodies.ProductPatch],
    ['stock', STOCK_PUT, bodies.StockPut],
    ['stock', STOCK_PATCH, bodies.StockPatch],
    ['new product', PRODUCT_CREATE, bodies.ProductCreate],
    ['new supplier', supplier.create, createBody(SUPPLIER_RESOURCE)],
    ['supplier', supplier.put, putBody(SUPPLIER_RESOURCE)],
    ['change of a supplier', supplier.patch, patchBody(SUPPLIER_RESOURCE)],
    ['new rate', rate.create, createBody(RATE_RESOURCE)],
    ['rate', rate.put, putBody(RATE_RESOURCE)],
    ['change of a rate', rate.patch, patchBody(RATE_RESOURCE)],
  ] as const)('%s', (noun, shape, schema) => {
    const read = shapeReader(schema)
    const faultsOf = (body: unknown) => {
      try {
        read(body, noun)
        return []
      } catch (error) {
        return (error as { faults: { name: string; reason: string }[] }).faults
      }
    }
    const random = prng(seedFor(`fake-bodies-${noun}`))
    const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
    const names = [...Object.keys(schema.properties), 'unknown']
    const sent: unknown[] = [...VALUES, undefined]
    for (const name of names) for (const value of VALUES) sent.push({ [name]: value })
    const { required = [] } = schema as { required?: readonly string[] }
    const least = Object.fromEntries(required.map((name) => [name, '12']))
    for (let i = 0; i < 500; i++)
      sent.push({
        ...(i % 2 === 0 ? least : {}),
        ...Object.fromEntries([0, 1, 2].map(() => [draw(names), draw(VALUES)])),
      })
    sent.push(least)
    let refused = 0
    for (const body of sent) {
      const faults = faultsOf(body)
      if (faults.length > 0) refused++
      expect({ body, faults: shape(body, '') }).toEqual({ body, faults })
    }
    expect(refused).toBeGreaterThan(100)
    expect(refused).toBeLessThan(sent.length)
  })

  test('numbers', () => {
    const random = prng(seedFor('fake-numbers'))
    const numbers: (number | string)[] = [
      0,
      -0,
      1e-7,
      1.5e-10,
      1e21,
      123456789012345.6,
      0.1 + 0.2,
      -2.5,
      2 ** 53,
      5e-324,
    ]
    const texts = [
      '',
      '.',
      '1.',
      '.5',
      '007',
      '-0',
      '1e3',
      '12,5',
      ' 1',
      '1 +',
      '> 5',
      '>=10+',
      '-3',
      '1'.repeat(16),
      '1.1234567',
    ]
    for (let i = 0; i < 2_000; i++) {
      const value = (random() - 0.2) * 10 ** Math.floor(random() * 30 - 12)
      numbers.push(value, Number(value.toPrecision(5)), String(Number(value.toFixed(7))))
    }
    for (const given of [...numbers, ...texts]) {
      expect({ given, read: readAmount(given) }).toEqual({ given, read: readDecimal(given, BOUNDS.amount) })
      expect({ given, read: readPieces(given) }).toEqual({ given, read: readQuantity(given) })
    }
  })
})
