import { Exact, minorDigits, toMinor } from '../model/money.ts'
import type { RoundingInput } from './inputs.ts'

/** Digits after the decimal point that count: what is beyond them is the error of a 40-digit division, not money. */
const SETTLED_DIGITS = 12

/** Removes the error of a division, so that 9.999…9 (cost / 3 x 3) is 10 before anything is rounded up or down. */
export function settle(amount: Exact): Exact {
  return amount.toDecimalPlaces(SETTLED_DIGITS, Exact.ROUND_HALF_UP)
}

export interface Rounding {
  step: Exact
  ending: Exact
  direction: RoundingInput['direction']
}

export function compileRounding(input: RoundingInput | undefined): Rounding | null {
  if (input === undefined) return null
  return { step: new Exact(input.step), ending: new Exact(input.ending), direction: input.direction }
}

/** The nearest prices that a rounding allows below and above an amount; both are the amount if it is allowed itself. */
export function neighbours(amount: Exact, { step, ending }: Rounding): { lower: Exact; upper: Exact } {
  const steps = amount.minus(ending).dividedBy(step)
  return {
    lower: steps.floor().times(step).plus(ending),
    upper: steps.ceil().times(step).plus(ending),
  }
}

/** Bounds that rounding must not cross; where they contradict, the floor wins over the ceiling. */
export interface Bounds {
  floor: Exact | null
  ceiling: Exact | null
}

/** What decided the rounding of a price. */
export type RoundedBy = 'direction' | 'bounds' | 'minor_digits'

/**
 * Rounds a price within its bounds, in the direction of the rounding. A price that would fall below its floor is
 * rounded up instead, one that would exceed its ceiling is rounded down. Where no allowed price is between the two, and
 * without a rounding, it is rounded to the currency's minor digits, half up. A step or an ending never makes a price 0.
 */
export function roundPrice(
  amount: Exact,
  rounding: Rounding | null,
  bounds: Bounds,
  currency: string,
): { price: Exact; by: RoundedBy } {
  if (amount.lessThanOrEqualTo(0)) return { price: new Exact(0), by: 'minor_digits' }
  if (rounding !== null) {
    const { lower, upper } = neighbours(amount, rounding)
    const isLowerNearer = amount.minus(lower).lessThan(upper.minus(amount))
    const isDown = rounding.direction === 'down' || (rounding.direction === 'nearest' && isLowerNearer)
    const [first, second] = isDown ? [lower, upper] : [upper, lower]
    if (fits(first, bounds)) return { price: first, by: 'direction' }
    if (fits(second, bounds)) return { price: second, by: 'bounds' }
  }
  return { price: toMinorWithin(amount, bounds, currency), by: 'minor_digits' }
}

function fits(price: Exact, { floor, ceiling }: Bounds): boolean {
  if (price.lessThanOrEqualTo(0)) return false
  if (floor !== null && price.lessThan(floor)) return false
  // a ceiling below the floor does not count
  return ceiling === null || price.lessThanOrEqualTo(ceiling) || (floor !== null && floor.greaterThan(ceiling))
}

function toMinorWithin(amount: Exact, { floor, ceiling }: Bounds, currency: string): Exact {
  const rounded = toMinor(amount, currency)
  const up = () => amount.toDecimalPlaces(minorDigits(currency), Exact.ROUND_UP)
  if (floor !== null && rounded.lessThan(floor)) return up()
  if (ceiling === null || rounded.lessThanOrEqualTo(ceiling) || (floor !== null && floor.greaterThan(ceiling)))
    return rounded
  const down = amount.toDecimalPlaces(minorDigits(currency), Exact.ROUND_DOWN)
  // no price with these digits is between the two: the floor wins here as everywhere
  return floor !== null && down.lessThan(floor) ? up() : down
}
