import { say } from '../../../contract/remarks/remarks.ts'
import { attributeNumber, type DecimalSign } from '../numbers.ts'
import { priceKindOf } from './price-columns.ts'
import { factorsOf, numberColumns } from './line-total.ts'
import { share, type Column, type SampleRows } from './sample-columns.ts'

// Finds costs that are not those of one piece without deductions, as other columns or their own name show. They are calculated, and the merchant is
// asked.

interface Asked {
  note: (path: string, reason: string) => void
  ask: (question: string, field?: string) => void
}

/** The letters and digits of a name, in lower case, and percent signs. */
const withPercent = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}%]/gu, '')

/** Names of columns that state for how many pieces a price is. */
const PRICE_UNIT =
  /^(?:pe|per|preiseinheit|preismenge|preisbasis|preisper|preiseinh|mengepreis|priceunit|pricequantity|priceqty|pricebase|pricebasis|priceper|priceperqty|prijseenheid|prijsper|prisenhet|prisenhed|prisperantal|jednostkaceny|ilośćceny|cenaza|unitàprezzo|unitàdiprezzo|prezzoper|unidadprecio|unidaddeprecio|precioper|preciopor|unitéprix|unitédeprix|prixpar|basedeprix|cenovájednotka|cenazamnožství|ценаза)$/u
const DISCOUNT =
  /^(?:(?:ihr|händler|kunden|dealer|trade|your|max|cash|nakit|kart|peşin|bayi|kasa)?(?:rabatt|rabattsatz|nachlass|discount|remise|descuento|dto|sconto|korting|sleva|zľava|rabat|upust|zniżka|desconto|kedvezmény|alennus|reducere|indirim|iskonto|i̇skonto|скидка|знижка|έκπτωση))(?:%|pct|percent|prozent|inprozent|procent|proc)?$/u
/** Names of prices from which a discount is deducted. */
const LIST =
  /^(?:listenpreis|bruttolistenpreis|katalogpreis|listprice|catalogu?eprice|tarif|prixcatalogue|prixtarif|tarifa|listino|prezzodilistino|prezzolistino|catalogusprijs|brutoprijs|ceníkovácena|cenacennikowa|cenakatalogowa|listepris|listpris|прайс|listefiyatı|rrp|uvp|msrp)(?:netto|net|ht|eur)?$/u
/** Hundredths of a currency at the end of a name, with a blank before its words: `price in Cents`, `price.cent Amount`. */
const CENTS =
  /(?:^|[\s_.(-])(?:in[\s_])?(?:cents?(?:[\s_]amount)?|pence|centimes?|c[eé]ntimos?|centavos?|centesimi|groszy?|grosze|hal[eé][rř]\p{L}{0,3}|[öø]re|fill[eé]r|kuruş|копе[йе]\p{L}{1,3}|minor(?:[\s_]units?)?)\)?$/iu
/** What says how many of the last digits of an amount beside it are decimals: `price.precision`, `prices.currency_minor_unit`. */
const DIGITS_OF_DECIMALS =
  /(?:^|[._])(?:precision|fraction_?digits|decimals|decimal_?places|exponent|(?:currency_?)?minor_?units?)$/iu
/** Names that say the same less certainly: shops have them for how prices are shown. */
const DIGITS_PERHAPS = /(?:^|[._])(?:decimals|decimal_?places|exponent)$/iu
const pathOf = (name: string) => name.split('.').slice(0, -1).join('.')

/** `priceInCents` as `price In Cents` */
export const spaced = (name: string) => name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')

/** Whether a column says how many digits of an amount are decimals: it is no price itself. */
export const isDigitsOfDecimals = (name: string): boolean => DIGITS_OF_DECIMALS.test(name)

/** The column beside that of the cost by which whole amounts are hundredths. */
const digitsBeside = (own: Column, columns: readonly Column[]): Column | undefined =>
  columns.find(
    ({ name, values }) =>
      isDigitsOfDecimals(name) &&
      pathOf(name) === pathOf(own.name) &&
      values.length > 0 &&
      values.every((value) => value === '2'),
  )

