// Reads numbers as people write them, in any unambiguous notation. An ambiguous text is not read.

/** The decimal sign of an attribute's values, if the owner states one. */
export type StatedSign = '.' | ',' | null

/** A number as plain decimal text, and the unit after it. */
export interface StatedNumber {
  plain: string
  unit: string | null
}

/** The maximum number of digits: JSON numbers of that length are exact for clients with binary floating point. */
export const NUMBER_DIGITS_MAX = 15
const TEXT_LENGTH_MAX = 100

const BLANK = ' \u00a0\u2009\u202f'
/** Arabic, Persian and full-width digits. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g
const ZEROS = [0x660, 0x6f0, 0xff10]
const ARABIC_POINT = '\u066b'
const NUMBER_AND_UNIT = new RegExp(
  `^([+\\-\u2212]?)[${BLANK}]?(\\d(?:[\\d.,'\u2019${BLANK}${ARABIC_POINT}]*\\d)?)[${BLANK}]*((?:[\\p{L}%\u2030\u00b0"\u2033\u201d\u00b2\u00b3\u00b5\u00b7/]|(?<=m)[23]){0,20}\\.?)$`,
  'u',
)
const GROUPED_BY_BLANK = new RegExp(`^\\d{1,3}(?:([${BLANK}'\u2019])\\d{3})(?:\\1\\d{3})*(?![\\d${BLANK}'\u2019])`)

/**
 * Reads `0,6 mm`, `1.250,5`, `1 250`, `1'250.5`. A number with one sign and three digits after it, as in `1,250`, is read only if `sign` decides what
 * the sign means. If the text cannot be read, the result is a reason.
 */
export function readStatedNumber(text: string, sign: StatedSign): StatedNumber | { reason: string } {
  if (text.length > TEXT_LENGTH_MAX) return { reason: 'it is too long for a number' }
  const plainDigits = text.replace(OTHER_DIGITS, latinDigit).replaceAll('\u066c', "'")
  const [, minus = '', written = '', unit = ''] = NUMBER_AND_UNIT.exec(plainDigits.trim()) ?? []
  if (written === '') return { reason: 'it is no number with a unit or without' }
  const read = plainOf(written, sign)
  if (typeof read !== 'string') return read
  const [whole = '', decimals = ''] = read.split('.')
  const shownDecimals = decimals.replace(/0+$/, '')
  const size = `${whole.replace(/^0+(?=\d)/, '')}${shownDecimals === '' ? '' : `.${shownDecimals}`}`
  if (!isShort(size)) return { reason: `it has more than ${NUMBER_DIGITS_MAX} digits` }
  return {
    plain: minus === '' || minus === '+' || size === '0' ? size : `-${size}`,
    unit: unit === '' ? null : unit,
  }
}

/** Whether plain decimal text has few enough digits to be an exact JSON number. */
export function isShort(plain: string): boolean {
  const [whole = '', decimals = ''] = plain.replace('-', '').split('.')
  return decimals.length <= NUMBER_DIGITS_MAX && (whole + decimals).replace(/^0+/, '').length <= NUMBER_DIGITS_MAX
}

function latinDigit(digit: string): string {
  const code = digit.charCodeAt(0)
  const zero = ZEROS.findLast((first) => first <= code) ?? code
  return String(code - zero)
}

const OPEN = { reason: 'its sign may stand for thousands or for decimals' }
const NONE = { reason: 'its signs are those of no number' }

/** Converts digits and signs to plain decimal text. */
function plainOf(written: string, sign: StatedSign): string | { reason: string } {
  const grouped = GROUPED_BY_BLANK.exec(written)?.[0]
  const isGrouped = grouped !== undefined
  const text = isGrouped ? grouped.replace(/\D/g, '') + written.slice(grouped.length) : written
  const signs = text.replace(/\d/g, '')
  if (signs === '') return text
  const last = signs.at(-1) ?? ''
  if (!['.', ',', ARABIC_POINT].includes(last)) return NONE
  const at = text.lastIndexOf(last)
  const [head, tail] = [text.slice(0, at), text.slice(at + 1)]
  const isAlone = signs.length === 1
  const isRepeated = !isAlone && Array.from(signs).every((one) => one === last)
  if (last === ARABIC_POINT) return isAlone ? `${head}.${tail}` : NONE
  if (isRepeated) {
    // thousands separators only
    if (sign === last || isGrouped || !isThousands(text, last)) return NONE
    return text.replaceAll(last, '')
  }
  if (isAlone) {
    if (sign === last || isGrouped) return sign !== null && sign !== last ? NONE : `${head}.${tail}`
    const mayBeThousands = isThousands(text, last)
    if (sign !== null) return mayBeThousands ? head + tail : NONE
    return mayBeThousands ? OPEN : `${head}.${tail}`
  }
  // two kinds of signs: the last is the decimal sign, the other separates thousands
  const other = last === '.' ? ',' : '.'
  if (isGrouped || (sign !== null && sign !== last)) return NONE
  if (Array.from(head.replace(/\d/g, '')).some((one) => one !== other) || !isThousands(head, other)) return NONE
  return `${head.replaceAll(other, '')}.${tail}`
}

/** Whether each sign is followed by three digits, like thousands separators. */
const isThousands = (text: string, sign: string) => {
  const [first = '', ...groups] = text.split(sign)
  return /^[1-9]\d{0,2}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
}
