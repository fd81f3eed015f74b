import { expect, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { account, database, offers, read, send, setUp } from './full-access-account.ts'

setUp()

// A supplier's tiers of cost over HTTP: in offers, in prices by a rule that uses them, and in the feed.

const OFFER = '/suppliers/north/offers/A1'
const pricesOf = async (id: number | undefined) => (await read(`/v1/prices/${id}`)).body.data.prices
const tiersOf = async (id: number | undefined) =>
  (await pricesOf(id)).map((price: { tiers?: unknown }) => price.tiers ?? null)
const cursor = async () => (await read('/v1/changes?since=now')).body as { next_since: string; next_id: number }
const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
  (await read(`/v1/changes?since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes.map(
    (change: { product_id: number; change_types: string[] }) => [change.product_id, change.change_types],
  )
const RULE = { name: 'R', action: 'markup', percent: '50', priority: 1, tiers_from_supplier: true }
const TIERS = [
  { quantity: 10, cost: 9.2 },
  { quantity: 100, cost: '8.000' },
]

test('tiers of a cost are read as stated, announced as price by the rule that asks for them, and go without a trace', async () => {
  const [id] = await offers('A1')
  expect((await send('PATCH', OFFER, { cost: '10' })).status).toBe(200)
  const plain = await read(`/v1/products/${id}`)
  const start = await cursor()
  const { body: stated, status } = await send('PATCH', OFFER, { cost_tiers: TIERS })
  expect([status, stated.data.cost_tiers]).toEqual([
    200,
    [
      { quantity: 10, cost: '9.2' },
      { quantity: 100, cost: '8' },
    ],
  ])
  // no rule uses them yet
  expect([await since(start), (await read(`/v1/products/${id}`)).text]).toEqual([[], plain.text])
  const { body: rule } = await send('POST', '/pricing-rules', RULE)
  expect(rule.data).toMatchObject({ tiers: null, tiers_from_supplier: true })
  const shown = [
    { quantity: 10, price: 13.8 },
    { quantity: 100, price: 12 },
  ]
  expect(await tiersOf(id)).toEqual((await pricesOf(id)).map(() => shown))
  expect(await since(start)).toEqual([[id, ['price']]])
  const { data: why } = (await read(`/v1/products/${id}/explain`)).body
  expect(why.prices[0].tiers[0]).toMatchObject({ quantity: 10, price: '13.8', left_out: null })
  expect(why.prices[0].tiers[0].steps.slice(0, 2)).toMatchObject([
    { step: 'cost', op: '=', by: '9.2', result: '9.2' },
    { step: 'markup', op: '*', by: '1.5', result: '13.8' },
  ])
  await expectAudited(database.db, account.accountId)

  // sending back the body of a read changes nothing; a write of the cost alone keeps the tiers
  const same = await cursor()
  const { data: offer } = (await send('GET', OFFER)).body
  expect((await send('PUT', OFFER, offer)).status).toBe(200)
  expect(await since(same)).toEqual([])
  const bulk = { rows: [{ supplier: 'north', sku: 'A1', cost: '9.5' }] }
  expect((await send('POST', '/bulk/prices', bulk)).status).toBe(200)
  expect(await tiersOf(id)).toEqual((await pricesOf(id)).map(() => shown))
  expect(await since(same)).toEqual([[id, ['price']]])

  // a changed tier changes the price half alone
  const changed = await cursor()
  expect((await send('PATCH', OFFER, { cost_tiers: TIERS.slice(0, 1) })).status).toBe(200)
  expect(await tiersOf(id)).toEqual((await pricesOf(id)).map(() => shown.slice(0, 1)))
  expect(await since(changed)).toEqual([[id, ['price']]])
  await expectAudited(database.db, account.accountId)

  expect((await send('PATCH', OFFER, { cost: '10', cost_tiers: null })).body.data.cost_tiers).toBeNull()
  expect(await tiersOf(id)).toEqual((await pricesOf(id)).map(() => null))
  expect((await send('DELETE', `/pricing-rules/${rule.data.id}`)).status).toBe(204)
  expect((await read(`/v1/products/${id}`)).text).toBe(plain.text)
  // an offer that is deleted and written again has no tiers
  expect((await send('PATCH', OFFER, { cost_tiers: TIERS })).status).toBe(200)
  expect((await send('DELETE', OFFER)).status).toBe(204)
  expect((await send('PUT', OFFER, { cost: '10' })).body.data.cost_tiers).toBeNull()
})

test('rows of a bulk state them, and others leave them', async () => {
  await offers('A1')
  const bulk = (row: object) => send('POST', '/bulk/offers', { rows: [{ supplier: 'north', sku: 'A1', ...row }] })
  const kept = async () => (await send('GET', OFFER)).body.data.cost_tiers
  expect((await bulk({ cost: '10', cost_tiers: TIERS })).status).toBe(200)
  expect(await kept()).toHaveLength(2)
  expect((await bulk({ quantity: 3 })).status).toBe(200)
  expect(await kept()).toHaveLength(2)
  expect((await bulk({ cost_tiers: [] })).status).toBe(200)
  expect(await kept()).toBeNull()
})

test('tiers that rise, or are none, are refused with their place and reason', async () => {
  await offers('A1')
  const t = (quantity: unknown, cost: unknown = '9', rest: object = {}) => ({ quantity, cost, ...rest })
  const cases: [unknown, string, string][] = [
    [[t(0)], 'cost_tiers.0.quantity', 'from 2 to 1000000, not 0'],
    [[t(1)], 'cost_tiers.0.quantity', 'not 1'],
    [[t(1_000_001)], 'cost_tiers.0.quantity', 'to 1000000'],
    [[t(5), t(5, '8')], 'cost_tiers.1.quantity', 'above that of the tier before it, 5'],
    [[t(5), t(4, '8')], 'cost_tiers.1.quantity', 'above that of the tier before it, 5'],
    [[t(5), t(6, '9.00')], 'cost_tiers.1.cost', 'below that of the tier before it, 9'],
    [[t(5), t(6, '9.01')], 'cost_tiers.1.cost', 'costs fall'],
    [[t(5, '10')], 'cost_tiers.0.cost', 'below the cost, 10'],
    [[t(5, '0')], 'cost_tiers.0.cost', 'above 0'],
    [[t(5, '-1')], 'cost_tiers.0.cost', 'at least 0'],
    [[t(5, '1.1234567')], 'cost_tiers.0.cost', 'digits'],
    [Array.from({ length: 21 }, (_, i) => t(i + 2, `9.${30 - i}`)), 'cost_tiers', 'at most 20'],
  ]
  for (const [tiers, name, reason] of cases) {
    const { status, body } = await send('PATCH', OFFER, { cost: '10', cost_tiers: tiers })
    expect([status, body.errors?.[0]], JSON.stringify(tiers)).toEqual([
      422,
      { name, reason: expect.stringContaining(reason) as string },
    ])
    const { body: bulk } = await send('POST', '/bulk/offers', {
      rows: [{ supplier: 'north', sku: 'A1', cost: '10', cost_tiers: tiers }],
    })
    expect(JSON.stringify(bulk), JSON.stringify(tiers)).toContain(name)
  }
  for (const tiers of [
    [t('5')],
    [t(5.5)],
    ['5'],
    '5',
    {},
    [t(5, 'x')],
    [t(5, '1', { price: '1' })],
    [{ quantity: 5 }],
    [null],
  ])
    expect((await send('PATCH', OFFER, { cost_tiers: tiers })).status, JSON.stringify(tiers)).toBe(422)
  expect((await send('GET', OFFER)).body.data.cost_tiers).toBeNull()
})

test('a rule asks for tiers of the supplier or states its own, and none of a fixed price', async () => {
  const own = { tiers: [{ quantity: 10, percent_off: '5' }] }
  const refused = async (method: string, path: string, body: object) =>
    (await send(method, path, body)).body.errors?.[0]
  expect(await refused('POST', '/pricing-rules', { ...RULE, ...own })).toMatchObject({ name: 'tiers' })
  const fixed = { ...RULE, action: 'fixed', percent: null, fixed_price: '10' }
  expect(await refused('POST', '/pricing-rules', fixed)).toMatchObject({
    name: 'tiers_from_supplier',
    reason: 'has no meaning with the action fixed',
  })
  const { body: made } = await send('POST', '/pricing-rules', RULE)
  const path = `/pricing-rules/${made.data.id}`
  expect(await refused('PATCH', path, own)).toMatchObject({ name: 'tiers' })
  expect(await refused('PATCH', path, { action: 'fixed', fixed_price: '1' })).toMatchObject({
    name: 'tiers_from_supplier',
  })
  expect((await send('PATCH', path, { ...own, tiers_from_supplier: false })).status).toBe(200)
  expect(await refused('PATCH', path, { tiers_from_supplier: true })).toMatchObject({ name: 'tiers' })
})
