import { readListPrice } from '../../input/list-price.ts'
import type { Verdict } from '../../input/verdict.ts'
import { readMoney, type DecimalSign } from '../numbers.ts'

/**
 * Reads a list price as files write prices: `129,90 €`, `PLN 129.90`. null: the cell is empty or 0. Without a currency beside it, it is in
 * the currency of the row's cost.
 */
export function readFileListPrice(text: string, sign: DecimalSign): Verdict<string | null> {
  if (text === '') return { value: null }
  const money = readMoney(text, sign, 'rounded')
  if ('reason' in money) return money
  const { amount, currency } = money.value
  if (amount === '0') return { value: null }
  return readListPrice(currency === null ? amount : `${amount} ${currency}`)
}
