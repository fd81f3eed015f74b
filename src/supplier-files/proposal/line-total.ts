import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { must } from '../../platform/must.ts'

// What all pieces of a row cost together, beside the price of one and how many there are.

/** So many rows show that a column is the product of two others, and so many columns of numbers are looked at. */
const ROWS_MIN = 3
const FACTORS_MAX = 20
const EXACT = 0.001

const NUMBER = /^\d{1,9}(?:[.,]\d{1,4})?$/
const figure = (text: string) => (NUMBER.test(text) ? Number(text.replace(',', '.')) : Number.NaN)

/** The columns whose product an amount is in every row; undefined where it is no total. */
export function factorsOf(
  { name }: Column,
  columns: readonly Column[],
  rows: SampleRows,
): { price: string; pieces: string } | undefined {
  const figures = (column: string) => rows.map((row) => figure(textAt(row, column)))
  const totals = figures(name)
  const known = totals.flatMap((total, row) => (total > 0 ? [row] : []))
  if (known.length < ROWS_MIN) return undefined
  const others = columns
    .filter((other) => other.name !== name && !other.isList && other.values.length >= known.length)
    .filter(({ values }) => share(values, (value) => NUMBER.test(value)) === 1)
    .slice(0, FACTORS_MAX)
    .map((other) => ({ name: other.name, of: figures(other.name) }))
  const isProduct = (a: readonly number[], b: readonly number[]) =>
    known.every((row) => Math.abs(must(a[row]) * must(b[row]) - must(totals[row])) <= must(totals[row]) * EXACT)
  for (const pieces of others) {
    const counts = known.map((row) => must(pieces.of[row]))
    if (!counts.every((count) => Number.isInteger(count) && count > 0) || new Set(counts).size < 2) continue
    const price = others.find((other) => other.name !== pieces.name && isProduct(other.of, pieces.of))
    if (price === undefined) continue
    // of two columns of whole numbers the larger ones are prices
    const isSwapped = known.every(
      (row) => Number.isInteger(price.of[row]) && must(price.of[row]) < must(pieces.of[row]),
    )
    return isSwapped ? { price: pieces.name, pieces: price.name } : { price: price.name, pieces: pieces.name }
  }
  return undefined
}
