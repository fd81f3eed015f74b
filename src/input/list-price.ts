import { readCurrency } from './currency.ts'
import { BOUNDS, readDecimal } from './decimal.ts'
import { actualValueSuffix, type Verdict } from './verdict.ts'

const MUST_BE =
  'must be a price above 0 such as "129.90" or "129.90 EUR", with at most 15 digits before the decimal point and 6 after it'
const WRITTEN = /^([-+\d.]{1,50}) ?([A-Za-z]{3})?$/

/**
 * Reads the recommended retail price of an article: plain decimal text, followed by a currency code if the currency is not that of the offer.
 * @returns canonical text, `129.9` or `129.9 EUR`.
 */
export function readListPrice(text: string): Verdict<string> {
  const [, digits = '', code] = WRITTEN.exec(text) ?? []
  const amount = readDecimal(digits, BOUNDS.amount)
  if ('reason' in amount || amount.value === '0') return { reason: `${MUST_BE}${actualValueSuffix(text)}` }
  if (code === undefined) return amount
  const currency = readCurrency(code)
  return 'value' in currency
    ? { value: `${amount.value} ${currency.value}` }
    : { reason: `${MUST_BE}${actualValueSuffix(text)}` }
}
