import { times } from '../../model/arithmetic.ts'
import type { Exact } from '../../model/money.ts'
import type { TaxRate } from '../../model/payload.ts'
import type { Converter } from '../currency.ts'
import type { PriceStep } from './price.ts'

// Amounts that a source states, such as costs and list prices, converted to another tax basis and currency.

/** The tax rate to take out of an amount, and the one to add to it. */
export interface AmountTax {
  out: TaxRate | null
  in: TaxRate | null
}

export const AS_STATED: AmountTax = { out: null, in: null }

/** An amount in another currency, unrounded; null if an exchange rate is missing. */
export function amountIn(
  amount: Exact,
  tax: AmountTax,
  [from, to]: readonly [from: string, to: string],
  money: Converter,
): Exact | null {
  return money.convert(taxed(withoutTax(amount, tax), tax), from, to)
}

const withoutTax = (amount: Exact, tax: AmountTax) => (tax.out === null ? amount : amount.dividedBy(tax.out.factor))
const taxed = (net: Exact, tax: AmountTax) => (tax.in === null ? net : times(net, tax.in.factor))

/** The same with the steps of the calculation; no steps if an exchange rate is missing. */
export function amountLines(
  name: 'cost' | 'list_price' | 'sale_price',
  amount: Exact,
  tax: AmountTax,
  [from, to]: readonly [from: string, to: string],
  money: Converter,
): { steps: PriceStep[]; converted: Exact | null } {
  const units = money.units(from, to)
  const converted = amountIn(amount, tax, [from, to], money)
  if (units === null || converted === null) return { steps: [], converted }
  const net = withoutTax(amount, tax)
  const gross = taxed(net, tax)
  const steps: PriceStep[] = [{ step: name, op: '=', by: amount.toFixed(), result: amount.toFixed() }]
  if (tax.out !== null) steps.push({ step: 'tax', op: '/', by: tax.out.factor.toFixed(), result: net.toFixed() })
  if (tax.in !== null) steps.push({ step: 'tax', op: '*', by: tax.in.factor.toFixed(), result: gross.toFixed() })
  if (!units.to.equals(1))
    steps.push({ step: 'rate', op: '*', by: units.to.toFixed(), result: gross.times(units.to).toFixed() })
  if (!units.from.equals(1))
    steps.push({ step: 'rate', op: '/', by: units.from.toFixed(), result: converted.toFixed() })
  return { steps, converted }
}
