import { say } from '../../../contract/remarks/remarks.ts'
import { withLetters } from './column-names.ts'
import type { Draft } from './draft.ts'
import { lettersOf } from './name-letters.ts'
import { priceKindOf, type PriceColumn } from './price-columns.ts'
import { textAt, type Column, type SampleRows } from './sample-columns.ts'
import { figure, isAmount, isDecimal } from './value-kinds.ts'

// Two prices of one article where the file shows one beside the other: that of a sale, which some rows have, and the one before it.
// docs/decisions/254-a-sale-price-of-a-list-is-read.md says why.

/** What a price of a sale is called, as `bareName` writes it. */
const SALE =
  /^(?:sale|promo(?:tion(?:al)?)?|special|offer|discount(?:ed)?|reduced|deal)price$|^price(?:sale|promo|special|discount(?:ed)?|reduced|offer)$|^(?:angebots|aktions|sonder|promo)preis$|^(?:reduzierter|rabattierter)preis$|^pre[cç]o(?:de|em)?(?:promo(?:cional|cao)?|oferta|desconto)$|^precio(?:de|en)?(?:promo(?:cional|cion)?|oferta|rebajado|descuento|rebaja)$|^prix(?:en)?(?:promo(?:tionnel|tion)?|solde|remise|reduit)$|^prezzo(?:in|di)?(?:promo(?:zionale|zione)?|offerta|scontato|ribassato)$|^(?:aanbiedings|actie|kortings)prijs$|^cena(?:promocyjna|promo|wyprzedazy|poobnizce)$|^(?:akcni|akciova|zlevnena|zlavnena)cena$|^cenapo(?:sleve|zlave)$|^(?:kampanj|extra|rea|tilbuds|tilbud)pris$|^(?:tarjous|ale)hinta$|^akcios(?:ar)?$|^pret(?:promo(?:tional|tie)?|redus|oferta)$|^(?:indirimli|kampanya(?:li)?|promosyon)fiyati?$|^(?:акционная|акціина|промо|специальная|спец)(?:цена|ціна)$|^(?:цена|ціна)(?:соскидкои|зізнижкою|поакции|заакцією|акционная|акціина|промо)$|^τιμηπροσφορασ$|^(?:セール|特別|割引)価格$|^特価$|^(?:促销|优惠|特|活动)价格?$|^할인가(?:격)?$|^harga(?:promo|diskon)$|^giakhuyenmai$/u
/** What a sale itself is called: the column may as well have a flag or a percentage. */
const SALE_ALONE =
  /^(?:specialoffer|promotion|sonderangebot|aktion|oferta|promocion|promocja|promocao|offerta|promozione|akce|akcia|акция|акція|indirimli|kampanya|tilbud|tarjous)$/u
/** What a price is called that an article had before. */
const BEFORE =
  /^(?:old|was|previous|before|original|initial|list|strike(?:d|through)?)price$|^price(?:old|before(?:discount)?|was|previous)$|^(?:alter|bisheriger|vorheriger|ehemaliger)preis$|^pre[cç]o(?:antigo|anterior)$|^precio(?:anterior|antiguo|antes|tachado|viejo)$|^(?:ancienprix|prixavant|prixbarre)$|^(?:prezzo(?:precedente|vecchio|barrato)|vecchioprezzo)$|^(?:oude|van)prijs$|^(?:staracena|cenaprzed(?:obnizka|promocja)?|cenaprzekreslona|cenaregularna)$|^(?:puvodni|predchozi|povodna|stara|bezna)cena$|^cenapred(?:slevou|zlavou)$|^(?:tidigare|gammalt|gammel|for)pris$|^vanhahinta$|^regiar$|^pret(?:vechi|initial)$|^eskifiyati?$|^(?:старая|стара|прежняя)(?:цена|ціна)$|^(?:цена|ціна)(?:старая|стара|доскидки|дознижки|доакции)$|^παλιατιμη$|^(?:原|划线|市场)价$|^hargalama$|^giacu$/u
/** What a word about a sale begins with, as `unmarked` writes it. */
const OF_A_SALE =
  /^(?:sale|promo|special|discount|offer|angebot|aktion|sonder|oferta|rebaja|solde|offerta|sconto|akc|акци|акці|скид|зниж|kampan|tilbud|tarjous)/u
const MAYBE_OF_A_SALE = new RegExp(OF_A_SALE.source.slice(1), 'u')
/** Words for the days between which a price of a sale counts: on the others it does not. Short ones are parts of others, as `od` of `product`. */
const DAYS = new Set(
  (
    'from start starts begin begins date dates day until end ends valid period expires expiry von bis ab beginn ende datum zeitraum gultig ' +
    'desde hasta fecha inicio debut fin inizio fine data od do дата до от від начало конец початок кінець'
  ).split(' '),
)
const ENDS_WITH_DAYS = /(?:from|starts?|begins?|until|ends?|dates?|beginn|ende|datum|von|bis|desde|hasta)$/

/** Whether a column says on which days the price of a sale counts: `special_from_date`, `Aktionsbeginn`. */
function saysDaysOfSale(column: string): boolean {
  const name = unmarked(column)
  if (!MAYBE_OF_A_SALE.test(name)) return false
  const words = unmarked(column.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).split(/[^\p{L}\p{N}]+/u)
  const said = words.filter((word) => OF_A_SALE.test(word))
  return said.length > 0 && (words.some((word) => DAYS.has(word)) || said.some((word) => ENDS_WITH_DAYS.test(word)))
}

