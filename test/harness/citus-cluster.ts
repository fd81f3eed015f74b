import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { onEvery, withDatabase } from './every-server.ts'
import { startServer, type Server } from './debian-server.ts'

// A Citus cluster of three servers on loopback: a coordinator without shards, and two workers.

/** Shards per table: few, because a statement over all accounts visits every one. */
const SHARDS = 8

/** Directory of the binaries that test/citus/build.sh makes, or null when they are not there. */
export function citusBinaries(): string | null {
  const root = process.env['CITUS_ROOT'] ?? join(tmpdir(), 'shelfwire-citus')
  const home = join(root, 'pg/usr/lib/postgresql/15')
  return existsSync(join(home, 'lib/citus.so')) ? join(home, 'bin') : null
}

export interface CitusCluster {
  coordinator: Server
  workers: Server[]
}

/** Starts a new cluster in `directory`. A database of it is set up by createClusterDatabase. */
export async function startCitusCluster(directory: string, settings: Record<string, string>): Promise<CitusCluster> {
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
    ['coordinator', 'worker-1', 'worker-2'].map(async (name) => {
      const home = join(directory, name)
      await mkdir(home)
      return startServer(binaries, home, all)
    }),
  )
  if (coordinator === undefined) throw new Error('unreachable')
  return { coordinator, workers }
}

/**
 * Creates a database on every node, with the extension, and makes them one cluster. Nothing in it is distributed.
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
 * Errors that tests provoke: two of one name, statements that are ended from outside, tables that are renamed under the service, a plan that a
 * migration made useless, a server that only reads, and deadlocks between nodes, after which a transaction runs again.
 */
const EXPECTED = [
  /duplicate key value violates unique constraint/,
  /canceling statement due to user request/,
  /relation "(payload_content|channel_file|token_rate)" does not exist/,
  /cached plan must not change result type/,
  /cannot execute (SELECT|UPDATE) in a read-only transaction/,
  /current transaction is aborted/,
  // writers beside an erasure, and the erasure beside them
  /violates foreign key constraint/,
  /involved in a distributed deadlock/,
]

/** What a coordinator's log has once of each kind, with its number and what follows the first. */
export interface LoggedErrors {
  /** A statement does not run on Citus. */
  errors: string[]
  /**
   * Transactions met on one node and one of them ran again: writes of reference tables lock the whole table, in the order in which each request
   * happens to write them. Tests of locks expect that no transaction has to.
   */
  deadlocks: string[]
}

export function loggedErrors(log: string): LoggedErrors {
  const found = new Map<string, { count: number; first: string }>()
  for (const { 0: line, 1: database = '', 2: message = '', index } of log.matchAll(/^.*\] (\S+) ERROR: +(.*)$/gm)) {
    const details = log.slice(index + line.length, index + line.length + 1_000)
    // databases that are being distributed while they are used (test/citus/)
    if (database.startsWith('distribute_') || EXPECTED.some((pattern) => pattern.test(message))) continue
    const alike = message.replaceAll(/\d+/g, 'N')
    const known = found.get(alike) ?? { count: 0, first: details }
    found.set(alike, { ...known, count: known.count + 1 })
  }
  const all = [...found].map(([message, { count, first }]) => `${count} x ${message}${first}`)
  const isDeadlock = (error: string) => error.includes('deadlock detected')
  return { errors: all.filter((error) => !isDeadlock(error)), deadlocks: all.filter(isDeadlock) }
}

/** Ends all sessions of a database on every node, the extension's too, so that it can be the template of others. */
export async function freeze(nodeUrls: readonly string[], name: string): Promise<void> {
  await onEvery(
    nodeUrls,
    `alter database ${name} allow_connections false; select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  )
}
