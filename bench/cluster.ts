import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../src/db/migrations/migrate.ts'
import { openDb } from '../src/db/open-db.ts'
import { distribute } from '../src/db/distribution/distribute.ts'
import { silentLog } from '../src/platform/log.ts'
import { readSettings } from '../src/platform/settings/settings.ts'
import { openRuntime } from '../src/runtime.ts'
import { citusBinaries, createClusterDatabase, startCitusCluster } from '../test/harness/citus-cluster.ts'
import { startServer } from '../test/harness/debian-server.ts'
import { OUTBOUND, type Environment } from './environment.ts'

// A plain server and a Citus cluster of the same binaries and settings, side by side on this machine.

/**
 * Durable, as in operation. The only settings that differ from the defaults are those that the tests of the cluster
 * need.
 */
const SETTINGS = { shared_buffers: '128MB' }

export interface Servers extends AsyncDisposable {
  /** A migrated database on the plain server. */
  plain(): Promise<Environment>
  /** A distributed database on the cluster, spread over this many of its workers. */
  citus(workers: WorkerCount): Promise<Environment>
  /** The directory of the plain server, and those of the coordinator and of the workers. */
  directories: { plain: string; coordinator: string; workers: readonly string[] }
}

/** How many workers a database is spread over. */
export type WorkerCount = 1 | 2 | 4
const WORKERS_MAX: WorkerCount = 4

/** Starts both in a temporary directory, which disposing deletes. */
export async function startServers(): Promise<Servers> {
  const binaries = citusBinaries()
  if (binaries === null) throw new Error('Citus is not built: bash test/citus/build.sh')
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-bench-'))
  // the servers may run as another user
  await chmod(directory, 0o755)
  const cluster = await startCitusCluster(directory, SETTINGS, WORKERS_MAX)
  const home = join(directory, 'plain')
  await mkdir(home)
  const plain = await startServer(binaries, home, { max_connections: '300', jit: 'off', ...SETTINGS })
  let databases = 0
  const environmentOf = async (url: string, server: string): Promise<Environment> => {
    const runtime = await openRuntime(readSettings({ DATABASE_URL: url, LOG_LEVEL: 'silent', ...OUTBOUND }), silentLog)
    return { runtime, databaseUrl: url, directory, server, [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose]() }
  }
  const nodes = cluster.workers.map((_, i) => join(directory, `worker-${i + 1}`))
  return {
    directories: { plain: home, coordinator: join(directory, 'coordinator'), workers: nodes },
    async plain() {
      const name = `shelfwire_${++databases}`
      await run(plain.url, `create database ${name}`)
      return environmentOf(inDatabase(plain.url, name), 'PostgreSQL 15')
    },
    async citus(workers) {
      const name = `shelfwire_${++databases}`
      const servers = [cluster.coordinator, ...cluster.workers.slice(0, workers)]
      await createClusterDatabase(
        servers.map(({ url }) => url),
        name,
      )
      const url = inDatabase(cluster.coordinator.url, name)
      const db = openDb({ url, connectionsMax: 2 })
      await migrate(db, silentLog)
      await distribute(db, { shards: null })
      await db.end()
      return environmentOf(
        url,
        `PostgreSQL 15 with Citus, a coordinator and ${workers} worker${workers === 1 ? '' : 's'}`,
      )
    },
    async [Symbol.asyncDispose]() {
      for (const server of [plain, cluster.coordinator, ...cluster.workers]) await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function run(url: string, statement: string): Promise<void> {
  const admin = openDb({ url, connectionsMax: 1 })
  await admin.unsafe(statement)
  await admin.end()
}

function inDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}
