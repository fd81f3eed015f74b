import type { Db } from '../db/sql.ts'

export interface ImportLock extends AsyncDisposable {
  /** Throws when the connection that holds the lock was lost. */
  check(): Promise<void>
}

/**
 * Allows one import per supplier at a time, across processes: an advisory lock on a separate connection, so that the
 * server releases it when the connection of a killed import closes. null when another import holds it.
 */
export async function importLock(db: Db, accountId: number, supplierId: number): Promise<ImportLock | null> {
  const session = await db.reserve()
  const name = `shelfwire.import.${accountId}.${supplierId}`
  const [row] = await session<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as taken`
  if (row?.taken !== true) {
    session.release()
    return null
  }
  return {
    async check() {
      await session`select 1`
    },
    async [Symbol.asyncDispose]() {
      await session`select pg_advisory_unlock(hashtextextended(${name}, 0))`.catch(() => {})
      session.release()
    },
  }
}
