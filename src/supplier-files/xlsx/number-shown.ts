import { readCurrency } from '../../input/currency.ts'
import { currencyBySign } from '../numbers.ts'

/** Longer texts are no numbers. */
const LENGTH_MAX = 60
const WORD = String.raw`(\p{Sc}|\p{L}{0,3}\$|\p{L}{1,6}\.?)?`
const AMOUNT = new RegExp(
  String.raw`^[-\u2212]?${WORD}\s*[-\u2212]?(\d[\d.,'\u2019\s]*)[-\u2013\u2014]{0,2}\s*${WORD}$`,
  'u',
)
const WITH_EXPONENT = /^[-\u2212]?(\d)(?:[.,](\d{1,20}))?e([+-]?\d{1,3})$/i

/**
 * Whether a text shows this number, perhaps rounded: with separators, and perhaps with a currency. Dates and percentages do not, because their
 * number differs from the digits shown.
 */
export function showsNumber(text: string, number: number): boolean {
  if (text.length > LENGTH_MAX) return false
  const size = Math.abs(number)
  const long = WITH_EXPONENT.exec(text)
  if (long !== null) {
    const [, whole = '', fraction = '', exponent = ''] = long
    return isRounded(size, Number(`${whole}.${fraction}e${exponent}`), fraction.length - Number(exponent))
  }
  const [, before, digits = '', after] = AMOUNT.exec(text) ?? []
  if (digits === '' || !isCurrency(before) || !isCurrency(after)) return false
  const plain = digits.replace(/['\u2019\s]/g, '').replace(/[.,]+$/, '')
  // the last separator precedes decimals or thousands
  const at = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  const whole = plain.replace(/[.,]/g, '')
  if (isRounded(size, Number(whole), 0)) return true
  const decimals = at === -1 ? 0 : plain.length - at - 1
  return decimals > 0 && isRounded(size, Number(whole) / 10 ** decimals, decimals)
}

const isRounded = (exact: number, shown: number, decimals: number): boolean =>
  Math.abs(exact - shown) <= 0.5 * 10 ** -decimals + exact * 1e-9

const isCurrency = (word: string | undefined): boolean =>
  word === undefined ||
  /\p{Sc}$/u.test(word) ||
  currencyBySign(word) !== undefined ||
  currencyBySign(word.replace(/\.$/, '')) !== undefined ||
  'value' in readCurrency(word)
