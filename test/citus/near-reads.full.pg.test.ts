import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { distribute } from '../../src/db/distribution/distribute.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { silentLog } from '../../src/platform/log.ts'
import { must } from '../../src/platform/must.ts'
import { payloadsGet } from '../../src/shelf/reads/payload-reads.sql.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { createClusterDatabase, startCitusCluster, type CitusCluster } from '../harness/citus-cluster.ts'
import { withDatabase } from '../harness/every-server.ts'
import { client, startTestService, tokenFor, type Client, type TestService } from '../harness/service.ts'
import { ofFile } from '../harness/world.ts'

// Reads of clients are sent to the node of their account. Two services on one cluster, one of which sends everything to the
// coordinator, must give the same answers, whatever happens to shards and nodes.

const PRODUCTS = 60
const READ_BACK = 1_000
const BACK = { timeout: 20_000, interval: 100 }

interface Owner {
  account: TestAccount
  ids: number[]
  token: string
  /** Clients of the service that reads from nodes, and of the one that does not. */
  near: Client
  far: Client
}

interface Opened extends AsyncDisposable {
  cluster: CitusCluster
  url: string
  admin: Db
  near: TestService
  far: TestService
  /** An account on each worker, in their order. */
  owners: [Owner, Owner]
}

const opened = ofFile(openAll)
const admin = () => opened.admin

