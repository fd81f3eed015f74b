import { afterEach, expect, test, vi } from 'vitest'
import { createCategory } from '../../src/catalog/settings/content/categories.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { open, service, setUp } from './read-account.ts'

// Lists that grow with an account are built entry by entry, so that other requests are answered in between.

setUp()
afterEach(() => vi.restoreAllMocks())

const DESCRIPTION = 'd'.repeat(20_000)

/** The length of the longest text that this process parsed or wrote as JSON during `work`. */
async function longestText(work: () => Promise<unknown>): Promise<number> {
  const { parse, stringify } = JSON
  let longest = 0
  const note = (text: unknown) => (longest = Math.max(longest, typeof text === 'string' ? text.length : 0))
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    note(text)
    return parse(text, reviver)
  })
  vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown, replacer, space) => {
    const text = stringify(value, replacer as never, space)
    note(text)
    return text
  })
  await work()
  vi.restoreAllMocks()
  return longest
}

test('groups of variants, and one group, are made of members that are cut out: no description is parsed', async () => {
  const { account, get, read } = await open()
  const variant = (sku: string, key: string, position: number) =>
    offer(sku, {
      texts: { en: { title: sku, description: DESCRIPTION } },
      group: { key, title: { en: key }, options: [{ key: 'size', label: null, value: sku }], position },
    })
  await giveOffers(service.runtime, account, [
    ...Array.from({ length: 20 }, (_, i) => variant(`A${i}`, `group ${i}`, 0)),
    ...Array.from({ length: 10 }, (_, i) => variant(`B${i}`, 'of ten', i)),
  ])
  const { data } = await read('/v1/groups')
  expect(data).toHaveLength(21)
  expect(data[0]).toMatchObject({
    key: 'group 0',
    products: 1,
    description: DESCRIPTION,
    image: 'https://images.example.com/A0.jpg',
  })
  const { id } = data.find(({ key }: { key: string }) => key === 'of ten')
  const one = await read(`/v1/groups/${id}`)
  expect(one.data.products).toHaveLength(10)
  expect(one.data).toMatchObject({ key: 'of ten', description: DESCRIPTION, options: [{ key: 'size' }] })
  for (const path of ['/v1/groups', `/v1/groups/${id}`, `/v1/groups/${id}?fields=sku`]) {
    const answers: { status: number; headers: Headers; body: unknown }[] = []
    // HEAD, because reading the body would parse it in this process
    expect(await longestText(async () => answers.push(await get(path, { method: 'HEAD' })))).toBeLessThan(5_000)
    const whole = await get(path)
    expect([path, answers[0]!.headers.get('etag')]).toEqual([path, whole.headers.get('etag')])
  }
})

test('the tag of a group is another one when any of its products or its leading description is', async () => {
  const { account, get, read } = await open()
  const give = (descriptions: readonly string[], cost: string) =>
    giveOffers(
      service.runtime,
      account,
      descriptions.map((description, i) =>
        offer(`A${i}`, {
          cost,
          texts: { en: { title: `A${i}`, description } },
          group: { key: 'tee', title: { en: 'Tee' }, options: [], position: i },
        }),
      ),
    )
  const seen = new Set<string | null>()
  await give(['one', 'two'], '1.00')
  const [{ id }] = (await read('/v1/groups')).data
  for (const change of [
    () => Promise.resolve(),
    () => give(['three', 'two'], '1.00'),
    () => give(['three', 'four'], '1.00'),
    () => give(['three', 'four'], '2.00'),
  ]) {
    await change()
    seen.add((await get(`/v1/groups/${id}`)).headers.get('etag'))
  }
  expect(seen.size).toBe(4)
  // a page without any product shows the group all the same
  const empty = await get(`/v1/groups/${id}?fields=sku`)
  await give(['five', 'four'], '2.00')
  const after = await get(`/v1/groups/${id}?fields=sku`)
  expect([after.body.data.description, after.headers.get('etag') === empty.headers.get('etag')]).toEqual([
    'five',
    false,
  ])
})

test('categories are written one by one', async () => {
  const { account, get, write } = await open()
  for (let i = 0; i < 100; i++)
    await write((tx) => createCategory(tx, account.accountId, { path: `Tools/Hand/${'Saws '.repeat(20)}${i}` }))
  const whole = await get('/v1/categories')
  expect(whole.body.data).toHaveLength(100)
  const answers: { headers: Headers }[] = []
  expect(await longestText(async () => answers.push(await get('/v1/categories', { method: 'HEAD' })))).toBeLessThan(
    5_000,
  )
  expect(answers[0]!.headers.get('etag')).toBe(whole.headers.get('etag'))
})
