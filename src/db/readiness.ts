import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './sql.ts'

/** What a probe of readiness waits for the database. */
const PROBE_MS_MAX = 2_000

/** What of the database is not ready: `database` when it does not answer, `writes` when it only reads. */
export async function unreadyDatabase(db: Db): Promise<('database' | 'writes')[]> {
  const answers = db`select 1`.then(
    () => true,
    () => false,
  )
  if (!(await inTime(answers))) return ['database']
  return (await inTime(db.writes.areTaken())) ? [] : ['writes']
}

/** Its result, or false after a probe's patience; a pool all of whose connections hang never answers. */
async function inTime(asked: Promise<boolean>): Promise<boolean> {
  const patience = new AbortController()
  try {
    return await Promise.race([asked, sleep(PROBE_MS_MAX, false, { signal: patience.signal })])
  } finally {
    patience.abort()
  }
}
