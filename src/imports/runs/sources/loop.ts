import { inTransaction, type Db } from '../../../db/sql.ts'
import type { Wake } from '../../../db/wake.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { Log } from '../../../platform/log.ts'
import { startLoop, type Loop } from '../../../platform/process/loop.ts'
import { runDueSources, writeFailureNotices } from './source-runs.ts'
import { accountsWithDueSources } from '../../sources/sources.sql.ts'

/** How late a due source is noticed, at most. */
const IDLE_MS = 5_000

/**
 * The loop that requests runs of due sources and notifies owners of sources that have failed for long. Any number of
 * processes may run one: the database knows what is due. Accounts take turns with a limited number of sources each, so
 * that at a full hour no account waits for all sources of another.
 * docs/decisions/104-a-source-is-due-in-the-database.md says why.
 */
export function startSources(db: Db, wake: Wake, log: Log, options: { idleMs?: number } = {}): Loop {
  return startLoop({
    name: 'sources',
    log,
    idleMs: options.idleMs ?? IDLE_MS,
    async step() {
      const due = await db.nodes.scan('sources', (accounts) =>
        accountsWithDueSources(db, LIMITS.sourceClockBackMs, accounts),
      )
      let isMore = false
      for (const accountId of due.rows) {
        if (db.resting.has(accountId)) continue
        const done = await db.nodes.unlessAway(accountId, () => runDueAndNotify(db, accountId))
        if (done === undefined) continue
        if (done.runs > 0) wake.notify('import', accountId)
        isMore ||= done.isMore
      }
      return isMore ? 'more' : 'idle'
    },
  })
}

async function runDueAndNotify(db: Db, accountId: number): Promise<{ runs: number; isMore: boolean }> {
  const { runs, isMore } = await inTransaction(db, (tx) => runDueSources(tx, accountId))
  const isMoreToNotify = await inTransaction(db, (tx) => writeFailureNotices(tx, accountId))
  return { runs, isMore: isMore || isMoreToNotify }
}
