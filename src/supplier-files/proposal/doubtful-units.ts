import { say } from '../../../contract/remarks/remarks.ts'
import { shownOf, unusedAmounts } from './doubtful-amounts.ts'
import type { Draft } from './draft.ts'
import { saysPack } from './packs.ts'
import { piecesOfName } from './propose-cost.ts'
import { firstSummed } from './propose-stock.ts'
import { share, type Column } from './sample-columns.ts'
import { pricesOfPiece, saysPrice } from './unit-price.ts'

// Stock and prices that are counted in something else than pieces, as their names, their values or a column of units show.
// docs/decisions/271-zero-is-no-price.md says why.

/** What is weighed or measured, at the end of a name: `Stock (kg)`. A single letter may be a size or a note. */
const MEASURE_OF_NAME =
  /(?:^|[\s_([,/.-])(?:kgs?|kilos?|кг|lts|ltrs?|lit(?:er|re|ro|ri|ros)s?|mtrs?|met(?:er|re|ro|ri|ros)s?|m2|m²)\.?[)\]]?$/iu
/** `Stock LT`, `Stock (lt)`; `stock_lt` is the stock in Lithuania. */
const LITERS_OF_NAME = /[\s([]lt\.?[)\]]?$/i
const MEASURE = /^(?:kgs?|kilos?|kilogramos?|кг|lts?|ltrs?|mtrs?|mts|m2|m²|mb)\.?$/iu

/** A number with something behind its decimal sign. Three digits may be thousands, which are asked about as such. */
const IN_PARTS = /^(?:0|[1-9]\d{0,5})[.,](?!0+(?!\d))(?:\d{1,2}|\d{4,})$|^0[.,]\d*[1-9]\d*$/
const IN_PARTS_MIN = 2
/** A few fractions in a long list are mistakes. */
const IN_PARTS_SHARE_MIN = 0.05

/** Asks whether the stock is counted in kilograms: of 0.35 an import makes 0 pieces. */
export function askAboutMeasures({ columns, rows, fields, ask }: Draft): void {
  const quantity = firstSummed(fields['quantity'])
  const own = columns.find(({ name }) => name === quantity)
  if (own === undefined) return
  const inParts = own.values.filter((value) => IN_PARTS.test(value)).length
  const isMeasured =
    MEASURE_OF_NAME.test(own.name) ||
    saysLiters(own, columns) ||
    inParts >= Math.max(IN_PARTS_MIN, own.values.length * IN_PARTS_SHARE_MIN) ||
    columns.some(
      ({ name, values }) =>
        isUnitOf(own.name, name) &&
        values.length * 2 >= rows.length &&
        share(values, (value) => MEASURE.test(value)) > 0.5,
    )
  if (isMeasured) ask(say('quantity_in_measure', { column: own.name }), 'quantity')
}

/** Whether a name ends with "lt" for liters, and not for Lithuania beside the stock in another country. */
function saysLiters({ name }: Column, columns: readonly Column[]): boolean {
  const own = name.trim()
  if (!LITERS_OF_NAME.test(own)) return false
  const stem = own.replace(LITERS_OF_NAME, '').trimEnd().toLowerCase()
  return !columns.some(
    (other) =>
      other.name !== name &&
      other.name.toLowerCase().startsWith(stem) &&
      /^[\s_([,/.-]{1,3}[a-z]{2}[)\]]?$/i.test(other.name.slice(stem.length).trimEnd()),
  )
}

/**
 * What a column of units is called, as a whole: a unit of weight (`weight_unit`), a country and a language may have the same values, and say
 * nothing about the stock.
 */
const UNIT =
  /^(?:units?|units? of measure(?:ment)?|measur(?:e|ing) unit|(?:stock|sales|selling) unit|u\/m|udm|unidade? de medida|unità di vendita|unité de (?:mesure|vente)|jednostka miary|měrná jednotka|merná jednotka|maateenheid|måleenhe[dt]|mennyiségi egység|mértékegység|ölçü birimi|единица измерения|одиниця виміру|uom|u\.?m\.?|einheit|mengeneinheit|verkaufseinheit|me|unidad(?: de medida)?|unidade|unité|unità|unita|unità di misura|jednostka|j\.?m\.?|mj|eenheid|enhet|enhed|yksikkö|birim|ед\.?(?: ?изм\.?)?|единица|одиниця|од\.?)$/iu
