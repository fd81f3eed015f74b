import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { openOutbound } from '../../src/outbound/client.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openSeal } from '../../src/platform/secrets/seal.ts'
import { Endpoints } from '../../src/webhooks/endpoints/endpoints.ts'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { openAddress, type Address } from '../harness/address.ts'
import { openCommands } from '../harness/command.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { inTurn } from '../harness/gate.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { serveApart, type Served } from '../harness/served.ts'
import { client } from '../harness/service.ts'
import { startPair, SYNCHRONOUS, type Pair } from '../harness/standby.ts'
import { ask, HttpMirror, json, readAll, type Call, type Storm } from './failover-client.ts'

// A primary with a streaming standby, an API process and a work process, clients that write, a connector and a receiver of
// webhooks; the primary is restarted, crashes, and is replaced by its standby.

const PRODUCTS = 60
const WRITERS = 6
/** The longest pause of a loop after failures, with a margin. */
const RECOVERY_MS_MAX = 15_000

interface Scene extends AsyncDisposable {
  pair: Pair
  /** The database URL, with both hosts or the virtual address. */
  url: string
  /** The virtual address, whose target the test sets. */
  address: Address | null
  env: Record<string, string>
  accountId: number
  productIds: number[]
  receiver: Receiver
  processes: Served[]
  serve(): Promise<Call>
}

