import { QuotaExceeded } from '../accounts/limits/quota.ts'
import { remainingIn, stocksOf } from '../accounts/limits/use.ts'
import { gtinHolders } from '../catalog/products/offers/match.sql.ts'
import type { Db } from '../db/sql.ts'
import { joiningGtinOf } from '../model/gtin.ts'
import type { OfferRecord } from '../model/offer.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'

type Stocked = 'offers' | 'products'

/** A row of a file. `offer` may have to be parsed from its text, so it is read only where it decides something. */
interface NewRow {
  readonly offer: OfferRecord
}

/** How many offers and products the account's budgets still allow a file to add. */
export interface RemainingForNew {
  /** Must be called for each page, with those of its rows whose offers are not known. */
  look(rows: readonly NewRow[]): Promise<void>
  /** Takes room for one offer. @returns the fault if there is none; null: taken. */
  take(row: NewRow, isDropped: boolean): Fault | null
}

/**
 * Refuses new offers for which the account's budgets have no room, row by row, before anything is written; the other rows are imported. What other
 * writers add meanwhile is noticed when the page is written.
 */
export async function openRoomForNew(db: Db, accountId: number): Promise<RemainingForNew> {
  const stocks = await stocksOf(db, accountId, ['offers', 'products'])
  const left = { offers: Infinity, products: Infinity }
  for (const stock of stocks) left[stock.budget as Stocked] = remainingIn(stock)
  const fault = (budget: Stocked): Fault => {
    const limit = stocks.find((stock) => stock.budget === budget)?.limit ?? Infinity
    return {
      name: 'sku',
      reason: `is new, and there is no room for it: ${QuotaExceeded.ofStock(budget, limit, limit, 1).message}`,
    }
  }
  /** GTINs of this page that existing products carry. */
  let held = new Set<string>()
  const joins = ({ offer }: NewRow) =>
    offer.eans?.some((ean) => {
      const gtin = joiningGtinOf(ean)
      return gtin !== null && held.has(gtin)
    }) === true
  return {
    async look(rows) {
      // far from the limit, it does not matter which of the offers join an existing product
      if (left.products > LIMITS.importRoomCheckedBelow) return
      const gtins = new Set(rows.flatMap(({ offer }) => (offer.eans ?? []).flatMap((ean) => joiningGtinOf(ean) ?? [])))
      const holders = gtins.size === 0 ? [] : await gtinHolders(db, accountId, [...gtins])
      held = new Set(holders.map(({ gtin }) => gtin))
    },
    take(row, isDropped) {
      if (left.offers < 1) return fault('offers')
      const isProduct = !isDropped && !joins(row)
      if (isProduct && left.products < 1) return fault('products')
      left.offers--
      if (isProduct && left.products <= LIMITS.importRoomCheckedBelow) left.products--
      return null
    },
  }
}
