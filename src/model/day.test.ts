import { expect, test } from 'vitest'
import { daysBefore, isCalendarDay } from './day.ts'

test('days before a day, over months, leap years and years, are those of the calendar', () => {
  for (let i = 0; i < 2_000; i++) {
    const at = Date.UTC(2023, 11, 15) + i * 86_400_000
    const day = (time: number) => new Date(time).toISOString().slice(0, 10)
    expect(daysBefore(day(at), 30)).toBe(day(at - 30 * 86_400_000))
    expect(daysBefore(day(at), 400)).toBe(day(at - 400 * 86_400_000))
    expect(isCalendarDay(day(at))).toBe(true)
  }
  for (const text of ['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', 'soon', ''])
    expect(isCalendarDay(text)).toBe(false)
})
