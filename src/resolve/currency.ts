import { Exact } from '../model/money.ts'

const ONE = new Exact(1)

/** Converts between currencies by the account's rates; every path goes through the account's own currency. */
export interface Converter {
  /** The amount in `to`, unrounded; null when a rate is missing. */
  convert(amount: Exact, from: string, to: string): Exact | null
}

/** @param rates currency -> units of it per one unit of `accountCurrency`, decimal text. */
export function converter(accountCurrency: string, rates: Readonly<Record<string, string>>): Converter {
  const units = new Map<string, Exact>()
  for (const [currency, rate] of Object.entries(rates)) units.set(currency, new Exact(rate))
  // the account's own currency is 1 by definition, whatever a row says
  units.set(accountCurrency, ONE)
  return {
    convert(amount, from, to) {
      if (from === to) return amount
      const fromUnits = units.get(from)
      const toUnits = units.get(to)
      if (fromUnits === undefined || toUnits === undefined || fromUnits.isZero()) return null
      // multiplied before it is divided: one rounding at the 40th digit instead of two
      return fromUnits === ONE ? amount.times(toUnits) : amount.times(toUnits).dividedBy(fromUnits)
    },
  }
}
