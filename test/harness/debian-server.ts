import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDb } from '../../src/db/open-db.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
/** `nobody` on every Debian; PostgreSQL refuses to run as root. */
const NOBODY = 65_534

/** The directory of Debian's server binaries of this major version, or null where it is not installed. */
export function debianBinaries(major: number): string | null {
  const directory = `/usr/lib/postgresql/${major}/bin`
  return existsSync(join(directory, 'initdb')) ? directory : null
}

export interface Server {
  /** The URL of its database `postgres`. */
  url: string
  /** The path of its log file. */
  log: string
  stop(): Promise<void>
  /** Kills the server with all its processes, as a machine that loses its power does. */
  crash(): Promise<void>
  /** Starts it again, at the same address. */
  restart(): Promise<void>
}

/** Starts Debian's PostgreSQL with a new cluster in `directory`, to test DATABASE_URL with older servers. */
export function startDebianServer(major: number, directory: string, settings: Record<string, string>): Promise<Server> {
  const binaries = debianBinaries(major)
  if (binaries === null) throw new Error(`PostgreSQL ${major} is not installed`)
  return startServer(binaries, directory, settings)
}

/** Starts a server of these binaries with a new cluster in `directory`, on a free port. */
export async function startServer(
  binaries: string,
  directory: string,
  settings: Record<string, string>,
): Promise<Server> {
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  await chmod(directory, 0o755)
  const cluster = join(directory, 'cluster')
  await mkdir(cluster, { mode: 0o700 })
  if (identity.uid !== undefined) await chown(cluster, identity.uid, identity.gid)
  await run(
    join(binaries, 'initdb'),
    ['-D', cluster, '-U', 'shelfwire', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust'],
    identity,
  )
  const port = await freePort()
  const options = Object.entries({
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // as in the embedded server: in a test, compiling a plan takes longer than running it
    jit: 'off',
    ...settings,
  })
  const url = `postgres://shelfwire@127.0.0.1:${port}/postgres`
  const start = async () => {
    const log = await open(join(directory, 'log'), 'a')
    const started = spawn(
      join(binaries, 'postgres'),
      ['-D', cluster, ...options.flatMap(([key, value]) => ['-c', `${key}=${value}`])],
      { ...identity, stdio: ['ignore', log.fd, log.fd] },
    )
    await log.close()
    for (let attempt = 0; ; attempt++) {
      const db = openDb({ url, connectionsMax: 1 })
      try {
        await db`select 1`
        return started
      } catch (error) {
        if (attempt > 100) throw error
        await sleep(100)
      } finally {
        await db.end()
      }
    }
  }
  let server = await start()
  return {
    url,
    log: join(directory, 'log'),
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await ended
    },
    async crash() {
      await killServer(server)
    },
    async restart() {
      server = await start()
    },
  }
}

/**
 * Kills a server with all its processes at once, as when its machine loses power. If only the postmaster were killed, the others would run on
 * for a moment, and show commits that have not reached the standby.
 */
export async function killServer(server: ChildProcess): Promise<void> {
  const { pid } = server
  if (pid === undefined) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  // stopped first, so that it starts no more processes
  server.kill('SIGSTOP')
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean)
  for (const child of children) process.kill(Number(child), 'SIGKILL')
  server.kill('SIGKILL')
  await ended
}
