import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUDGET_NAMES, BUDGETS, type BudgetName } from '../../contract/account-limits.ts'
import { createToken } from '../../src/accounts/create-token.ts'
import { setLimit, unsetLimit } from '../../src/accounts/limits/limits.ts'
import { addUpUse, countUse, countUseIn, startCountingUse } from '../../src/accounts/limits/use.ts'
import { createMember } from '../../src/accounts/members.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { runImport } from '../../src/imports/run.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import type { ReadRow } from '../../src/supplier-files/reading.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { hold, openNamed, until } from '../harness/interleave.ts'
import { client, startTestService, tokenFor, type Answer, type TestService } from '../harness/service.ts'
import { picture } from '../images/pictures.ts'
import { worldOfFile } from '../harness/world.ts'

// Every budget through the routes that use it: used up, refused, raised, and set back to its default. Concurrent writers are
// tested in test/accounts/budgets.full.pg.test.ts and test/catalog/locks.full.pg.test.ts.

const { database } = worldOfFile()
let service: TestService
let account: TestAccount
let productId: number
let full: ReturnType<typeof client>
let names = 0
beforeAll(async () => {
  const env = { ACCOUNT_LIMITS: 'channel=1', RATE_LIMIT_PER_SECOND: '100' }
  await expect(startTestService(database, { env })).rejects.toMatchObject({
    code: 'settings-invalid',
    message: expect.stringContaining('"channel", which is no budget'),
  })
  service = await startTestService(database, {
    env: { ...env, ACCOUNT_LIMITS: 'suppliers=7,groups=none', OUTBOUND_ALLOW: '127.0.0.0/8' },
  })
  account = await createAccount(service.runtime, 'budgets')
  const ids = await giveOffers(service.runtime, account, [offer('A'), offer('B')])
  productId = ids[0] ?? 0
  full = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
})
afterAll(() => service[Symbol.asyncDispose]())

const fresh = () => `n${++names}`
const send = (method: string, path: string, body: unknown) =>
  full(`/v1/account${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

interface Listed {
  budget: BudgetName
  used: number
  limit: number | null
  default: number | null
  is_near: boolean
}

async function listed(budget: BudgetName): Promise<Listed> {
  const { body } = await full('/v1/account/limits')
  return (body.data as Listed[]).find((row) => row.budget === budget)!
}

const set = async (budget: BudgetName, amount: number | null) => {
  await inTransaction(database.db, (tx) => setLimit(tx, account.accountId, { budget, amount }))
  service.runtime.wake.notify('directory', account.accountId)
}
const unset = async (budget: BudgetName) => {
  await inTransaction(database.db, (tx) => unsetLimit(tx, account.accountId, budget))
  service.runtime.wake.notify('directory', account.accountId)
}

/** Calls something that is no route of the API, and turns the error that it throws into an answer. */
async function answerOf(work: () => Promise<unknown>): Promise<Pick<Answer, 'status' | 'body'>> {
  try {
    await work()
    return { status: 201, body: {} }
  } catch (error) {
    const { code, message, quota } = error as { code: string; message: string; quota: unknown }
    return { status: code === 'quota-exceeded' ? 422 : 500, body: { code, detail: message, quota } }
  }
}

const CSV = 'sku,cost,stock\n'
const MAPPING = { format: 'csv', fields: { sku: 'sku', cost: 'cost', quantity: 'stock' } }
function upload(content: string) {
  const form = new FormData()
  form.append('mapping', JSON.stringify(MAPPING))
  form.append('file', new Blob([content]), 'offers.csv')
  return full('/v1/account/suppliers/north/imports?mode=delta', { method: 'POST', body: form })
}

/** For each budget the requests that use it, and how much of it each uses (1 unless stated). */
const DOORS: [BudgetName, () => Promise<Pick<Answer, 'status' | 'body'>>, number?][] = [
  ['products', () => send('POST', '/products', { sku: fresh() })],
  ['products', () => send('PUT', `/suppliers/north/offers/${fresh()}`, { cost: '1', quantity: 1 })],
  ['offers', () => send('PUT', `/suppliers/north/offers/${fresh()}`, { cost: '1', quantity: 1 })],
  ['overrides', () => send('PATCH', `/products/${productId}`, { attributes: { [fresh()]: { '*': 'red' } } })],
  ['stores', () => send('POST', '/stores', { slug: fresh(), name: 'S', locale: 'en', currency: 'EUR' })],
  ['groups', () => send('POST', '/groups', { name: fresh() })],
  ['suppliers', () => send('PUT', `/suppliers/${fresh()}`, { name: 'S', currency: 'EUR' })],
  [
    'sources',
    () => send('PUT', `/suppliers/north/sources/${fresh()}`, { kind: 'upload', mapping: MAPPING, mode: 'delta' }),
  ],
  ['pricing_rules', () => send('POST', '/pricing-rules', { name: fresh(), action: 'markup', percent: '10' })],
  ['exclusion_rules', () => send('POST', '/exclusion-rules', { name: fresh(), kind: 'no_ean' })],
  [
    'assortment_rules',
    () => send('POST', '/assortment-rules', { name: fresh(), store_id: account.storeIds[1], is_listed: true }),
  ],
  [
    'rule_bytes',
    () => send('POST', '/pricing-rules', { name: fresh(), action: 'markup', percent: '1', manufacturers: ['Müller'] }),
    39,
  ],
  // the bytes of {"en": "Größe"}, and of {} for units and options
  ['attribute_bytes', () => send('POST', '/attributes', { key: fresh(), labels: { en: 'Größe' } }), 21],
  // the bytes of its path, of "Größe", and of {} for names
  ['category_bytes', () => send('POST', '/categories', { path: 'A', supplier_paths: ['Größe'] }), 10],
  [
    'endpoints',
    () =>
      answerOf(() =>
        service.runtime.endpoints.create(account.accountId, {
          url: `http://127.0.0.1:8123/${fresh()}`,
          kinds: ['price'],
          storeId: null,
        }),
      ),
  ],
  [
    'tokens',
    () =>
      answerOf(() =>
        inTransaction(database.db, (tx) => createToken(tx, { accountId: account.accountId, access: 'full' })),
      ),
  ],
  [
    'members',
    () =>
      answerOf(() =>
        inTransaction(database.db, (tx) =>
          createMember(tx, account.accountId, { email: `${fresh()}@example.com`, role: 'member' }),
        ),
      ),
  ],
  ['pictures', async () => uploadPicture(await picture('png', { width: 8, height: 8, seed: ++names }))],
  ['import_file_bytes', () => upload(`${CSV}${fresh()},1,1\n`), NaN],
]

