import { expect, test } from 'vitest'
import { createCategory, editCategory } from '../../src/catalog/settings/content/categories.ts'
import { setOverrides } from '../../src/catalog/products/products.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { open, service, setUp } from './read-account.ts'

setUp()

test('categories: the tree in the language of the store, as products name them', async () => {
  const { account, get, read, write } = await open()
  const { accountId } = account
  expect(await read('/v1/categories')).toEqual({ data: [], store: 'main' })
  const make = (input: Parameters<typeof createCategory>[2]) =>
    write(async (tx) => (await createCategory(tx, accountId, input)).value)
  const saws = await make({ path: 'Tools/Hand/Saws', supplierPaths: ['Saws'], names: { pl: 'Piły > ręczne' } })
  const tools = await make({ path: 'Tools', names: { pl: 'Narzędzia', en: 'Our tools' }, externalId: 'T', position: 2 })
  const garden = await make({ path: 'garden', position: 1 })
  const [saw = 0, spade = 0, none = 0] = await giveOffers(service.runtime, account, [
    offer('A', { category: 'Saws' }),
    offer('B', { category: 'Garden' }),
    offer('C', { category: null }),
  ])
  await write((tx) =>
    setOverrides(tx, accountId, [{ productId: spade, field: 'category', locale: '', value: 'Garden' }]),
  )
  expect(await read('/v1/categories?store=pl')).toEqual({
    store: 'pl',
    data: [
      { id: garden, parent_id: null, name: 'garden', path: 'garden', external_id: null, position: 1 },
      { id: tools, parent_id: null, name: 'Narzędzia', path: 'Narzędzia', external_id: 'T', position: 2 },
      {
        id: saws,
        parent_id: tools,
        name: 'Piły > ręczne',
        path: 'Narzędzia > Hand > Piły › ręczne',
        external_id: null,
        position: 0,
      },
    ],
  })
  for (const store of ['main', 'pl']) {
    const listed = new Map<number, { path: string; external_id: string | null }>(
      (await read(`/v1/categories?store=${store}`)).data.map((one: { id: number }) => [one.id, one]),
    )
    const of = async (id: number) => (await read(`/v1/products/${id}?store=${store}`)).data
    for (const [product, category] of [
      [saw, saws],
      [spade, garden],
    ] as const) {
      const { path, external_id } = listed.get(category)!
      expect((await of(product)).categories).toEqual([{ id: category, path, external_id }])
    }
    expect(Object.keys(await of(none))).not.toContain('categories')
  }
  // a write is announced in exactly the stores whose clients then read something different
  const announced = async () => {
    const found: Record<string, number[]> = {}
    for (const store of ['main', 'pl']) {
      const { changes } = await read(`/v1/changes?store=${store}&${cursors[store]!}`)
      found[store] = changes.map((change: { product_id: number }) => change.product_id)
    }
    return found
  }
  const cursors: Record<string, string> = {}
  const remember = async () => {
    for (const store of ['main', 'pl']) {
      const { next_since: since, next_id: id } = await read(`/v1/changes?store=${store}&since=now`)
      cursors[store] = `since=${encodeURIComponent(since)}&since_id=${id}`
    }
  }
  const tag = async () => (await get('/v1/categories?store=pl')).headers.get('etag')!
  await remember()
  const before = await tag()
  const cached = await get('/v1/categories?store=pl', { headers: { 'if-none-match': before } })
  expect(cached.status).toBe(304)
  await write((tx) => editCategory(tx, accountId, tools, { names: { pl: 'Warsztat' } }))
  expect(await announced()).toEqual({ main: [], pl: [saw] })
  await remember()
  await write((tx) => editCategory(tx, accountId, garden, { externalId: 'G', position: 7 }))
  expect(await announced()).toEqual({ main: [spade], pl: [spade] })
  await remember()
  await write((tx) => editCategory(tx, accountId, tools, { position: 9, externalId: 'other' }))
  expect(await announced()).toEqual({ main: [], pl: [] })
  expect(await tag()).not.toBe(before)
})
