import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { findBinaries } from './binaries.ts'
import type { Binaries } from './binaries.ts'
import { DATABASE_NAME, ensureCluster, readPassword, resetPassword } from './cluster.ts'
import { findHome, openDataDir, removeEmptyHome } from './home.ts'
import type { Home } from './home.ts'
import { register, usersOf, withLock } from './lock.ts'
import type { User } from './lock.ts'
import { awaitAnswer, findPostmaster, killPostmaster, lastPort, startPostmaster, stopPostmaster } from './postmaster.ts'
import type { Postmaster } from './postmaster.ts'
import { supervise } from './supervise.ts'
import { ARCHIVE_IDENTITY, archiveSettings } from './wal-archive.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

/** How long to wait for a server that does not answer while other processes use it. */
const USED_WAIT_MS = 60_000
/** Pause between two attempts with such a server, during which the lock is free, so that its users can stop or restart it. */
const USED_PAUSE_MS = 250

/** A PostgreSQL server that Shelfwire runs itself, shared by all processes that use the same DATA_DIR. */
export interface EmbeddedServer {
  /** URL for the superuser, on 127.0.0.1. It contains the password: do not log it. */
  url: string
  /** PostgreSQL's major version. */
  major: number
  /** PostgreSQL's own data directory. */
  cluster: string
  /** Stops using the server; the last user shuts it down. Calling it again does nothing. */
  stop(): Promise<void>
}

interface Start {
  home: Home
  binaries: Binaries
  settings: Readonly<Record<string, string>>
  log: Log
}

type Started = Postmaster & { password: string }
/** A server that does not answer but is in use by other processes. */
type Silent = { silent: number; users: readonly User[] }

/** Removes the home of a refused start if it has no database, so that no folder looks like one. Rethrows the error. */
const removeHomeAndThrow = (home: Home) => (error: unknown) => {
  removeEmptyHome(home, [ARCHIVE_IDENTITY])
  throw error
}

/**
 * Starts the PostgreSQL of `dataDir`, or joins the one that already runs there, started by another process or left by a killed one. A server that
 * does not answer is killed only if no other process uses it. docs/decisions/267-a-server-that-others-use-is-not-killed.md says why.
 * @param options.settings PostgreSQL settings; they take effect only when this call starts the server
 * @throws ShelfwireError `database-unusable`
 */
export async function startEmbedded(options: {
  dataDir: string
  log: Log
  settings?: Record<string, string>
  /** WAL_ARCHIVE_DIR, into which the server archives its log; takes effect only when this call starts the server. */
  walArchiveDir?: string | null
  /** Only for the end of a restore: starts a database that has not been fenced yet. */
  isRestoring?: boolean
  /** How long to wait for a server that does not answer while other processes use it. */
  usedWaitMs?: number
}): Promise<EmbeddedServer> {
  const { log, isRestoring = false, walArchiveDir = null, usedWaitMs = USED_WAIT_MS } = options
  const dataDir = openDataDir(options.dataDir)
  // In DATA_DIR, not beside the cluster: locating the cluster needs the lock as well.
  const lock = join(dataDir, 'postgres.lock')
  let silentSince: number | undefined
  for (;;) {
    const found = await withLock(lock, log, () => open())
    if (!('silent' in found)) return found
    silentSince ??= Date.now()
    const pids = [...new Set(found.users.map(({ pid }) => pid))].join(', ')
    if (Date.now() - silentSince >= usedWaitMs)
      throw new ShelfwireError(
        'database-unusable',
        `the embedded database (process ${found.silent}) does not answer, and is left alone because other processes use it (${pids}): ` +
          `try again when the machine has less to do; should it stay so, end those processes, and start them again`,
      )
    log.warn({ pid: found.silent, users: pids }, 'the embedded database does not answer, waiting for it')
    await sleep(USED_PAUSE_MS)
  }

  async function open(): Promise<EmbeddedServer | Silent> {
    if (!isRestoring) refuseUnfinishedRestore(dataDir)
    const home = findHome(dataDir, log)
    const binaries = findBinaries(home, log)
    const settings: Record<string, string> = {
      ...(walArchiveDir === null ? {} : await archiveSettings(home, walArchiveDir).catch(removeHomeAndThrow(home))),
      ...options.settings,
    }
    await ensureCluster(home, binaries, { log, sync: settings['fsync'] !== 'off' })
    const start = { home, binaries, settings, log }
    const found = await joinOrStart(start)
    if ('silent' in found) return found
    const { pid, port, password } = found
    const registration = register(home.users, home.dir, port)
    const again = { start, password, port, registration }
    const supervisor = supervise(pid, () => withLock(lock, log, () => startAgain(again)), log)
    let stopped: Promise<void> | undefined
    const stop = async () => {
      await supervisor.stop()
      await withLock(lock, log, () => leave(home, binaries, registration, log))
    }
    return {
      url: urlOf(password, port),
      major: binaries.major,
      cluster: home.cluster,
      stop: () => (stopped ??= stop()),
    }
  }
}

