import { previewRestores, type SkippedRestore } from '../../../catalog/products/offers/restore-offers.ts'
import type { OfferBefore } from '../../../catalog/products/offers/offer-state.ts'
import type { Reader } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { changesPage, restoresOf } from './changes-page.ts'
import { undoObstacle } from '../obstacles.ts'
import { unknownRun } from '../runs.ts'
import { changedSince, runReadUnlocked } from '../runs.sql.ts'

/** An offer that an undo would leave as it is. */
export interface UnrestoredOffer extends SkippedRestore {
  /** The newest later run that changed the offer; null: it was changed by hand, through the API, or by a run that is no longer stored. */
  changedByRunId: number | null
}

/** What an undo would do with some changes of a run. */
export interface UndoPreview {
  lookedAt: number
  /** The number of offers that would get their earlier values back. */
  restored: number
  /** The number of offers that the run created and that would be deleted. */
  dropped: number
  /** The number of offers that already have their earlier values. */
  asBefore: number
  left: UnrestoredOffer[]
  /** The key after which the next request continues; null: all changes have been looked at. */
  nextAfter: string | null
}

/** Keeps only what is shown of an offer: many are held in memory, and each may have a megabyte. */
const figures = ({ cost, currency, quantity, feedHash, absentSince }: OfferBefore): OfferBefore => ({
  cost,
  currency,
  quantity,
  feedHash,
  absentSince,
})

/**
 * What an undo of a run would do now, in order of keys after `after`. Ends after LIMITS.importUndoPreviewRows changes, or when `leftMax` offers that
 * it would leave unchanged have been found. Offers may still change before the undo runs.
 * @throws ShelfwireError unknown-run; conflict when the run cannot be undone.
 */
export async function previewUndo(
  reader: Reader,
  accountId: number,
  runId: number,
  after: string,
  leftMax: number,
): Promise<UndoPreview> {
  const run = (await runReadUnlocked(reader, accountId, runId)) ?? unknownRun(runId)
  const obstacle = await undoObstacle(reader, accountId, run)
  if (obstacle !== null) throw new ShelfwireError('conflict', `run ${runId} cannot be undone: ${obstacle.text}`)
  const found: UndoPreview = { lookedAt: 0, restored: 0, dropped: 0, asBefore: 0, left: [], nextAfter: after }
  const left: SkippedRestore[] = []
  while (found.nextAfter !== null && left.length < leftMax && found.lookedAt < LIMITS.importUndoPreviewRows) {
    const { page, isLast } = await changesPage(reader, accountId, run, found.nextAfter, LIMITS.importPageRows)
    const looked = await previewRestores(reader, accountId, run.supplierId, restoresOf(page))
    found.nextAfter = isLast ? null : (page.at(-1)?.supplierSku ?? null)
    for (const [i, { restore, restoration, now }] of looked.entries()) {
      found.lookedAt++
      if (restoration === 'restore') found.restored++
      else if (restoration === 'drop') found.dropped++
      else if (restoration === 'as_before') found.asBefore++
      else if (
        left.push({ ...restore, before: restore.before && figures(restore.before), reason: restoration, now }) ===
        leftMax
      ) {
        if (i + 1 < looked.length) found.nextAfter = restore.supplierSku
        break
      }
    }
  }
  const keys = left.filter(({ reason }) => reason === 'changed').map(({ supplierSku }) => supplierSku)
  const changedBy = keys.length === 0 ? new Map() : await changedSince(reader, accountId, run, keys)
  found.left = left.map((row) => ({ ...row, changedByRunId: changedBy.get(row.supplierSku) ?? null }))
  return found
}
