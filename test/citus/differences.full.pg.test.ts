import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { client, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Differences of a cluster that cause no error: row counts, names of constraints, numbers of sequences.

const { database, bench, service, account } = worldOfFile({
  connectionsMax: 20,
  service: { roles: ['api'] },
  account: 'acme',
})
let http: ReturnType<typeof client>
beforeAll(async () => {
  http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
})

const send = (method: string, path: string, body: unknown) =>
  http(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

test.each([
  ['stores', { slug: 'twice', name: 'Twice', locale: 'en', currency: 'EUR' }],
  ['suppliers', { code: 'twice', name: 'Twice', currency: 'EUR' }],
  ['groups', { name: 'Twice' }],
  ['categories', { path: 'Twice' }],
])('of two that make one of the same name at once one is told so: %s', async (resource, body) => {
  const answers = await Promise.all([1, 2, 3].map(() => send('POST', `/v1/account/${resource}`, body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  for (const answer of answers.filter(({ status }) => status === 409)) {
    expect(answer.body).toMatchObject({
      code: 'conflict',
      detail: expect.stringMatching(/wice" exists already|twice/i) as string,
    })
  }
})

test('writers that send the same offer at once all succeed, and it has one product', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      send('PUT', '/v1/account/suppliers/north/offers/AT-ONCE', { cost: `${i + 1}`, quantity: i }),
    ),
  )
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 201)).toEqual([])
  const rows = await database.db`
    select product_id from offer where account_id = ${account.accountId} and supplier_sku = 'AT-ONCE'`
  expect(rows).toHaveLength(1)
})

test('rates and definitions that are sent again as they are start no sweep', async () => {
  const put = async () => {
    for (const [path, body] of [
      ['rates/PLN', { rate: '4.2' }],
      ['attributes/weight', { unit: 'kg', labels: { en: 'Weight' } }],
    ] as const)
      expect((await send('PUT', `/v1/account/${path}`, body)).status).toBeLessThan(300)
    await bench.shelf.drain(account.accountId)
  }
  const lastSweep = async () =>
    (await database.db<{ last: number }[]>`select last_value as last from sweep_sweep_id_seq`)[0]?.last
  const begin = await lastSweep()
  await put()
  const made = await lastSweep()
  expect(made).toBeGreaterThan(begin ?? 0)
  await put()
  expect(await lastSweep()).toBe(made)
})

test(
  'eight writers of two suppliers: no deadlock, and every payload as its inputs resolve',
  { timeout: 120_000 },
  async () => {
    const keys = Array.from({ length: 40 }, (_, i) => `W${i}`)
    for (const supplier of [0, 1])
      await giveOffers(
        bench,
        account,
        keys.map((key) => offer(key)),
        supplier,
      )
    let refused = 0
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        const supplier = account.suppliers[writer % 2]!
        for (let n = 0; n < 15; n++) {
          const rows = keys
            .filter((_key, i) => (i + n + writer) % 3 === 0)
            .map((key) => offer(key, { cost: `${10 + ((n + writer) % 30)}.5` }))
          await inTransaction(database.db, (tx) => writeOffers(tx, account.accountId, supplier, rows), 0).catch(
            () => refused++,
          )
        }
      }),
    )
    expect(refused).toBe(0)
    await bench.shelf.drain(account.accountId)
    expect(await auditAccount(database.db, account.accountId)).toMatchObject({ differences: [] })
  },
)

test('numbers of offers stay small, as imports need them, whichever node the rows are on', async () => {
  for (let i = 0; i < 4; i++) {
    const other = await createAccount(bench, `numbers ${i}`)
    await giveOffers(bench, other, [offer('A'), offer('B')])
  }
  const [row] = await database.db<{ largest: number }[]>`select max(offer_number)::float8 as largest from offer`
  expect(row?.largest).toBeGreaterThan(0)
  expect(row?.largest).toBeLessThan(1_000_000)
})
