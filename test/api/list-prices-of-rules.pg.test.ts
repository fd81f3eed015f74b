import { expect, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { account, database, offers, read, send, setUp } from './full-access-account.ts'

setUp()

// List prices that rules compute, over HTTP: in prices, in the feed and in explain, and refused input.

const OFFER = '/suppliers/north/offers/A1'
const pricesOf = async (id: number | undefined) => (await read(`/v1/prices/${id}`)).body.data.prices
const besideOf = async (id: number | undefined) =>
  (await pricesOf(id)).map((price: { compare_at_price?: number }) => price.compare_at_price ?? null)
const cursor = async () => (await read('/v1/changes?since=now')).body as { next_since: string; next_id: number }
const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
  (await read(`/v1/changes?since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes.map(
    (change: { product_id: number; change_types: string[] }) => [change.product_id, change.change_types],
  )
const RULE = { name: 'R', action: 'markup', percent: '50', priority: 1 }

test('a list price of a rule is read beside prices, announced as price, explained, and goes without a trace', async () => {
  const [id] = await offers('A1')
  expect((await send('PATCH', OFFER, { cost: '10' })).status).toBe(200)
  const { body: rule } = await send('POST', '/pricing-rules', RULE)
  const path = `/pricing-rules/${rule.data.id}`
  expect(rule.data.list_price_percent).toBeNull()
  const plain = await read(`/v1/products/${id}`)
  const start = await cursor()
  const { body: edited } = await send('PATCH', path, { list_price_percent: 66.6667 })
  expect(edited.data.list_price_percent).toBe('66.6667')
  expect(await besideOf(id)).toEqual((await pricesOf(id)).map(() => 16.67))
  expect(await since(start)).toEqual([[id, ['price']]])
  const { data: why } = (await read(`/v1/products/${id}/explain`)).body
  expect(why.prices[0].made_list_price).toMatchObject({
    price: '16.67',
    left_out: null,
    steps: [{ step: 'cost' }, { step: 'markup', op: '*', by: '1.666667' }, { step: 'rounding', result: '16.67' }],
  })
  await expectAudited(database.db, account.accountId)

  // a stated list price replaces it, even if it is not above the price
  expect((await send('PATCH', OFFER, { list_price: '18' })).status).toBe(200)
  expect(await besideOf(id)).toEqual((await pricesOf(id)).map(() => 18))
  expect((await send('PATCH', OFFER, { list_price: '14' })).status).toBe(200)
  expect(await besideOf(id)).toEqual((await pricesOf(id)).map(() => null))
  expect((await read(`/v1/products/${id}/explain`)).body.data.prices[0].made_list_price).toBeNull()
  expect((await send('PATCH', OFFER, { list_price: null })).status).toBe(200)
  expect(await besideOf(id)).toEqual((await pricesOf(id)).map(() => 16.67))

  expect((await send('PATCH', path, { list_price_percent: null })).status).toBe(200)
  expect((await read(`/v1/products/${id}`)).text).toBe(plain.text)
  await expectAudited(database.db, account.accountId)
  expect((await send('DELETE', path)).status).toBe(204)
})

test('percentages that make none are refused by name', async () => {
  const cases: [unknown, string][] = [
    [0, 'must be above 0'],
    ['0.0000', 'must be above 0'],
    ['-5', 'must be above 0'],
    ['1.23456', 'digits'],
    ['1000000000', 'digits'],
    ['ten', 'must be'],
    [true, 'must be'],
    [[], 'must be'],
  ]
  for (const [list_price_percent, reason] of cases) {
    const { status, body } = await send('POST', '/pricing-rules', { ...RULE, list_price_percent })
    expect([status, body.errors?.[0]], JSON.stringify(list_price_percent)).toEqual([
      422,
      { name: 'list_price_percent', reason: expect.stringContaining(reason) as string },
    ])
  }
  expect((await send('PATCH', '/pricing-rules/1', { list_price_percent: '1e3' })).status).toBe(422)
})
