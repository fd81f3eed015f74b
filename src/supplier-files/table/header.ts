import { nearest } from '../mapping/mapping-check.ts'
import { unreadable, type Lookup } from '../rows.ts'

/**
 * The columns of a table by the names of its header. The columns of a repeated name `Image` are `Image#1`, `Image#2`
 * and so on.
 */
export interface Columns {
  lookup: Lookup
  /**
   * The error for columns that were looked up but are missing or repeated; undefined if there are none. `delimiter` is
   * named if the table has one column.
   */
  fault(line: number, delimiter?: string): Error | undefined
}

/** How many missing columns an error names, and for how many of them a similar name is suggested. */
const MISSING_SHOWN = 50
const SUGGESTED_MAX = 5

/** Prepares the columns of a table for a mapping. @param names as in the header, repeated ones included */
export function openColumns(names: readonly string[]): Columns {
  const places = new Map<string, number>()
  const times = new Map<string, number>()
  for (const [place, name] of names.entries()) {
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    if (time === 1) places.set(name, place)
    else {
      if (time === 2) places.set(`${name}#1`, places.get(name) ?? place)
      places.set(`${name}#${time}`, place)
    }
  }
  const missing = new Set<string>()
  const repeated = new Set<string>()
  const lookup: Lookup = (column, isOptional) => {
    const place = places.get(column)
    if ((times.get(column) ?? 0) > 1) repeated.add(column)
    if (place === undefined) {
      if (isOptional !== true) missing.add(column)
      return () => undefined
    }
    return (row) => (row as readonly unknown[])[place]
  }
  lookup.columns = names
  return {
    lookup,
    fault(line, delimiter) {
      if (repeated.size > 0) {
        const list = quotedList([...repeated].slice(0, MISSING_SHOWN))
        const [first] = repeated
        return unreadable(
          `line ${line}: the header names ${list} more than once: say which in the mapping, as in ${JSON.stringify(`${first}#1`)}`,
        )
      }
      if (missing.size === 0) return undefined
      const shown = [...missing].slice(0, MISSING_SHOWN)
      const list = shown.map((name, i) => {
        const near = i < SUGGESTED_MAX ? nearest(name, names) : undefined
        return JSON.stringify(name) + (near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`)
      })
      if (missing.size > shown.length) list.push(`and ${missing.size - shown.length} more`)
      const hint =
        names.length === 1 && delimiter !== undefined
          ? `; it has one column: is the delimiter ${JSON.stringify(delimiter)} right?`
          : ''
      return unreadable(`line ${line}: the header lacks columns that the mapping names: ${list.join(', ')}${hint}`)
    },
  }
}

const quotedList = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ')

/** The names of columns as a mapping uses them: two columns called `Image` are `Image#1` and `Image#2`. */
export function uniqueNames(columns: readonly string[]): string[] {
  const times = new Map<string, number>()
  const numbered = columns.map((name) => {
    const number = (times.get(name) ?? 0) + 1
    times.set(name, number)
    return { name, number }
  })
  return numbered.map(({ name, number }) => (times.get(name) === 1 ? name : `${name}#${number}`))
}
