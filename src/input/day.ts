import { MUST } from '../../contract/values.ts'
import { butIs, quoted, type Verdict } from './verdict.ts'

/** Reads a day of the calendar. */
export function readDay(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${butIs(given)}` }
  return isDay(given) ? { value: given } : { reason: `must be a day such as 2026-11-30, not ${quoted(given)}` }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
