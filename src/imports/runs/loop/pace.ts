import { setTimeout } from 'node:timers/promises'
import { inTransaction } from '../../../db/sql.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { runWaits, type HeldRun } from './claims.sql.ts'
import { requireHeld, type RunContext } from './run-context.ts'

/** Calls `wait` without the place of the run and then takes a place again, unless `signal` ends the run meanwhile. */
export type WaitWithoutPlace = (wait: () => Promise<void>, signal: AbortSignal) => Promise<void>

/** Keeps a run within the account's budget of rows. */
export interface Pace {
  pageRows(max: number): number
  beforePage(rows: number): Promise<void>
}

/**
 * A run never fails because of the budget: before each page it waits for room, records that it waits, and frees its place for others. It keeps its
 * supplier's lease, so that the comparison of the file stays valid.
 */
export function paceOf({ db, rates }: RunContext, held: HeldRun, signal: AbortSignal, aside: WaitWithoutPlace): Pace {
  const { accountId } = held
  return {
    pageRows: (max) => rates.pacedRows(accountId, max),
    async beforePage(rows) {
      const from = performance.now()
      const take = () => rates.paceRows(accountId, rows, performance.now() - from)
      let waitMs = take()
      if (waitMs === 0) return
      await inTransaction(db, async (tx) => requireHeld(await runWaits(tx, held, WAITS)))
      await aside(async () => {
        // in short waits, so that a raised limit takes effect soon
        for (; waitMs > 0; waitMs = take()) {
          await setTimeout(Math.min(waitMs, LIMITS.importPaceLookMs), undefined, { signal }).catch(() => {})
          signal.throwIfAborted()
        }
      }, signal)
    },
  }
}

const WAITS = {
  code: 'quota-exceeded',
  detail:
    'it waits, and continues automatically: the account has written as many rows as its budget rows_per_minute allows; ask the operator of the service to raise it',
  errors: [],
}
