import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { onEvery, withDatabase } from './every-server.ts'
import { startServer, type Server } from './debian-server.ts'

// A Citus cluster on loopback: a coordinator without shards, and its workers, two unless a benchmark wants others.

/** Shards per table: few, because a statement over all accounts visits every shard. */
const SHARDS = 8

/** The directory of the binaries that test/citus/build.sh makes, or null where they are missing. */
export function citusBinaries(): string | null {
  const root = process.env['CITUS_ROOT'] ?? join(tmpdir(), 'shelfwire-citus')
  const home = join(root, 'pg/usr/lib/postgresql/15')
  return existsSync(join(home, 'lib/citus.so')) ? join(home, 'bin') : null
}

export interface CitusCluster {
  coordinator: Server
  workers: Server[]
}

/** Starts a new cluster in `directory`. `createClusterDatabase` sets up its databases. */
export async function startCitusCluster(
  directory: string,
  settings: Record<string, string>,
  workerCount = 2,
): Promise<CitusCluster> {
  const binaries = citusBinaries()
  if (binaries === null) throw new Error('Citus is not built: bash test/citus/build.sh')
  const all = {
    max_connections: '300',
    max_worker_processes: '64',
    max_prepared_transactions: '600',
    shared_preload_libraries: 'citus',
    wal_level: 'logical',
    jit: 'off',
    log_min_messages: 'warning',
    log_line_prefix: '%m [%p] %d ',
    'citus.node_conninfo': 'sslmode=disable',
    'citus.enable_statistics_collection': 'off',
    'citus.shard_count': String(SHARDS),
    'citus.max_cached_conns_per_worker': '4',
    ...settings,
  }
  const [coordinator, ...workers] = await Promise.all(
    ['coordinator', ...Array.from({ length: workerCount }, (_, i) => `worker-${i + 1}`)].map(async (name) => {
      const home = join(directory, name)
      await mkdir(home)
      return startServer(binaries, home, all)
    }),
  )
  if (coordinator === undefined) throw new Error('unreachable')
  return { coordinator, workers }
}

/**
 * Creates a database on every node, with the extension, and joins them to a cluster. No table is distributed yet.
 * @param nodeUrls of the coordinator, then of the workers
 */
export async function createClusterDatabase(nodeUrls: readonly string[], name: string): Promise<void> {
  for (const url of nodeUrls) {
    await onEvery([url], `create database ${name}`)
    await onEvery([withDatabase(url, name)], 'create extension citus')
  }
  const [coordinator = '', ...workers] = nodeUrls
  const port = (url: string) => Number(new URL(url).port)
  await onEvery(
    [withDatabase(coordinator, name)],
    [
      `select citus_set_coordinator_host('127.0.0.1', ${port(coordinator)})`,
      ...workers.map((url) => `select citus_add_node('127.0.0.1', ${port(url)})`),
    ].join('; '),
  )
}

/**
 * Errors that tests provoke: duplicate names, cancelled statements, tables that are renamed under the service, cached plans that a migration has
 * invalidated, read-only servers, and deadlocks between nodes, after which the transaction is run again.
 */
const EXPECTED = [
  /duplicate key value violates unique constraint/,
  /canceling statement due to user request/,
  /relation "(payload_content|channel_file|token_rate)" does not exist/,
  /cached plan must not change result type/,
  /cannot execute (SELECT|UPDATE) in a read-only transaction/,
  /current transaction is aborted/,
  // an erasure and concurrent writers
  /violates foreign key constraint/,
  /involved in a distributed deadlock/,
]

/** Errors in a coordinator's log: each kind once, with its count and the log lines after its first occurrence. */
export interface LoggedErrors {
  /** Statements that do not run on Citus. */
  errors: string[]
  /**
   * Deadlocks on one node, after which one of the transactions was run again: writes to reference tables lock the whole table, in the order in which
   * each request happens to write them. Tests of locks expect none.
   */
  deadlocks: string[]
}

export function loggedErrors(log: string): LoggedErrors {
  const found = new Map<string, { count: number; first: string }>()
  for (const { 0: line, 1: database = '', 2: message = '', index } of log.matchAll(/^.*\] (\S+) ERROR: +(.*)$/gm)) {
    const details = log.slice(index + line.length, index + line.length + 1_000)
    // databases of tests that distribute tables while they are used (test/citus/)
    if (database.startsWith('distribute_') || EXPECTED.some((pattern) => pattern.test(message))) continue
    const alike = message.replaceAll(/\d+/g, 'N')
    const known = found.get(alike) ?? { count: 0, first: details }
    found.set(alike, { ...known, count: known.count + 1 })
  }
  const all = [...found].map(([message, { count, first }]) => `${count} x ${message}${first}`)
  const isDeadlock = (error: string) => error.includes('deadlock detected')
  return { errors: all.filter((error) => !isDeadlock(error)), deadlocks: all.filter(isDeadlock) }
}

/** Ends all sessions of a database on every node, also those of the extension, so that it can be a template. */
export async function freeze(nodeUrls: readonly string[], name: string): Promise<void> {
  await onEvery(
    nodeUrls,
    `alter database ${name} allow_connections false; select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  )
}
