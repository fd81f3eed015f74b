import { LIMITS } from '../../platform/limits.ts'

/**
 * Splits rows by their size, so that no statement exceeds the longest possible string or the server's memory, or takes
 * several times the memory of the rows while it is sent.
 * @param sizeOf rough number of characters of a row.
 * @param charactersMax maximum for a slice of more than one row
 */
export function* slicesBySize<T>(
  rows: readonly T[],
  sizeOf: (row: T) => number,
  charactersMax: number = LIMITS.statementCharacters,
): Generator<T[]> {
  let slice: T[] = []
  let characters = 0
  for (const row of rows) {
    const size = sizeOf(row)
    if (slice.length > 0 && characters + size > charactersMax) {
      yield slice
      slice = []
      characters = 0
    }
    slice.push(row)
    characters += size
  }
  if (slice.length > 0) yield slice
}
