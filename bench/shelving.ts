import type { Db } from '../src/db/sql.ts'
import { openPrinter } from '../src/commands/console/print.ts'
import { isStale } from '../src/catalog/stale/stale.sql.ts'
import { cpuSeconds, since, type CpuSeconds } from './cpu.ts'

const POLL_MS = 250

export interface Shelving {
  seconds: number
  cpu: CpuSeconds
  payloadsPerSecond: number
  /** Per processor second of service, shelving process and database server together. */
  payloadsPerCpuSecond: number
}

/** Waits until a service has shelved everything stale of an account, and returns the time that this took. */
export async function watchShelving(
  db: Db,
  accountId: number,
  servicePid: number,
  payloads: number,
  label: string,
): Promise<Shelving> {
  const from = performance.now()
  const before = await cpuSeconds(db, servicePid)
  const [range] = await db<{ first: number; last: number }[]>`
    select (select product_id from product where account_id = ${accountId} order by product_id limit 1) as first,
      (select product_id from product where account_id = ${accountId} order by product_id desc limit 1) as last`
  const { first, last } = range ?? { first: 0, last: 1 }
  using progress = openPrinter(false).progress(label)
  while (await isStale(db, accountId)) {
    const [sweep] = await db<
      { next: number | null }[]
    >`select min(next_product_id) as next from sweep where account_id = ${accountId}`
    const share = Math.max(0, ((sweep?.next ?? last) - first) / Math.max(1, last - first))
    progress.update(Math.min(payloads, Math.round(share * payloads)), payloads)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  const seconds = (performance.now() - from) / 1_000
  const cpu = since(before, await cpuSeconds(db, servicePid))
  return {
    seconds,
    cpu,
    payloadsPerSecond: payloads / seconds,
    payloadsPerCpuSecond: payloads / (cpu.service + cpu.postgres),
  }
}

export function shelvingText(shelving: Shelving): string {
  const { seconds, cpu, payloadsPerSecond, payloadsPerCpuSecond } = shelving
  return (
    `${Math.round(payloadsPerCpuSecond)} payloads per processor second; ${Math.round(payloadsPerSecond)}/s by the clock, ${seconds.toFixed(1)} s ` +
    `(service ${cpu.service.toFixed(1)} s of processor, PostgreSQL ${cpu.postgres.toFixed(1)} s, ${((cpu.service + cpu.postgres) / seconds).toFixed(2)} cores)`
  )
}
