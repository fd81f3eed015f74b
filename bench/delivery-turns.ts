import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { inTransaction } from '../src/db/sql.ts'
import { cpuSeconds, since } from './cpu.ts'
import { createFilledAccount, fillProducts } from './fill.ts'
import { SERVICE_FLAGS } from '../bin/node24.mjs'
import { maintain, openEnvironment, OUTBOUND, PROFILE_DIRECTORY } from './environment.ts'
import { firstLine, quantile, start } from './processes.ts'
import { statementTimes } from './statements.ts'

// `node bin/run.mjs bench/delivery-turns.ts DIRECTORY [ROUNDS]`: deliveries to a hundred endpoints of five accounts without pacing, by the service
// of another commit (`git worktree add --detach DIRECTORY REF`, with its node_modules) and by that of this tree, in turns (A B B A) on one
// database, and a bare loop of POSTs to the same receiver. Prints processor time, which other work on the machine changes less than wall-clock
// time.

const ACCOUNTS = 5
const PER_ACCOUNT = 20
const PRODUCTS = 4_000
const PER_DELIVERY = 10
const SECONDS = 4
/** Warm-up: statements are prepared and code is compiled during these deliveries. */
const FIRST_DELIVERIES = 1_000

interface Turn {
  perSecond: number
  service: number
  postgres: number
  receiver: number
}

const here = fileURLToPath(new URL('..', import.meta.url))
const [directory = here, rounds = '4'] = process.argv.slice(2)
await using environment = await openEnvironment()
const { db, shelf, endpoints } = environment.runtime

const arrived = { deliveries: 0 }
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    arrived.deliveries++
    response.writeHead(200).end()
  })
})
receiver.keepAliveTimeout = 60_000
await once(receiver.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

for (let i = 0; i < ACCOUNTS; i++) {
  const account = await createFilledAccount(db, `account ${i}`, 1)
  await fillProducts(db, account, PRODUCTS)
  await inTransaction(db, (tx) => sweepAppend(tx, account.accountId, 'filled'))
  await shelf.drain(account.accountId)
  for (let n = 0; n < PER_ACCOUNT; n++)
    await endpoints.create(account.accountId, { url: `${url}/e${i}-${n}`, kinds: ['price'], storeId: null })
}
await maintain(environment, ['vacuum analyze', 'checkpoint'])

/** Rewinds every endpoint to the beginning, and lets the service of a tree deliver everything. */
async function takeTurn(tree: string): Promise<Turn> {
  await db`
    update endpoint_state set position = 0, starts = '{"price": {"0": 0}}', batch_limit = ${PER_DELIVERY}, accepted = -1000000, due_at = now(),
      lease_id = null, leased_until = null, lease_holder = null, generation = generation + 1`
  await db`delete from delivery`
  await db`delete from attempt`
  await maintain(environment, ['vacuum delivery', 'vacuum attempt', 'vacuum endpoint_state'])
  arrived.deliveries = 0
  const isProfiled = PROFILE_DIRECTORY !== '' && tree === here
  const profile = isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${PROFILE_DIRECTORY}`, '--cpu-prof-interval=500'] : []
  const service = spawn(process.execPath, [...SERVICE_FLAGS, ...profile, 'bench/service.ts'], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: environment.databaseUrl, ...OUTBOUND, WEBHOOKS_PER_SECOND: '1000000' },
  })
  await firstLine(service, (line) => /^\d+$/.test(line))
  while (arrived.deliveries < FIRST_DELIVERIES) await sleep(20)
  const writeStatements = isProfiled ? await statementTimes(db) : async () => {}
  const [before, own, at, count] = [
    await cpuSeconds(db, service.pid ?? 0),
    process.cpuUsage(),
    performance.now(),
    arrived.deliveries,
  ]
  await sleep(SECONDS * 1_000)
  const made = arrived.deliveries - count
  if (isProfiled) await writeStatements()
  if (isProfiled) process.stderr.write(`${made} deliveries\n`)
  const seconds = (performance.now() - at) / 1_000
  const used = since(before, await cpuSeconds(db, service.pid ?? 0))
  const { user, system } = process.cpuUsage(own)
  const exit = once(service, 'exit')
  service.kill('SIGINT')
  await exit
  return {
    perSecond: made / seconds,
    service: (used.service * 1e6) / made,
    postgres: (used.postgres * 1e6) / made,
    receiver: (user + system) / made,
  }
}

const file = join(environment.directory, 'body.json')
const ids = Array.from({ length: PER_DELIVERY }, (_, i) => 100_000 + i)
await writeFile(
  file,
  JSON.stringify({ event: 'price', store_id: 1, product_ids: ids, occurred_at: '2026-11-20T10:00:00+00:00' }),
)
async function bareTurn(): Promise<Turn> {
  arrived.deliveries = 0
  const own = process.cpuUsage()
  const child = start(['bench/posts.ts', `${url}/bare`, String(ACCOUNTS * PER_ACCOUNT), String(SECONDS), file], {})
  const line = await firstLine(child, (text) => text.startsWith('{'))
  const { perSecond, processorUs } = JSON.parse(line) as { perSecond: number; processorUs: number }
  const { user, system } = process.cpuUsage(own)
  return { perSecond, service: processorUs, postgres: 0, receiver: (user + system) / arrived.deliveries }
}

const turns = { theirs: [] as Turn[], ours: [] as Turn[], bare: [] as Turn[] }
for (let round = 0; round < Number(rounds); round++) {
  for (const who of round % 2 === 0 ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const))
    turns[who].push(await takeTurn(who === 'ours' ? here : resolve(directory)))
  turns.bare.push(await bareTurn())
}
const shown = (of: readonly Turn[], member: keyof Turn) => {
  const values = of.map((turn) => turn[member])
  return `${quantile(values, 0.5).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`
}
process.stdout.write(`${environment.server}; µs of processor time for one, median of ${rounds} turns (least to most)\n`)
for (const [who, of] of Object.entries(turns))
  process.stdout.write(
    `${who}: client ${shown(of, 'service')}, server ${shown(of, 'postgres')}, receiver ${shown(of, 'receiver')}; ${shown(of, 'perSecond')}/s\n`,
  )
receiver.close()
receiver.closeAllConnections()
