import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../words/format.ts'
import { GRID, TIME_AXIS, TOOLTIP, VALUE_AXIS } from './chart-look.ts'
import classes from './chart.module.css'
import { useNow } from './relative-time.tsx'

export interface Series<T> {
  name: string
  /** null: not counted at that time. */
  of: (row: T) => number | null
  /** The colour of the series; its pattern differs as well. */
  color: 1 | 2 | 3
}

const HEIGHT = 160

/**
 * Counts per hour or day as bars, with the same data as a table for screen readers. Import it lazily: its library is larger than the rest
 * of a page.
 */
export function Chart<T>({
  label,
  rows,
  series,
  at,
  isStacked = false,
  isByDay = false,
}: {
  label: string
  rows: readonly T[]
  series: readonly Series<T>[]
  /** RFC 3339. */
  at: (row: T) => string
  isStacked?: boolean
  /** Each row is a day instead of an hour. */
  isByDay?: boolean
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const now = useNow()
  const data = rows.map((row) => ({
    at: at(row),
    ...Object.fromEntries(series.map(({ name, of }) => [name, of(row)])),
  }))
  const clock = (moment: string) => (isByDay ? format.day(new Date(moment)) : format.clock(new Date(moment), now))
  return (
    <figure className={classes.chart}>
      <div aria-hidden="true">
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <BarChart
            data={data}
            margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
            barCategoryGap={1}
            accessibilityLayer={false}
          >
            <CartesianGrid {...GRID} />
            <XAxis {...TIME_AXIS} dataKey="at" tickFormatter={clock} minTickGap={48} />
            <YAxis
              {...VALUE_AXIS}
              width={52}
              allowDecimals={false}
              tickFormatter={(value: number) => format.number(value)}
              tickCount={4}
            />
            <Tooltip
              {...TOOLTIP}
              cursor={{ fill: 'var(--sw-hover)' }}
              labelFormatter={(moment) =>
                typeof moment !== 'string' ? '' : isByDay ? clock(moment) : format.exact(new Date(moment))
              }
              formatter={(value) => format.number(Number(value))}
            />
            {series.map(({ name, color }) => (
              <Bar
                key={name}
                dataKey={name}
                fill={`var(--sw-series-${color})`}
                isAnimationActive={false}
                maxBarSize={18}
                {...(isStacked ? { stackId: 'all' } : {})}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <figcaption className={classes.legend} aria-hidden="true">
        {series.map(({ name, color }) => (
          <span key={name}>
            <i style={{ background: `var(--sw-series-${color})` }} />
            {name}
          </span>
        ))}
      </figcaption>
      <table className={classes.hidden}>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t('chart.time')}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            .filter((row) => series.some(({ of }) => (of(row) ?? 0) > 0))
            .map((row) => (
              <tr key={at(row)}>
                <th scope="row">{clock(at(row))}</th>
                {series.map(({ name, of }) => (
                  <td key={name}>{of(row) ?? t('chart.unknown')}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  )
}
