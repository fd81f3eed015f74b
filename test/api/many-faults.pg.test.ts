import { expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { worldOfFile } from '../harness/world.ts'

// Bodies within the byte limit in which everything is wrong. Naming every fault blocked the process for half a minute.

const { ids, http } = worldOfFile({ service: {}, account: 'acme', products: ['A'] })

const many = <T>(count: number, value: T) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${(36 ** 3 + i).toString(36)}`, value]))

const send = (method: string, path: string, body: unknown) =>
  http(`/v1/account/${path.replace('ID', String(ids[0]))}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test.for([
  ['texts', 'PATCH', 'products/ID', { title: many(3_900, 'x') }],
  ['values', 'PATCH', 'products/ID', { attributes: { colour: many(3_900, 'x') } }],
  ['slugs', 'PATCH', 'products/ID', { slugs: many(20_000, 'x') }],
  ['listings', 'PATCH', 'products/ID', { listings: many(20_000, true) }],
  ['exclusions', 'PATCH', 'products/ID', { exclusions: many(20_000, 'x') }],
  [
    'roundings',
    'POST',
    'pricing-rules',
    { name: 'x', action: 'markup', percent: 10, rounding: many(9_000, { step: 1 }) },
  ],
  ['labels', 'PUT', 'attributes/colour', { labels: many(399, 'x') }],
  ['names', 'POST', 'categories', { path: 'A', names: many(399, 'x') }],
] as const)('at most 200 faults of many wrong %s are named', async ([, method, path, body]) => {
  const answer = await send(method, path, body)
  expect(answer.status).toBe(422)
  expect(answer.body.errors.length).toBe(LIMITS.faultsMax)
})

test.for([
  ['overrides', 'PATCH', 'products/ID', { title: many(4_001, 'x') }, 'body'],
  ['resets', 'PATCH', 'products/ID', { title: many(4_001, null) }, 'body'],
  ['locales', 'PUT', 'attributes/colour', { labels: many(401, 'x') }, 'labels'],
] as const)(
  'a body with too many %s is refused without checking each of them',
  async ([, method, path, body, name]) => {
    const answer = await send(method, path, body)
    expect([answer.status, answer.body.errors[0].name]).toEqual([422, name])
  },
)

test('a body with too many JSON values is refused, and the limit is named', async () => {
  const answer = await send('PATCH', 'products/ID', { title: many(LIMITS.requestBodyValuesMax, 'x') })
  expect([answer.status, answer.body.detail]).toEqual([
    413,
    `the body has more than ${LIMITS.requestBodyValuesMax} values`,
  ])
})
