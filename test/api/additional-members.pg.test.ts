import { expect, test } from 'vitest'
import { ADDITIONAL_MEMBER_NAMES } from '../../contract/additional-members.ts'
import { expectAudited, offer } from '../harness/account.ts'
import { world } from '../harness/world.ts'

// The members that an account can add to all of its products (contract/additional-members.ts).

const JSON_TYPE = { 'content-type': 'application/json' }

test('an account that chooses a member reads it, hears of each product once, and reads what it did before when it gives it up', async () => {
  await using w = await world({
    service: {},
    account: 'acme',
    products: [offer('A', { eans: ['4006381333931', '5901234123457'] }), 'B'],
  })
  const { http, ids } = w
  const [a] = ids
  const read = async () => ({
    etag: (await http(`/v1/products/${a}`)).headers.get('etag'),
    product: (await http(`/v1/products/${a}`)).body.data as Record<string, unknown>,
  })
  const kinds = async () =>
    ((await http('/v1/changes?limit=1000')).body.changes as { product_id: number; change_types: string[] }[]).length
  const settings = async (additional: unknown) =>
    http('/v1/account', {
      method: 'PATCH',
      headers: JSON_TYPE,
      body: JSON.stringify({ additional_members: additional }),
    })
  const cursor = async () => (await http('/v1/changes?since=now')).body as { next_since: string; next_id: number }
  const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
    (
      (await http(`/v1/changes?since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes as {
        product_id: number
        change_types: string[]
      }[]
    ).map((change) => [change.product_id, change.change_types])
  expect(await kinds()).toBe(2)

  expect((await http('/v1/account')).body.data.additional_members).toEqual([])
  const before = await read()
  expect(before.product).not.toHaveProperty('eans')
  const start = await cursor()
  expect((await settings(['eans', 'eans'])).body.data.additional_members).toEqual(['eans'])
  const chosen = await read()
  expect(chosen.product).toEqual({ ...before.product, eans: ['4006381333931', '5901234123457'] })
  expect(chosen.etag).not.toBe(before.etag)
  // prices have not changed
  expect(await since(start)).toEqual(ids.map((id) => [id, ['content']]))
  expect((await http(`/v1/products/${a}?fields=eans`)).body.data).toEqual({ id: a, eans: chosen.product['eans'] })
  await expectAudited(w.database.db, w.account.accountId)

  const chosenAt = await cursor()
  expect((await settings(['eans'])).status).toBe(200)
  expect(await since(chosenAt)).toEqual([])
  expect((await settings(null)).body.data.additional_members).toEqual([])
  expect(await read()).toEqual(before)
})

test('an account whose prices say which is the public one hears of prices alone, once, and no price is repriced', async () => {
  await using w = await world({ service: {}, account: 'acme', products: [offer('A'), offer('B')] })
  const { http, ids, account, database } = w
  const send = (method: string, path: string, body: object) =>
    http(`/v1/account${path}`, { method, headers: JSON_TYPE, body: JSON.stringify(body) })
  const read = (path: string) => http(path)
  const texts = async () =>
    Promise.all(
      [`/v1/products/${ids[0]}`, `/v1/prices/${ids[0]}`, '/v1/products', '/v1/prices'].map(async (path) => {
        const { text, headers } = await http(path)
        return [path, text, headers.get('etag')]
      }),
    )
  const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
    (await read(`/v1/changes?since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes.map(
      (change: { product_id: number; change_types: string[] }) => [change.product_id, change.change_types],
    )
  const cursor = async () => (await read('/v1/changes?since=now')).body
  const history = () =>
    database.db`select count(*)::int as rows from price_history where account_id = ${account.accountId}`
  const groups = (await read('/v1/customer-groups')).body.data as { id: number; is_default: boolean }[]
  const before = await texts()
  const repriced = await history()
  expect(JSON.stringify(before)).not.toContain('is_default')

  const start = await cursor()
  await send('PATCH', '', { additional_members: ['prices_is_default'] })
  expect(await since(start)).toEqual(ids.map((id) => [id, ['price']]))
  const says = async (path: string) =>
    (await read(path)).body.data.prices.map((price: { customer_group_id: number; is_default: boolean }) => [
      price.customer_group_id,
      price.is_default,
    ])
  const expected = groups.map((group) => [group.id, group.is_default])
  expect(expected.length).toBeGreaterThan(1)
  expect(await says(`/v1/products/${ids[0]}`)).toEqual(expected)
  expect(await says(`/v1/prices/${ids[0]}`)).toEqual(expected)
  expect(await history()).toEqual(repriced)
  await expectAudited(database.db, account.accountId)

  // every kind of write that changes prices keeps the additional member right
  const chosenAt = await cursor()
  await send('PUT', `/products/${ids[0]}/stock`, { quantity: 3, cost: '4' })
  await send('PATCH', `/groups/${expected[0]?.[0]}`, { name: 'Everybody' })
  await send('POST', '/groups', { name: 'Staff' })
  const more = (await read('/v1/customer-groups')).body.data as { id: number; is_default: boolean }[]
  expect(await says(`/v1/prices/${ids[0]}`)).toEqual(more.map((group) => [group.id, group.is_default]))
  expect(await since(chosenAt)).toEqual(expect.arrayContaining([[ids[1], ['price']]]))
  await expectAudited(database.db, account.accountId)

  const last = await texts()
  await send('PATCH', '', { additional_members: null })
  const after = await texts()
  expect(after.map(([, text]) => text)).toEqual(
    last.map(([, text]) => String(text).replaceAll(/,"is_default":(?:true|false)/g, '')),
  )
  expect(after).not.toEqual(last)
})

test('updated_at moves with the content alone, created_at never, and a write that changes nothing leaves the ETag as it is', async () => {
  await using w = await world({ service: {}, account: 'acme', products: ['A'] })
  const { http, account, database } = w
  const { db } = database
  const [id] = w.ids
  const send = (method: string, path: string, body: object) =>
    http(`/v1/account${path}`, { method, headers: JSON_TYPE, body: JSON.stringify(body) })
  const read = async () => {
    const { body, headers } = await http(`/v1/products/${id}`)
    const { created_at: createdAt, updated_at: updatedAt, title, stock } = body.data as Record<string, unknown>
    return { etag: headers.get('etag'), createdAt, updatedAt, title, stock }
  }
  await send('PATCH', '', { additional_members: ['updated_at', 'created_at'] })
  expect((await http('/v1/account')).body.data.additional_members).toEqual(['created_at', 'updated_at'])
  // as if it had been shelved long ago: written as a change, so that body, tag and column agree
  const backdate = async (at: string) => {
    await db`update payload_content set updated_at = ${at} where account_id = ${account.accountId}`
    await send('PATCH', `/products/${id}`, { title: { en: `Title of ${at}` } })
  }
  await backdate('2001-01-01T00:00:00Z')
  const first = await read()
  expect(first.createdAt).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  const [row] = await db<{ at: string }[]>`
    select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') as at from payload_content
    where account_id = ${account.accountId} and product_id = ${id ?? 0} and store_id = ${account.storeIds[0]}`
  expect(first.updatedAt).toBe(row?.at)

  // wait for the next second
  await expect.poll(() => new Date().toISOString().slice(0, 19)).not.toBe(String(first.updatedAt).slice(0, 19))
  await send('PATCH', `/products/${id}`, { title: { en: first.title } })
  await send('PATCH', '', { name: 'acme again' })
  expect(await read()).toEqual(first)
  await send('PUT', `/products/${id}/stock`, { quantity: 77 })
  const stocked = await read()
  expect(stocked).toEqual({ ...first, etag: stocked.etag, stock: stocked.stock })
  expect(stocked.stock).not.toBe(first.stock)

  await send('PATCH', `/products/${id}`, { title: { en: 'Shovel' } })
  const changed = await read()
  expect(changed).toMatchObject({ createdAt: first.createdAt, title: 'Shovel' })
  expect(String(changed.updatedAt) > String(first.updatedAt)).toBe(true)

  // a clock that is behind does not set it to an earlier time
  const ahead = '2099-01-01T00:00:00+00:00'
  await db`update payload_content set updated_at = ${ahead} where account_id = ${account.accountId}`
  await send('PATCH', `/products/${id}`, { title: { en: 'Spade' } })
  expect((await read()).updatedAt).toBe(ahead)
  await expectAudited(db, account.accountId)
})

test('what is no additional member is refused, and nothing is changed', async () => {
  await using w = await world({ service: {}, account: 'acme' })
  for (const [given, reason] of [
    [['eans', 'title'], 'must be one of'],
    ['eans', 'must be a list of'],
    [[7], 'must be one of'],
  ] as const) {
    const { status, body } = await w.http('/v1/account', {
      method: 'PATCH',
      headers: JSON_TYPE,
      body: JSON.stringify({ additional_members: given }),
    })
    expect([status, body.errors[0].name]).toEqual([422, expect.stringMatching(/^additional_members/)])
    expect(body.errors[0].reason).toContain(reason)
    for (const member of ADDITIONAL_MEMBER_NAMES) expect(body.errors[0].reason).toContain(member)
  }
  expect((await w.http('/v1/account')).body.data.additional_members).toEqual([])
})
