import { say } from '../../../contract/remarks/remarks.ts'
import { guessByName } from './column-names.ts'
import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { isQuantity } from './value-kinds.ts'

// Adds up stock that is stated for each place, in a column per warehouse or in a list, unless a column already has the sum.

interface Asked {
  note: (path: string, reason: string) => void
  ask: (question: string, field?: string) => void
}

/** Words for goods that are there but not for sale, or for other figures about the same stock, which are never added. */
const NO_STOCK =
  /min|max|alert|alarm|security|safety|threshold|reorder|status|date|datum|data|unit|value|valor|wert|price|preis|cena|reserv|rezerv|commit|allocat|unavail|incoming|inbound|order|bestell|transit|expect|future|forecast|virtual|physical|theor|on ?hand|available|free|verfügbar|disponib|dostępn|beschikbaar|reklam|retour|return|zwrot|damag|defe[ck]t|uszkodz|quarant|sperr|block|b-?ware|sample|muster|track|manage|policy|type|sold|verkauft|vendu|vendid|sprzedan|last|old|alt\b|pack|carton|karton|level|days|tage|ist\b|soll\b/iu
/** Words for a past time: the stock of last month is not the current one. */
const BEFORE =
  /(?<!\p{L})(?:prev(?:ious)?|prior|last (?:month|week|year)|vormonat|vorjahr|múlt havi|anterior(?:es)?|précédente?|precedente|mois dernier)(?!\p{L})|(?<!\p{L})(?:vorig|előző|poprzedni|předchozí|predchádzajúci|föregående|forrige|edellinen|geçen|önceki|прошл|предыдущ|попередн)|先月|上月|前月|지난달|전월/iu

/** Whether a name states that its figures are of a past time: `Stock mes anterior`, `előző havi készlet`. */
export const isPastStockName = (name: string): boolean =>
  name.length <= NAME_LENGTH_MAX && BEFORE.test(name.replaceAll(/[_.-]/g, ' '))

const TOTAL =
  /ortak|total|gesamt|summe|\bsum\b|razem|łączn|totale|totaal|celkem|spolu|összes|overall|\ball\b|toplam|итого|всего|wszystk/iu
/** Names of a list of stock by place, or of its member for the place. */
const PLACE =
  /location|warehouse|lager|magaz|sklad|depot|depósito|almac|entrep|branch|filial|store(?:s|_?id|_?name)?$|stocks$|inventor|bodega|склад|depo|ubicac|standort|site|plant/iu

/** Words for the part of the stock that is not reserved. */
const FREE = /available|free\b|verfügbar|disponib|dostępn|beschikbaar/iu

/** With fewer rows, a column may equal a sum by chance. */
const ROWS_OF_A_TOTAL_MIN = 3
const COLUMNS_MAX = 30

/** Longer names are texts. */
const NAME_LENGTH_MAX = 200

const tokens = (name: string): string[] =>
  name
    .slice(0, NAME_LENGTH_MAX)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== '')

/** The rest of a name after the word that it shares with another name at its beginning or end; undefined if they share none. */
function restBeside(name: string, other: string): string | undefined {
  const [a, b] = [tokens(name), tokens(other)]
  if (a[0] === b[0]) return a.slice(1).join(' ')
  return a.at(-1) === b.at(-1) ? a.slice(0, -1).join(' ') : undefined
}

const isStock = ({ name, values, isList }: Column, rows: number) =>
  !isList &&
  values.length >= rows * 0.3 &&
  share(values, (value) => /^[-+]?\d/.test(value) && isQuantity(value)) >= 0.9 &&
  guessByName(name).some(({ field }) => field === 'quantity')

const figure = (text: string) => Number(text.replace(/\s/g, '').replace(',', '.') || 0)