async function openAll(): Promise<Opened> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-near-'))
  await chmod(directory, 0o755)
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const cluster = await startCitusCluster(directory, { fsync: 'off', 'citus.defer_shard_delete_interval': '1s' })
  const servers = [cluster.coordinator, ...cluster.workers]
  stack.defer(async () => {
    for (const server of servers) await server.stop()
  })
  await createClusterDatabase(
    servers.map((server) => server.url),
    'near',
  )
  const url = withDatabase(cluster.coordinator.url, 'near')
  const db = openDb({ url, connectionsMax: 6, applicationName: 'admin' })
  stack.defer(() => db.end({ timeout: 5 }))
  await migrate(db, silentLog)
  await distribute(db, { shards: 8 })
  const env = { PUBLIC_URL: 'https://shelfwire.example.com' }
  const near = stack.use(await startTestService({ url }, { roles: ['api', 'work'], env }))
  const far = stack.use(await startTestService({ url }, { env: { ...env, DATABASE_NODE_CONNECTIONS_MAX: '0' } }))
  const found = new Map<number, Owner>()
  for (let i = 0; found.size < 2; i++) {
    const account = await createAccount(near.runtime, `shop-${i}`)
    const port = await portOf(db, account.accountId)
    if (found.has(port)) continue
    const ids = await giveOffers(
      near.runtime,
      account,
      Array.from({ length: PRODUCTS }, (_, n) => offer(`S-${i}-${n}`)),
    )
    const token = await tokenFor(near.runtime, account.accountId, 'full')
    found.set(port, { account, ids, token, near: client(near.url, token), far: client(far.url, token) })
  }
  const owners = cluster.workers.map((worker) => found.get(Number(new URL(worker.url).port))) as [Owner, Owner]
  const all = stack.move()
  return { cluster, url, admin: db, near, far, owners, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** The port of the node on which the coordinator places an account. */
async function portOf(db: Db, accountId: number): Promise<number> {
  const [row] = await db<{ port: number }[]>`
    select n.nodeport as port from pg_dist_shard s
    join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
    where s.logicalrelid = 'product'::regclass
      and worker_hash(${accountId}::bigint) between s.shardminvalue::int and s.shardmaxvalue::int`
  return row?.port ?? 0
}

const answered = () => ({ ...opened.near.runtime.db.near.answered })

/** How many read statements of clients the nodes and the coordinator answered during `work`. */
async function countedDuring(work: () => Promise<unknown>) {
  const before = answered()
  await work()
  const after = answered()
  return { node: after.node - before.node, coordinator: after.coordinator - before.coordinator }
}

/** Waits until the node of an account answers its reads. */
async function waitForNode({ near, ids }: Owner): Promise<void> {
  await expect
    .poll(() => countedDuring(() => near(`/v1/products/${ids[0]}`)), BACK)
    .toMatchObject({ node: 1, coordinator: 0 })
}

/** Moves the shards of an account to the other node, once its earlier shards there are removed. */
async function move(accountId: number): Promise<void> {
  await expect
    .poll(async () => (await admin().unsafe('select count(*)::int as left from pg_dist_cleanup'))[0], BACK)
    .toEqual({ left: 0 })
  const [shard] = await admin()<{ shardId: number; from: number; to: number }[]>`
    select s.shardid as "shardId", n.nodeport as "from", (
        select o.nodeport from pg_dist_node o where o.groupid not in (0, n.groupid) limit 1) as "to"
    from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
    where s.logicalrelid = 'product'::regclass
      and worker_hash(${accountId}::bigint) between s.shardminvalue::int and s.shardmaxvalue::int`
  if (shard === undefined) throw new Error('no shard')
  await admin().unsafe(`select citus_move_shard_placement(
    ${shard.shardId}, '127.0.0.1', ${shard.from}, '127.0.0.1', ${shard.to}, shard_transfer_mode => 'block_writes')`)
  expect(await portOf(admin(), accountId)).toBe(shard.to)
}

test('is answered as through the coordinator, whatever is read (I177)', async () => {
  for (const owner of opened.owners) {
    await waitForNode(owner)
    const { ids, near, far } = owner
    const window = await far('/v1/changes?limit=10')
    const head = await far('/v1/changes?since=now')
    const after = ({ body }: Awaited<ReturnType<Client>>) =>
      `since=${encodeURIComponent(body.next_since)}&since_id=${body.next_id}`
    for (const path of [
      `/v1/products/${ids[3]}`,
      '/v1/products/999999999',
      '/v1/products?per_page=20&page=2',
      '/v1/products?per_page=20&page=99',
      `/v1/products?per_page=20&after_id=${ids[10]}`,
      `/v1/products?ids=${ids.slice(5, 9).join()}`,
      '/v1/products?sku=nothing',
      `/v1/products?sku=${/"sku":"([^"]+)"/.exec((await far(`/v1/products/${ids[7]}`)).text)?.[1]}`,
      '/v1/products?fields=id,title&per_page=5',
      '/v1/prices?per_page=20&page=2',
      '/v1/changes',
      '/v1/changes?limit=10&expand=products',
      `/v1/changes?limit=10&${after(window)}`,
      `/v1/changes?${after(head)}`,
      `/v1/changes?${after(head)}&wait=1`,
      '/v1/export',
    ]) {
      let answer: Awaited<ReturnType<Client>> | undefined
      const counted = await countedDuring(async () => (answer = await near(path)))
      const expected = await far(path)
      expect({ path, status: answer?.status, text: answer?.text }).toEqual({
        path,
        status: expected.status,
        text: expected.text,
      })
      expect({ path, isAsked: counted.node + counted.coordinator > 0 }).toEqual({ path, isAsked: true })
      // only a read without rows is sent again, to the coordinator
      if (!path.endsWith('999999999') && !path.includes('sku=nothing'))
        expect({ path, coordinator: counted.coordinator }).toEqual({ path, coordinator: 0 })
    }
  }
})

test('never shows what is another account’s, also on the same node (I177)', async () => {
  const [one, other] = opened.owners
  for (const owner of opened.owners) await waitForNode(owner)
  const neighbour = await createAccount(opened.near.runtime, 'neighbour')
  const [theirs = 0] = await giveOffers(opened.near.runtime, neighbour, [offer('THEIRS')])
  for (const { near } of [one, other])
    for (const id of [theirs, ...(near === one.near ? other : one).ids.slice(0, 5)]) {
      expect((await near(`/v1/products/${id}`)).status).toBe(404)
      expect((await near(`/v1/products?ids=${id}`)).body.data).toEqual([])
    }
})

test('a write is read back at once, a thousand times in a row (I177)', { timeout: 120_000 }, async () => {
  await waitForNode(opened.owners[0])
  const { account, ids } = opened.owners[0]
  const { accountId } = account
  const [productId = 0] = ids
  const reader = opened.near.runtime.db.forRequests()
  const writer = opened.far.runtime.db
  const [{ storeId } = { storeId: 0 }] = await admin()<{ storeId: number }[]>`
    select store_id as "storeId" from payload_content where account_id = ${accountId} and product_id = ${productId} limit 1`
  const tagBefore = (await payloadsGet(reader, accountId, [{ storeId, productId }]))[0]?.contentTag
  const counted = await countedDuring(async () => {
    for (let i = 0; i < READ_BACK; i++) {
      const tag = `tag-${i}`
      await inTransaction(writer, async (tx) => {
        await tx`
          update payload_content set tag = ${tag}
          where account_id = ${accountId} and store_id = ${storeId} and product_id = ${productId}`
        // every second one writes on all nodes, so that it is committed in two phases
        if (i % 2 === 0) await tx`update account set name = ${`name ${i}`} where account_id = ${accountId}`
      })
      const [row] = await payloadsGet(reader, accountId, [{ storeId, productId }])
      expect(row?.contentTag).toBe(tag)
    }
  })
  expect(counted.node).toBeGreaterThan(READ_BACK * 0.95)
  await admin()`
    update payload_content set tag = ${tagBefore ?? ''}
    where account_id = ${accountId} and store_id = ${storeId} and product_id = ${productId}`
})

test('follows a shard that is moved while it is read and written (I177)', { timeout: 240_000 }, async () => {
  const owner = opened.owners[0]
  await waitForNode(owner)
  const { accountId } = owner.account
  const [productId = 0] = owner.ids
  const { shelf } = opened.near.runtime
  const state = { isMoving: true, written: 0, reads: 0 }
  const errors: unknown[] = []
  const quantityOf = (text: string) => Number(/"(?:quantity|stock)":(\d+)/.exec(text)?.[1] ?? -1)
  const writing = (async () => {
    for (let quantity = 100_000; state.isMoving; quantity++) {
      await shelf.write(accountId, (tx) => setOwnStock(tx, accountId, [{ productId, quantity, cost: null }]))
      await shelf.drain(accountId)
      state.written = quantity
    }
  })()
  const reading = Array.from({ length: 3 }, async () => {
    while (state.isMoving) {
      const least = state.written
      const answer = await owner.near(`/v1/products/${productId}`)
      state.reads++
      const quantity = quantityOf(answer.text)
      if (answer.status !== 200 || quantity < least) errors.push({ status: answer.status, quantity, least })
      const changes = await owner.near('/v1/changes?limit=1')
      if (changes.status !== 200) errors.push(changes.text)
    }
  })
  try {
    for (let i = 0; i < 4; i++) {
      await expect.poll(() => state.written, BACK).toBeGreaterThan(100_003)
      await move(accountId)
      const { written } = state
      await expect.poll(() => state.written, BACK).toBeGreaterThan(written + 2)
      // after some of the moves the services read the map of shards again
      await sleep(i % 2 === 0 ? 300 : 5_500)
    }
  } finally {
    state.isMoving = false
    await Promise.all([writing, ...reading])
  }
  expect(errors).toEqual([])
  expect(state.reads).toBeGreaterThan(50)
  await waitForNode(owner)
})

test(
  'comes from the coordinator while its node is away, and from the node when it is back (I177)',
  { timeout: 120_000 },
  async () => {
    const [lost, kept] = opened.owners
    const server = opened.cluster.workers[0]
    expect(await portOf(admin(), lost.account.accountId)).toBe(Number(new URL(server?.url ?? '').port))
    const path = (owner: Owner) => `/v1/products/${owner.ids[0]}`
    await server?.crash()
    const seen: number[] = []
    for (let i = 0; i < 10; i++) {
      const [near, far] = [await lost.near(path(lost)), await lost.far(path(lost))]
      seen.push(near.status)
      expect({ status: near.status, code: near.body.code }).toEqual({ status: far.status, code: far.body.code })
      expect((await kept.near(path(kept))).status).toBe(200)
      await sleep(200)
    }
    expect(new Set(seen)).toEqual(new Set([503]))
    await server?.restart()
    await expect.poll(async () => (await lost.near(path(lost))).status, BACK).toBe(200)
    for (const owner of opened.owners) await waitForNode(owner)
  },
)

test(
  'connections to nodes that are closed in the middle cost nobody an answer (I177)',
  { timeout: 60_000 },
  async () => {
    const [owner] = opened.owners
    await waitForNode(owner)
    const worker = openDb({
      url: withDatabase(must(opened.cluster.workers[0]).url, 'near'),
      connectionsMax: 1,
      applicationName: 'admin',
    })
    const state = { isReading: true, statuses: new Map<number, number>() }
    const reading = Array.from({ length: 4 }, async (_, i) => {
      while (state.isReading) {
        const { status } = await owner.near(i % 2 === 0 ? `/v1/products/${owner.ids[i]}` : '/v1/products?per_page=50')
        state.statuses.set(status, (state.statuses.get(status) ?? 0) + 1)
      }
    })
    let closed = 0
    for (let i = 0; i < 12; i++) {
      await sleep(400)
      closed += (
        await worker.unsafe(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'near' and application_name = 'shelfwire'",
        )
      ).length
    }
    state.isReading = false
    await Promise.all(reading)
    await worker.end()
    expect(closed).toBeGreaterThan(0)
    expect([...state.statuses.keys()]).toEqual([200])
    await waitForNode(owner)
  },
)

test('a server that is not the node is not asked, and the log says it once (I177)', { timeout: 60_000 }, async () => {
  const owner = opened.owners[0]
  const lines: { level: string; fields: unknown; text: unknown }[] = []
  const log = {
    ...silentLog,
    info: (fields: unknown, text: unknown) => void lines.push({ level: 'info', fields, text }),
    warn: (fields: unknown, text: unknown) => void lines.push({ level: 'warn', fields, text }),
  } as typeof silentLog
  // for the service, the nodes' addresses lead to other servers than for the coordinator
  const [one, other] = opened.cluster.workers.map((worker) => Number(new URL(worker.url).port))
  const { NearReads } = await import('../../src/db/near/near-reads.ts')
  const near = new NearReads({
    url: opened.url,
    config: {},
    connectionsMax: 4,
    askApart: async (text, values) =>
      (await admin().unsafe(text, values)).map((row) =>
        'port' in row ? { ...row, port: row['port'] === one ? other : one } : row,
      ),
    onStatement: () => {},
  })
  near.begin(log)
  let coordinator = 0
  const run = near.orElse(() => {
    coordinator++
    return Promise.resolve({ rows: [] } as never)
  })
  const text = 'select last_id from change_counter where account_id = $1'
  const asked = async () => {
    await run(text, [owner.account.accountId], true)
    return lines.length
  }
  await expect.poll(asked, BACK).toBe(1)
  for (let i = 0; i < 10; i++) await asked()
  expect(lines).toEqual([expect.objectContaining({ level: 'warn' })])
  expect(JSON.stringify(lines)).toContain('is another server than the coordinator has as its node')
  expect(near.answered).toEqual({ node: 0, coordinator })
  await near.end()
})
