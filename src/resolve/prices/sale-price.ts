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

// A sale: a price as it is shown, and the days on which it counts. docs/decisions/175-a-sale-is-one-statement.md says why its days come from the
// source of its price, and how the guard against jumps meets it.

/** A sale as it is stated, in force or not. */
export interface StatedSale {
  amount: Exact
  currency: string
  /** The first and the last day on which it counts, `YYYY-MM-DD`; null: none is stated. */
  beginsOn: Found<string> | null
  endsOn: Found<string> | null
  source: Source
}

/**
 * @param found the field `sale_price` as it is found. @param sources the offers that fields come from.
 * @returns null where no source states one that can be read
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
  // the days of that source alone: one supplier's days say nothing of another one's price
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

/** A day that cannot be read leaves open when the sale is. */
const isDay = (found: Found<string> | null): boolean => found === null || isCalendarDay(found.value)

/** Whether a sale counts on a day; one that ends before it begins never does. */
export function saleState(
  { beginsOn, endsOn }: Pick<StatedSale, 'beginsOn' | 'endsOn'>,
  day: string,
): 'in_force' | 'not_begun' | 'ended' {
  if (endsOn !== null && endsOn.value < day) return 'ended'
  return beginsOn !== null && beginsOn.value > day ? 'not_begun' : 'in_force'
}

/** As a store shows it: rounded once, to the minor digits of its currency; null without a rate, and where it comes to 0, which is no price. */
export function salePriceIn({ amount, currency }: StatedSale, to: string, { money }: CompiledAccount): Exact | null {
  const converted = money.convert(amount, currency, to)
  if (converted === null) return null
  const shown = toMinor(settle(converted), to)
  return shown.isZero() ? null : shown
}

/** Why a sale price is not shown, of those that are in force. */
export type SaleOutcome = 'shown' | 'not_below' | 'guarded'

/** @param regular the price without the sale. @param sale in the same currency. */
export function saleOutcome(
  { source }: StatedSale,
  regular: Exact,
  sale: Exact,
  jumpFactor: Exact | null,
): SaleOutcome {
  if (!isBelow(sale, regular)) return 'not_below'
  // what the owner states himself is not guarded, as a fixed price is not
  const isGuarded = source.from === 'supplier' && jumpFactor !== null && isJump(regular, sale, jumpFactor)
  return isGuarded ? 'guarded' : 'shown'
}

/**
 * The prices that clients read: those above the sale's price are the sale's, beside what they are without it.
 * @param prices as they are shown without the sale, in one store: held ones, too.
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
