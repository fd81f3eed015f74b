import { readEan } from '../../input/ean.ts'
import { gtinOf } from '../../model/gtin.ts'
import { compileAvailability } from '../availability.ts'
import { isNoCost } from '../no-value.ts'
import { readMoney, readPieces } from '../numbers.ts'

// Tests what a single value of a column can be.

const countWord = compileAvailability()

/**
 * Whether the import reads a value as a valid GTIN; it may have blanks in it, or the apostrophe before it by which
 * Excel marks texts.
 */
export const isGtin = (value: string): boolean => {
  const ean = readEan(value.replace(/^['\u2019]/, ''))
  return 'value' in ean && gtinOf(ean.value) !== null
}
/** Whether a value is a number of pieces or a word about availability, with either decimal sign. */
export const isQuantity = (value: string): boolean =>
  'value' in readPieces(value, '.', countWord) || 'value' in readPieces(value, ',', countWord)
/** Whether a value is an amount, with or without a currency, with either decimal sign. */
export const isAmount = (value: string): boolean =>
  'value' in readMoney(value, '.', 'rounded') || 'value' in readMoney(value, ',', 'rounded')
/** Whether a value is an amount, or says that the cost is not known. */
export const isCost = (value: string): boolean => isAmount(value) || isNoCost(value)
/** Whether a value is an amount with decimals or with a currency. */
export const isDecimal = (value: string): boolean =>
  isAmount(value) && (/\d[.,]\d{1,4}$/.test(value.replace(/\D+$/, '')) || /[\p{Sc}\p{L}]/u.test(value))

const YES_OR_NO = new Set(
  'true false yes no y n ja nein j tak nie t oui non sí si sim não nao ano ne áno nie igen nem da nu kyllä ei evet hayır wahr falsch vero falso да нет так ні iya tidak có không'.split(
    ' ',
  ),
)
/** Whether a value is a word for yes or no, or `true` or `false`. */
export const isYesNo = (value: string): boolean => YES_OR_NO.has(value.toLowerCase())

/** An amount as a number, only for comparisons. */
export const figure = (value: string): number => {
  const digits = value.replace(/[^\d.,]/g, '')
  // a sign before exactly three digits separates thousands
  return Number(digits.replace(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.'))
}
