import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { setOverrides } from '../src/catalog/products/products.ts'
import { inTransaction } from '../src/db/sql.ts'
import { demoPicture } from '../src/demo/pictures/picture.ts'
import { setImageBase } from '../src/images/base/image-base.ts'
import type { Runtime } from '../src/runtime.ts'
import { openEnvironment, startService, maintain } from './environment.ts'
import { createFilledAccount, fillProducts } from './fill.ts'
import { memoryOf } from './processes.ts'
import type { Report } from './report.ts'

// The mirror fetches pictures from ten hosts. Measured are the time, the memory of the service, and the most requests to one host
// within a second. BENCH_IMAGES sets the number of pictures, BENCH_IMAGES_PACE the requests per second and host.

const IMAGES = Number(process.env['BENCH_IMAGES'] ?? 100_000)
const PACE = Number(process.env['BENCH_IMAGES_PACE'] ?? 20)
const HOSTS = 10
const PER_PRODUCT = 50
const BASE = 'http://127.0.0.1:1'
const RSS_MB_MAX = 600

/** The benchmark of the mirror. */
export async function mirror(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const { db } = environment.runtime
  const requests = new Map<string, number[]>()
  const server = createServer((request, response) => {
    const host = request.headers.host ?? ''
    const times = requests.get(host) ?? []
    times.push(performance.now())
    requests.set(host, times)
    response.writeHead(200, { 'content-type': 'image/png', etag: '"1"' }).end(demoPicture(request.url ?? ''))
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '0.0.0.0', () => resolve((server.address() as { port: number }).port))
  })
  server.unref()
  const account = await createFilledAccount(db, 'pictures', 1)
  const { accountId } = account
  await fillProducts(db, account, IMAGES / PER_PRODUCT)
  await environment.runtime.shelf.drain(accountId)
  await namePictures(environment.runtime, accountId, port)
  await inTransaction(db, (tx) => setImageBase(tx, accountId, BASE))
  const registering = performance.now()
  await environment.runtime.shelf.drain(accountId)
  const registered = (performance.now() - registering) / 1_000
  await maintain(environment, ['vacuum analyze'])
  const service = await startService(environment, true, {
    MIRROR: 'on',
    MIRROR_PER_SECOND: String(PACE),
    IMAGE_URL: BASE,
    DATA_DIR: environment.directory,
  })
  const began = performance.now()
  let left = IMAGES
  let memory = 0
  while (left > 0) {
    await sleep(2_000)
    memory = (await memoryOf(service.pid)).peakMb
    const [row] = await db<{ left: number }[]>`
      select count(*)::int as left from image where account_id = ${accountId} and state = 'pending' and host like '127.0.5.%'`
    left = row?.left ?? 0
  }
  const seconds = (performance.now() - began) / 1_000
  await service.stop()
  const mostInASecond = Math.max(...[...requests.values()].map(mostWithin))
  report.figure(`${IMAGES} new pictures are registered, ${PER_PRODUCT} of each product`, `${registered.toFixed(1)} s`)
  report.figure(`${IMAGES} pictures of ${HOSTS} hosts, ${PACE} per second and host: time`, `${seconds.toFixed(0)} s`)
  report.figure('pictures per second', (IMAGES / seconds).toFixed(0))
  report.goal(
    'most requests to one host within a second',
    String(mostInASecond),
    `≤ ${PACE + 8}: one more for each of its slots`,
    mostInASecond <= PACE + 8,
  )
  report.goal('memory of the service', `${memory.toFixed(0)} MB`, `≤ ${RSS_MB_MAX} MB`, memory <= RSS_MB_MAX)
  report.print(environment.server)
}

/** The most requests that began within any second. */
function mostWithin(times: readonly number[]): number {
  let most = 0
  let first = 0
  for (let last = 0; last < times.length; last++) {
    while ((times[last] ?? 0) - (times[first] ?? 0) >= 1_000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Gives every product its own pictures, from all hosts in turn. */
async function namePictures({ db, shelf }: Runtime, accountId: number, port: number): Promise<void> {
  const products = Array.from({ length: IMAGES / PER_PRODUCT }, (_, i) => i)
  const ids = new Map<number, number>()
  for (const [i, row] of (
    await db<{ id: number }[]>`select product_id as id from product where account_id = ${accountId} order by 1`
  ).entries())
    ids.set(i, row.id)
  for (let at = 0; at < products.length; at += 500) {
    const rows = products.slice(at, at + 500).map((product) => ({
      productId: ids.get(product) ?? 0,
      field: 'images' as const,
      locale: '',
      value: JSON.stringify(
        Array.from({ length: PER_PRODUCT }, (_, i) => {
          const number = product * PER_PRODUCT + i
          return `http://127.0.5.${(number % HOSTS) + 1}:${port}/${number}.png`
        }),
      ),
    }))
    await shelf.write(accountId, (tx) => setOverrides(tx, accountId, rows), 60_000)
  }
}
