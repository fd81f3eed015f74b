import StepChart from '../../components/step-chart.tsx'
import { useFormats } from '../../words/format.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 5)
const POINTS = [12.5, 11.9, null, 13.2, 12.9].map((value, i) => ({
  at: new Date(START + i * 9 * DAY_MS).toISOString(),
  value,
}))

export default function ExampleSteps() {
  const format = useFormats()
  return (
    <StepChart
      label="Price"
      points={POINTS}
      shown={(value) => format.money(value, 'EUR')}
      summary="A line with five prices."
    />
  )
}
