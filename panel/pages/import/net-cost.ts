import { columnsIn, isObject, type Doc, type Source } from './mapping.ts'
import type { FileColumn } from './columns.ts'

// Costs that are read from prices with VAT.

const FORMULA = /^gross \* 100 \/ \(100 \+ (\d{1,2}(?:\.\d{1,2})?)\)$/

/** The same cost without VAT. @param rate in percent, as plain decimal text */
export const netOf = (source: Source, rate: string): Source => ({
  calc: `gross * 100 / (100 + ${rate})`,
  of: { gross: source },
})

/** The rate of the VAT that is taken off, in percent, and what it is taken off; null where that is not so. */
export function vatTakenOff(source: unknown): { rate: string; gross: Source } | null {
  if (!isObject(source) || typeof source['calc'] !== 'string' || !isObject(source['of'])) return null
  const rate = FORMULA.exec(source['calc'])?.[1]
  const gross = source['of']['gross']
  if (rate === undefined || (typeof gross !== 'string' && !isObject(gross))) return null
  return { rate, gross }
}

/** A rate as people type it, in percent and below 100; null for what is none. */
export function rateOf(typed: string): string | null {
  const text = typed.trim().replace(/\s*%$/, '').replace(',', '.')
  return /^\d{1,2}(?:\.\d{1,2})?$/.test(text) && Number(text) > 0 ? text : null
}

/** A currency beside an amount gets lost in a formula: it is read from the same column. */
export function currencyBeside(source: unknown, columns: readonly FileColumn[]): Doc | undefined {
  const beside = columnsIn(source).find((name) =>
    columns.find((column) => column.name === name)?.samples.some((sample) => /\b[A-Z]{3}\b/.test(sample)),
  )
  return beside === undefined ? undefined : { column: beside, capture: '[A-Z]{3}' }
}
