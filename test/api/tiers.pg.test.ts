import { expect, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { account, database, offers, read, send, setUp } from './full-access-account.ts'

setUp()

// Tiers of rules over HTTP: in rules, in prices, and in the feed.

const pricesOf = async (id: number | undefined) => (await read(`/v1/prices/${id}`)).body.data.prices
const tiersOf = async (id: number | undefined) =>
  (await pricesOf(id)).map((price: { tiers?: unknown }) => price.tiers ?? null)
const cursor = async () => (await read('/v1/changes?since=now')).body as { next_since: string; next_id: number }
const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
  (await read(`/v1/changes?since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes.map(
    (change: { product_id: number; change_types: string[] }) => [change.product_id, change.change_types],
  )
const RULE = { name: 'R', action: 'fixed', fixed_price: '10', priority: 1 }

test('tiers of a rule are read as stated, announced as price, explained, and go without a trace', async () => {
  const [id] = await offers('A1')
  const before = await read(`/v1/products/${id}`)
  const { body: made } = await send('POST', '/pricing-rules', RULE)
  expect(made.data).toMatchObject({ tiers: null, tiers_above_price: false })
  const path = `/pricing-rules/${made.data.id}`
  const without = await read(`/v1/products/${id}`)
  const start = await cursor()
  const tiers = [
    { quantity: 10, percent_off: 5 },
    { quantity: 50, amount_off: '1.50' },
    { quantity: 100, price: '8.000' },
  ]
  const { status, body: edited } = await send('PATCH', path, { tiers })
  expect([status, edited.errors]).toEqual([200, undefined])
  expect(edited.data.tiers).toEqual([
    { quantity: 10, percent_off: '5' },
    { quantity: 50, amount_off: '1.5' },
    { quantity: 100, price: '8' },
  ])
  expect(await since(start)).toEqual([[id, ['price']]])
  const shown = [
    { quantity: 10, price: 9.5 },
    { quantity: 50, price: 8.5 },
    { quantity: 100, price: 8 },
  ]
  const prices = await pricesOf(id)
  expect(await tiersOf(id)).toEqual(prices.map(() => shown))
  expect(Object.keys(prices[0]).at(-1)).toBe('tiers')
  const { data: why } = (await read(`/v1/products/${id}/explain`)).body
  expect(why.prices[0].tiers).toMatchObject([
    {
      quantity: 10,
      price: '9.5',
      left_out: null,
      steps: [{ step: 'price', by: '10' }, { step: 'percent_off', by: '0.95' }, {}],
    },
    { quantity: 50, price: '8.5', left_out: null },
    { quantity: 100, price: '8', left_out: null },
  ])
  await expectAudited(database.db, account.accountId)
  // sending back the body of a read changes nothing
  const same = await cursor()
  expect((await send('PATCH', path, edited.data)).status).toBe(200)
  expect(await since(same)).toEqual([])
  // the history has only prices for a quantity of one
  expect((await send('GET', `/products/${id}/price-history`)).body.data.entries).toHaveLength(2)

  expect((await send('PATCH', path, { tiers: null })).body.data.tiers).toBeNull()
  const after = await read(`/v1/products/${id}`)
  expect([after.text, after.headers.get('etag')]).toEqual([without.text, without.headers.get('etag')])
  expect((await send('DELETE', path)).status).toBe(204)
  expect((await read(`/v1/products/${id}`)).text).toBe(before.text)
  await expectAudited(database.db, account.accountId)
})

test('a tier above the price is read where the rule says so', async () => {
  const [id] = await offers('A1')
  const { body } = await send('POST', '/pricing-rules', {
    ...RULE,
    action: 'markup',
    fixed_price: null,
    percent: '0',
    floor_price: '10',
    ceiling_price: '50',
    tiers: [{ quantity: 5, price: '20' }],
  })
  expect([body.errors, await tiersOf(id)]).toEqual([undefined, (await pricesOf(id)).map(() => null)])
  const start = await cursor()
  expect((await send('PATCH', `/pricing-rules/${body.data.id}`, { tiers_above_price: true })).status).toBe(200)
  expect(await tiersOf(id)).toEqual((await pricesOf(id)).map(() => [{ quantity: 5, price: 20 }]))
  expect(await since(start)).toEqual([[id, ['price']]])
})

test('tiers that rise, or are none, are refused with their place and reason', async () => {
  const t = (quantity: unknown, rest: object = { percent_off: '5' }) => ({ quantity, ...rest })
  const cases: [unknown[], string, string][] = [
    [[t(1)], 'tiers[0].quantity', 'from 2 to 1000000, not 1'],
    [[t(0)], 'tiers[0].quantity', 'from 2'],
    [[t(1_000_001)], 'tiers[0].quantity', 'to 1000000'],
    [[t(5), t(5, { percent_off: '6' })], 'tiers[1].quantity', 'above that of the tier before it'],
    [[t(5), t(4, { percent_off: '6' })], 'tiers[1].quantity', 'above that of the tier before it'],
    [[t(5), t(6)], 'tiers[1].percent_off', 'prices fall'],
    [[t(5, { amount_off: '2' }), t(6, { amount_off: '1' })], 'tiers[1].amount_off', 'prices fall'],
    [[t(5, { price: '2' }), t(6, { price: '2' })], 'tiers[1].price', 'prices fall'],
    [[t(5, { price: '10' })], 'tiers[0].price', 'below fixed_price'],
    [[t(5, { price: '0' })], 'tiers[0].price', 'above 0'],
    [[t(5, { amount_off: '-1' })], 'tiers[0].amount_off', 'at least 0'],
    [[t(5, { percent_off: '100' })], 'tiers[0].percent_off', 'below 100'],
    [[t(5, { percent_off: '0' })], 'tiers[0].percent_off', 'above 0'],
    [[t(5, { percent_off: '5', price: '5' })], 'tiers[0]', 'one of percent_off, amount_off, price'],
    [[t(5, {})], 'tiers[0]', 'one of percent_off, amount_off, price'],
    [Array.from({ length: 21 }, (_, i) => t(i + 2, { percent_off: String(i + 1) })), 'tiers', 'at most 20'],
  ]
  for (const [tiers, name, reason] of cases) {
    const { status, body } = await send('POST', '/pricing-rules', { ...RULE, tiers })
    expect([status, body.errors?.[0]], JSON.stringify(tiers)).toEqual([
      422,
      { name, reason: expect.stringContaining(reason) as string },
    ])
  }
  for (const tiers of [[t('5')], [t(5.5)], ['5'], '5', [t(5, { percent_off: 'x' })], [t(5, { off: 1 })]])
    expect((await send('POST', '/pricing-rules', { ...RULE, tiers })).status, JSON.stringify(tiers)).toBe(422)
  // an empty list is the same as none
  expect((await send('POST', '/pricing-rules', { ...RULE, tiers: [] })).body.data.tiers).toBeNull()
})
