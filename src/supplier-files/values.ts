import { MUST } from '../../contract/values.ts'
import { BOUNDS, readDecimal } from '../input/decimal.ts'
import { readQuantity } from '../input/quantity.ts'
import { readUrl } from '../input/url.ts'
import { butIs, quoted, type Verdict } from '../input/verdict.ts'

// How suppliers' files write numbers and URLs. The values themselves are checked by src/input.

const GROUPED_BY_BLANK = /^\d{1,3}(?:[ \u00a0\u202f]\d{3})+$/

/**
 * Turns a number as people write it into plain decimal text. Thousands may be separated by blanks, or by the other sign where
 * it cannot be mistaken for the decimal one: it occurs more than once, or before a decimal sign. `1,234` with decimal "." is
 * refused: it may be 1234 or 1.234.
 * @param what the beginning of a fault's message. @param cell the text that it quotes.
 */
export function plainNumber(
  text: string,
  point: '.' | ',',
  what: string = MUST.decimal,
  cell: string = text,
): Verdict<string> {
  const isNegative = /^[-\u2212]/.test(text)
  const other = point === '.' ? ',' : '.'
  const [head = '', fraction = '', ...more] = (isNegative ? text.slice(1) : text).split(point)
  let whole = head
  if (GROUPED_BY_BLANK.test(whole)) whole = whole.replace(/[ \u00a0\u202f]/g, '')
  else if (whole.includes(other)) {
    const groups = whole.split(other)
    const wellFormed = /^\d{1,3}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => /^\d{3}$/.test(group))
    if (wellFormed && groups.length === 2 && !text.includes(point)) {
      return {
        reason: `${quoted(cell)} may have "${other}" for thousands or for decimals: set "decimal" in the mapping, or remove it with "replace"`,
      }
    }
    if (wellFormed) whole = groups.join('')
  }
  if (more.length > 0 || !/^\d*$/.test(whole) || !/^\d*$/.test(fraction) || whole + fraction === '') {
    return { reason: `${what}${butIs(cell)}${numberHint(text, other)}` }
  }
  return { value: `${isNegative ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}` }
}

function numberHint(text: string, other: string): string {
  if (/[\p{Sc}\p{L}]/u.test(text)) return ': remove currency signs and other words with "replace"'
  return text.includes(other) ? `: "${other}" is not the mapping's decimal sign` : ''
}

/** A purchase cost as canonical plain decimal text. */
export function readCost(text: string, point: '.' | ','): Verdict<string> {
  const plain = plainNumber(text, point)
  return 'value' in plain ? readDecimal(plain.value, BOUNDS.amount) : plain
}

/** A number of pieces; an empty cell is 0. */
export function readPieces(text: string, point: '.' | ','): Verdict<number> {
  if (/^\d{1,9}$/.test(text)) return { value: Number(text) }
  if (text === '') return { value: 0 }
  const bound = text.replace(/^>=?\s*/, '')
  const number = bound.endsWith('+') ? bound.slice(0, -1).trimEnd() : bound
  const plain = plainNumber(number, point, MUST.quantity, text)
  return 'value' in plain ? readQuantity(plain.value) : plain
}

/** An absolute URL. A relative path is joined to `base` with one slash and its blanks are encoded; `//host/path` becomes https. */
export function absoluteUrl(text: string, base: string | undefined): Verdict<string> {
  if (text.startsWith('//')) return readUrl(`https:${text}`)
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return readUrl(text)
  if (base !== undefined)
    return readUrl(`${base.replace(/\/+$/, '')}/${text.replace(/^\/+/, '').replaceAll(' ', '%20')}`)
  const verdict = readUrl(text)
  return 'reason' in verdict ? { reason: `${verdict.reason}: set "imageBaseUrl" in the mapping` } : verdict
}
