import { restoreOffers } from '../../../catalog/products/offers/restore-offers.ts'
import { inTransaction, type Db } from '../../../db/sql.ts'
import type { Wake } from '../../../db/wake.ts'
import { faultPoint } from '../../../platform/process/fault-point.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { ImportLease } from '../../lease/import-lease.ts'
import { changesInsert, undoPage, undoTotalSet, type ClaimedRun, type HeldRun } from './claims.sql.ts'
import { changesPage, restoresOf } from '../undo/changes-page.ts'
import type { Pace } from './pace.ts'
import { requireHeld } from './run-context.ts'

/**
 * Undoes the changes of another run in pages. Each page stores its position, at which the undo continues after an interruption. An offer that has
 * changed since stays unchanged and is listed among the undo's own changes. docs/decisions/102-an-undo-goes-by-what-the-run-left.md says why.
 */
export async function undoChanges(
  { db, wake }: { db: Db; wake: Wake },
  held: HeldRun,
  run: ClaimedRun,
  lease: ImportLease,
  signal: AbortSignal,
  pace: Pace,
  onProgress: (done: number) => void,
): Promise<void> {
  const { accountId } = held
  const { undoesRunId } = run
  if (undoesRunId === null) throw new Error('an undo names the run that it undoes')
  await inTransaction(db, async (tx) => requireHeld(await undoTotalSet(tx, held)))
  const undone = { runId: undoesRunId, supplierId: run.supplierId }
  let done = 0
  for (let after = run.position ?? ''; ;) {
    signal.throwIfAborted()
    const { page } = await changesPage(db, accountId, undone, after, pace.pageRows(LIMITS.importPageRows))
    const last = page.at(-1)
    if (last === undefined) return
    const restores = restoresOf(page)
    await pace.beforePage(page.length)
    await inTransaction(db, async (tx) => {
      await lease.lock(tx)
      // a forced undo (`isConfirmed`) also restores offers that were changed since
      const { value, productIds } = await restoreOffers(tx, accountId, run.supplierId, restores, run.isConfirmed)
      await changesInsert(
        tx,
        held,
        value.left.map((supplierSku) => ({ supplierSku, kind: 'left', before: null, afterHash: null })),
      )
      const { restored, dropped, asBefore, left } = value
      requireHeld(
        await undoPage(tx, held, {
          entries: page.length,
          restored,
          dropped,
          asBefore,
          left: left.length,
          products: productIds.length,
          position: last.supplierSku,
        }),
      )
      faultPoint('run:undo-before-commit')
    })
    faultPoint('run:undo-after-commit')
    wake.notify('mark', accountId)
    after = last.supplierSku
    done += page.length
    onProgress(done)
  }
}
