import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { must } from '../platform/must.ts'

const LOCK_POLL_MS = 20
/** Longer than the longest crash recovery that startEmbedded waits for while it holds the lock. */
const LOCK_WAIT_MS_MAX = 900_000
const LOCK_LOG_AFTER_MS = 5_000
/** A lock file without readable content is abandoned when it is older than this: it may still be being written. */
const LOCK_BLANK_MS = 10_000

/** A process. Its start time distinguishes it from a later one with the same id. */
interface ProcessIdentity {
  pid: number
  /** Boot id and start time from /proc; empty where there is no /proc, or it could not be read. */
  started: string
}

/** True while process `pid` runs. A zombie counts as ended: in a container it may never be reaped. */
export function isAlive(pid: number): boolean {
  return startOf(pid) !== null
}

/** Identifies a process for `isSameProcess`. @returns `started` is null if there is no such process. */
export function processOf(pid: number): { pid: number; started: string | null } {
  return { pid, started: startOf(pid) }
}

/** Whether exactly that process still runs. If a start time cannot be read, only the ids are compared. */
export function isSameProcess({ pid, started }: { pid: number; started: string | null }): boolean {
  const found = startOf(pid)
  return found !== null && started !== null && (found === started || found === '' || started === '')
}

/**
 * Runs `work` while holding the lock file `path`, against other processes and other callers in this one.
 * @throws ShelfwireError `database-unusable` after LOCK_WAIT_MS_MAX
 */
export async function withLock<T>(path: string, log: Log, work: () => Promise<T>): Promise<T> {
  const waitingSince = Date.now()
  let isLogged = false
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
        `process ${holder?.pid ?? '?'} has been starting or stopping the database for ${LOCK_WAIT_MS_MAX / 1000} s; end it, or remove ${path} if it is not a Shelfwire process`,
      )
    }
    if (!isLogged && waited > LOCK_LOG_AFTER_MS) {
      log.info(
        { holder: readIdentity(path)?.pid },
        'waiting for another process to start or stop the embedded database',
      )
      isLogged = true
    }
    await sleep(LOCK_POLL_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

/**
 * Takes the lock file `path` until it is disposed of; returns undefined at once if a living process holds it.
 * docs/decisions/238-one-restore-and-one-export-at-a-time.md says what it is for.
 */
export function holdLock(path: string): Disposable | undefined {
  while (!takeFile(path)) {
    if (!isAbandoned(path)) return undefined
    breakLock(path)
  }
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) }
}

/** A process that is registered as a user of a server. */
export interface User {
  /** The file of its registration. */
  file: string
  pid: number
  /** The port on which it knows the server; null: registered by an earlier release. */
  port: number | null
}

/** Registers this process in directory `users` as a user of the database of `home`; returns the registration's file. */
export function register(users: string, home: string, port: number): string {
  // A process may register several times, so the process id alone is not unique.
  const file = join(users, `${process.pid}-${randomBytes(4).toString('hex')}`)
  // Written as a draft first: a half-written registration would be taken for a dead one and removed.
  const draft = join(users, `.draft-${process.pid}`)
  writeFileSync(draft, JSON.stringify({ ...self(), home, port }))
  renameSync(draft, file)
  return file
}

/** The live registrations for `home` in `users`; removes those of processes that have ended. */
export function usersOf(users: string, home: string): User[] {
  const found: User[] = []
  for (const name of readdirSync(users)) {
    if (name.startsWith('.draft-')) continue
    const file = join(users, name)
    const holder = readIdentity(file)
    // A copied cluster contains registrations made for the original.
    if (holder !== undefined && holder.home === home && isSameProcess(holder))
      found.push({ file, pid: holder.pid, port: holder.port ?? null })
    else rmSync(file, { force: true })
  }
  return found
}

function self(): ProcessIdentity {
  return { pid: process.pid, started: must(startOf(process.pid)) }
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

/** Removes an abandoned lock. A second lock file guards this, so that nobody removes the lock that a successor just took. */
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
  if (holder !== undefined) return !isSameProcess(holder)
  try {
    return Date.now() - statSync(path).mtimeMs > LOCK_BLANK_MS
  } catch {
    return false
  }
}

function readIdentity(path: string): (ProcessIdentity & { home?: string; port?: number }) | undefined {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity> & {
      home?: string
      port?: number
    }
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
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name, in parentheses, may contain spaces: count after it. Field 3 is the state, field 22 the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    return `${bootId()}:${must(fields[19])}`
  } catch {
    return ''
  }
}

let boot: string | undefined

/** Start times count from the boot, so after a reboot they could coincide. */
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