function uploadPicture(bytes: Buffer) {
  return full('/v1/account/images', {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'image/png' },
  })
}

test.each(DOORS)(
  '%s: refused at the limit, made when it is raised, and the default again',
  async (budget, make, size = 1) => {
    const { used, default: byDefault } = await listed(budget)
    await set(budget, used)
    const refused = await make()
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'quota-exceeded', quota: { budget, used, limit: used, raised_by: 'operator' } },
    ])
    expect(refused.body.detail).toMatch(new RegExp(`budget ${budget} .*ask the operator`))
    expect(await listed(budget)).toMatchObject({ used, limit: used, is_near: true })
    const room = Number.isNaN(size) ? 10_000 : size
    await set(budget, used + room)
    expect(await make()).toMatchObject({ status: expect.toSatisfy((status) => [200, 201, 202].includes(status)) })
    const after = await listed(budget)
    if (!Number.isNaN(size)) expect(after).toMatchObject({ used: used + size, limit: used + size, is_near: true })
    else expect(after.used).toBeGreaterThan(used)
    await unset(budget)
    expect(await listed(budget)).toMatchObject({ limit: byDefault })
  },
)

test('the setting ACCOUNT_LIMITS gives accounts of which nothing is set another limit, or none', async () => {
  expect(await listed('suppliers')).toMatchObject({ limit: 7, default: 7 })
  expect(await listed('groups')).toMatchObject({ limit: null, default: null, is_near: false })
  expect(await listed('stores')).toMatchObject({ limit: BUDGETS.stores.default })
  expect(await listed('requests_per_second')).toMatchObject({ limit: 500 })
  const { body } = await full('/v1/account/limits')
  expect(body.data.map((row: Listed) => row.budget)).toEqual(BUDGET_NAMES)
})

test('bytes of pictures: one that is larger than what is left is refused, and what a picture took is free when it is forgotten', async () => {
  const bytes = await picture('png', { width: 8, height: 8, seed: ++names })
  const { used } = await listed('picture_bytes')
  await set('picture_bytes', used + bytes.length - 1)
  expect(await uploadPicture(bytes)).toMatchObject({ status: 422, body: { quota: { budget: 'picture_bytes' } } })
  await set('picture_bytes', used + bytes.length)
  expect((await uploadPicture(bytes)).status).toBe(201)
  // the same picture a second time uses nothing
  expect((await uploadPicture(bytes)).status).toBe(201)
  expect((await listed('picture_bytes')).used).toBe(used + bytes.length)
  await unset('picture_bytes')
})