/** So many of the sale prices are below the price, and none is so small a part of it that it is a rate. */
const BELOW_SHARE = 0.9
const RATE_MAX = 0.05

/** Small letters without marks; those of Korean, which are no marks, stay together. */
const unmarked = (text: string): string =>
  withLetters(text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC'))

/** The last part of a name without marks, in small letters and digits alone. */
export const bareName = (column: string): string =>
  lettersOf(unmarked(column.split(/\.(?!\s)/).findLast((part) => part.trim() !== '') ?? column))

const isFilled = (text: string) => /[1-9]/.test(text)

/** Whether a column has amounts, in some rows at least, that are below those of another one nearly always. */
export function isBelowPrice(lower: Column, upper: Column, rows: SampleRows): boolean {
  const filled = lower.values.filter(isFilled)
  if (lower.isList || upper.isList || filled.filter(isAmount).length < filled.length * BELOW_SHARE) return false
  const ratios = rows.flatMap((row) => {
    const [one, other] = [textAt(row, lower.name), textAt(row, upper.name)]
    return isFilled(one) && isFilled(other) ? [figure(one) / figure(other)] : []
  })
  const below = ratios.filter((ratio) => ratio < 1).length
  return (
    below > 0 &&
    ratios.every((ratio) => ratio > RATE_MAX) &&
    ratios.filter((ratio) => ratio <= 1).length >= ratios.length * BELOW_SHARE
  )
}

/** Most amounts of a column that is called like a sale alone are at least this share of the price, and this one where they have no decimals. */
const ALONE_SHARE_MIN = 0.3
const ALONE_WHOLE_SHARE_MIN = 0.5

/** Whether a column that is called like a sale alone has amounts, of which flags and percentages are none. */
function hasSalePrices(sale: Column, price: Column, rows: SampleRows): boolean {
  const sold = rows.flatMap((row) => {
    const [amount, whole] = [textAt(row, sale.name), textAt(row, price.name)]
    return isFilled(amount) && isFilled(whole) ? [{ amount, ratio: figure(amount) / figure(whole) }] : []
  })
  const isMost = (test: (one: (typeof sold)[number]) => boolean) => sold.filter(test).length > sold.length / 2
  return (
    new Set(sold.map(({ amount }) => amount)).size > 1 &&
    isMost(({ amount, ratio }) => isDecimal(amount) || ratio >= ALONE_WHOLE_SHARE_MIN) &&
    isMost(({ ratio }) => ratio >= ALONE_SHARE_MIN)
  )
}

/** The column with what an article costs in a sale; undefined where none has it, or where it counts on some days only. */
export function salePriceOf(
  columns: readonly Column[],
  rows: SampleRows,
  cost: unknown,
  prices: readonly PriceColumn[],
  used: ReadonlySet<string>,
): Column | undefined {
  const own = columns.find(({ name }) => name === cost)
  if (own === undefined || prices.some(({ column, kind }) => column === own.name && kind === 'purchase'))
    return undefined
  const isCalledSale = (one: Column) => {
    const name = bareName(one.name)
    return SALE.test(name) || (SALE_ALONE.test(name) && hasSalePrices(one, own, rows))
  }
  const sale = columns.find(
    (one) =>
      one !== own &&
      !used.has(one.name) &&
      one.name.length <= NAME_LENGTH_MAX &&
      isBelowPrice(one, own, rows) &&
      isCalledSale(one),
  )
  const isOfSomeDays = ({ name }: Column) => name.length <= NAME_LENGTH_MAX && saysDaysOfSale(name)
  return sale === undefined || columns.some(isOfSomeDays) ? undefined : sale
}
const NAME_LENGTH_MAX = 100

/** The price that an article had before, where it is above that which is read, is the list price if nothing else is. */
export function proposePriceBefore({ columns, rows, fields, used, note }: Draft): void {
  const own = columns.find(({ name }) => name === fields['cost'])
  if (fields['list_price'] !== undefined || own === undefined || priceKindOf(own.name)?.kind === 'purchase') return
  const before = columns.find(
    (one) =>
      one !== own &&
      !used.has(one.name) &&
      one.name.length <= NAME_LENGTH_MAX &&
      BEFORE.test(bareName(one.name)) &&
      isBelowPrice(own, one, rows),
  )
  if (before === undefined) return
  fields['list_price'] = before.name
  used.add(before.name)
  note(
    'fields.list_price',
    `${JSON.stringify(before.name)}: it is called like the price before, and is above the other one`,
  )
}

/**
 * Reads the price of a sale where a row has one, and the other one as the list price beside it. Beside a cost that is calculated it is kept
 * as an attribute: `used` has it no more.
 */
export function proposeSalePrice(
  sale: Column | undefined,
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: { note: (path: string, reason: string) => void; ask: (question: string, field?: string) => void },
): void {
  const price = fields['cost']
  if (sale === undefined) return
  if (typeof price !== 'string') {
    used.delete(sale.name)
    return
  }
  const when = { column: sale.name, matches: '[1-9]' }
  fields['cost'] = { when, use: sale.name, else: price }
  fields['list_price'] ??= { when, use: price, else: { constant: '' } }
  note('fields.cost', `${JSON.stringify(sale.name)} has the price of a sale, which counts where a row has one`)
  ask(say('cost_on_sale', { sale: sale.name, price }), 'cost')
}
