import { LIMITS } from '../platform/limits.ts'
import type { RawRow } from './rows.ts'

// What a mapping does to a row is counted while it is done. A row is read without a turn of the event loop, so one counter serves all files.
// docs/decisions/098-a-mapping-is-data.md says why.

/** Units left for the row at hand; in an array of numbers, because V8 makes an object for each fraction that a variable of a module takes. */
const left = Float64Array.of(LIMITS.importRowWorkMax)

/** The mapping would do more to a row than is allowed. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'

  constructor() {
    super(
      `needs more work than one row may: shorten its values, or simplify the expressions, lists and replacements of the mapping (limit: ${LIMITS.importRowWorkMax})`,
    )
  }
}

const remaining = (): number => left[0] as number

/** Begins a row. @param most for tests of what more work would do */
export function beginRow(most: number = LIMITS.importRowWorkMax): void {
  left[0] = most
}

/** The work that was done since the last beginRow, in units. */
export function workOfRow(): number {
  return LIMITS.importRowWorkMax - remaining()
}

/** Begins a row and takes it. A row that needs too much work is ready as a fault. */
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

/** Counts work on a text, before it is done. @throws TooMuchWork */
export function spend(units: number): void {
  const after = remaining() - units
  left[0] = after
  if (after < 0) throw new TooMuchWork()
}

/** Counts the reading or copying of a text, or of a list. @throws TooMuchWork */
export function spendOn({ length }: { length: number }): void {
  spend(1 + length / 8)
}
