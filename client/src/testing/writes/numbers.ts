import { actualValueSuffix, type Fault } from './body-shapes.ts'

// Reads amounts and quantities as the service does: gives the value that it keeps, or the reason why it refuses.

type Verdict<T> = { value: T } | { reason: string }

/** Makes a function that returns the value of a verdict; for a refusal it adds a fault and returns undefined. */
export const takeOrNote =
  (faults: Fault[]) =>
  <T>(name: string, verdict: Verdict<T>): T | undefined => {
    if ('value' in verdict) return verdict.value
    faults.push({ name, reason: verdict.reason })
    return undefined
  }

const QUANTITY_MAX = 2_147_483_647
const AMOUNT = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/
const QUANTITY = /^(?:>=? *)?(-?)0*(\d+?)(?:\.\d+)?(?: *\+)?$/
const LENGTH_MAX = 100

/** The digits of a JSON number, unless it has so many that some may have been lost. */
function exactText(given: number): Verdict<string> {
  const written = String(given)
  if (Number.isSafeInteger(given) || (written.length <= 15 && !written.includes('e'))) return { value: written }
  const plain = written.includes('e') ? plainOf(written) : written
  const significant = plain
    .replace(/^-/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '').length
  return significant <= 15
    ? { value: plain }
    : { reason: 'has more digits than a JSON number keeps exactly; send it as a string' }
}

/** `1e-7` as `0.0000001`. */
function plainOf(written: string): string {
  const [mantissa = '', exponent = '0'] = written.split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const point = whole.length + Number(exponent)
  const digits = (whole + fraction)
    .padEnd(point, '0')
    .padStart(Math.max(0, 1 - point) + whole.length + fraction.length, '0')
  const at = Math.max(1, point)
  const after = digits.slice(at)
  return `${written.startsWith('-') ? '-' : ''}${digits.slice(0, at)}${after === '' ? '' : `.${after}`}`
}

/**
 * Reads an amount in the form in which the service writes it: `12.5`, never `012.50`. Its last parameter limits the digits before the decimal point and
 * after it.
 */
export function readAmount(given: string | number, { whole, fraction } = { whole: 15, fraction: 6 }): Verdict<string> {
  const exact = typeof given === 'number' ? exactText(given) : { value: given }
  if ('reason' in exact) return exact
  const match = exact.value.length <= LENGTH_MAX && !exact.value.endsWith('.') ? AMOUNT.exec(exact.value) : null
  if (match === null) return { reason: `must be a decimal such as "12.50"${actualValueSuffix(given)}` }
  const [, sign = '', digits = '', decimals = ''] = match
  if (digits.length > whole || decimals.length > fraction)
    return {
      reason: `must have at most ${whole} digits before the decimal point and ${fraction} after it${actualValueSuffix(given)}`,
    }
  const plain = decimals === '' ? digits : `${digits}.${decimals}`
  if (plain === '0') return { value: '0' }
  return sign === '-' ? { reason: `must be at least 0${actualValueSuffix(given)}` } : { value: plain }
}

/** Reads a number of pieces: a fraction is dropped, and a negative number counts as 0. */
export function readPieces(given: string | number): Verdict<number> {
  const exact = typeof given === 'number' ? exactText(given) : { value: given }
  if ('reason' in exact) return exact
  const match = exact.value.length <= LENGTH_MAX ? QUANTITY.exec(exact.value) : null
  if (match === null) return { reason: `must be a quantity such as 12, ">10" or "10+"${actualValueSuffix(given)}` }
  if (match[1] === '-') return { value: 0 }
  const value = Number(match[2])
  return value > QUANTITY_MAX ? { reason: `must be at most ${QUANTITY_MAX}${actualValueSuffix(given)}` } : { value }
}
