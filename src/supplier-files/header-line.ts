import { guessByName } from './column-names.ts'
import { memberText } from './rows.ts'

/** A name that is known as it is, and not only as a part of the column's name. */
const KNOWN_SCORE = 2.5

/**
 * The line of the record that names the columns, among the first records of a table: the one with most known names; or else the first
 * one that is as wide as most others and has no numbers.
 * @returns undefined when there are no records
 */
export function headerAmong(records: readonly { line: number; cells: readonly unknown[] }[]): number | undefined {
  const candidates = records.map(({ line, cells }) => {
    const texts = cells.map(memberText).filter((text) => text !== '')
    return {
      line,
      filled: texts.length,
      known: texts.filter((text) => guessByName(text).some(({ score }) => score >= KNOWN_SCORE)).length,
      hasNumbers: texts.some((text) => /^[\d.,\s%€$£-]+$/.test(text)),
    }
  })
  const mostKnown = Math.max(0, ...candidates.map(({ known }) => known))
  if (mostKnown >= 2) return candidates.find(({ known }) => known === mostKnown)?.line
  const usual = candidates.map(({ filled }) => filled).toSorted((a, b) => a - b)[Math.floor(candidates.length / 2)] ?? 0
  const first = candidates[0]
  if (first === undefined || first.filled >= usual) return first?.line
  return candidates.find(({ filled, hasNumbers }) => filled >= usual && !hasNumbers)?.line ?? first.line
}
