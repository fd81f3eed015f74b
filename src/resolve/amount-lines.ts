import type { Exact } from '../model/money.ts'
import type { Converter } from './currency.ts'
import type { ListPriceTax } from './list-price.ts'
import type { PriceStep } from './price.ts'

/**
 * What an amount comes to in another currency, unrounded, line by line; no lines without a rate.
 * @param tax that is taken out of the amount, and put into it.
 */
export function amountLines(
  name: 'cost' | 'list_price' | 'sale_price',
  amount: Exact,
  tax: ListPriceTax,
  [from, to]: readonly [from: string, to: string],
  money: Converter,
): { steps: PriceStep[]; converted: Exact | null } {
  const units = money.units(from, to)
  const net = tax.out === null ? amount : amount.dividedBy(tax.out.factor)
  const taxed = tax.in === null ? net : net.times(tax.in.factor)
  const converted = money.convert(taxed, from, to)
  const steps: PriceStep[] = []
  if (units !== null && converted !== null) {
    steps.push({ step: name, op: '=', by: amount.toFixed(), result: amount.toFixed() })
    if (tax.out !== null) steps.push({ step: 'tax', op: '/', by: tax.out.factor.toFixed(), result: net.toFixed() })
    if (tax.in !== null) steps.push({ step: 'tax', op: '*', by: tax.in.factor.toFixed(), result: taxed.toFixed() })
    if (!units.to.equals(1))
      steps.push({ step: 'rate', op: '*', by: units.to.toFixed(), result: taxed.times(units.to).toFixed() })
    if (!units.from.equals(1))
      steps.push({ step: 'rate', op: '/', by: units.from.toFixed(), result: converted.toFixed() })
  }
  return { steps, converted }
}
