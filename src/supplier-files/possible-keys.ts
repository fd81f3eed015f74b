import type { Row } from './rows.ts'

const SHIFT_MAX = 50

/**
 * The keys that a record with too many or too few cells may have: a separator too many or too few shifts all cells after it, or splits
 * the key itself. Null if the record shows no key.
 * @param aboutOf returns the keys of a row that has all its cells
 */
export function possibleKeys(
  cells: readonly unknown[],
  columns: number,
  aboutOf: (row: Row) => readonly string[] | null,
  delimiter: string,
): readonly string[] | null {
  const more = cells.length - columns
  if (Math.abs(more) > SHIFT_MAX) return null
  const keys = new Set<string>()
  const add = (row: readonly unknown[]) => {
    for (const key of aboutOf(row) ?? []) keys.add(key)
  }
  for (let shift = 0; shift <= Math.abs(more); shift++)
    add(Array.from({ length: columns }, (_, place) => cells[more > 0 ? place + shift : place - shift] ?? ''))
  // each cell as if it had been split by separators in it
  if (more > 0)
    add(
      Array.from({ length: columns }, (_, place) =>
        cells
          .slice(place, place + more + 1)
          .map(String)
          .join(delimiter),
      ),
    )
  return keys.size === 0 ? null : [...keys]
}
