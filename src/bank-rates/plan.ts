import { Exact } from '../model/money.ts'

// What becomes of an account's rates on a new day of the bank's. Pure.

/** Significant digits of a rate that was computed; the bank states five or six. */
const DIGITS = 8
/** As exchange rates are stored. */
const PLACES_MAX = 12
const BELOW = new Exact('1e12')

/**
 * How many units of `currency` one unit of `own` buys, over the euro. As the bank states it for an account in euros, else computed exactly and
 * rounded once, half up, to 8 significant digits.
 * @param rates units for one euro
 * @returns null where the bank has no rate of one of them, or the result cannot be stored. @internal for tests
 */
export function crossRate(rates: ReadonlyMap<string, string>, own: string, currency: string): string | null {
  const [from, to] = [rates.get(own), rates.get(currency)]
  if (from === undefined || to === undefined) return null
  const exact = new Exact(to).dividedBy(from)
  const rounded = own === 'EUR' ? exact : exact.toSignificantDigits(DIGITS)
  const stored = rounded.toDecimalPlaces(PLACES_MAX)
  return stored.isZero() || !stored.lessThan(BELOW) ? null : stored.toFixed()
}

/** A rate as an account has it. */
export interface AccountRate {
  currency: string
  rate: string
  /** Of which day the bank's rate is; null: it was set by hand. */
  bankDay: string | null
  /** The newest day of the bank's that it was compared with. */
  bankSeenDay: string | null
  heldRate: string | null
}

/** What is written of one that was compared: at most one of `taken` and `held` is a rate. */
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
 * Compares an account's rates with those of a day, each day once. A rate that differs more than `greatest` is held, and one of the bank's that
 * differs less than `least` stays; the bank's replaces what was set by hand however little they differ.
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

/** The newest day of which the bank should have published rates; its holidays are not known here. */
export function expectedDay(at: Date): string {
  let day = new Date(at.getTime() - PUBLISHED_AT_MS)
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6) day = new Date(day.getTime() - DAY_MS)
  return day.toISOString().slice(0, 10)
}