/** Whether a column has the units of the stock: `Unit`, `stock.@unit` or `stock.unit` beside `stock.quantity`. */
function isUnitOf(stock: string, name: string): boolean {
  const around = stock.slice(0, stock.lastIndexOf('.') + 1)
  const within = [`${stock}.`, around].find((path) => name.startsWith(path)) ?? ''
  return UNIT.test(name.slice(within.length).replace(/^@/, '').trim())
}

/** So many pieces, of which prices of small parts are: `100 pcs`, `per 1000`. */
const SO_MANY =
  /^(?:doz|dzn?|dozen|docenas?|dúzias?|dutzend|tuzin|дюжина|cien(?:to)?|cto|hundred|hundert|cento|сотня|millar|milheiro|thousand|tausend|тыс)\.?$|^(?:per |pro |por |par |za |je |\/ ?)?10{1,5}(?: ?(?:pcs?|pieces?|units?|stk?|stck|stück|szt|ks|db|pz|uds?|un|pièces?|adet|шт)\.?)?$/iu

/** Asks whether the cost is that of one piece, where the unit of some rows is a hundred of them, or it is called the price of a pack. */
export function askAboutManyPieces({ columns, fields, used, ask }: Draft): void {
  const cost = columns.find(({ name }) => name === fields['cost'])
  // what is for a number of pieces is divided by them, which is asked
  if (cost === undefined || piecesOfName(cost.name) > 1) return
  // an article whose stock is counted in packs is a pack
  const quantity = firstSummed(fields['quantity'])
  const isOfPack = saysPack(cost.name) && !(typeof quantity === 'string' && saysPack(quantity))
  const isMany = ({ name, values }: Column, value: string) =>
    isOfPack && saysPack(name)
      ? /^[2-9]$|^[1-9]\d{1,3}$/.test(value)
      : UNIT.test(name.trim()) && SO_MANY.test(value) && !(POWER_OF_TEN.test(value) && hasOtherNumbers(values))
  const unit = columns.find(
    (column) =>
      column !== cost &&
      column.name !== quantity &&
      !used.has(column.name) &&
      !column.isList &&
      column.values.some((value) => isMany(column, value)),
  )
  const example = unit?.values.find((value) => isMany(unit, value))
  if (unit !== undefined && example !== undefined)
    ask(say('cost_of_pieces', { column: cost.name, unit: unit.name, example }), 'cost')
  else if (isOfPack && quantity !== undefined && pricesOfPiece(columns, cost, used) === undefined)
    ask(say('cost_of_pack', { column: cost.name }), 'cost')
}

/** A number alone says for how many pieces a price is only among its like: a stock is 10 or 100 by chance. */
const POWER_OF_TEN = /^10{0,5}$/
const hasOtherNumbers = (values: readonly string[]) =>
  values.some((value) => /^-?\d+(?:[.,]\d+)?$/.test(value) && !POWER_OF_TEN.test(value))

/** A price of a measure, at the end of a name: `Price per m2`, `€/kg`. */
const PER_MEASURE =
  /(?:(?<!\p{L})(?:per|pro|por|par|al|za|за)\s*|\/\s*)(?:m2|m²|sqm|qm|sq\.? ?(?:ft|m)|kg|100 ?g|lts?|lit(?:er|re|ro)|100 ?ml|mb|met(?:er|re|ro)|кг|м2|м²)\)?$/iu

/** Asks about other prices beside one of a measure: an article may be a box of tiles, and the cost what a square metre costs. */
export function askAboutMeasuredPrices({ columns, fields, used, ask }: Draft): void {
  const cost = columns.find(({ name }) => name === fields['cost'])
  if (cost === undefined || !PER_MEASURE.test(cost.name.trim())) return
  const others = unusedAmounts(columns, cost, used).filter(
    ({ name }) => saysPrice(name) && !PER_MEASURE.test(name.trim()),
  )
  if (others.length > 0) ask(say('cost_beside_others', { column: cost.name, others: shownOf(others) }), 'cost')
}
