import { MUST } from '../../contract/values.ts'
import { LIMITS } from '../platform/limits.ts'
import { exactText } from './decimal.ts'
import { actualValueSuffix, type Verdict } from './verdict.ts'

/** Longer texts are refused unread: the pattern's time grows faster than their length. */
const TEXT_LENGTH_MAX = 100
const FORM = /^(?:>=? *)?(-?)0*(\d+?)(?:\.\d+)?(?: *\+)?$/

/**
 * Reads a number of pieces for sale: a number, or text such as `12`, `>10` or `10+`. Fractions are dropped and negative
 * numbers count as 0, because neither can be sold; suppliers send both.
 */
export function readQuantity(given: unknown): Verdict<number> {
  if (typeof given !== 'number')
    return typeof given === 'string'
      ? readText(given, given)
      : { reason: `${MUST.quantity}${actualValueSuffix(given)}` }
  if (Number.isSafeInteger(given) && given <= LIMITS.quantityMax) return { value: Math.max(0, given) }
  if (!Number.isFinite(given)) return { reason: `${MUST.quantity}${actualValueSuffix(given)}` }
  const text = exactText(given)
  return 'reason' in text ? text : readText(text.value, given)
}

function readText(text: string, given: unknown): Verdict<number> {
  const match = text.length <= TEXT_LENGTH_MAX ? FORM.exec(text) : null
  if (match === null) return { reason: `${MUST.quantity}${actualValueSuffix(given)}` }
  const [, sign, digits = ''] = match
  if (sign === '-') return { value: 0 }
  const value = Number(digits)
  return value > LIMITS.quantityMax
    ? { reason: `must be at most ${LIMITS.quantityMax}${actualValueSuffix(given)}` }
    : { value }
}
