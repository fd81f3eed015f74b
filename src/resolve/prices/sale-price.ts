import { isCalendarDay } from '../../model/day.ts'
import { keptListPrice } from '../../model/list-price.ts'
import { exactOf, isBelow, toMinor, type Exact } from '../../model/money.ts'
import type { CompiledAccount } from '../compile.ts'
import { isJump } from './guard.ts'
import type { OfferInput, OverrideInput, PriceHistoryInput } from '../inputs.ts'
import { lowestBefore } from './lowest-price.ts'
import type { ComputedPrice } from './price.ts'
import { settle } from './rounding.ts'
import { offerOf, type Found, type Source } from '../sourcing/sources.ts'
import { findName } from '../content/text.ts'

// A sale: a price as shown, and the days on which it applies. docs/decisions/175-a-sale-is-one-statement.md says why its days are taken from the
// source of its price, and how the jump guard treats it.

/** A sale as stated, in force or not. */
export interface StatedSale {
  amount: Exact
  currency: string
  /** The first and the last day on which it applies, `YYYY-MM-DD`; null: not stated. */
  beginsOn: Found<string> | null
  endsOn: Found<string> | null
  source: Source
}

/**
 * @param found the resolved field `sale_price`. @param sources offers in source order.
 * @returns null if no source states one that can be read
 */
export function findSale(
  compiled: CompiledAccount,
  found: Found<string> | null,
  overrides: readonly OverrideInput[],
  sources: readonly OfferInput[],
): StatedSale | null {
  const kept = found === null ? null : keptListPrice(found.value)
  if (found === null || kept === null) return null
  const { source } = found
  const offer = offerOf(source, sources)
  // only this source's days: another supplier's days do not concern this price
  const day = (field: 'sale_begins_on' | 'sale_ends_on') =>
    source.from === 'override'
      ? findName(field, overrides, [])
      : findName(field, [], offer === undefined ? [] : [offer])
  const beginsOn = day('sale_begins_on')
  const endsOn = day('sale_ends_on')
  if (!isDay(beginsOn) || !isDay(endsOn)) return null
  return {
    amount: exactOf(kept.amount),
    currency: kept.currency ?? offer?.currency ?? compiled.account.currency,
    beginsOn,
    endsOn,
    source,
  }
}

/** An unreadable day leaves open when the sale is, so the sale is ignored. */
const isDay = (found: Found<string> | null): boolean => found === null || isCalendarDay(found.value)

/** The state of a sale on a day. A sale that ends before it begins is never in force. */
export function saleState(
  { beginsOn, endsOn }: Pick<StatedSale, 'beginsOn' | 'endsOn'>,
  day: string,
): 'in_force' | 'not_begun' | 'ended' {
  if (endsOn !== null && endsOn.value < day) return 'ended'
  return beginsOn !== null && beginsOn.value > day ? 'not_begun' : 'in_force'
}

/**
 * The sale price as a store shows it: rounded once, to the currency's minor unit; null if an exchange rate is missing or the result is 0, which
 * is no price.
 */
export function salePriceIn({ amount, currency }: StatedSale, to: string, { money }: CompiledAccount): Exact | null {
  const converted = money.convert(amount, currency, to)
  if (converted === null) return null
  const shown = toMinor(settle(converted), to)
  return shown.isZero() ? null : shown
}

/** Whether a sale in force is shown, or why not. */
export type SaleOutcome = 'shown' | 'not_below' | 'guarded'

/** @param regular the price without the sale. @param sale in the same currency. */
export function saleOutcome(
  { source }: StatedSale,
  regular: Exact,
  sale: Exact,
  jumpFactor: Exact | null,
): SaleOutcome {
  if (!isBelow(sale, regular)) return 'not_below'
  // a price that the owner states is not guarded, just like a fixed price
  const isGuarded = source.from === 'supplier' && jumpFactor !== null && isJump(regular, sale, jumpFactor)
  return isGuarded ? 'guarded' : 'shown'
}

/**
 * The prices that clients read: prices above the sale price are replaced by it, and shown beside it.
 * @param prices as shown in one store without the sale, including held ones.
 */
export function reducedPrices(
  compiled: CompiledAccount,
  sale: StatedSale,
  prices: readonly ComputedPrice[],
  storeId: number,
  history: readonly PriceHistoryInput[],
): readonly ComputedPrice[] {
  const [first] = prices
  const { day } = compiled.account
  if (first === undefined || saleState(sale, day) !== 'in_force') return prices
  const amount = salePriceIn(sale, first.currency, compiled)
  if (amount === null) return prices
  const beginsOn = sale.beginsOn?.value ?? null
  const endsOn = sale.endsOn?.value ?? null
  const ofStore = history.filter((entry) => entry.storeId === storeId)
  return prices.map((price) => {
    if (saleOutcome(sale, price.computedPrice, amount, compiled.jumpFactor) !== 'shown') return price
    const lowest = lowestBefore(ofStore, price, { price: amount, beginsOn, day })
    return {
      ...price,
      computedPrice: amount,
      compareAtPrice: price.computedPrice,
      sale: { beginsOn, endsOn, lowest },
    }
  })
}
