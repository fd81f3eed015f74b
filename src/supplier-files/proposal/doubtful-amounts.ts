import { say } from '../../../contract/remarks/remarks.ts'
import { guessByName, wordsBesidePrice } from './column-names.ts'
import { costShare, saysCost } from './field-values.ts'
import { saysCurrency, splitCurrency } from './name-currencies.ts'
import { isDealerRate, priceKindOf, type PriceColumn } from './price-columns.ts'
import { OTHER_AMOUNTS } from './lower-prices.ts'
import { isDigitsOfDecimals } from './propose-cost.ts'
import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import type { TriedCosts } from './trial.ts'
import { figure, isAmount, isDecimal } from './value-kinds.ts'
import { saysPrice } from './unit-price.ts'
import { must } from '../../platform/must.ts'

// Questions about columns of costs and quantities that are called so, and whose values say something else.

type Ask = (question: string, field?: string) => void

/** The least share of values that can be read as an amount, in a column with such a name. */
const AMOUNTS_MIN = 0.5

/** So many rows of nothing but 0 and 1 say whether an article is there, and not how many pieces. */
const FLAG_ROWS_MIN = 5

/** Asks whether 0 and 1 are pieces. */
export function askAboutFlags(columns: readonly Column[], quantity: unknown, ask: Ask): void {
  const own = columns.find(({ name }) => name === quantity)
  const values = own?.values ?? []
  if (own === undefined || values.length < FLAG_ROWS_MIN || !values.every((value) => value === '0' || value === '1'))
    return
  // sold out, or to be filled in by who orders
  if (!values.includes('1')) ask(say('quantity_all_zero', { column: own.name, rows: values.length }), 'quantity')
  else ask(say('quantity_zero_or_one', { column: own.name }), 'quantity')
}

/** The share of costs of 0 from which the merchant is asked: they are more often unknown than free. */
const ZEROS_ASKED = 0.2

const isZero = (value: string) => isAmount(value) && !/[1-9]/.test(value)

/** Asks whether costs of 0 are unknown: where there are many, and where another price of the row says that the article is not free. */
export function askAboutZeros(columns: readonly Column[], rows: SampleRows, cost: unknown, ask: Ask): void {
  const own = columns.find(({ name }) => name === cost)
  const values = own?.values ?? []
  const zeros = values.filter(isZero).length
  if (own === undefined || zeros === 0) return
  if (zeros < values.length * ZEROS_ASKED && !isPricedElsewhere(own, columns, rows)) return
  ask(say('cost_zero', { zeros, articles: values.length, column: own.name }), 'cost')
}

/** Whether a row whose cost is 0 has another price that is none. */
function isPricedElsewhere(own: Column, columns: readonly Column[], rows: SampleRows): boolean {
  const others = columns.filter(
    ({ name, values, isList }) =>
      name !== own.name &&
      !isList &&
      (priceKindOf(name) !== undefined || saysPrice(name)) &&
      share(values, isAmount) >= 0.8,
  )
  return rows.some((row) => isZero(textAt(row, own.name)) && others.some(({ name }) => /[1-9]/.test(textAt(row, name))))
}

/** Asks the same about the costs that a ready mapping makes. `column`: that in which they are most often. */
export function askAboutTriedZeros({ priced, zeros }: TriedCosts, column: string | undefined, ask: Ask): void {
  if (column === undefined || zeros === 0 || zeros < priced * ZEROS_ASKED) return
  ask(say('cost_zero', { zeros, articles: priced, column }), 'cost')
}

/** The share of rows with a cost below which the column that was taken may be that of a few articles, as of an offer. */
const COSTS_MIN = 0.5

/** Asks whether a column is what is paid that most rows leave empty, where others have amounts. */
export function askAboutFewCosts(columns: readonly Column[], rows: number, cost: unknown, ask: Ask): void {
  const own = columns.find(({ name }) => name === cost)
  if (own === undefined || own.isList || own.values.length >= rows * COSTS_MIN) return
  const others = columns.filter(
    ({ name, values, isList }) =>
      name !== own.name && !isList && values.length > own.values.length * 2 && share(values, isDecimal) >= 0.5,
  )
  if (others.length > 0)
    ask(say('cost_of_few', { priced: own.values.length, rows, column: own.name, others: shownOf(others) }), 'cost')
}

