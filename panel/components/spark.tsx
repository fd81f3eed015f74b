import classes from './spark.module.css'

const STEP = 4
const HEIGHT = 24

/**
 * Consecutive counts as small bars beside their total. It is decorative and needs no library, so that it can be at the top of a page
 * (docs/decisions/253-the-overview-opens-with-two-numbers.md). `marked`: the part of each count that is highlighted, at the top of its bar.
 */
export function Spark({ counts, marked }: { counts: readonly number[]; marked?: readonly number[] }) {
  const most = Math.max(1, ...counts)
  const tall = (count: number) => (count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT))
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${counts.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={classes.ground} d={`M0 ${HEIGHT - 0.5}H${counts.length * STEP}`} />
      {counts.map((count, i) => {
        const high = tall(count)
        const apart = Math.min(high, tall(marked?.[i] ?? 0))
        return (
          // bars have no identity and never move
          <g key={i}>
            <rect className={classes.bar} x={i * STEP} y={HEIGHT - high} width={STEP - 1} height={high} />
            {apart === 0 ? null : (
              <rect className={classes.marked} x={i * STEP} y={HEIGHT - high} width={STEP - 1} height={apart} />
            )}
          </g>
        )
      })}
    </svg>
  )
}
