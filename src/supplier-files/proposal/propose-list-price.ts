import type { NameGuess } from './column-names.ts'
import { listPriceReason, type PriceColumn } from './price-columns.ts'
import type { Column } from './sample-columns.ts'
import { isAmount } from './value-kinds.ts'

/** Whether a value is an amount with a currency beside it. */
const hasCurrency = (value: string) => isAmount(value) && /[\p{Sc}\p{L}]/u.test(value)

/**
 * Fills the list price with the first column that is called like a recommended price. Runs after the cost is decided: if there is no other price,
 * the recommended one is better than none.
 * @param guessed what each column may be, the best first. @param ofCosts the currency in the name of the column of costs
 */
export function proposeListPrice(
  guessed: readonly { column: Column; guess: NameGuess }[],
  prices: readonly PriceColumn[],
  ofCosts: string | undefined,
  fields: Record<string, unknown>,
  used: Set<string>,
  note: (path: string, reason: string) => void,
): void {
  const found = guessed.find(({ column, guess }) => guess.field === 'list_price' && !used.has(column.name))
  if (found === undefined) return
  const { name, isList, values } = found.column
  const { currency } = found.guess
  used.add(name)
  // without a currency of its own, an amount is in the currency of the row
  const suffix =
    currency === undefined || currency === ofCosts || values.some(hasCurrency) ? {} : { suffix: ` ${currency}` }
  fields['list_price'] =
    isList || 'suffix' in suffix ? { column: name, ...(isList ? { take: 0 } : {}), ...suffix } : name
  note(
    'fields.list_price',
    `${JSON.stringify(name)}: it is called so, and its values are prices; shops show it beside a lower price${listPriceReason(prices.find(({ column }) => column === name))}`,
  )
}
