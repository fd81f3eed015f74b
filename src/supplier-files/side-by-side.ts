// Tables side by side in one sheet, with the same column names.

/** Which tables of a sheet are read: one, by its number from 1 on, or all, as if they were below each other. */
export type TableChoice = number | 'all'

/** Fewer repeated names are no table. */
const COLUMNS_MIN = 2

/**
 * The positions of the columns of each table, for a header that repeats the same names in the same order. Columns without a name may be between the
 * tables.
 * @param columns the header; `#4` is a column without a name
 * @returns undefined if the sheet is one table
 */
export function sideBySideTables(columns: readonly string[]): (readonly number[])[] | undefined {
  const named = columns.flatMap((column, place) => (/^#\d+$/.test(column) ? [] : [place]))
  const [begin] = named
  if (begin === undefined) return undefined
  // the positions of the first name and its repetitions
  const nameAt = (place: number | undefined) => columns[place ?? -1]?.trim().toLowerCase()
  const starts = named.filter((place) => nameAt(place) === nameAt(begin))
  if (starts.length < 2) return undefined
  const parts = starts.map((start, i) => named.filter((place) => place >= start && place < (starts[i + 1] ?? Infinity)))
  const [first = []] = parts
  const isSame = parts.every(
    (part) => part.length === first.length && part.every((place, i) => nameAt(place) === nameAt(first[i])),
  )
  if (!isSame || first.length < COLUMNS_MIN) return undefined
  return parts
}
