import { expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile()

test('a write that is committed is not refused when its shelving finds all places taken: it is left to the workers', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const offers = Array.from({ length: LIMITS.shelveBatchProducts + 100 }, (_, i) => offer(`T${i}`))
  const productIds = await giveOffers(bench, account, offers)
  // one transaction of requests at a time
  const shelf = new Shelf(database.db, bench.wake, silentLog, () => false, 2)
  const ending = Promise.withResolvers<void>()
  const others: Promise<unknown>[] = []
  const other = async () => {
    await ending.promise
    return { productIds: [], isForAll: false }
  }
  const written = shelf.write(
    accountId,
    async (tx) => {
      const rows = productIds.map((productId) => ({ productId, quantity: 5, cost: null }))
      const done = await setOwnStock(tx, accountId, rows)
      // as many waiting writes as allowed. When this write has committed, one of them begins, so one of its two batches can wait and the other is refused
      for (let i = 0; i < LIMITS.requestTransactionsWaitingPerAccountMax; i++)
        others.push(shelf.write(accountId, other))
      return done
    },
    60_000,
  )
  setTimeout(() => ending.resolve(), 300)
  const { unshelved } = await written
  await Promise.all(others)
  expect(unshelved.length).toBeGreaterThan(0)
  await bench.shelf.drain(accountId)
  expect(await auditAccount(database.db, accountId)).toMatchObject({ differences: [] })
})
