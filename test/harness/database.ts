import { inject } from 'vitest'
import { openDb, type Db } from '../../src/db/sql.ts'
import { withDatabase } from './servers.ts'

let sequence = 0

export interface TestDatabase extends AsyncDisposable {
  db: Db
  url: string
  /** Cuts all connections to it, and refuses new ones until the result is called: as if the server were away. */
  goAway(): Promise<() => Promise<void>>
}

/** Creates a migrated database for one test; disposing drops it, and throws if the test left transactions open. */
export async function createDatabase(options: { connectionsMax?: number } = {}): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl')
  const name = `test_${process.pid}_${Date.now().toString(36)}_${sequence++}`
  const admin = openDb({ url: serverUrl, connectionsMax: 1 })
  await admin.unsafe(`create database ${name} template ${inject('template')}`)
  const url = withDatabase(serverUrl, name)
  const db = openDb({ url, connectionsMax: options.connectionsMax ?? 10 })
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
    async [Symbol.asyncDispose]() {
      const [row] = await admin<{ open: number }[]>`
        select count(*)::int as open from pg_stat_activity
        where datname = ${name} and state like 'idle in transaction%'`
      await db.end({ timeout: 5 })
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
      if ((row?.open ?? 0) > 0) throw new Error(`${row?.open} transactions were left open`)
    },
  }
}
