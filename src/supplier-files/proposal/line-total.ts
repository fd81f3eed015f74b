import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { must } from '../../platform/must.ts'

// Recognizes the total of a row, beside the price of one piece and the number of pieces.

/**
 * The least number of rows that show that a column is the product of two others, and how many columns of numbers are
 * tried.
 */
const ROWS_MIN = 3
const FACTORS_MAX = 20
const EXACT = 0.001

const NUMBER = /^\d{1,9}(?:[.,]\d{1,4})?$/
const figure = (text: string) => (NUMBER.test(text) ? Number(text.replace(',', '.')) : Number.NaN)

/**
 * A column with only numbers. `figures` computes the number of each row when it is first called, NaN for an empty cell.
 */
interface NumberColumn {
  name: string
  filled: number
  figures: () => readonly number[]
}

const figuresOf = (name: string, rows: SampleRows) => rows.map((row) => figure(textAt(row, name)))

/** The columns that may be factors of a total. They are the same for all totals, so they are collected once. */
export function numberColumns(columns: readonly Column[], rows: SampleRows): NumberColumn[] {
  return columns
    .filter(({ isList, values }) => !isList && share(values, (value) => NUMBER.test(value)) === 1)
    .map(({ name, values }) => {
      let figures: readonly number[] | undefined
      return { name, filled: values.length, figures: () => (figures ??= figuresOf(name, rows)) }
    })
}

/** The two columns whose product a column is in every row; undefined if it is no such total. */
export function factorsOf(
  { name }: Column,
  numbers: readonly NumberColumn[],
  rows: SampleRows,
): { price: string; pieces: string } | undefined {
  const totals = figuresOf(name, rows)
  const known = totals.flatMap((total, row) => (total > 0 ? [row] : []))
  if (known.length < ROWS_MIN) return undefined
  const others = numbers
    .filter((other) => other.name !== name && other.filled >= known.length)
    .slice(0, FACTORS_MAX)
    .map((other) => ({ name: other.name, of: other.figures() }))
  const isProduct = (a: readonly number[], b: readonly number[]) =>
    known.every((row) => Math.abs(must(a[row]) * must(b[row]) - must(totals[row])) <= must(totals[row]) * EXACT)
  for (const pieces of others) {
    const counts = known.map((row) => must(pieces.of[row]))
    if (!counts.every((count) => Number.isInteger(count) && count > 0) || new Set(counts).size < 2) continue
    const price = others.find((other) => other.name !== pieces.name && isProduct(other.of, pieces.of))
    if (price === undefined) continue
    // if both columns have only whole numbers, the larger one has the prices
    const isSwapped = known.every(
      (row) => Number.isInteger(price.of[row]) && must(price.of[row]) < must(pieces.of[row]),
    )
    return isSwapped ? { price: pieces.name, pieces: price.name } : { price: price.name, pieces: pieces.name }
  }
  return undefined
}
