import { Decimal } from 'decimal.js'

/**
 * Exact decimal arithmetic. 40 significant digits: a cost has at most 21, a rate 24, and one product of them is rounded
 * once, at the end. A constructor of our own, because the library's settings are global to its default one.
 */
export const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 40 })
export type Exact = InstanceType<typeof Exact>

const digits = new Map<string, number>()

/** ISO 4217 minor digits of a currency, from the runtime's own tables: JPY 0, EUR 2, KWD 3. */
export function minorDigits(currency: string): number {
  let known = digits.get(currency)
  if (known === undefined) {
    known = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
    digits.set(currency, known)
  }
  return known
}

/** Rounds half up to the currency's minor digits. */
export function toMinor(amount: Exact, currency: string): Exact {
  return amount.toDecimalPlaces(minorDigits(currency), Decimal.ROUND_HALF_UP)
}

/** JSON number text of an amount: no exponent, no trailing zeros, never 19.989999. */
export function amountText(amount: Exact): string {
  return amount.isZero() ? '0' : amount.toFixed()
}