test('what is deleted makes room, and what is known is written at the limit', async () => {
  const made = await send('POST', '/products', { sku: fresh() })
  const sku = fresh()
  await send('PUT', `/suppliers/north/offers/${sku}`, { cost: '1', quantity: 1 })
  const [products, offers] = [await listed('products'), await listed('offers')]
  await set('products', products.used)
  await set('offers', offers.used)
  expect((await send('PATCH', `/suppliers/north/offers/${sku}`, { cost: '2' })).status).toBe(200)
  expect((await full(`/v1/account/products/${made.body.data.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await full(`/v1/account/suppliers/north/offers/${sku}`, { method: 'DELETE' })).status).toBe(204)
  expect([(await listed('products')).used, (await listed('offers')).used]).toEqual([products.used - 1, offers.used - 1])
  expect((await send('PUT', `/suppliers/north/offers/${fresh()}`, { cost: '1', quantity: 1 })).status).toBe(201)
  // two rows where one place is left: neither is written
  const rows = [fresh(), fresh()].map((name) => ({ supplier: 'north', sku: name, cost: '1', quantity: 1 }))
  const bulk = await send('POST', '/bulk/offers', { rows })
  expect(bulk).toMatchObject({ status: 422, body: { quota: { budget: 'products', used: products.used } } })
  expect(await listed('offers')).toMatchObject({ used: offers.used })
  await unset('products')
  await unset('offers')
})

describe('an import', () => {
  const importing = (pages: AsyncIterable<readonly ReadRow[]>) =>
    runImport(
      database.db,
      service.runtime.wake,
      { accountId: account.accountId, supplier: account.suppliers[0]!, mode: 'delta', isConfirmed: true },
      pages,
    )
  const rows = (...skus: string[]): ReadRow[] =>
    skus.map((sku, i) => ({ line: i + 2, offer: { sku, cost: String(++names), quantity: 1 } }))

  test('refuses the new offers that there is no room for, by their lines, and writes the others', async () => {
    const { used } = await listed('offers')
    await set('offers', used + 1)
    const [one, two, three] = [fresh(), fresh(), fresh()]
    const report = await importing(
      (async function* () {
        yield rows(one, 'A', two)
        yield rows(three, 'B')
      })(),
    )
    expect(report).toMatchObject({ created: 1, changed: 2, refusedTotal: 2 })
    expect(report.refused).toMatchObject([
      { line: 4, sku: two, faults: [{ name: 'sku', reason: expect.stringContaining('budget offers') }] },
      { line: 2, sku: three },
    ])
    expect(await listed('offers')).toMatchObject({ used: used + 1 })
    await unset('offers')
    const products = await listed('products')
    await set('products', products.used)
    // the offer joins the product that has its EAN, so no product is created
    const ean = '4006381333931'
    await send('PATCH', `/products/${productId}`, { ean })
    const joining = [{ line: 2, offer: { sku: fresh(), cost: '1', quantity: 1, eans: [ean] } }]
    const south = { ...account.suppliers[1]! }
    const joined = await runImport(
      database.db,
      service.runtime.wake,
      { accountId: account.accountId, supplier: south, mode: 'delta', isConfirmed: true },
      (async function* () {
        yield [...joining, ...rows(fresh())]
      })(),
    )
    expect(joined).toMatchObject({ created: 1, refusedTotal: 1 })
    expect(await listed('products')).toMatchObject({ used: products.used })
    await unset('products')
  })

  test('ends where others have used the room up meanwhile; what was written before stays whole', async () => {
    const { used } = await listed('products')
    const importAll = importing(
      (async function* () {
        yield rows(fresh(), fresh())
        await set('products', used + 1)
      })(),
    )
    await expect(importAll).rejects.toMatchObject({ code: 'quota-exceeded', quota: { budget: 'products', used } })
    expect(await listed('products')).toMatchObject({ used })
    await unset('products')
  })
})

describe('rates', () => {
  test('imports an hour: 429 with the time until the oldest is an hour old', async () => {
    const { used } = await listed('imports_per_hour')
    await set('imports_per_hour', used)
    const refused = await upload(`${CSV}${fresh()},1,1\n`)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'quota-exceeded', quota: { budget: 'imports_per_hour', limit: used } },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
    await set('imports_per_hour', used + 1)
    expect((await upload(`${CSV}${fresh()},1,1\n`)).status).toBe(202)
    await unset('imports_per_hour')
  })

  test('operations an hour', async () => {
    const rows = Array.from({ length: 1_001 }, () => ({ product_id: productId, quantity: 1 }))
    await set('operations_per_hour', 0)
    expect(await send('POST', '/bulk/stock', { rows })).toMatchObject({
      status: 429,
      body: { quota: { budget: 'operations_per_hour', limit: 0 } },
    })
    await set('operations_per_hour', 1)
    expect((await send('POST', '/bulk/stock', { rows })).status).toBe(202)
    expect((await send('POST', '/bulk/stock', { rows })).status).toBe(429)
    await unset('operations_per_hour')
  })

  test('rows a minute: a bulk is admitted as a whole, and then nothing until its rows have been paid for', async () => {
    await set('rows_per_minute', 60)
    const write = () => send('PUT', `/suppliers/north/offers/A`, { cost: String(++names), quantity: 1 })
    const rows = Array.from({ length: 300 }, () => ({ product_id: productId, quantity: 1 }))
    await until('the limit holds', async () => (await send('POST', '/bulk/stock', { rows })).status === 429, 10_000)
    const refused = await write()
    expect(refused).toMatchObject({
      status: 429,
      body: { quota: { budget: 'rows_per_minute', limit: 60, used: null } },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await full('/v1/products')).status).toBe(200)
    await unset('rows_per_minute')
    await until('the default holds', async () => (await write()).status === 200, 10_000)
  })

  test('requests a second: those of all tokens together', async () => {
    const tokens = await Promise.all([1, 2, 3, 4].map(() => tokenFor(service.runtime, account.accountId)))
    const clients = tokens.map((token) => client(service.url, token))
    await set('requests_per_second', 5)
    const round = async () =>
      (await Promise.all(Array.from({ length: 40 }, (_, i) => clients[i % 4]!('/v1/stores')))).filter(
        ({ status }) => status === 429,
      )
    let refused: Answer[] = []
    await until('the limit holds', async () => (refused = await round()).length > 0, 10_000)
    expect(refused[0]).toMatchObject({
      body: { code: 'quota-exceeded', quota: { budget: 'requests_per_second', limit: 5 } },
    })
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    await unset('requests_per_second')
    await until('the default holds', async () => (await round()).length === 0, 10_000)
  })

  test('requests at the same time: those of one account, without long polls that wait', async () => {
    await set('concurrent_requests', 1)
    const both = () => Promise.all([full('/v1/account/limits'), full('/v1/account/limits')])
    let answers: Answer[] = []
    await until('the limit holds', async () => (answers = await both()).some(({ status }) => status === 429), 10_000)
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      body: { code: 'quota-exceeded', quota: { budget: 'concurrent_requests', used: 1, limit: 1 } },
    })
    const { body: feed } = await full('/v1/changes?since=now')
    const ending = new AbortController()
    const polls = [1, 2].map(() =>
      full(`/v1/changes?since=${encodeURIComponent(feed.next_since)}&since_id=${feed.next_id}&wait=20`, {
        signal: ending.signal,
      }).catch(() => 'ended'),
    )
    await until('both wait, and others are answered', async () => (await full('/v1/stores')).status === 200, 10_000)
    ending.abort()
    expect((await Promise.all(polls)).every((end) => end === 'ended' || (end as Answer).status !== 500)).toBe(true)
    await unset('concurrent_requests')
    await until('the default holds', async () => (await both()).every(({ status }) => status === 200), 10_000)
    // every place is free again
    await until('nothing is left', async () => (await listed('concurrent_requests')).used === 1, 10_000)
  })
})

test('what is noted is what is there, also when it was added up, counted twice, or written by somebody who notes nothing', async () => {
  const { accountId } = account
  expect(await countUse(database.db, accountId)).toEqual({})
  await addUpUse(database.db, accountId)
  const before = await listed('products')
  // an older release inserts rows without counting them
  await database.db`insert into product (account_id, product_id) values (${accountId}, 900001), (${accountId}, 900002)`
  expect((await listed('products')).used).toBe(before.used)
  await using first = await hold(database.db, (tx) => countUseIn(tx, accountId))
  await using other = openNamed(database)
  const second = countUse(other.db, accountId)
  expect(await other.fate(second)).toBe('blocked')
  await first.commit()
  expect(await second).toEqual({})
  expect((await listed('products')).used).toBe(before.used + 2)
  await database.db`delete from account_use where account_id = ${accountId}`
  await countUse(database.db, accountId)
  expect(await countUse(database.db, accountId)).toEqual({})
  expect((await listed('products')).used).toBe(before.used + 2)
})

test('two processes count the accounts whose use was not counted, a part at a time', async () => {
  const accounts = await Promise.all(
    Array.from({ length: LIMITS.useCountedPerStep + 5 }, (_, i) => createAccount(service.runtime, `to count ${i}`)),
  )
  const ids = accounts.map(({ accountId }) => accountId)
  const uncounted = async () => {
    const rows = await database.db<{ account_id: number }[]>`
      select i.account_id from account_inputs i where account_id = any(${ids}) and not exists (
        select from account_use u where u.account_id = i.account_id and u.budget = 'products' and u.counted_at is not null)`
    return rows.length
  }
  await database.db`update account_use set counted_at = null where account_id = any(${ids})`
  expect(await uncounted()).toBe(ids.length)
  const loops = [startCountingUse(database.db, silentLog), startCountingUse(database.db, silentLog)]
  await until('all are counted', async () => (await uncounted()) === 0, 20_000)
  await Promise.all(loops.map((loop) => loop.stop()))
})
