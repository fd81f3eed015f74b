import { beforeAll, expect, test } from 'vitest'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'
import { makeMember, makePerson, signedIn, type Browser } from './browser.ts'

// Each group of variants is one line in the panel's list of products, over HTTP.

const { database, bench, service } = worldOfFile({ service: {} })
let account: TestAccount
let browser: Browser
/** Product ids by the supplier's key. */
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
  // a group of one is shown as a product
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

test('whatever is asked, each product that matches is in one line, and a line has nothing but products of one group that match', async () => {
  const { accountId } = account
  // equal positions, two suppliers' keys for one group, and groups of which one product alone matches
  const at = (i: number) => variant(`G${i % 7}`, `n${i}`, (i * 5) % 3, { quantity: i % 2, cost: String(5 + i) })
  const ean = (i: number) => gtinOf13(400_000_000_000 + i)
  const north = Array.from({ length: 40 }, (_, i) => ({ ...at(i), eans: [ean(i)], manufacturer: `Maker ${i % 5}` }))
  await giveOffers(bench, account, north)
  const joined = [0, 1, 8].map((i) => ({ ...variant('SOUTH', `s${i}`, 2), eans: [ean(i)] }))
  await giveOffers(bench, account, joined, 1)
  const groupOf = new Map(
    (
      await database.db<{ productId: number; groupId: number }[]>`
        select distinct product_id as "productId", group_id as "groupId" from variant_group_member
        where account_id = ${accountId}`
    ).map(({ productId, groupId }) => [productId, groupId]),
  )
  expect(new Set(groupOf.values()).size).toBe(3 + 6)
  const queries: Record<string, string>[] = [
    {},
    { search: 'g1' },
    { search: 'n1' },
    { stock: 'in' },
    { stock: 'out' },
    { manufacturer: 'Maker 3' },
    { manufacturer: 'Maker 3', stock: 'in' },
    { store: 'de', search: 'g' },
    { supplier: String(account.suppliers[1]?.supplierId) },
  ]
  const all = async (ask: typeof read, query: Record<string, string>, perPage: number) => {
    const found: Line[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<typeof read>> = await ask({
        ...query,
        per_page: perPage,
        ...(after === null ? {} : { after }),
      })
      found.push(...page.data)
      after = page.meta.next_after
    } while (after !== null)
    return found
  }
  for (const query of queries) {
    const matching = (await all(read, query, 100)).map(({ id }) => id).toSorted((a, b) => a - b)
    expect(matching.length, JSON.stringify(query)).toBeGreaterThan(0)
    for (const sort of ['id', '-title', 'sku', '-changed']) {
      const found = await all(lines, { ...query, sort }, 3)
      const what = JSON.stringify({ ...query, sort })
      const products = found.map(({ id, group }) => (group === null ? [id] : (group['product_ids'] as number[])))
      // each matching product once, and no others
      expect(
        products.flat().toSorted((a, b) => a - b),
        what,
      ).toEqual(matching)
      for (const [i, of] of products.entries()) {
        expect(of[0], what).toBe(found[i]?.id)
        if (of.length > 1) expect(new Set(of.map((id) => groupOf.get(id))).size, what).toBe(1)
      }
      // the products of a group are in one line
      const groups = products.flatMap(([id = 0]) => groupOf.get(id) ?? [])
      expect(new Set(groups).size, what).toBe(groups.length)
    }
  }
})

/** 12 digits with their check digit. */
function gtinOf13(digits: number): string {
  const sum = [...String(digits)].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
