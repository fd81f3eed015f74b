import { say } from '../../../contract/remarks/remarks.ts'
import { guessByName, otherWordsOfPriceName } from './column-names.ts'
import { costShare, isCostOrOnRequest } from './field-values.ts'
import { containsCurrency, splitCurrency } from './name-currencies.ts'
import { isDealerRate, priceKindOf, type PriceColumn } from './price-columns.ts'
import { OTHER_AMOUNTS } from './lower-prices.ts'
import { isDigitsOfDecimals, isPriceUnit, spaced } from './propose-cost.ts'
import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import type { CostCounts } from './trial.ts'
import { figure, isAmount, isDecimal } from './value-kinds.ts'
import { saysPrice } from './unit-price.ts'
import { must } from '../../platform/must.ts'

// Asks about columns that are called like costs or quantities, and whose values look like something else.

type Ask = (question: string, field?: string) => void

/** The least share of amounts in a column of purchase prices that is asked about. */
const AMOUNTS_MIN = 0.5

/** From this many rows on, only 0 and 1 mean whether an article is available, and not a number of pieces. */
const FLAG_ROWS_MIN = 5

/** Asks whether the quantities 0 and 1 are numbers of pieces. */
export function askAboutFlags(columns: readonly Column[], quantity: unknown, ask: Ask): void {
  const own = columns.find(({ name }) => name === quantity)
  const values = own?.values ?? []
  if (own === undefined || values.length < FLAG_ROWS_MIN || !values.every((value) => value === '0' || value === '1'))
    return
  // everything is sold out, or the column is for the quantity to order
  if (!values.includes('1')) ask(say('quantity_all_zero', { column: own.name, rows: values.length }), 'quantity')
  else ask(say('quantity_zero_or_one', { column: own.name }), 'quantity')
}

/** The share of costs of 0 from which the merchant is asked. Such costs are more often unknown than free. */
const ZEROS_ASKED = 0.2

const isZero = (value: string) => isAmount(value) && !/[1-9]/.test(value)

/** Asks whether costs of 0 mean that they are unknown: if there are many, or if another price of the same row is not 0. */
export function askAboutZeros(columns: readonly Column[], rows: SampleRows, cost: unknown, ask: Ask): void {
  const own = columns.find(({ name }) => name === cost)
  const values = own?.values ?? []
  const zeros = values.filter(isZero).length
  if (own === undefined || zeros === 0) return
  if (zeros < values.length * ZEROS_ASKED && !isPricedElsewhere(own, columns, rows)) return
  ask(say('cost_zero', { zeros, articles: values.length, column: own.name }), 'cost')
}

/** Names of numbers that say something about a price, at their end: `Price group`, `Preiseinheit`, but not `Preis pro Einheit`. */
const ABOUT_PRICE =
  /(?<!(?:per|pro|je)[\s_-]*)(?:(?<!\p{L})(?:groupe?|grup[aoe]|gruppo|units?|price[\s_-]?list|number|numer|n[or]\.?|level|type|code|id)|gruppe|einheit|preisliste|nummer)$/iu
/** Values of lists, groups and units of prices. */
const isSmallNumber = (value: string) => /^(?:\d|10{1,5})$/.test(value)

/** Whether a row whose cost is 0 has another price that is not 0. */
function isPricedElsewhere(own: Column, columns: readonly Column[], rows: SampleRows): boolean {
  const others = columns.filter(
    (column) =>
      column.name !== own.name &&
      !column.isList &&
      (priceKindOf(column.name) !== undefined || saysPrice(column.name)) &&
      !isPriceUnit(column) &&
      !ABOUT_PRICE.test(spaced(column.name).trim()) &&
      !column.values.every(isSmallNumber) &&
      share(column.values, isAmount) >= 0.8,
  )
  return rows.some((row) => isZero(textAt(row, own.name)) && others.some(({ name }) => /[1-9]/.test(textAt(row, name))))
}

