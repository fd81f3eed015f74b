import { say } from '../../../contract/remarks/remarks.ts'
import type { Draft } from './draft.ts'
import { factorsOf, numberColumns } from './line-total.ts'
import { share } from './sample-columns.ts'

// Recognizes pieces per pack in a column that is called like a quantity: they are no stock. docs/decisions/269-what-is-certain-is-read.md says
// why.

/** Names of the price of a pack. Short words count only as whole words: `ve` is not the beginning of `Verkaufswert`. */
const OF_A_PACK =
  /(?<!\p{L})(?:pack|case|carton|box|bundle|karton|gebinde|caja|caixa|fardo|bulto|cartone|confezion|colis|doos|dozen|opak|zgrz|krabic|balen[ií]|kutu|koli(?![cč])|упак|короб|ящик|(?:ve|vpe|conf|bal)(?!\p{L}))|箱|ケース|件/iu
export const saysPack = (name: string): boolean => OF_A_PACK.test(name)

/** Names for a quantity that do not mention stock. */
const PIECES =
  /^(?:qty|quantity|quantidade|qtd|qtde|cantidad|cant|quantit[eéàa]|qté|qta|menge|anzahl|ilo[sś][cć]|aantal|mno[zž]stv[ií]|antal|antall|кол-?во|количество|кількість|adet|miktar)\.?$/iu

/** The least number of rows, and the least share of multiples of half a dozen, from which values look like pieces per pack. */
const ROWS_MIN = 6
const PACKED_SHARE = 0.8
const DOZEN = 6
/** How many columns with the name of a pack's price are examined. */
const TOTALS_MAX = 20

/**
 * Removes a proposed quantity that is the number of pieces per pack: in every row, another price times this quantity is the price of the pack.
 * If only the values look like pieces per pack, the merchant is asked.
 */
export function refinePacks({ columns, rows, fields, used, note, ask }: Draft): void {
  const own = columns.find(({ name }) => name === fields['quantity'])
  if (own === undefined) return
  const numbers = numberColumns(columns, rows)
  let looked = 0
  for (const total of columns) {
    if (total === own || total.isList || !OF_A_PACK.test(total.name)) continue
    if (++looked > TOTALS_MAX) break
    const factors = factorsOf(total, numbers, rows)
    if (factors?.pieces !== own.name) continue
    delete fields['quantity']
    used.delete(own.name)
    note('fields.quantity', `none: ${JSON.stringify(own.name)} is how many pieces a pack has`)
    ask(say('quantity_of_pack', { column: own.name, price: factors.price, total: total.name }), 'quantity')
    return
  }
  if (own.values.length < ROWS_MIN || !PIECES.test(own.name.trim()) || new Set(own.values).size < 2) return
  const isOfPack = (value: string) =>
    /^[1-9]\d{0,2}(?:[.,]0+)?$/.test(value) && Number.parseInt(value, 10) % DOZEN === 0
  if (share(own.values, isOfPack) >= PACKED_SHARE)
    ask(say('quantity_perhaps_of_pack', { column: own.name }), 'quantity')
}
