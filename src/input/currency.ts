import { MUST } from '../../contract/values.ts'
import { actualValueSuffix, quoted, type Verdict } from './verdict.ts'

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Reads an ISO 4217 code that the runtime knows, in any letter case. @returns it in capital letters. */
export function readCurrency(given: unknown): Verdict<string> {
  if (typeof given !== 'string') return { reason: `${MUST.string}${actualValueSuffix(given)}` }
  // only ASCII letters, because toUpperCase turns some other letters into ASCII
  const code = /^[A-Za-z]{3}$/.test(given) ? given.toUpperCase() : ''
  return currencies.has(code)
    ? { value: code }
    : { reason: `must be an ISO 4217 currency code such as EUR, not ${quoted(given)}` }
}
