import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'

const LOCK_POLL_MS = 20
/** Longer than the longest crash recovery that startEmbedded itself waits for while it holds the lock. */
const LOCK_WAIT_MS_MAX = 900_000
const LOCK_TELL_AFTER_MS = 5_000
/** A lock file without readable content is given this long to be written before it counts as abandoned. */
const LOCK_BLANK_MS = 10_000

/** A process, told apart from a later one with the same number by when it started. */
interface ProcessIdentity {
  pid: number
  /** Boot and start time as Linux tells them; empty where there is no /proc, and null for a process that is not alive. */
  started: string
}

/** True while process `pid` runs; a zombie, which nobody may ever reap in a container, does not. */
export function isAlive(pid: number): boolean {
  return startOf(pid) !== null
}

/** Runs `work` while no other process (nor another caller in this one) holds the lock file `path`. */
export async function withLock<T>(path: string, log: Log, work: () => Promise<T>): Promise<T> {
  const waitingSince = Date.now()
  let told = false
  while (!takeFile(path)) {
    if (isAbandoned(path)) {
      breakLock(path)
      continue
    }
    const waited = Date.now() - waitingSince
    if (waited > LOCK_WAIT_MS_MAX) {
      const holder = readIdentity(path)
      throw new ShelfwireError(
        'database-unusable',
        `process ${holder?.pid ?? '?'} has been starting or stopping the database for ${LOCK_WAIT_MS_MAX / 1000} s; end it, or remove ${path} when it is none of Shelfwire's`,
      )
    }
    if (!told && waited > LOCK_TELL_AFTER_MS) {
      log.info(
        { holder: readIdentity(path)?.pid },
        'waiting for another process to start or stop the embedded database',
      )
      told = true
    }
    await sleep(LOCK_POLL_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

/** Notes in directory `users` that this process uses the database of `home`; answers the file that says so. */
export function register(users: string, home: string): string {
  // Several handles in one process count each, so the number alone is not the name.
  const file = join(users, `${process.pid}-${randomBytes(4).toString('hex')}`)
  // Written aside first: a half-written registration would be taken for a dead one and removed.
  const draft = join(users, `.draft-${process.pid}`)
  writeFileSync(draft, JSON.stringify({ ...self(), home }))
  renameSync(draft, file)
  return file
}

/** How many live registrations there are in `users` for `home`; removes those of processes that are gone. */
export function countUsers(users: string, home: string): number {
  let count = 0
  for (const name of readdirSync(users)) {
    if (name.startsWith('.draft-')) continue
    const file = join(users, name)
    const holder = readIdentity(file)
    // A copied cluster brings along registrations made for the original.
    if (holder !== undefined && holder.home === home && startOf(holder.pid) === holder.started) count++
    else rmSync(file, { force: true })
  }
  return count
}

function self(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) ?? '' }
}

function takeFile(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(self()), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new ShelfwireError('database-unusable', `cannot write ${path}: ${(error as Error).message}`, { cause: error })
  }
}

/** Removes an abandoned lock. Only who holds the breaker may, so that nobody removes the lock of a quick successor. */
function breakLock(path: string): void {
  const breaker = `${path}.break`
  if (!takeFile(breaker)) {
    if (isAbandoned(breaker)) rmSync(breaker, { force: true })
    return
  }
  try {
    if (isAbandoned(path)) rmSync(path, { force: true })
  } finally {
    rmSync(breaker, { force: true })
  }
}

function isAbandoned(path: string): boolean {
  const holder = readIdentity(path)
  if (holder !== undefined) return startOf(holder.pid) !== holder.started
  try {
    return Date.now() - statSync(path).mtimeMs > LOCK_BLANK_MS
  } catch {
    return false
  }
}

function readIdentity(path: string): (ProcessIdentity & { home?: string }) | undefined {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity> & { home?: string }
    return typeof read.pid === 'number' && typeof read.started === 'string'
      ? { ...read, pid: read.pid, started: read.started }
      : undefined
  } catch {
    return undefined
  }
}

function startOf(pid: number): string | null {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there, and another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name, in parentheses, may hold spaces: count from behind it. Field 3 is the state, field 22 the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    return `${bootId()}:${fields[19] ?? ''}`
  } catch {
    return ''
  }
}

let boot: string | undefined

/** The start time counts from the boot, so after a reboot it could be the same by chance. */
function bootId(): string {
  if (boot === undefined) {
    try {
      boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    } catch {
      boot = ''
    }
  }
  return boot
}
