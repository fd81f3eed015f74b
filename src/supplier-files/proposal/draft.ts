import type { NameGuess } from './column-names.ts'
import type { PriceColumn } from './price-columns.ts'
import type { Column, SampleRows } from './sample-columns.ts'

/** Records why a member of the mapping is proposed. */
export type Note = (path: string, reason: string) => void
/**
 * Asks the merchant about something that the file does not show for certain, perhaps about a field. The question
 * becomes a warning of the answer.
 */
export type Ask = (question: string, field?: string) => void

/** A field that a column may be. */
export interface Guessed {
  column: Column
  guess: NameGuess
  /** The share, 0 to 1, of its values that fit the field. */
  fit: number
}

/** The fields of an offer while they are being proposed. Later steps see the decisions of earlier ones. */
export interface Draft {
  readonly columns: readonly Column[]
  readonly rows: SampleRows
  /** The columns of prices whose names show their kind. */
  readonly prices: readonly PriceColumn[]
  readonly fields: Record<string, unknown>
  /** The names of columns that a field reads. */
  readonly used: Set<string>
  /** The reasons so far. */
  readonly reasons: [path: string, reason: string][]
  readonly note: Note
  readonly ask: Ask
}
