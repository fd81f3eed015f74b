import { readFileSync } from 'node:fs'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { openDb } from '../src/db/open-db.ts'
import { inTransaction } from '../src/db/sql.ts'
import { step, type Claim } from '../src/webhooks/deliver/step.ts'
import type { Result } from '../src/webhooks/deliver/settle.ts'
import { paceOf } from '../src/webhooks/schedule/pace.ts'
import { createFilledAccount, fillProducts } from './fill.ts'
import { maintain, openEnvironment } from './environment.ts'
import { quantile } from './processes.ts'

// `node bin/run.mjs bench/delivery-steps.ts`: the processor time per delivery of a step of the delivery loop. Each step records the results of the
// previous one and claims as many again; nothing is sent. Processor time is measured because other work on the machine hardly changes it. To
// measure another commit, run this file in a copy of that commit.

const ENDPOINTS = 20
const PER_DELIVERY = 10
const STEPS = 300
/** Warm-up: statements are prepared and code is compiled in these steps. */
const FIRST_STEPS = 20

await using environment = await openEnvironment()
const { runtime } = environment
const account = await createFilledAccount(runtime.db, 'steps', 1)
const { accountId } = account
await fillProducts(runtime.db, account, STEPS * PER_DELIVERY)
await inTransaction(runtime.db, (tx) => sweepAppend(tx, accountId, 'filled'))
await runtime.shelf.drain(accountId)
for (let n = 0; n < ENDPOINTS; n++) {
  await runtime.endpoints.create(accountId, { url: `http://127.0.0.1:9000/e${n}`, kinds: ['price'], storeId: null })
}
await runtime.db`
  update endpoint_state set position = 0, starts = '{"price": {"0": 0}}', batch_limit = ${PER_DELIVERY}, accepted = -1000000, due_at = now()
  where account_id = ${accountId}`
await maintain(environment, ['vacuum analyze', 'checkpoint'])

const db = openDb({ url: environment.databaseUrl, connectionsMax: 1 })
const [session] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
/** Microseconds of processor time used so far. */
const used = () => {
  const { user, system } = process.cpuUsage()
  // the first number is the processor time in nanoseconds
  const [server = ''] = readFileSync(`/proc/${session?.pid}/schedstat`, 'utf8').split(' ')
  return { client: user + system, server: Number(server) / 1_000 }
}

function acknowledged({ endpointId, leaseId, generation, delivery, body, next }: Claim): Result {
  return {
    endpointId,
    leaseId,
    generation,
    delivery,
    body,
    next,
    beganAt: new Date(),
    exchange: {
      kind: 'answered',
      status: 200,
      retryAfter: null,
      contentEncoding: null,
      etag: null,
      lastModified: null,
      location: null,
      body: new Uint8Array(),
      isCut: false,
      durationMs: 3,
    },
  }
}

const [client, server]: [number[], number[]] = [[], []]
let results: Result[] = []
for (let i = 0; i < STEPS; i++) {
  const before = used()
  const { claims } = await inTransaction(db, (tx) =>
    step(tx, accountId, results, {
      pace: paceOf(Infinity),
      chance: Math.random,
      holder: null,
      take: () => true,
      giveBack() {},
    }),
  )
  const after = used()
  if (claims.length < ENDPOINTS) throw new Error(`step ${i} has claimed ${claims.length} deliveries`)
  results = claims.map(acknowledged)
  if (i < FIRST_STEPS) continue
  client.push((after.client - before.client) / ENDPOINTS)
  server.push((after.server - before.server) / ENDPOINTS)
}
await db.end()
const shown = (times: readonly number[]) =>
  `${quantile(times, 0.5).toFixed(0)} us (a tenth at most ${quantile(times, 0.1).toFixed(0)})`
process.stdout.write(`${environment.server}, a delivery: client ${shown(client)}, server ${shown(server)}\n`)
