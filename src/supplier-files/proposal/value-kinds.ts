import { readEan } from '../../input/ean.ts'
import { gtinOf } from '../../model/gtin.ts'
import { compileAvailability } from '../availability.ts'
import { isNoCost } from '../no-value.ts'
import { readMoney, readPieces } from '../numbers.ts'

// What a single value of a column can be.

const countWord = compileAvailability()

/** As the import reads it: with blanks in it, and perhaps behind Excel's mark of a text. */
export const isGtin = (value: string): boolean => {
  const ean = readEan(value.replace(/^['\u2019]/, ''))
  return 'value' in ean && gtinOf(ean.value) !== null
}
export const isQuantity = (value: string): boolean =>
  'value' in readPieces(value, '.', countWord) || 'value' in readPieces(value, ',', countWord)
export const isAmount = (value: string): boolean =>
  'value' in readMoney(value, '.', 'rounded') || 'value' in readMoney(value, ',', 'rounded')
export const isCost = (value: string): boolean => isAmount(value) || isNoCost(value)
/** An amount that is written with decimals, or with a currency. */
export const isDecimal = (value: string): boolean =>
  isAmount(value) && (/\d[.,]\d{1,4}$/.test(value.replace(/\D+$/, '')) || /[\p{Sc}\p{L}]/u.test(value))

const YES_OR_NO = new Set(
  'true false yes no y n ja nein j tak nie t oui non sí si sim não nao ano ne áno nie igen nem da nu kyllä ei evet hayır wahr falsch vero falso да нет так ні iya tidak có không'.split(
    ' ',
  ),
)
export const isYesNo = (value: string): boolean => YES_OR_NO.has(value.toLowerCase())

/** An amount as a number, to be compared. */
export const figure = (value: string): number => {
  const digits = value.replace(/[^\d.,]/g, '')
  // the last sign is for decimals where few digits follow it
  return Number(digits.replace(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.'))
}
