import { LIMITS } from '../platform/limits.ts'
import type { RawRow } from './rows.ts'

// Counts the work that a mapping does on a row while it is done. A row is read within one turn of the event loop, so one counter serves all
// files. docs/decisions/098-a-mapping-is-data.md says why.

/** Units left for the current row. An array, because V8 allocates an object for each fraction that is assigned to a module's variable. */
const left = Float64Array.of(LIMITS.importRowWorkMax)

/** The mapping needs more work for a row than LIMITS.importRowWorkMax. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'

  constructor() {
    super(
      `needs more work than one row may: shorten its values, or simplify the expressions, lists and replacements of the mapping (limit: ${LIMITS.importRowWorkMax})`,
    )
  }
}

const remaining = (): number => left[0] as number

/** Resets the counter for the next row. @param most a higher limit, for tests that measure the work */
export function beginRow(most: number = LIMITS.importRowWorkMax): void {
  left[0] = most
}

/** The work that was done since the last beginRow, in units. */
export function workOfRow(): number {
  return LIMITS.importRowWorkMax - remaining()
}

/** Resets the counter and passes the row to `taker`. A row that needs too much work is added to `ready` with a fault. */
export function takeRow<R extends { line: number }>(
  taker: { take(raw: R, ready: RawRow[]): void },
  raw: R,
  ready: RawRow[],
): void {
  beginRow()
  try {
    taker.take(raw, ready)
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    ready.push({ line: raw.line, fault: error.message })
  }
}

/** Counts work, before it is done. @throws TooMuchWork */
export function countWork(units: number): void {
  const after = remaining() - units
  left[0] = after
  if (after < 0) throw new TooMuchWork()
}

/** Counts reading or copying a text or a list. @throws TooMuchWork */
export function countReading({ length }: { length: number }): void {
  countWork(1 + length / 8)
}