/**
 * For how many pieces a price is, at the end of its name: `Precio x 100`, `Price/100`. A digit before the sign belongs to a size or a date, as in
 * `60x100`, and 10 after a slash may be a month if no word for pieces follows.
 */
const FOR_MANY =
  /(?:(?<!\p{L})(?:per|pro|por|par|za|за|je|c\/|cada|à)|(?<!\p{L}|\d\s*)x|(?<!\d\s*)\/(?=\s*10(?:0|\s*\p{L})))\s*(10{1,4})(?:\s*(?:pcs?|pieces?|units?|stk?|stück|szt|ks|db|pz|uds?|un|pièces?|adet|шт)\.?)?\)?$/iu
const MANY: readonly (readonly [RegExp, number])[] = [
  [/(?:^|[\s_/])(?:dozen|dz|docena|dúzia|duzia|dutzend|douzaine|dozzina|tuzin|tucet|дюжин\p{L}{0,3})\)?$/iu, 12],
  [/(?:^|[\s_/])(?:ciento|cento|hundert|hundred|centaine|сотн\p{L}{1,3})\)?$/iu, 100],
  [/(?:^|[\s_/])(?:millar|milheiro|thousand|tausend|mille|тысяч\p{L}{0,3}|тыс)\.?\)?$/iu, 1000],
]
const NAME_LENGTH_MAX = 100

/** How many pieces the price in a column is for, as its name says; 1 where it says nothing. */
export function piecesOfName(name: string): number {
  const text = name.trim()
  if (text.length > NAME_LENGTH_MAX) return 1
  const stated = FOR_MANY.exec(text)?.[1]
  return stated === undefined ? (MANY.find(([word]) => word.test(text))?.[1] ?? 1) : Number(stated)
}

const isPowerOfTen = (value: string) => /^10{0,5}(?:[.,]0+)?$/.test(value)

/** Whether a column states for how many pieces the price in another one is: it has such a name, and its values are powers of ten. */
export const isPriceUnit = ({ name, values }: Column): boolean =>
  PRICE_UNIT.test(withPercent(name)) && values.length > 0 && share(values, isPowerOfTen) === 1

const isPercent = (value: string) => {
  const number = Number((value.endsWith('%') ? value.slice(0, -1) : value).replace(',', '.'))
  return value !== '' && number >= 0 && number <= 100
}

/** Whether a value lists successive discounts, which are not calculated here: "40+10". */
const isChain = (value: string) => /^\d{1,2}(?:[.,]\d+)?(?:\s*[+/]\s*\d{1,2}(?:[.,]\d+)?)+\s*%?$/.test(value)

