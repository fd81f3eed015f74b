import { MUST } from '../../contract/values.ts'
import { butIs, quoted, type Verdict } from './verdict.ts'

/** Reads a day of the calendar. */
export function readDay(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${butIs(given)}` }
  return isDay(given) ? { value: given } : { reason: `must be a day such as 2026-11-30, not ${quoted(given)}` }
}

/** Checked against PostgreSQL's calendar, which has no year 0. */
function isDay(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (match === null) return false
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return year > 0 && day >= 1 && day <= days
}
