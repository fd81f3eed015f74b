import { expect, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { advanceAccount } from '../../src/catalog/settings/days.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { account, database, offers, read, send, service, setUp } from './full-access-account.ts'

setUp()

// Price lists over HTTP: entries by rows and by file, previews, the guard, days, and what is refused.

const shown = async (id: number | undefined, store = 'main'): Promise<number[]> =>
  (await read(`/v1/prices/${id}?store=${store}`)).body.data.prices.map(
    (price: { computed_price: number }) => price.computed_price,
  )
const cursor = async () =>
  (await read('/v1/changes?store=main&since=now')).body as { next_since: string; next_id: number }
const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
  (await read(`/v1/changes?store=main&since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes.map(
    (change: { product_id: number; change_types: string[] }) => [change.product_id, change.change_types],
  )
const LIST = { key: 'trade', name: 'Trade prices', currency: 'EUR' }
const made = async (over: Record<string, unknown> = {}) => {
  expect((await send('POST', '/price-lists', { ...LIST, ...over })).status).toBe(201)
}
const ENTRIES = '/price-lists/trade/entries'
const put = (text: string, query = '', key = 'trade') =>
  send('PUT', `/price-lists/${key}/file${query}`, text, { 'content-type': 'text/csv' })
const faultsOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [
  status,
  (body.errors as { pointer?: string; name?: string; reason: string }[] | undefined)?.map((fault) =>
    Object.values(fault).join(' '),
  ),
]

test('an entry replaces the rule’s price for every group, one for a group wins over it, and null gives it back', async () => {
  const [id] = await offers('A1')
  const ruled = await shown(id)
  await made()
  const start = await cursor()
  const written = await send('PATCH', ENTRIES, { entries: [{ product_id: id, price: '13.5' }] })
  expect([written.status, written.body.data]).toMatchObject([
    200,
    { created: 1, changed: 0, removed: 0, unchanged: 0, dry_run: false, preview: { products: 1, jumps: 0 } },
  ])
  expect(await shown(id)).toEqual(ruled.map(() => 13.5))
  expect(await since(start)).toEqual([[id, ['price']]])

  const forGroup = { product_id: id, group_id: account.groupId, price: '12' }
  expect((await send('PATCH', ENTRIES, { entries: [forGroup] })).body.data).toMatchObject({ created: 1 })
  expect([...(await shown(id))].sort()).toEqual([12, ...ruled.slice(1).map(() => 13.5)].sort())
  expect((await send('GET', `${ENTRIES}?per_page=1`)).body).toMatchObject({
    data: [{ product_id: id, group_id: null, price: '13.5' }],
    meta: { total: 2, next_after: `${id}.0` },
  })
  expect((await send('GET', `${ENTRIES}?per_page=1&after=${id}.0`)).body).toMatchObject({
    data: [{ product_id: id, group_id: account.groupId, price: '12' }],
    meta: { total: 2, next_after: null },
  })
  const both = [
    { product_id: id, price: null },
    { product_id: id, group_id: account.groupId, price: null },
  ]
  expect((await send('PATCH', ENTRIES, { entries: both })).body.data).toMatchObject({ removed: 2 })
  expect(await shown(id)).toEqual(ruled)
  await expectAudited(database.db, account.accountId)
})

test('what a sale hides is counted beside prices that stay, and jumps there are asked about, too', async () => {
  const [id, other] = await offers('A1', 'A2')
  const [ruled = 0] = await shown(id)
  const sale = { sale_price: '9', sale_ends_on: '2999-12-31' }
  expect((await send('PATCH', `/products/${id}`, sale)).status).toBe(200)
  expect(new Set(await shown(id))).toEqual(new Set([9]))
  await made()
  const entries = [
    { product_id: id, price: '13.5' },
    { product_id: other, price: '14' },
  ]
  const { preview } = (await send('PATCH', `${ENTRIES}?dry_run=true`, { entries })).body.data
  const prices = (await shown(id)).length
  expect(preview).toMatchObject({ products: 2, compare_at_prices: preview.prices, jumps: 0 })
  expect(preview.up + preview.down).toBe(preview.prices)
  expect(preview.prices).toBeGreaterThanOrEqual(prices)
  expect(preview.examples[0]).toMatchObject({ product_id: other, after: '14', compare_at_after: null })
  expect(preview.examples.at(-1)).toMatchObject({
    product_id: id,
    before: '9',
    after: '9',
    compare_at_before: String(ruled),
    compare_at_after: '13.5',
  })
  const beside = async () => (await read(`/v1/prices/${id}?store=main`)).body.data.prices[0].compare_at_price
  expect(await beside()).toBe(ruled)
  // a price of 200 is hidden by the sale now, but would be shown unheld once it ends: the preview counts it as a jump
  await send('PATCH', '', { price_jump_factor: '3' })
  const jump = { entries: [{ product_id: id, price: '200' }] }
  expect((await send('PATCH', `${ENTRIES}?dry_run=true`, jump)).body.data.preview).toMatchObject({
    prices: 0,
    jumps: preview.compare_at_prices,
  })
  expect((await send('PATCH', ENTRIES, jump)).status).toBe(409)
  expect((await send('PATCH', ENTRIES, { entries: [entries[0]] })).status).toBe(200)
  expect(await shown(id)).toContain(9)
  expect(await beside()).toBe(13.5)
  expect((await send('PATCH', ENTRIES, { entries: [entries[0]] })).body.data.preview).toMatchObject({
    prices: 0,
    compare_at_prices: 0,
  })
})

test('explain names the list in a line, and the rule wins where it is to', async () => {
  const [id] = await offers('A1')
  const ruled = await shown(id)
  await made()
  await send('PATCH', ENTRIES, { entries: [{ product_id: id, price: '13.5' }] })
  const explained = async () => (await read(`/v1/products/${id}/explain?store=main`)).body.data.prices[0]
  const price = await explained()
  expect(price).toMatchObject({ price: '13.5', price_list: { key: 'trade', name: 'Trade prices' } })
  expect(price.steps.at(-1)).toEqual({ step: 'price_list', op: '=', by: '13.5', result: '13.5' })
  const { data: rules } = (await send('GET', '/pricing-rules')).body
  const { id: ruleId } = rules.find((rule: { is_default: boolean }) => rule.is_default)
  expect((await send('PATCH', `/pricing-rules/${ruleId}`, { over_price_lists: true })).status).toBe(200)
  expect(await shown(id)).toEqual(ruled)
  expect(await explained()).toMatchObject({ price_list: null })
})

test('a list says something in stores of its currency, and within its stores', async () => {
  const [id] = await offers('A1')
  const german = await shown(id, 'de')
  await made({ store_ids: [account.storeIds[0]] })
  await send('PATCH', ENTRIES, { entries: [{ product_id: id, price: '13.5' }] })
  expect((await shown(id))[0]).toBe(13.5)
  expect(await shown(id, 'de')).toEqual(german)
  expect((await send('PATCH', '/stores/main', { currency: 'USD' })).status).toBe(200)
  expect((await shown(id))[0]).not.toBe(13.5)
})

test('its first and its last day are days of the account, and only its products are announced', async () => {
  const [id, other] = await offers('A1', 'A2')
  const ruled = await shown(id)
  await made({ valid_from: '2999-01-02', valid_to: '2999-01-03' })
  await send('PATCH', `${ENTRIES}?confirm=true`, { entries: [{ product_id: id, price: '500' }] })
  expect(await shown(id)).toEqual(ruled)
  await send('PATCH', '', { price_jump_factor: '2' })
  const start = await cursor()
  const day = async (today: string) => {
    await inTransaction(database.db, (tx) => advanceAccount(tx, account.accountId, RESOLVER_VERSION, today))
    await service.runtime.shelf.drain(account.accountId)
  }
  await day('2999-01-01')
  expect(await shown(id)).toEqual(ruled)
  await day('2999-01-02')
  expect(await shown(id)).toEqual(ruled.map(() => 500))
  await day('2999-01-03')
  expect(await shown(id)).toEqual(ruled.map(() => 500))
  // back to the rule's price, which is not held although it jumps: the end of the list was planned
  await day('2999-01-04')
  expect(await shown(id)).toEqual(ruled)
  expect((await since(start)).map(([product]: [number]) => product)).not.toContain(other)
  expect((await database.db`select from price_hold`).length).toBe(0)
  await expectAudited(database.db, account.accountId)
})

test('prices that jump are asked for as a whole, shown before, and not held', async () => {
  const [id] = await offers('A1')
  await send('PATCH', '', { price_jump_factor: '2' })
  await made()
  const ruled = await shown(id)
  const entries = [{ product_id: id, price: '900' }]
  const before = await send('PATCH', `${ENTRIES}?dry_run=true`, { entries })
  expect(before.body.data.preview).toMatchObject({ products: 1, up: before.body.data.preview.prices, down: 0 })
  expect(before.body.data.preview.jumps).toBeGreaterThan(0)
  expect(before.body.data.preview.examples[0]).toMatchObject({ product_id: id, before: String(ruled[0]), after: '900' })
  expect((await send('GET', ENTRIES)).body.data).toEqual([])
  const refused = await send('PATCH', ENTRIES, { entries })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect(refused.body.errors).toEqual([{ name: 'confirm', reason: expect.stringContaining('price_jump_factor') }])
  expect(await shown(id)).toEqual(ruled)
  expect((await send('PATCH', `${ENTRIES}?confirm=true`, { entries })).status).toBe(200)
  expect(await shown(id)).toEqual(ruled.map(() => 900))
  // making a list inactive holds no price either
  expect((await send('PATCH', '/price-lists/trade', { is_active: false })).status).toBe(200)
  expect(await shown(id)).toEqual(ruled)
})

test('a row that says which price it replaces overwrites no other one', async () => {
  const [a, b] = await offers('A1', 'A2')
  await made()
  const priced = (productId: number | undefined, price: string | null, expected?: unknown) => ({
    product_id: productId,
    price,
    ...(expected === undefined ? {} : { expected }),
  })
  const write = (...entries: object[]) => send('PATCH', ENTRIES, { entries })
  const entries = async () =>
    (await send('GET', ENTRIES)).body.data.map(({ price }: { price: string }) => price) as string[]
  expect((await write(priced(a, '13.5', null), priced(b, '14', null))).body.data).toMatchObject({ created: 2 })
  // meanwhile somebody else changes the first row and removes the second
  expect((await write(priced(a, '12.90'), priced(b, null))).status).toBe(200)
  const refused = await write(priced(a, '15', '13.50'), priced(b, '16', 14))
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect(refused.body.errors).toEqual([
    { name: 'entries.0.expected', reason: expect.stringContaining('it was changed meanwhile') },
    { name: 'entries.1.expected', reason: expect.stringContaining('it was changed meanwhile') },
  ])
  expect(await entries()).toEqual(['12.9'])
  expect((await write(priced(a, '15', null))).status).toBe(409)
  expect((await send('PATCH', `${ENTRIES}?dry_run=true`, { entries: [priced(a, '15', '13.5')] })).status).toBe(409)
  // expected values are compared as amounts, so 12.900 is 12.9; repeating a write whose answer was lost is `unchanged`
  expect((await write(priced(a, '15', '12.900'), priced(b, '16', null))).body.data).toMatchObject({
    created: 1,
    changed: 1,
  })
  expect((await write(priced(a, '15', '12.900'), priced(b, '16', null))).body.data).toMatchObject({ unchanged: 2 })
  expect((await write(priced(a, null, '15'))).body.data).toMatchObject({ removed: 1 })
  expect(await entries()).toEqual(['16'])
  expect(faultsOf(await write(priced(a, '15', 'much')))).toEqual([422, [expect.stringContaining('expected')]])
})

test('a file writes the whole list, with decimal commas and names of groups, or what it names alone', async () => {
  const [a, b] = await offers('A1', 'A2')
  await send('PATCH', `/products/${a}`, { sku: 'own-1' })
  await send('PATCH', `/products/${b}`, { sku: 'own "2"' })
  const { name } = (await send('GET', `/groups/${account.groupId}`)).body.data
  await made()
  const file = `\ufeffSKU;Customer group;Price\r\nown-1;;13,50 €\r\n"own ""2""";${String(name).toUpperCase()};12\r\n\r\n`
  expect((await put(file)).body.data).toMatchObject({ created: 2, removed: 0 })
  const entries = async () =>
    (await send('GET', ENTRIES)).body.data.map((row: Record<string, unknown>) => [
      row['sku'],
      row['group_id'],
      row['price'],
    ])
  expect(await entries()).toEqual([
    ['own-1', null, '13.5'],
    ['own "2"', account.groupId, '12'],
  ])
  expect((await put('sku,price\nown-1,14.25\n', '?keep=true')).body.data).toMatchObject({ changed: 1, removed: 0 })
  expect((await put('sku,price\nown-1,14.25\n')).body.data).toMatchObject({ unchanged: 1, removed: 1 })
  expect(await entries()).toEqual([['own-1', null, '14.25']])
  const same = await put(`product_id,price\n${a},14.25\n`, '?dry_run=true')
  expect(same.body.data).toMatchObject({ dry_run: true, unchanged: 1, preview: { prices: 0 } })
})

test('every bad row of a file is named by its line, and nothing of it is written', async () => {
  const [a] = await offers('A1')
  await send('PATCH', `/products/${a}`, { sku: 'own-1' })
  await made()
  const file = [
    'sku,customer_group,price',
    'own-1,,12.50',
    'gone,,12',
    'own-1,Nobody,12',
    'own-1,,-1',
    'own-1,,1.234',
    '"own-1",,13',
    '',
    'own-1,,0',
    'own-1,,',
    'own-1,,5 USD',
    'own-1,,abc',
  ].join('\n')
  const [status, faults] = faultsOf(await put(file))
  expect([status, faults]).toEqual([
    422,
    [
      expect.stringMatching(/line 4.*no customer group "Nobody"/),
      expect.stringMatching(/line 5.*at least 0/),
      expect.stringMatching(/line 6.*at most 15 digits before the decimal point and 2 after it/),
      expect.stringMatching(/line 9.*above 0/),
      expect.stringMatching(/line 10.*is empty/),
      expect.stringMatching(/line 11.*in USD, and the list in EUR/),
      expect.stringMatching(/line 12.*must be a decimal/),
      expect.stringMatching(/line 3.*"gone": no product has it/),
      expect.stringMatching(/line 7.*of line 2 again/),
    ],
  ])
  expect((await send('GET', ENTRIES)).body.data).toEqual([])
  for (const [text, reason] of [
    ['', /has no rows/],
    ['sku,price\n', /has no rows/],
    ['name,price\nx,1\n', /has a column "name"/],
    ['sku,product_id,price\nx,1,1\n', /keep one of them/],
    ['sku\nx\n', /no column "price"/],
    ['price\n1\n', /no column "sku"/],
    ['sku,price\n"own-1,12\n', /never closed/],
  ] as const) {
    const [code, words] = faultsOf(await put(text))
    expect([code, words]).toEqual([422, [expect.stringMatching(reason)]])
  }
  expect((await put('sku,price\nown-1,1.234\n')).status).toBe(422)
  expect((await put(`sku,price\n${'own-1,1\n'.repeat(100_001)}`)).status).toBe(422)
  expect((await send('PUT', '/price-lists/trade/file', {})).status).toBe(415)
  expect((await put('sku,price\nown-1,1\n', '', 'nobody')).status).toBe(404)
})

test('a list with bad members is refused with them, and what it is for stays', async () => {
  const refused = async (body: Record<string, unknown>) =>
    faultsOf(await send('POST', '/price-lists', { ...LIST, ...body }))
  expect((await refused({ key: 'Not a key' }))[0]).toBe(422)
  expect((await refused({ currency: 'EURO' }))[0]).toBe(422)
  expect((await refused({ valid_from: '2026-02-02', valid_to: '2026-02-01' }))[0]).toBe(422)
  expect((await refused({ group_id: 999 }))[0]).toBe(422)
  expect((await refused({ store_ids: [999] }))[0]).toBe(422)
  expect(await refused({ currency: 'PLN', store_ids: [account.storeIds[0]] })).toEqual([
    422,
    [expect.stringMatching(/sells in EUR; a list in PLN/)],
  ])
  const { id } = (await send('POST', '/groups', { name: 'Dealers' })).body.data
  await made({ group_id: id, store_ids: [account.storeIds[1]] })
  expect((await send('DELETE', `/groups/${id}`)).status).toBe(409)
  expect((await send('DELETE', '/stores/de')).status).toBe(409)
  expect((await send('POST', '/price-lists', LIST)).status).toBe(409)
  expect((await send('DELETE', '/price-lists/trade')).status).toBe(204)
  expect((await send('DELETE', `/groups/${id}`)).status).toBe(204)
})
