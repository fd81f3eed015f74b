import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { asBusy, openFairTurns, type FairTurns, type Turn } from '../../platform/turns/fair-turns.ts'
import type { Run } from './template.ts'

// The pool serves its connections first come, first served, so that ten slow reads of one account would delay all others. Statements therefore
// take turns by account, which is found in their text and parameters. docs/decisions/266-what-requests-read-has-turns-and-bounds.md says why.

/** The form in which statements name their account, with which every key begins. */
const ACCOUNT = /\baccount_id\s*=\s*\$(\d+)(?!\d)/
/** The index of the account among the parameters, by the text of the statement; -1: it has none, or several. */
const positions = new Map<string, number>()

/** The account that a statement names; undefined if it names none, or several. */
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
 * Sends statements that requests run outside transactions. Accounts take turns: one account uses at most a share of the connections at a time, and
 * statements of other accounts do not wait behind its own. A statement that names no account, or several, is sent at once.
 * @param connectionsMax size of the pool
 * @throws ShelfwireError rate-limited if the statement waits too long, or too many are waiting
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
    // a turn is usually free, and then taken without a promise
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
      throw new ShelfwireError('rate-limited', 'other reads of the account take too long; see Retry-After', {
        retryAfterSeconds,
        cause: error,
      })
    throw asBusy(error, 'reads', retryAfterSeconds)
  }
}
