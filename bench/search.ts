import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { memberInsert } from '../src/accounts/members.sql.ts'
import { openPrinter } from '../src/commands/print.ts'
import { inTransaction, type Db } from '../src/db/sql.ts'
import { personInsert } from '../src/people/persons.sql.ts'
import { openSession } from '../src/people/sessions.ts'
import { createFilledAccount, fillProducts, type FilledAccount } from './fill.ts'
import { maintain, openEnvironment, startService, type Environment } from './environment.ts'
import type { Report } from './report.ts'
import { shelvingText, watchShelving } from './shelving.ts'

// Finding products as one types, in an account of a million products and fifty stores: what a person sees after every key.
// BENCH_PRODUCTS sets a smaller size. The products are shelved for the first store; the payloads of the others, of which each
// lists every fiftieth product, are copies of its, because shelving fifty stores is not what is measured.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 1_000_000)
const STORES = 50
const EXCLUDED_EVERY = 200
const ROUNDS = 3
const GOAL_MS = 100

/** What is typed, and where the cursor stops: an answer is measured after every key. */
const TYPED = [
  'akkuschrauber robust',
  'kettensage 45',
  'garten schwarz 1',
  'n-000123456',
  '400000123456',
  'manufacturer 17',
  'leiter manufacturer 3',
  's 4 r',
  'xylophon',
  'werkzeugkoffer 899',
]

/** Filters without a text, as they are chosen one by one. */
const FILTERS = [
  '',
  'sort=sku',
  'sort=-title',
  'sort=-changed',
  'manufacturer=Manufacturer+17',
  'category=goods/category+3',
  'category=goods&sort=sku',
  'store=copy-7',
  'store=copy-7&sort=-sku&search=le',
  'stock=out',
  'stock=out&sort=title&search=a',
  'excluded=yes',
  'excluded=yes&store=main&sort=sku',
  'excluded=yes&search=s',
  'excluded=no&search=s',
  'reason=none&search=s',
  'search=spaten&stock=in&excluded=no&store=main',
  'incomplete=no_image',
  'incomplete=no_category&sort=sku',
  'incomplete=no_price&store=main&search=s',
  'incomplete=no_title&search=s&sort=-title',
  'changed_since=2020-01-01T00:00:00%2B00:00&sort=-changed',
  'changed_since=2090-01-01T00:00:00%2B00:00',
]

export async function search(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const account = await fillSearched(environment, report)
  await measureSearch(environment, account, report)
  report.print(environment.server)
}

/** Fills and shelves the account. */
export async function fillSearched(environment: Environment, report: Report): Promise<FilledAccount> {
  const { db, wake } = environment.runtime
  const account = await createFilledAccount(db, 'searched', 1)
  const { accountId } = account
  {
    using progress = openPrinter(false).progress('Filling')
    await fillProducts(db, account, PRODUCTS, (done) => progress.update(done, PRODUCTS))
  }
  await db`
    insert into product_exclusion (account_id, product_id, store_id, reason)
    select account_id, product_id, 0, case when product_id % 3 = 0 then 'recalled' else 'manual' end
    from product where account_id = ${accountId} and product_id % ${EXCLUDED_EVERY}::bigint = 0`
  await maintain(environment, ['analyze'])
  const service = await startService(environment)
  await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
  wake.notify('mark', accountId)
  const shelving = await watchShelving(db, accountId, service.pid, PRODUCTS, 'Shelving')
  await service.stop()
  report.figure(`first shelving of ${PRODUCTS.toLocaleString('en')} payloads`, shelvingText(shelving))
  await copyStores(environment, account)
  await maintain(environment, ['vacuum analyze', 'checkpoint'])
  const [size] = await db<{ heap: number; indexes: number }[]>`
    select pg_table_size('product_search') as heap, pg_indexes_size('product_search') as indexes`
  report.figure(
    'disk per product of what products are found by',
    `${Math.round((size?.heap ?? 0) / PRODUCTS)} bytes and ${Math.round((size?.indexes ?? 0) / PRODUCTS)} of indexes`,
  )
  return account
}

