import type { NameGuess } from './column-names.ts'
import type { PriceColumn } from './price-columns.ts'
import type { Column, SampleRows } from './sample-columns.ts'

/** Says why a member of the mapping is proposed. */
export type Note = (path: string, reason: string) => void
/** Asks the merchant about what the file does not show for certain, and of which field: a warning of the answer. */
export type Ask = (question: string, field?: string) => void

/** What a column may be. */
export interface Guessed {
  column: Column
  guess: NameGuess
  /** The share of its rows that are so. */
  fit: number
}

/** The fields of an offer while they are being proposed: what is decided later sees what was decided before. */
export interface Draft {
  readonly columns: readonly Column[]
  readonly rows: SampleRows
  /** The columns of prices whose names say what they are. */
  readonly prices: readonly PriceColumn[]
  readonly fields: Record<string, unknown>
  /** Names of columns that something is read from. */
  readonly used: Set<string>
  /** What was noted so far. */
  readonly reasons: [path: string, reason: string][]
  readonly note: Note
  readonly ask: Ask
}
