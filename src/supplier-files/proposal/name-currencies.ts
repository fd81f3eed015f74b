import { currencyBySign } from '../numbers.ts'

// The currencies that names of columns say.

/** What is longer is a text, and no name. */
const NAME_LENGTH_MAX = 200

const CURRENCIES = new Set(
  (
    'AED ARS AUD AZN BDT BGN BOB BRL BYN CAD CHF CLP CNY COP CRC CZK DKK DOP EGP EUR GBP GHS GTQ HKD HRK HUF IDR ILS INR ' +
    'JPY KES KRW KZT LKR MAD MDL MXN MYR NGN NIO NOK NZD PEN PHP PKR PLN PYG RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH ' +
    'USD UYU UZS VES VND ZAR'
  ).split(' '),
)
/** A code or a sign at the end of a name: `price-EUR`, `Cena (Kč)`, `Цена, руб.`, `EK in €`. */
const IN_CURRENCY = /^(.{2,60}?)[\s_.,([-]+(?:(?:in|en|w|v|в|у)\s+)?([^\s\d()[\],]{1,6})[)\]]?$/iu

/** `priceUAH`, and `priceRUAH` of retail prices. */
const CURRENCY_BEHIND = /^(.{1,40}\p{Ll})R?(\p{Lu}{3})$/u

/** Whether a name says a currency, with or without brackets around it. */
export const containsCurrency = (column: string): boolean =>
  column.length <= NAME_LENGTH_MAX && column.split(/[^\p{L}]+/u).some((word) => CURRENCIES.has(word))

/** The currency that a name ends with; null for a sign that several have. */
export function splitCurrency(name: string): { base: string; currency: string | null | undefined } {
  const [, own = '', code = ''] = CURRENCY_BEHIND.exec(name) ?? []
  if (CURRENCIES.has(code)) return { base: own, currency: code }
  const [, base = '', word = ''] = IN_CURRENCY.exec(name) ?? []
  return { base, currency: CURRENCIES.has(word.toUpperCase()) ? word.toUpperCase() : currencyBySign(word) }
}

/** The currency that the name of a column of costs says, whatever else it says: `Koszt (zł)`, `EXW box USD`. */
export function currencyOfName(column: string): string | undefined {
  if (column.length > NAME_LENGTH_MAX) return undefined
  const { base, currency } = splitCurrency(column.trim().replace(NOTE_ON_TAX, ''))
  // a price per ft is one of a length
  return PER.test(base) ? undefined : (currency ?? undefined)
}
/** `Fiyat TL (KDV dahil)` */
const NOTE_ON_TAX =
  /\s*[([][^()[\]]*(?:vat|tax|mwst|ust|iva|tva|btw|dph|kdv|ндс|пдв|moms|mva|áfa|alv|netto|brutto)[^()[\]]*[)\]]$/iu
const PER = /(?:^|[^\p{L}])(?:per|pro|por|par|za|je|na|à)$/iu

/** Currencies that are written as "$", and those of countries whose lists have prices in more dollars than one. */
const OF_DOLLARS = new Set('ARS AUD CAD CLP COP DOP EUR GBP HKD MXN NIO NZD SGD TWD USD UYU'.split(' '))

/**
 * The currency that is meant by "$" beside prices in another one: in a list with prices in soles or hryvnias it is the dollar of the United States,
 * and in one with prices in pesos it may be the sign of these.
 * @param names of the columns of prices
 */
export function dollarCurrencyOf(column: string, names: readonly string[]): string | undefined {
  if (column.length > NAME_LENGTH_MAX || !/\$[)\]]?\s*$/.test(column) || splitCurrency(column.trim()).currency !== null)
    return undefined
  const others = names.flatMap((name) => {
    const { currency } = splitCurrency(name.trim())
    // a sign that several have, as "Bs", is none of a dollar either
    return name === column || currency === undefined ? [] : [currency ?? name]
  })
  return others.length > 0 && !others.some((other) => OF_DOLLARS.has(other) || other.includes('$')) ? 'USD' : undefined
}
