import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { Chart, type Series } from '../../components/chart.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/page.tsx'
import { useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './overview.module.css'
import { sumOf } from './sum.ts'

type Hour = Answer<'GET /panel/api/accounts/{account_id}/hours'>['data'][number]

const HOURS = { hours: 48, days: 336 } as const
type Span = keyof typeof HOURS
const LIVE_MS = 60_000

/** Sums the hours of each day, by days in the account's time zone. */
function byDay(hours: readonly Hour[], dayOf: (moment: Date) => string): Hour[] {
  return [...Map.groupBy(hours, ({ from }) => dayOf(new Date(from))).values()].flatMap((rows) => {
    const [first] = rows
    if (first === undefined) return []
    return {
      from: first.from,
      changes: sumOf(rows.map(({ changes }) => changes)),
      delivered: sumOf(rows.map(({ delivered }) => delivered)) ?? 0,
      failed: sumOf(rows.map(({ failed }) => failed)) ?? 0,
    }
  })
}

/** Changes and deliveries per hour or day, as bars. Loaded lazily, because of the chart library. */
export default function Charts() {
  const { t } = useTranslation('overview')
  const format = useFormats()
  const [span, setSpan] = useState<Span>('hours')
  const isByDay = span === 'days'
  const hours = useRead(
    'GET /panel/api/accounts/{account_id}/hours',
    { params: useAccountParams(), query: { hours: HOURS[span] } },
    { everyMs: LIVE_MS },
  )
  const sum = (rows: readonly Hour[], of: (hour: Hour) => number | null) => sumOf(rows.map(of)) ?? 0
  const changes: Series<Hour>[] = [{ name: t('charts.changes'), of: (hour) => hour.changes, color: 1 }]
  const deliveries: Series<Hour>[] = [
    { name: t('charts.delivered'), of: (hour) => hour.delivered, color: 2 },
    { name: t('charts.failed'), of: (hour) => hour.failed, color: 3 },
  ]
  const changesTitle = t(isByDay ? 'charts.changesByDay' : 'charts.changesTitle')
  const deliveriesTitle = t(isByDay ? 'charts.deliveriesByDay' : 'charts.deliveriesTitle')
  return (
    <>
      <SegmentedControl
        className={classes.span}
        aria-label={t('charts.span.label')}
        value={span}
        data={[
          { value: 'hours', label: t('charts.span.hours') },
          { value: 'days', label: t('charts.span.days') },
        ]}
        onChange={(value) => setSpan(value === 'days' ? 'days' : 'hours')}
      />
      <Loaded query={hours} lines={6}>
        {({ data: read }) => {
          const data = isByDay ? byDay(read, format.day) : read
          return (
            <div className={classes.charts}>
              <Section
                title={changesTitle}
                actions={<span className={classes.total}>{format.number(sum(data, (hour) => hour.changes))}</span>}
              >
                {sum(data, (hour) => hour.changes) === 0 ? (
                  <p className={classes.hint}>{t(isByDay ? 'charts.noChangesByDay' : 'charts.noChanges')}</p>
                ) : (
                  <Chart label={changesTitle} isByDay={isByDay} rows={data} series={changes} at={(hour) => hour.from} />
                )}
              </Section>
              <Section
                title={deliveriesTitle}
                actions={
                  <span className={classes.total}>
                    {t('charts.sums', {
                      delivered: format.number(sum(data, (hour) => hour.delivered)),
                      failed: format.number(sum(data, (hour) => hour.failed)),
                    })}
                  </span>
                }
              >
                {sum(data, (hour) => hour.delivered) + sum(data, (hour) => hour.failed) === 0 ? (
                  <p className={classes.hint}>{t(isByDay ? 'charts.noDeliveriesByDay' : 'charts.noDeliveries')}</p>
                ) : (
                  <Chart
                    label={deliveriesTitle}
                    isByDay={isByDay}
                    rows={data}
                    series={deliveries}
                    at={(hour) => hour.from}
                    isStacked
                  />
                )}
              </Section>
            </div>
          )
        }}
      </Loaded>
    </>
  )
}
