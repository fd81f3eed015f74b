import { readDay } from '../../input/day.ts'
import { quoted, type Verdict } from '../../input/verdict.ts'

/** A day, perhaps with a time: `2026-11-30`, `2026-11-30 23:59:59`, `2026-11-30T00:00+0100`. */
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}:\d{2})(?::\d{2})?(?:\.\d+)?\s*(?:Z|[+-]\d{2}:?\d{2})?)?$/
/** `30.11.2026`: wherever dots are written, the day is first. */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[, ]+\d{1,2}:\d{2}(?::\d{2})?)?$/
/** Magento's `11/30/26` and `11/30/2026, 12:00 AM`: the month first. */
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})(?:,? +\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?)?$/

/**
 * Reads the first or last day of a sale as files write it. The time of a day, and its time zone, are ignored. In a period such as Google's
 * `2026-11-27T00:00+0100/2026-11-30T23:59+0100`, `end` chooses the day, and an end at midnight means the day before it. null: the cell is
 * empty.
 */
export function readFileSaleDay(text: string, end: 'first' | 'last'): Verdict<string | null> {
  if (text === '') return { value: null }
  const [first = '', second, ...others] = text.split(/\s*\/\s*(?=\d{4}-)/)
  if (others.length > 0) return { reason: `must be a day or a period, not ${quoted(text)}` }
  if (second === undefined) return dayOf(first.trim(), false)
  return end === 'first' ? dayOf(first.trim(), false) : dayOf(second.trim(), true)
}

function dayOf(text: string, isEndOfPeriod: boolean): Verdict<string | null> {
  const padded = (digits = '') => digits.padStart(2, '0')
  const [, year, month, day, time] = ISO.exec(text) ?? []
  if (year !== undefined) {
    const read = readDay(`${year}-${padded(month)}-${padded(day)}`)
    return isEndOfPeriod && time !== undefined && /^0?0:00$/.test(time) && 'value' in read
      ? { value: new Date(Date.parse(`${read.value}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10) }
      : read
  }
  const [, dayFirst, second, dottedYear] = DOTTED.exec(text) ?? []
  if (dottedYear !== undefined) return readDay(`${dottedYear}-${padded(second)}-${padded(dayFirst)}`)
  const [, monthFirst, slashedDay, slashedYear] = SLASHED.exec(text) ?? []
  if (slashedYear !== undefined)
    return readDay(
      `${slashedYear.length === 2 ? `20${slashedYear}` : slashedYear}-${padded(monthFirst)}-${padded(slashedDay)}`,
    )
  return readDay(text)
}
