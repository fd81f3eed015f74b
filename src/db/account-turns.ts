import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { asBusy, openFairTurns, type FairTurns, type Turn } from '../platform/turns/fair-turns.ts'
import type { Run } from './template.ts'

// A pool hands its connections out first come, first served: ten slow reads of one account were the wait of all others. Whose a statement is,
// it says itself.
// docs/decisions/266-what-requests-read-has-turns-and-bounds.md says why.

/** How a statement names its account: every key begins with it. */
const ACCOUNT = /\baccount_id\s*=\s*\$(\d+)(?!\d)/
/** Where among its parameters each prepared statement has the account; -1: it is of no single one. */
const positions = new Map<string, number>()

/** The account that a statement is about; undefined where it is about none, or several. */
function accountOf(text: string, values: readonly unknown[] | undefined): number | undefined {
  if (values === undefined) return undefined
  let position = positions.get(text)
  if (position === undefined) {
    position = Number(ACCOUNT.exec(text)?.[1] ?? 0) - 1
    positions.set(text, position)
  }
  const value = position < 0 ? undefined : values[position]
  return typeof value === 'number' ? value : undefined
}

/**
 * Sends statements of requests outside of transactions, in turns by account: one account has at most a part of the connections, and those of others
 * pass what it waits with. What is of no account has no turn. A statement that would wait too long, or behind too many, fails as `rate-limited`.
 * @param connectionsMax of the pool
 */
export function openAccountTurns(run: Run, connectionsMax: number): Run {
  const turns = openFairTurns('statements of requests', {
    atOnce: connectionsMax,
    perKey: Math.max(1, Math.floor(LIMITS.requestStatementsShareOfAccount * connectionsMax)),
    waitingMax: LIMITS.requestStatementsWaitingMax,
    waitingPerKeyMax: LIMITS.requestStatementsWaitingPerAccountMax,
  })
  return async (text, values, isNamed) => {
    const accountId = isNamed ? accountOf(text, values) : undefined
    if (accountId === undefined) return run(text, values, isNamed)
    // without a promise where a turn is free, as it usually is
    using _turn = turns.take(accountId) ?? (await waited(turns, accountId))
    return await run(text, values, isNamed)
  }
}

async function waited(turns: FairTurns, accountId: number): Promise<Turn> {
  const signal = AbortSignal.timeout(LIMITS.requestStatementsWaitMs)
  try {
    return await turns.acquire(accountId, { signal })
  } catch (error) {
    const retryAfterSeconds = LIMITS.requestStatementsRetrySeconds
    if (signal.aborted)
      throw new ShelfwireError('rate-limited', 'other requests of the account keep the database; see Retry-After', {
        retryAfterSeconds,
        cause: error,
      })
    throw asBusy(error, 'reads', retryAfterSeconds)
  }
}
