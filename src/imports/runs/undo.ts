import { restoreOffers, type OfferRestore } from '../../catalog/products/restore-offers.ts'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import { faultPoint } from '../../platform/fault-point.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { ImportLease } from '../import-lease.ts'
import { changesInsert, undoPage, undoTotalSet, type ClaimedRun, type HeldRun } from './claims.sql.ts'
import { requireHeld } from './run-context.ts'
import { changesAfter } from './runs.sql.ts'

/**
 * Takes back what another run changed, in pages, from where an earlier attempt was interrupted: its position is written with each page. An
 * offer that was changed since stays as it is, and is listed among the run's own changes.
 */
export async function undoChanges(
  { db, wake }: { db: Db; wake: Wake },
  held: HeldRun,
  run: ClaimedRun,
  lease: ImportLease,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<void> {
  const { accountId } = held
  const { undoesRunId } = run
  if (undoesRunId === null) throw new Error('an undo names the run that it undoes')
  await inTransaction(db, async (tx) => requireHeld(await undoTotalSet(tx, held)))
  let done = 0
  for (let after = run.position ?? ''; ;) {
    signal.throwIfAborted()
    const page = await changesAfter(db, accountId, undoesRunId, after, LIMITS.importPageRows)
    const last = page.at(-1)
    if (last === undefined) return
    const restores = page.flatMap(({ kind, ...change }): OfferRestore[] =>
      kind === 'left' ? [] : [{ ...change, kind }],
    )
    await inTransaction(db, async (tx) => {
      await lease.lock(tx)
      const { value, productIds } = await restoreOffers(tx, accountId, run.supplierId, restores)
      await changesInsert(
        tx,
        held,
        value.left.map((supplierSku) => ({ supplierSku, kind: 'left', before: null, afterHash: null })),
      )
      const { restored, dropped, left } = value
      requireHeld(
        await undoPage(tx, held, {
          entries: page.length,
          restored,
          dropped,
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
