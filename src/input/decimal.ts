import { MUST } from '../../contract/values.ts'
import { Exact } from '../model/money.ts'
import { actualValueSuffix, type Verdict } from './verdict.ts'

/** How many digits a decimal may have before and after the point, not counting leading and trailing zeros, and its minimum. */
export interface DecimalBounds {
  readonly whole: number
  readonly fraction: number
  readonly min?: string
}

/** The bounds of all decimals, taken from the columns that store them. */
export const BOUNDS = {
  /** Costs and prices. */
  amount: { whole: 15, fraction: 6, min: '0' },
  /** An addition to a price, or a profit over the cost: may be negative. */
  signedAmount: { whole: 15, fraction: 6 },
  /** Exchange rates; callers check that they are above 0. */
  rate: { whole: 12, fraction: 12 },
  /** A margin, in percent. */
  percent: { whole: 8, fraction: 4 },
  /** Percent off a price for a quantity; callers check that it is below 100. */
  tierPercent: { whole: 3, fraction: 4, min: '0' },
  /** A tax rate, in percent; callers check that it is at most 100. */
  taxRate: { whole: 3, fraction: 4, min: '0' },
  /** A markup: -100 percent leaves a price of 0. */
  markup: { whole: 8, fraction: 4, min: '-100' },
  /** The floor of a margin in percent, and the factor of the jump guard. */
  factor: { whole: 4, fraction: 4 },
  /** A share between 0 and 1; callers check the maximum. */
  share: { whole: 1, fraction: 4, min: '0' },
  /** A held price as it was shown. */
  heldPrice: { whole: 18, fraction: 6, min: '0' },
} as const satisfies Record<string, DecimalBounds>

const PLAIN = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/
/** Longer texts are refused unread: the pattern's time grows faster than their length. */
const TEXT_LENGTH_MAX = 100
const NUMBER_DIGITS_MAX = 15

/**
 * Reads plain decimal text or an exact JSON number. @returns canonical text: `12.5`, never `012.50`, `1e1` or `-0`.
 * @param shown the value that a reason quotes, if it was written in another notation
 */
export function readDecimal(given: unknown, bounds: DecimalBounds, shown: unknown = given): Verdict<string> {
  if (typeof given === 'number') {
    const text = exactText(given)
    return 'reason' in text ? text : readText(text.value, bounds, shown)
  }
  return typeof given === 'string'
    ? readText(given, bounds, shown)
    : { reason: `${MUST.decimal}${actualValueSuffix(shown)}` }
}

function readText(text: string, { whole, fraction, min }: DecimalBounds, given: unknown): Verdict<string> {
  // a point needs digits on both sides
  const match = text.length <= TEXT_LENGTH_MAX && !text.endsWith('.') ? PLAIN.exec(text) : null
  if (match === null) return { reason: `${MUST.decimal}${actualValueSuffix(given)}` }
  const [, sign = '', digits = '', decimals = ''] = match
  if (digits.length > whole || decimals.length > fraction)
    return { reason: `${digitsWords(whole, fraction)}${actualValueSuffix(given)}` }
  const plain = decimals === '' ? digits : `${digits}.${decimals}`
  const value = plain === '0' ? '0' : `${sign}${plain}`
  return min !== undefined && isBelow(value, min)
    ? { reason: `must be at least ${min}${actualValueSuffix(given)}` }
    : { value }
}

const digitsWords = (whole: number, fraction: number) =>
  `must have at most ${whole} digits before the decimal point and ${fraction === 0 ? 'none' : fraction} after it`

/**
 * The plain text of a JSON number, if no digit can have been lost in parsing: a whole number that is represented exactly, or at most 15 significant
 * digits. 1e-7 is 0.0000001.
 */
export function exactText(given: number): Verdict<string> {
  if (!Number.isFinite(given)) return { reason: `${MUST.decimal}${actualValueSuffix(given)}` }
  const text = String(given)
  // a fast path: short texts cannot have more digits, and safe integers have no exponent
  if (Number.isSafeInteger(given) || (text.length <= NUMBER_DIGITS_MAX && !text.includes('e'))) return { value: text }
  const plain = text.includes('e') ? new Exact(text).toFixed() : text
  const significant = plain
    .replace(/^-/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '').length
  return significant <= NUMBER_DIGITS_MAX
    ? { value: plain }
    : { reason: 'has more digits than a JSON number keeps exactly; send it as a string' }
}

function isBelow(value: string, min: string): boolean {
  // every cost in a file is compared with 0: checking only the sign saves about a twentieth of the time of reading a file
  return min === '0' ? value.startsWith('-') : compareDecimals(value, min) < 0
}

/** Compares exactly, for sorting. @returns a negative number, 0 or a positive one. */
export function compareDecimals(a: string, b: string): number {
  return new Exact(a).cmp(b)
}
