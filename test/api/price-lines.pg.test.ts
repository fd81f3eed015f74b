import { expect, test } from 'vitest'
import { giveOffers, offer } from '../harness/account.ts'
import { account, read, send, service, setUp } from './full-access-account.ts'

setUp()

// Prices as a store reads them, compared with the lines of their explanation.

interface Line {
  step: string
  op: string
  by: string
  result: string
}

/** Creates a rule for this product alone. @returns its price in the main store, and the lines that explain it. */
async function priced(id: number | undefined, rule: Record<string, unknown>) {
  const body = { name: 'R', action: 'markup', percent: '0', product_ids: [id], priority: 1, ...rule }
  const { status, body: made } = await send('POST', '/pricing-rules', body)
  expect([status, made.errors]).toEqual([201, undefined])
  const shown = (await read(`/v1/products/${id}`)).body.data.prices[0].computed_price as number
  const explained = (await read(`/v1/products/${id}/explain`)).body.data.prices[0].steps as Line[]
  await send('DELETE', `/pricing-rules/${made.data.id}`)
  return { shown, lines: explained.map(({ step, op, by, result }) => `${step} ${op} ${by}: ${result}`) }
}

test('where the floor lies above the ceiling the price is the floor, half up to the minor digits, and not the next step', async () => {
  const [id] = await giveOffers(service.runtime, account, [offer('A1', { cost: '1' })])
  const rounding = { EUR: { step: '100', ending: '0', direction: 'up' } }
  const { shown, lines } = await priced(id, { floor_price: '5', ceiling_price: '4', rounding })
  expect(shown).toBe(5)
  expect(lines).toEqual([
    'cost = 1: 1',
    'markup * 1: 1',
    'ceiling min 4: 1',
    'floor_price max 5: 5',
    'rounding round minor_digits: 5',
  ])
  expect((await priced(id, { floor_price: '5.005', ceiling_price: '4', rounding })).shown).toBe(5.01)
  expect((await priced(id, { floor_price: '5.004', ceiling_price: '4', rounding })).shown).toBe(5)
  // if floor and ceiling do not contradict each other, the floor holds exactly, and the next rounding step above it is used
  expect((await priced(id, { floor_price: '5.004', ceiling_price: '6' })).shown).toBe(5.01)
  expect((await priced(id, { floor_price: '5', ceiling_price: '400', rounding })).shown).toBe(100)
})

test('a bound at the minor digits has a line that says so', async () => {
  const [id] = await giveOffers(service.runtime, account, [offer('A1', { cost: '20' })])
  expect((await priced(id, { floor_price: '20.004' })).lines.at(-1)).toBe('rounding round minor_digits up: 20.01')
  expect((await priced(id, { ceiling_price: '12.606' })).lines.at(-1)).toBe('rounding round minor_digits down: 12.6')
})

test('a cost is explained in one notation, whether its offer competes or not', async () => {
  const [id] = await giveOffers(service.runtime, account, [offer('A1', { cost: '10.50' })])
  const { offers, base_cost } = (await read(`/v1/products/${id}/explain`)).body.data
  expect([offers[0].cost, base_cost.amount, base_cost.shown]).toEqual(['10.5', '10.5', '10.5'])
  expect((await send('PATCH', '/suppliers/north', { is_active: false })).status).toBe(200)
  expect((await read(`/v1/products/${id}/explain`)).body.data.offers).toMatchObject([
    { ineligible: 'inactive_supplier', cost: '10.5' },
  ])
})
