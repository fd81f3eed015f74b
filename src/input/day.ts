import { MUST } from '../../contract/values.ts'
import { isCalendarDay } from '../model/day.ts'
import { actualValueSuffix, quoted, type Verdict } from './verdict.ts'

/** Reads a calendar day, `YYYY-MM-DD`. */
export function readDay(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${actualValueSuffix(given)}` }
  return isCalendarDay(given) ? { value: given } : { reason: `must be a day such as 2026-11-30, not ${quoted(given)}` }
}
