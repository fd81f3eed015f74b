import { inTransaction } from '../../../db/sql.ts'
import { ReaderDied } from '../../../file-readers/reader.ts'
import { asError, ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { ImportExceeded } from '../../exceeded.ts'
import type { Fetched } from '../../fetch/fetched.ts'
import { must } from '../../../platform/must.ts'
import { runPostpone, type ClaimedRun, type HeldRun, type runEnd } from './claims.sql.ts'
import { FileUnavailable, RunEnds, RunStopped, type RunContext } from './run-context.ts'
import type { RunEndState, RunProblem } from '../runs.sql.ts'

export type End = Parameters<typeof runEnd>[2] & { fetched?: Fetched }

/**
 * Decides how a run continues that did not succeed: it ends, or is started again later. @param hasWritten whether some of its pages may have been
 * written
 */
export async function failureOf(
  { db, log }: RunContext,
  held: HeldRun,
  {
    run,
    hasWritten,
    error,
    signal,
    isOnce,
  }: { run: ClaimedRun; hasWritten: boolean; error: Error; signal: AbortSignal; isOnce: boolean },
  end: (end: End) => Promise<void>,
): Promise<{ state: RunEndState | 'postponed' | 'stopped' }> {
  const { accountId, runId } = held
  const endAs = async (due: End): Promise<{ state: RunEndState | 'postponed' | 'stopped' }> => {
    const ending = hasWritten ? endAfterWriting(due) : due
    try {
      await end(ending)
      return { state: ending.state }
    } catch (failure) {
      if (failure instanceof RunStopped) return { state: 'stopped' }
      log.warn(
        { err: asError(failure), accountId, runId },
        'the end of an import could not be recorded; it is begun again',
      )
      await postpone(5, true, null)
      return { state: 'postponed' }
    }
  }
  const postpone = async (seconds: number, isCounted: boolean, problem: RunProblem | null, isInterrupted = false) =>
    inTransaction(db, (tx) => runPostpone(tx, held, { seconds, isCounted, problem, isInterrupted })).catch(() => {
      // the lease runs out, and the run then counts as interrupted
    })
  if (error instanceof RunStopped) return { state: 'stopped' }
  if (signal.aborted) {
    await postpone(0, false, null)
    return { state: 'postponed' }
  }
  if (error instanceof RunEnds) return endAs(error)
  if (error instanceof ReaderDied) {
    const isSetAside = isOnce || run.interruptions + 1 >= LIMITS.importRunInterruptionsMax
    const detail = isSetAside ? error.message : `it is begun once more; ${error.message}`
    const problem = { code: 'source-unreadable', detail, errors: [] }
    if (!isSetAside) {
      await postpone(must(LIMITS.importRunRetrySeconds[0]), true, problem, true)
      return { state: 'postponed' }
    }
    return endAs({ state: 'refused', problem, isInterrupted: true })
  }
  if (error instanceof ShelfwireError) {
    const problem = { code: error.code, detail: error.message, errors: error.faults.slice(0, 20) }
    if (error.code === 'import-running') return { state: 'stopped' }
    if (error instanceof ImportExceeded) return endAs({ state: 'held', problem, excesses: error.excesses })
    if (error.code === 'source-unreadable' || error.code === 'invalid-input')
      return endAs({ state: 'refused', problem })
    if (error.code === 'unknown-supplier' || error.code === 'quota-exceeded') return endAs({ state: 'failed', problem })
  }
  log.warn({ err: error, accountId, runId, attempt: run.attempts }, 'an import failed')
  const reason = error instanceof FileUnavailable ? error.message : 'an internal error'
  if (isOnce || run.attempts >= LIMITS.importRunAttemptsMax)
    return endAs({
      state: 'failed',
      problem: {
        code: 'internal',
        detail: `${isOnce ? 'it failed' : `it failed ${run.attempts} times, the last time`} because of: ${reason}`,
        errors: [],
      },
    })
  const seconds = LIMITS.importRunRetrySeconds[run.attempts - 1] ?? must(LIMITS.importRunRetrySeconds.at(-1))
  await postpone(seconds, true, {
    code: 'internal',
    detail: `it is begun again soon; the last time it failed because of: ${reason}`,
    errors: [],
  })
  return { state: 'postponed' }
}

/** The end of a run that may have written pages: `failed` in place of `refused`, because `refused` means that nothing was written. */
function endAfterWriting(end: End): End {
  const { state, problem } = end
  if (problem === null || state !== 'refused') return end
  return {
    ...end,
    state: 'failed',
    problem: { ...problem, detail: `${problem.detail}; what was written before stays` },
  }
}
