import { beforeAll, expect, test } from 'vitest'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'
import { makeMember, makePerson, signedIn, type Browser } from './browser.ts'

// Groups of variants as one line each in the panel's list of products, over HTTP.

const { database, bench, service } = worldOfFile({ service: {} })
let account: TestAccount
let browser: Browser
/** By the article's key. */
const ids = new Map<string, number>()
const idOf = (key: string) => ids.get(key) ?? 0

const variant = (group: string, size: string, position: number, more: object = {}) =>
  offer(`${group}-${size}`, {
    quantity: position + 1,
    texts: { en: { title: `${group} ${size}` }, de: { title: `${group} ${size}` } },
    group: {
      key: group,
      title: { en: `All ${group}` },
      options: [{ key: 'size', label: 'Size', value: size }],
      position,
    },
    ...more,
  })

beforeAll(async () => {
  account = await createAccount(bench, 'lines')
  const person = await makePerson(database.db, 'anna@example.com')
  await makeMember(database.db, account.accountId, person, 'anna@example.com', 'member')
  browser = await signedIn(database.db, service.url, person)
  const offers = [
    // the order of the group is not that of the titles
    variant('TEE', 'S', 2, { cost: '10', manufacturer: 'Rarebrand' }),
    variant('TEE', 'M', 1, { cost: '30', quantity: 0 }),
    variant('TEE', 'L', 3, { cost: '20' }),
    variant('CAP', 'S', 1),
    variant('CAP', 'M', 2, { quantity: 0 }),
    offer('AXE', { texts: { en: { title: 'Axe' } } }),
    offer('SAW', { texts: { en: { title: 'Saw' } } }),
    variant('HAT', 'one', 1),
  ]
  const made = await giveOffers(bench, account, offers)
  offers.forEach(({ sku }, i) => ids.set(sku, made[i] ?? 0))
})

interface Line {
  id: number
  group: Record<string, unknown> | null
}
const read = async (query: Record<string, string | number>) => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return (await browser.get(`/panel/api/accounts/${account.accountId}/products?${text}`)).body as {
    data: Line[]
    meta: { total: number | null; next_after: string | null }
  }
}
const lines = async (query: Record<string, string | number> = {}) => read({ together: 'yes', ...query })
const idsOf = ({ data }: { data: Line[] }) => data.map(({ id }) => id)
const named = (...keys: string[]) => keys.map(idOf)

test('a group is one line with what its products have together; others stay as they are', async () => {
  const { data, meta } = await lines({ sort: 'id' })
  expect(idsOf({ data })).toEqual(named('TEE-M', 'CAP-S', 'AXE', 'SAW', 'HAT-one').toSorted((a, b) => a - b))
  expect(meta.total).toBe(5)
  const group = data.find(({ id }) => id === idOf('TEE-M'))?.group
  expect(group).toMatchObject({ title: 'All TEE', product_ids: named('TEE-M', 'TEE-S', 'TEE-L'), stock: 3 + 0 + 4 })
  const prices = (await read({ search: 'tee' })).data.map((row) => Number((row as unknown as { price: string }).price))
  expect([Number(group?.['price_from']), Number(group?.['price_to'])]).toEqual([
    Math.min(...prices),
    Math.max(...prices),
  ])
  // a group of one is a product
  expect(data.find(({ id }) => id === idOf('HAT-one'))?.group).toBeNull()
  expect((await read({})).data.every((row) => row.group === null)).toBe(true)
})

test.each(['id', '-id', 'title', '-title', 'sku', '-sku', '-changed', undefined])(
  'pages by %s have every line once',
  async (sort) => {
    const seen: number[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<typeof lines>> = await lines({
        per_page: 2,
        ...(sort === undefined ? {} : { sort }),
        ...(after === null ? {} : { after }),
      })
      seen.push(...idsOf(page))
      after = page.meta.next_after
    } while (after !== null)
    expect(seen.toSorted((a, b) => a - b)).toEqual(
      named('TEE-M', 'CAP-S', 'AXE', 'SAW', 'HAT-one').toSorted((a, b) => a - b),
    )
  },
)

test('a line stands for the products that match: by words, inside words, filters, and their count', async () => {
  const found = async (query: Record<string, string>) => {
    const { data, meta } = await lines(query)

    const counted = await browser.get(
      `/panel/api/accounts/${account.accountId}/products/count?${new URLSearchParams({ ...query, together: 'yes' }).toString()}`,
    )
    expect([data.length, counted.body.data.count]).toEqual([meta.total ?? data.length, data.length])
    return data.map(({ id, group }) => [id, group === null ? null : group['product_ids']])
  }
  // the first of the group does not match
  expect(await found({ search: 'tee', stock: 'in' })).toEqual([[idOf('TEE-S'), named('TEE-S', 'TEE-L')]])
  expect(await found({ manufacturer: 'Rarebrand' })).toEqual([[idOf('TEE-S'), null]])
  expect(await found({ search: 'ee' })).toEqual([])
  expect(await found({ search: 'tee m' })).toEqual([[idOf('TEE-M'), null]])
  expect(await found({ store: 'main', stock: 'in' })).toEqual(expect.arrayContaining([[idOf('CAP-S'), null]]))
  expect(await found({ search: 'nothing' })).toEqual([])
})

test('the products of a group are read in its order, page by page, with the same filters', async () => {
  const [line] = (await lines({ search: 'tee' })).data
  const group = Number(line?.group?.['id'])
  expect(idsOf(await read({ group }))).toEqual(named('TEE-M', 'TEE-S', 'TEE-L'))
  const first = await read({ group, per_page: 2 })
  expect(idsOf(first)).toEqual(named('TEE-M', 'TEE-S'))
  expect(idsOf(await read({ group, per_page: 2, after: first.meta.next_after ?? '' }))).toEqual(named('TEE-L'))
  expect(idsOf(await read({ group, stock: 'in' }))).toEqual(named('TEE-S', 'TEE-L'))
  expect(idsOf(await read({ group: 999_999 }))).toEqual([])
})
