import {
  applyRecord,
  emptyOffer,
  offerDifference,
  recordHash,
  type OfferState,
} from '../../catalog/products/offers/offer-state.ts'
import { offerFigures } from '../../catalog/products/offers/offers.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import type { ComparedPage } from '../spool/write-spool.ts'
import type { ListedChange } from './runs.sql.ts'

/** Selects the changes of a dry run that are listed, up to the limits on their number and size. */
export function openComparison() {
  let bytes = 0
  let changed = 0
  return {
    async listed(changes: readonly ListedChange[]): Promise<ListedChange[]> {
      const isListed = await mapYielding(changes, (change) => {
        if (change.kind === 'changed' && ++changed > LIMITS.importComparedOffersMax) return false
        bytes += JSON.stringify(change).length
        return bytes <= LIMITS.importComparedBytesMax
      })
      return changes.filter((_, i) => isListed[i])
    },
  }
}

/** The changes that a page of a dry run would make to its offers. @param currency the supplier's */
export async function comparedChanges(
  tx: Tx,
  accountId: number,
  supplierId: number,
  currency: string,
  { created, changes, absent }: ComparedPage,
): Promise<ListedChange[]> {
  const difference = (before: OfferState, after: OfferState) =>
    offerDifference(before, after, LIMITS.importComparedTextCharactersMax)
  const none = emptyOffer(currency)
  const figures = absent.length === 0 ? [] : await offerFigures(tx, accountId, supplierId, absent)
  return [
    ...(await mapYielding(created, (record): ListedChange => {
      const { after } = applyRecord(none, record, recordHash(record), currency)
      return {
        supplierSku: record.sku,
        kind: 'created',
        before: null,
        after: difference(none, after).after,
      }
    })),
    ...(await mapYielding(changes, ({ supplierSku, kind, before, after }): ListedChange => ({
      supplierSku,
      kind,
      ...difference(before, after),
    }))),
    ...figures.map(({ supplierSku, ...before }): ListedChange => ({
      supplierSku,
      kind: 'zeroed',
      before,
      after: { ...before, quantity: 0 },
    })),
  ]
}
