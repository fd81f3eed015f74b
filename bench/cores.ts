import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { editRule } from '../src/catalog/settings/rules/pricing-rules.ts'
import { isStale } from '../src/catalog/stale/stale.sql.ts'
import { inTransaction } from '../src/db/sql.ts'
import { cpuSeconds, secondsOfProcess } from './cpu.ts'
import { maintain, openEnvironment, startService, type Environment, type RunningService } from './environment.ts'
import type { FilledAccount } from './fill.ts'
import { load, median } from './processes.ts'
import type { Report } from './report.ts'
import { fillShelved, writeStocks, type Owner } from './writers.ts'

// The same work by 1, 2 and 4 processes with both roles on one database. On a machine with few cores, more processes cannot do more in a
// second, so that work per processor second of all of them and of the server is compared: what more processes cost. BENCH_PRODUCTS sets the
// size of each account.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 5_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5)
const PROCESSES = [1, 2, 4] as const
const ACCOUNTS = 8
const STORES = 3
const TURNS = 3
const READERS = 64
const WRITERS = 8

type Account = FilledAccount & Owner
interface Ground {
  environment: Environment
  accounts: readonly Account[]
  services: readonly RunningService[]
}
interface Rate {
  operations: number
  seconds: number
}

const WORKS: Readonly<Record<string, (ground: Ground) => Promise<Rate>>> = {
  [`single reads of ${READERS} connections`]: readProducts,
  [`small writes of ${WRITERS} writers, shelved`]: async ({ services, accounts }) => ({
    operations:
      (await writeStocks(
        services.map(({ url }) => url),
        accounts,
        WRITERS,
        SECONDS,
      )) * SECONDS,
    seconds: SECONDS,
  }),
  [`payloads of ${ACCOUNTS} accounts that a rule changes`]: changeRules,
}

/** The benchmark of more processes; takes ten minutes. */
export async function cores(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const accounts: Account[] = []
  for (let i = 0; i < ACCOUNTS; i++) accounts.push(await fillShelved(environment, `account ${i}`, STORES, PRODUCTS))
  await maintain(environment, ['vacuum analyze', 'checkpoint'])
  const measured = new Map<string, { each: number[]; perSecond: number[] }[]>()
  for (let turn = 0; turn < TURNS; turn++)
    for (const count of turn % 2 === 0 ? PROCESSES : PROCESSES.toReversed()) {
      const services = await Promise.all(Array.from({ length: count }, () => startService(environment)))
      const ground = { environment, accounts, services }
      for (const [what, work] of Object.entries(WORKS)) {
        // new processes compile, and their sessions fill their caches
        await work(ground)
        const before = await processorSeconds(ground)
        const { operations, seconds } = await work(ground)
        const used = (await processorSeconds(ground)) - before
        const all = measured.get(what) ?? PROCESSES.map(() => ({ each: [], perSecond: [] }))
        measured.set(what, all)
        all[PROCESSES.indexOf(count)]?.each.push((used / operations) * 1e6)
        all[PROCESSES.indexOf(count)]?.perSecond.push(operations / seconds)
      }
      for (const service of services) await service.stop()
    }
  for (const [what, all] of measured) {
    const one = median(all[0]?.each ?? [])
    for (const [i, { each, perSecond }] of all.entries())
      report.figure(
        `${what}: ${PROCESSES[i]} ${i === 0 ? 'process' : 'processes'}`,
        `${(one / median(each)).toFixed(2)}x per core: ${Math.round(1e6 / median(each)).toLocaleString('en')} per processor second (${each.map(Math.round).join('; ')} µs), ${perSecond.map(Math.round).join('; ')}/s`,
      )
  }
  report.print(environment.server)
}

/** Processor seconds of all services and of the server so far. */
async function processorSeconds({ environment, services }: Ground): Promise<number> {
  const { postgres } = await cpuSeconds(environment.runtime.db, services[0]?.pid ?? 0)
  const each = await Promise.all(services.map(({ pid }) => secondsOfProcess(pid)))
  return each.reduce((sum, seconds) => sum + seconds, postgres)
}

/** Each process answers an equal share of the connections; all of them read the same products. */
async function readProducts({ services, accounts }: Ground): Promise<Rate> {
  const rates = await Promise.all(
    services.map(async ({ url }) => {
      const [account] = accounts
      const paths = (account?.productIds ?? []).slice(0, 500).map((id) => `/v1/products/${id}`)
      const result = await load(url, account?.token ?? '', READERS / services.length, SECONDS, paths)
      if (result.failures > 0) throw new Error(`${result.failures} reads failed`)
      return result.perSecond
    }),
  )
  return { operations: rates.reduce((sum, rate) => sum + rate, 0) * SECONDS, seconds: SECONDS }
}

let percent = 20
/** A rule of each account changes all its payloads, and whichever process is free shelves them. */
async function changeRules({ environment, accounts }: Ground): Promise<Rate> {
  const { db, wake } = environment.runtime
  const from = performance.now()
  percent++
  for (const { accountId, defaultRuleId } of accounts) {
    await inTransaction(db, (tx) => editRule(tx, accountId, defaultRuleId, { percent: String(percent) }))
    wake.notify('mark', accountId)
  }
  for (const { accountId } of accounts) while (await isStale(db, accountId)) await sleep(50)
  return { operations: ACCOUNTS * PRODUCTS * STORES, seconds: (performance.now() - from) / 1_000 }
}
