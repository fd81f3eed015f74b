import { say } from '../../../contract/remarks/remarks.ts'
import { withLetters } from './column-names.ts'
import type { Draft } from './draft.ts'
import { lettersOf } from './name-letters.ts'
import { priceKindOf, type PriceColumn } from './price-columns.ts'
import { textAt, type Column, type SampleRows } from './sample-columns.ts'
import { figure, isAmount, isDecimal } from './value-kinds.ts'

// Finds two prices of an article: a sale price, which some rows have, and the price before it.
// docs/decisions/254-a-sale-price-of-a-list-is-read.md says why.

/** Names of sale prices, as `bareName` writes them. */
const SALE =
  /^(?:sale|promo(?:tion(?:al)?)?|special|offer|discount(?:ed)?|reduced|deal)price$|^price(?:sale|promo|special|discount(?:ed)?|reduced|offer)$|^(?:angebots|aktions|sonder|promo)preis$|^(?:reduzierter|rabattierter)preis$|^pre[cç]o(?:de|em)?(?:promo(?:cional|cao)?|oferta|desconto)$|^precio(?:de|en)?(?:promo(?:cional|cion)?|oferta|rebajado|descuento|rebaja)$|^prix(?:en)?(?:promo(?:tionnel|tion)?|solde|remise|reduit)$|^prezzo(?:in|di)?(?:promo(?:zionale|zione)?|offerta|scontato|ribassato)$|^(?:aanbiedings|actie|kortings)prijs$|^cena(?:promocyjna|promo|wyprzedazy|poobnizce)$|^(?:akcni|akciova|zlevnena|zlavnena)cena$|^cenapo(?:sleve|zlave)$|^(?:kampanj|extra|rea|tilbuds|tilbud)pris$|^(?:tarjous|ale)hinta$|^akcios(?:ar)?$|^pret(?:promo(?:tional|tie)?|redus|oferta)$|^(?:indirimli|kampanya(?:li)?|promosyon)fiyati?$|^(?:акционная|акціина|промо|специальная|спец)(?:цена|ціна)$|^(?:цена|ціна)(?:соскидкои|зізнижкою|поакции|заакцією|акционная|акціина|промо)$|^τιμηπροσφορασ$|^(?:セール|特別|割引)価格$|^特価$|^(?:促销|优惠|特|活动)价格?$|^할인가(?:격)?$|^harga(?:promo|diskon)$|^giakhuyenmai$/u
/** Names of a sale itself. Such a column may also have a flag or a percentage. */
const SALE_ALONE =
  /^(?:specialoffer|promotion|sonderangebot|aktion|oferta|promocion|promocja|promocao|offerta|promozione|akce|akcia|акция|акція|indirimli|kampanya|tilbud|tarjous)$/u
/** Names of the price that an article had before. */
const BEFORE =
  /^(?:old|was|previous|before|original|initial|list|strike(?:d|through)?)price$|^price(?:old|before(?:discount)?|was|previous)$|^(?:alter|bisheriger|vorheriger|ehemaliger)preis$|^pre[cç]o(?:antigo|anterior)$|^precio(?:anterior|antiguo|antes|tachado|viejo)$|^(?:ancienprix|prixavant|prixbarre)$|^(?:prezzo(?:precedente|vecchio|barrato)|vecchioprezzo)$|^(?:oude|van)prijs$|^(?:staracena|cenaprzed(?:obnizka|promocja)?|cenaprzekreslona|cenaregularna)$|^(?:puvodni|predchozi|povodna|stara|bezna)cena$|^cenapred(?:slevou|zlavou)$|^(?:tidigare|gammalt|gammel|for)pris$|^vanhahinta$|^regiar$|^pret(?:vechi|initial)$|^eskifiyati?$|^(?:старая|стара|прежняя)(?:цена|ціна)$|^(?:цена|ціна)(?:старая|стара|доскидки|дознижки|доакции)$|^παλιατιμη$|^(?:原|划线|市场)价$|^hargalama$|^giacu$/u
/** Beginnings of words about a sale, as `unmarked` writes them. */
const OF_A_SALE =
  /^(?:sale|promo|special|discount|offer|angebot|aktion|sonder|oferta|rebaja|solde|offerta|sconto|akc|акци|акці|скид|зниж|kampan|tilbud|tarjous)/u
const MAYBE_OF_A_SALE = new RegExp(OF_A_SALE.source.slice(1), 'u')
/** Words for the days on which a sale price applies. Words and not parts of words, because short ones are in others, as `od` in `product`. */
const DAYS = new Set(
  (
    'from start starts begin begins date dates day until end ends valid period expires expiry von bis ab beginn ende datum zeitraum gultig ' +
    'desde hasta fecha inicio debut fin inizio fine data od do дата до от від начало конец початок кінець'
  ).split(' '),
)
const ENDS_WITH_DAYS = /(?:from|starts?|begins?|until|ends?|dates?|beginn|ende|datum|von|bis|desde|hasta)$/

/** Whether a column states on which days a sale price applies: `special_from_date`, `Aktionsbeginn`. */
function saysDaysOfSale(column: string): boolean {
  const name = unmarked(column)
  if (!MAYBE_OF_A_SALE.test(name)) return false
  const words = unmarked(column.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).split(/[^\p{L}\p{N}]+/u)
  const said = words.filter((word) => OF_A_SALE.test(word))
  return said.length > 0 && (words.some((word) => DAYS.has(word)) || said.some((word) => ENDS_WITH_DAYS.test(word)))
}

/** At least this share of the lower prices is not above the other price, and none is so small a share of it as a rate would be. */
const BELOW_SHARE = 0.9
const RATE_MAX = 0.05

/** A text in lower case without diacritical marks. Letters of Korean, which are composed of parts, stay whole. */
const unmarked = (text: string): string =>
  withLetters(text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC'))

/** The letters and digits of the last part of a name, in lower case without diacritical marks. */
export const bareName = (column: string): string =>
  lettersOf(unmarked(column.split(/\.(?!\s)/).findLast((part) => part.trim() !== '') ?? column))

const isFilled = (text: string) => /[1-9]/.test(text)

/** Whether a column has amounts, at least in some rows, that are nearly always below those of another column. */
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

/**
 * The least share of the price that most amounts have in a column that is called like a sale only; the second one applies to amounts without
 * decimals.
 */
const ALONE_SHARE_MIN = 0.3
const ALONE_WHOLE_SHARE_MIN = 0.5

/** Whether a column that is called like a sale only has amounts, and not flags or percentages. */
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

/** The column of sale prices; undefined if there is none, or if the sale prices apply on some days only. */
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

/** Proposes the price that an article had before as the list price, if it is above the cost and there is no other list price. */
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
 * Proposes the sale price as the cost of rows that have one, with the regular price as their list price. If the cost is calculated, the sale
 * price is removed from `used`, and so becomes an attribute.
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
