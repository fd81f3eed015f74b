import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offersPage } from '../../src/catalog/products/offers/offer-resource.sql.ts'
import { productsOfPage } from '../../src/catalog/products/product-resource.sql.ts'
import { changesFound } from '../../src/imports/runs/runs.sql.ts'
import { previewUndo } from '../../src/imports/runs/undo/preview-undo.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { until } from '../harness/interleave.ts'
import { recordStatements } from '../harness/plans.ts'
import { makeMember, makePerson, signedIn, type Browser } from '../panel/browser.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// Lists whose rows are bounded one by one but not together: a page ends when its rows have enough characters.

const directory = directoryOfFile('heavy-pages')
const { database, service } = worldOfFile({ service: { roles: ['api', 'work'], env: { DATA_DIR: directory } } })
const ROWS = 12
const LONG = 6_000
const SKUS = Array.from({ length: ROWS }, (_, i) => `S${String(i).padStart(2, '0')}`)
const limits: { listCharacters: number; importPageCharacters: number; shelveHeavyCharacters: number } = LIMITS
const before = { ...limits }
let account: TestAccount
let browser: Browser
let runId: number
let productIds: number[]

const own = (path: string) => browser.get(path, { headers: { 'Shelfwire-Account': String(account.accountId) } })

/** A text of LONG characters, which the database stores as it is or compresses to a hundredth. */
const long = (letter: string) => letter.repeat(LONG)

async function send(letter: string): Promise<number> {
  const document = {
    format: 'csv',
    locale: 'en',
    fields: { sku: 'sku', cost: 'cost', quantity: 'qty', title: 'title', description: 'text' },
  }
  const rows = SKUS.map((sku) => `${sku},1,1,Spade,${long(letter)}\n`)
  const form = new FormData()
  form.set('mapping', JSON.stringify(document))
  form.set('file', new Blob([`sku,cost,qty,title,text\n${rows.join('')}`]), 'offers.csv')
  const response = await fetch(`${service.url}/v1/account/suppliers/north/imports?mode=full&confirm=true`, {
    method: 'POST',
    body: form,
    headers: {
      Cookie: `shelfwire_session=${browser.cookie}`,
      'X-CSRF-Token': browser.csrf ?? '',
      'Shelfwire-Account': String(account.accountId),
    },
  })
  const { data } = (await response.json()) as { data: { id: number } }
  await until('the run has ended', async () => {
    const [row] = await database.db<{ state: string }[]>`
      select state from import_run where account_id = ${account.accountId} and run_id = ${data.id}`
    return row?.state === 'succeeded'
  })
  return data.id
}

beforeAll(async () => {
  account = await createAccount(service.runtime)
  const personId = await makePerson(database.db, 'anna@example.com')
  await makeMember(database.db, account.accountId, personId, 'anna@example.com', 'owner')
  browser = await signedIn(database.db, service.url, personId)
  await send('a')
  runId = await send('b')
  const products = (await own('/v1/account/products?per_page=200')).body.data as { id: number }[]
  productIds = products.map(({ id }) => id)
  const headers = { 'Shelfwire-Account': String(account.accountId) }
  const rows = productIds.map((id) => ({ product_id: id, field: 'description', locale: 'en', value: long('o') }))
  expect((await browser.post('/v1/account/bulk/overrides', { rows }, { headers })).status).toBe(200)
  Object.assign(limits, { listCharacters: 2.5 * LONG, importPageCharacters: 2.5 * LONG, shelveHeavyCharacters: 1_000 })
})
afterAll(() => Object.assign(limits, before))

/** All pages of a list. */
async function pages(path: string): Promise<{ keys: unknown[]; characters: number }[]> {
  const read: { keys: unknown[]; characters: number }[] = []
  let after: string | number | null = null
  do {
    const url = new URL(path, 'http://list')
    if (after !== null) url.searchParams.set('after', String(after))
    const { status, body, text } = await own(`${url.pathname}${url.search}`)
    expect([path, status]).toEqual([path, 200])
    const data = body.data as { sku?: unknown; id?: unknown }[]
    read.push({ keys: data.map((row) => row.id ?? row.sku), characters: text.length })
    after = body.meta.next_after as string | number | null
  } while (after !== null && read.length <= ROWS)
  return read
}

describe('pages end by what their rows weigh, have one row at the least, and together are the whole list (I181)', () => {
  const lists: readonly (readonly [string, () => string, number, number])[] = [
    ['offers', () => '/v1/account/suppliers/north/offers', 3, 3],
    ['changes of a run', () => `/v1/account/imports/${runId}/changes`, 3, 3],
    ['what the owner has set on products', () => '/v1/account/products', 3, 3],
    ['changes of a run in the panel', () => `/panel/api/accounts/${account.accountId}/runs/${runId}/changes`, 2, 1],
  ]
  test.each(lists)('%s', async (name, path, most, least) => {
    for (const perPage of [200, 2, 1]) {
      const read = await pages(`${path()}?per_page=${perPage}`)
      expect(read.flatMap(({ keys }) => keys)).toEqual(
        name === 'what the owner has set on products' ? productIds : SKUS,
      )
      const counts = read.map(({ keys }) => keys.length)
      expect(Math.max(...counts)).toBeLessThanOrEqual(Math.min(perPage, most))
      expect(Math.min(...counts.slice(0, -1))).toBeGreaterThanOrEqual(Math.min(perPage, least))
      expect(counts.at(-1)).toBeGreaterThan(0)
    }
  })
})

