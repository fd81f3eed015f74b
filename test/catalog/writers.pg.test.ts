import { beforeAll, expect, test } from 'vitest'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { prng, shuffled } from '../../src/demo/catalog/prng.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { seedFor } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// Writers that name the same products in different orders. Before upserts were sorted by key, eight of these made 12 writes in
// 15 seconds, in 61 tries: each deadlock costs a second, and the retry runs into the next one.

const { bench, account } = worldOfFile({ account: 'writers' })
let productIds: number[]
beforeAll(async () => {
  productIds = await giveOffers(
    bench,
    account,
    Array.from({ length: 24 }, (_, i) => offer(`w-${i}`)),
  )
})

const random = prng(seedFor('writers'))
const number = (below: number) => Math.floor(random() * below)
type Write = (tx: Tx, ids: readonly number[]) => Promise<unknown>

const WRITES: [string, Write][] = [
  [
    'own stock',
    (tx, ids) =>
      setOwnStock(
        tx,
        account.accountId,
        ids.map((productId) => ({ productId, quantity: number(100), cost: null })),
      ),
  ],
  [
    'titles',
    (tx, ids) =>
      setOverrides(
        tx,
        account.accountId,
        ids.map((productId) => ({ productId, field: 'title' as const, locale: 'en', value: `T ${number(100)}` })),
      ),
  ],
  [
    'attributes',
    (tx, ids) =>
      setOverrides(
        tx,
        account.accountId,
        ids.map((productId) => ({
          productId,
          field: 'attribute' as const,
          key: 'colour',
          locale: '',
          value: `C ${number(100)}`,
        })),
      ),
  ],
  ['listings', (tx, ids) => setListing(tx, account.accountId, account.storeIds[0], ids, number(2) === 0)],
  ['exclusions', (tx, ids) => excludeProducts(tx, account.accountId, null, ids, `R ${number(100)}`)],
]

test.each(WRITES)(
  '%s of the same products in any order: every write succeeds at its first try',
  async (_name, write) => {
    let done = 0
    const refused: unknown[] = []
    const until = performance.now() + 1_500
    const isWanted = () => done <= 50 || (performance.now() < until && done < inGate(200, 400))
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        // a count besides the time, because a cluster is slower and must make as many writes
        while (isWanted() && refused.length === 0) {
          const some = shuffled(productIds, random).slice(0, 12)
          await inTransaction(bench.db, (tx) => write(tx, some), 0).then(
            () => done++,
            (error: unknown) => refused.push(error),
          )
        }
      }),
    )
    expect(refused).toEqual([])
    expect(done).toBeGreaterThan(50)
  },
)
