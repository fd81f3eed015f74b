import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openDb } from '../../src/db/open-db.ts'
import { until } from './interleave.ts'
import { freePort } from './free-port.ts'

const BINARY = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
)
/** `nobody` on every Debian; PgBouncer refuses to run as root. */
const NOBODY = 65_534

/** Why tests with PgBouncer cannot run on this machine, or null. */
export const NO_PGBOUNCER = BINARY === undefined ? 'PgBouncer is not installed' : null

export interface PgBouncer extends AsyncDisposable {
  /** The URL of the same database through PgBouncer. */
  url: string
  /** Kills PgBouncer with all its connections, and starts it again at the same address. */
  restart(): Promise<void>
}

/** Starts PgBouncer in front of the server of `url`, in transaction mode as docs/operations.md says, with `poolSize` connections to the server. */
export async function startPgBouncer(url: string, poolSize: number): Promise<PgBouncer> {
  if (BINARY === undefined) throw new Error('PgBouncer is not installed')
  const target = new URL(url)
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-pgbouncer-'))
  await chmod(directory, 0o755)
  const port = await freePort()
  const file = join(directory, 'pgbouncer.ini')
  // an empty password would be a syntax error
  const password = target.password === '' ? '' : ` password=${decodeURIComponent(target.password)}`
  await writeFile(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout
`,
  )
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const pooled = new URL(url)
  pooled.hostname = '127.0.0.1'
  pooled.port = String(port)
  pooled.password = ''
  const start = async (program: string) => {
    const started = spawn(program, [file], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    started.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    await until('PgBouncer takes connections', async () => {
      if (started.exitCode !== null) throw new Error(said)
      const db = openDb({ url: pooled.toString(), connectionsMax: 1, prepare: false })
      try {
        await db`select 1`
        return true
      } catch {
        return false
      } finally {
        await db.end()
      }
    })
    return started
  }
  let child = await start(BINARY)
  const end = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    url: pooled.toString(),
    async restart() {
      await end()
      child = await start(BINARY)
    },
    async [Symbol.asyncDispose]() {
      await end()
      await rm(directory, { recursive: true })
    },
  }
}
