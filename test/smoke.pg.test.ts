import { expect, test } from 'vitest'
import { createAccount, giveOffers, offer, openBench } from './harness/account.ts'
import { createDatabase } from './harness/database.ts'
import { client, startTestService, tokenFor } from './harness/service.ts'

test('smoke', async () => {
  await using database = await createDatabase()
  await using service = await startTestService(database)
  const bench = openBench(database.db)
  const account = await createAccount(bench)
  const ids = await giveOffers(bench, account, Array.from({ length: 450 }, (_, i) => offer(`A${i}`)))
  const get = client(service.url, await tokenFor(service.house, account.accountId))
  for (const path of ['/v1/stores', `/v1/products/${ids[0]}`, `/v1/prices/${ids[0]}?store=pl`, '/v1/products?per_page=2&page=3', '/v1/prices?per_page=1&page=450', '/v1/products?per_page=2&page=300', '/v1/products?after_id=0&per_page=1', `/v1/products?ids=${ids[1]},${ids[2]},7`, '/v1/products?sku=A7', '/v1/changes?limit=2', '/v1/changes?since=now', '/v1/changes?since=2026-02-30T00:00:00Z', '/v1/nothing', '/v1/products?page=x&per_page=1e3', '/openapi.json', '/docs', '/healthz', '/readyz']) {
    const answer = await get(path)
    console.log(path, answer.status, answer.headers.get('etag'), answer.headers.get('content-encoding'), answer.text.slice(0, 600), answer.text.slice(-200))
  }
  expect(1).toBe(1)
})
