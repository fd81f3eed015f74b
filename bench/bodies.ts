import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToken } from '../src/accounts/create-token.ts'
import { productIdsAfter } from '../src/catalog/products/products.sql.ts'
import type { Access } from '../src/accounts/token.ts'
import { inTransaction } from '../src/db/sql.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { openEnvironment, startService, maintain, type Environment } from './environment.ts'
import { createFilledAccount, fillProducts } from './fill.ts'
import { load, memoryOf } from './processes.ts'
import type { Report } from './report.ts'

// Eight accounts each send a bulk of 60 MB at the same time, while another account reads. Measured are the memory of the
// service and the times of the reads. Some kinds of bulk are crafted to cost memory, the others are honest; each kind has a
// service of its own. A client that gets a 429 retries until its bulk is accepted or refused. BENCH_BODIES=empties,... runs
// some kinds.

const SENDERS = 8
const BYTES = 60_000_000
const READ_PRODUCTS = 1_000
const WINDOW_SECONDS = 3
const RSS_MB_MAX = 600
const READ_MS_MAX = 250

interface Kind {
  what: string
  path: string
  /** The body of one sender, from the IDs of its products; every sender has equally many. */
  body(productIds: readonly number[]): Buffer
  status: number
  products?: number
}

const text = (length: number, seed: number) => {
  const words = ['Hammer', 'Säge', 'Bohrer', 'Zange', 'steel', 'oak', 'blue', 'Größe']
  let out = ''
  for (let i = seed; out.length < length; i += 7) out += `${words[i % words.length]} ${i} `
  return out.slice(0, length)
}

function ofRows(row: (i: number) => string): Buffer {
  const parts: string[] = []
  for (let i = 0, bytes = 0; bytes < BYTES; i++) {
    const part = row(i)
    parts.push(part)
    bytes += Buffer.byteLength(part) + 1
  }
  return Buffer.from(`{"rows":[${parts.join(',')}]}`)
}

const EMPTY_ROW = (values: number) => `{"a":[${Array.from({ length: values }, () => '[]').join(',')}]}`

const KINDS: Readonly<Record<string, Kind>> = {
  empties: {
    what: 'crafted: 60 rows of 1 MB of empty lists',
    path: 'offers',
    body: () => ofRows(() => EMPTY_ROW(333_000)),
    status: 413,
  },
  many: {
    what: 'crafted: rows with as many empty lists as are accepted',
    path: 'offers',
    body: () => ofRows(() => EMPTY_ROW(1_500)),
    status: 413,
  },
  few: {
    what: 'crafted: 1,000 rows of 60 kB, each of them wrong',
    path: 'stock',
    body: () => ofRows(() => `{"a":[${Array.from({ length: 1_500 }, () => `"${'x'.repeat(37)}"`).join(',')}]}`),
    status: 200,
  },
  offers: {
    what: 'honest: 20,000 offers of 3 kB',
    path: 'offers',
    body: () =>
      ofRows((i) =>
        JSON.stringify({
          supplier: 'north',
          sku: `B-${i}`,
          cost: '10',
          quantity: 5,
          texts: { de: { title: `Artikel ${i}`, description: text(2_800, i) } },
        }),
      ),
    status: 202,
  },
  overrides: {
    what: 'honest: 950 descriptions of 63 kB, answered at once',
    path: 'overrides',
    body: (ids) =>
      ofRows((i) => JSON.stringify({ product_id: ids[i], field: 'description', locale: 'de', value: text(61_000, i) })),
    status: 200,
    products: 1_000,
  },
}

