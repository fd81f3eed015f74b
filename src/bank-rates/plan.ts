import { Exact } from '../model/money.ts'

// Decides how an account's rates change on a new day of the bank's rates. Pure.

/** Significant digits of a computed rate; the bank states five or six. */
const DIGITS = 8
/** The decimals with which exchange rates are stored. */
const PLACES_MAX = 12
const BELOW = new Exact('1e12')

/**
 * How many units of `currency` one unit of `own` buys, via the euro. For an account in euros the bank's rate unchanged; otherwise computed exactly
 * and rounded once, half up, to 8 significant digits.
 * @param rates units for one euro
 * @returns null if the bank has no rate for one of them, or the result cannot be stored. @internal for tests
 */
export function crossRate(rates: ReadonlyMap<string, string>, own: string, currency: string): string | null {
  const [from, to] = [rates.get(own), rates.get(currency)]
  if (from === undefined || to === undefined) return null
  const exact = new Exact(to).dividedBy(from)
  const rounded = own === 'EUR' ? exact : exact.toSignificantDigits(DIGITS)
  const stored = rounded.toDecimalPlaces(PLACES_MAX)
  return stored.isZero() || !stored.lessThan(BELOW) ? null : stored.toFixed()
}

/** A stored rate of an account. */
export interface AccountRate {
  currency: string
  rate: string
  /** The day of the bank's rate; null: the rate was set by hand. */
  bankDay: string | null
  /** The newest day of the bank's rates with which it was compared. */
  bankSeenDay: string | null
  heldRate: string | null
}

/** The result of comparing a rate; at most one of `taken` and `held` is not null. */
interface Compared {
  currency: string
  taken: string | null
  held: string | null
}

interface Bounds {
  /** Percent. */
  least: string
  /** Percent. */
  greatest: string
}

/**
 * Compares an account's rates with those of a day, each rate once per day. A rate that differs by more than `greatest` is held. A bank's rate that
 * differs by less than `least` stays; a rate that was set by hand is replaced by the bank's even if they differ less.
 */
export function compareRates(
  known: readonly AccountRate[],
  own: string,
  bank: { day: string; rates: ReadonlyMap<string, string> },
  { least, greatest }: Bounds,
): Compared[] {
  return known.flatMap(({ currency, rate, bankDay, bankSeenDay }): Compared[] => {
    if (!bank.rates.has(own) || !bank.rates.has(currency)) return []
    if (bankSeenDay !== null && bankSeenDay >= bank.day) return []
    const next = crossRate(bank.rates, own, currency)
    if (next === null) return [{ currency, taken: null, held: null }]
    const percent = new Exact(next).minus(rate).abs().times(100).dividedBy(rate)
    if (percent.greaterThan(greatest)) return [{ currency, taken: null, held: next }]
    const stays = bankDay !== null && percent.lessThan(least)
    return [{ currency, taken: stays ? null : next, held: null }]
  })
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The bank publishes at about 16:00 in Frankfurt, on working days. */
const PUBLISHED_AT_MS = 15 * HOUR_MS

/** The newest day for which the bank should have published rates, `YYYY-MM-DD`; ignores its holidays. */
export function expectedDay(at: Date): string {
  let day = new Date(at.getTime() - PUBLISHED_AT_MS)
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6) day = new Date(day.getTime() - DAY_MS)
  return day.toISOString().slice(0, 10)
}
