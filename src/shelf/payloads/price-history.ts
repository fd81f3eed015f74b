import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { priceSpans, type PriceSpan } from './price-history.sql.ts'

const DAY_MS = 86_400_000
/** EU 2019/2161: a price reduction must be shown with the lowest price of the 30 days before it. */
const LOWEST_DAYS = 30

export interface LowestPrice {
  price: string
  currency: string
  from: Date
}

export interface PriceHistory {
  /** The newest first; adjacent entries differ. */
  entries: PriceSpan[]
  /**
   * The lowest price in the last 30 days, including the price that applied when they began, in the currency of the
   * current price or else of the last one. If several are equal, the latest.
   */
  lowest30Days: LowestPrice | null
  /** The lowest price in the 30 days before the current price began, which a shop must show with a reduction. */
  lowestBefore: LowestPrice | null
}

/** A customer group's prices of a product in a store over the last LIMITS.priceHistoryDaysMax days. */
export async function priceHistory(
  reader: Reader,
  accountId: number,
  productId: number,
  storeId: number,
  groupId: number,
  now: Date,
): Promise<PriceHistory> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const { spans, cheapest, earlier } = await priceSpans(
    reader,
    accountId,
    { productId, storeId, groupId },
    daysAgo(LIMITS.priceHistoryDaysMax),
    daysAgo(LOWEST_DAYS),
    LOWEST_DAYS * DAY_MS,
  )
  return {
    entries: spans,
    lowest30Days: lowest(cheapest),
    lowestBefore: lowest(earlier),
  }
}

function lowest(span: PriceSpan | null): LowestPrice | null {
  return span === null || span.price === null || span.currency === null
    ? null
    : { price: span.price, currency: span.currency, from: span.from }
}
