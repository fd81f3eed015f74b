import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { Chart, type Series } from '../../components/chart.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/page.tsx'
import { useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './overview.module.css'

type Hour = Answer<'GET /panel/api/accounts/{account_id}/hours'>['data'][number]

const HOURS = 48
const LIVE_MS = 60_000

/** Changes and deliveries by the hour, as lines. Loaded apart, because of the chart library. */
export default function Charts() {
  const { t } = useTranslation('overview')
  const format = useFormats()
  const hours = useRead(
    'GET /panel/api/accounts/{account_id}/hours',
    { params: useAccountParams(), query: { hours: HOURS } },
    { everyMs: LIVE_MS },
  )
  const sum = (rows: readonly Hour[], of: (hour: Hour) => number | null) =>
    rows.reduce((total, hour) => total + (of(hour) ?? 0), 0)
  const changes: Series<Hour>[] = [{ name: t('charts.changes'), of: (hour) => hour.changes, color: 1 }]
  const deliveries: Series<Hour>[] = [
    { name: t('charts.delivered'), of: (hour) => hour.delivered, color: 2 },
    { name: t('charts.failed'), of: (hour) => hour.failed, color: 3 },
  ]
  return (
    <Loaded query={hours} lines={6}>
      {({ data }) => (
        <div className={classes.charts}>
          <Section
            title={t('charts.changesTitle')}
            actions={<span className={classes.total}>{format.number(sum(data, (hour) => hour.changes))}</span>}
          >
            {sum(data, (hour) => hour.changes) === 0 ? (
              <p className={classes.hint}>{t('charts.noChanges')}</p>
            ) : (
              <Chart label={t('charts.changesTitle')} rows={data} series={changes} at={(hour) => hour.from} />
            )}
          </Section>
          <Section
            title={t('charts.deliveriesTitle')}
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
              <p className={classes.hint}>{t('charts.noDeliveries')}</p>
            ) : (
              <Chart
                label={t('charts.deliveriesTitle')}
                rows={data}
                series={deliveries}
                at={(hour) => hour.from}
                isStacked
              />
            )}
          </Section>
        </div>
      )}
    </Loaded>
  )
}
