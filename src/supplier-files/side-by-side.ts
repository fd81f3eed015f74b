// Tables that stand side by side in one sheet, under names that repeat.

/** Which tables of a sheet are read: one, from 1 on, or all, as if they stood below each other. */
export type TableChoice = number | 'all'

/** Fewer columns of the same names are no table. */
const COLUMNS_MIN = 2

/**
 * The places of the columns of each table of a sheet whose header names the same columns again and again, in the same order; perhaps with columns without a
 * name between them.
 * @param columns the header as it is; `#4` is a column without a name
 * @returns undefined where there is one table
 */
export function tablesBeside(columns: readonly string[]): (readonly number[])[] | undefined {
  const named = columns.flatMap((column, place) => (/^#\d+$/.test(column) ? [] : [place]))
  const [begin] = named
  if (begin === undefined) return undefined
  // the places at which the first column comes again
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
