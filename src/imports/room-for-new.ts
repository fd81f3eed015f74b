import { QuotaExceeded } from '../accounts/limits/quota.ts'
import { roomIn, stocksOf } from '../accounts/limits/use.ts'
import { gtinHolders } from '../catalog/products/keys/eans.sql.ts'
import type { Db } from '../db/sql.ts'
import { joiningGtinOf } from '../model/gtin.ts'
import type { OfferRecord } from '../model/offer.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'

type Stocked = 'offers' | 'products'

/** A row whose offer may have to be read from its text first: it is asked for where it decides something. */
interface NewRow {
  readonly offer: OfferRecord
}

/** What of the account's budgets is left for offers that a file has and that are not known yet. */
export interface RoomForNew {
  /** To be called for each page, with its rows whose offers are not known. */
  look(rows: readonly NewRow[]): Promise<void>
  /** Takes room for one. @returns why there is none; null: it is taken. */
  take(row: NewRow, isDropped: boolean): Fault | null
}

/**
 * New offers that the account has no budget for are refused row by row, before anything is written, and the others are imported. What
 * other writers add meanwhile is seen when the page is written.
 */
export async function openRoomForNew(db: Db, accountId: number): Promise<RoomForNew> {
  const stocks = await stocksOf(db, accountId, ['offers', 'products'])
  const left = { offers: Infinity, products: Infinity }
  for (const stock of stocks) left[stock.budget as Stocked] = roomIn(stock)
  const fault = (budget: Stocked): Fault => {
    const limit = stocks.find((stock) => stock.budget === budget)?.limit ?? Infinity
    return {
      name: 'sku',
      reason: `is new, and there is no room for it: ${QuotaExceeded.ofStock(budget, limit, limit, 1).message}`,
    }
  }
  /** GTINs of this page that a product has. */
  let held = new Set<string>()
  const joins = ({ offer }: NewRow) =>
    offer.eans?.some((ean) => {
      const gtin = joiningGtinOf(ean)
      return gtin !== null && held.has(gtin)
    }) === true
  return {
    async look(rows) {
      // far from the limit it does not matter which of them join a product
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
