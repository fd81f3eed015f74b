import { createToken } from '../src/accounts/create-token.ts'
import { staleAccounts } from '../src/catalog/stale/stale.sql.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { setOwnStock } from '../src/catalog/products/products.ts'
import { editRule } from '../src/catalog/settings/rules/pricing-rules.ts'
import { openPrinter } from '../src/commands/console/print.ts'
import { inTransaction, type Db } from '../src/db/sql.ts'
import { readFeed } from '../src/feed/read.ts'
import { formatTimestamp } from '../src/platform/time/timestamp.ts'
import { createFilledAccount, fillProducts, type FilledAccount } from './fill.ts'
import { maintain, openEnvironment, startService, type Environment, type RunningService } from './environment.ts'
import type { Report } from './report.ts'
import { watchShelving, shelvingText } from './shelving.ts'
import { openClient } from './walk.ts'

// A thousand small accounts beside a large one that is being reshelved: a write to a small account must appear in its
// feed as soon as it does without the large one. This process writes; the workers run in another one. BENCH_ACCOUNTS and
// BENCH_LARGE set smaller sizes.

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 1_000)
const LARGE = Number(process.env['BENCH_LARGE'] ?? 500_000)
const PRODUCTS = 1_000
const WRITERS = 8
const QUIET_MS = 15_000
const BUSY_MS = 6_000
/** Pause of a writer between two writes. */
const REST_MS = 40
/** Number of accounts whose feeds are followed by long poll. */
const FOLLOWED = 20

interface SmallAccount extends FilledAccount {
  token: string
  productIds: number[]
}

interface Latencies {
  count: number
  p50: number
  p95: number
}

/** The benchmark of many accounts; takes a quarter of an hour at full size. */
export async function accounts(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const { db, wake } = environment.runtime
  const service = await startService(environment)
  const from = performance.now()
  const small = await fillSmall(db)
  const large = await fillLarge(db)
  await maintain(environment, ['analyze'])
  report.figure(
    `fill of ${ACCOUNTS.toLocaleString('en')} accounts of ${PRODUCTS} products and one of ${LARGE.toLocaleString('en')} by SQL`,
    `${((performance.now() - from) / 1_000).toFixed(1)} s`,
  )
  await shelveAll(db, wake, [...small, large], report)
  await maintain(environment, ['vacuum analyze', 'checkpoint'])

  const quiet = await measure(environment, service, small)
  await inTransaction(db, (tx) => editRule(tx, large.accountId, large.defaultRuleId, { percent: '31' }))
  wake.notify('mark', large.accountId)
  let isReshelving = true
  const watching = watchShelving(db, large.accountId, service.pid, LARGE, 'Reshelving the large account').finally(
    () => (isReshelving = false),
  )
  const busy = await measure(environment, service, small)
  const isReshelvingStill = isReshelving
  report.figure(
    'reshelving of the large account meanwhile',
    `${shelvingText(await watching)}${isReshelvingStill ? '' : '; it ended before the measurement did'}`,
  )

  for (const [what, pick] of [
    ['until readFeed shows it, one quiet writer', (all: Measured) => all.room],
    ['until a long poll over HTTP shows it, one quiet writer', (all: Measured) => all.http],
    [`until readFeed shows it, ${WRITERS} writers at once`, (all: Measured) => all.many],
  ] as const) {
    const [idle, meanwhile] = [pick(quiet), pick(busy)]
    const ratio = meanwhile.p95 / idle.p95
    report.goal(
      `a small account's write ${what}, during the large one's reshelving against idle`,
      `p95 ${ratio.toFixed(2)}x: ${latenciesText(meanwhile)} against ${latenciesText(idle)}`,
      'at most 2x',
      ratio <= 2,
    )
  }
  report.figure(
    `writes of ${WRITERS} writers, each shelved and read back`,
    `${Math.round(quiet.perSecond)}/s idle, ${Math.round(busy.perSecond)}/s during the reshelving`,
  )
  await service.stop()
  report.print(environment.server)
}

async function fillSmall(db: Db): Promise<SmallAccount[]> {
  using progress = openPrinter(false).progress('Filling small accounts')
  const small: SmallAccount[] = []
  for (let i = 0; i < ACCOUNTS; i++) {
    const account = await createFilledAccount(db, `small ${i}`, 1)
    await fillProducts(db, account, PRODUCTS)
    const { token } = await inTransaction(db, (tx) =>
      createToken(tx, { accountId: account.accountId, access: 'connector' }),
    )
    const rows = await db<
      { id: number }[]
    >`select product_id as id from product where account_id = ${account.accountId}`
    small.push({ ...account, token, productIds: rows.map((row) => row.id) })
    progress.update(i + 1, ACCOUNTS)
  }
  return small
}

