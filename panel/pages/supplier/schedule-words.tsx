import { useTranslation } from 'react-i18next'
import { useFormats } from '../../words/format.ts'
import { timesOf, WEEK, type Schedule } from './schedule.ts'

/** A Sunday. */
const SUNDAY_MS = Date.UTC(2026, 0, 4)
const DAY_MS = 86_400_000
const WORKDAYS = '1,2,3,4,5'

/** Names of the days of the week; 0 is Sunday. */
export function useDayNames(): (day: number) => string {
  const { i18n } = useTranslation()
  const format = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' })
  return (day) => format.format(SUNDAY_MS + day * DAY_MS)
}

/** When a source is fetched by itself, in words. */
export function useScheduleWords(): (schedule: Schedule) => string {
  const { t } = useTranslation('sources')
  const format = useFormats()
  const nameOf = useDayNames()
  return ({ cron, time_zone: zone, every_minutes: minutes }) => {
    if (minutes !== null) return t('schedule.every', { count: minutes })
    if (cron === null) return t('schedule.none')
    const times = timesOf(cron)
    const at = { time: times?.time ?? '', zone: zone ?? '' }
    if (times === null) return t('schedule.cron', { cron, zone: zone ?? '' })
    if (times.days.length === WEEK.length) return t('schedule.daily', at)
    if (times.days.join() === WORKDAYS) return t('schedule.workdays', at)
    return t('schedule.days', { ...at, days: format.list(times.days.map(nameOf)) })
  }
}
