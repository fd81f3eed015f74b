import { Cron } from 'croner'
import { LIMITS } from '../../platform/limits.ts'
import { asError } from '../../platform/errors.ts'

/** When a source is fetched automatically: by `cron` in a time zone, every so many minutes, or not at all. */
export interface Schedule {
  cron: string | null
  timeZone: string
  everyMinutes: number | null
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Runs that are looked at to see how near each other they are: all of a day, if they may be five minutes apart. */
const LOOKED_RUNS = 300

/**
 * The first time of a schedule after a moment; null where there is none. On the days on which clocks change, a time that does not exist
 * is the first one after the gap, and one that exists twice is the first of the two; schedules of every hour go on as time does.
 */
export function nextRunAt(schedule: Schedule, after: Date): Date | null {
  const { cron, timeZone, everyMinutes } = schedule
  if (everyMinutes !== null) return new Date(after.getTime() + everyMinutes * MINUTE_MS)
  return cron === null ? null : opened(cron, timeZone).nextRun(after)
}

/** What is wrong with a cron expression; null: nothing. Times must be as far apart as LIMITS.sourceEveryMinutesMin. */
export function cronFault(cron: string, timeZone: string, now: Date): string | null {
  if (cron.trim().split(/\s+/).length !== 5)
    return 'must have five fields: minute, hour, day of the month, month, day of the week, such as 30 5 * * *'
  let job: Cron
  try {
    job = opened(cron, timeZone)
  } catch (error) {
    return `is not a cron expression: ${asError(error).message.replace(/^CronPattern: /, '')}`
  }
  const first = job.nextRun(now)
  if (first === null) return 'never comes: no such day exists'
  let last = first
  for (let looked = 1; looked < LOOKED_RUNS && last.getTime() - first.getTime() <= DAY_MS; looked++) {
    const next = job.nextRun(last)
    if (next === null) break
    if (next.getTime() - last.getTime() < LIMITS.sourceEveryMinutesMin * MINUTE_MS)
      return `must not come more often than every ${LIMITS.sourceEveryMinutesMin} minutes`
    last = next
  }
  return null
}

function opened(cron: string, timeZone: string): Cron {
  // no-wildcard: 15,45 2 * * * names times of the day as 30 2 * * * does, and is neither left out nor run twice when clocks change
  return new Cron(cron, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true })
}
