import { daysBefore } from '../../model/day.ts'
import { amountText, exactOf, isBelow, type Exact } from '../../model/money.ts'
import type { Price } from '../../model/payload.ts'
import type { PriceHistoryInput } from '../inputs.ts'
import { must } from '../../platform/must.ts'

// The lowest price in the 30 days before a reduction, which EU law requires shops to show beside it. Computed in whole days of the account, so that
// the result is the same each time a payload is resolved during the sale.

const DAYS = 30

/**
 * @param history entries of one store, the oldest first.
 * @param price gives the group and the currency.
 * @param sale its price and first day. If no first day is stated, the sale began when its price was first shown, or else on the account's `day`.
 * @returns null if no price of those days is known.
 */
export function lowestBefore(
  history: readonly PriceHistoryInput[],
  { groupId, currency }: Pick<Price, 'groupId' | 'currency'>,
  sale: { price: Exact; beginsOn: string | null; day: string },
): Exact | null {
  const prices = history.map(({ shown }) => priceOf(shown, groupId, currency))
  let count = prices.length
  let began = sale.beginsOn
  if (began === null) {
    const ofSale = amountText(sale.price)
    while (count > 0 && prices[count - 1] === ofSale) count--
    began = history[count]?.from ?? sale.day
  }
  let since: string | null = null
  let lowest: Exact | null = null
  for (let i = 0; i < count; i++) {
    const text = prices[i] ?? null
    const until = history[i + 1]?.from ?? null
    if (text === null || (sale.beginsOn !== null && must(history[i]).from >= began)) continue
    if (until !== null && until < (since ??= daysBefore(began, DAYS))) continue
    const price = exactOf(text)
    if (lowest === null || isBelow(price, lowest)) lowest = price
  }
  return lowest
}

/** The price of a group in a text such as `EUR 1:19.99 2:18.5`, as amountText writes it. */
function priceOf(shown: string | null, groupId: number, currency: string): string | null {
  if (shown?.startsWith(`${currency} `) !== true) return null
  const prefix = ` ${groupId}:`
  const at = shown.indexOf(prefix)
  if (at === -1) return null
  const end = shown.indexOf(' ', at + 1)
  return shown.slice(at + prefix.length, end === -1 ? undefined : end)
}
