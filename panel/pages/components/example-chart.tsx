import { Chart } from '../../components/chart.tsx'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 5)
const ROWS = Array.from({ length: 24 }, (_, i) => ({
  at: new Date(START + i * HOUR_MS).toISOString(),
  accepted: i < 4 ? null : (i * 53) % 97,
  failed: i === 15 ? 12 : 0,
}))

export default function ExampleChart() {
  return (
    <Chart
      label="Deliveries"
      rows={ROWS}
      at={(row) => row.at}
      isStacked
      series={[
        { name: 'Accepted', of: (row) => row.accepted, color: 2 },
        { name: 'Failed', of: (row) => row.failed, color: 3 },
      ]}
    />
  )
}
