const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

function monthLength(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Whether a text is a day of PostgreSQL's calendar, which has no year 0: `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = DAY.exec(text) ?? []
  const [m, d] = [Number(month), Number(day)]
  return Number(year) > 0 && m >= 1 && m <= 12 && d >= 1 && d <= monthLength(Number(year), m)
}

/**
 * The day that many days before another, both `YYYY-MM-DD`. A negative number gives a later day only within the same
 * month.
 */
export function daysBefore(text: string, days: number): string {
  const [, ...parts] = DAY.exec(text) ?? []
  let [year = 1, month = 1, day = 1] = parts.map(Number)
  day -= days
  while (day < 1) {
    month--
    if (month === 0) [year, month] = [year - 1, 12]
    day += monthLength(year, month)
  }
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
