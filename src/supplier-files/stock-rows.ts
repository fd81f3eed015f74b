import type { Grouping } from './mapping.ts'
import { textAt, type Column, type SampleRows } from './sample-columns.ts'

// Stock that is stated in a row of each place, or of each batch: the same article is on several rows, and what may be sold is the sum of them.

interface Asked {
  note: (path: string, reason: string) => void
  ask: (question: string, field?: string) => void
}

/** What a column that names the place or the batch of a row is called. */
const PLACE =
  /location|warehouse|lager(?:ort|platz)?$|magaz|sklad|depot|depósito|deposito|almac|entrep|branch|filial|store$|bodega|sucursal|склад|depo|ubicac|standort|site$|plant$|batch|lot$|lot ?n|charge$|partia|expir|\bbin\b|\bmhd\b|przeterm|срок/iu
/** Longer names are texts. */
const NAME_LENGTH_MAX = 60

/** The column that distinguishes the rows of one key: a place or a batch. Undefined where no key is on several rows, or several columns are needed. */
export function placeOf(columns: readonly Column[], rows: SampleRows, key: string): string | undefined {
  const keys = rows.map((row) => textAt(row, key))
  const filled = keys.filter((text) => text !== '').length
  if (filled < rows.length || new Set(keys).size === filled) return undefined
  return columns.find(({ name, isList, values }) => {
    if (isList || name === key || name.length > NAME_LENGTH_MAX || !PLACE.test(name) || values.length < 2) return false
    const pairs = rows.map((row, place) => `${keys[place]}\n${textAt(row, name)}`)
    return new Set(pairs).size === rows.length
  })?.name
}

/** The grouping by which the rows of one article are read as one, with the sum of their stock; the merchant is asked. */
export function proposeRowsOfPlaces(
  columns: readonly Column[],
  rows: SampleRows,
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: Asked,
): Grouping | undefined {
  const { sku, quantity } = fields
  if (typeof sku !== 'string' || typeof quantity !== 'string') return undefined
  const place = placeOf(columns, rows, sku)
  if (place === undefined) return undefined
  // what else the rows of an article say has to be the same, or the first row is not all of it
  const said = [fields['title'], fields['cost']].filter((name) => typeof name === 'string')
  const first = new Map<string, string>()
  for (const row of rows) {
    const key = textAt(row, sku)
    const text = said.map((name) => textAt(row, name)).join('\n')
    if ((first.get(key) ?? text) !== text) return undefined
    first.set(key, text)
  }
  fields['quantity'] = { sum: [quantity] }
  used.add(place)
  note('group', `rows of one ${JSON.stringify(sku)} are one article, with the sum of its ${JSON.stringify(quantity)}`)
  ask(
    `${rows.length - first.size} of ${rows.length} rows have the ${JSON.stringify(sku)} of another one, with another ${JSON.stringify(place)}: their ${JSON.stringify(quantity)} is added up. Is all of it for sale? Else say by "skip" which rows are not`,
    'quantity',
  )
  return { by: sku, anywhere: true, collect: [quantity], orFirst: true, offers: { column: sku, empty: true } }
}