async function fillLarge(db: Db): Promise<FilledAccount> {
  using progress = openPrinter(false).progress('Filling the large account')
  const large = await createFilledAccount(db, 'large', 1)
  await fillProducts(db, large, LARGE, (done) => progress.update(done, LARGE))
  return large
}

async function shelveAll(
  db: Db,
  wake: Environment['runtime']['wake'],
  all: readonly FilledAccount[],
  report: Report,
): Promise<void> {
  const from = performance.now()
  using progress = openPrinter(false).progress('Shelving accounts')
  // the workers may have processed the account's first sweep before its products existed
  for (const { accountId } of all) {
    await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
    wake.notify('mark', accountId)
  }
  for (let stale = all.length; stale > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    stale = (await staleAccounts(db)).length
    progress.update(all.length - stale, all.length)
  }
  const seconds = (performance.now() - from) / 1_000
  report.figure(
    'first shelving of them all',
    `${Math.round((ACCOUNTS * PRODUCTS + LARGE) / seconds)} payloads/s by the clock, ${seconds.toFixed(1)} s`,
  )
}

interface Measured {
  room: Latencies
  http: Latencies
  many: Latencies
  perSecond: number
}

async function measure(
  environment: Environment,
  service: RunningService,
  small: readonly SmallAccount[],
): Promise<Measured> {
  const room = await writeFor(environment, small, 1, QUIET_MS, REST_MS)
  const http = await followFor(environment, service, small.slice(0, FOLLOWED))
  const many = await writeFor(environment, small, WRITERS, BUSY_MS, 0)
  return {
    room: latenciesOf(room),
    http: latenciesOf(http),
    many: latenciesOf(many),
    perSecond: many.length / (BUSY_MS / 1_000),
  }
}

let quantity = 1_000

/** Sets a new stock value, so that every write is a change. */
async function writeStock(
  { shelf }: Environment['runtime'],
  { accountId }: SmallAccount,
  productId: number,
): Promise<void> {
  await shelf.write(accountId, (tx) => setOwnStock(tx, accountId, [{ productId, quantity: ++quantity, cost: null }]))
}

/**
 * Writes to random accounts. Returns for each write the milliseconds from before it until the product is in the account's
 * feed.
 */
async function writeFor(
  { runtime }: Environment,
  small: readonly SmallAccount[],
  writers: number,
  milliseconds: number,
  restMs: number,
): Promise<number[]> {
  const { db } = runtime
  const end = performance.now() + milliseconds
  const times: number[] = []
  const writer = async (first: number) => {
    for (let i = first; performance.now() < end; i += writers) {
      const account = small[(i * 7_919) % small.length]
      const productId = account?.productIds[(i * 104_729) % PRODUCTS]
      const storeId = account?.storeIds[0]
      if (account === undefined || productId === undefined || storeId === undefined)
        throw new Error('there is no such account')
      const { next } = await readFeed(db, account.accountId, storeId, { kind: 'now' }, 1)
      const from = performance.now()
      await writeStock(runtime, account, productId)
      for (let isSeen = false; !isSeen;) {
        const window = await readFeed(db, account.accountId, storeId, { kind: 'pair', ...next }, 100)
        isSeen = window.changes.some((change) => change.productId === productId)
      }
      times.push(performance.now() - from)
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, i) => writer(i)))
  return times
}

/** The same, measured by a long poll over HTTP; NOTIFY tells the service of the write. */
async function followFor(
  { runtime }: Environment,
  service: RunningService,
  small: readonly SmallAccount[],
): Promise<number[]> {
  const end = performance.now() + QUIET_MS
  const clients = small.map((account) => openClient(service.url, account.token))
  const times: number[] = []
  for (let i = 0; performance.now() < end; i++) {
    const account = small[i % small.length]
    const get = clients[i % small.length]
    const productId = account?.productIds[i % PRODUCTS]
    if (account === undefined || get === undefined || productId === undefined)
      throw new Error('there is no such account')
    const { next } = await readFeed(runtime.db, account.accountId, account.storeIds[0] ?? 0, { kind: 'now' }, 1)
    const poll = get(`/v1/changes?wait=25&since=${encodeURIComponent(formatTimestamp(next.since))}&since_id=${next.id}`)
    // by now the poll has found nothing and is waiting
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    const from = performance.now()
    const [body] = await Promise.all([
      poll.then((bytes) => ({ text: bytes.toString(), at: performance.now() })),
      writeStock(runtime, account, productId),
    ])
    if (!body.text.includes(`"product_id":${productId}`)) throw new Error('the feed answered without the product')
    times.push(body.at - from)
  }
  return times
}

function latenciesOf(times: readonly number[]): Latencies {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { count: sorted.length, p50: at(0.5), p95: at(0.95) }
}

function latenciesText({ count, p50, p95 }: Latencies): string {
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms of ${count}`
}
