import { BUDGETS } from '../../../contract/account-limits.ts'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/loop.ts'
import { previousSecretsDelete } from '../endpoints/endpoints.sql.ts'
import { noticesTrim } from '../../notices/notices.sql.ts'
import { endpointsAfter, logTrim } from './deliveries.sql.ts'

const ROUND_MS = 60_000
const ENDPOINTS_PER_PART = 500
/** While a node of the database is away, a part is of so many accounts. */
const ACCOUNTS_PER_PART = Math.floor(ENDPOINTS_PER_PART / BUDGETS.endpoints.default)

/** Everything before it has been trimmed in this round. */
export interface Place {
  accountId: number
  endpointId: number
}

export const BEGINNING: Place = { accountId: 0, endpointId: 0 }
/** While a node of the database is away, the scan itself knows where it is. */
const AGAIN: Place = { ...BEGINNING }

/**
 * A part of a round over all endpoints: trims their delivery logs and notices. The first part deletes old secrets whose overlap
 * has ended. @returns where the next part begins; null: the round has ended.
 */
export async function trimPart(db: Db, after: Place, signal: AbortSignal): Promise<Place | null> {
  if (after === BEGINNING)
    await db.nodes.scan('previous secrets', async (accounts) => {
      await inTransaction(db, (tx) => previousSecretsDelete(tx, accounts))
      return []
    })
  const part = await db.nodes.scan(
    'endpoints',
    (accounts) => endpointsAfter(db, after.accountId, after.endpointId, ENDPOINTS_PER_PART, accounts),
    { part: ACCOUNTS_PER_PART },
  )
  for (const { accountId, endpointId } of part.rows) {
    await db.nodes.unlessAway(accountId, async () => {
      // in small transactions, so that a month's log is not deleted in one
      while (!signal.aborted && (await inTransaction(db, (tx) => logTrim(tx, accountId, endpointId))));
      await inTransaction(db, (tx) => noticesTrim(tx, accountId, endpointId))
    })
    if (signal.aborted) return null
  }
  if (part.isWhole) return part.rows.at(-1) ?? null
  return part.isEnd || part.rows.length === 0 ? null : AGAIN
}

/** Starts trimming in this process. Any number of processes may run it. */
export function startTrimming(db: Db, log: Log): Loop {
  let place = BEGINNING
  return startLoop({
    name: 'webhook-log',
    log,
    idleMs: ROUND_MS,
    // in parts, because a round over very many endpoints takes longer than a step may
    async step(signal) {
      const next = await trimPart(db, place, signal)
      place = next ?? BEGINNING
      return next === null ? 'idle' : 'more'
    },
  })
}
