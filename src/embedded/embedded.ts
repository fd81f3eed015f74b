import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { findBinaries } from './binaries.ts'
import type { Binaries } from './binaries.ts'
import { DATABASE_NAME, ensureCluster, readPassword, resetPassword } from './cluster.ts'
import { findHome, openDataDir, removeEmptyHome } from './home.ts'
import type { Home } from './home.ts'
import { countUsers, register, withLock } from './lock.ts'
import { awaitAnswer, findPostmaster, killPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts'
import type { Postmaster } from './postmaster.ts'
import { supervise } from './supervise.ts'
import { ARCHIVE_IDENTITY, archiveSettings } from './wal-archive.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

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

/** A start that is refused leaves no folder that looks like a database. */
const leaveNothing = (home: Home) => (error: unknown) => {
  removeEmptyHome(home, [ARCHIVE_IDENTITY])
  throw error
}

/**
 * Starts the PostgreSQL of `dataDir`, or joins the one that is already running there, be it another process's or left by a
 * process that was killed.
 * @param options.settings PostgreSQL settings; they take effect only when this call starts the server
 * @throws ShelfwireError `database-unusable`
 */
export async function startEmbedded(options: {
  dataDir: string
  log: Log
  settings?: Record<string, string>
  /** WAL_ARCHIVE_DIR: where the server archives its log; it takes effect only when this call starts the server. */
  walArchiveDir?: string | null
  /** For the end of a restore alone: starts a database that was not fenced yet. */
  isRestoring?: boolean
}): Promise<EmbeddedServer> {
  const { log, isRestoring = false, walArchiveDir = null } = options
  const dataDir = openDataDir(options.dataDir)
  // In DATA_DIR, not beside the cluster: locating the cluster needs the lock as well.
  const lock = join(dataDir, 'postgres.lock')
  return await withLock(lock, log, async () => {
    if (!isRestoring) refuseUnfinishedRestore(dataDir)
    const home = findHome(dataDir, log)
    const binaries = findBinaries(home, log)
    const settings: Record<string, string> = {
      ...(walArchiveDir === null ? {} : await archiveSettings(home, walArchiveDir).catch(leaveNothing(home))),
      ...options.settings,
    }
    await ensureCluster(home, binaries, { log, sync: settings['fsync'] !== 'off' })
    const { pid, port, password } = await joinOrStart({ home, binaries, settings, log })
    const registration = register(home.users, home.dir)
    const supervisor = supervise(
      pid,
      () =>
        withLock(lock, log, async () => {
          // another process on this directory may have been quicker
          const running = findPostmaster(home.cluster)
          if (running !== undefined) return running
          const again = { home, binaries, settings: { ...settings, port: String(port) }, log }
          return (await startFresh(again, password)).pid
        }),
      log,
    )
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
  })
}

async function joinOrStart(start: Start): Promise<Postmaster & { password: string }> {
  const { home, log } = start
  const password = readPassword(home)
  const running = findPostmaster(home.cluster)
  if (running !== undefined) {
    // Without a password any other shows whether the server answers; a refused login is handled below.
    const answer = await awaitAnswer(running, home.cluster, (port) => urlOf(password ?? '-', port))
    if (answer.kind === 'ready' && password !== undefined) {
      log.info({ pid: running, port: answer.port }, 'joined the running embedded database')
      return { pid: running, port: answer.port, password }
    }
    if (answer.kind === 'login-refused') return await startWithNewPassword(start, running)
    if (answer.kind === 'hung') {
      log.warn({ pid: running }, 'the embedded database does not answer, killing it')
      await killPostmaster(running)
    }
  }
  if (password === undefined) return await startWithNewPassword(start, undefined)
  return await startFresh(start, password)
}

/** The password file was lost or replaced: sets a new password, which needs a stopped server, and starts. */
async function startWithNewPassword(
  start: Start,
  running: number | undefined,
): Promise<Postmaster & { password: string }> {
  const { home, binaries, log } = start
  if (running !== undefined) {
    if (countUsers(home.users, home.dir) > 0) {
      throw new ShelfwireError(
        'database-unusable',
        `${home.passwordFile} is missing or does not match the database that other processes are using; restore it, or stop those processes and start again`,
      )
    }
    await stopPostmaster(running, home, binaries, log)
  }
  log.warn(
    { file: home.passwordFile },
    "the embedded database's password file was lost or replaced, setting a new password",
  )
  rmSync(join(home.cluster, 'postmaster.pid'), { force: true })
  return await startFresh(start, await resetPassword(home, binaries))
}

async function startFresh(start: Start, password: string): Promise<Postmaster & { password: string }> {
  const { home, binaries, settings, log } = start
  const began = Date.now()
  const postmaster = await startPostmaster(home, binaries, { login: (port) => urlOf(password, port), settings })
  log.info(
    { pid: postmaster.pid, port: postmaster.port, version: binaries.version, ms: Date.now() - began },
    'started the embedded database',
  )
  return { ...postmaster, password }
}

async function leave(home: Home, binaries: Binaries, registration: string, log: Log): Promise<void> {
  rmSync(registration, { force: true })
  if (countUsers(home.users, home.dir) > 0) return
  const running = findPostmaster(home.cluster)
  if (running === undefined) return
  await stopPostmaster(running, home, binaries, log)
  log.info({ pid: running }, 'stopped the embedded database')
}

function urlOf(password: string, port: number): string {
  return `postgres://${DATABASE_NAME}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE_NAME}`
}
