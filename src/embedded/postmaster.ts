import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  lchownSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asError, ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { must } from '../platform/must.ts'
import type { Binaries } from './binaries.ts'
import type { Home } from './home.ts'
import { isAlive, isSameProcess, processOf } from './lock.ts'
import { probe } from './probe.ts'
import { userSuffix, lastLines, runTool, toolOptions } from './process.ts'

const POLL_MS = 5
/** How often a server that is not ready yet is probed for signs of life. */
const ASK_MS = 250
/** A running server that does not answer for this long counts as hung. */
const HUNG_AFTER_MS = 10_000
/** The same for a server that was just started, which takes longer on a busy machine. */
const HUNG_AT_START_MS = 60_000
/** During crash recovery the server answers "starting up"; this bounds the wait. */
const RECOVERY_MS_MAX = 600_000
const STOP_FAST_MS = 60_000
const STOP_HARD_MS = 10_000
/** How long a start is retried while processes of a killed server are ending, or free ports are taken by others. */
const START_RETRY_MS = 15_000
const LOG_BYTES_MAX = 10_485_760

/** An eighth of the memory, so that a million products are served from it; reading from the system's cache is slower. Allocated on use. */
const SHARED_BUFFERS_MB = Math.min(2_048, Math.max(128, Math.floor(totalmem() / 8 / 1_048_576)))

/** Settings for a service on a small machine. Passed as `-c` on the command line, so that an upgrade of Shelfwire changes them. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: `${SHARED_BUFFERS_MB}MB`,
  wal_compression: 'off',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  fsync: 'on',
  logging_collector: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export interface Postmaster {
  pid: number
  port: number
}

/** The result of waiting for a server. */
export type Answer = { kind: 'ready'; port: number } | { kind: 'gone' } | { kind: 'hung' } | { kind: 'login-refused' }

/** The id of the server process of `cluster`, from its postmaster.pid; undefined without one or when the file is stale. */
export function findPostmaster(cluster: string): number | undefined {
  const { pid } = readPidFile(cluster)
  return pid !== undefined && isAlive(pid) && serves(pid, cluster) ? pid : undefined
}

/** Waits until the server is ready, refuses the login, ends or hangs. Also waits for a server that recovers or shuts down. */
export async function awaitAnswer(
  pid: number,
  cluster: string,
  login: (port: number) => string,
  { recoveryMsMax = RECOVERY_MS_MAX, hungAfterMs = HUNG_AFTER_MS } = {},
): Promise<Answer> {
  const began = Date.now()
  let answeredAt = began
  let asked = 0
  for (;;) {
    if (!isAlive(pid)) return { kind: 'gone' }
    const file = readPidFile(cluster)
    const now = Date.now()
    if (file.pid === pid && file.port !== undefined && (file.ready || now - asked > ASK_MS)) {
      asked = now
      const answer = await probe(login(file.port))
      if (answer === 'ready') return { kind: 'ready', port: file.port }
      if (answer === 'login-refused') return { kind: 'login-refused' }
      if (answer === 'busy') answeredAt = Date.now()
    }
    if (Date.now() - answeredAt > hungAfterMs || Date.now() - began > recoveryMsMax) return { kind: 'hung' }
    await sleep(file.ready ? ASK_MS / 10 : POLL_MS)
  }
}

/** The port of the running server of `cluster`, or of its last one if that did not shut down cleanly. */
export function lastPort(cluster: string): number | undefined {
  const { port, dataDir } = readPidFile(cluster)
  // a copied cluster may contain the file of the original, whose server runs on that port
  return dataDir === cluster ? port : undefined
}

/**
 * Starts a server for the cluster and waits until it answers. None may be running.
 * @param options.port to be used if it is free; undefined: any @param options.isPortNeeded whether no other port will do
 */
export async function startPostmaster(
  home: Home,
  binaries: Binaries,
  options: {
    login: (port: number) => string
    settings: Readonly<Record<string, string>>
    port: number | undefined
    isPortNeeded: boolean
  },
): Promise<Postmaster> {
  const began = Date.now()
  let { port } = options
  for (;;) {
    rmSync(join(home.cluster, 'postmaster.pid'), { force: true })
    const logFrom = openLogFile(home)
    const pid = await spawnServer(home, binaries, {
      ...SETTINGS,
      ...options.settings,
      port: String(port ?? (await freePort())),
    })
    // replaying weeks of archived log may take any time
    const recoveryMsMax = 'restore_command' in options.settings ? Infinity : RECOVERY_MS_MAX
    const answer = await awaitAnswer(pid, home.cluster, options.login, { recoveryMsMax, hungAfterMs: HUNG_AT_START_MS })
    if (answer.kind === 'ready') return { pid, port: answer.port }
    if (answer.kind !== 'gone') await stopPostmaster(pid, home, binaries)
    const logged = readFileSync(home.logFile).subarray(logFrom).toString()
    // Another process took the port after it was found free, or processes of a killed server are still ending.
    const isPortTaken = logged.includes('Address already in use')
    if (isPortTaken && !options.isPortNeeded) port = undefined
    const isTemporary = isPortTaken || /shared memory block .* is still in use/.test(logged)
    if (isTemporary && Date.now() - began < START_RETRY_MS) {
      await sleep(ASK_MS)
      continue
    }
    const what =
      answer.kind === 'gone' ? 'ended at once' : answer.kind === 'hung' ? 'does not answer' : 'refuses our login'
    throw new ShelfwireError(
      'database-unusable',
      isPortTaken
        ? portTaken(port)
        : `the embedded PostgreSQL ${what}${userSuffix(home.runAs)}; ${home.logFile} ends: ${lastLines(logged)}`,
    )
  }
}