/** Asks the same about the costs that a ready mapping reads. `column`: the one that has most of them. */
export function askAboutTriedZeros({ priced, zeros }: CostCounts, column: string | undefined, ask: Ask): void {
  if (column === undefined || zeros === 0 || zeros < priced * ZEROS_ASKED) return
  ask(say('cost_zero', { zeros, articles: priced, column }), 'cost')
}

/** If fewer than this share of rows have a cost, its column may be that of a special offer for a few articles. */
const COSTS_MIN = 0.5

/** Asks whether a column that is empty in most rows has the costs, if others have amounts. */
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

/** Asks about a column of purchase prices that is not read, because many rows lack one, while the cost is read from another column. */
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
      values.some(isCostOrOnRequest) &&
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

/** The least share of rows with different amounts from which two columns have different prices. */
const DIFFERENT_MIN = 0.5
/** The same share for two columns that are both called purchase prices. */
const DIFFERENTLY_PAID_MIN = 0.05

/** Asks which of two columns has the cost if both are called purchase prices and differ by more than a tax rate. */
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

/** Columns of amounts that no field reads, and that have at least half as many values as `own`. */
export const unusedAmounts = (columns: readonly Column[], own: Column, used: ReadonlySet<string>): readonly Column[] =>
  columns.filter(
    ({ name, values, isList }) =>
      name !== own.name &&
      !isList &&
      !used.has(name) &&
      !isDigitsOfDecimals(name) &&
      !isNoPrice(name) &&
      values.length * 2 >= own.values.length &&
      share(values, isAmount) >= 0.8,
  )

/**
 * Whether two prices that are called alike are in different currencies, at least one of which the name does not state exactly. Two stated currencies
 * have a question of their own. With other words, as in `Deposit price €`, it is another amount.
 */