/** Changes the proposed quantity to the sum of the stock of all warehouses if the file states them separately; the merchant is asked. */
export async function refineStock(
  columns: readonly Column[],
  rows: SampleRows,
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: Asked,
): Promise<void> {
  const stated = fields['quantity']
  const name = typeof stated === 'string' ? stated : undefined
  const own = columns.find((column) => column.name === name)
  if (name === undefined || own === undefined) return
  const isOther = await mapYielding(
    columns,
    (column) =>
      column.name !== name &&
      !used.has(column.name) &&
      restBeside(column.name, name) !== undefined &&
      isStock(column, rows.length),
  )
  const others = columns.filter((_, place) => isOther[place]).slice(0, COLUMNS_MAX)
  const all = isStock(own, rows.length) ? [own, ...others.filter((other) => !isPastStockName(other.name))] : []
  // in the order of the file
  const places = columns.filter((column) => all.includes(column) && isPlace(column, all)).map((column) => column.name)
  const total = all.find((column) =>
    isTotal(
      column,
      places.filter((place) => place !== column.name),
      rows,
    ),
  )
  const free = FREE.test(name)
    ? undefined
    : others.find((column) => FREE.test(column.name) && isPartOf(column, name, rows))
  if (free !== undefined) {
    fields['quantity'] = free.name
    used.delete(name)
    used.add(free.name)
    note('fields.quantity', `${JSON.stringify(free.name)}: it is what is available of ${JSON.stringify(name)}`)
    return
  }
  const shown = (names: readonly string[]) => names.map((one) => JSON.stringify(one)).join(', ')
  if (total !== undefined) {
    const parts = places.filter((place) => place !== total.name)
    if (total.name === name || parts.length < 2) return
    fields['quantity'] = total.name
    used.delete(name)
    used.add(total.name)
    note('fields.quantity', `${shown([total.name])}: it is the sum of ${shown(parts)}`)
    return
  }
  if (places.length < 2) return
  if (!places.includes(name)) {
    ask(say('quantity_beside', { column: name, places }), 'quantity')
    return
  }
  fields['quantity'] = { sum: places }
  used.delete(name)
  for (const place of places) used.add(place)
  note('fields.quantity', `the sum of ${shown(places)}: each has the stock of one place`)
  ask(say('quantity_of_places', { places }), 'quantity')
}

/**
 * Proposes the stock of a Shopify inventory export: in those of older shops, the columns after `HS Code` and `COO` are named after the locations, and
 * have the stock of each.
 */
export function proposeStockOfLocations(
  columns: readonly Column[],
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: Asked,
): void {
  const at = columns.findIndex(({ name }) => name === 'SKU')
  const isExport = ['Handle', 'Title', 'Option1 Name'].every((name) => columns.some((column) => column.name === name))
  if (fields['quantity'] !== undefined || at === -1 || !isExport) return
  const behind = columns.slice(at + 1).filter(({ name }) => name !== 'HS Code' && name !== 'COO')
  const isStocked = ({ values, isList }: Column) =>
    !isList && values.length > 0 && share(values, (value) => /^-?\d+$/.test(value)) >= 0.5
  if (behind.length === 0 || behind.length > COLUMNS_MAX || !behind.every(isStocked)) return
  const names = behind.map(({ name }) => name)
  fields['quantity'] = names.length === 1 ? names[0] : { sum: names }
  for (const name of names) used.add(name)
  const shown = names.map((name) => JSON.stringify(name)).join(', ')
  note(
    'fields.quantity',
    `${shown}: exports of an inventory have the stock of each location in a column that is called after it`,
  )
  ask(say('quantity_of_locations', { columns: names }), 'quantity')
}

/** Whether the rest of a name beside the other names is a place, and not a kind of stock. */
function isPlace({ name }: Column, all: readonly Column[]): boolean {
  const rests = all.flatMap((other) => (other.name === name ? [] : [restBeside(name, other.name)]))
  return !TOTAL.test(name) && rests.every((rest) => rest === undefined || (rest !== '' && !NO_STOCK.test(rest)))
}

/** Whether a column has at most the value of another one, in every row. */
const isPartOf = ({ name }: Column, whole: string, rows: SampleRows): boolean =>
  rows.every((row) => figure(textAt(row, name)) <= figure(textAt(row, whole)))

/** Whether a column has the sum of the others in every row that states one of them, or is called a total. */
function isTotal({ name }: Column, parts: readonly string[], rows: SampleRows): boolean {
  if (parts.length < 2) return false
  const compared = rows.filter((row) => parts.some((part) => textAt(row, part) !== ''))
  if (TOTAL.test(name)) return compared.length > 0
  return (
    compared.length >= ROWS_OF_A_TOTAL_MIN &&
    compared.every(
      (row) => figure(textAt(row, name)) === parts.reduce((sum, part) => sum + figure(textAt(row, part)), 0),
    )
  )
}

/**
 * The sum over a list with the stock of an article by place, as the name of the list or of one of its members shows.
 * @returns undefined if the column does not belong to such a list
 */
export function sumOfPlaces({ name, isList }: Column, columns: readonly Column[]): unknown {
  const cut = name.lastIndexOf('.')
  if (!isList || cut <= 0) return undefined
  const list = name.slice(0, cut)
  const last = list.split('.').at(-1) ?? ''
  if (/variant|children|offers|skus$/i.test(last)) return undefined
  const isOfPlaces =
    PLACE.test(last) ||
    columns.some((other) => other.name.startsWith(`${list}.`) && PLACE.test(other.name.slice(list.length + 1)))
  return isOfPlaces ? { sum: list, amount: name.slice(cut + 1) } : undefined
}

/** The first column of a sum; any other source unchanged. */
export function firstSummed(source: unknown): unknown {
  if (typeof source !== 'object' || source === null || !('sum' in source)) return source
  if (Array.isArray(source.sum)) return (source.sum as unknown[])[0]
  return 'amount' in source ? `${String(source.sum)}.${String(source.amount)}` : source
}
