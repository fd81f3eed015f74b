import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { isCost } from './value-kinds.ts'
import { must } from '../../platform/must.ts'

// Compares columns whose amounts are below those of another one, as a purchase price is below a selling price.

/** Names of columns of amounts that are no prices of articles. */
export const OTHER_AMOUNTS =
  /shipping|versand|freight|fracht|weight|gewicht|waga|poids|peso|length|width|height|depth|breite|länge|höhe|volume|vat|tax|mwst|steuer|%|rating|lat|lng|altura|largura|comprimento|ancho|alto|largo|profundidad|hoogte|breedte|lengte|szerokość|wysokość|długość|výška|šířka|délka|hauteur|largeur|longueur|altezza|larghezza|discount|rabatt|margin|marge|power|leistung|potenza|potencia|puissance|мощность|вес|длина|ширина|высота|об[ъь][её]м|напряжение|\bval(?:or|eur|ore|ue|\.)? ?(?:do |de |of |di )?(?:estoq|stock|util|exist|inventar|verif|giacen|em tr)|(?:stock|inventory|lager|bestands)[ _-]?(?:value|wert)|(?:promedio|average|avg|durchschnitt|média|media|moyenne|средн)[\p{L}]*[ _.-]*(?:v(?:en)?tas?|sales?|demand|consum|verbrauch|absatz|mes|month|продаж)|гарант|warrant|garant[ií]|gwaranc|garanzia|garanti|(?<!\p{L})(?:pages?|p[aá]ginas?|pagine|seiten(?:zahl)?|page ?count|num_?pages|stron|stránek|sidor|sider|sivua|страниц|сторінок|sayfa)(?!\p{L})|cobertura|coverage|contador|counter|compteur|contatore|zähler|reichweite|turnover|rotaci[oó]n|\((?:cm|mm|m|kg|g|l|ml|in|w|v|days?)\)/iu

const figure = (text: string) =>
  Number(
    text
      .replace(/[^\d.,]/g, '')
      .replace(/[.,](?=\d{3})/g, '')
      .replace(',', '.'),
  )

/**
 * Whether each amount of a column is at most that of another one in the same row. False if the columns do not have equally many
 * values.
 */
export const isBelow = (one: Column, other: Column): boolean =>
  one.values.length === other.values.length &&
  one.values.every((value, row) => figure(value) <= figure(must(other.values[row])))

/** The least share of a selling price that a purchase price of the same article has. */
const PAID_SHARE_MIN = 0.25

/** The least share of rows in which the purchase price is below the recommended price. Some articles are sold at a loss. */
const MOSTLY_BELOW = 0.7
/** The greatest plausible ratio of a purchase price to the recommended price. */
const ABOVE_MAX = 1.5

/** Whether a column has amounts that are, in most rows, plausible purchase prices beside a recommended price. */
export function isMostlyLower(one: Column, sold: Column, rows: SampleRows): boolean {
  if (one.isList || OTHER_AMOUNTS.test(one.name) || share(one.values, isCost) < 1) return false
  const ratios = rows.flatMap((row) => {
    const [paid, asked] = [figure(textAt(row, one.name)), figure(textAt(row, sold.name))]
    return paid > 0 && asked > 0 ? [paid / asked] : []
  })
  const plausible = ratios.filter((ratio) => ratio >= PAID_SHARE_MIN && ratio <= ABOVE_MAX)
  return (
    ratios.length >= ROWS_MIN &&
    ratios.length * 2 >= sold.values.length &&
    plausible.length >= ratios.length * PLAUSIBLE &&
    ratios.filter((ratio) => ratio < 1).length >= ratios.length * MOSTLY_BELOW
  )
}
const ROWS_MIN = 2
const PLAUSIBLE = 0.9

/** Whether a column has amounts that are, in each row, plausible purchase prices beside a selling price. */
export function isLowerPrice(one: Column, sold: Column): boolean {
  if (one.isList || OTHER_AMOUNTS.test(one.name) || one.values.length < 2 || share(one.values, isCost) < 1) return false
  return (
    isBelow(one, sold) &&
    one.values.every((value, row) => figure(value) >= figure(must(sold.values[row])) * PAID_SHARE_MIN) &&
    one.values.some((value, row) => figure(value) < figure(must(sold.values[row])))
  )
}
