import { exponentOf, GROUP, GROUP_DIGITS, isBelow, ofParts, powerOfTen, type Exact } from './money.ts'
import { must } from '../platform/must.ts'

// Arithmetic for prices, with results equal to those of decimal.js, digit by digit. Amounts with too many digits, negative ones and 0 are left to
// decimal.js. It is avoided otherwise because its methods copy an operand, divide numbers beyond 32 bits by fmod and search for the digit to round,
// which took more than half of the time of a price. docs/decisions/225-prices-are-computed-in-groups-of-digits.md says why.

/** The most groups whose result has at most the 40 digits that decimal.js rounds to; a carry may add a digit. */
const GROUPS_MAX = 5

/** The place of the first group: its value is GROUP to this power. */
const placeOf = ({ e }: Exact): number => Math.floor(e / GROUP_DIGITS)

/** Makes an amount above 0 from groups of digits. The first group has the value GROUP to the power of `place`; groups at both ends may be zero. */
function ofGroups(groups: number[], place: number): Exact {
  let end = groups.length
  while (groups[end - 1] === 0) end--
  let start = 0
  while (groups[start] === 0) start++
  const kept = start === 0 ? groups : groups.slice(start, end)
  kept.length = end - start
  return ofParts(1, exponentOf(must(kept[0]), place - start), kept)
}

const isAboveZero = ({ s, d }: Exact): boolean => s > 0 && d[0] !== 0

/** a x b. */
export function times(a: Exact, b: Exact): Exact {
  const { length } = a.d
  const ofBoth = length + b.d.length
  if (ofBoth > GROUPS_MAX || !isAboveZero(a) || !isAboveZero(b)) return a.times(b)
  const groups: number[] = []
  for (let i = 0; i < ofBoth; i++) groups.push(0)
  for (let j = b.d.length - 1; j >= 0; j--) {
    const factor = must(b.d[j])
    let carry = 0
    for (let i = length - 1; i >= 0; i--) {
      // below 2^53, so that the product and its parts are exact
      const product = must(groups[i + j + 1]) + factor * must(a.d[i]) + carry
      carry = Math.floor(product / GROUP)
      groups[i + j + 1] = (product - carry * GROUP) | 0
    }
    groups[j] = carry | 0
  }
  return ofGroups(groups, placeOf(a) + placeOf(b) + 1)
}

/** a + b. */
export function plus(a: Exact, b: Exact): Exact {
  if (!isAboveZero(a) || !isAboveZero(b)) return a.plus(b)
  return combined(a, b, 1) ?? a.plus(b)
}

/** a - b. */
export function minus(a: Exact, b: Exact): Exact {
  if (!isAboveZero(b) || !isBelow(b, a)) return a.minus(b)
  return combined(a, b, -1) ?? a.minus(b)
}

/** @param sign sign of b; if it is -1, b is less than a. @returns null if there are too many digits. */
function combined(a: Exact, b: Exact, sign: 1 | -1): Exact | null {
  const ofA = placeOf(a)
  const ofB = placeOf(b)
  const first = Math.max(ofA, ofB)
  const count = first - Math.min(ofA - a.d.length, ofB - b.d.length)
  if (count > GROUPS_MAX) return null
  const groups: number[] = []
  for (let i = 0; i <= count; i++) groups.push(0)
  let carry = 0
  for (let i = count; i > 0; i--) {
    const place = first + 1 - i
    let sum = groupAt(a, ofA - place) + sign * groupAt(b, ofB - place) + carry
    carry = 0
    if (sum >= GROUP) {
      sum -= GROUP
      carry = 1
    } else if (sum < 0) {
      sum += GROUP
      carry = -1
    }
    groups[i] = sum | 0
  }
  groups[0] = carry
  return ofGroups(groups, first + 1)
}

const groupAt = ({ d }: Exact, at: number): number => (at >= 0 && at < d.length ? must(d[at]) : 0)

/** The greatest whole number that is not above an amount. */
export function floor(amount: Exact): Exact {
  const { e, d } = amount
  const point = placeOf(amount) + 1
  if (!isAboveZero(amount) || e < 0) return amount.floor()
  return d.length <= point ? amount : ofGroups(d.slice(0, point), point - 1)
}

/** The least whole number that is not below an amount. */
export function ceil(amount: Exact): Exact {
  const { e, d } = amount
  const point = placeOf(amount) + 1
  if (!isAboveZero(amount) || e < 0) return amount.ceil()
  if (d.length <= point) return amount
  const last = must(d[point - 1]) + 1
  if (last === GROUP) return amount.ceil()
  const groups = d.slice(0, point)
  groups[point - 1] = last
  return ofGroups(groups, point - 1)
}

/** 10 to the number of digits that a quotient is rounded to before it is rounded to a currency's digits; see settle. */
const SETTLED = 10 ** 12

/**
 * a / b, rounded half up to 12 decimals and then to `digits`, for amounts above 0 that are small enough for an exact result; null: use decimal.js.
 * Both are converted to whole multiples of 0.0000001. With denominator n, a quotient below a half is below it by at least 1/2n; if that is more than
 * 0.0000000000005, rounding to 12 decimals cannot lift it to the half.
 */
export function quotientTo(digits: number, a: Exact, b: Exact): Exact | null {
  const numerator = tenMillionths(a)
  const denominator = tenMillionths(b)
  if (numerator === null || denominator === null || digits >= GROUP_DIGITS) return null
  const unit = powerOfTen(digits)
  const twice = 2 * numerator * unit + denominator
  if (2 * denominator * unit >= SETTLED || twice >= 2 ** 52) return null
  const rounded = Math.floor(twice / (2 * denominator))
  if (rounded === 0 || rounded >= GROUP * unit) return null
  const whole = Math.floor(rounded / unit) | 0
  const fraction = ((rounded - whole * unit) * powerOfTen(GROUP_DIGITS - digits)) | 0
  if (whole === 0) return ofParts(1, exponentOf(fraction, -1), [fraction])
  return ofParts(1, exponentOf(whole, 0), fraction === 0 ? [whole] : [whole, fraction])
}

/** The amount in units of 0.0000001; null unless it is between 0.0000001 and 9999999.9999999 with at most 7 decimals. */
function tenMillionths(amount: Exact): number | null {
  const { e, d } = amount
  const [first = 0, second = 0] = d
  if (!isAboveZero(amount)) return null
  if (e >= 0 && e < GROUP_DIGITS && d.length <= 2) return first * GROUP + second
  return e < 0 && e >= -GROUP_DIGITS && d.length === 1 ? first : null
}
