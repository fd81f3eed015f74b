import { ceil, floor, minus, plus, times } from '../../model/arithmetic.ts'
import { Exact, isBelow, minorDigits, toMinor, toPlaces } from '../../model/money.ts'
import type { RoundingInput } from '../inputs.ts'

/** Significant digits after the decimal point: beyond them is the error of a 40-digit division, not money. */
const SETTLED_DIGITS = 12

/** Removes the error of a division, so that 9.999…9 (cost / 3 x 3) is 10 before anything is rounded up or down. */
export function settle(amount: Exact): Exact {
  return toPlaces(amount, SETTLED_DIGITS)
}

export interface Rounding {
  step: Exact
  ending: Exact
  direction: RoundingInput['direction']
  /** Whether the step is 1, as it mostly is: then divisions are saved. */
  isByOne: boolean
}

export function compileRounding(input: RoundingInput | undefined): Rounding | null {
  if (input === undefined) return null
  const step = new Exact(input.step)
  return { step, ending: new Exact(input.ending), direction: input.direction, isByOne: step.equals(1) }
}

/** The nearest price that a rounding allows, at or below an amount or at or above it. */
function neighbour(steps: Exact, side: 'lower' | 'upper', { step, ending, isByOne }: Rounding): Exact {
  const whole = side === 'lower' ? floor(steps) : ceil(steps)
  return plus(isByOne ? whole : times(whole, step), ending)
}

/** The side to round to. The other side is seldom needed, and computing it takes as long as the price itself. */
function preferredSide(amount: Exact, steps: Exact, rounding: Rounding): 'lower' | 'upper' {
  if (rounding.direction !== 'nearest') return rounding.direction === 'down' ? 'lower' : 'upper'
  const below = minus(amount, neighbour(steps, 'lower', rounding))
  return isBelow(below, minus(neighbour(steps, 'upper', rounding), amount)) ? 'lower' : 'upper'
}

/** Limits that rounding must not cross. */
export interface Bounds {
  floor: Exact | null
  ceiling: Exact | null
}

/** What decided the rounding; plain `minor_digits` is half up, its `up` and `down` are forced by a bound. */
export type RoundedBy = 'direction' | 'bounds' | 'minor_digits' | 'minor_digits up' | 'minor_digits down'

/**
 * Rounds a price within its bounds, in the direction of the rounding. A price that would fall below its floor is rounded
 * up instead, and one that would exceed its ceiling is rounded down. If no allowed price is within the bounds, or without
 * a rounding, it is rounded half up to the currency's minor unit; so is a price that would be rounded down to 0 or below,
 * because the next allowed price above may be many times as much. If the floor is above the ceiling, the price is the
 * floor, rounded half up to the minor unit. A step or an ending never makes a price 0.
 */
export function roundPrice(
  amount: Exact,
  rounding: Rounding | null,
  bounds: Bounds,
  currency: string,
): { price: Exact; by: RoundedBy } {
  const { floor, ceiling } = bounds
  if (!isPrice(amount)) return { price: new Exact(0), by: 'minor_digits' }
  if (floor !== null && ceiling !== null && isBelow(ceiling, floor))
    return { price: toMinor(floor, currency), by: 'minor_digits' }
  if (rounding !== null) {
    const above = minus(amount, rounding.ending)
    const steps = rounding.isByOne ? above : above.dividedBy(rounding.step)
    const side = preferredSide(amount, steps, rounding)
    const first = neighbour(steps, side, rounding)
    if (fits(first, bounds)) return { price: first, by: 'direction' }
    const second = neighbour(steps, side === 'lower' ? 'upper' : 'lower', rounding)
    if (isPrice(first) && fits(second, bounds)) return { price: second, by: 'bounds' }
  }
  return toMinorWithin(amount, bounds, currency)
}

const isPrice = (price: Exact) => !price.isZero() && !price.isNegative()

function fits(price: Exact, { floor, ceiling }: Bounds): boolean {
  if (!isPrice(price)) return false
  if (floor !== null && isBelow(price, floor)) return false
  return ceiling === null || !isBelow(ceiling, price)
}

function toMinorWithin(amount: Exact, { floor, ceiling }: Bounds, currency: string): { price: Exact; by: RoundedBy } {
  const rounded = toMinor(amount, currency)
  if (floor !== null && isBelow(rounded, floor))
    return { price: amount.toDecimalPlaces(minorDigits(currency), Exact.ROUND_UP), by: 'minor_digits up' }
  if (ceiling === null || !isBelow(ceiling, rounded)) return { price: rounded, by: 'minor_digits' }
  const down = amount.toDecimalPlaces(minorDigits(currency), Exact.ROUND_DOWN)
  // no price with these digits is within the bounds: the floor overrides the ceiling, as for the price itself
  return floor !== null && isBelow(down, floor)
    ? { price: rounded, by: 'minor_digits' }
    : { price: down, by: 'minor_digits down' }
}