/** @param port the port that other processes need; undefined: any port would have done, but each free one was taken before the server listened */
export const portTaken = (port: number | undefined) =>
  port === undefined
    ? 'the embedded PostgreSQL cannot be started: other programs took every port that was free before it listened there; start again'
    : `the embedded PostgreSQL cannot be started on port ${port}, where other processes expect it: another program has taken the port; end that one, or all processes of Shelfwire with this DATA_DIR, and start again`

/** Shuts the server down; by force when that takes too long, which costs a crash recovery but no data. */
export async function stopPostmaster(pid: number, home: Home, binaries: Binaries, log?: Log): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals; pg_ctl has its own way to reach the server.
    await runTool(binaries.pgCtl, ['stop', '-D', home.cluster, '-m', 'fast', '-w'], { runAs: home.runAs })
    return
  }
  if (await endWith(pid, 'SIGINT', STOP_FAST_MS)) return
  log?.warn({ pid }, 'the embedded PostgreSQL does not shut down, stopping it at once')
  if (await endWith(pid, 'SIGQUIT', STOP_HARD_MS)) return
  await killPostmaster(pid)
}

/** Kills a server that does not answer. */
export async function killPostmaster(pid: number): Promise<void> {
  if (await endWith(pid, 'SIGKILL', STOP_HARD_MS)) return
  throw new ShelfwireError(
    'database-unusable',
    `the embedded PostgreSQL (process ${pid}) does not answer and cannot be killed; end it, then start again`,
  )
}

/** Sends the signal and waits; false when the process still runs after `timeoutMs`. */
async function endWith(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  const began = Date.now()
  const server = processOf(pid)
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
    throw new ShelfwireError(
      'database-unusable',
      `process ${pid}, the embedded PostgreSQL, cannot be signalled: ${asError(error).message}`,
      { cause: error },
    )
  }
  while (isSameProcess(server)) {
    if (Date.now() - began > timeoutMs) return false
    await sleep(POLL_MS)
  }
  return true
}

/** Reads postmaster.pid: the process id is line 1, the data directory line 2, the port line 4, the state line 8. */
function readPidFile(cluster: string): { pid?: number; port?: number; dataDir: string | undefined; ready: boolean } {
  const file = join(cluster, 'postmaster.pid')
  let lines: string[] = []
  try {
    lines = readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return {
    ...(pid > 0 ? { pid } : {}),
    ...(port > 0 ? { port } : {}),
    dataDir: lines[1],
    ready: lines[7]?.trim() === 'ready',
  }
}

/** False when the id in a stale postmaster.pid now belongs to another program, or to another cluster's server. */
function serves(pid: number, cluster: string): boolean {
  try {
    if (existsSync('/proc/self/cwd')) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
    if (process.platform === 'win32') return true
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres')
  } catch {
    // We may not inspect the process, so it is not our server: that runs as this user, or we are root.
    return false
  }
}

async function spawnServer(home: Home, binaries: Binaries, settings: Record<string, string>): Promise<number> {
  const args = ['-D', home.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const fd = openSync(home.logFile, 'a')
  try {
    // In a session of its own: Ctrl-C in our terminal must not reach the server, which we shut down last.
    const child = spawn(binaries.postgres, args, {
      ...toolOptions(home.runAs),
      detached: true,
      stdio: ['ignore', fd, fd],
    })
    child.unref()
    return await new Promise((resolve, reject) => {
      child.on('error', (error) =>
        reject(
          new ShelfwireError(
            'database-unusable',
            `the embedded PostgreSQL could not be started${userSuffix(home.runAs)}: ${error.message}`,
            { cause: error },
          ),
        ),
      )
      child.on('spawn', () => resolve(must(child.pid)))
    })
  } finally {
    closeSync(fd)
  }
}

/** Makes the log file writable for us and the server's user, truncates it when it is too long, and returns its length. */
function openLogFile(home: Home): number {
  closeSync(openSync(home.logFile, 'a', 0o640))
  if (statSync(home.logFile).size > LOG_BYTES_MAX) truncateSync(home.logFile)
  // lchown, not chown: as root we must not hand over the file that a user's symbolic link points at.
  if (home.runAs !== undefined) lchownSync(home.logFile, home.runAs.uid, home.runAs.gid)
  return statSync(home.logFile).size
}

async function freePort(): Promise<number> {
  const server = createServer()
  return await new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
