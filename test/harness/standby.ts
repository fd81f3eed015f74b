import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../../src/db/open-db.ts'
import type { Db } from '../../src/db/sql.ts'
import { findBinaries } from '../../src/embedded/binaries.ts'
import { findHome } from '../../src/embedded/home.ts'
import { runTool, toolOptions } from '../../src/embedded/process.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openAddress } from './address.ts'
import { killServer } from './debian-server.ts'
import { freePort } from './free-port.ts'
import { until } from './interleave.ts'

// Two PostgreSQL servers, a primary and its streaming standby, without a supervisor.

/** One of the two servers. */
export interface Server {
  port: number
  /** The URL of the test's database. */
  url: string
  start(settings?: Readonly<Record<string, string>>): Promise<void>
  /** `kill`: SIGKILL, as when its machine loses power; `fast` and `immediate` are pg_ctl's modes. */
  stop(how: 'kill' | 'fast' | 'immediate'): Promise<void>
  /** Runs `work` on a connection of its own, directly to the server. */
  ask<T>(work: (db: Db) => Promise<T>, database?: string): Promise<T>
}

export interface Pair extends AsyncDisposable {
  primary: Server
  standby: Server
  /** From now on nothing from the primary reaches the standby, and neither of them notices a closed connection. */
  cutReplication(): void
  /** Promotes the standby; resolves when it accepts writes. */
  promote(): Promise<void>
}

const NAME = 'standby'
/** For speed: without fsync, but durable when processes are killed, which is all that these tests do. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  wal_keep_size: '1GB',
  wal_retrieve_retry_interval: '100ms',
  hot_standby_feedback: 'on',
  max_connections: '100',
}
/** Settings with which the primary acknowledges a commit only when the standby has it. */
export const SYNCHRONOUS = { synchronous_standby_names: NAME, synchronous_commit: 'on' }

/** Starts both; the standby streams when this resolves. @param settings of the primary, as long as it is the primary */
export async function startPair(settings: Readonly<Record<string, string>>): Promise<Pair> {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-pair-'))
  await chmod(directory, 0o755)
  const home = findHome(directory, silentLog)
  const binaries = findBinaries(home, silentLog)
  const servers = join(directory, 'servers')
  await mkdir(servers, { mode: 0o700 })
  if (home.runAs !== undefined) await chown(servers, home.runAs.uid, home.runAs.gid)
  const [one, two] = [join(servers, 'one'), join(servers, 'two')]
  const tool = (program: string, args: readonly string[]) => runTool(program, args, { runAs: home.runAs })
  await tool(binaries.initdb, ['-D', one, '-U', 'shelfwire', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  // a copy of a cluster that has never run can stream from the beginning, so no pg_basebackup is needed
  await tool('/bin/cp', ['-a', one, two])

  const open = async (cluster: string, own: Readonly<Record<string, string>>): Promise<Server> => {
    const port = await freePort()
    const urlOf = (database: string) => `postgres://shelfwire@127.0.0.1:${port}/${database}`
    let child: ChildProcess | undefined
    const ask = async <T>(work: (db: Db) => Promise<T>, database = 'app'): Promise<T> => {
      const db = openDb({ url: urlOf(database), connectionsMax: 1, applicationName: 'test' })
      try {
        return await work(db)
      } finally {
        await db.end({ timeout: 1 })
      }
    }
    return {
      port,
      url: urlOf('app'),
      ask,
      async start(more = {}) {
        const options = Object.entries({ ...SETTINGS, ...own, ...more, port: String(port) })
        child = spawn(
          binaries.postgres,
          ['-D', cluster, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
          { ...toolOptions(home.runAs), stdio: 'ignore' },
        )
        await until(
          'the server answers',
          async () => {
            if (child?.exitCode !== null) throw new Error(`the server of ${cluster} ended`)
            return ask(async (db) => (await db`select 1`).length === 1, 'postgres').catch(() => false)
          },
          20_000,
        )
      },
      async stop(how) {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
        if (how === 'kill') return killServer(child)
        const ended = once(child, 'exit')
        child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
        await ended
      },
    }
  }
  const primary = await open(one, settings)
  const link = await openAddress(primary.port)
  const standby = await open(two, {
    primary_conninfo: `host=127.0.0.1 port=${link.port} user=shelfwire application_name=${NAME}`,
  })
  const pair: Pair = {
    primary,
    standby,
    cutReplication: () => link.vanish(),
    async promote() {
      await tool(binaries.pgCtl, ['promote', '-D', two, '-W'])
      await until('the standby is the primary', () =>
        standby.ask(async (db) => {
          const [row] = await db<{ is_standby: boolean }[]>`select pg_is_in_recovery() as is_standby`
          return row?.is_standby === false
        }),
      )
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([primary.stop('immediate'), standby.stop('immediate')])
      await link[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
  try {
    await tool('/bin/touch', [join(two, 'standby.signal')])
    // not synchronous yet, because there is no standby to wait for
    await primary.start({ synchronous_standby_names: '' })
    await primary.ask((db) => db.unsafe('create database app'), 'postgres')
    await standby.start()
    await primary.stop('fast')
    await primary.start()
    await until('the standby streams', () => primary.ask(async (db) => (await streaming(db)) === 1))
    await until('the standby has the database', () =>
      standby.ask(async (db) => (await db`select 1`).length === 1).catch(() => false),
    )
  } catch (error) {
    await pair[Symbol.asyncDispose]()
    throw error
  }
  return pair
}

/** How many standbys follow a server. */
async function streaming(db: Db): Promise<number> {
  return (await db`select from pg_stat_replication where state = 'streaming'`).length
}
