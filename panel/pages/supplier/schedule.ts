// A source's schedule as people enter it. The service computes the times.

export interface Schedule {
  cron: string | null
  time_zone: string | null
  every_minutes: number | null
}

export type ScheduleKind = 'none' | 'every' | 'times' | 'cron'

/** As it is typed. */
export interface TypedSchedule {
  when: ScheduleKind
  every: string
  /** Such as 05:30. */
  time: string
  /** 0 is Sunday, as in cron. */
  days: readonly number[]
  cron: string
  /** Empty: the account's. */
  zone: string
}

/** The days of the week from Monday on. */
export const WEEK: readonly number[] = [1, 2, 3, 4, 5, 6, 0]
const TIMES = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7](?:-[0-7])?(?:,[0-7](?:-[0-7])?)*)$/

export const NO_SCHEDULE: TypedSchedule = {
  when: 'none',
  every: '60',
  time: '05:30',
  days: WEEK,
  cron: '30 5 * * 1-6',
  zone: '',
}

/** The time and the days of the week of a cron expression; null if it contains more than that. */
export function timesOf(cron: string): { time: string; days: readonly number[] } | null {
  const [, minute = '', hour = '', week = ''] = TIMES.exec(cron.trim()) ?? []
  if (minute === '' || Number(minute) > 59 || Number(hour) > 23) return null
  const named = new Set(week === '*' ? WEEK : week.split(',').flatMap(daysOf))
  return { time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, days: WEEK.filter((day) => named.has(day)) }
}

function daysOf(part: string): number[] {
  const [from = 0, to = from] = part.split('-').map(Number)
  return Array.from({ length: Math.max(0, to - from) + 1 }, (_, i) => (from + i) % 7)
}

/** The form's values of a schedule. Without a time zone of its own, the field is empty. */
export function typedSchedule({ cron, time_zone: zone, every_minutes: minutes }: Schedule): TypedSchedule {
  const typed = { ...NO_SCHEDULE, zone: zone ?? '' }
  if (minutes !== null) return { ...typed, when: 'every', every: String(minutes) }
  if (cron === null) return typed
  const times = timesOf(cron)
  return times === null ? { ...typed, when: 'cron', cron } : { ...typed, when: 'times', cron, ...times }
}

/** The members to send. Invalid input is sent as it is, and the service refuses it. */
export function writtenSchedule({ when, every, time, days, cron, zone }: TypedSchedule): {
  cron: string | null
  time_zone: string | null
  every_minutes: number | string | null
} {
  const written = { cron: null, every_minutes: null, time_zone: zone.trim() === '' ? null : zone.trim() }
  if (when === 'every') return { ...written, every_minutes: /^\d{1,9}$/.test(every.trim()) ? Number(every) : every }
  if (when === 'cron') return { ...written, cron: cron.trim() }
  if (when === 'none') return written
  const [hour = '', minute = ''] = time.split(':')
  const week = days.length === WEEK.length ? '*' : WEEK.filter((day) => days.includes(day)).join(',')
  return { ...written, cron: `${Number(minute)} ${Number(hour)} * * ${week}` }
}