/** Changes the proposed cost to that of one piece less the discount, if other columns show that it is not; the merchant is asked. */
export function refineCost(
  columns: readonly Column[],
  rows: SampleRows,
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: Asked,
): void {
  const cost = fields['cost']
  const own = columns.find(({ name }) => name === cost)
  if (own === undefined) return
  const { name } = own
  const take = (calc: string, of: Record<string, unknown>, column: string | undefined, question: string) => {
    fields['cost'] = { calc, of }
    if (column !== undefined) used.add(column)
    note('fields.cost', `${calc}: ${withoutAsking(question)}`)
    ask(question, 'cost')
  }
  const many = piecesOfName(name)
  if (many > 1) {
    take(`price / ${many}`, { price: name }, undefined, say('cost_of_many', { column: name, pieces: many }))
    return
  }
  const unit = columns.find(
    (other) => other.name !== name && isPriceUnit(other) && other.values.some((value) => !/^1(?:[.,]0+)?$/.test(value)),
  )
  if (unit !== undefined) {
    const question = say('cost_per_unit', { column: name, unit: unit.name })
    take('price / per', { price: name, per: { column: unit.name, default: '1' } }, unit.name, question)
    return
  }
  const discount = columns.find(
    ({ name: other, values }) =>
      other !== name &&
      DISCOUNT.test(withPercent(other)) &&
      values.some((value) => /[1-9]/.test(value)) &&
      share(values, (value) => isPercent(value) || isChain(value)) === 1,
  )
  if (discount !== undefined && priceKindOf(name)?.kind !== 'purchase') {
    const chain = discount.values.find(isChain)
    if (chain !== undefined)
      ask(say('cost_before_discounts', { column: name, example: chain, discount: discount.name }), 'cost')
    else if (LIST.test(withPercent(name)))
      take(
        'list * (100 - discount) / 100',
        { list: name, discount: { column: discount.name, number: true, default: '0' } },
        discount.name,
        say('cost_less_discount', { column: name, discount: discount.name }),
      )
    else ask(say('cost_before_discount', { column: name, discount: discount.name }), 'cost')
    return
  }
  const factors = factorsOf(own, numberColumns(columns, rows), rows)
  if (factors !== undefined) {
    const question = say('cost_of_line', { total: name, price: factors.price, pieces: factors.pieces })
    fields['cost'] = factors.price
    used.delete(name)
    used.add(factors.price)
    note('fields.cost', `${JSON.stringify(factors.price)}: ${withoutAsking(question)}`)
    ask(question, 'cost')
    return
  }
  const digits = digitsBeside(own, columns)
  const isInHundredths = (column: Column) =>
    (CENTS.test(spaced(column.name)) || (digits !== undefined && pathOf(column.name) === pathOf(name))) &&
    column.values.every((value) => /^\d+$/.test(value))
  if (!isInHundredths(own)) return
  if (digits !== undefined && DIGITS_PERHAPS.test(digits.name) && !CENTS.test(spaced(name))) {
    ask(say('cost_perhaps_in_hundredths', { column: name, digits: digits.name }), 'cost')
    return
  }
  take('cents / 100', { cents: name }, digits?.name, say('cost_in_hundredths', { column: name }))
  const list = columns.find((column) => column.name === fields['list_price'])
  if (list === undefined || !isInHundredths(list)) return
  fields['list_price'] = {
    when: { column: list.name, matches: '[1-9]' },
    use: { calc: 'cents / 100', of: { cents: list.name } },
    else: { constant: '' },
  }
}

/** The remark without its question, as the reason for a line of the mapping. */
const withoutAsking = (question: string) => question.replace(/\. Is that right\?$/, '')

/** Languages in which a point separates thousands. */
const COMMA_LANGUAGES = new Set(
  'bg cs da de el es et fi fr hr hu id it lt lv nb nl no pl pt ro ru sk sl sr sv tr uk vi'.split(' '),
)
/** Amounts in currencies that have no decimals, and points between thousands. */
const WITHOUT_DECIMALS = /^(?:rp\.?|idr)\s?\d|\d\s?(?:₫|đ|vnđ|vnd)$/iu
const MAYBE_THOUSANDS = /^\D*[1-9]\d{0,2}\.\d{3}\D*$/

/**
 * The decimal sign for amounts such as `1.250`, which are 1250 or 1.25 and which no other value decides: by the language of the columns, with a
 * question.
 * @returns undefined if there are no such amounts, or the language has a decimal point
 */
export function openSign(
  columns: readonly Column[],
  fields: Readonly<Record<string, unknown>>,
  locale: string | undefined,
  { note, ask }: Asked,
): DecimalSign | undefined {
  for (const field of ['cost', 'quantity']) {
    const column = columns.find(({ name }) => name === fields[field])
    const example = column?.values.find((value) => MAYBE_THOUSANDS.test(value))
    if (column === undefined || example === undefined) continue
    const isComma = COMMA_LANGUAGES.has(locale ?? '') || WITHOUT_DECIMALS.test(example)
    const sign: DecimalSign | undefined = isComma ? ',' : undefined
    const read = attributeNumber(example, sign ?? '.')
    ask(say('decimal_unknown', { example, column: column.name, read, sign: sign === ',' ? '.' : ',' }), field)
    if (sign !== undefined)
      note(
        'decimal',
        `no number shows it; in the language of the columns a comma is for decimals, so ${JSON.stringify(example)} is ${read}`,
      )
    return sign
  }
  return undefined
}