/** The benchmark of large bodies. */
export async function bodies(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const reader = await makeAccount(environment, 'reader', READ_PRODUCTS, 'connector')
  const paths = reader.productIds.map((id) => `/v1/products/${id}`)
  const wanted = process.env['BENCH_BODIES']?.split(',') ?? Object.keys(KINDS)
  for (const name of wanted) {
    const kind = KINDS[name]
    if (kind === undefined) throw new Error(`there is no kind ${name}`)
    const senders = []
    for (let i = 0; i < SENDERS; i++)
      senders.push(await makeAccount(environment, `${name}-${i}`, kind.products ?? 1, 'full'))
    await maintain(environment, ['vacuum analyze', 'checkpoint'])
    const service = await startService(environment)
    const read = () => load(service.url, reader.token, 4, WINDOW_SECONDS, paths, 5)
    const quiet = await read()
    const before = await memoryOf(service.pid)
    const sending = new AbortController()
    const times: { p50Ms: number; p99Ms: number; failures: number }[] = []
    const reading = (async () => {
      while (!sending.signal.aborted) times.push(await read())
    })()
    await sleep(500)
    const from = performance.now()
    const sent = await Promise.all(
      senders.map(({ token, productIds }) =>
        sendUntilTaken(`${service.url}/v1/account/bulk/${kind.path}`, token, kind.body(productIds)),
      ),
    )
    const seconds = (performance.now() - from) / 1_000
    await settled(environment)
    const allSeconds = (performance.now() - from) / 1_000
    sending.abort()
    await reading
    const { peakMb, nowMb } = await memoryOf(service.pid)
    const worst = Math.max(...times.map((time) => time.p99Ms))
    const failures = times.reduce((sum, time) => sum + time.failures, 0)
    report.goal(
      `${kind.what}: memory of the service`,
      `${peakMb} MB at the peak (${before.nowMb} before, ${nowMb} after)`,
      `at most ${RSS_MB_MAX} MB`,
      peakMb <= RSS_MB_MAX,
    )
    report.goal(
      `${kind.what}: reads of another account meanwhile`,
      `p99 ${worst} ms in the worst ${WINDOW_SECONDS} s, p50 ${Math.max(...times.map((time) => time.p50Ms))} (quiet: ${quiet.p99Ms} and ${quiet.p50Ms}), ${failures} failed`,
      `p99 ${READ_MS_MAX} ms`,
      worst <= READ_MS_MAX && failures === 0,
    )
    const answers = Map.groupBy(sent, ({ status }) => status)
    report.figure(
      `${kind.what}: answers`,
      `${[...answers].map(([status, list]) => `${list.length} x ${status}`).join(', ')} (expected ${kind.status}) after ${sent.reduce((sum, { tries }) => sum + tries, 0)} tries in ${seconds.toFixed(1)} s; all at work ended after ${allSeconds.toFixed(1)} s`,
    )
    await service.stop()
  }
  report.print(environment.server)
}

/** Waits until no operation is open and nothing is stale. */
async function settled({ runtime: { db } }: Environment): Promise<void> {
  for (;;) {
    const [row] = await db<
      { open: boolean }[]
    >`select exists (select from operation where ended_at is null) or exists (select from mark) as open`
    if (row?.open !== true) return
    await sleep(100)
  }
}

async function makeAccount({ runtime: { db, shelf } }: Environment, name: string, products: number, access: Access) {
  const account = await createFilledAccount(db, name, 1)
  const { accountId } = account
  await fillProducts(db, account, products, () => {})
  const productIds = await productIdsAfter(db, accountId, 0, products)
  await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
  await shelf.drain(accountId)
  const { token } = await inTransaction(db, (tx) => createToken(tx, { accountId, access }))
  return { accountId, productIds, token }
}

async function sendUntilTaken(url: string, token: string, body: Buffer): Promise<{ status: number; tries: number }> {
  for (let tries = 1; ; tries++) {
    const { status, retrySeconds } = await send(url, token, body)
    if (status !== 429) return { status, tries }
    await sleep(retrySeconds * 1_000)
  }
}

/** Sends a body with a client that reads the answer even before it has sent everything. */
function send(url: string, token: string, body: Buffer): Promise<{ status: number; retrySeconds: number }> {
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (answer) => {
        answer.resume().on('end', () => {
          resolve({ status: answer.statusCode ?? 0, retrySeconds: Number(answer.headers['retry-after'] ?? 1) })
          sending.destroy()
        })
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}
