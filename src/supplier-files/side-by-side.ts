// Tables that stand side by side in one sheet, under names that repeat.

/** The columns of the first table, and those of the next ones, as a mapping names them. */
export interface TablesBeside {
  first: readonly string[]
  others: readonly (readonly string[])[]
}

/** Fewer columns of the same names are no table. */
const COLUMNS_MIN = 2

/**
 * The tables of a sheet whose header names the same columns again and again, in the same order; perhaps with columns without a name between them.
 * @param columns the header as it is
 * @param names the same columns as a mapping names them: `Price#2`
 * @returns undefined where there is one table
 */
export function tablesBeside(columns: readonly string[], names: readonly string[]): TablesBeside | undefined {
  const named = columns.flatMap((column, place) => (/^#\d+$/.test(column) ? [] : [place]))
  const [begin] = named
  if (begin === undefined) return undefined
  // the places at which the first column comes again
  const starts = named.filter((place) => columns[place] === columns[begin])
  if (starts.length < 2) return undefined
  const parts = starts.map((start, i) => named.filter((place) => place >= start && place < (starts[i + 1] ?? Infinity)))
  const [first = []] = parts
  const isSame = parts.every(
    (part) => part.length === first.length && part.every((place, i) => columns[place] === columns[first[i] ?? -1]),
  )
  if (!isSame || first.length < COLUMNS_MIN) return undefined
  const [own = [], ...others] = parts.map((part) => part.map((place) => names[place] ?? ''))
  return { first: own, others }
}