async function copyStores(
  environment: Environment,
  { accountId, storeIds: [first = 0] }: FilledAccount,
): Promise<void> {
  const { db } = environment.runtime
  const copies = await db<{ storeId: number }[]>`
    insert into store (account_id, slug, name, locale, currency, lists_by_default)
    select ${accountId}, 'copy-' || n, 'Copy ' || n, 'de', 'EUR', false from generate_series(2, ${STORES}) n
    returning store_id as "storeId"`
  using progress = openPrinter(false).progress('Copying stores')
  for (const [i, { storeId }] of copies.entries()) {
    await db`
      insert into payload_content (account_id, store_id, product_id, resolver, tag, sku, gaps, body)
      select account_id, ${storeId}, product_id, resolver, tag, sku, gaps, body from payload_content
      where account_id = ${accountId} and store_id = ${first} and product_id % ${STORES}::bigint = ${i}`
    await db`
      insert into payload_price (account_id, store_id, product_id, resolver, tag, gaps, body, exclusion, shown)
      select account_id, ${storeId}, product_id, resolver, tag, gaps, body, exclusion, shown from payload_price
      where account_id = ${accountId} and store_id = ${first} and product_id % ${STORES}::bigint = ${i}`
    progress.update(i + 1, copies.length)
  }
}

/** Measures over HTTP, with a session, as the panel does. */
export async function measureSearch(
  environment: Environment,
  { accountId }: FilledAccount,
  report: Report,
): Promise<void> {
  const service = await startService(environment)
  const cookie = await signedIn(environment.runtime.db, accountId)
  const ask = async (query: string) => {
    const from = performance.now()
    const response = await fetch(`${service.url}/panel/api/accounts/${accountId}/products?${query}`, {
      headers: { cookie: `shelfwire_session=${cookie}` },
    })
    const body = (await response.json()) as { data: unknown[]; meta: { total: number | null } }
    const ms = performance.now() - from
    if (response.status !== 200) throw new Error(JSON.stringify(body))
    return { ms, found: body.data.length, total: body.meta.total }
  }
  const typed: number[] = []
  const filtered: number[] = []
  const slowest = new Map<string, number>()
  const measure = async (query: string, into: number[], isMeasured: boolean) => {
    const { ms } = await ask(query)
    if (!isMeasured) return
    into.push(ms)
    slowest.set(query, Math.max(slowest.get(query) ?? 0, ms))
  }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const text of TYPED)
      for (let end = 1; end <= text.length; end++)
        await measure(`search=${encodeURIComponent(text.slice(0, end))}`, typed, round > 0)
    for (const query of FILTERS) await measure(query, filtered, round > 0)
  }
  const what = `${PRODUCTS.toLocaleString('en')} products, ${STORES} stores`
  for (const [name, times] of [
    ['a list after every key of what is typed', typed],
    ['a list by filters', filtered],
  ] as const)
    report.goal(
      `${name}, ${what}`,
      `p95 ${at(times, 0.95)} ms, p50 ${at(times, 0.5)} ms, longest ${at(times, 1)} ms of ${times.length}`,
      `p95 ${GOAL_MS} ms`,
      Number(at(times, 0.95)) <= GOAL_MS,
    )
  const worst = [...slowest].sort(([, a], [, b]) => b - a).slice(0, 8)
  report.figure(
    'the slowest',
    worst.map(([query, ms]) => `${query === '' ? '(all)' : query} ${ms.toFixed(0)} ms`).join(', '),
  )
  for (const query of ['search=s', 'stock=in', 'store=main&excluded=no', 'excluded=no']) {
    const from = performance.now()
    const response = await fetch(`${service.url}/panel/api/accounts/${accountId}/products/count?${query}`, {
      headers: { cookie: `shelfwire_session=${cookie}` },
    })
    const { data } = (await response.json()) as { data: { count: number | null } }
    report.figure(`exact count of ${query}`, `${data.count} in ${(performance.now() - from).toFixed(0)} ms`)
  }
  await service.stop()
}

const at = (times: readonly number[], share: number) =>
  ([...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)

async function signedIn(db: Db, accountId: number): Promise<string> {
  return await inTransaction(db, async (tx) => {
    const email = 'bench@example.com'
    const personId = await personInsert(tx, { email, name: 'Bench', passwordHash: '-' })
    await memberInsert(tx, accountId, { email, role: 'member', personId })
    const { secret } = await openSession(tx, personId, { address: '127.0.0.1', userAgent: 'bench' })
    return secret
  })
}