function isInOtherCurrency(one: string, other: string): boolean {
  const [own, beside] = [splitCurrency(one.trim()), splitCurrency(other.trim())]
  if (beside.currency === undefined || (typeof own.currency === 'string' && typeof beside.currency === 'string'))
    return false
  const stem = own.currency === undefined ? one.trim() : own.base
  if (stem.toLowerCase() !== beside.base.toLowerCase()) return false
  return own.currency !== beside.currency || lastWord(one) !== lastWord(other)
}
const lastWord = (name: string) =>
  name
    .toLowerCase()
    .trim()
    .split(/[\s([]+/)
    .at(-1)

/**
 * Asks which of several prices is the cost if their names have different words beside the one for a price: in cash and by card, from stock and to
 * order, in dollars and in soles. Prices that are known as purchase or selling prices are left out.
 */
export function askAboutAlternatives(
  columns: readonly Column[],
  cost: unknown,
  used: ReadonlySet<string>,
  ask: Ask,
): void {
  const own = columns.find(({ name }) => name === cost)
  const said = own === undefined ? undefined : otherWordsOfPriceName(own.name)
  if (own === undefined || said === undefined || priceKindOf(own.name) !== undefined) return
  const others = unusedAmounts(columns, own, used).filter(({ name, values }) => {
    const words = otherWordsOfPriceName(name)
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

/** Names of unit prices and totals, which are asked about elsewhere. */
const UNITS =
  /unit|unidad|piece|stück|pezzo|pièce|szt|\bks\b|adet|шт|total|gesamt|suma|summe|somme|importe|tutar|сумма/iu

export const shownOf = (columns: readonly Column[]) => columns.slice(0, 6).map(({ name }) => name)

const RATE_ROWS_MIN = 5
const RATE_DIFFERENT = 3

/** From this ratio between the highest and the lowest share of the price on, costs do not follow the prices beside them. */
const MARGINS_APART = 2

/** Whether numbers may be percentages: one is above the price in its row, or they do not follow the prices. */
function mayBeRates(own: Column, other: Column, rows: SampleRows): boolean {
  const ratios = rows.flatMap((row) => {
    const [one, price] = [figure(textAt(row, own.name)), figure(textAt(row, other.name))]
    return one > 0 && price > 0 ? [one / price] : []
  })
  return ratios.length > 0 && (Math.max(...ratios) > 1 || Math.max(...ratios) > Math.min(...ratios) * MARGINS_APART)
}

/**
 * Asks about a column of purchase prices that may be percentages: whole numbers below 100 with few different values, beside prices with more different
 * values, which they do not follow.
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
      (priceKindOf(other.name) !== undefined || otherWordsOfPriceName(other.name) !== undefined) &&
      share(other.values, isAmount) >= 0.8 &&
      new Set(other.values).size >= different * RATE_DIFFERENT &&
      mayBeRates(own, other, rows),
  )
  if (others.length > 0) ask(say('cost_perhaps_percent', { column: own.name, others: shownOf(others) }), 'cost')
}

/** Names that end with the letter or number of a customer group: `Preisgruppe A`, `Price level 2`. */
const OF_GROUP = /^(.{3,60}?)[ _.-]?(?:[a-h]|\d|i{1,3}|iv)$/iu

/** Asks which of several prices for customer groups is the cost, if their names are alike and the prices differ. */
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

/** The least share of rows in which another amount is a plausible lower price, and the least share of the cost that such a price has. */
const LOWER_SHARE = 0.9
const PART_MIN = 0.6

/**
 * Asks about columns whose amounts are nearly always below the cost, but not by much, whatever their names: prices in cash, for members, or in a
 * sale. A cost that is called a purchase price needs no question.
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
    // an amount that is called a discount, and is most of the price, is what is left of it
    const isDiscounted = DISCOUNT.test(name)
    if (OTHER_AMOUNTS.test(name.replace(DISCOUNT, '')) || UNITS.test(name)) return false
    // a price in another currency, or of a known kind, is something else
    if (containsCurrency(name) || priceKindOf(name) !== undefined) return false
    if (guessByName(name).some(({ field, score }) => field !== 'cost' && score >= 2)) return false
    const ratios = rows.flatMap((row) => {
      const [one, other] = [figure(textAt(row, name)), figure(textAt(row, own.name))]
      return one > 0 && other > 0 ? [one / other] : []
    })
    const plausible = ratios.filter((ratio) => ratio >= PART_MIN && ratio <= 1).length
    return (
      ratios.length >= LOWER_ROWS_MIN &&
      plausible >= ratios.length * (isDiscounted ? DISCOUNTED_SHARE : LOWER_SHARE) &&
      ratios.filter((ratio) => ratio < 1).length >= ratios.length * DIFFERENT_MIN &&
      new Set(values).size > 1 &&
      // the same ratio in all rows would be that of a tax
      (isDiscounted || Math.max(...ratios) - Math.min(...ratios) > ONE_RATE)
    )
  })
  if (lower.length > 0) ask(say('cost_beside_others', { column: own.name, others: shownOf(lower) }), 'cost')
}
const LOWER_ROWS_MIN = 5
/** The same share for a column that is called a discount. */
const DISCOUNTED_SHARE = 0.75
const DISCOUNT = /discount(?:ed)?|rabatt(?:iert)?/iu
const ONE_RATE = 0.02
/** Whether a name means a number that is no amount. Of a path, the last part says whether it is a price. */
const isNoPrice = (name: string) => NO_PRICE.test(spaced(name)) && !saysPrice(name.split('.').at(-1) ?? name)
/** Words for numbers that are no amounts, as whole words or at the end of German ones: a factory and a quotation have prices. */
const NO_PRICE =
  /(?<!\p{L})(?:коэфф?иц\p{L}*|coef\p{L}*|koeff\p{L}*|factors?|factores|fator|ratio|quota|index|indeks|points?|puntos|scores?|years?|год|года|años?|ann[oé]e)(?!\p{L})|(?:faktor|punkte|jahr|index)(?!\p{L})/iu
