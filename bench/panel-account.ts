import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStore } from '../src/catalog/settings/stores/stores.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { openPrinter } from '../src/commands/console/print.ts'
import { inTransaction, type Db } from '../src/db/sql.ts'
import { LIMITS } from '../src/platform/limits.ts'
import { maintain, startService, type Environment } from './environment.ts'
import { createFilledAccount, fillProducts, type FilledAccount } from './fill.ts'
import type { Report } from './report.ts'
import { shelvingText, watchShelving } from './shelving.ts'
import { ADJECTIVES, NOUNS } from './wording.ts'

// The account with which the panel is measured: many products in fifty stores, some with a title of the maximal length.

const STORES = 50
const EXCLUDED_EVERY = 200
/** One product in this many has a title of 5,000 characters. */
const LONG_TITLE_EVERY = 20
const TITLE_LENGTH = 5_000
const CHUNK = 50_000

/**
 * The account is created by the first call, and found again later if its directory is kept. The first store lists all of its
 * products, and each product is also in one of the other 49. Those have copies of the first store's payloads, which is what
 * shelving would store, because locale, currency and rules are the same.
 */
export async function panelAccount(environment: Environment, products: number, report: Report): Promise<FilledAccount> {
  const note = join(environment.directory, `panel-${products}.json`)
  const known = await readFile(note, 'utf8').catch(() => null)
  if (known !== null) return JSON.parse(known) as FilledAccount
  const account = await makeAccount(environment, products, report)
  await writeFile(note, JSON.stringify(account))
  return account
}

async function makeAccount(environment: Environment, products: number, report: Report): Promise<FilledAccount> {
  const { db, wake } = environment.runtime
  const account = await createFilledAccount(db, `panel ${products}`, 1)
  const { accountId } = account
  {
    using progress = openPrinter(false).progress('Filling')
    await fillProducts(db, account, products, (done) => progress.update(done, products))
  }
  await lengthenTitles(db, accountId)
  await db`
    insert into product_exclusion (account_id, product_id, store_id, reason)
    select account_id, product_id, 0, case when product_id % 3 = 0 then 'recalled' else 'manual' end
    from product where account_id = ${accountId} and product_id % ${EXCLUDED_EVERY}::bigint = 0`
  await maintain(environment, ['analyze'])
  const service = await startService(environment)
  await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
  wake.notify('mark', accountId)
  const shelving = await watchShelving(db, accountId, service.pid, products, 'Shelving')
  await service.stop()
  report.figure(`first shelving of ${products.toLocaleString('en')} payloads`, shelvingText(shelving))
  await copyPictures(db, accountId)
  const storeIds = [...account.storeIds, ...(await copyStores(db, account))]
  await maintain(environment, ['vacuum analyze', 'checkpoint'])
  const [size] = await db<{ heap: number; indexes: number }[]>`
    select pg_table_size('product_search') as heap, pg_indexes_size('product_search') as indexes`
  report.figure(
    'disk per product of what products are found by',
    `${Math.round((size?.heap ?? 0) / products)} bytes and ${Math.round((size?.indexes ?? 0) / products)} of indexes`,
  )
  return { ...account, storeIds }
}

/** Replaces suppliers' pictures in payloads by URLs of our copies, as if the mirror had fetched all: lists look for a thumbnail there. */
async function copyPictures(db: Db, accountId: number): Promise<void> {
  // an empty image base means the same to the service as an unset one
  await db`update account_inputs set image_base = coalesce(image_base, '') where account_id = ${accountId}`
  await db`
    update payload_content set body = regexp_replace(body, 'https://images[.]example[.]com/[^"]*-front[.]jpg',
      '/images/' || encode(sha256(convert_to(product_id::text, 'utf8')), 'hex') || '.jpg')
    where account_id = ${accountId}`
}

async function lengthenTitles(db: Db, accountId: number): Promise<void> {
  await db`
    update offer_content set texts = jsonb_set(texts, '{de,title}', to_jsonb(left((texts -> 'de' ->> 'title') || ' ' || (
      select string_agg((${NOUNS.de}::text[])[1 + (product_id + g) % 16] || ' ' || (${ADJECTIVES.de}::text[])[1 + (product_id / 7 + g) % 16]
        || ' ' || (product_id * g) % 900, ' ') from generate_series(1, 300) g), ${TITLE_LENGTH})))
    where account_id = ${accountId} and texts ? 'de' and product_id % ${LONG_TITLE_EVERY}::bigint = 0`
}

/** Creates the other stores. @returns the IDs of all stores */
async function copyStores(db: Db, { accountId, storeIds: [first = 0] }: FilledAccount): Promise<number[]> {
  const copies = await inTransaction(db, async (tx) => {
    const ids: number[] = []
    for (let n = 2; n <= STORES; n++) {
      const store = { slug: `copy-${n}`, name: `Copy ${n}`, locale: 'de', currency: 'EUR', listsByDefault: false }
      ids.push((await createStore(tx, accountId, store)).value)
    }
    // their payloads are copied below, so nothing has to be resolved
    await tx`delete from sweep where account_id = ${accountId}`
    return ids
  })
  const [range] = await db<{ first: number; last: number }[]>`
    select min(product_id) as first, max(product_id) as last from product where account_id = ${accountId}`
  const { first: from = 0, last = -1 } = range ?? {}
  using progress = openPrinter(false).progress('Copying stores')
  const storeOf = db`(${copies}::bigint[])[1 + product_id % ${copies.length}::bigint]`
  for (let at = from; at <= last; at += CHUNK) {
    const part = db`account_id = ${accountId} and product_id >= ${at} and product_id < ${at + CHUNK}`
    await db`
      insert into product_listing (account_id, product_id, store_id, is_listed)
      select account_id, product_id, ${storeOf}, true from product where ${part}`
    await db`
      insert into payload_content (account_id, store_id, product_id, resolver, tag, sku, gaps, body)
      select account_id, ${storeOf}, product_id, resolver, tag, sku, gaps, body from payload_content
      where ${part} and store_id = ${first}`
    await db`
      insert into payload_price (account_id, store_id, product_id, resolver, tag, gaps, body, exclusion, shown)
      select account_id, ${storeOf}, product_id, resolver, tag, gaps, body, exclusion, shown from payload_price
      where ${part} and store_id = ${first}`
    progress.update(Math.min(last, at + CHUNK) - from, last - from)
  }
  await db`
    insert into payload_block (account_id, store_id, block, products)
    select account_id, store_id, product_id / ${LIMITS.idBlockSize}::bigint, count(*) from payload_price
    where account_id = ${accountId} and store_id = any(${copies}::bigint[]) group by 1, 2, 3`
  return copies
}
