import { readdir, readFile } from 'node:fs/promises'
import type { Db } from '../src/db/sql.ts'

/** Linux counts processor time in hundredths of a second, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100

interface Times {
  parent: number
  own: number
  /** Of children that have ended and were waited for. */
  gone: number
}

/** Processor seconds of a process and of its parent-child relation; undefined when it is gone. */
async function timesOf(pid: number): Promise<Times | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // the name in parentheses may hold anything
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent, , , , , , , , , , user = 0, system = 0, goneUser = 0, goneSystem = 0] = fields
  if (parent === undefined) return undefined
  return { parent, own: (user + system) / TICKS_PER_SECOND, gone: (goneUser + goneSystem) / TICKS_PER_SECOND }
}

export interface CpuSeconds {
  service: number
  /** All processes of the server: backends, writers, vacuum. */
  postgres: number
}

/** What the service and its server have used of the processors so far. */
export async function cpuSeconds(db: Db, servicePid: number): Promise<CpuSeconds> {
  const [row] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = (await timesOf(row?.pid ?? 0))?.parent ?? 0
  const top = await timesOf(postmaster)
  let postgres = (top?.own ?? 0) + (top?.gone ?? 0)
  for (const name of await readdir('/proc')) {
    const times = /^\d+$/.test(name) ? await timesOf(Number(name)) : undefined
    if (times?.parent === postmaster) postgres += times.own
  }
  return { service: (await timesOf(servicePid))?.own ?? 0, postgres }
}

export function since(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return { service: after.service - before.service, postgres: after.postgres - before.postgres }
}
