import { expect, test } from 'vitest'
import { setLimit } from '../../src/accounts/limits/limits.ts'
import { addUpUse, countUse } from '../../src/accounts/limits/use.ts'
import { usesOf } from '../../src/accounts/limits/use.sql.ts'
import { createProducts, deleteProducts } from '../../src/catalog/products/products.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, offer, openBench } from '../harness/account.ts'
import { sendFor } from '../harness/requests.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Budgets under many writers at once, and the rate of an account over several tokens and processes.

const { database, account } = worldOfFile({ account: 'crowded' })

const count = async (table: 'product' | 'offer', alive: string) => {
  const [row] = await database.db.unsafe<{ n: number }[]>(
    `select count(*)::int as n from ${table} where account_id = ${account.accountId} and ${alive}`,
  )
  return row?.n
}

test('writers at once of products and offers, some of which delete, never exceed a limit, and what is noted is exact', async () => {
  const { accountId, suppliers } = account
  const limit = (budget: 'products' | 'offers', amount: number) =>
    inTransaction(database.db, (tx) => setLimit(tx, accountId, { budget, amount }))
  await limit('products', 200)
  await limit('offers', 150)
  const codes = new Map<string, number>()
  const over = new AbortController()
  const write = (work: Parameters<typeof inTransaction<unknown>>[1]) =>
    inTransaction(database.db, work).then(
      () => codes.set('made', (codes.get('made') ?? 0) + 1),
      (error: { code?: string }) => codes.set(error.code ?? '', (codes.get(error.code ?? '') ?? 0) + 1),
    )
  const counting = (async () => {
    while (!over.signal.aborted) await Promise.all([addUpUse(database.db, accountId), countUse(database.db, accountId)])
  })()
  const made: number[] = []
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 25; i++) {
        const offers = [0, 1, 2].map((n) => offer(`${writer}-${i}-${n}`))
        if (writer < 4) await write((tx) => writeOffers(tx, accountId, suppliers[writer % 2]!, offers))
        else
          await write(async (tx) => {
            const { value } = await createProducts(tx, accountId, [{ sku: `p${writer}-${i}` }])
            made.push(...value)
          })
        const [gone] = made.splice(0, i % 5 === 4 ? 1 : 0)
        if (gone !== undefined) await write((tx) => deleteProducts(tx, accountId, [gone]))
        expect(await count('product', 'deleted_at is null')).toBeLessThanOrEqual(200)
        expect(await count('offer', 'dropped_at is null')).toBeLessThanOrEqual(150)
      }
    }),
  )
  over.abort()
  await counting
  expect([...codes.keys()].sort()).toEqual(['made', 'quota-exceeded'])
  expect(codes.get('quota-exceeded')).toBeGreaterThan(10)
  // counting while others wrote has counted nothing twice: a recount finds no difference
  expect(await countUse(database.db, accountId)).toEqual({})
  const uses = new Map((await usesOf(database.db, accountId)).map(({ budget, used }) => [budget, used]))
  expect(uses.get('products')).toBe(await count('product', 'deleted_at is null'))
  expect(uses.get('offers')).toBe(await count('offer', 'dropped_at is null'))
})

test(
  'five tokens of an account at two processes get what the account may send, and little more',
  { retry: 2 },
  async () => {
    const PER_SECOND = 40
    const env = { RATE_LIMIT_PER_SECOND: '100', ACCOUNT_LIMITS: `requests_per_second=${PER_SECOND}` }
    await using first = await startTestService(database, { env })
    await using second = await startTestService(database, { env })
    const { accountId } = await createAccount(openBench(database.db), 'busy')
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => tokenFor(first.runtime, accountId)))
    const clients = tokens.flatMap((token) => [client(first.url, token), client(second.url, token)])
    const { admitted, refused, seconds } = await sendFor(3_000, clients)
    const burst = PER_SECOND * LIMITS.rateBurstSeconds
    expect(refused).toBeGreaterThan(100)
    expect(admitted).toBeGreaterThan(0.85 * (burst + PER_SECOND * seconds))
    // docs/operations.md: each process may admit a quarter of the burst on top
    expect(admitted).toBeLessThanOrEqual(burst + PER_SECOND * seconds + (2 * burst) / 4)
    // requests of another account are not delayed
    const other = await createAccount(openBench(database.db), 'quiet')
    expect((await client(first.url, await tokenFor(first.runtime, other.accountId))('/v1/stores')).status).toBe(200)
  },
)
