import { BUDGETS } from '../../../contract/account-limits.ts'
import { logUnlessDatabaseFailed } from '../../db/connections/connection-errors.ts'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import { previousSecretsDelete } from '../endpoints/endpoints.sql.ts'
import { trimNotices } from '../../notices/trim.ts'
import { endpointsAfter, logTrim } from './deliveries.sql.ts'

const ROUND_MS = 60_000
/**
 * After each round, the loop pauses for 19 times as long as the round took, but at most an hour between rounds: with very many endpoints, nearly all
 * of which have nothing to trim, trimming takes at most a twentieth of the time.
 */
const REST_TIMES = 19
const REST_MS_MAX = 3_600_000 - ROUND_MS
const ENDPOINTS_PER_PART = 500
/** While a node of the database is unreachable, a part covers this many accounts. */
const ACCOUNTS_PER_PART = Math.floor(ENDPOINTS_PER_PART / BUDGETS.endpoints.default)

/** The end of the part that has been trimmed in this round: the notices come first, by account, and then the delivery logs, by endpoint. */
export type Place =
  | { of: 'notices'; accountId: number }
  | { of: 'delivery logs'; accountId: number; endpointId: number }

export const BEGINNING: Place = { of: 'notices', accountId: 0 }
const LOGS: Place = { of: 'delivery logs', accountId: 0, endpointId: 0 }

/**
 * Trims the notices of a part of all accounts, or the delivery logs of a part of all endpoints. The first part also deletes previous secrets whose
 * overlap has ended.
 * @returns where the next part begins; null: the round is complete.
 */
export async function trimPart(db: Db, log: Log, after: Place, signal: AbortSignal): Promise<Place | null> {
  if (after === BEGINNING)
    await db.nodes.scan('previous secrets', async (accounts) => {
      await inTransaction(db, (tx) => previousSecretsDelete(tx, accounts))
      return []
    })
  if (after.of === 'delivery logs') return trimLogs(db, log, after, signal)
  const accountId = await trimNotices(db, log, after.accountId, signal)
  return accountId === null ? LOGS : { of: 'notices', accountId }
}

async function trimLogs(
  db: Db,
  log: Log,
  after: { accountId: number; endpointId: number },
  signal: AbortSignal,
): Promise<Place | null> {
  const part = await db.nodes.scan(
    'endpoints',
    (accounts) => endpointsAfter(db, after.accountId, after.endpointId, ENDPOINTS_PER_PART, accounts),
    { part: ACCOUNTS_PER_PART },
  )
  for (const { accountId, endpointId } of part.rows) {
    const trimmed = db.nodes.unlessAway(accountId, async () => {
      // in small transactions, so that a month's log is not deleted in one
      while (!signal.aborted && (await inTransaction(db, (tx) => logTrim(tx, accountId, endpointId))));
    })
    // a failure does not stop the round; the endpoint is tried again in the next one
    await trimmed.catch((error: unknown) =>
      logUnlessDatabaseFailed(log, error, 'the delivery log of an endpoint could not be trimmed', {
        accountId,
        endpointId,
      }),
    )
    if (signal.aborted) return null
  }
  const last = part.rows.at(-1)
  if (part.isWhole) return last === undefined ? null : { of: 'delivery logs', ...last }
  // while a node of the database is unreachable, the scan keeps its own place
  return part.isEnd || last === undefined ? null : { of: 'delivery logs', accountId: 0, endpointId: 0 }
}

/** Starts trimming in this process. Any number of processes may do so. */
export function startTrimming(db: Db, log: Log): Loop {
  let place = BEGINNING
  let beganAt = 0
  let pausedUntil = -Infinity
  return startLoop({
    name: 'webhook-log',
    log,
    idleMs: ROUND_MS,
    // in parts, because a round over very many endpoints takes longer than a step may
    async step(signal) {
      const now = performance.now()
      if (now < pausedUntil) return 'idle'
      if (place === BEGINNING) beganAt = now
      const next = await trimPart(db, log, place, signal)
      place = next ?? BEGINNING
      if (next !== null) return 'more'
      pausedUntil = performance.now() + Math.min(REST_MS_MAX, REST_TIMES * (performance.now() - beganAt))
      return 'idle'
    },
  })
}
