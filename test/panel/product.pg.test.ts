import { beforeAll, expect, test } from 'vitest'
import { productSources } from '../../src/catalog/products/product-resource.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { makeOwner, type Browser } from './browser.ts'
import { worldOfFile } from '../harness/world.ts'

// The panel's page of one product: the possible values of its fields, its offers, its history with undo, and previews of merges and splits.

const { database, bench, service, account } = worldOfFile({
  account: 'ours',
  service: { roles: ['api', 'work'], env: { SECRET_KEY: TEST_KEY } },
})
let owner: Browser

beforeAll(async () => {
  owner = (await makeOwner(database.db, service.url, account.accountId, 'anna@example.com', 'Anna')).owner
})

const EAN = '4006381333931'
const panel = (id: number, rest: string) => `/panel/api/accounts/${account.accountId}/products/${id}/${rest}`
const v1 = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  owner.send(method, `/v1${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { 'Shelfwire-Account': String(account.accountId), ...headers },
  })
const own = async (id: number) => (await v1('GET', `/account/products/${id}`)).body.data
const history = async (id: number) => (await owner.get(panel(id, 'history'))).body

/** A product that both suppliers offer, and one that only the second does. */
async function twoProducts(name: string, eans: readonly string[] = [EAN]): Promise<[both: number, other: number]> {
  const title = (text: string) => ({ texts: { en: { title: text }, de: { title: `${text} (de)` } } })
  const [both = 0] = await giveOffers(bench, account, [
    offer(`${name}-1`, { eans: [...eans], ...title('North hammer') }),
  ])
  await giveOffers(bench, account, [offer(`${name}-S`, { eans: [...eans], cost: '36', ...title('South hammer') })], 1)
  const [other = 0] = await giveOffers(
    bench,
    account,
    [offer(`${name}-T`, { eans: [], cost: '20', quantity: 9, ...title('Rope') })],
    1,
  )
  return [both, other]
}

test('candidates of a title: own value, suppliers in their order; cut where they are long', async () => {
  const [id] = await twoProducts('C')
  const candidates = async (query: string) => (await owner.get(panel(id, `candidates?${query}`))).body.data
  expect((await v1('PATCH', `/account/products/${id}`, { title: { de: 'Mein Hammer' } })).status).toBe(200)
  const found = await candidates('store=de&field=title')
  expect(found.candidates.map(({ value, supplier, behind }: never) => [value, supplier, behind])).toEqual([
    ['Mein Hammer', null, null],
    ['North hammer (de)', { code: 'north', name: 'North' }, 'override'],
    ['South hammer (de)', { code: 'south', name: 'South' }, 'override'],
    ['North hammer', { code: 'north', name: 'North' }, 'locale'],
    ['South hammer', { code: 'south', name: 'South' }, 'locale'],
  ])
  expect(found).toMatchObject({ has_order: false, locales: ['de', 'en'] })
  const order = { field: 'title', supplier_ids: [account.suppliers[1]?.supplierId] }
  expect((await v1('POST', '/account/source-orders', order)).body).toMatchObject({ data: { field: 'title' } })
  const ordered = await candidates('store=main&field=title')
  expect([ordered.has_order, ordered.candidates[0].value]).toEqual([true, 'South hammer'])
  await v1('DELETE', '/account/source-orders/title')
  const long = 'x'.repeat(LIMITS.candidateCharactersShown + 10)
  await v1('PATCH', `/account/products/${id}`, { description: { en: long } })
  const [first] = (await candidates('store=main&field=description')).candidates
  expect([first.value.length, first.length]).toEqual([LIMITS.candidateCharactersShown, long.length])
  expect((await owner.get(panel(999_999_999, 'candidates?field=title'))).body.code).toBe('unknown-product')
  expect((await owner.get(panel(id, 'candidates?field=title&store=none'))).body.code).toBe('unknown-store')
  expect((await owner.get(panel(id, 'candidates?field=sku'))).body.code).toBe('invalid-parameters')
})

test('offers say what each supplier sends, and by which EAN they belong together', async () => {
  const [id, other] = await twoProducts('O', ['4006381333948'])
  const { data } = (await owner.get(panel(id, 'offers'))).body
  expect(data).toMatchObject([
    { supplier: { code: 'north' }, sku: 'O-1', cost: '10', currency: 'EUR', title: 'North hammer', runs: [] },
    { supplier: { code: 'south' }, sku: 'O-S', cost: '36', currency: 'PLN', locales: ['de', 'en'], stale_since: null },
  ])
  expect(data.map((row: { shared_eans: string[] }) => row.shared_eans)).toEqual([['4006381333948'], ['4006381333948']])
  expect((await owner.get(panel(other, 'offers'))).body.data[0].shared_eans).toEqual([])
})

test('what a person changed can be taken back exactly as long as it is as it was left', async () => {
  const [id] = await twoProducts('H')
  const patch = (body: unknown) => v1('PATCH', `/account/products/${id}`, body)
  await patch({ title: { de: 'Eins', pl: 'Jeden' }, attributes: { color: { '*': 'blue' } }, listings: { pl: false } })
  await patch({ title: { de: 'Zwei' } })
  await v1('PUT', `/account/products/${id}/stock`, { quantity: 7, cost: '3' })
  const { data } = await history(id)
  expect(data.edits.map((edit: never) => [edit['action'], edit['by'], edit['change'], edit['is_undoable']])).toEqual([
    [
      'putStock',
      'Anna <anna@example.com>',
      { before: { stock: null }, after: { stock: { quantity: 7, cost: '3' } } },
      true,
    ],
    [
      'patchProduct',
      'Anna <anna@example.com>',
      { before: { title: { de: 'Eins' } }, after: { title: { de: 'Zwei' } } },
      true,
    ],
    [
      'patchProduct',
      'Anna <anna@example.com>',
      {
        before: { title: { de: null, pl: null }, attributes: { color: null }, listings: { pl: null } },
        after: { title: { de: 'Eins', pl: 'Jeden' }, attributes: { color: { '*': 'blue' } }, listings: { pl: false } },
      },
      false,
    ],
  ])
  expect(data.stores.map(({ store }: { store: string }) => store).toSorted()).toEqual(['de', 'main', 'pl'])
  // undone as the page does; a second undo is refused, because the value has changed since
  const [, last] = data.edits
  const undo = (revision: string) =>
    v1('PATCH', `/account/products/${id}`, last.change.before, { 'If-Match': `"${revision}"` })
  expect((await undo(data.revision)).body.data.title).toEqual({ de: 'Eins', pl: 'Jeden' })
  expect((await undo(data.revision)).body.code).toBe('precondition-failed')
  // now the first is as it was left again
  const after = (await history(id)).data
  expect(after.edits.map((edit: { is_undoable: boolean }) => edit.is_undoable)).toEqual([true, true, false, true])
  const first = after.edits.at(-1)
  await v1('PATCH', `/account/products/${id}`, first.change.before, { 'If-Match': `"${after.revision}"` })
  expect(await own(id)).toMatchObject({ title: {}, attributes: {}, listings: {} })
  // a change that is too large to store is recorded, but cannot be undone
  const large = 'y'.repeat(LIMITS.auditChangeCharactersMax)
  await patch({ description: { en: large } })
  expect((await history(id)).data.edits[0]).toMatchObject({ change: null, is_undoable: false })
})

test('own stock is taken back from the history, as long as it is as it was left', async () => {
  const [id] = await twoProducts('S')
  const path = `/account/products/${id}/stock`
  const stock = async () => (await v1('GET', path)).body.data ?? null
  const undoable = (data: { edits: { is_undoable: boolean }[] }) => data.edits.map((edit) => edit.is_undoable)
  await v1('PUT', path, { quantity: 7, cost: '3' })
  await v1('PUT', path, { quantity: 4, cost: '3' })
  const { data } = await history(id)
  expect(data.edits[0].change).toEqual({ before: { stock: { quantity: 7 } }, after: { stock: { quantity: 4 } } })
  expect(undoable(data)).toEqual([true, false])
  const match = { 'If-Match': `"${data.stock_revision}"` }
  expect((await v1('PATCH', path, data.edits[0].change.before.stock, match)).status).toBe(200)
  expect(await stock()).toMatchObject({ quantity: 7, cost: '3' })
  expect((await v1('PATCH', path, { quantity: 1 }, match)).body.code).toBe('precondition-failed')
  // a change of the cost by somebody else does not prevent undoing the quantity
  await v1('PATCH', path, { quantity: 2 })
  await v1('PATCH', path, { cost: '5' })
  expect(undoable((await history(id)).data).slice(0, 2)).toEqual([true, true])
  // a removal can be undone, unless somebody else has set a new value meanwhile
  await v1('DELETE', path, undefined, { 'If-Match': '*' })
  const removed = (await history(id)).data
  expect([removed.stock_revision, removed.edits[0].change]).toEqual([
    null,
    { before: { stock: { quantity: 2, cost: '5' } }, after: { stock: null } },
  ])
  const back = () => v1('PUT', path, removed.edits[0].change.before.stock, { 'If-None-Match': '*' })
  expect((await back()).status).toBe(201)
  expect((await back()).body.code).toBe('precondition-failed')
  expect(await stock()).toMatchObject({ quantity: 2, cost: '5' })
  // writing the current value changes nothing, so there is nothing to undo
  await v1('PUT', path, { quantity: 2, cost: '5' })
  expect((await history(id)).data.edits[0]).toMatchObject({ change: { before: {}, after: {} }, is_undoable: false })
})

test('a title of one’s own may be as long as a supplier’s', async () => {
  const title = '長い題 '.repeat(2_000).slice(0, 4_999) + 'x'
  const [id = 0] = await giveOffers(bench, account, [offer('LONG', { eans: [], texts: { en: { title } } })])
  await bench.shelf.drain(account.accountId)
  const read = async () => (await v1('GET', `/products/${id}?store=main`)).body.data.title
  expect(await read()).toBe(title)
  const mine = `${title.slice(0, -1)}y`
  expect((await v1('PATCH', `/account/products/${id}`, { title: { en: mine } })).status).toBe(200)
  expect(await read()).toBe(mine)
  const bulk = (value: string) =>
    v1('POST', '/account/bulk/overrides', { rows: [{ product_id: id, field: 'title', locale: 'en', value }] })
  expect((await bulk(title)).body.data[0].status).toBe('changed')
  expect((await bulk(`${title}x`)).body.data[0].errors).toEqual([
    { name: 'value', reason: 'must have at most 5000 characters' },
  ])
})

test('the history is of one product alone, newest first, a page at a time', async () => {
  const [id, other] = await twoProducts('P')
  for (let i = 0; i < LIMITS.productEditsShown + 2; i++)
    await v1('PATCH', `/account/products/${id}`, { title: { de: `Titel ${i}` } }, { Prefer: 'respond-async' })
  const first = await history(id)
  expect(first.data.edits).toHaveLength(LIMITS.productEditsShown)
  const rest = (await owner.get(panel(id, `history?before=${first.meta.next_before}`))).body
  expect([rest.data.edits.length, rest.meta.next_before]).toEqual([2, null])
  expect((await history(other)).data.edits).toEqual([])
})

test('a merge is previewed as it then happens, and previewing writes nothing', async () => {
  const [winner, loser] = await twoProducts('M', ['4006381333955'])
  await v1('PUT', `/account/products/${winner}/stock`, { quantity: 1, cost: '2' })
  await v1('PUT', `/account/products/${loser}/stock`, { quantity: 3, cost: '6' })
  await v1('PATCH', `/account/products/${loser}`, { title: { de: 'Seil' }, exclusions: { '*': 'old' } })
  await bench.shelf.drain(account.accountId)
  const before = [await own(winner), await own(loser)]
  const answer = await owner.post(panel(winner, 'merge-preview'), { product_ids: [loser] })
  expect(answer.status).toBe(200)
  const { data } = answer.body
  expect([await own(winner), await own(loser)]).toEqual(before)
  expect(data.takes).toEqual([
    {
      product_id: loser,
      title: 'Rope',
      title_locale: null,
      picture: null,
      sku: 'M-T',
      offers: [{ supplier: 'south', sku: 'M-T' }],
      stock: { quantity: 3, cost: '6' },
      set: [
        { field: 'title', place: 'de' },
        { field: 'exclusions', place: '*' },
      ],
    },
  ])
  expect(data.stock).toEqual({ before: { quantity: 1, cost: '2' }, after: { quantity: 4, cost: '5' } })
  const stays = data.products[0].stores.find(({ store }: { store: string }) => store === 'main')
  expect([stays.before.price, stays.after.price]).toEqual(['2.5', '6.25'])
  expect(data.products[1].stores.map((place: { after: null }) => place.after)).toEqual([null, null, null])
  // the preview equals the product that clients read afterwards
  expect((await v1('POST', `/account/products/${winner}/merge`, { product_ids: [loser] })).status).toBe(200)
  await bench.shelf.drain(account.accountId)
  const read = (await v1('GET', `/products/${winner}?store=main`)).body.data
  expect([String(read.prices[0].computed_price), read.stock, read.title]).toEqual([
    stays.after.price,
    stays.after.stock,
    stays.after.title,
  ])
  expect((await owner.post(panel(winner, 'merge-preview'), { product_ids: [loser] })).body.code).toBe('unknown-product')
  expect((await owner.post(panel(winner, 'merge-preview'), { product_ids: [winner] })).body.code).toBe('invalid-input')
  expect((await history(winner)).data.edits[0]).toMatchObject({ action: 'mergeProducts', change: null })
  expect(await auditAccount(database.db, account.accountId)).toMatchObject({ differencesTotal: 0 })
})

test('a merge preview says what the jump guard would hold', async () => {
  const [winner, loser] = await twoProducts('J', ['4006381333979'])
  await v1('PUT', `/account/products/${loser}/stock`, { quantity: 3, cost: '50' })
  await v1('PATCH', '/account', { price_jump_factor: '2' })
  await bench.shelf.drain(account.accountId)
  const { data } = (await owner.post(panel(winner, 'merge-preview'), { product_ids: [loser] })).body
  const main = data.products[0].stores.find(({ store }: { store: string }) => store === 'main')
  expect([main.before.is_held, main.after.is_held, main.after.price]).toEqual([false, true, main.before.price])
  await v1('POST', `/account/products/${winner}/merge`, { product_ids: [loser] })
  await bench.shelf.drain(account.accountId)
  const read = (await v1('GET', `/products/${winner}?store=main`)).body.data
  expect([String(read.prices[0].computed_price), read.stock]).toEqual([main.after.price, main.after.stock])
  await v1('PATCH', '/account', { price_jump_factor: null })
})

test('a split is previewed as it then happens, and merging it back gives what was before', async () => {
  const [id] = await twoProducts('S', ['4006381333962'])
  await bench.shelf.drain(account.accountId)
  const offers = [{ supplier: 'south', sku: 'S-S' }]
  const { data } = (await owner.post(panel(id, 'split-preview'), { offers })).body
  const before = (await v1('GET', `/products/${id}?store=main`)).body.data
  expect(data.takes).toEqual([])
  const [, made] = data.products
  expect(made).toMatchObject({ product_id: null, title: 'South hammer' })
  expect(made.stores.map(({ store, before: was }: never) => [store, was])).toEqual([
    ['main', null],
    ['de', null],
    ['pl', null],
  ])
  const split = await v1('POST', `/account/products/${id}/split`, { offers })
  expect(split.status).toBe(201)
  const madeId = split.body.data.id
  await bench.shelf.drain(account.accountId)
  const shown = (await v1('GET', `/products/${madeId}?store=main`)).body.data
  expect([shown.title, shown.stock]).toEqual([made.stores[0].after.title, made.stores[0].after.stock])
  expect((await owner.post(panel(id, 'split-preview'), { offers })).body.code).toBe('unknown-reference')
  expect(
    (await owner.post(panel(id, 'split-preview'), { offers: [{ supplier: 'north', sku: 'S-1' }] })).body.code,
  ).toBe('invalid-input')
  const unknown = {
    offers: [
      { supplier: 'north', sku: 'S-1' },
      { supplier: 'nobody', sku: 'S-S' },
    ],
  }
  const reason = 'names a supplier that the account does not have: "nobody"'
  const errors = [{ name: 'offers.1.supplier', reason }]
  const refused = await v1('POST', `/account/products/${id}/split`, unknown)
  expect(refused.body).toMatchObject({ code: 'invalid-input', errors })
  const notPreviewed = await owner.post(panel(id, 'split-preview'), unknown)
  expect(notPreviewed.body).toMatchObject({ code: 'unknown-reference', errors })
  await v1('POST', `/account/products/${id}/merge`, { product_ids: [madeId] })
  await bench.shelf.drain(account.accountId)
  expect((await v1('GET', `/products/${id}?store=main`)).body.data).toEqual(before)
  expect(await productSources(database.db, account.accountId, [madeId])).toEqual([])
})
