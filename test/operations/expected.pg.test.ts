import { beforeAll, expect, test } from 'vitest'
import { bulkNow, type BulkKind, type BulkResult } from '../../src/operations/bulk/write.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// Rows of bulks with expected values: a value that somebody else wrote since it was read is not overwritten.

const { database, bench, account } = worldOfFile({ account: 'acme' })
let a = 0
let b = 0
beforeAll(async () => {
  const ids = await giveOffers(bench, account, [offer('A'), offer('B')])
  ;[a = 0, b = 0] = ids.sort((x, y) => x - y)
})

async function write(kind: BulkKind, rows: readonly unknown[]): Promise<string[]> {
  const { value } = await bench.shelf.write(account.accountId, (tx) =>
    bulkNow(tx, account.accountId, kind, rows, { atomic: false, isDryRun: false }),
  )
  return value.map(told)
}
const told = ({ status, faults }: BulkResult) => faults?.map(({ name }) => name).join() ?? status

test('an override is written where the one that was read is still there, row after row', async () => {
  const row = (value: unknown, expected: unknown, more: object = { field: 'title', locale: 'en' }) => ({
    product_id: a,
    value,
    expected,
    ...more,
  })
  expect(
    await write('bulk_overrides', [
      row('One', null),
      row('Two', null),
      row('Two', 'One'),
      row('Three', 'One'),
      row(null, 'Two'),
      row('Four', null, { field: 'title', locale: 'de' }),
    ]),
  ).toEqual(['created', 'expected', 'changed', 'expected', 'changed', 'created'])
  const attribute = { field: 'attribute', key: 'size' }
  expect(
    await write('bulk_overrides', [
      row(false, null, attribute),
      row('XL', null, attribute),
      row('XL', false, attribute),
      row(null, 'L', attribute),
      row(false, 7, attribute),
    ]),
  ).toEqual(['created', 'expected', 'changed', 'expected', 'expected'])
  const images = { field: 'images' }
  const [one, two] = ['https://images.example/1.png', 'https://images.example/2.png']
  expect(
    await write('bulk_overrides', [
      row([one, two], null, images),
      row([two], [two, one], images),
      row([two], [one, two], images),
    ]),
  ).toEqual(['created', 'expected', 'changed'])
  const [stored] = await database.db<{ titles: string[] }[]>`
    select array_agg(locale || ' ' || value order by locale) as titles from product_override
    where account_id = ${account.accountId} and field = 'title'`
  expect(stored?.titles).toEqual(['de Four'])
})

test('own stock is written where it is as it was read; costs are compared as numbers', async () => {
  const row = (quantity: number | null, expected: unknown, more: object = {}) => ({
    product_id: b,
    quantity,
    expected,
    ...more,
  })
  expect(
    await write('bulk_stock', [
      row(3, null, { cost: '1.50' }),
      row(4, null),
      row(4, { quantity: 3, cost: '1.5' }),
      row(5, { quantity: 4, cost: '1.50' }, { cost: null }),
      row(6, { quantity: 5, cost: '1.5' }),
      row(6, { quantity: 5 }),
      row(null, { quantity: 6, cost: null }),
      row(7, { quantity: 6, cost: null }),
      row(8, null),
      row(9, { quantity: 'many', cost: 'much', price: 1 }),
    ]),
  ).toEqual([
    'created',
    'expected',
    'changed',
    'changed',
    'expected',
    'changed',
    'changed',
    'expected',
    'created',
    'expected.price,expected.quantity,expected.cost',
  ])
  expect(
    await database.db`select quantity from own_stock where account_id = ${account.accountId} and product_id = ${b}`,
  ).toMatchObject([{ quantity: 8 }])
})

test('an exclusion is written where the reason is the one that was read', async () => {
  const row = (reason: string | null, expected: unknown, store?: string) => ({
    product_id: a,
    reason,
    expected,
    ...(store === undefined ? {} : { store }),
  })
  expect(
    await write('bulk_exclusions', [
      row('recalled', null),
      row('seasonal', null),
      row('seasonal', 'recalled'),
      row('other', null, 'de'),
      row(null, 'recalled'),
      row(null, 'seasonal'),
      row(null, 5),
    ]),
    // of several rows for one value, the last accepted one wins
  ).toEqual(['unchanged', 'expected', 'unchanged', 'changed', 'expected', 'unchanged', 'expected'].map(expectAny))
  expect(
    await database.db`select store_id, reason from product_exclusion where account_id = ${account.accountId}`,
  ).toMatchObject([{ reason: 'other' }])
})
// for exclusions, `changed` is reported per product
const expectAny = (status: string) => (status === 'expected' ? status : expect.stringMatching(/^(un)?changed$/))

test('the second of two writers who read the same state gets a conflict', async () => {
  const row = (value: string) => [{ product_id: b, field: 'manufacturer', value, expected: null }]
  const results = await Promise.all([write('bulk_overrides', row('First')), write('bulk_overrides', row('Second'))])
  expect(results.flat().sort()).toEqual(['created', 'expected'])
})
