import { requireHourly } from '../../accounts/limits/hourly.ts'
import { previewStep, type Progress } from '../../previews/previews.ts'
import type { RuleChange } from '../../previews/rule-change.ts'
import { openTally, storedTally } from '../../previews/tally.ts'
import { productsCount } from '../../previews/sample.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { CompiledAccounts } from '../../shelf/inputs/compiled-inputs.ts'
import { inputsVersion } from '../../shelf/inputs/inputs.sql.ts'
import {
  chunksInsert,
  operationAge,
  operationCount,
  operationEnd,
  operationInsert,
  placeMove,
  spoolersLock,
  type Work,
} from '../operations.sql.ts'
import { must } from '../../platform/must.ts'
import { previewChange, previewsOpen } from './previews.sql.ts'

/** The request of a preview, stored beside its progress. */
export interface PreviewRequest {
  change: RuleChange
  /** The change as it was sent, so that it can be shown again. */
  asked: unknown
  /** The version of the account's shared inputs at the start. If it differs now, rules may have changed since. */
  version: number
}

/**
 * Begins a preview over all products, as an operation that only reads. Its first chunk has the progress and counts, its second the
 * request; both are kept until the operation is deleted by age. Notify `operation` after the commit.
 * @returns the operation's id.
 * @throws ShelfwireError conflict while too many previews of the account run; quota-exceeded.
 */
export async function startPreview(tx: Tx, accountId: number, change: RuleChange, asked: unknown): Promise<number> {
  await spoolersLock(tx, accountId)
  if ((await previewsOpen(tx, accountId)) >= LIMITS.previewsOpenPerAccountMax)
    throw new ShelfwireError(
      'conflict',
      `${LIMITS.previewsOpenPerAccountMax} previews of the account over everything run already; wait for one, or cancel it`,
    )
  await requireHourly(tx, accountId, 'operations_per_hour', (n) => operationAge(tx, accountId, n))
  const total = await productsCount(tx, accountId)
  const version = must(await inputsVersion(tx, accountId)).version
  const operationId = await operationInsert(tx, accountId, { kind: 'preview', state: 'queued', isDryRun: true, total })
  const progress: Progress = { place: 0, tally: openTally() }
  const request: PreviewRequest = { change, asked, version }
  await chunksInsert(tx, accountId, operationId, [
    { firstRow: 0, rows: JSON.stringify(progress) },
    { firstRow: 1, rows: JSON.stringify(request) },
  ])
  return operationId
}

/** Looks at the next products. Counts and position are written in one transaction, so that a crash counts nothing twice. */
export async function previewNext(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  work: Work,
  isServing: () => boolean,
): Promise<void> {
  const { operationId } = work
  const progress = JSON.parse(work.rows) as Progress
  const { change } = JSON.parse(await previewChange(tx, accountId, operationId)) as PreviewRequest
  progress.tally = storedTally(progress.tally)
  const [products, changed] = [progress.tally.products, progress.tally.changed.products]
  const { isDone, ...next } = await previewStep(tx, accounts, accountId, change, progress, isServing)
  const done = next.tally.products - products
  const differing = next.tally.changed.products - changed
  await operationCount(tx, accountId, operationId, {
    done,
    changed: differing,
    unchanged: done - differing,
    failed: 0,
  })
  await placeMove(tx, accountId, work, JSON.stringify(next))
  if (isDone) await operationEnd(tx, accountId, operationId, 'succeeded')
}
