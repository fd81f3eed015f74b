import { costShare, saysCost } from './field-values.ts'
import { isDealerRate, priceKindOf, type PriceColumn } from './price-columns.ts'
import type { Column } from './sample-columns.ts'
import { isAmount } from './value-kinds.ts'

// Questions about columns of costs and quantities that are called so, and whose values say something else.

type Ask = (question: string, field?: string) => void

/** The least share of values that can be read as an amount, in a column with such a name. */
const AMOUNTS_MIN = 0.5

/** So many rows of nothing but 0 and 1 say whether an article is there, and not how many pieces. */
const FLAG_ROWS_MIN = 5

/** Asks whether 0 and 1 are pieces. */
export function askAboutFlags(columns: readonly Column[], quantity: unknown, ask: Ask): void {
  const values = columns.find(({ name }) => name === quantity)?.values ?? []
  if (values.length < FLAG_ROWS_MIN || !values.every((value) => value === '0' || value === '1')) return
  if (!values.includes('1')) return
  ask(
    `the quantity is read from ${JSON.stringify(quantity)}, which has only 0 and 1: does it say whether an article is there? Then it counts as 1 piece or none`,
    'quantity',
  )
}

/** The share of costs of 0 from which the merchant is asked: they are more often unknown than free. */
const ZEROS_ASKED = 0.2

/** Asks whether costs of 0 are unknown. */
export function askAboutZeros(columns: readonly Column[], cost: unknown, ask: Ask): void {
  const values = columns.find(({ name }) => name === cost)?.values ?? []
  const zeros = values.filter((value) => isAmount(value) && !/[1-9]/.test(value)).length
  if (zeros === 0 || zeros < values.length * ZEROS_ASKED) return
  ask(
    `${zeros} of ${values.length} articles cost 0 by ${JSON.stringify(cost)}: does it mean that the cost is not known? Then say {"column": ${JSON.stringify(cost)}, "values": {"0": ""}}`,
    'cost',
  )
}

/** A column of purchase prices that many rows leave out is not read; the merchant is asked, where a price of the shop is read in its place. */
export function askAboutPurchases(
  columns: readonly Column[],
  prices: readonly PriceColumn[],
  cost: unknown,
  ask: Ask,
): void {
  if (!prices.some(({ column, kind }) => column === cost && kind === 'selling')) return
  const left = columns.find(
    ({ name, values }) =>
      priceKindOf(name)?.kind === 'purchase' &&
      !isDealerRate(name) &&
      name !== cost &&
      values.some(saysCost) &&
      costShare(values) >= AMOUNTS_MIN,
  )
  if (left !== undefined)
    ask(
      `the cost is read from ${JSON.stringify(cost)}, which the shop asks for: ${JSON.stringify(left.name)} is what is paid, but many rows leave it empty or 0. Is that right?`,
      'cost',
    )
}
