import { say } from '../../../contract/remarks/remarks.ts'
import type { Grouping } from '../mapping/mapping.ts'
import { textAt, type Column, type SampleRows } from './sample-columns.ts'

// Adds up stock that is stated in a row per place or batch: an article is then on several rows.

interface Asked {
  note: (path: string, reason: string) => void
  ask: (question: string, field?: string) => void
}

/** Names of columns with the place or the batch of a row. */
const PLACE =
  /location|warehouse|lager(?:ort|platz)?$|magaz|sklad|depot|depósito|deposito|almac|entrep|branch|filial|store$|bodega|sucursal|склад|depo|ubicac|standort|site$|plant$|batch|lot$|lot ?n|(?:num|nro|no|nr)[._ ]?lote?$|charge$|partia|expir|\bbin\b|^(?:centro|werk|lote|cent(?:re|er)|division)(?: \p{L}+)?$|\bmhd\b|przeterm|срок|\b(?:rack|shelf|shelves|aisle|estante|prateleira|rua|scaffale|corsia|regal|polica|hylla|hylde|raf)\b|étagère|etagere|regał|półka|стеллаж|полка|ячейка/iu
/** Longer names are texts. */
const NAME_LENGTH_MAX = 60

/** Longer values are texts, and only this many columns are examined, because each is compared in every row. */
const PLACE_LENGTH_MAX = 100
const PLACES_MAX = 20

/** The columns that may name the place or the batch of a row. */
export function placeColumnsOf(columns: readonly Column[]): Column[] {
  return columns
    .filter(({ name, isList, values }) => {
      if (isList || name.length > NAME_LENGTH_MAX || !PLACE.test(name) || values.length < 2) return false
      return values.every((value) => value.length <= PLACE_LENGTH_MAX)
    })
    .slice(0, PLACES_MAX)
}

/** At most this many columns distinguish the rows of one key together: for instance plant, storage place and batch. */
const TOGETHER_MAX = 3
/** The least share of rows that they must distinguish. A place may have two entries of an article. */
const DISTINCT_MIN = 0.8

/**
 * The columns that distinguish the rows of one key: a place or a batch, or several together. Undefined if no key is on several rows, or if no
 * columns distinguish most of them.
 * @param places the columns of placeColumnsOf()
 */
export function placesOf(places: readonly Column[], rows: SampleRows, key: string): string[] | undefined {
  const others = places.filter(({ name }) => name !== key).map(({ name }) => name)
  if (others.length === 0) return undefined
  let keys = rows.map((row) => textAt(row, key))
  if (keys.includes('')) return undefined
  let distinct = new Set(keys).size
  const found: string[] = []
  while (distinct < rows.length && found.length < TOGETHER_MAX) {
    let best: { name: string; keys: string[]; distinct: number } | undefined
    for (const name of others) {
      const longer = rows.map((row, place) => `${keys[place]}\n${textAt(row, name)}`)
      const count = new Set(longer).size
      if (count > (best?.distinct ?? distinct)) best = { name, keys: longer, distinct: count }
    }
    if (best === undefined) break
    ;({ keys, distinct } = best)
    found.push(best.name)
  }
  return distinct >= rows.length * DISTINCT_MIN && found.length > 0 ? found : undefined
}

/**
 * Proposes a grouping that adds up the stock of an article's rows, and asks the merchant. Also asks if the rows cannot be added up.
 * @param group the grouping proposed so far
 * @returns the grouping; `group` if rows are not added up
 */
export function proposeRowsOfPlaces(
  columns: readonly Column[],
  rows: SampleRows,
  fields: Record<string, unknown>,
  group: Grouping | undefined,
  used: Set<string>,
  { note, ask }: Asked,
): Grouping | undefined {
  const { sku, quantity } = fields
  const places = typeof sku === 'string' ? placesOf(placeColumnsOf(columns), rows, sku) : undefined
  if (typeof sku !== 'string' || places === undefined) return group
  // the rows of an article must agree in title and cost, because only the first row is kept
  const said = [fields['title'], fields['cost']].filter((name) => typeof name === 'string')
  const differing = said.filter((name) => differsWithin(rows, sku, name))
  const repeated = rows.length - new Set(rows.map((row) => textAt(row, sku))).size
  const found = { repeated, rows: rows.length, key: sku, places }
  if (group !== undefined || typeof quantity !== 'string' || differing.length > 0) {
    ask(say('rows_of_places', { ...found, differing }), 'sku')
    return group
  }
  fields['quantity'] = { sum: [quantity] }
  for (const place of places) used.add(place)
  note('group', `rows of one ${JSON.stringify(sku)} are one article, with the sum of its ${JSON.stringify(quantity)}`)
  ask(say('rows_added_up', { ...found, quantity, place: places[0] ?? '' }), 'quantity')
  return { by: sku, anywhere: true, collect: [quantity], orFirst: true, offers: { column: sku, empty: true } }
}

/** Whether rows of one key have different texts in a column. */
function differsWithin(rows: SampleRows, key: string, column: string): boolean {
  const first = new Map<string, string>()
  return rows.some((row) => {
    const [own, text] = [textAt(row, key), textAt(row, column)]
    const known = first.get(own)
    if (known === undefined) first.set(own, text)
    return known !== undefined && known !== text
  })
}
