import { LIMITS } from '../platform/limits.ts'
import { quoted, textFault } from './text-fault.ts'

/** A value as it is kept, or the reason why it cannot be. */
export type Value<T> = { value: T } | { reason: string }

const COST_INTEGER_DIGITS = 15
const COST_DECIMALS = 6
const GROUPED_BY_BLANK = /^\d{1,3}(?:[ \u00a0\u202f]\d{3})+$/

/**
 * A number as people write it, cut into whole digits and fraction (without leading and trailing zeros).
 * Thousands may be parted by blanks, and by the sign that is not the decimal one where it cannot be mistaken for it:
 * it stands more than once or before a decimal sign. `1,234` with decimal "." is refused: it may be 1234 or 1.234.
 */
export function parseDecimal(text: string, point: '.' | ','): Value<{ whole: string; fraction: string }> {
  const other = point === '.' ? ',' : '.'
  const [head = '', fraction = '', ...more] = text.split(point)
  let whole = head
  if (GROUPED_BY_BLANK.test(whole)) whole = whole.replace(/[ \u00a0\u202f]/g, '')
  else if (whole.includes(other)) {
    const groups = whole.split(other)
    const wellFormed = /^\d{1,3}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => /^\d{3}$/.test(group))
    if (wellFormed && groups.length === 2 && !text.includes(point)) {
      return {
        reason: `${quoted(text)} may have "${other}" for thousands or for decimals: say "decimal" in the mapping, or remove it with "replace"`,
      }
    }
    if (wellFormed) whole = groups.join('')
  }
  if (more.length > 0 || !/^\d*$/.test(whole) || !/^\d*$/.test(fraction) || whole + fraction === '') {
    return { reason: `${quoted(text)} is not a number${numberHint(text, other)}` }
  }
  return { value: { whole: whole.replace(/^0+(?=.)/, '') || '0', fraction: fraction.replace(/0+$/, '') } }
}

function numberHint(text: string, other: string): string {
  if (/[\p{Sc}\p{L}]/u.test(text)) return ': take currency signs and other words away with "replace"'
  return text.includes(other) ? `: "${other}" is not the mapping's decimal sign` : ''
}

/** A purchase cost as canonical plain decimal text (`12.5`, never `12.50`, `.5` or `1e3`). */
export function parseCost(text: string, point: '.' | ','): Value<string> {
  if (/^[-\u2212]/.test(text)) return { reason: `${quoted(text)} is negative` }
  const parsed = parseDecimal(text, point)
  if ('reason' in parsed) return parsed
  const { whole, fraction } = parsed.value
  if (whole.length > COST_INTEGER_DIGITS)
    return { reason: `${quoted(text)} has more than ${COST_INTEGER_DIGITS} digits before the decimal sign` }
  if (fraction.length > COST_DECIMALS) return { reason: `${quoted(text)} has more than ${COST_DECIMALS} decimals` }
  return { value: fraction === '' ? whole : `${whole}.${fraction}` }
}

/** Whole pieces: empty and negative are 0, a fraction is floored, `>50` and `50+` are 50. */
export function parseQuantity(text: string, point: '.' | ','): Value<number> {
  if (/^\d{1,9}$/.test(text)) return { value: Number(text) }
  if (text === '') return { value: 0 }
  const bare = text.replace(/^>=?\s*/, '').replace(/\s*\+$/, '')
  const negative = /^[-\u2212]/.test(bare)
  const parsed = parseDecimal(negative ? bare.slice(1) : bare, point)
  if ('reason' in parsed) return parsed
  if (negative) return { value: 0 }
  const value = Number(parsed.value.whole)
  return value > LIMITS.quantityMax ? { reason: `${quoted(text)} is more than ${LIMITS.quantityMax}` } : { value }
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** An ISO 4217 code the runtime knows, in capitals. */
export function parseCurrency(text: string): Value<string> {
  const code = text.toUpperCase()
  return currencies.has(code)
    ? { value: code }
    : { reason: `${quoted(text)} is no ISO 4217 currency code such as "EUR"` }
}

/** Digits only; blanks and dashes are taken out. The number of digits is judged by catalog/match. */
export function parseEan(text: string): Value<string> {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^\d+$/.test(digits))
    return { reason: `${quoted(text)} is not an EAN: it may hold digits, blanks and dashes only` }
  if (digits.length > LIMITS.skuLengthMax)
    return { reason: `${quoted(text)} has more than ${LIMITS.skuLengthMax} digits` }
  return { value: digits }
}

/**
 * An absolute http(s) URL. A relative path is joined to `base` with one slash and its blanks are encoded; absolute URLs
 * are kept as they stand; `//host/path` is taken as https.
 */
export function parseImage(text: string, base: string | undefined): Value<string> {
  let url = text
  if (text.startsWith('//')) url = `https:${text}`
  else if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    if (base === undefined) return { reason: `${quoted(text)} is a relative path: give "imageBaseUrl" in the mapping` }
    url = `${base.replace(/\/+$/, '')}/${text.replace(/^\/+/, '').replaceAll(' ', '%20')}`
  } else if (!/^https?:/i.test(text)) return { reason: `${quoted(text)} is no http or https URL` }
  const fault = textFault(url, LIMITS.urlLengthMax)
  if (fault !== undefined) return { reason: fault }
  return URL.canParse(url) ? { value: url } : { reason: `${quoted(text)} is not a valid URL` }
}
