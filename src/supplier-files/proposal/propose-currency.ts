import { say } from '../../../contract/remarks/remarks.ts'
import { readCurrency } from '../../input/currency.ts'
import { guessByName, otherWordsOfPriceName } from './column-names.ts'
import type { Draft, Guessed } from './draft.ts'
import { FIT_MIN } from './field-candidates.ts'
import { currencyOfValue } from './field-values.ts'
import { currencyOfName, dollarCurrencyOf } from './name-currencies.ts'
import { lettersOf } from './name-letters.ts'
import { share, type Column } from './sample-columns.ts'
import { isAmount } from './value-kinds.ts'

// Finds the currency of the costs.

/** The source of a column of currencies; signs and short names are replaced by their codes. */
export function currencySource({ name, values, isList }: Column): unknown {
  const signs = [...new Set(values)].filter((value) => !('value' in readCurrency(value)))
  const codes = signs.flatMap((sign) => {
    const code = currencyOfValue(sign)
    return code === undefined ? [] : [[sign, code] as const]
  })
  if (codes.length === 0) return isList ? { column: name, take: 0 } : name
  return { column: name, ...(isList ? { take: 0 } : {}), values: Object.fromEntries(codes) }
}

/**
 * The column whose name is that of the costs and a word for a currency: `SatisFiyati1ParaBirimi` for `SatisFiyati1`, and not the currency
 * of another price.
 */
function currencyBeside(columns: readonly Column[], fields: Readonly<Record<string, unknown>>): Column | undefined {
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

/** Proposes the currency that is in the name of the column of costs, and asks if there are columns of costs in other currencies. */
export function proposeCurrencyOfNames(
  { fields, note, ask }: Draft,
  guessed: readonly Guessed[],
  currency: string | undefined,
): void {
  if (currency === undefined) return
  const others = guessed.filter(
    ({ guess }) => guess.field === 'cost' && guess.currency !== undefined && guess.currency !== currency,
  )
  if (others.length > 0)
    ask(
      say('cost_in_currencies', {
        currency,
        cost: JSON.stringify(fields['cost']),
        others: others.flatMap(({ guess }) => guess.currency ?? []),
      }),
      'cost',
    )
  if (fields['currency'] === undefined) proposeConstant(fields, currency, note)
}

/**
 * Proposes the currency in a column beside that of the costs, which may have been chosen since; otherwise the one in the name of the
 * column.
 */
export function proposeCurrencyBeside({ columns, fields, used, note }: Draft): void {
  const beside = currencyBeside(columns, fields)
  if (beside !== undefined) {
    fields['currency'] = currencySource(beside)
    used.add(beside.name)
    note('fields.currency', `${JSON.stringify(beside.name)}: it is called like the currency of the costs`)
  }
  const { cost } = fields
  if (typeof cost !== 'string' || fields['currency'] !== undefined) return
  const said = currencyOfName(cost)
  if (said !== undefined) {
    proposeConstant(fields, said, note)
    return
  }
  const prices = columns.filter(
    ({ name, values }) => otherWordsOfPriceName(name) !== undefined && share(values, isAmount) >= FIT_MIN,
  )
  const dollar = dollarCurrencyOf(
    cost,
    prices.map(({ name }) => name),
  )
  if (dollar === undefined) return
  fields['currency'] = { constant: dollar }
  note('fields.currency', 'other prices of the list are in a currency that is not written as "$"')
}

function proposeConstant(fields: Draft['fields'], currency: string, note: Draft['note']): void {
  fields['currency'] = { constant: currency }
  note('fields.currency', `the name of the column of costs says ${currency}`)
}

/** The share of rows with a value, and the most different ones, of a column of currencies. */
const STATED_MIN = 0.5
const DIFFERENT_MAX = 10
const LENGTH_MAX = 20

/** Asks about a column that is called like a currency, and whose values are no codes: prices in two currencies would come in as one. */
export function askAboutUnreadCurrency({ columns, rows, fields, used, ask }: Draft): void {
  if (fields['cost'] === undefined || fields['currency'] !== undefined) return
  const column = columns.find(
    ({ name, values, isList }) =>
      !isList &&
      !used.has(name) &&
      values.length >= rows.length * STATED_MIN &&
      new Set(values).size <= DIFFERENT_MAX &&
      guessByName(name).some(({ field, score }) => field === 'currency' && score >= 2),
  )
  const example = column?.values.find((value) => value.length <= LENGTH_MAX && currencyOfValue(value) === undefined)
  if (column === undefined || example === undefined) return
  ask(say('currency_unread', { column: column.name, example }), 'currency')
}
