import { availableParallelism } from 'node:os'
import { inTransaction } from '../../../db/sql.ts'
import { asError, ShelfwireError } from '../../../platform/errors.ts'
import { faultPoint } from '../../../platform/process/fault-point.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { openFairTurns, type FairTurns, type Turn } from '../../../platform/turns/fair-turns.ts'
import { startLoop, type Loop } from '../../../platform/process/loop.ts'
import { tracer } from '../../../platform/tracing/tracing.ts'
import { takeImportLease } from '../../lease/import-lease.ts'
import { accountsWithOpenRuns, runClaim, runsDue, runsSettle } from './claims.sql.ts'
import { executeRun } from './execute.ts'
import type { WaitWithoutPlace } from './pace.ts'
import type { RunContext } from './run-context.ts'

/** How late a run begins or ends, at most, if this process is idle and a notification was lost. */
const IDLE_MS = 1_000

/**
 * The loop that does the runs of imports; any number of processes may run one. A supplier has one run at a time, by its lease, and its waiting runs
 * keep their order. Accounts take turns, the one that has waited longest first, and no account can take all places. Fetches have places of their own,
 * many more of them, because a fetch mostly waits for a server. When its file has been fetched, a run is released, and any process with a free place
 * for an import begins it. The run of a killed process continues when its lease has run out.
 */
export function startImports(context: RunContext): Loop {
  const { db, wake, log } = context
  const ending = new AbortController()
  const running = new Map<string, { accountId: number; working: Promise<void>; stop: AbortController }>()
  const imports = placesOf('imports', importsAtOnce(), Math.ceil(importsAtOnce() / 2))
  const fetches = placesOf('fetches', LIMITS.sourceFetchesAtOnce, LIMITS.sourceFetchesPerAccountAtOnce)
  /** When each account last got a turn, by the number of the turn. */
  const turns = new Map<number, number>()
  let turn = 0

  /** Runs that have waited for their account's budget, and continue as soon as there is a free place. */
  const returning = new Set<{ accountId: number; go: (place: Turn) => void }>()
  let aside = 0
  const resumeWaiting = () => {
    for (const run of returning) {
      const place = imports.take(run.accountId)
      if (place === undefined) continue
      returning.delete(run)
      run.go(place)
    }
  }

  const begin = (accountId: number, { runId, supplierId }: { runId: number; supplierId: number }, first: Turn) => {
    const key = `${accountId}.${supplierId}`
    let place: Turn | undefined = first
    const stop = new AbortController()
    const signal = AbortSignal.any([ending.signal, stop.signal])
    const leavePlace = () => {
      place?.[Symbol.dispose]()
      place = undefined
      resumeWaiting()
      loop.poke()
    }
    const waitAside: WaitWithoutPlace = async (wait, stopping) => {
      if (aside >= LIMITS.importRunsAsideMax) return wait()
      aside++
      try {
        leavePlace()
        await wait()
        stopping.throwIfAborted()
        const { promise, resolve, reject } = Promise.withResolvers<Turn>()
        const run = { accountId, go: resolve }
        returning.add(run)
        resumeWaiting()
        const leave = () => {
          returning.delete(run)
          reject(asError(stopping.reason))
        }
        // also when the run is canceled: otherwise it would block its supplier until there is a place
        stopping.addEventListener('abort', leave, { once: true })
        place = await promise.finally(() => stopping.removeEventListener('abort', leave))
      } finally {
        aside--
      }
    }
    const working = workOn(context, accountId, supplierId, runId, signal, waitAside)
      .catch((error: unknown) => {
        // another process was faster
        if (error instanceof ShelfwireError && error.code === 'import-running') return
        log.warn({ err: asError(error), accountId, runId }, 'an import could not be begun')
      })
      .finally(() => {
        running.delete(key)
        leavePlace()
      })
    running.set(key, { accountId, working, stop })
  }

  /** Begins the next run of an account. @returns whether there was one. */
  const beginNextRun = async (accountId: number): Promise<boolean> => {
    await inTransaction(db, (tx) => runsSettle(tx, accountId))
    if (ending.signal.aborted || (isFull(imports) && isFull(fetches))) return false
    const due = (await runsDue(db, accountId)).filter(({ supplierId }) => !running.has(`${accountId}.${supplierId}`))
    for (const run of due) {
      const place = (run.isFetch ? fetches : imports).take(accountId)
      if (place === undefined) continue
      begin(accountId, run, place)
      turns.set(accountId, ++turn)
      return true
    }
    return false
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
        if (db.resting.has(accountId)) continue
        if ((await db.nodes.unlessAway(accountId, () => beginNextRun(accountId))) === true) hasBegun = true
      }
      if (open.isWhole && open.rows.length === 0) turns.clear()
      return hasBegun ? 'more' : 'idle'
    },
  })
  const unsubscribe = wake.on('import', () => loop.poke())
  // pages that were written stay, and the run continues when the account is resumed
  const unsubscribeRest = db.resting.onRest((resting) => {
    for (const { accountId, stop } of running.values()) if (accountId === resting) stop.abort()
  })
  return {
    poke: () => loop.poke(),
    ageMs: () => loop.ageMs(),
    async stop() {
      unsubscribe()
      unsubscribeRest()
      ending.abort()
      await loop.stop()
      await Promise.all([...running.values()].map(({ working }) => working))
    },
  }
}

/** Places for runs. No run waits in memory, because waiting runs are in the database. */
const placesOf = (what: string, atOnce: number, perKey: number): FairTurns =>
  openFairTurns(what, { atOnce, perKey, waitingMax: 0, waitingPerKeyMax: 0 })

const isFull = ({ state }: FairTurns) => state.isFull

/** How many imports this process does at once; their files are read in processes of their own. */
const importsAtOnce = () => Math.max(LIMITS.importRunsAtOnce, availableParallelism())

/** Takes the supplier's lease and does a run under it. @throws ShelfwireError `import-running` when another process has it */
async function workOn(
  context: RunContext,
  accountId: number,
  supplierId: number,
  runId: number,
  signal: AbortSignal,
  aside: WaitWithoutPlace,
): Promise<void> {
  const { db, log } = context
  await using lease = await takeImportLease(db, accountId, supplierId)
  const run = await inTransaction(db, (tx) => runClaim(tx, accountId, runId, lease.holderId))
  if (run === undefined) return
  faultPoint('run:after-claim')
  const execute = () => executeRun(context, accountId, run, lease, { signal, aside })
  const { state } = await inTrace(accountId, supplierId, runId, execute)
  log.info({ accountId, runId, state }, 'import')
}

/** If traces are on, a run gets a trace of its own, to which the shelving and delivery of its products belong, too. */
async function inTrace<T extends { state: string }>(
  accountId: number,
  supplierId: number,
  runId: number,
  execute: () => Promise<T>,
): Promise<T> {
  const tracing = tracer()
  if (tracing === null) return execute()
  const attributes = {
    'shelfwire.account_id': accountId,
    'shelfwire.supplier_id': supplierId,
    'shelfwire.run_id': runId,
  }
  using span = tracing.begin({ name: 'import', kind: 'internal', parent: null, attributes })
  const run = await tracing.run(span.context, execute)
  span.done({ 'shelfwire.state': run.state }, run.state === 'failed')
  return run
}