/** A column of purchase prices that many rows leave out is not read; the merchant is asked, where a price of the shop is read in its place. */
export function askAboutPurchases(
  columns: readonly Column[],
  prices: readonly PriceColumn[],
  cost: unknown,
  used: ReadonlySet<string>,
  ask: Ask,
): void {
  const read = columns.find(({ name }) => name === cost)?.name
  if (read === undefined || priceKindOf(read)?.kind === 'purchase') return
  const left = columns.find(
    ({ name, values }) =>
      priceKindOf(name)?.kind === 'purchase' &&
      !isDealerRate(name) &&
      name !== cost &&
      !used.has(name) &&
      values.some(saysCost) &&
      costShare(values) >= AMOUNTS_MIN,
  )
  if (left === undefined) return
  const isSelling = prices.some(({ column, kind }) => column === cost && kind === 'selling')
  ask(
    isSelling
      ? say('cost_is_selling', { column: read, paid: left.name })
      : say('cost_beside_others', { column: read, others: [left.name] }),
    'cost',
  )
}

/** The share of rows in which two amounts differ from which they are not the same price. */
const DIFFERENT_MIN = 0.5
/** The same for two columns that are both called what is paid. */
const DIFFERENTLY_PAID_MIN = 0.05

/** Asks which one of two columns is paid, where both are called so and have other amounts in most rows; a price with tax is the same one. */
export function askAboutTwoPurchases(
  columns: readonly Column[],
  prices: readonly PriceColumn[],
  cost: unknown,
  ask: Ask,
): void {
  const own = columns.find(({ name }) => name === cost)
  const paid = prices.filter(({ kind }) => kind === 'purchase').map(({ column }) => column)
  if (own === undefined || !paid.includes(own.name)) return
  const other = columns.find(
    ({ name, values }) => name !== own.name && paid.includes(name) && differs(own.values, values),
  )
  if (other !== undefined) ask(say('cost_of_two', { column: own.name, other: other.name }), 'cost')
}

function differs(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  const ratios = one.map((value, row) => figure(must(other[row])) / figure(value))
  const known = ratios.filter((ratio) => Number.isFinite(ratio) && ratio > 0)
  const different = known.filter((ratio) => Math.abs(ratio - 1) > 0.001).length
  const isOneRate = known.every((ratio) => Math.abs(ratio - (known[0] ?? 1)) < 0.01)
  return known.length > 1 && different >= known.length * DIFFERENTLY_PAID_MIN && !isOneRate
}

/** Columns of amounts that nothing is read from, and that have values in half as many rows as this one at the least. */
const unusedAmounts = (columns: readonly Column[], own: Column, used: ReadonlySet<string>): readonly Column[] =>
  columns.filter(
    ({ name, values, isList }) =>
      name !== own.name &&
      !isList &&
      !used.has(name) &&
      !isDigitsOfDecimals(name) &&
      !NO_PRICE.test(name) &&
      values.length * 2 >= own.values.length &&
      share(values, isAmount) >= 0.8,
  )

