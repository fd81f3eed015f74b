import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { ConnectionLost } from './connection-errors.ts'
import { keepConnection, type DirectConfig } from './kept-connection.ts'

/**
 * The first half of the advisory locks by which processes show that they live; the second half is the process's number.
 * If such a lock can be taken, its process has ended or has lost the connection that held it.
 */
export const PRESENCE_LOCKS = 731_810_422

/**
 * A session whose advisory lock the server releases when this process ends, however that happens.
 * docs/decisions/048-lease-and-generation.md says why.
 */
export interface Presence {
  /** The number of this process, which stays the same. */
  readonly number: number
  /** Whether the lock is held now. While it is not, others cannot see whether this process lives. */
  isHeld(): boolean
  stop(): Promise<void>
}

/** Opens the session, and reopens it whenever it is lost; returns at once. */
export function openPresence(direct: DirectConfig): Presence {
  const number = randomInt(1, 2 ** 31)
  let isHeld = false
  const kept = keepConnection(
    direct,
    async (client) => {
      const { rows } = await client.query<{ pid: number; is_standby: boolean }>(
        'select pg_backend_pid() as pid, pg_is_in_recovery() as is_standby',
      )
      // other processes do not see a lock on a standby
      if (rows[0]?.is_standby === true) throw new ConnectionLost('the server is a standby')
      // A pooler has process ids of its own. Its connections to the server outlive ours or are shared, so their locks
      // would not show whether this process lives.
      if (rows[0]?.pid !== (client as pg.Client & { processID: number }).processID) return
      // waits until the server notices that an earlier connection is gone
      await client.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCKS, number])
      isHeld = true
    },
    () => (isHeld = false),
  )
  // retried in the background
  kept.opened.catch(() => {})
  return {
    number,
    isHeld: () => isHeld,
    async stop() {
      isHeld = false
      await kept.stop()
    },
  }
}
