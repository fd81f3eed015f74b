import { Cron } from 'croner'
import { remembered } from '../../platform/caches/remembered.ts'
import { asError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

/** When a source is fetched automatically: by `cron` in a time zone, every `everyMinutes` minutes, or never (both null). */
export interface Schedule {
  cron: string | null
  timeZone: string
  everyMinutes: number | null
}

const MINUTE_MS = 60_000
/** Any midnight: the result does not depend on the day. */
const EPOCH = new Date('2024-01-01T00:00:00Z')
/** How many runs are examined to find two on consecutive days: those of eight days, a week and a day. */
const LOOKED_RUNS = 32

/**
 * The first time of a schedule after a moment; null if there is none. When clocks change, a local time that does not exist means the first one after
 * the gap, and one that exists twice means the first of the two; hourly schedules are not affected.
 */
export function nextRunAt(schedule: Schedule, after: Date): Date | null {
  const { cron, timeZone, everyMinutes } = schedule
  if (everyMinutes !== null) return new Date(after.getTime() + everyMinutes * MINUTE_MS)
  return cron === null ? null : opened(cron, timeZone).nextRun(after)
}

/**
 * What is wrong with a cron expression; null: nothing. Runs must be at least LIMITS.sourceEveryMinutesMin apart. The result does not depend on the
 * time zone and is cached: calling this before a transaction makes the call within it free.
 */
export function cronFault(cron: string): string | null {
  if (cron.length > LIMITS.sourceCronLengthMax) return `must have at most ${LIMITS.sourceCronLengthMax} characters`
  return faultOf(cron)
}

const faultOf = remembered(LIMITS.sourceCronsKept, (cron: string): string | null => {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== 5)
    return 'must have five fields: minute, hour, day of the month, month, day of the week, such as 30 5 * * *'
  let job: Cron
  try {
    job = opened(cron, 'UTC')
  } catch (error) {
    return `is not a cron expression: ${asError(error).message.replace(/^CronPattern: /, '')}`
  }
  const [minute, hour, ...days] = fields
  // computed from the fields: going through the runs of a day, up to 288, took 50 ms
  const minutes = matching(`${minute} * * * *`, 60, MINUTE_MS)
  const hours = matching(`0 ${hour} * * *`, 24, 60 * MINUTE_MS)
  const first = must(minutes[0])
  const last = must(minutes.at(-1))
  const isTight = last + LIMITS.sourceEveryMinutesMin > first + 60
  const isOften =
    minutes.some((at, i) => i > 0 && at - must(minutes[i - 1]) < LIMITS.sourceEveryMinutesMin) ||
    (isTight && hours.some((at, i) => i > 0 && at - must(hours[i - 1]) === 1))
  const start = job.nextRun(EPOCH)
  if (start === null) return 'never comes: no such day exists'
  if (isOften || (isTight && hours[0] === 0 && hours.at(-1) === 23 && hasConsecutiveDays(first, last, days)))
    return `must not come more often than every ${LIMITS.sourceEveryMinutesMin} minutes`
  return null
})

/** The steps among the first `count` of a day at which the expression matches. */
function matching(cron: string, count: number, stepMs: number): number[] {
  const job = opened(cron, 'UTC')
  return Array.from({ length: count }, (_, i) => i).filter((i) => job.match(new Date(EPOCH.getTime() + i * stepMs)))
}

/**
 * Whether the schedule names two consecutive days, so that the last run of one day is followed too soon by the first of the next. `first` and `last`
 * are minutes of the hour.
 */
function hasConsecutiveDays(first: number, last: number, days: readonly string[]): boolean {
  const job = opened(`${first},${last} 0,23 ${days.join(' ')}`, 'UTC')
  let before = job.nextRun(EPOCH)
  for (let looked = 0; before !== null && looked < LOOKED_RUNS; looked++) {
    const next = job.nextRun(before)
    if (next !== null && next.getTime() - before.getTime() < LIMITS.sourceEveryMinutesMin * MINUTE_MS) return true
    before = next
  }
  return false
}

function opened(cron: string, timeZone: string): Cron {
  // no-wildcard: 15,45 2 * * * means times of the day, like 30 2 * * *, and is neither skipped nor run twice when clocks change
  return new Cron(cron, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true })
}
