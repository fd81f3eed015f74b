import { findCompleteness } from '../src/shelf/completeness.ts'
import { gapsAfter, storeGapCounts } from '../src/shelf/completeness.sql.ts'
import { createStore } from '../src/catalog/settings/stores.ts'
import { inTransaction } from '../src/db/sql.ts'
import { LIMITS } from '../src/platform/limits.ts'
import { createFilledAccount } from './fill.ts'
import { maintain, openEnvironment } from './environment.ts'
import { median } from './processes.ts'
import type { Report } from './report.ts'

// What products lack, at the size of a large catalog: a million products in fifty stores. The counts per block of ids are those of all
// stores; the payloads, without their texts, those of the first one, of which three in ten lack a category. BENCH_PRODUCTS sets a smaller size.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 1_000_000)
const STORES = 50
const ROUNDS = 9
const LACKING = 0.3
const MS = (value: number) => `${value.toFixed(1)} ms`

/** The benchmark of findings; takes two minutes. */
export async function completeness(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const { db } = environment.runtime
  const { accountId } = await createFilledAccount(db, 'complete', 3)
  await inTransaction(db, async (tx) => {
    for (let i = 3; i < STORES; i++)
      await createStore(tx, accountId, { slug: `s-${i}`, name: `S ${i}`, locale: 'de', currency: 'EUR' })
  })
  const [store] = await db<{ id: number }[]>`
    select store_id as id from store where account_id = ${accountId} order by store_id limit 1`
  const storeId = store?.id ?? 0
  const share = Math.round(LACKING * 10)
  await db`
    insert into payload_content (account_id, store_id, product_id, resolver, tag, sku, body, gaps)
    select ${accountId}, ${storeId}, id, 6, 'tag', 'sku-' || id, '"id":' || id, case when id % 10 < ${share} then 4 else 0 end
    from generate_series(1, ${PRODUCTS}) id`
  await db`
    insert into payload_block (account_id, store_id, block, products, no_category)
    select ${accountId}, s.store_id, block, ${LIMITS.idBlockSize}, ${Math.round(LIMITS.idBlockSize * LACKING)}
    from store s cross join generate_series(0, ${Math.floor(PRODUCTS / LIMITS.idBlockSize)}) block
    where s.account_id = ${accountId}`
  const time = async (work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const from = performance.now()
      await work()
      times.push(performance.now() - from)
    }
    return median(times)
  }
  for (const state of ['just written', 'vacuumed']) {
    if (state === 'vacuumed') await maintain(environment, ['vacuum analyze'])
    const label = `${state}, ${PRODUCTS.toLocaleString('en')} products in ${STORES} stores`
    const whole = await time(() => findCompleteness(db, accountId))
    report.goal(`all counts and the first products of each kind, ${label}`, MS(whole), '100 ms', whole <= 100)
    report.figure(`of that, the counts`, MS(await time(() => storeGapCounts(db, accountId))))
    const count = await time(
      async () =>
        await db`
          select store_id, gaps, count(*) from payload_content
          where account_id = ${accountId} and gaps > 0 group by store_id, gaps`,
    )
    report.figure('for comparison, counting one store by the index', MS(count))
    const page = await time(async () => await gapsAfter(db, accountId, storeId, 'no_category', PRODUCTS / 2, 51))
    report.goal('a page of 50 products without a category', MS(page), '10 ms', page <= 10)
  }
  report.print(environment.server)
}
