import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { useFormats } from '../words/format.ts'
import { GRID, TIME_AXIS, TOOLTIP, VALUE_AXIS } from './chart-look.ts'
import classes from './chart.module.css'
import { useNow } from './relative-time.tsx'

const HEIGHT = 220
const EVERY_MS = 60_000
const DAYS_MS = 3 * 86_400_000

/**
 * A value that stays constant until it changes, such as a price, as a step line up to now. Show a table with the same data beside it,
 * to which screen readers are referred. Import it lazily: its library is larger than the rest of a page.
 */
export default function StepChart({
  label,
  points,
  shown,
  summary,
}: {
  label: string
  /** Oldest first; null: no value from then on. `at` is RFC 3339. */
  points: readonly { at: string; value: number | null }[]
  /** Formats a value with its unit. */
  shown: (value: number) => string
  /** A description of the line for screen readers. */
  summary: string
}) {
  const format = useFormats()
  // rounded to the minute, so that the line does not move while one looks at it
  const now = Math.floor(useNow().getTime() / EVERY_MS) * EVERY_MS
  const rows = points.map(({ at, value }) => ({ at: new Date(at).getTime(), value }))
  const last = rows.at(-1)
  const first = rows[0]?.at ?? now
  // within a short range the hour is more useful than the day
  const tick = (at: number) =>
    now - first > DAYS_MS ? format.day(new Date(at)) : format.clock(new Date(at), new Date(now))
  const data = last === undefined ? [] : [...rows, { at: Math.max(now, last.at + EVERY_MS), value: last.value }]
  return (
    <figure className={classes.chart}>
      <div aria-hidden="true">
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <LineChart data={data} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
            <CartesianGrid {...GRID} />
            <XAxis
              {...TIME_AXIS}
              dataKey="at"
              type="number"
              scale="time"
              domain={['dataMin', 'dataMax']}
              tickFormatter={tick}
              minTickGap={64}
            />
            <YAxis {...VALUE_AXIS} width={84} domain={['auto', 'auto']} tickFormatter={shown} tickCount={5} />
            <Tooltip
              {...TOOLTIP}
              cursor={{ stroke: 'var(--sw-line-strong)' }}
              labelFormatter={(at) => format.exact(new Date(Number(at)))}
              formatter={(value) => [shown(Number(value)), label]}
            />
            <Line
              type="stepAfter"
              dataKey="value"
              stroke="var(--sw-series-1)"
              strokeWidth={2}
              dot={data.length < 40 ? { r: 2.5, fill: 'var(--sw-series-1)', strokeWidth: 0 } : false}
              connectNulls={false}
              isAnimationActive={false}
            />
          </LineChart>
        </ResponsiveContainer>
      </div>
      <figcaption className={classes.hidden}>{summary}</figcaption>
    </figure>
  )
}
