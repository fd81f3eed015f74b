import type { ChildProcess } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICE_FLAGS } from '../bin/node24.mjs'
import { startEmbedded } from '../src/embedded/embedded.ts'
import { openDb } from '../src/db/open-db.ts'
import { silentLog } from '../src/platform/log.ts'
import { readSettings } from '../src/platform/settings/settings.ts'
import { openRuntime, type Runtime } from '../src/runtime.ts'
import { firstLine, start } from './processes.ts'

/** The environment of one benchmark: a database server of its own, and a runtime on it in this process. */
export interface Environment extends AsyncDisposable {
  runtime: Runtime
  databaseUrl: string
  /** For supplier files and lists of paths. */
  directory: string
  /** Name and version of the database server, for the report. */
  server: string
}

/** A service with its API and its two workers, in a process of its own. */
export interface RunningService {
  pid: number
  url: string
  stop(): Promise<void>
}

/** With `BENCH_PROFILE=DIRECTORY`, statement statistics and processor profiles of the services are written there. */
export const PROFILE_DIRECTORY = process.env['BENCH_PROFILE'] ?? ''

/** Webhook receivers run on this machine, pictures are at hosts that do not exist, and all processes use the same key. */
export const OUTBOUND = {
  OUTBOUND_ALLOW: '127.0.0.0/8',
  SECRET_KEY: 'a-key-for-benchmarks-and-nothing-else',
  MIRROR: 'off',
}

/**
 * Opens a database server and a runtime on it.
 * @param kept a directory that is used again and stays, with the database in it; null: a temporary one, which is deleted
 */
export async function openEnvironment(kept: string | null = null): Promise<Environment> {
  const directory = kept ?? (await mkdtemp(join(tmpdir(), 'shelfwire-bench-')))
  await mkdir(directory, { recursive: true })
  // the server may run as another user
  await chmod(directory, 0o755)
  const settings: Record<string, string> =
    PROFILE_DIRECTORY === '' ? {} : { shared_preload_libraries: 'pg_stat_statements' }
  const server = await startEmbedded({ dataDir: directory, log: silentLog, settings })
  const runtime = await openRuntime(
    readSettings({ DATABASE_URL: server.url, LOG_LEVEL: 'silent', ...OUTBOUND }),
    silentLog,
  )
  return {
    runtime,
    databaseUrl: server.url,
    directory,
    server: `PostgreSQL ${server.major}`,
    async [Symbol.asyncDispose]() {
      await runtime[Symbol.asyncDispose]()
      await server.stop()
      if (kept === null) await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * Starts a service on the environment's database.
 * @param env additional settings
 * @param role the only role of the service; null: both
 */
export async function startService(
  environment: Environment,
  isProfiled = false,
  env: Record<string, string> = {},
  role: 'api' | 'work' | null = null,
): Promise<RunningService> {
  const profile =
    isProfiled && PROFILE_DIRECTORY !== ''
      ? ['--cpu-prof', `--cpu-prof-dir=${PROFILE_DIRECTORY}`, '--cpu-prof-interval=2000']
      : []
  const child = start([...SERVICE_FLAGS, ...profile, 'bench/service.ts', ...(role === null ? [] : [role])], {
    DATABASE_URL: environment.databaseUrl,
    ...OUTBOUND,
    ...env,
  })
  const port = await firstLine(child, (line) => /^\d+$/.test(line))
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, stop: () => ended(child) }
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await exit
}

/** Runs maintenance statements, without the statement timeout of the service. */
export async function maintain({ databaseUrl }: Environment, statements: readonly string[]): Promise<void> {
  const session = openDb({ url: databaseUrl, connectionsMax: 1 })
  try {
    await session.unsafe('set statement_timeout = 0')
    for (const statement of statements) await session.unsafe(statement)
  } finally {
    await session.end()
  }
}
