import { times } from '../model/arithmetic.ts'
import { Exact } from '../model/money.ts'

const ONE = new Exact(1)

/** Converts between currencies by the account's rates; every conversion goes through the account's own currency. */
export interface Converter {
  /** The amount in `to`, unrounded; null if a rate is missing. */
  convert(amount: Exact, from: string, to: string): Exact | null
  /** The factors of a conversion (amount x to / from); null if a rate is missing. */
  units(from: string, to: string): { from: Exact; to: Exact } | null
}

/** @param rates currency -> units of it that one unit of `accountCurrency` buys, as decimal text. */
export function converter(accountCurrency: string, rates: Readonly<Record<string, string>>): Converter {
  const known = new Map<string, Exact>()
  for (const [currency, rate] of Object.entries(rates)) known.set(currency, new Exact(rate))
  // the rate of the account's own currency is 1 by definition, even if a row says otherwise
  known.set(accountCurrency, ONE)
  const units = (from: string, to: string) => {
    if (from === to) return { from: ONE, to: ONE }
    const fromUnits = known.get(from)
    const toUnits = known.get(to)
    if (fromUnits === undefined || toUnits === undefined || fromUnits.isZero() || toUnits.isZero()) return null
    return { from: fromUnits, to: toUnits }
  }
  return {
    units,
    convert(amount, from, to) {
      if (from === to) return amount
      const factors = units(from, to)
      if (factors === null) return null
      // multiplying before dividing rounds once, at the 40th digit, instead of twice
      const multiplied = times(amount, factors.to)
      return factors.from === ONE ? multiplied : multiplied.dividedBy(factors.from)
    },
  }
}
