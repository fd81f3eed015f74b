import { readdir, readFile } from 'node:fs/promises'
import type { Db } from '../src/db/sql.ts'

/** Linux reports processor time in units of 1/100 s, whatever the kernel's tick is. */
const TICKS_PER_SECOND = 100

interface Times {
  parent: number
  own: number
  /** Processor seconds of children that have ended. */
  children: number
}

/** Parent and processor seconds of a process; undefined if it has ended. */
async function timesOf(pid: number): Promise<Times | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // the name, in parentheses, may contain any character
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent, , , , , , , , , , user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields
  if (parent === undefined) return undefined
  return {
    parent,
    own: (user + system) / TICKS_PER_SECOND,
    children: (childrenUser + childrenSystem) / TICKS_PER_SECOND,
  }
}

export interface CpuSeconds {
  /** The service's process and the processes that it started. */
  service: number
  /** All processes of the database server: backends, writers, vacuum. */
  postgres: number
}

/**
 * Processor seconds that a service, with the processes that it started, and its database server have used so far.
 * @param servicePid of a service that did not start the server itself
 */
export async function cpuSeconds(db: Db, servicePid: number): Promise<CpuSeconds> {
  const [row] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = (await timesOf(row?.pid ?? 0))?.parent ?? 0
  const all = await runningProcesses()
  return { service: usedBelow(all, servicePid), postgres: usedBelow(all, postmaster) }
}

/** Processor seconds between two measurements. */
export function since(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return { service: after.service - before.service, postgres: after.postgres - before.postgres }
}

/**
 * Processor seconds that a service and the embedded server of its data directory have used so far, including all their child
 * processes.
 */
export async function processorSeconds(servicePid: number, dataDirectory: string): Promise<number> {
  const all = await runningProcesses()
  const roots = [servicePid]
  for (const [pid, { parent }] of all) {
    // the service started the server, which is no longer its child
    if (parent !== 1) continue
    const arguments_ = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (arguments_.includes(dataDirectory)) roots.push(pid)
  }
  return roots.reduce((sum, pid) => sum + usedBelow(all, pid), 0)
}

/** Processor seconds that a process and all its descendants have used so far. */
export const secondsOfProcess = async (pid: number): Promise<number> => usedBelow(await runningProcesses(), pid)

/** Processor seconds that the database server with its files in `directory` has used so far, including its ended sessions. */
export async function secondsOfServer(directory: string): Promise<number> {
  const all = await runningProcesses()
  for (const pid of all.keys()) {
    // the arguments of sessions are replaced by their state, so that only the first process of a server names its directory
    const [program = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
    if (program.endsWith('/postgres') && args.some((argument) => argument.startsWith(`${directory}/`)))
      return usedBelow(all, pid)
  }
  return 0
}

/** Ids of the processes below one whose command line contains a word. */
export async function processesBelow(pid: number, word: string): Promise<number[]> {
  const all = await runningProcesses()
  const found: number[] = []
  for (const [child, { parent }] of all) {
    if (parent !== pid) continue
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).includes(word)) found.push(child)
    found.push(...(await processesBelow(child, word)))
  }
  return found
}

/** Times of all processes that are running, by process ID. */
async function runningProcesses(): Promise<ReadonlyMap<number, Times>> {
  const all = new Map<number, Times>()
  for (const name of await readdir('/proc')) {
    const times = /^\d+$/.test(name) ? await timesOf(Number(name)) : undefined
    if (times !== undefined) all.set(Number(name), times)
  }
  return all
}

/** Processor seconds of a process and of all its descendants, running and ended. */
function usedBelow(all: ReadonlyMap<number, Times>, pid: number): number {
  const times = all.get(pid)
  if (times === undefined) return 0
  const below = [...all].filter(([, { parent }]) => parent === pid).map(([child]) => usedBelow(all, child))
  return below.reduce((sum, seconds) => sum + seconds, times.own + times.children)
}
