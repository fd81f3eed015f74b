import { LIMITS } from '../platform/limits.ts'

/**
 * Splits rows by their size, so that no statement exceeds the longest string or the server's memory, nor takes several times
 * the rows' own memory while it is sent.
 * @param sizeOf the characters of a row, roughly.
 * @param charactersMax of a slice of more than one row
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
