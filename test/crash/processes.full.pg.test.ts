import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { Mirror, oracle } from '../feed/mirror.ts'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { openCommands, type Commands } from '../harness/command.ts'
import { createDatabase } from '../harness/database.ts'
import { openWebhooks, TEST_KEY } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver } from '../harness/receiver.ts'
import { client } from '../harness/service.ts'

// The service as several processes of separate roles on one database, each of which is killed in turn under load.

const WRITERS = 8
const PRODUCTS = 60
const ENV = {
  SECRET_KEY: TEST_KEY,
  OUTBOUND_ALLOW: '127.0.0.0/8',
  RATE_LIMIT_PER_SECOND: '0',
  PORT: '0',
  METRICS_PORT: '0',
}

interface Process {
  /** The URL of its API, or of its operator's listener if it has no API. */
  url: string
  kill(): Promise<void>
}

async function start(commands: Commands, role: 'api' | 'work'): Promise<Process> {
  const child = commands.start(['serve', '--roles', role], { ...ENV, LOG_LEVEL: 'info' })
  const ended = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stderr, child.stdout]) stream.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  const pattern = role === 'api' ? /"url":"(http[^"]+)"/ : /"metricsUrl":"(http[^"]+)"/
  await until(`${role} has started`, async () => pattern.test(printed) || child.exitCode !== null, 60_000)
  const url = pattern.exec(printed)?.[1]
  if (url === undefined) throw new Error(`it has not started: ${printed.slice(-2_000)}`)
  return {
    url,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test(
  'two processes of each role, each killed in turn under eight writers: nothing is lost',
  { timeout: 240_000 },
  async () => {
    await using database = await createDatabase()
    await using cleanup = new AsyncDisposableStack()
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-processes-'))
    cleanup.defer(() => rm(directory, { recursive: true, force: true }))
    const bench = openBench(database.db)
    const account = await createAccount(bench)
    const { accountId, storeIds } = account
    const productIds = await giveOffers(
      bench,
      account,
      Array.from({ length: PRODUCTS }, (_, i) => offer(`P${i}`)),
    )
    await using receiver = await startReceiver()
    await using webhooks = openWebhooks(bench)
    const { endpointId } = await webhooks.endpoints.create(accountId, {
      url: receiver.url,
      kinds: ['price', 'content', 'removed'],
      storeId: null,
    })
    const { token } = await inTransaction(database.db, (tx) => createToken(tx, { accountId, access: 'full' }))

    const commands = openCommands(database, directory)
    const running = {
      api: await Promise.all([start(commands, 'api'), start(commands, 'api')]),
      work: await Promise.all([start(commands, 'work'), start(commands, 'work')]),
    }
    cleanup.defer(async () => {
      for (const process of [...running.api, ...running.work]) await process.kill()
    })

    // each product has one writer, so the last acknowledged write is the one that must be read
    const acknowledged = new Map<number, number>()
    const statuses = new Map<number, number>()
    const load = { isOver: false }
    cleanup.defer(() => void (load.isOver = true))
    let refusedConnections = 0
    const write = async (writer: number) => {
      for (let n = 1; !load.isOver; n++) {
        const productId = productIds[(n * WRITERS + writer) % PRODUCTS]!
        if (productId % WRITERS !== writer) continue
        const quantity = n
        const { url } = running.api[n % 2]!
        const answer = await client(url, token)(`/v1/account/products/${productId}/stock`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ quantity }),
          signal: AbortSignal.timeout(10_000),
        }).catch(() => undefined)
        if (answer === undefined) refusedConnections++
        else {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          if (answer.status === 200 || answer.status === 201) acknowledged.set(productId, quantity)
        }
      }
    }
    const mirrors = storeIds.map((storeId) => new Mirror(database.db, accountId, storeId))
    const follow = async (mirror: Mirror) => {
      while (!load.isOver) {
        await mirror.poll(50)
        await sleep(20)
      }
    }
    const busy = [...Array.from({ length: WRITERS }, (_, i) => write(i)), ...mirrors.map(follow)]

    // a long poll on one process is answered after a write through the other
    const cursor = await client(running.api[0].url, token)('/v1/changes?store=main&since=now')
    const { next_since: since, next_id: id } = cursor.body
    const woken = await client(
      running.api[1].url,
      token,
    )(`/v1/changes?store=main&since=${encodeURIComponent(since)}&since_id=${id}&wait=20`)
    expect(woken.status, woken.text).toBe(200)
    expect(woken.body.changes.length).toBeGreaterThan(0)

    for (const role of ['api', 'work'] as const) {
      for (const i of [0, 1]) {
        await sleep(1_500)
        await running[role][i]!.kill()
        await sleep(1_500)
        running[role][i] = await start(commands, role)
      }
    }
    await sleep(1_500)
    load.isOver = true
    await Promise.all(busy)

    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 201)).toEqual([])
    expect(statuses.get(200)).toBeGreaterThan(100)
    expect(refusedConnections).toBeGreaterThan(0)
    await until('everything is shelved', async () => !(await auditAccount(database.db, accountId)).isStale, 60_000)
    expect(await auditAccount(database.db, accountId)).toMatchObject({ differences: [] })
    for (const [i, mirror] of mirrors.entries()) {
      await mirror.readAll(() => 50)
      expect(mirror.products).toEqual(await oracle(database.db, accountId, storeIds[i]!))
    }
    // a write whose answer was lost may have been made after the last one that was acknowledged
    for (const [productId, quantity] of acknowledged) {
      const { body } = await client(running.api[0].url, token)(`/v1/account/products/${productId}/stock`)
      expect(body.data.quantity).toBeGreaterThanOrEqual(quantity)
    }
    // the receiver gets every change, at the latest when the lease of a killed process has expired
    await until(
      'everything is delivered',
      async () => {
        const [row] = await database.db<{ left: number }[]>`
        select c.last_id - s.position as left from endpoint_state s join change_counter c on c.account_id = s.account_id
        where s.account_id = ${accountId} and s.endpoint_id = ${endpointId}`
        return row?.left === 0
      },
      60_000,
    )
    const heard = new Set(receiver.received.flatMap((delivery) => delivery.productIds))
    expect([...acknowledged.keys()].filter((id) => !heard.has(id))).toEqual([])
  },
)