/** Whether a price is in another currency than one whose name says none, or a sign that several have. Two that are said are asked about as such. */
function isInOtherCurrency(one: string, other: string): boolean {
  const [own, beside] = [splitCurrency(one.trim()).currency, splitCurrency(other.trim()).currency]
  if (beside === undefined || (typeof own === 'string' && typeof beside === 'string')) return false
  return own !== beside || lastWord(one) !== lastWord(other)
}
const lastWord = (name: string) =>
  name
    .toLowerCase()
    .trim()
    .split(/[\s([]+/)
    .at(-1)

/**
 * Asks which of several prices is paid whose names say different things of them: in cash and by card, from stock and to order, in dollars and in
 * soles. A price that is known as what is paid, or as what is asked for, is none of them.
 */
export function askAboutAlternatives(
  columns: readonly Column[],
  cost: unknown,
  used: ReadonlySet<string>,
  ask: Ask,
): void {
  const own = columns.find(({ name }) => name === cost)
  const said = own === undefined ? undefined : wordsBesidePrice(own.name)
  if (own === undefined || said === undefined || priceKindOf(own.name) !== undefined) return
  const others = unusedAmounts(columns, own, used).filter(({ name, values }) => {
    const words = wordsBesidePrice(name)
    if (words === undefined || priceKindOf(name) !== undefined) return false
    const isSaidOtherwise =
      said.length > 0 && words.length > 0 && words.join(' ') !== said.join(' ') && !UNITS.test(name)
    return (
      (isSaidOtherwise || isInOtherCurrency(own.name, name)) &&
      values.filter((value, row) => figure(value) !== figure(own.values[row] ?? '')).length >=
        values.length * DIFFERENT_MIN
    )
  })
  if (others.length > 0) ask(say('cost_beside_others', { column: own.name, others: shownOf(others) }), 'cost')
}

/** Names of prices of one piece, or of several, are asked about as such. */
const UNITS =
  /unit|unidad|piece|stück|pezzo|pièce|szt|\bks\b|adet|шт|total|gesamt|suma|summe|somme|importe|tutar|сумма/iu

const shownOf = (columns: readonly Column[]) => columns.slice(0, 6).map(({ name }) => name)

const RATE_ROWS_MIN = 5
const RATE_DIFFERENT = 3

/**
 * Asks about a column that is called what is paid and may have percentages: whole numbers below 100, of which there are few different ones, beside prices
 * that differ more.
 */
export function askAboutWholeRates(columns: readonly Column[], rows: SampleRows, cost: unknown, ask: Ask): void {
  const own = columns.find(({ name }) => name === cost)
  if (own === undefined || own.isList || priceKindOf(own.name)?.kind !== 'purchase') return
  const { values } = own
  if (values.length < RATE_ROWS_MIN || !values.every((value) => /^[1-9]\d?$/.test(value))) return
  const different = new Set(values).size
  const others = columns.filter(
    (other) =>
      other !== own &&
      !other.isList &&
      other.values.length * 2 >= rows.length &&
      (priceKindOf(other.name) !== undefined || wordsBesidePrice(other.name) !== undefined) &&
      share(other.values, isAmount) >= 0.8 &&
      new Set(other.values).size >= different * RATE_DIFFERENT,
  )
  if (others.length > 0) ask(say('cost_beside_others', { column: own.name, others: shownOf(others) }), 'cost')
}

/** What a name ends with that tells customers' groups apart: `Preisgruppe A`, `Price level 2`. */
const OF_GROUP = /^(.{3,60}?)[ _.-]?(?:[a-h]|\d|i{1,3}|iv)$/iu

/** Asks which price of several is paid that are called alike, for groups of customers, and differ. */
export function askAboutGroupPrices(
  columns: readonly Column[],
  cost: unknown,
  used: ReadonlySet<string>,
  ask: Ask,
): void {
  const own = columns.find(({ name }) => name === cost)
  const stem = own === undefined ? undefined : OF_GROUP.exec(own.name.trim())?.[1]?.toLowerCase()
  if (own === undefined || stem === undefined) return
  const others = unusedAmounts(columns, own, used).filter(
    ({ name, values }) =>
      OF_GROUP.exec(name.trim())?.[1]?.toLowerCase() === stem &&
      values.some((value, row) => figure(value) !== figure(own.values[row] ?? '')),
  )
  if (others.length === 0) return
  ask(say('cost_of_group', { column: own.name, others: shownOf(others) }), 'cost')
}

/** The share of rows in which another amount is below the cost, and the least part of it that a price for the same article is. */
const LOWER_SHARE = 0.9
const PART_MIN = 0.6

/**
 * Asks about columns whose amounts are below the cost nearly always, and not by much, whatever they are called: prices in cash, for members, or in a
 * sale. What is called what is paid is it.
 */
export function askAboutLower(
  columns: readonly Column[],
  rows: SampleRows,
  cost: unknown,
  used: ReadonlySet<string>,
  ask: Ask,
): void {
  const own = columns.find(({ name }) => name === cost)
  if (own === undefined || own.isList || priceKindOf(own.name)?.kind === 'purchase') return
  const lower = unusedAmounts(columns, own, used).filter(({ name, values }) => {
    if (OTHER_AMOUNTS.test(name) || UNITS.test(name)) return false
    // in another currency, or for others, it is another price
    if (saysCurrency(name) || priceKindOf(name) !== undefined) return false
    if (guessByName(name).some(({ field, score }) => field !== 'cost' && score >= 2)) return false
    const ratios = rows.flatMap((row) => {
      const [one, other] = [figure(textAt(row, name)), figure(textAt(row, own.name))]
      return one > 0 && other > 0 ? [one / other] : []
    })
    const plausible = ratios.filter((ratio) => ratio >= PART_MIN && ratio <= 1).length
    return (
      ratios.length >= LOWER_ROWS_MIN &&
      plausible >= ratios.length * LOWER_SHARE &&
      ratios.filter((ratio) => ratio < 1).length >= ratios.length * DIFFERENT_MIN &&
      new Set(values).size > 1 &&
      // with tax and without it
      Math.max(...ratios) - Math.min(...ratios) > ONE_RATE
    )
  })
  if (lower.length > 0) ask(say('cost_beside_others', { column: own.name, others: shownOf(lower) }), 'cost')
}
const LOWER_ROWS_MIN = 5
const ONE_RATE = 0.02
const NO_PRICE =
  /коэфф?иц|coefi?c|koeff|factor|faktor|ratio|quota|index|points?$|punkte|score|year|jahr|год|año|ann[oé]e/iu
