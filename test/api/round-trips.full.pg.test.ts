import { afterAll, beforeAll, expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { openDb } from '../../src/db/open-db.ts'
import { openBench } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { countRoundTrips, type RoundTripCounter } from '../harness/round-trips.ts'
import { client, startTestService, tokenFor, type TestService } from '../harness/service.ts'
import { account, database, offers, send, service, setUp } from './full-access-account.ts'

setUp()

// The number of round trips to the database: one takes more processor time than most statements, and over a network most of
// the time of a small write.

let counter: RoundTripCounter
let counted: TestService
beforeAll(async () => {
  counter = await countRoundTrips(database.url)
  counted = await startTestService({ url: counter.url })
})
afterAll(async () => {
  await counted[Symbol.asyncDispose]()
  await counter[Symbol.asyncDispose]()
})

/** Statements that a process sends beside a write, not counted: notifications, tokens and their use, limits, suspended accounts. */
const BESIDE = /pg_notify|from token|token_rate|token_use|token_request|account_limit|where suspended_at is not null/

test.for([
  ['PUT', '/products/ID/stock', 4, (n: number) => ({ quantity: n, cost: `${n}.50` })],
  ['PATCH', '/products/ID/stock', 4, (n: number) => ({ quantity: n + 10 })],
  ['PUT', '/suppliers/north/offers/A1', 6, (n: number) => ({ cost: `1${n}.50`, quantity: n })],
  ['PATCH', '/suppliers/north/offers/A1', 6, (n: number) => ({ texts: { en: { title: `Offered ${n}` } } })],
  ['PATCH', '/products/ID', 6, (n: number) => ({ title: { en: `Mine ${n}` } })],
] as const)('%s %s waits for the database at most %i times', async ([method, path, most, bodyOf]) => {
  const [id] = await offers('A1')
  expect((await send('PUT', `/products/${id}/stock`, { quantity: 1 })).status).toBe(201)
  const http = client(counted.url, await tokenFor(service.runtime, account.accountId, 'full'))
  const write = async (n: number) => {
    const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(bodyOf(n)) }
    const { status, text } = await http(`/v1/account${path.replace('ID', String(id))}`, init)
    expect([status, text]).toEqual([200, expect.anything()])
  }
  // the first writes prepare statements and load the account
  await write(1)
  await write(2)
  counter.take()
  await write(3)
  const waits = counter.take().filter((texts) => !texts.every((text) => BESIDE.test(text)))
  const shown = waits.map((texts, i) => texts.map((text) => `${i + 1} ${text.replaceAll(/\s+/g, ' ').slice(0, 90)}`))
  expect(waits.length, shown.flat().join('\n')).toBeLessThanOrEqual(most)
})

test.skipIf(isCluster())('a small write is shelved by plans that are there: none is made for its values', async () => {
  const [id = 0] = await offers('A1')
  // prepared statements belong to a connection
  const db = openDb({ url: database.url, connectionsMax: 1 })
  try {
    const { shelf } = openBench(db)
    const write = (quantity: number) =>
      shelf.write(account.accountId, async (tx) => {
        await setOwnStock(tx, account.accountId, [{ productId: id, quantity, cost: `${quantity}.25` }])
        return { productIds: [id], half: 'price' as const }
      })
    const plansMade = async () =>
      new Map(
        (
          await db<{ statement: string; plans: number }[]>`
            select statement, custom_plans::int as plans from pg_prepared_statements where statement ~ '(offer|payload_price|product_search)'`
        ).map(({ statement, plans }) => [statement, plans]),
      )
    await write(1)
    const before = await plansMade()
    expect(before.size).toBeGreaterThan(3)
    for (let n = 2; n < 12; n++) await write(n)
    const made = [...(await plansMade())].filter(([statement, plans]) => plans > (before.get(statement) ?? 0))
    expect(made.map(([statement, plans]) => `${plans} ${statement.replaceAll(/\s+/g, ' ').slice(0, 90)}`)).toEqual([])
  } finally {
    await db.end()
  }
})
