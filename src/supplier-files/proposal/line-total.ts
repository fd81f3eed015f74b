import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { must } from '../../platform/must.ts'

// What all pieces of a row cost together, beside the price of one and how many there are.

/** So many rows show that a column is the product of two others, and so many columns of numbers are looked at. */
const ROWS_MIN = 3
const FACTORS_MAX = 20
const EXACT = 0.001

const NUMBER = /^\d{1,9}(?:[.,]\d{1,4})?$/
const figure = (text: string) => (NUMBER.test(text) ? Number(text.replace(',', '.')) : Number.NaN)

/** A column of numbers alone, with the number of each row where it is asked for. */
interface NumberColumn {
  name: string
  filled: number
  figures: () => readonly number[]
}

const figuresOf = (name: string, rows: SampleRows) => rows.map((row) => figure(textAt(row, name)))

/** The columns that may be factors of a total: they are the same for all totals. */
export function numberColumns(columns: readonly Column[], rows: SampleRows): NumberColumn[] {
  return columns
    .filter(({ isList, values }) => !isList && share(values, (value) => NUMBER.test(value)) === 1)
    .map(({ name, values }) => {
      let figures: readonly number[] | undefined
      return { name, filled: values.length, figures: () => (figures ??= figuresOf(name, rows)) }
    })
}

/** The columns whose product an amount is in every row; undefined where it is no total. */
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
    // where all prices are whole numbers, the larger of two columns has them
    const isSwapped = known.every(
      (row) => Number.isInteger(price.of[row]) && must(price.of[row]) < must(pieces.of[row]),
    )
    return isSwapped ? { price: pieces.name, pieces: price.name } : { price: price.name, pieces: pieces.name }
  }
  return undefined
}
