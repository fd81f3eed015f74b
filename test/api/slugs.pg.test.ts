import { expect, test } from 'vitest'
import { createAccount, expectAudited, giveOffers, offer } from '../harness/account.ts'
import { client, tokenFor } from '../harness/service.ts'
import { world } from '../harness/world.ts'

// Slugs over HTTP: reading products by them, and setting them by hand.

const JSON_TYPE = { 'content-type': 'application/json' }

test('a shop finds a product by its slug and by those that it had, and reads which it has now', async () => {
  await using w = await world({
    service: {},
    account: 'acme',
    products: [offer('A', { texts: { en: { title: 'Молоток' }, de: { title: 'Größter Hammer' } } }), 'B'],
  })
  const { http, ids, service, account, database } = w
  const [a, b] = ids
  const send = async (method: string, path: string, body: object) =>
    http(`/v1/account${path}`, { method, headers: JSON_TYPE, body: JSON.stringify(body) })
  const found = async (query: string) => {
    const { status, body } = await http(`/v1/products?${query}`)
    expect(status, query).toBe(200)
    return (body.data as { id: number; slug?: string }[]).map(({ id, slug }) => [id, slug])
  }
  const cyrillic = encodeURIComponent('молоток')
  // no product has slugs yet
  expect(await found(`slug=${cyrillic}`)).toEqual([])
  await send('PATCH', '', { additional_members: ['slug'] })
  expect(await found(`slug=${cyrillic}`)).toEqual([[a, 'молоток']])
  expect(await found(`slug=${encodeURIComponent('МОЛОТОК')}`)).toEqual([[a, 'молоток']])
  expect(await found('store=de&slug=groesster-hammer')).toEqual([[a, 'groesster-hammer']])
  expect(await found('slug=groesster-hammer')).toEqual([])
  expect(await found(`slug=article-b,${cyrillic},nothing`)).toEqual([
    [a, 'молоток'],
    [b, 'article-b'],
  ])
  expect((await http(`/v1/products?slug=article-b&fields=slug,sku`)).body.data).toEqual([
    { id: b, sku: 'B', slug: 'article-b' },
  ])

  const before = (await http('/v1/changes?since=now')).body as { next_since: string; next_id: number }
  const set = await send('PATCH', `/products/${a}`, { slugs: { main: 'Best Hammer' } })
  expect([set.status, set.body.data.slugs]).toEqual([200, { main: 'best-hammer' }])
  const after = encodeURIComponent(before.next_since)
  const { changes } = (await http(`/v1/changes?since=${after}&since_id=${before.next_id}`)).body
  expect(changes).toMatchObject([{ product_id: a, change_types: ['content'] }])
  expect([await found('slug=best-hammer'), await found(`slug=${cyrillic}`)]).toEqual([
    [[a, 'best-hammer']],
    [[a, 'best-hammer']],
  ])
  expect(await found(`slug=product-${a},product-999999999`)).toEqual([[a, 'best-hammer']])
  // a product that is found by two of its slugs is returned once
  expect(await found(`slug=best-hammer,${cyrillic}`)).toEqual([[a, 'best-hammer']])

  for (const [id, slugs, status, code, fault] of [
    [b, { main: 'best hammer' }, 409, 'conflict', `"best-hammer" is the slug of product ${a} in this store`],
    [b, { main: '🔨' }, 422, 'invalid-input', 'has neither a letter nor a digit'],
    [b, { main: 'x'.repeat(101) }, 422, 'invalid-input', 'becomes a slug of 101 characters; it may have 100'],
    [b, { main: `x-id${a}` }, 422, 'invalid-input', 'ends with -id and a number'],
    [b, { main: `Product ${a}` }, 422, 'invalid-input', 'is kept for the product with that ID'],
    [b, { main: 'x'.repeat(200_000) }, 422, 'invalid-input', 'characters'],
    [b, { elsewhere: 'x' }, 422, 'invalid-input', 'the account has no such store'],
    [b, { main: 7 }, 422, 'invalid-input', 'must be a string'],
  ] as const) {
    const refused = await send('PATCH', `/products/${id}`, { slugs })
    expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
      status,
      code,
      [{ name: `slugs.${Object.keys(slugs)[0]}`, reason: expect.stringContaining(fault) }],
    ])
  }
  expect(await found('slug=article-b')).toEqual([[b, 'article-b']])

  // explain says where each slug comes from
  const explained = async (id: number | undefined, store: string) =>
    (await http(`/v1/products/${id}/explain?store=${store}`)).body.data.slug as unknown
  expect([await explained(a, 'main'), await explained(a, 'de'), await explained(b, 'main')]).toEqual([
    { value: 'best-hammer', by: 'hand', old: ['молоток'] },
    { value: 'groesster-hammer', by: 'title', old: [] },
    { value: 'article-b', by: 'title', old: [] },
  ])

  // null for one slug, or for all, returns to the generated ones
  await send('PATCH', `/products/${a}`, { slugs: { de: 'deutsch' } })
  expect((await send('PATCH', `/products/${a}`, { slugs: { main: null } })).body.data.slugs).toEqual({ de: 'deutsch' })
  expect((await send('PATCH', `/products/${a}`, { slugs: null })).body.data.slugs).toEqual({})
  expect([await found('slug=best-hammer'), await found('store=de&slug=deutsch')]).toEqual([
    [[a, 'молоток']],
    [[a, 'groesster-hammer']],
  ])
  const made = await send('POST', '/products', { sku: 'C', title: { en: 'Rake' }, slugs: { main: 'the rake' } })
  expect([made.status, made.body.data.slugs]).toEqual([201, { main: 'the-rake' }])
  const untitled = (await send('POST', '/products', { sku: 'D' })).body.data.id as number
  expect(await explained(untitled, 'main')).toEqual({ value: `product-${untitled}`, by: 'id', old: [] })

  // another account has slugs of its own, which are not found here
  const other = await createAccount(service.runtime, 'other')
  await giveOffers(service.runtime, other, [offer('B')])
  const theirs = client(service.url, await tokenFor(service.runtime, other.accountId, 'full'))
  expect((await theirs('/v1/products?slug=article-b')).body.data).toEqual([])

  await send('DELETE', `/products/${b}`, {})
  expect(await found('slug=article-b')).toEqual([])
  // products are found by slug even if the account's products do not show the member `slug`
  await send('PATCH', '', { additional_members: [] })
  expect(await found(`slug=${cyrillic}`)).toEqual([[a, undefined]])
  expect(await explained(a, 'main')).toBe(null)
  await expectAudited(database.db, account.accountId)
})

test('slugs of a store that is deleted lead nowhere', async () => {
  await using w = await world({ service: { roles: ['api', 'work'] }, account: 'acme', products: ['A'] })
  const { http, database, account } = w
  const send = async (method: string, path: string, body?: object) =>
    http(`/v1/account${path}`, {
      method,
      ...(body === undefined ? {} : { headers: JSON_TYPE, body: JSON.stringify(body) }),
    })
  await send('PATCH', '', { additional_members: ['slug'] })
  const stores = async () =>
    (
      await database.db<{ store_id: number }[]>`
        select distinct store_id from product_slug where account_id = ${account.accountId} order by store_id`
    ).map((row) => row.store_id)
  await expect.poll(stores).toEqual(account.storeIds)
  expect((await send('DELETE', '/stores/de')).status).toBeLessThan(300)
  await expect.poll(stores, { timeout: 10_000 }).toEqual([account.storeIds[0], account.storeIds[2]])
})