async function openScene(
  settings: Readonly<Record<string, string>>,
  kind: 'both hosts' | 'a virtual address',
): Promise<Scene> {
  const stack = new AsyncDisposableStack()
  const pair = stack.use(await startPair(settings))
  const { primary, standby } = pair
  const address = kind === 'both hosts' ? null : stack.use(await openAddress(primary.port))
  const hosts = address === null ? `127.0.0.1:${primary.port},127.0.0.1:${standby.port}` : `127.0.0.1:${address.port}`
  const url = `postgres://shelfwire@${hosts}/app`
  const db = openDb({ url, connectionsMax: 4 })
  await migrate(db, silentLog)
  const bench = openBench(db)
  const account = await createAccount(bench)
  const { accountId } = account
  const offers = Array.from({ length: PRODUCTS }, (_, i) => offer(`P-${i}`))
  const productIds = await giveOffers(bench, account, offers)
  const { token } = await inTransaction(db, (tx) => createToken(tx, { accountId, access: 'full' }))
  const receiver = stack.use(await startReceiver())
  const outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'Shelfwire/test' })
  await new Endpoints(db, bench.wake, openSeal([TEST_KEY]), outbound).create(accountId, {
    url: `${receiver.url}/hook`,
    kinds: ['price', 'content', 'removed'],
    storeId: null,
  })
  await outbound.close()
  await bench.wake.stop()
  await db.end({ timeout: 1 })
  const env = { DATABASE_URL: url, SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', WEBHOOKS_PER_SECOND: '20' }
  const processes: Served[] = []
  return {
    pair,
    url,
    address,
    env,
    accountId,
    productIds,
    receiver,
    processes,
    async serve() {
      const [api, work] = await Promise.all([serveApart('api', env), serveApart('work', env)])
      processes.splice(0, processes.length, stack.use(api), stack.use(work))
      return client(api.url, token)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The acknowledged writes, and by product when the last acknowledged request began. */
interface Written {
  stock: Map<number, number>
  attempted: Map<number, number>
  skus: Set<string>
  beganAt: Map<number, number>
}

/** Starts writers that write until the storm is over: own stock one by one and in bulk, new offers under an Idempotency-Key. */
function startWriters(storm: Storm, call: Call, productIds: readonly number[]) {
  const written: Written = { stock: new Map(), attempted: new Map(), skus: new Set(), beganAt: new Map() }
  const put = async (ids: readonly number[], quantity: number, path: string, init: RequestInit) => {
    for (const id of ids) written.attempted.set(id, quantity)
    const beganAt = performance.now()
    const { status } = await ask(storm, call, path, init)
    if (status === 503) return
    for (const id of ids) {
      written.stock.set(id, quantity)
      written.beganAt.set(id, beganAt)
    }
  }
  const bulked = productIds.slice(0, 10)
  const single = async (mine: readonly number[], isLasting: boolean) => {
    const isOver = () => storm.isOver || (storm.isHalved && !isLasting)
    for (let quantity = 1; !isOver(); quantity++) {
      for (const id of mine) {
        if (isOver()) return
        await put([id], quantity, `/v1/account/products/${id}/stock`, json('PUT', { quantity }))
      }
    }
  }
  const bulk = async () => {
    for (let quantity = 1; !storm.isOver; quantity++) {
      const rows = bulked.map((product_id) => ({ product_id, quantity }))
      await put(bulked, quantity, '/v1/account/bulk/stock', json('POST', { rows }))
      await sleep(20)
    }
  }
  const creator = async () => {
    for (let i = 0; !storm.isOver; i++) {
      const init = json('PUT', { cost: '10', quantity: 1, texts: { en: { title: `New ${i}` } } }, `new-${i}`)
      while ((await ask(storm, call, `/v1/account/suppliers/north/offers/N-${i}`, init)).status === 503);
      written.skus.add(`N-${i}`)
      await sleep(20)
    }
  }
  const singles = productIds.slice(10)
  const running = Promise.all([
    ...Array.from({ length: WRITERS }, (_, i) =>
      single(
        singles.filter((_id, at) => at % WRITERS === i),
        i % 2 === 0,
      ),
    ),
    bulk(),
    creator(),
  ])
  running.catch(() => (storm.isOver = true))
  return { written, bulked, running }
}

// a gate tries one of the two ways, chosen by its seed
test.for(inTurn(['both hosts', 'a virtual address'] as const))(
  'a primary that is restarted, crashes, and is replaced by its synchronous standby costs 503 only, and nothing that was acknowledged: DATABASE_URL with %s',
  { timeout: 180_000 },
  async (kind) => {
    await using scene = await openScene(SYNCHRONOUS, kind)
    const { pair, address, receiver, processes, accountId } = scene
    const call = await scene.serve()
    const storm: Storm = { isOver: false, isHalved: false, statuses: new Map(), writtenAt: [] }
    const { written, bulked, running } = startWriters(storm, call, scene.productIds)
    const mirror = new HttpMirror(storm, call)
    const mirroring = (async () => {
      while (!storm.isOver) await mirror.poll(1)
    })()
    mirroring.catch(() => (storm.isOver = true))

    const { primary, standby } = pair
    const events: [string, () => Promise<void>][] = [
      [
        'stopped and restarted',
        async () => {
          await primary.stop('fast')
          await sleep(700)
          await primary.start()
        },
      ],
      [
        'crashed and restarted',
        async () => {
          await primary.stop('immediate')
          await primary.start()
        },
      ],
      [
        'replaced by its standby',
        async () => {
          // writes that the standby does not have are not acknowledged, so no acknowledged one is lost
          pair.cutReplication()
          const before = storm.writtenAt.length
          await until('nothing is acknowledged', async () => storm.writtenAt.length > before + 50, 1_000).catch(
            () => {},
          )
          storm.isHalved = true
          await primary.stop('kill')
          address?.leadTo(standby.port)
          await sleep(700)
          await pair.promote()
        },
      ],
    ]
    const recoveries: Record<string, number> = {}
    for (const [name, happen] of events) {
      const before = storm.writtenAt.length
      await until('the writers write', async () => storm.isOver || storm.writtenAt.length > before + 100, 20_000)
      const refused = storm.statuses.get(503) ?? 0
      await happen()
      const from = performance.now()
      // a request that began before may still be answered
      await until(
        `writes are acknowledged again after the primary was ${name}`,
        async () => storm.isOver || (storm.writtenAt.at(-1) ?? 0) > from + 300,
        RECOVERY_MS_MAX,
      )
      recoveries[name] = Math.round(storm.writtenAt.find((at) => at > from)! - from)
      expect(storm.statuses.get(503) ?? 0, `nothing met the primary that was ${name}`).toBeGreaterThan(refused)
    }
    await sleep(500)
    storm.isOver = true
    await Promise.all([running, mirroring])
    for (const served of processes) expect(served.exit(), served.said().slice(-4_000)).toBe(null)

    // every acknowledged write is stored, and none in part
    await standby.ask(async (db) => {
      const rows = await db<{ productId: number; quantity: number }[]>`
        select product_id as "productId", quantity from own_stock where account_id = ${accountId}`
      const stock = new Map(rows.map((row) => [row.productId, row.quantity]))
      for (const [productId, quantity] of written.stock) {
        expect(stock.get(productId), `product ${productId}`).toBeGreaterThanOrEqual(quantity)
        expect(stock.get(productId), `product ${productId}`).toBeLessThanOrEqual(written.attempted.get(productId)!)
      }
      expect(new Set(bulked.map((id) => stock.get(id))).size).toBe(1)
      const offers = await db<{ sku: string }[]>`
        select supplier_sku as sku from offer where account_id = ${accountId} and supplier_sku like 'N-%'`
      expect(new Set(offers.map(({ sku }) => sku))).toEqual(written.skus)
    })
    // the background work recovers by itself: everything is shelved and delivered
    const from = performance.now()
    await until('everything is delivered', () => standby.ask((db) => isDelivered(db, accountId)), RECOVERY_MS_MAX)
    const delivered = Math.round(performance.now() - from)
    for (const [productId, beganAt] of written.beganAt) {
      const last = receiver.received.findLast(({ productIds }) => productIds.includes(productId))
      expect(last?.at ?? 0, `product ${productId} is delivered after its last write`).toBeGreaterThan(beganAt)
    }
    // the connector has exactly what the API returns
    await mirror.catchUp()
    const read = await readAll(storm, call)
    expect(read.size).toBe(PRODUCTS + written.skus.size)
    expect([...mirror.products].sort(byId)).toEqual([...read].sort(byId))
    const commands = openCommands(scene, '/nonexistent')
    expect(await commands.json(['audit'])).toMatchObject({ differences: 0, accounts: [{ is_stale: false }] })
    for (const served of processes) expect(await served.stop()).toBe(0)
    process.stdout.write(
      `${JSON.stringify({ kind, statuses: Object.fromEntries(storm.statuses), recoveries, delivered })}\n`,
    )
  },
)

test.for(['stopped before', 'left running'] as const)(
  'a standby that lacked the last writes is promoted: what the lost time gave away is refused after fence-restore, and all comes right again; the service was %s',
  { timeout: 120_000 },
  async (service) => {
    await using scene = await openScene({}, 'both hosts')
    const { pair, receiver, accountId, processes } = scene
    const [productId = 0, other = 0] = scene.productIds
    const { standby } = pair
    const commands = openCommands(scene, '/nonexistent')
    const storm: Storm = { isOver: false, isHalved: false, statuses: new Map(), writtenAt: [] }
    let call = await scene.serve()
    const write = async (id: number, quantity: number) => {
      const init = json('PUT', { quantity })
      while ((await ask(storm, call, `/v1/account/products/${id}/stock`, init)).status === 503);
    }
    const addOffer = async (sku: string) => {
      const init = json('PUT', { cost: '10', quantity: 1, texts: { en: { title: sku } } })
      while ((await ask(storm, call, `/v1/account/suppliers/north/offers/${sku}`, init)).status === 503);
    }
    const stockOf = async (id: number) => (await call(`/v1/products/${id}?store=main`)).body.data.stock as number

    await write(productId, 1)
    const mirror = new HttpMirror(storm, call)
    await mirror.catchUp()
    const kept = mirror.cursor
    await until('the standby has it', () => standby.ask((db) => isDelivered(db, accountId)), 20_000)
    // times of changes are whole seconds
    await sleep(1_100)
    const since = new Date().toISOString()
    await sleep(1_100)
    pair.cutReplication()
    await write(productId, 77)
    await addOffer('LOST-1')
    await addOffer('LOST-2')
    await mirror.catchUp()
    const lost = mirror.cursor
    expect(await stockOf(productId)).toBe(82)
    const lostIds = [...mirror.products.keys()].filter((id) => !scene.productIds.includes(id))
    expect(lostIds).toHaveLength(2)

    // the steps of docs/operations.md
    await pair.primary.stop('kill')
    if (service === 'stopped before') for (const served of processes) await served.stop()
    await pair.promote()
    if (service === 'left running') {
      // numbers and ids of the lost period are assigned again before anybody notices
      for (let quantity = 10; quantity < 20; quantity++) await write(other, quantity)
      await addOffer('AGAIN-1')
      expect((await call(`/v1/changes?store=main&${lost}`)).status, 'this is why a fence is needed').toBe(200)
    }
    expect(
      await commands.json(['fence-restore', ...(service === 'left running' ? ['--since', since] : [])]),
    ).toMatchObject({ accounts: 1 })
    if (service === 'stopped before') call = await scene.serve()

    // a cursor of the lost period is refused, even if its number was assigned again; an earlier one is served
    const refused = await call(`/v1/changes?store=main&${lost}`)
    expect(refused, refused.text).toMatchObject({ status: 410, body: { code: 'cursor-ahead' } })
    expect((await call(`/v1/changes?store=main&${kept}`)).status).toBe(200)
    // so the connector reads everything again, as the documentation of the feed says
    const again = new HttpMirror(storm, call)
    await addOffer('NEW-1')
    await until('everything is delivered', () => standby.ask((db) => isDelivered(db, accountId)), 20_000)
    await again.catchUp()
    expect([...again.products].sort(byId)).toEqual([...(await readAll(storm, call))].sort(byId))
    expect(await stockOf(productId)).toBe(6)
    const [fresh] = [...again.products].findLast(([, product]) => product.includes('NEW-1'))!
    expect(Math.max(...lostIds)).toBeLessThan(fresh)
    expect((await call(`/v1/changes?store=main&${lost}`)).status).toBe(410)

    // an endpoint continues, and is moved back to get changes again that it may have missed
    await until('new changes are delivered', async () =>
      receiver.received.some(({ productIds }) => productIds.includes(fresh)),
    )
    const told = receiver.received.length
    const [endpoint] = (await commands.json(['endpoint', 'list', '--account', String(accountId)])).endpoints
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const of = ['--account', String(accountId), '--endpoint', String(endpoint.endpoint_id)]
    await commands.json(['endpoint', 'redeliver', ...of, '--since', hourAgo])
    await until(
      'every product is delivered again',
      async () => {
        const named = new Set(receiver.received.slice(told).flatMap(({ productIds }) => productIds))
        return scene.productIds.every((id) => named.has(id))
      },
      20_000,
    )
    expect(await commands.json(['audit'])).toMatchObject({ differences: 0, accounts: [{ is_stale: false }] })
  },
)

/** Whether nothing waits to be shelved or delivered. */
async function isDelivered(db: Db, accountId: number): Promise<boolean> {
  const behind = await db`
    select 1 from endpoint_state s join change_counter c using (account_id)
      where s.account_id = ${accountId} and (s.position < c.last_id or s.lease_id is not null)
    union all select 1 from mark where account_id = ${accountId}
    union all select 1 from sweep where account_id = ${accountId}`
  return behind.length === 0
}

const byId = ([a]: [number, string], [b]: [number, string]) => a - b