async function joinOrStart(start: Start): Promise<Started | Silent> {
  const { home, log } = start
  const password = readPassword(home)
  const running = findPostmaster(home.cluster)
  if (running !== undefined) {
    // Without a known password, any other one shows whether the server answers; a refused login is handled below.
    const answer = await awaitAnswer(running, home.cluster, (port) => urlOf(password ?? '-', port))
    if (answer.kind === 'ready' && password !== undefined) {
      log.info({ pid: running, port: answer.port }, 'joined the running embedded database')
      return { pid: running, port: answer.port, password }
    }
    if (answer.kind === 'login-refused') return await startWithNewPassword(start, running)
    if (answer.kind === 'hung') {
      const users = usersOf(home.users, home.dir)
      if (users.length > 0) return { silent: running, users }
      // the process id may belong to another program by now
      if (findPostmaster(home.cluster) === running) {
        log.warn({ pid: running }, 'the embedded database does not answer, and nobody uses it: killing it')
        await killPostmaster(running)
      }
    }
  }
  if (password === undefined) return await startWithNewPassword(start, undefined)
  return await startFresh(start, password)
}

/** Handles a lost or replaced password file: sets a new password, for which the server must be stopped, and starts it. */
async function startWithNewPassword(start: Start, running: number | undefined): Promise<Started> {
  const { home, binaries, log } = start
  // even if the server has just ended: its users restart it with the password that they know
  if (usersOf(home.users, home.dir).length > 0) {
    throw new ShelfwireError(
      'database-unusable',
      `${home.passwordFile} is missing or does not match the database that other processes are using; restore it, or stop those processes and start again`,
    )
  }
  if (running !== undefined) await stopPostmaster(running, home, binaries, log)
  log.warn(
    { file: home.passwordFile },
    "the embedded database's password file was lost or replaced, setting a new password",
  )
  rmSync(join(home.cluster, 'postmaster.pid'), { force: true })
  return await startFresh(start, await resetPassword(home, binaries))
}

/** Restarts the server for a supervisor, on the port that this process uses. @returns the server's process id */
async function startAgain(again: {
  start: Start
  password: string
  port: number
  registration: string
}): Promise<number> {
  const { start, password, port, registration } = again
  const { home, binaries, log } = start
  // another process on this directory may have been faster
  const running = findPostmaster(home.cluster)
  const answer =
    running === undefined ? undefined : await awaitAnswer(running, home.cluster, (found) => urlOf(password, found))
  if (running !== undefined && answer !== undefined && answer.kind !== 'gone') {
    if (answer.kind === 'ready' && answer.port === port) return running
    const refuse = (what: string) =>
      new ShelfwireError('database-unusable', `the embedded database (process ${running}) ${what}`)
    if (answer.kind === 'login-refused')
      throw refuse('refuses the password that this process knows: start this process again')
    const others = usersOf(home.users, home.dir).filter(({ file }) => file !== registration)
    const pids = [...new Set(others.map(({ pid }) => pid))].join(', ')
    if (others.length > 0 && answer.kind === 'hung')
      throw refuse(`does not answer, and other processes use it (${pids})`)
    // for example a command of an earlier release; when it has ended, the server is moved to the port
    if (others.length > 0 && answer.kind === 'ready')
      throw refuse(
        `was started on port ${answer.port} meanwhile, and this process knows it on ${port}: ` +
          `end the processes that use it there (${pids}), or start this one again`,
      )
    log.warn({ pid: running, port }, 'the embedded database does not answer on its port, starting it there')
    await stopPostmaster(running, home, binaries, log)
  }
  return (await startFresh({ ...start, settings: { ...start.settings, port: String(port) } }, password)).pid
}

async function startFresh(start: Start, password: string): Promise<Started> {
  const { home, binaries, settings, log } = start
  const began = Date.now()
  const login = (port: number) => urlOf(password, port)
  const postmaster = await startPostmaster(home, binaries, { login, settings, ...portFor(home, settings) })
  log.info(
    { pid: postmaster.pid, port: postmaster.port, version: binaries.version, ms: Date.now() - began },
    'started the embedded database',
  )
  return { ...postmaster, password }
}

/**
 * The port that the settings demand or that living users know; otherwise that of a killed server, if it is free. `isPortNeeded`: no other port will
 * do.
 */
function portFor(home: Home, settings: Start['settings']): { port: number | undefined; isPortNeeded: boolean } {
  if (settings['port'] !== undefined) return { port: Number(settings['port']), isPortNeeded: true }
  const users = usersOf(home.users, home.dir)
  const port = users.find((user) => user.port !== null)?.port ?? lastPort(home.cluster)
  return { port, isPortNeeded: users.length > 0 && port !== undefined }
}

async function leave(home: Home, binaries: Binaries, registration: string, log: Log): Promise<void> {
  rmSync(registration, { force: true })
  if (usersOf(home.users, home.dir).length > 0) return
  const running = findPostmaster(home.cluster)
  if (running === undefined) return
  await stopPostmaster(running, home, binaries, log)
  log.info({ pid: running }, 'stopped the embedded database')
}

function urlOf(password: string, port: number): string {
  return `postgres://${DATABASE_NAME}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE_NAME}`
}
