import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { CodePicker } from '../../components/code-picker.tsx'
import { useRead } from '../../api/read.ts'
import { useAccountParams } from '../../session/account.ts'
import { useAccountTimeZone, useFormats } from '../../words/format.ts'
import { type Schedule, type ScheduleKind, timesOf, type TypedSchedule, WEEK, writtenSchedule } from './schedule.ts'
import classes from './supplier.module.css'

const KINDS: readonly ScheduleKind[] = ['none', 'every', 'times', 'cron']
/** Milliseconds without typing before the service is asked. */
const TYPING_MS = 250
const MOMENTS = 4

/** When the file is fetched automatically, with the next times as the service computes them. */
export function ScheduleField({
  value,
  set,
  fault,
}: {
  value: TypedSchedule
  set: (changes: Partial<TypedSchedule>) => void
  fault: (name: 'cron' | 'every_minutes' | 'time_zone') => string | undefined
}) {
  const { t } = useTranslation('sources')
  const nameOf = useDayNames()
  const ownZone = useAccountTimeZone()
  const error = fault('cron')
  return (
    <fieldset className={classes.fieldset}>
      <legend>{t('schedule.title')}</legend>
      <NativeSelect
        label={t('schedule.when')}
        name="when"
        value={value.when}
        data={KINDS.map((kind) => ({ value: kind, label: t(`schedule.kinds.${kind}`) }))}
        onChange={(event) => set({ when: event.currentTarget.value as ScheduleKind })}
      />
      {value.when === 'every' ? (
        <TextInput
          label={t('schedule.minutes')}
          name="every_minutes"
          inputMode="numeric"
          dir="ltr"
          value={value.every}
          error={fault('every_minutes')}
          styles={{ wrapper: { maxWidth: 220 } }}
          onChange={(event) => set({ every: event.currentTarget.value })}
        />
      ) : null}
      {value.when === 'times' ? (
        <>
          <TextInput
            type="time"
            label={t('schedule.time')}
            name="time"
            value={value.time}
            error={error}
            styles={{ wrapper: { maxWidth: 220 } }}
            onChange={(event) => set({ time: event.currentTarget.value })}
          />
          <Checkbox.Group
            label={t('schedule.on')}
            value={value.days.map(String)}
            onChange={(days) => set({ days: WEEK.filter((day) => days.includes(String(day))) })}
          >
            <div className={classes.days}>
              {WEEK.map((day) => (
                <Checkbox key={day} value={String(day)} label={nameOf(day)} />
              ))}
            </div>
          </Checkbox.Group>
        </>
      ) : null}
      {value.when === 'cron' ? (
        <TextInput
          label={t('schedule.expression')}
          description={t('schedule.expressionHint')}
          name="cron"
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          value={value.cron}
          error={error}
          onChange={(event) => set({ cron: event.currentTarget.value })}
        />
      ) : null}
      {value.when === 'times' || value.when === 'cron' ? (
        <CodePicker
          kind="timeZone"
          label={t('schedule.zone')}
          description={t('schedule.zoneHint', { zone: ownZone })}
          name="time_zone"
          placeholder={ownZone}
          value={value.zone}
          error={fault('time_zone')}
          onChange={(zone) => set({ zone })}
        />
      ) : null}
      {value.when === 'none' ? null : <Moments value={value} />}
    </fieldset>
  )
}

/** The next times of a schedule while it is typed, or its faults. */
function Moments({ value }: { value: TypedSchedule }) {
  const { t } = useTranslation('sources')
  const format = useFormats()
  const params = useAccountParams()
  const { cron, time_zone: zone, every_minutes: minutes } = writtenSchedule(value)
  const [asked] = useDebouncedValue(JSON.stringify([cron ?? '', zone ?? '', String(minutes ?? '')]), TYPING_MS)
  const [askedCron = '', askedZone = '', askedMinutes = ''] = JSON.parse(asked) as string[]
  const { data } = useRead('GET /panel/api/accounts/{account_id}/schedule', {
    params,
    query: { cron: askedCron, time_zone: askedZone, every_minutes: askedMinutes, count: MOMENTS },
  })
  const { moments = [], faults = [] } = data?.data ?? {}
  return (
    <div className={classes.moments} aria-live="polite">
      <p>{t('schedule.next')}</p>
      {faults.length > 0 ? (
        <p className={classes.fault}>{faults.map(({ reason }) => reason).join('; ')}</p>
      ) : (
        <ol>
          {moments.map((at) => (
            <li key={at}>{format.exact(new Date(at))}</li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** A Sunday. */
const SUNDAY_MS = Date.UTC(2026, 0, 4)
const DAY_MS = 86_400_000
const WORKDAYS = '1,2,3,4,5'

/** Names of the days of the week; 0 is Sunday. */
function useDayNames(): (day: number) => string {
  const { i18n } = useTranslation()
  const format = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' })
  return (day) => format.format(SUNDAY_MS + day * DAY_MS)
}

/** A source's schedule in words. */
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
