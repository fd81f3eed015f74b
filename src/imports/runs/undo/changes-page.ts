import { offerWeights } from '../../../catalog/products/offers/offer-weights.ts'
import type { OfferRestore } from '../../../catalog/products/offers/restore-offers.ts'
import type { Reader } from '../../../db/sql.ts'
import { slicesBySize } from '../../../db/statements/statement-slices.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { changesWithinSize, type RunChange } from '../runs.sql.ts'

/**
 * The next changes of a run that are held in memory together: at most `rows`, and fewer if the earlier or present values of their offers are long.
 * @returns an empty page after the last change; `isLast`: no others follow
 */
export async function changesPage(
  reader: Reader,
  accountId: number,
  run: { runId: number; supplierId: number },
  after: string,
  rows: number,
): Promise<{ page: RunChange[]; isLast: boolean }> {
  const found = await changesWithinSize(reader, accountId, run.runId, after, rows, LIMITS.importPageCharacters)
  const within = found.filter(({ isWithin }) => isWithin)
  const skus = within.map(({ supplierSku }) => supplierSku)
  const weights = await offerWeights(reader, accountId, run.supplierId, skus)
  const [page = []] = slicesBySize(
    within,
    ({ supplierSku }) => weights.get(supplierSku) ?? 0,
    LIMITS.importPageCharacters,
  )
  return {
    page: page.map(({ supplierSku, kind, before, afterHash }) => ({ supplierSku, kind, before, afterHash })),
    isLast: found.length < rows && page.length === found.length,
  }
}

/** The changes that an undo can restore. */
export const restoresOf = (page: readonly RunChange[]) =>
  page.flatMap(({ kind, ...change }): OfferRestore[] => (kind === 'left' ? [] : [{ ...change, kind }]))