test('a list of runs has no mappings, and what they hold is not read', async () => {
  const sent = await recordStatements(service.runtime.db, async () => {
    const { body } = await own('/v1/account/imports?per_page=1')
    expect([body.data.length, body.data[0].id, body.meta.next_before]).toEqual([1, runId, runId])
    const rest = (await own(`/v1/account/imports?before=${runId}`)).body
    expect([rest.data.length, rest.meta.next_before]).toEqual([1, null])
  })
  const read = sent.map(({ text }) => text).filter((text) => /from import_run\b/.test(text) && /run_id desc/.test(text))
  expect(read.length).toBeGreaterThan(0)
  for (const text of read) expect(text).not.toMatch(/\bmapping\b/)
})

test('what an undo would leave is held without what else is known of it', async () => {
  const headers = { 'Shelfwire-Account': String(account.accountId) }
  const changed = { cost: '3' }
  for (const sku of SKUS.slice(0, 2))
    expect(
      (await browser.send('PATCH', `/v1/account/suppliers/north/offers/${sku}`, { body: changed, headers })).status,
    ).toBe(200)
  const { left } = await previewUndo(database.db, account.accountId, runId, '', 50)
  expect(left.map(({ supplierSku, now }) => [supplierSku, now])).toEqual(
    SKUS.slice(0, 2).map((sku) => [sku, { cost: '3', currency: 'EUR', quantity: 1 }]),
  )
  expect(left[0]!.before).toMatchObject({ cost: '1', quantity: 1 })
  expect(JSON.stringify(left).length).toBeLessThan(LONG)
})

test('what is read of a page is no more than it may have, in the table that it is of', async () => {
  const { accountId, suppliers } = account
  const offers = await offersPage(database.db, accountId, suppliers[0]!.supplierId, '', 200)
  expect([offers.length, offers[0]!.found]).toEqual([3, ROWS])
  const changes = await changesFound(database.db, accountId, runId, {}, '', 5)
  expect([changes.length, changes[0]!.found]).toEqual([3, 5])
  expect(await productsOfPage(database.db, accountId, productIds)).toEqual({
    productIds: productIds.slice(0, 3),
    next: productIds[2],
  })
})

describe('a page whose rows are deleted between what it is to have and what is read of them says where the next one begins (I181)', () => {
  /** Reads a page whose rows are deleted meanwhile. @param rows matches the statement that reads rows by id; it gets no ids, so finds none */
  async function emptied(path: string, rows: RegExp) {
    service.runtime.db.onStatement = (text, values) => {
      // ids are sent as a text
      if (rows.test(text)) (values as unknown[])[values.length - 1] = '{}'
    }
    try {
      return (await own(path)).body
    } finally {
      service.runtime.db.onStatement = null
    }
  }

  test('products, as many as there may be and as many as fit', async () => {
    const rows = /as "attributeOverrides"/
    const few = await emptied('/v1/account/products?per_page=2', rows)
    expect([few.data, few.meta.next_after]).toEqual([[], productIds[1]])
    const heavy = await emptied('/v1/account/products?per_page=200', rows)
    expect([heavy.data, heavy.meta.next_after]).toEqual([[], productIds[2]])
    const last = await emptied(`/v1/account/products?after=${productIds.at(-2)}`, rows)
    expect([last.data, last.meta.next_after]).toEqual([[], null])
  })

  test('settings that are read by their keys', async () => {
    const headers = { 'Shelfwire-Account': String(account.accountId) }
    for (const key of ['a', 'b', 'c'])
      expect((await browser.post('/v1/account/attributes', { key }, { headers })).status).toBe(201)
    const rows = /from attribute_definition\s+where account_id = \$\d+ and key = any\(\$/
    const first = await emptied('/v1/account/attributes?per_page=2', rows)
    expect([first.data, first.meta.next_after]).toEqual([[], 'b'])
    const { data, meta } = (await own('/v1/account/attributes?after=b')).body
    expect([data.map(({ key }: { key: string }) => key), meta.next_after]).toEqual([['c'], null])
  })
})

test('settings, which are read as a whole, are answered a part at a time', async () => {
  limits.listCharacters = 1
  try {
    const stores: unknown[] = []
    for (let after: string | null = '', asked = 0; after !== null && asked < 10; asked++) {
      const { body } = await own(`/v1/account/stores${after === '' ? '' : `?after=${after}`}`)
      expect(body.data).toHaveLength(1)
      stores.push(body.data[0].slug)
      after = body.meta.next_after
    }
    expect(stores).toHaveLength(3)
  } finally {
    limits.listCharacters = 2.5 * LONG
  }
})

test('a change that many products would have each for itself is refused above its characters, a dry run too', async () => {
  const path = `/panel/api/accounts/${account.accountId}/products/bulk`
  const most: { productChangeCharactersMax: number } = LIMITS
  const { productChangeCharactersMax } = most
  const body = { selection: { ids: productIds }, override: { field: 'description', locale: 'en', value: long('n') } }
  most.productChangeCharactersMax = ROWS * LONG
  try {
    for (const query of ['', '?dry_run=true']) {
      const { status, body: problem } = await browser.post(`${path}${query}`, body)
      expect([status, problem.errors]).toMatchObject([422, [{ name: 'selection' }]])
      expect(problem.detail).toContain(`at most ${ROWS - 1} at once`)
    }
    const fewer = { ...body, selection: { ids: productIds.slice(1) } }
    expect((await browser.post(`${path}?dry_run=true`, fewer)).status).toBe(202)
  } finally {
    most.productChangeCharactersMax = productChangeCharactersMax
  }
})
