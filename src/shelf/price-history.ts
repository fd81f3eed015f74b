import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { priceSpans, type PriceSpan } from './price-history.sql.ts'

const DAY_MS = 86_400_000
/** Of which a shop must name the lowest price when it announces a reduction (EU 2019/2161). */
const LOWEST_DAYS = 30

export interface LowestPrice {
  price: string
  currency: string
  from: Date
}

export interface PriceHistory {
  /** The newest first; neighbours differ. */
  entries: PriceSpan[]
  /**
   * The lowest price that stood at any time of the last 30 days, that from before them included, in the currency of the
   * present one or, where there is none now, the last; the latest of several.
   */
  lowest30Days: LowestPrice | null
  /** The lowest that stood at any time of the 30 days before the present price began: what a shop names beside a reduction. */
  lowestBefore: LowestPrice | null
}

/** What a customer group's price of a product in a store was, for LIMITS.priceHistoryDaysMax days. */
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
