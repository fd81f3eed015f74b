import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { createAccount } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// The rows of a bulk take effect in the order sent: two equal accounts get the same rows, one as a bulk, the other by single
// writes, and are equal afterwards. SEED repeats a run, RUNS makes it longer.

const SEED = Number(process.env['SEED'] ?? 20_261_122)
const RUNS = Number(process.env['RUNS'] ?? inGate(4, 4))
const ROWS = 14
const SMALL = { overridesPerProductMax: 3, operationChunkRows: 3 }

beforeAll(() => void Object.assign(LIMITS, SMALL))
const { database, service } = worldOfFile({ service: { roles: ['api', 'work'] } })
const limits = { ...LIMITS }
beforeAll(async () => {})
afterAll(async () => {
  Object.assign(LIMITS, limits)
})

type Members = Record<string, unknown>

interface Side {
  accountId: number
  /** The ids of all products, ascending. */
  products: () => Promise<number[]>
  send: (method: string, path: string, body?: unknown) => Promise<Answer>
  read: (path: string) => Promise<Answer>
}

let accounts = 0
/** An account with offers of two suppliers, of which some share a product and some were deleted. */
async function begin(): Promise<Side> {
  const { accountId } = await createAccount(service.runtime, `order-${accounts++}`)
  const read = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const send = (method: string, path: string, body?: unknown) =>
    read(`/v1/account${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  const rows = [
    { supplier: 'north', sku: 'A', eans: [EANS[0]], cost: '10', currency: 'USD', texts: { en: { title: 'One' } } },
    { supplier: 'south', sku: 'A', eans: [EANS[0]], cost: '30', quantity: 3 },
    { supplier: 'north', sku: 'B', eans: [EANS[1]], cost: '5', currency: 'USD' },
    { supplier: 'south', sku: 'B', eans: [EANS[2]], cost: '7' },
    { supplier: 'south', sku: 'C', cost: '9', currency: 'USD', manufacturer: 'Acme' },
  ]
  expect((await send('POST', '/bulk/offers', { rows })).body.meta.created).toBe(rows.length)
  for (const key of ['north/offers/B', 'south/offers/C'])
    expect((await send('DELETE', `/suppliers/${key}`)).status).toBe(204)
  const products = async () =>
    ((await send('GET', '/products?per_page=200')).body.data as { id: number }[]).map(({ id }) => id)
  await send('PATCH', `/products/${(await products())[2]}`, { ean: EANS[3], title: { en: 'Mine' } })
  return { accountId, products, send, read }
}

/** The last two do not join offers: one is of a restricted range, one has a wrong check digit. */
const EANS = ['4006381333931', '5901234123457', '9780306406157', '4012345123456', '2000000000008', '96385075']

/** A row; `product` is the index of a product in the order of ids. */
interface Sent {
  row: Members
  product?: number
}
const withProduct = ({ row, product }: Sent, ids: readonly number[]): Members =>
  product === undefined ? row : { product_id: ids[product] ?? 999_999_999, ...row }

/** Writes a row through single writes. @returns whether it was refused. */
type One = (side: Side, row: Members) => Promise<boolean>

const oneOffer: One = async (side, { supplier, sku, ...members }) => {
  const path = `/suppliers/${supplier as string}/offers/${sku as string}`
  const patched = await side.send('PATCH', path, members)
  return (patched.status === 404 ? await side.send('PUT', path, members) : patched).status >= 400
}

const onePrice: One = async (side, { supplier, sku, ...members }) =>
  (await side.send('PATCH', `/suppliers/${supplier as string}/offers/${sku as string}`, members)).status >= 400

/** The id of the product that a row names, if it is exactly one. */
async function productOf(side: Side, { product_id: id, sku, ean }: Members): Promise<number | undefined> {
  if (id !== undefined) return id as number
  const query = sku === undefined ? `ean=${ean as string}` : `sku=${sku as string}`
  const found = (await side.send('GET', `/products?${query}`)).body.data as { id: number }[]
  return found.length === 1 ? found[0]?.id : undefined
}

const oneStock: One = async (side, row) => {
  const productId = await productOf(side, row)
  if (productId === undefined) return true
  const path = `/products/${productId}/stock`
  const { quantity, cost } = row
  const members = { quantity, ...(cost === undefined ? {} : { cost }) }
  if (quantity === null) {
    const isKnown = (await side.send('GET', `/products/${productId}`)).status === 200
    await side.send('DELETE', path)
    return !isKnown
  }
  const patched = await side.send('PATCH', path, members)
  return (patched.status === 404 ? await side.send('PUT', path, members) : patched).status >= 400
}

const oneOverride: One = async (side, row) => {
  const productId = await productOf(side, row)
  if (productId === undefined) return true
  const { field, key, locale, value } = row as { field: string; key: string; locale?: string; value: unknown }
  const isText = field === 'title' || field === 'description'
  const member =
    field === 'attribute'
      ? { attributes: { [key]: { [locale ?? '*']: value } } }
      : { [field]: isText ? { [locale ?? '']: value } : value }
  return (await side.send('PATCH', `/products/${productId}`, member)).status >= 400
}

const orAbsent = (member: string, ...values: unknown[]) =>
  fc.constantFrom<Members>({}, ...values.map((value) => ({ [member]: value })))
const merged = (...parts: fc.Arbitrary<Members>[]) =>
  fc.tuple(...parts).map((members) => Object.assign({}, ...members) as Members)

const offerKey = fc.record({
  supplier: fc.constantFrom('north', 'north', 'south', 'south', 'nobody'),
  sku: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
})
const priceMembers = merged(
  orAbsent('cost', '5', '8.50', null, 'dear'),
  orAbsent('currency', 'USD', 'PLN', null),
  orAbsent('quantity', 0, 4, null),
)
const offerRow = merged(
  offerKey,
  priceMembers,
  fc.oneof(
    fc.constant({}),
    fc.constant({ eans: null }),
    fc.uniqueArray(fc.constantFrom(...EANS), { maxLength: 2 }).map((eans) => ({ eans })),
  ),
  orAbsent('texts', null, { en: { title: 'Two' } }, { en: null }, { de: { title: 'Drei', description: 'x' } }),
  orAbsent('manufacturer', 'Acme', null),
  orAbsent('attributes', [{ key: 'size', value: 'L' }], null),
).map((row) => ({ row }))
const priceRow = merged(
  offerKey,
  priceMembers.map((members) => (Object.keys(members).length === 0 ? { cost: '6' } : members)),
).map((row) => ({ row }))

const keyed = (members: fc.Arbitrary<Members>): fc.Arbitrary<Sent> =>
  fc
    .tuple(
      fc.oneof(
        fc.integer({ min: 0, max: 4 }).map((product) => ({ row: {}, product })),
        fc.constantFrom('A', 'B', 'C').map((sku) => ({ row: { sku } })),
        fc.constantFrom(...EANS).map((ean) => ({ row: { ean } })),
      ),
      members,
    )
    .map(([key, row]) => ({ ...key, row: { ...key.row, ...row } }))
const stockRow = keyed(
  fc.oneof(
    fc.constant({ quantity: null }),
    merged(
      fc.constantFrom(0, 3, 8).map((quantity) => ({ quantity })),
      orAbsent('cost', '1', '2.50', null),
    ),
  ),
)
const overrideRow = keyed(
  fc.oneof(
    fc.record({
      field: fc.constant('title'),
      locale: fc.constantFrom('en', 'EN', 'pl-pl'),
      value: fc.constantFrom('Mine', 'Ours', null),
    }),
    fc.record({ field: fc.constant('manufacturer'), value: fc.constantFrom('Me', null) }),
    merged(
      fc.record({
        field: fc.constant('attribute'),
        key: fc.constantFrom('size', 'colour'),
        value: fc.constantFrom('XL', 'S', false, null),
      }),
      orAbsent('locale', 'de'),
    ),
  ),
)

/** Everything that can be read of an account, without ids, which differ between accounts. */
async function everything(side: Side): Promise<unknown> {
  const ids = await side.products()
  const numberOf = (id: unknown) => ids.indexOf(id as number)
  const offers: Members[] = []
  for (const supplier of ['north', 'south'])
    for (const offer of (await side.send('GET', `/suppliers/${supplier}/offers?per_page=200`)).body.data as Members[])
      offers.push({ ...offer, product_id: numberOf(offer['product_id']) })
  const products = []
  for (const id of ids) {
    const { created_at: _, ...own } = (await side.send('GET', `/products/${id}`)).body.data as Members
    const stock = (await side.send('GET', `/products/${id}/stock`)).body.data as Members | undefined
    const stores = []
    for (const store of ['main', 'de', 'pl']) {
      const shown = (await side.read(`/v1/products/${id}?store=${store}`)).body.data as Members
      const prices = (shown['prices'] as Members[]).map(({ base_cost: cost, computed_price: price }) => [cost, price])
      stores.push({ ...shown, id: numberOf(id), prices })
    }
    products.push({ own: { ...own, id: numberOf(id) }, stock: stock && { ...stock, product_id: 0 }, stores })
  }
  return { offers, products }
}

/** Sends rows as one bulk, of which at most `atOnce` are answered at once. @returns which were refused. */
async function asBulk(side: Side, kind: string, rows: readonly Members[], atOnce: number): Promise<boolean[]> {
  Object.assign(LIMITS, { bulkRowsAtOnceMax: atOnce })
  const sending = side.send('POST', `/bulk/${kind}`, { rows })
  const { status, body } = await sending.finally(() =>
    Object.assign(LIMITS, { bulkRowsAtOnceMax: limits.bulkRowsAtOnceMax }),
  )
  expect(status).toBe(atOnce === 0 ? 202 : 200)
  if (status === 200) return (body.data as Members[]).map((row) => row['status'] === 'failed')
  const path = `/operations/${body.data.id as number}`
  await expect
    .poll(async () => (await side.send('GET', path)).body.data.state as string, { timeout: 20_000, interval: 20 })
    .toBe('succeeded')
  const errors = (await side.send('GET', `${path}/errors`)).body.data as { row: number }[]
  return rows.map((_row, i) => errors.some((error) => error.row === i))
}

const KINDS: Record<string, { rows: fc.Arbitrary<Sent>; one: One }> = {
  offers: { rows: offerRow, one: oneOffer },
  prices: { rows: priceRow, one: onePrice },
  stock: { rows: stockRow, one: oneStock },
  overrides: { rows: overrideRow, one: oneOverride },
}

const statuses = (answer: Answer) => (answer.body.data as Members[]).map((row) => row['status'])

test('in one bulk the last row of an offer counts, and what a row brings a later one takes', async () => {
  const { send } = await begin()
  const [ean, other] = ['4006381333900', '0000040170725']
  const rows = [
    { supplier: 'south', sku: 'new', eans: [ean], cost: '3' },
    { supplier: 'north', sku: 'joins', eans: [ean], cost: '1', currency: 'USD', quantity: 1 },
    { supplier: 'north', sku: 'joins', cost: '2', currency: null },
    { supplier: 'north', sku: 'joins', cost: '2' },
    { supplier: 'north', sku: 'A', eans: [other] },
    { supplier: 'south', sku: 'takes', eans: [other] },
    { supplier: 'south', sku: 'new', eans: [] },
    { supplier: 'north', sku: 'late', eans: [ean] },
  ]
  const answer = await send('POST', '/bulk/offers', { rows })
  expect(statuses(answer)).toEqual([
    'created',
    'created',
    'changed',
    'unchanged',
    'changed',
    'created',
    'changed',
    'created',
  ])
  const ids = (answer.body.data as { product_id: number }[]).map((row) => row.product_id)
  expect(ids[1]).toBe(ids[0])
  // A and the offer of south share a product already, so this is one of its own
  expect([ids[2], ids[3], ids[6]]).toEqual([ids[0], ids[0], ids[0]])
  expect(new Set([ids[0], ids[4], ids[5], ids[7]]).size).toBe(4)
  expect((await send('GET', '/suppliers/north/offers/joins')).body.data).toMatchObject({
    cost: '2',
    currency: 'EUR',
    quantity: 1,
    eans: [ean],
  })
})

test('in one bulk the last price of an offer counts', async () => {
  const { send } = await begin()
  const rows = [
    { cost: '1', currency: 'PLN' },
    { cost: '2' },
    { quantity: 4 },
    { cost: '2.00', currency: null },
    { cost: '2' },
  ].map((row) => ({ supplier: 'north', sku: 'A', ...row }))
  const answer = await send('POST', '/bulk/prices', { rows })
  expect(statuses(answer)).toEqual(['changed', 'changed', 'changed', 'changed', 'unchanged'])
  const { body } = await send('GET', '/suppliers/north/offers/A')
  expect(body.data).toMatchObject({ cost: '2', currency: 'EUR', quantity: 4 })
})

test('in one bulk the last stock of a product counts, by whichever key a row names it', async () => {
  const { send, products } = await begin()
  const [id] = await products()
  await send('PUT', `/products/${id}/stock`, { quantity: 1, cost: '7' })
  const rows = [
    { product_id: id, quantity: 5, cost: '3' },
    { sku: 'A', quantity: null },
    { ean: EANS[0], quantity: 4 },
    { product_id: id, quantity: 4 },
  ]
  expect(statuses(await send('POST', '/bulk/stock', { rows }))).toEqual(['changed', 'changed', 'created', 'unchanged'])
  // the cost was deleted with the stock
  expect((await send('GET', `/products/${id}/stock`)).body.data).toMatchObject({ quantity: 4, cost: null })
})

test('in one bulk the last value of an override counts, and a removed one makes room', async () => {
  const { send, products } = await begin()
  const [id] = await products()
  const row = (field: string, value: unknown, over: Members = {}) => ({ product_id: id, field, value, ...over })
  const rows = [
    row('title', 'One', { locale: 'en' }),
    row('title', 'Two', { locale: 'EN' }),
    row('manufacturer', 'Me'),
    row('category', 'Tools'),
    // three is the limit here
    row('attribute', 'XL', { key: 'size' }),
    row('category', null),
    row('attribute', 'L', { key: 'size' }),
    row('manufacturer', 'Me'),
  ]
  expect(statuses(await send('POST', '/bulk/overrides', { rows }))).toEqual([
    'created',
    'changed',
    'created',
    'created',
    'failed',
    'changed',
    'created',
    'unchanged',
  ])
  expect((await send('GET', `/products/${id}`)).body.data).toMatchObject({
    title: { en: 'Two' },
    manufacturer: 'Me',
    category: null,
    attributes: { size: { '*': 'L' } },
  })
})

describe.each([
  ['answered at once', limits.bulkRowsAtOnceMax],
  ['written in chunks', 0],
])('a bulk that is %s', (_name, atOnce) => {
  test.each(Object.entries(KINDS))(
    `of %s does what its rows do one by one (SEED=${SEED})`,
    { timeout: 120_000 },
    async (kind, { rows, one }) => {
      await fc.assert(
        fc.asyncProperty(fc.array(rows, { minLength: ROWS, maxLength: ROWS }), async (sent) => {
          const [bulk, single] = [await begin(), await begin()]
          const bulkIds = await bulk.products()
          const singleIds = await single.products()
          const refused = await asBulk(
            bulk,
            kind,
            sent.map((row) => withProduct(row, bulkIds)),
            atOnce,
          )
          const refusedOneByOne = []
          for (const row of sent) refusedOneByOne.push(await one(single, withProduct(row, singleIds)))
          await service.runtime.shelf.drain(bulk.accountId)
          expect(refused).toEqual(refusedOneByOne)
          expect(await everything(bulk)).toEqual(await everything(single))
          expect(await auditAccount(database.db, bulk.accountId)).toMatchObject({ differencesTotal: 0 })
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: true },
      )
    },
  )
})
