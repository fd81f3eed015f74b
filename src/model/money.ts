import { Decimal } from 'decimal.js'
import { must } from '../platform/must.ts'

/**
 * Exact decimal arithmetic with 40 significant digits: a cost has at most 21 and a rate 24, and their product is rounded once, at the end. Cloned
 * because decimal.js keeps its settings per constructor, and the default one is global.
 */
export const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 40 })
export type Exact = InstanceType<typeof Exact>

/**
 * ISO 4217 minor digits that are not 2 (list one, 2024-06-25). Not from Intl, which has CLDR's digits: these follow common usage (HUF and COP have 0)
 * and change with the runtime.
 */
const MINOR_DIGITS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
}

/** ISO 4217 minor digits of a currency: JPY 0, EUR 2, KWD 3. */
export function minorDigits(currency: string): number {
  return MINOR_DIGITS[currency] ?? 2
}

/** Whether one amount is less than another, like lessThan of decimal.js. That copies its operand, which took a tenth of the time of a price. */
export function isBelow(amount: Exact, other: Exact): boolean {
  if (amount.isZero()) return !other.isZero() && other.s > 0
  if (other.isZero()) return amount.s < 0
  if (amount.s !== other.s) return amount.s < other.s
  // `d` has groups of seven digits, the most significant first; `e` is the exponent of the first digit
  const below = amount.s > 0
  if (amount.e !== other.e) return amount.e < other.e === below
  for (let i = 0; ; i++) {
    const digits = amount.d[i]
    const others = other.d[i]
    if (digits === undefined || others === undefined) break
    if (digits !== others) return digits < others === below
  }
  // trailing zeros are not stored, so the amount with more groups has the larger absolute value
  return amount.d.length !== other.d.length && amount.d.length < other.d.length === below
}

const ZERO_CODE = '0'.charCodeAt(0)
/** Digits per element of `d`; groups are aligned at the decimal point. */
export const GROUP_DIGITS = 7
export const GROUP = 10 ** GROUP_DIGITS
const POWERS = Array.from({ length: GROUP_DIGITS + 1 }, (_, digits) => 10 ** digits)

/** 10 to the power of 0 to 7. */
export const powerOfTen = (exponent: number): number => POWERS[exponent] ?? 10 ** exponent

/** The index in `d` of the first group after the decimal point, for amounts of at least 0.0000001. */
const pointOf = ({ e }: Exact): number => Math.floor(e / GROUP_DIGITS) + 1

/**
 * An amount from decimal.js's own parts: the exponent of the first digit, and groups without zero groups at either end. Several times as fast as from
 * a number or a text.
 */
export function ofParts(sign: number, exponent: number, groups: number[]): Exact {
  const amount = new Exact(0)
  const parts: { s: number; e: number; d: number[] } = amount
  parts.s = sign
  parts.e = exponent
  parts.d = groups
  return amount
}

/** The exponent of the first digit. @param first the first group. @param place its value is GROUP to this power. */
export function exponentOf(first: number, place: number): number {
  let exponent = place * GROUP_DIGITS
  for (let rest = first; rest >= 10; rest /= 10) exponent++
  return exponent
}

/**
 * An amount from its decimal text, as the constructor reads it. With at most 7 digits on each side of the point, it takes a fraction of the
 * constructor's time.
 */
export function exactOf(text: string): Exact {
  const { length } = text
  let at = 0
  let whole = 0
  for (; at < length; at++) {
    const digit = text.charCodeAt(at) - ZERO_CODE
    if (digit < 0 || digit > 9) break
    whole = whole * 10 + digit
  }
  if (at === 0 || at > GROUP_DIGITS) return new Exact(text)
  const digits = length - at - 1
  if (digits === 0 || digits > GROUP_DIGITS || (digits > 0 && text[at] !== '.')) return new Exact(text)
  let fraction = 0
  for (at++; at < length; at++) {
    const digit = text.charCodeAt(at) - ZERO_CODE
    if (digit < 0 || digit > 9) return new Exact(text)
    fraction = fraction * 10 + digit
  }
  if (fraction === 0) return whole === 0 ? new Exact(text) : ofParts(1, exponentOf(whole, 0), [whole])
  fraction *= powerOfTen(GROUP_DIGITS - digits)
  if (whole === 0) return ofParts(1, exponentOf(fraction, -1), [fraction])
  return ofParts(1, exponentOf(whole, 0), [whole, fraction])
}

/**
 * Rounds half up to that many decimals. Returns the same object if there are no more decimals, as for most amounts: copying each would take a tenth
 * of the time of a price.
 */
export function toPlaces(amount: Exact, digits: number): Exact {
  const { e, d } = amount
  const point = pointOf(amount)
  // counts all digits of the groups, some of which may be zeros
  if ((d.length - point) * GROUP_DIGITS <= digits) return amount
  if (e >= 0 && digits < GROUP_DIGITS) {
    const rounded = roundedInGroup(amount, point, digits)
    if (rounded !== null) return rounded
  }
  if (amount.decimalPlaces() <= digits) return amount
  return amount.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
}

/**
 * The same if rounding changes a single group of digits, as for nearly all prices; toDecimalPlaces took a seventh of their time. null: the rounding
 * carries or leaves a zero group at the end.
 */
function roundedInGroup(amount: Exact, point: number, digits: number): Exact | null {
  const { s, e, d } = amount
  const group = d[point]
  if (group === undefined) return null
  const unit = powerOfTen(GROUP_DIGITS - digits)
  const rest = group % unit
  if (rest === 0 && d.length === point + 1) return amount
  const kept = group - rest + (2 * rest >= unit ? unit : 0)
  if (kept === 0 || kept === GROUP) return null
  const groups = d.slice(0, point + 1)
  groups[point] = kept | 0
  return ofParts(s, e, groups)
}

/** As binary floating point, to about 13 digits: for decisions that do not depend on more. */
export function approximately({ s, e, d }: Exact): number {
  const [first = 0, second = 0, third = 0] = d
  return s * (first + second / GROUP + third / GROUP / GROUP) * GROUP ** Math.floor(e / GROUP_DIGITS)
}

/** Rounds half up to the currency's minor unit. */
export const toMinor = (amount: Exact, currency: string): Exact => toPlaces(amount, minorDigits(currency))

/** A decimal text without trailing zeros: 10.50 becomes 10.5. Records may have such zeros. */
export const plainDecimal = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** The amount as JSON number text: no exponent, no trailing zeros, never 19.989999. */
export function amountText(amount: Exact): string {
  return amount.isZero() ? '0' : (shortText(amount) ?? amount.toFixed())
}

/** A hundredth in units of the first group after the decimal point, and the text of each number of hundredths. Nearly all amounts end with them. */
const CENT = GROUP / 100
const CENT_TEXTS = Array.from({ length: 100 }, (_, cents) => String(cents / 100).slice(1))

/** The text of an amount from 0.0000001 to 9999999.9999999, like nearly all; toFixed took longer than rounding. null for others. */
function shortText(amount: Exact): string | null {
  const { s, e, d } = amount
  const point = pointOf(amount)
  if (s < 0 || e < -GROUP_DIGITS || point > 1 || d.length > point + 1) return null
  const whole = point === 0 ? '0' : String(d[0])
  let fraction = d[point]
  if (fraction === undefined) return whole
  if (fraction % CENT === 0) return whole + must(CENT_TEXTS[fraction / CENT])
  let digits = GROUP_DIGITS
  for (; fraction % 10 === 0; fraction /= 10) digits--
  return `${whole}.${String(fraction).padStart(digits, '0')}`
}
