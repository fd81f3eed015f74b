import { say } from '../../../contract/remarks/remarks.ts'
import { guessByName, isCalledPrice } from './column-names.ts'
import { costShare } from './field-values.ts'
import { isLowerPrice } from './lower-prices.ts'
import { isDealerRate, priceKindOf } from './price-columns.ts'
import { memberLookup, memberText } from '../rows.ts'
import { textAt, type Column, type SampleRows } from './sample-columns.ts'

// A column such as `Dealer_Rate` has what dealers pay, or an exchange rate, or percent off. Its name does not show which.
// docs/decisions/215-detection-asks-about-what-an-import-leaves-out.md says what the merchant is asked.

const isPrice = ({ name }: Column) =>
  !isDealerRate(name) &&
  (priceKindOf(name) !== undefined || isCalledPrice(name) || guessByName(name).some(({ field }) => field === 'cost'))

/** Two columns, reduced to the values of rows that have both. */
function paired(one: Column, other: Column, rows: SampleRows): [Column, Column] {
  const [left, right] = [one, other].map(({ name }) => {
    const lookup = memberLookup(name)
    return rows.map((row) => textAt(row, name) || memberText(lookup(row)))
  }) as [string[], string[]]
  const both = left.map((value, row) => value !== '' && right[row] !== '')
  const kept = (values: string[]) => values.filter((_, row) => both[row])
  return [
    { ...one, values: kept(left) },
    { ...other, values: kept(right) },
  ]
}

/**
 * Whether the rates for dealers are plausible purchase prices beside another price: in each row that has both, and about as different from row
 * to row, unlike percentages, which repeat.
 */
export const isPaidRate = (rate: Column, columns: readonly Column[], rows: SampleRows): boolean =>
  columns.some((column) => {
    if (column === rate || column.isList || !isPrice(column)) return false
    const [paid, price] = paired(rate, column, rows)
    return (
      paid.values.length * 2 >= rate.values.length &&
      isLowerPrice(paid, price) &&
      new Set(paid.values).size * 2 >= new Set(price.values).size
    )
  })

/** Asks about a rate for dealers whose values do not show that it is a purchase price. */
export function askAboutDealerRates(
  columns: readonly Column[],
  rows: SampleRows,
  cost: unknown,
  ask: (question: string, field?: string) => void,
): void {
  // without a cost, the merchant is asked for its column instead
  if (cost === undefined) return
  const rate = columns.find(
    (column) => isDealerRate(column.name) && costShare(column.values) > 0 && !isPaidRate(column, columns, rows),
  )
  if (rate === undefined) return
  ask(
    rate.name === cost
      ? say('cost_rate_alone', { column: rate.name })
      : say('cost_beside_rate', { cost: JSON.stringify(cost), rate: rate.name }),
    'cost',
  )
}
