import { say } from '../../contract/remarks/remarks.ts'
import { MUST } from '../../contract/values.ts'
import { readCurrency } from '../input/currency.ts'
import { BOUNDS, readDecimal } from '../input/decimal.ts'
import { readQuantity } from '../input/quantity.ts'
import { actualValueSuffix, quoted, shortened, type Verdict } from '../input/verdict.ts'
import { Exact } from '../model/money.ts'
import type { CountAvailability } from './availability.ts'
import { must } from '../platform/must.ts'

// Reads numbers as suppliers' files write them. src/input checks the values.

/**
 * The decimal sign that a mapping states. Without one it is a point, except in amounts that certainly have a comma; a number such as `1,234`,
 * which may be 1234 or 1.234, is refused.
 */
export type DecimalSign = '.' | ',' | undefined

const BLANK_OR_APOSTROPHE = /[ \u00a0\u2009\u202f'\u2019]/g
const GROUPED_BY_BLANK = /^\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+$/
/** Longer texts are refused unread. */
const TEXT_LENGTH_MAX = 100

/**
 * Turns a number as people write it into plain decimal text. Thousands may be separated by blanks, apostrophes, or the sign that is not the
 * decimal one: with "," as the decimal sign `1.200` is 1200. Where the mapping states no sign, `1,234` is refused: it may be 1234 or 1.234.
 * @param what the beginning of the fault's message. @param cell the text that the message quotes
 */
export function plainNumber(
  text: string,
  sign: DecimalSign,
  what: string = MUST.decimal,
  cell: string = text,
): Verdict<string> {
  if (text.length > TEXT_LENGTH_MAX) return { reason: `${what}${actualValueSuffix(cell)}` }
  const point = sign ?? '.'
  const isNegative = /^[-\u2212]/.test(text)
  const other = point === '.' ? ',' : '.'
  const [head = '', fraction = '', ...more] = (isNegative ? text.slice(1) : text).split(point)
  let whole = head
  if (GROUPED_BY_BLANK.test(whole)) whole = whole.replace(BLANK_OR_APOSTROPHE, '')
  else if (whole.includes(other)) {
    const groups = whole.split(other)
    const isGrouped = /^[1-9]\d{0,2}$/.test(must(groups[0])) && groups.slice(1).every((group) => /^\d{3}$/.test(group))
    if (isGrouped && sign === undefined && groups.length === 2 && !text.includes(point))
      return { reason: `${quoted(cell)} is ${groups.join('')} or ${groups.join('.')}: set "decimal" in the mapping` }
    if (isGrouped) whole = groups.join('')
  }
  if (more.length > 0 || !/^\d*$/.test(whole) || !/^\d*$/.test(fraction) || whole + fraction === '')
    return { reason: `${what}${actualValueSuffix(cell)}${numberHint(text, sign, other)}` }
  const plain = withoutNoise(whole, fraction) ?? `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`
  return { value: `${isNegative ? '-' : ''}${plain}` }
}

/**
 * The number that a program meant which calculates in binary floating point: 58.120000000000005 is 58.12. Undefined unless the text has as many
 * digits as such numbers have, with zeros or nines before the last ones.
 */
function withoutNoise(whole: string, fraction: string): string | undefined {
  const digits = whole.length + fraction.length
  if (fraction.length <= 10 || digits < 15 || digits > 18 || !/(?:0{6}|9{6})\d{0,3}$/.test(fraction)) return undefined
  const meant = Number(`${whole}.${fraction}`).toPrecision(15)
  // below a millionth, toPrecision uses exponential notation
  return meant.includes('e') ? undefined : meant.replace(/\.?0+$/, '')
}

function numberHint(text: string, sign: DecimalSign, other: string): string {
  if (/[\p{Sc}\p{L}]/u.test(text)) return ': take the number out of it with "capture", or remove words with "replace"'
  if (!text.includes(other)) return ''
  return sign === undefined
    ? `: "${other}" is not the decimal sign until the mapping says so with "decimal"`
    : `: "${other}" is not the mapping's decimal sign`
}

/** Signs and names of currencies beside amounts; null: several currencies use the sign. */
const CURRENCY_SIGNS: Readonly<Record<string, string | null>> = {
  '€': 'EUR',
  '£': 'GBP',
  zł: 'PLN',
  zl: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  лв: 'BGN',
  lei: 'RON',
  soles: 'PEN',
  dolares: 'USD',
  dólares: 'USD',
  euros: 'EUR',
  '₽': 'RUB',
  '₴': 'UAH',
  '₺': 'TRY',
  tl: 'TRY',
  '₹': 'INR',
  '₫': 'VND',
  đ: 'VND',
  vnđ: 'VND',
  rp: 'IDR',
  'rp.': 'IDR',
  rm: 'MYR',
  '฿': 'THB',
  บาท: 'THB',
  '₱': 'PHP',
  '₩': 'KRW',
  원: 'KRW',
  円: 'JPY',
  元: 'CNY',
  '৳': 'BDT',
  '₪': 'ILS',
  '₦': 'NGN',
  '₵': 'GHS',
  'gh₵': 'GHS',
  ksh: 'KES',
  '₸': 'KZT',
  тг: 'KZT',
  тенге: 'KZT',
  сум: 'UZS',
  '₼': 'AZN',
  '₾': 'GEL',
  '₡': 'CRC',
  '₲': 'PYG',
  's/': 'PEN',
  's/.': 'PEN',
  us$: 'USD',
  ca$: 'CAD',
  au$: 'AUD',
  a$: 'AUD',
  nz$: 'NZD',
  hk$: 'HKD',
  nt$: 'TWD',
  mx$: 'MXN',
  euro: 'EUR',
  r$: 'BRL',
  rd$: 'DOP',
  'дин.': 'RSD',
  дин: 'RSD',
  'din.': 'RSD',
  din: 'RSD',
  руб: 'RUB',
  'руб.': 'RUB',
  рубли: 'RUB',
  рублях: 'RUB',
  rur: 'RUB',
  рублей: 'RUB',
  грн: 'UAH',
  'грн.': 'UAH',
  $: null,
  bs: null,
  'bs.': null,
  c$: null,
  kr: null,
  '¥': null,
  rs: null,
  'rs.': null,
  '₨': null,
  'fr.': null,
}

/** An amount and the ISO 4217 code of the currency beside it; null: none is written, or a sign that several currencies share. */
export interface Money {
  amount: string
  currency: string | null
}

/** A note after an amount that it is for one piece: `1 260 ₽ /шт`. */
const PER_PIECE =
  /[ \u00a0\u202f]*\/[ \u00a0]?(?:pcs?|pieces?|units?|each|ea|st|stk|stück|stck|szt|ks|db|pz|uds?|pièces?|adet|шт)\.?$/iu

/** An amount as most files write it. Not used where the decimal sign is a comma, because the point may then separate thousands. */
const PLAIN_AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/

/**
 * Reads an amount with or without a currency: `12,50 EUR`, `€ 12.50`, `5,-`. Faults quote the text as it is in the file.
 * @param precision `rounded` rounds amounts that a program has calculated: for values that are stored, not for operands of a formula.
 */
export function readMoney(
  written: string,
  sign: DecimalSign,
  precision: 'exact' | 'rounded' = 'exact',
): Verdict<Money> {
  if (PLAIN_AMOUNT.test(written) && sign !== ',') return asMoney(readDecimal(written, BOUNDS.amount), null)
  const text = written.includes('/') && written.length <= TEXT_LENGTH_MAX ? written.replace(PER_PIECE, '') : written
  let number = text
  let currency: string | null = null
  const beside =
    /^([^\d\s.,+\-\u2212'\u2019]{1,5})[ \u00a0\u2009\u202f]*(?=[-\u2212]?[\d.,])|(?<=[\d.,\-\u2013\u2014])[ \u00a0\u2009\u202f]*([^\d\s,+\-\u2013\u2014\u2212'\u2019]{1,5})$/u.exec(
      text,
    )
  const word = beside?.[1] ?? beside?.[2]
  if (beside !== null && word !== undefined && text.length <= TEXT_LENGTH_MAX) {
    const known = currencyOf(word)
    if (known !== undefined) {
      currency = known
      number = (
        beside.index === 0 && beside[1] !== undefined ? text.slice(beside[0].length) : text.slice(0, beside.index)
      ).trim()
    }
  }
  if (PLAIN_AMOUNT.test(number) && sign !== ',') return asMoney(readDecimal(number, BOUNDS.amount), currency)
  const bare = number.replace(/[.,](?:-{1,2}|\u2013|\u2014)$/, '')
  // a column may have both `49,00 TND` and `19.99 EUR`: if the mapping states no sign, each amount is read by the sign that it certainly has
  const certain = sign === undefined && signOf(bare) === ',' ? plainNumber(bare, ',') : undefined
  const plain = certain !== undefined && 'value' in certain ? certain : plainNumber(bare, sign, MUST.decimal, written)
  if ('reason' in plain) return plain
  return asMoney(
    readDecimal(precision === 'rounded' ? roundedIfCalculated(plain.value) : plain.value, BOUNDS.amount, written),
    currency,
  )
}

/** An amount with too many decimals and at least this many digits was calculated by a program. */
const CALCULATED_DIGITS = 13

/**
 * Rounds an amount that a program calculated, such as 0.0748202858708563 in a workbook, to the decimals that an amount may have. A shorter one
 * with too many decimals stays as it is, and is refused later. docs/decisions/215-detection-asks-about-what-an-import-leaves-out.md says why.
 */
function roundedIfCalculated(plain: string): string {
  const [whole = '', fraction = ''] = plain.split('.')
  const digits = (whole + fraction).replace(/^-?0*/, '').length
  if (fraction.length <= BOUNDS.amount.fraction || digits < CALCULATED_DIGITS || digits > 18) return plain
  const rounded = new Exact(plain).toDecimalPlaces(BOUNDS.amount.fraction)
  // an amount above 0 must not become a price of 0
  return rounded.isZero() ? plain : rounded.toFixed()
}

const asMoney = (amount: Verdict<string>, currency: string | null): Verdict<Money> =>
  'value' in amount ? { value: { amount: amount.value, currency } } : amount

/** The ISO 4217 code for a sign or a name such as `zł`; null: several currencies use it; undefined: it is no currency. */
export const currencyBySign = (word: string): string | null | undefined =>
  Object.hasOwn(CURRENCY_SIGNS, word.toLowerCase()) ? CURRENCY_SIGNS[word.toLowerCase()] : undefined

function currencyOf(word: string): string | null | undefined {
  const sign = currencyBySign(word)
  if (sign !== undefined) return sign
  const code = readCurrency(word)
  return 'value' in code ? code.value : undefined
}

const PIECES =
  /^(.*\d)[ \u00a0\u2009\u202f]*(?:pcs?|pieces?|units?|st|stk|stück|stck|szt|sztuk[ai]?|stuks?|ks|kusů|db|pz|pzs|pezzi|uds?|unidades|pièces?|шт)\.?$/i

/** Reads a number of pieces; an empty cell is 0. Words such as `in stock` count as `countWord` says. */
export function readPieces(text: string, sign: DecimalSign, countWord: CountAvailability): Verdict<number> {
  if (/^\d{1,9}$/.test(text)) return { value: Number(text) }
  if (text === '') return { value: 0 }
  // WooCommerce writes an apostrophe before a negative stock, because a spreadsheet might take it for a formula
  if (/^'[-\u2212]\d{1,9}$/.test(text)) return { value: 0 }
  // texts with letters, and signs such as "-", for which a mapping may have a meaning
  if (text.length <= TEXT_LENGTH_MAX && (/\p{L}/u.test(text) || !/\d/.test(text))) {
    const count = countWord(text)
    if (count !== undefined) return { value: count }
  }
  const bare = text.length <= TEXT_LENGTH_MAX ? (PIECES.exec(text)?.[1] ?? text).trim() : text
  const bound = bare.replace(/^>=?\s*/, '')
  const number = bound.endsWith('+') ? bound.slice(0, -1).trimEnd() : bound
  const plain = plainNumber(number, sign, MUST.quantity, text)
  return 'value' in plain ? readQuantity(plain.value) : plain
}

const NUMBER_AND_UNIT =
  /^([-\u2212]?[\d.,]*\d(?:[ \u00a0\u2009\u202f'\u2019]\d{3})*[\d.,]*)(\s*[^\d\s.,][^\d]{0,19})?$/u

/** A decimal sign, or separated thousands; `030 123` is no number. */
const SEPARATED = /[.,]|^[-\u2212]?[1-9]\d{0,2}[ \u00a0\u2009\u202f'\u2019]\d{3}(?!\d)/

/**
 * Rewrites the value of an attribute that is a number with a point for decimals and without thousands separators; a unit after it is kept. Other
 * texts are returned unchanged, and all texts if the mapping states no decimal sign, because a text may look like a number without being one.
 */
export function attributeNumber(text: string, sign: DecimalSign): string {
  if (sign === undefined || text.length > TEXT_LENGTH_MAX || !SEPARATED.test(text)) return text
  const [, number = '', unit = ''] = NUMBER_AND_UNIT.exec(text) ?? []
  const plain = number === '' ? { reason: '' } : plainNumber(number, sign)
  return 'value' in plain ? plain.value + unit : text
}

/** Reads the number in a text such as `1.200,5 kg`, without its unit, as plain decimal text. */
export function numberWithoutUnit(text: string, sign: DecimalSign): Verdict<string> {
  const number = text.length <= TEXT_LENGTH_MAX ? (NUMBER_AND_UNIT.exec(text)?.[1] ?? text) : text
  return plainNumber(number.trim(), sign, MUST.decimal, text)
}

/** A JSON number or a result of arithmetic, written with the decimal sign of the file. */
export const inNotation = (plain: string, sign: DecimalSign): string => (sign === ',' ? plain.replace('.', ',') : plain)

/**
 * What the numbers of one column show about its decimal sign. It is used when a number could be read in two ways, and at the end of the file:
 * numbers that were read one way while others show the other way mean that the mapping is wrong.
 */
export class NumberEvidence {
  readonly #examples: Record<'.' | ',', { count: number; example: string }> = {
    '.': { count: 0, example: '' },
    ',': { count: 0, example: '' },
  }
  /** How many numbers such as `1.234` were read with a decimal point because the mapping states no sign. */
  #open = 0
  #openExample = ''

  /** Records a number of the column. */
  note(text: string): void {
    // `0.123` is not open: nobody writes thousands with a leading 0
    const sign = /^\D*[1-9]\d{0,2}\.\d{3}(?:\D*)$/.test(text) ? 'open' : signOf(text)
    if (sign === undefined) return
    if (sign === 'open') {
      if (this.#open++ === 0) this.#openExample = text
    } else if (this.#examples[sign].count++ === 0) this.#examples[sign].example = text
  }

  /** The sign that more than ten times as many numbers of the column show as the other; undefined if there is none. */
  sign(): '.' | ',' | undefined {
    const [point, comma] = [this.#examples['.'].count, this.#examples[','].count]
    if (point === 0 && comma === 0) return undefined
    return point > comma * 10 ? '.' : comma > point * 10 ? ',' : undefined
  }

  /** What the column shows, as the end of a fault's reason. */
  words(): string {
    for (const sign of ['.', ','] as const) {
      const { count, example } = this.#examples[sign]
      if (count > 0)
        return ` (${count} ${count === 1 ? 'value' : 'values'} of this column so far, such as ${quoted(example)}, show "${sign}")`
    }
    return ' (no value of this column so far shows which)'
  }

  /**
   * The contradiction between the numbers of the column, at the end of the file; `isSevere` if more numbers show a comma than a point. Undefined
   * if there is none.
   */
  conflict(field: string): { text: string; isSevere: boolean } | undefined {
    const { count, example } = this.#examples[',']
    if (this.#open === 0 || count === 0) return undefined
    const text = say('decimals_mixed', {
      field,
      open: this.#open,
      example: shortened(this.#openExample),
      shown: count,
      other: shortened(example),
    })
    return { text, isSevere: count > this.#examples['.'].count }
  }
}

/** The decimal sign that a number certainly has; undefined if it shows none. */
function signOf(text: string): '.' | ',' | undefined {
  const digits = text.replace(/[^\d.,]/g, '')
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last === -1) return undefined
  const sign = digits[last] as '.' | ','
  const isRepeated = digits.indexOf(sign) !== last
  if (isRepeated) return sign === '.' ? ',' : '.'
  const isMixed = /[.,]/.test(digits.slice(0, last))
  return isMixed || digits.length - last - 1 !== 3 || digits.startsWith('0') ? sign : undefined
}
