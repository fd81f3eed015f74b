import { inject } from 'vitest'
import { openDb, type Db } from '../../src/db/sql.ts'
import { withDatabase } from './servers.ts'

let sequence = 0

export interface TestDatabase extends AsyncDisposable {
  db: Db
  url: string
}

/** A migrated database of the test's own, dropped when it is disposed of; open transactions are a fault of the test. */
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
    async [Symbol.asyncDispose]() {
      const [row] = await admin<{ held: number }[]>`
        select count(*)::int as held from pg_stat_activity
        where datname = ${name} and state like 'idle in transaction%'`
      await db.end({ timeout: 5 })
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
      if ((row?.held ?? 0) > 0) throw new Error(`${row?.held} transactions were left open`)
    },
  }
}
