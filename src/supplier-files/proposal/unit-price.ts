import { say } from '../../../contract/remarks/remarks.ts'
import { costShare } from './field-values.ts'
import { priceKindOf } from './price-columns.ts'
import { isDigitsOfDecimals } from './propose-cost.ts'
import type { Column } from './sample-columns.ts'

// Words for a price, and for one piece, in several languages.
const PRICE = /pri(?:ce|x|js)|preis|preci|prezzo|pre[çc]o|pre[țt]|cena|fiyat|цена|ціна/iu
/** Whether a name has a word for a price, whichever price it is. */
export const saysPrice = (name: string): boolean => PRICE.test(name)

const UNIT =
  /unit|unidad|(?:per|pro)[ _-]?(?:piece|pcs|stück|stueck|st\b)|stück|stueck|einzel|pezzo|pièce|piece|szt|\bks\b|adet|шт/iu
const PACK =
  /(?:per|pro|par|por|al|za)?[ _-]?(?:pack(?!ag)|carton|karton|case|box|dozen|bundle|caixa|caja|cartone|doos|colis|opak|упак|короб)/iu

/** The least share of rows with different prices from which the columns are not the same price. */
const DIFFERENT = 0.5

/** The prices of one piece in another column than those of the cost, which differ from them. */
export const pricesOfPiece = (
  columns: readonly Column[],
  taken: Column,
  used: ReadonlySet<string>,
): Column | undefined =>
  columns.find(
    ({ name, values, isList }) =>
      !isList &&
      !used.has(name) &&
      PRICE.test(name) &&
      UNIT.test(name) &&
      !isDigitsOfDecimals(name) &&
      values.length === taken.values.length &&
      costShare(values) === 1 &&
      // for how many pieces a price is
      values.some((value) => !/^10{0,4}$/.test(value)) &&
      values.filter((value, row) => value !== taken.values[row]).length > values.length * DIFFERENT,
  )

/**
 * Asks which of two prices is that of an article if the cost is read from one column, and another one has prices of a single piece by its name:
 * the cost may then be that of a carton. docs/decisions/215-detection-asks-about-what-an-import-leaves-out.md says why.
 */
export function askAboutUnitPrices(
  columns: readonly Column[],
  cost: unknown,
  used: ReadonlySet<string>,
  ask: (question: string, field?: string) => void,
): void {
  const taken = columns.find(({ name }) => name === cost)
  if (taken === undefined || (UNIT.test(taken.name) && !PACK.test(taken.name))) return
  // a purchase price is that of one article, unless its name states several
  if (priceKindOf(taken.name)?.kind === 'purchase' && !PACK.test(taken.name)) return
  const single = pricesOfPiece(columns, taken, used)
  if (single !== undefined) ask(say('cost_of_piece_or_carton', { column: taken.name, single: single.name }), 'cost')
}
