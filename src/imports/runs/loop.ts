import { inTransaction } from '../../db/sql.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { faultPoint } from '../../platform/fault-point.ts'
import { LIMITS } from '../../platform/limits.ts'
import { startLoop, type Loop } from '../../platform/loop.ts'
import { takeImportLease } from '../import-lease.ts'
import { accountsWithOpenRuns, runClaim, runsDue, runsSettle } from './claims.sql.ts'
import { executeRun } from './execute.ts'
import type { RunContext } from './run-context.ts'

/** How late a run begins or ends, at most, where this process is idle and a notification was lost. */
const IDLE_MS = 1_000

/**
 * The loop that does the runs of imports; any number of processes may run one. Of a supplier one run at a time, by its lease, and those
 * that wait in the order in which they were asked for; accounts get their turns one after the other, the one that has waited longest
 * first. A run whose process was killed is taken up when its lease has run out.
 */
export function startImports(context: RunContext): Loop {
  const { db, wake, log } = context
  const ending = new AbortController()
  const running = new Map<string, Promise<void>>()
  /** The turn that an account got last. */
  const turns = new Map<number, number>()
  let turn = 0

  const begin = (accountId: number, { runId, supplierId }: { runId: number; supplierId: number }) => {
    const key = `${accountId}.${supplierId}`
    const working = workOn(context, accountId, supplierId, runId, ending.signal)
      .catch((error: unknown) => {
        // another process was first
        if (error instanceof ShelfwireError && error.code === 'import-running') return
        log.warn({ err: asError(error), accountId, runId }, 'an import could not be begun')
      })
      .finally(() => {
        running.delete(key)
        loop.poke()
      })
    running.set(key, working)
  }

  /** Begins the next run of an account. @returns whether there was one. */
  const turnOf = async (accountId: number): Promise<boolean> => {
    await inTransaction(db, (tx) => runsSettle(tx, accountId))
    if (running.size >= LIMITS.importRunsAtOnce || ending.signal.aborted) return false
    const due = await runsDue(db, accountId)
    const next = due.find(({ supplierId }) => !running.has(`${accountId}.${supplierId}`))
    if (next === undefined) return false
    begin(accountId, next)
    turns.set(accountId, ++turn)
    return true
  }

  const loop = startLoop({
    name: 'imports',
    log,
    idleMs: IDLE_MS,
    async step() {
      const open = await db.nodes.scan('imports', (accounts) => accountsWithOpenRuns(db, accounts))
      let hasBegun = false
      for (const accountId of open.rows.toSorted((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0) || a - b)) {
        if (ending.signal.aborted) break
        if ((await db.nodes.unlessAway(accountId, () => turnOf(accountId))) === true) hasBegun = true
      }
      if (open.isWhole && open.rows.length === 0) turns.clear()
      return hasBegun && running.size < LIMITS.importRunsAtOnce ? 'more' : 'idle'
    },
  })
  const unsubscribe = wake.on('import', () => loop.poke())
  return {
    poke: () => loop.poke(),
    ageMs: () => loop.ageMs(),
    async stop() {
      unsubscribe()
      ending.abort()
      await loop.stop()
      await Promise.all(running.values())
    },
  }
}

/** Takes the supplier's lease and does a run under it. @throws ShelfwireError `import-running` when another process has it */
async function workOn(
  context: RunContext,
  accountId: number,
  supplierId: number,
  runId: number,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = context
  await using lease = await takeImportLease(db, accountId, supplierId)
  const run = await inTransaction(db, (tx) => runClaim(tx, accountId, runId, lease.holderId))
  if (run === undefined) return
  faultPoint('run:after-claim')
  const { state } = await executeRun(context, accountId, run, lease, { signal })
  log.info({ accountId, runId, state }, 'import')
}
