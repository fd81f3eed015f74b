import { say } from '../../../contract/remarks/remarks.ts'
import { priceKindOf, type PriceColumn } from './price-columns.ts'
import { textAt, type Column, type SampleRows } from './sample-columns.ts'
import { figure, isAmount } from './value-kinds.ts'

// Two prices of one article where the file shows one beside the other: that of a sale, which some rows have, and the one before it.
// docs/decisions/254-a-sale-price-of-a-list-is-read.md says why.

/** What a price of a sale is called, as `bareName` writes it. */
const SALE =
  /^(?:sale|promo(?:tion(?:al)?)?|special|offer|discount(?:ed)?|reduced|deal)price$|^price(?:sale|promo|special|discount(?:ed)?|reduced|offer)$|^(?:angebots|aktions|sonder|promo)preis$|^(?:reduzierter|rabattierter)preis$|^pre[cç]o(?:de|em)?(?:promo(?:cional|cao)?|oferta|desconto)$|^precio(?:de|en)?(?:promo(?:cional|cion)?|oferta|rebajado|descuento|rebaja)$|^prix(?:en)?(?:promo(?:tionnel|tion)?|solde|remise|reduit)$|^prezzo(?:in|di)?(?:promo(?:zionale|zione)?|offerta|scontato|ribassato)$|^(?:aanbiedings|actie|kortings)prijs$|^cena(?:promocyjna|promo|wyprzedazy|poobnizce)$|^(?:akcni|akciova|zlevnena|zlavnena)cena$|^cenapo(?:sleve|zlave)$|^(?:kampanj|extra|rea|tilbuds|tilbud)pris$|^(?:tarjous|ale)hinta$|^akcios(?:ar)?$|^pret(?:promo(?:tional|tie)?|redus|oferta)$|^(?:indirimli|kampanya(?:li)?|promosyon)fiyati?$|^(?:акционная|акціина|промо|специальная|спец)(?:цена|ціна)$|^(?:цена|ціна)(?:соскидкои|зізнижкою|поакции|заакцією|акционная|акціина|промо)$|^τιμηπροσφορας$|^(?:セール|特別|割引)価格$|^特価$|^(?:促销|优惠|特|活动)价格?$|^할인가(?:격)?$|^harga(?:promo|diskon)$|^giakhuyenmai$/u
/** What a price is called that an article had before. */
const BEFORE =
  /^(?:old|was|previous|before|original|initial|list|strike(?:d|through)?)price$|^price(?:old|before(?:discount)?|was|previous)$|^(?:alter|bisheriger|vorheriger|ehemaliger)preis$|^pre[cç]o(?:antigo|anterior)$|^precio(?:anterior|antiguo|antes|tachado|viejo)$|^(?:ancienprix|prixavant|prixbarre)$|^(?:prezzo(?:precedente|vecchio|barrato)|vecchioprezzo)$|^(?:oude|van)prijs$|^(?:staracena|cenaprzed(?:obnizka|promocja)?|cenaprzekreslona|cenaregularna)$|^(?:puvodni|predchozi|povodna|stara|bezna)cena$|^cenapred(?:slevou|zlavou)$|^(?:tidigare|gammalt|gammel|for)pris$|^vanhahinta$|^regiar$|^pret(?:vechi|initial)$|^eskifiyati?$|^(?:старая|стара|прежняя)(?:цена|ціна)$|^(?:цена|ціна)(?:старая|стара|доскидки|дознижки|доакции)$|^παλιατιμη$|^(?:原|划线|市场)价$|^hargalama$|^giacu$/u
/** Days between which a price of a sale counts: on the others it does not. */
const DAYS_OF_SALE =
  /(?=.*(?:sale|promo|special|discount|offer|angebot|aktion|oferta|rebaja|solde|offerta|sconto|akc|акци|скид|kampan))(?=.*(?:from|start|begin|date|until|end|valid|von|bis|ab|datum|desde|hasta|fecha|debut|fin|inizio|fine|od|do|дата))/iu

/** So many of the sale prices are below the price, and none is so small a part of it that it is a rate. */
const BELOW_SHARE = 0.9
const RATE_MAX = 0.05

const bareName = (column: string): string =>
  (column.split(/\.(?!\s)/).findLast((part) => part.trim() !== '') ?? column)
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')

const isFilled = (text: string) => /[1-9]/.test(text)

/** Whether a column has amounts, in some rows at least, that are below those of another one nearly always. */
function isBelowPrice(lower: Column, upper: Column, rows: SampleRows): boolean {
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

/** The column with what an article costs in a sale; undefined where none has it, or where it counts on some days only. */
export function salePriceOf(
  columns: readonly Column[],
  rows: SampleRows,
  cost: unknown,
  prices: readonly PriceColumn[],
): Column | undefined {
  const own = columns.find(({ name }) => name === cost)
  if (own === undefined || prices.some(({ column, kind }) => column === own.name && kind === 'purchase'))
    return undefined
  if (columns.some(({ name }) => name.length <= NAME_LENGTH_MAX && DAYS_OF_SALE.test(name))) return undefined
  return columns.find((one) => one !== own && SALE.test(bareName(one.name)) && isBelowPrice(one, own, rows))
}
const NAME_LENGTH_MAX = 100

/** The column with the price that an article had before, where it is above that which is read. */
export function priceBeforeOf(
  columns: readonly Column[],
  rows: SampleRows,
  cost: unknown,
  used: ReadonlySet<string>,
): Column | undefined {
  const own = columns.find(({ name }) => name === cost)
  if (own === undefined || priceKindOf(own.name)?.kind === 'purchase') return undefined
  return columns.find(
    (one) => one !== own && !used.has(one.name) && BEFORE.test(bareName(one.name)) && isBelowPrice(own, one, rows),
  )
}

/** Reads the price of a sale where a row has one, and the other one as the list price beside it. */
export function proposeSalePrice(
  sale: Column | undefined,
  fields: Record<string, unknown>,
  { note, ask }: { note: (path: string, reason: string) => void; ask: (question: string, field?: string) => void },
): void {
  const price = fields['cost']
  if (sale === undefined || typeof price !== 'string') return
  const when = { column: sale.name, matches: '[1-9]' }
  fields['cost'] = { when, use: sale.name, else: price }
  fields['list_price'] ??= { when, use: price, else: { constant: '' } }
  note('fields.cost', `${JSON.stringify(sale.name)} has the price of a sale, which counts where a row has one`)
  ask(say('cost_on_sale', { sale: sale.name, price }), 'cost')
}
