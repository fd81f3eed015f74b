import { readCurrency } from '../../input/currency.ts'
import { guessByName } from './column-names.ts'
import { FIT_MIN } from './field-candidates.ts'
import { currencyOfValue } from './field-values.ts'
import { lettersOf } from './name-letters.ts'
import { share, type Column } from './sample-columns.ts'

// The column that says the currency of the costs.

/** Signs and short names of currencies are written as their codes. */
export function currencySource({ name, values, isList }: Column): unknown {
  const signs = [...new Set(values)].filter((value) => !('value' in readCurrency(value)))
  const codes = signs.flatMap((sign) => {
    const code = currencyOfValue(sign)
    return code === undefined ? [] : [[sign, code] as const]
  })
  if (codes.length === 0) return isList ? { column: name, take: 0 } : name
  return { column: name, ...(isList ? { take: 0 } : {}), values: Object.fromEntries(codes) }
}

/** The column that is called like the currency of the costs: `SatisFiyati1ParaBirimi` of `SatisFiyati1`, and not that of another price. */
export function currencyBeside(
  columns: readonly Column[],
  fields: Readonly<Record<string, unknown>>,
): Column | undefined {
  const { cost } = fields
  if (typeof cost !== 'string') return undefined
  const own = lettersOf(cost)
  return columns.find((column) => {
    const name = lettersOf(column.name)
    return (
      name.startsWith(own) &&
      /^\p{L}/u.test(name.slice(own.length)) &&
      guessByName(column.name).some(({ field }) => field === 'currency') &&
      share(column.values, (value) => currencyOfValue(value) !== undefined) >= FIT_MIN
    )
  })
}
