import { Decimal } from 'decimal.js'

/**
 * Exact decimal arithmetic. 40 significant digits: a cost has at most 21 and a rate 24, and their product is rounded once,
 * at the end. A constructor of our own, because decimal.js keeps its settings per constructor and the default one is global.
 */
export const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 40 })
export type Exact = InstanceType<typeof Exact>

/**
 * ISO 4217 minor digits where they are not 2 (list one, 2024-06-25). Not from Intl: its digits are CLDR's, which follow
 * common usage (HUF and COP have 0) and change with the runtime.
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

/**
 * Whether one amount is less than another. As lessThan of decimal.js, which copies what it compares with: at the many comparisons of a price
 * that was a tenth of its time.
 */
export function isBelow(amount: Exact, other: Exact): boolean {
  if (amount.isZero()) return !other.isZero() && other.s > 0
  if (other.isZero()) return amount.s < 0
  if (amount.s !== other.s) return amount.s < other.s
  // digits in groups of seven, the most significant first, and the exponent of the first digit
  const below = amount.s > 0
  if (amount.e !== other.e) return amount.e < other.e === below
  for (let i = 0; ; i++) {
    const digits = amount.d[i]
    const others = other.d[i]
    if (digits === undefined || others === undefined) break
    if (digits !== others) return digits < others === below
  }
  // no zeros are kept at the end: who has more digits is further from 0
  return amount.d.length !== other.d.length && amount.d.length < other.d.length === below
}

/** Digits in one element of `d`, which are grouped from the decimal point on. */
const GROUP_DIGITS = 7
const GROUP = 10 ** GROUP_DIGITS
const POWERS = Array.from({ length: GROUP_DIGITS + 1 }, (_, digits) => 10 ** digits)

/** Where in `d` the first group after the decimal point is, of amounts from 0.0000001 on. */
const pointOf = ({ e }: Exact): number => Math.floor(e / GROUP_DIGITS) + 1

/** Rounds half up to so many digits after the point. The same amount where it has no more: most have not, and a copy of each would be a tenth of a price. */
export function toPlaces(amount: Exact, digits: number): Exact {
  if (amount.decimalPlaces() <= digits) return amount
  return roundedInGroup(amount, digits) ?? amount.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
}

/**
 * The same where rounding changes one group of digits alone, as it does with nearly all prices: toDecimalPlaces took a seventh of their time.
 * null: it carries, or leaves zeros at the end, or there is more to it.
 */
function roundedInGroup(amount: Exact, digits: number): Exact | null {
  if (digits >= GROUP_DIGITS || amount.e < 0) return null
  const point = pointOf(amount)
  const group = amount.d[point]
  if (group === undefined) return null
  const unit = POWERS[GROUP_DIGITS - digits] ?? GROUP
  const rest = group % unit
  const kept = group - rest + (2 * rest >= unit ? unit : 0)
  if (kept === 0 || kept === GROUP) return null
  const rounded = new Exact(amount)
  rounded.d.length = point + 1
  rounded.d[point] = kept
  return rounded
}

/** As a binary float, to some 13 digits: for what is decided far from where these count. */
export function approximately({ s, e, d }: Exact): number {
  const [first = 0, second = 0, third = 0] = d
  return s * (first + second / GROUP + third / GROUP / GROUP) * GROUP ** Math.floor(e / GROUP_DIGITS)
}

/** Rounds half up to the currency's minor digits. */
export const toMinor = (amount: Exact, currency: string): Exact => toPlaces(amount, minorDigits(currency))

/** A decimal without the zeros at its end, as numeric returns none and records may have some: 10.50 is 10.5. */
export const plainDecimal = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** JSON number text of an amount: no exponent, no trailing zeros, never 19.989999. */
export function amountText(amount: Exact): string {
  return amount.isZero() ? '0' : (shortText(amount) ?? amount.toFixed())
}

/** The text of an amount from 0.0000001 to 9999999.9999999, as nearly all are: toFixed took longer than rounding it. null: it is another. */
function shortText(amount: Exact): string | null {
  const { s, e, d } = amount
  const point = pointOf(amount)
  if (s < 0 || e < -GROUP_DIGITS || point > 1 || d.length > point + 1) return null
  const whole = point === 0 ? '0' : String(d[0])
  let fraction = d[point]
  if (fraction === undefined) return whole
  let digits = GROUP_DIGITS
  for (; fraction % 10 === 0; fraction /= 10) digits--
  return `${whole}.${String(fraction).padStart(digits, '0')}`
}
