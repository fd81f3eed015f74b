import { basename } from 'node:path'
import { expect, inject } from 'vitest'
import { openDb } from '../../src/db/open-db.ts'
import type { Db } from '../../src/db/sql.ts'
import { onEvery, withDatabase } from './every-server.ts'

let sequence = 0

/** The name of the test file, so that logs of servers show it. Cut, because names of databases have at most 63 characters. */
const fileOfTest = () =>
  basename(expect.getState().testPath ?? 'set_up')
    .replace(/\.test\.ts$/, '')
    .replaceAll(/[^a-z0-9]+/gi, '_')
    .toLowerCase()
    .slice(0, 40)

/** Whether the tests run on a Citus cluster, where tables have no triggers and workers have sessions of their own. */
export function isCluster(): boolean {
  return inject('workerUrls').length > 0
}

export interface TestDatabase extends AsyncDisposable {
  db: Db
  url: string
  /** Cuts all connections and refuses new ones until the returned function is called, as if the server were down. */
  goAway(): Promise<() => Promise<void>>
  /** Whether a session of this database, or the one of this application name, waits for a lock. */
  isBlocked(applicationName?: string): Promise<boolean>
}

/** Creates a migrated database for one test; disposing drops it, and throws if the test left transactions open. */
export async function createDatabase(options: { connectionsMax?: number } = {}): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl')
  const name = `test_${fileOfTest()}_${process.pid}_${sequence++}`
  const admin = openDb({ url: serverUrl, connectionsMax: 1 })
  const nodes = [serverUrl, ...inject('workerUrls')]
  await onEvery(nodes, `create database ${name} template ${inject('template')}`)
  const url = withDatabase(serverUrl, name)
  const db = openDb({ url, connectionsMax: options.connectionsMax ?? 10 })
  const workers = inject('workerUrls').map((worker) => openDb({ url: worker, connectionsMax: 1 }))
  return {
    db,
    url,
    async goAway() {
      await admin.unsafe(`alter database ${name} allow_connections false`)
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
      return async () => {
        await admin.unsafe(`alter database ${name} allow_connections true`)
      }
    },
    async isBlocked(applicationName) {
      const here = await db<{ application: string; isBlocked: boolean }[]>`
        select ${workers.length === 0 ? admin`''` : admin`'citus_internal gpid=' || citus_calculate_gpid((select nodeid from pg_dist_node where groupid = 0), pid)`} as application,
          cardinality(pg_blocking_pids(pid)) > 0 as "isBlocked"
        from pg_stat_activity where datname = current_database() and state = 'active'
          and application_name = coalesce(${applicationName ?? null}, application_name)`
      if (here.some((row) => row.isBlocked)) return true
      // on Citus rows are locked by sessions on the workers, whose application name contains the id of the coordinator's session
      const there = await Promise.all(
        workers.map(
          (worker) => worker<{ isBlocked: boolean }[]>`
            select exists (select from pg_stat_activity where datname = ${name} and state = 'active'
              and application_name = any(${here.map((row) => row.application)}::text[]) and cardinality(pg_blocking_pids(pid)) > 0) as "isBlocked"`,
        ),
      )
      return there.some(([row]) => row?.isBlocked === true)
    },
    async [Symbol.asyncDispose]() {
      const [row] = await admin<{ open: number }[]>`
        select count(*)::int as open from pg_stat_activity
        where datname = ${name} and state like 'idle in transaction%'`
      await db.end({ timeout: 5 })
      await onEvery(nodes, `drop database ${name} with (force)`)
      await admin.end()
      await Promise.all(workers.map((worker) => worker.end()))
      if ((row?.open ?? 0) > 0) throw new Error(`${row?.open} transactions were left open`)
    },
  }
}
