import { say } from '../../../contract/remarks/remarks.ts'
import { readEan } from '../../input/ean.ts'
import { joiningGtinOf } from '../../model/gtin.ts'
import { mapYielding, openYielding } from '../../platform/turns/yielding.ts'
import { guessByName, isCalledPrice } from './column-names.ts'
import { isNamesOfArticles } from './column-traits.ts'
import { isOfDays } from './days.ts'
import { containsCurrency } from './name-currencies.ts'
import { priceKindOf } from './price-columns.ts'
import { optionColumnsOf } from './propose-options.ts'
import { memberLookup, memberText, unreadable } from '../rows.ts'
import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { isAmount, isDecimal, isGtin, isYesNo } from './value-kinds.ts'

// Finds the key of a file in which no column is called like one, and corrects keys that do not distinguish the articles.

/** The columns that may be the key, joined if several, and the question for the merchant, who knows whether they are. */
export interface ProposedKey {
  columns: readonly string[]
  question: string
}

/** The share of rows with a distinct value. Missing values do not count against a column if fewer than a tenth of the rows lack one. */
export function keyShare({ values, isList }: Column, rows: number): number {
  return isList ? 0 : new Set(values).size / Math.max(values.length < rows * 0.9 ? rows : values.length, 1)
}

/** The kinds of columns with a different value in each row, the better keys first, with the remark that asks about each. */
const KINDS = [
  { kind: 'code', question: 'key_code' },
  { kind: 'ean', question: 'key_ean' },
  { kind: 'other', question: 'key_other' },
  { kind: 'title', question: 'key_title' },
  { kind: 'words', question: 'key_words' },
  { kind: 'running', question: 'key_running' },
] as const

/** Whether the values are 1, 2, 3 and so on. */
const isRunning = (values: readonly string[]) =>
  values.length > 2 && values.every((value, place) => Number(value) === place + 1)

/** The name or address of a file with a picture or a data sheet. */
const isFile = (value: string) => /\.(?:jpe?g|png|webp|gif|avif|svg|pdf)(?:[?#].*)?$/i.test(value)
/** A URL, or such a file. */
const isAddress = (value: string) => /^https?:/i.test(value) || isFile(value)
/** Longer URLs are no keys. */
const ADDRESS_LENGTH_MAX = 200

/** Whether a column has the URLs of articles' pages, which serve as keys in feeds without numbers. */
const isPages = ({ values }: Column) =>
  values.length > 0 &&
  values.every((value) => /^https?:/i.test(value) && !isFile(value) && value.length <= ADDRESS_LENGTH_MAX)

/** A year, which may differ in all rows of a short list by chance. */
const YEAR = /^(?:19|20)\d\d$/

const GROWING_MIN = 5
const SHORT_NUMBER = /^\d{1,4}$/
const grows = (values: readonly string[]) =>
  values.every((value, place) => place === 0 || Number(value) > Number(values[place - 1]))

/** Fields that many articles share, or that change from file to file. */
const NO_KEYS = new Set<string>([
  'cost',
  'quantity',
  'weight',
  'list_price',
  'list_price_tax',
  'cost_tax',
  'tax_class',
  'net_content',
  'unit_price_reference',
  'category',
  'manufacturer',
  'currency',
  'condition',
])

const SUM =
  /^(?:сумма|сума|sum|total|summe|gesamt|suma|importe|totale|montant|betrag|toplam|tutar|amount)(?:$|[\s,(._])/iu

/** Names of days until which an article keeps. */
const EXPIRY = /expir|verfall|haltbar|caducid|scaden|validade|przydatn|срок годн/iu

/** What is numbered. */
const NUMBERED = /^(?:n[ro°º]|nro|num|nummer|number|code|cod|id)(?![a-z])/iu

function kindOf(column: Column): (typeof KINDS)[number]['kind'] | undefined {
  const { name, values } = column
  // sums may differ in all rows; in a table without column names, a short number is a price or a stock rather than a key
  if (
    SUM.test(name.trim()) ||
    (/^\d{1,4}$/.test(name) && share(values, (value) => SHORT_NUMBER.test(value)) === 1 && !grows(values))
  )
    return undefined
  const fields = guessByName(name)
    .filter(({ score }) => score >= 2)
    .map(({ field }) => field)
  if (share(values, isYesNo) > 0.9 || share(values, isAddress) > 0.5) return undefined
  // a workbook may have days as numbers
  if (isOfDays(column) || EXPIRY.test(name)) return undefined
  // `Nro.Inventario` is an inventory number, not a number of pieces
  const isOfAmounts = share(values, isAmount) >= 0.5
  const isNoKey = (field: string) => NO_KEYS.has(field) && (isOfAmounts || (field !== 'cost' && field !== 'quantity'))
  if (fields.some(isNoKey) || priceKindOf(name) !== undefined) return undefined
  const isPrice =
    guessByName(name).some(({ field }) => field === 'cost') || isCalledPrice(name) || containsCurrency(name)
  // `Наличие на складе 2, шт` has the stock of a place, which may differ in a few rows
  const isStock = guessByName(name).some(({ field }) => field === 'quantity') && !NUMBERED.test(name)
  if (share(values, isAmount) === 1 && (isPrice || isStock)) return undefined
  // a shop's own numbers may be called barcodes, too
  if (share(values, isGtin) > (fields.includes('ean') ? 0.5 : 0.8)) return 'ean'
  if (fields.some((field) => field === 'title' || field === 'description')) return 'title'
  if (isNamesOfArticles(column)) return 'title'
  if (share(values, isDecimal) > 0.3) return undefined
  if (isRunning(values)) return 'running'
  if (share(values, (value) => YEAR.test(value)) > 0.8) return undefined
  // in a few rows, short numbers may ascend by chance
  if (values.length < GROWING_MIN && share(values, (value) => SHORT_NUMBER.test(value)) === 1) return 'running'
  // short numbers in no order are quantities or positions; article numbers ascend
  if (share(values, (value) => SHORT_NUMBER.test(value)) > 0.8 && !grows(values)) return 'other'
  // values without digits are words, such as colours or remarks
  if (share(values, (value) => /\d/.test(value)) < 0.5) return 'words'
  if (share(values, (value) => /\s/.test(value) || value.length > 40) > 0.3) return 'other'
  return 'code'
}

/**
 * The best column, or combination of columns, for the key if none is called like one.
 * @throws ShelfwireError `source-unreadable` naming the column that comes closest
 */
export async function findKeyColumns(columns: readonly Column[], sample: SampleRows): Promise<ProposedKey> {
  const rows = sample.length
  const fits = await mapYielding(
    columns.filter(({ isList }) => !isList),
    (column) => ({ column, fit: keyShare(column, rows) }),
  )
  const names = columns.map(({ name }) => name)
  const unique = await mapYielding(
    fits.filter(({ column, fit }) => fit === 1 && !isOfBatches(column)),
    ({ column }) => ({ column, kind: isNumberOfNamed(column.name, names) ? 'code' : kindOf(column) }),
  )
  for (const { kind, question } of KINDS) {
    const found = unique.find((one) => one.kind === kind)
    if (found === undefined) continue
    const names = [found.column.name]
    return { columns: names, question: say(question, { columns: names }) }
  }
  const ordered = fits.toSorted((a, b) => b.fit - a.fit).slice(0, LOOKED_AT_MAX)
  const nearly = ordered.find(
    ({ column, fit }) => fit >= NEARLY && ['code', 'ean', 'other', 'title'].includes(kindOf(column) ?? ''),
  )
  // if some rows lack a number or repeat it, joining it with colours and the like is still worse
  const isNumber = nearly !== undefined && ['code', 'ean'].includes(kindOf(nearly.column) ?? '')
  // a number that a few rows repeat is better than a key that includes a title, because titles get corrected
  const almostUnique = ordered.filter(({ fit }) => fit >= ALMOST)
  const almost =
    almostUnique.find(({ column }) => kindOf(column) === 'code') ??
    almostUnique.find(({ column }) => kindOf(column) === 'ean')
  if (almost !== undefined) return keyOfMost(almost.column, rows)
  // without a title, rows are no articles
  const page = hasTitle(columns) ? unique.find(({ column }) => isPages(column)) : undefined
  if (page !== undefined) {
    const columns = [page.column.name]
    return { columns, question: say('key_other', { columns }) }
  }
  const joined = (await joinedKey(columns, sample)) ?? (isNumber ? undefined : await joinedKey(columns, sample, true))
  if (joined !== undefined) return { columns: joined, question: say('key_joined', { columns: joined }) }
  if (nearly !== undefined) return keyOfMost(nearly.column, rows)
  const batch = fits.find(({ column, fit }) => fit === 1 && isOfBatches(column))?.column.name
  if (batch !== undefined) return { columns: [batch], question: say('key_code', { columns: [batch] }) }
  const best = ordered.find(({ column }) => kindOf(column) !== undefined)
  const { name, values } = best?.column ?? { name: '', values: [] as string[] }
  const repeated = firstRepeated(values)
  const nearest =
    best === undefined || best.fit < 0.5 || repeated === undefined
      ? ''
      : `; ${JSON.stringify(name)} comes nearest, but ${JSON.stringify(repeated.slice(0, 60))} is in several rows`
  throw unreadable(
    `no column has another value in each row: nothing could be the key of the articles${nearest}. Ask the supplier for a column with article numbers, or write a mapping whose "sku" joins several columns`,
  )
}

/** Whether a column has the numbers of batches or of single pieces, which the next delivery does not have: a key only if there is no other. */
const isOfBatches = ({ name }: Column): boolean =>
  /^(?:batch|lot|lote|lotto|charge|chargen|partia|seria|serie|serial|imei|s\/n|серия|партия)[ _.-]?(?:no|nr|num|numer|number|nummer|n[ºo°]|id|code|num[eé]ro)?\.?$/iu.test(
    name.trim(),
  )

const hasTitle = (columns: readonly Column[]): boolean =>
  columns.some(({ name }) => guessByName(name).some(({ field, score }) => field === 'title' && score >= 2))

/**
 * The shares of rows with a distinct value from which a column is better than no key, and from which a number is better than several joined columns.
 */
const NEARLY = 0.9
const ALMOST = 0.97

function keyOfMost({ name, values }: Column, rows: number): ProposedKey {
  const few = rows - new Set(values).size
  return {
    columns: [name],
    question: say('key_of_most', { columns: [name], few, rows }),
  }
}

const NUMBER_OF = /^(.{2,60}?)[ _-]?(?:id|code|no|nr|kode?)\.?$/iu
const OF_OTHERS =
  /categor|kategor|group|grup|brand|marca|supplier|vendor|customer|client|order|store|shop|warehouse|location|company|user|parent/i

/** Whether a column has the ids of the things that another column names, such as `ingredient_id` beside `ingredient_name`. */
function isNumberOfNamed(name: string, names: readonly string[]): boolean {
  const stem = NUMBER_OF.exec(name.trim())?.[1]?.toLowerCase()
  if (stem === undefined || OF_OTHERS.test(stem)) return false
  return names.some((other) => {
    const rest = other.trim().toLowerCase()
    return (
      rest.startsWith(stem) &&
      /^[ _-]?(?:name|title|nama|nom|nombre|nome|nimi|namn|navn|naam|nazwa|n[aá]zev|n[aá]zov|naziv|n[eé]v|ad[iı]?|denumire|bezeichnung|имя|название|наименование|назва)$/u.test(
        rest.slice(stem.length),
      )
    )
  })
}

const JOINED_MAX = 3
const JOINABLE_MAX = 20
/** How many columns of a table are examined. */
const LOOKED_AT_MAX = 100

const canBeKey = (column: Column) =>
  !column.isList && column.values.length > 0 && !/date|expir|datum/i.test(column.name) && !isOfDays(column)

/** Whether a column can distinguish versions or makers of the same article, if nothing else does. */
function isDistinction({ name, values }: Column, kind: string, options: ReadonlySet<string>): boolean {
  const isNamed = guessByName(name).some(({ field, score }) => field === 'manufacturer' && score >= 2)
  return (kind === 'words' || isNamed || options.has(name)) && share(values, isYesNo) < 0.9
}

/**
 * Columns that together have a different value in each row, found greedily: in each step the column that distinguishes most rows. @param isWide
 * whether words, manufacturers and options are tried, too
 */
async function joinedKey(
  columns: readonly Column[],
  sample: SampleRows,
  isWide = false,
): Promise<string[] | undefined> {
  const options = new Set(isWide ? optionColumnsOf(columns.map(({ name }) => name)).values : [])
  const kinds = await mapYielding(columns.slice(0, LOOKED_AT_MAX), (column) => ({ column, kind: kindOf(column) ?? '' }))
  const joinable = kinds
    .filter(
      ({ column, kind }) =>
        (['code', 'other', 'title'].includes(kind) || (isWide && isDistinction(column, kind, options))) &&
        canBeKey(column),
    )
    .map(({ column }) => column)
    .slice(0, JOINABLE_MAX)
  let keys = sample.map(() => '')
  const taken: string[] = []
  const yielding = openYielding()
  for (let count = 1; taken.length < JOINED_MAX;) {
    let best: { name: string; keys: string[]; count: number } | undefined
    for (const { name } of joinable) {
      if (taken.includes(name)) continue
      const longer = keys.map((key, row) => `${key}\n${textAt(sample[row], name)}`)
      const distinct = new Set(longer).size
      if (distinct > (best?.count ?? count)) best = { name, keys: longer, count: distinct }
      const pause = yielding()
      if (pause !== null) await pause
    }
    if (best === undefined) return undefined
    ;({ keys, count } = best)
    taken.push(best.name)
    if (count === sample.length) return keys.every((key) => key.trim() !== '') ? taken : undefined
  }
  return undefined
}

function firstRepeated(values: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return values.find((value) => seen.size === seen.add(value).size)
}

/**
 * The least number of articles without a key, and the shares from and up to which another column serves as their key. A single one may be no
 * article, but packaging or a deposit; above `max` the column is no key.
 */
const GAPS = { rows: 2, min: 0.03, max: 0.5 }

/**
 * The id by which a system identifies its rows, if several rows repeat the key and would be refused. Rows of one product or of one place are handled
 * elsewhere.
 */
export function idOfRepeated(
  rows: SampleRows,
  fields: Readonly<Record<string, unknown>>,
): { id: string; question: string } | undefined {
  const key = fields['sku']
  if (typeof key !== 'string' || fields['group_key'] !== undefined) return undefined
  const keys = rows.map((row) => textAt(row, key))
  const repeated = keys.length - new Set(keys).size
  if (keys.includes('') || repeated < Math.max(GAPS.rows, keys.length * REPEATED_MIN)) return undefined
  const id = namesAmong(rows).find((name) => {
    if (name === key || !isWeakKey(name) || OF_OTHERS.test(name) || /product/i.test(name)) return false
    const values = rows.map((row) => textAt(row, name))
    return !values.includes('') && new Set(values).size === values.length
  })
  if (id === undefined) return undefined
  return { id, question: say('key_repeats', { repeated, rows: rows.length, key, instead: id }) }
}
/** The share of rows with a repeated key from which the repetitions are no oversight. */
const REPEATED_MIN = 0.01

const namesAmong = (rows: SampleRows) => [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, LOOKED_AT_MAX)
/** Whether a name is that of a system's internal id, such as `variant_id`. */
const isWeakKey = (name: string) =>
  guessByName(name).some(({ field, score }) => field === 'sku' && score >= 1.5 && score < 2.5)

/**
 * The key for a file in which some articles have none, although they have a price and a title of their own: an id that all rows have or, failing
 * that, their title. @returns undefined if the key needs no replacement, or there is none
 */
export function keyOfGappy(
  rows: SampleRows,
  fields: Readonly<Record<string, unknown>>,
  isGrouped: boolean,
): { source: unknown; question: string; by: string } | undefined {
  const [sku, cost] = [fields['sku'], fields['cost']]
  const title = Object.entries(fields).find(([name]) => name === 'title' || name.startsWith('title.'))?.[1]
  if (typeof sku !== 'string' || typeof cost !== 'string' || typeof title !== 'string' || sku === title)
    return undefined
  const read = (name: string) => {
    const lookup = memberLookup(name)
    return (row: SampleRows[number]) => textAt(row, name) || memberText(lookup(row))
  }
  const [keyIn, costIn, titleIn] = [read(sku), read(cost), read(title)]
  const priced = rows.filter((row) => isAmount(costIn(row)))
  const without = priced.filter((row) => keyIn(row) === '')
  if (without.length < Math.max(GAPS.rows, priced.length * GAPS.min) || without.length > priced.length * GAPS.max)
    return undefined
  const gaps = { without: without.length, articles: priced.length, key: sku }
  // the internal id of a row is better than its title
  const ids = namesAmong(rows).filter((name) => {
    if (name === sku || !isWeakKey(name)) return false
    const values = rows.map(read(name))
    if (values.some((value) => value === '') || new Set(values).size < values.length) return false
    // an id that equals the number of another article, in the sample or perhaps further down, would be the key of both
    const idIn = read(name)
    const numbers = new Set(rows.map(keyIn).filter((key) => key !== ''))
    const alike = new Set([...numbers].filter((key) => /^\d+$/.test(key)).map((key) => key.length))
    return without.map(idIn).every((value) => !numbers.has(value) && !(/^\d+$/.test(value) && alike.has(value.length)))
  })
  // the id of a product is repeated as soon as a product has several versions
  const id = ids.find((name) => !/product|parent|group/i.test(name)) ?? ids[0]
  if (id !== undefined)
    return {
      source: { when: { column: sku, empty: true }, use: id, else: sku },
      by: JSON.stringify(id),
      question: say('key_with_gaps', { ...gaps, instead: id }),
    }
  // rows of a group share their title
  if (isGrouped) return undefined
  const titles = without.map((row) => titleIn(row))
  const isOwn =
    new Set(titles).size >= titles.length * 0.97 && titles.every((text) => text !== '' && text.length <= 200)
  // the keys themselves must be distinct
  const keys = priced.map((row) => keyIn(row)).filter((key) => key !== '')
  if (!isOwn || new Set(keys).size < keys.length * 0.97) return undefined
  return {
    source: { when: { column: sku, empty: true }, use: title, else: sku },
    by: 'their title',
    question: say('key_with_gaps', { ...gaps, instead: title }),
  }
}

/** The share of EANs from which a key consists of them, and the pattern that extracts them. */
const EAN_KEYS_MIN = 0.6
const EAN = '^\\D?(\\d{8}|\\d{12,14})$'

/** Whether a value is an EAN that identifies an article everywhere, and not one that a shop assigns itself. */
const isPublicEan = (value: string): boolean => {
  const ean = readEan(value)
  return 'value' in ean && joiningGtinOf(ean.value) !== null
}

/** Proposes to read EANs from the key if it has them, as the `Code` of a cash register does, and no other column has any. */
export function eanOfKey(
  columns: readonly Column[],
  fields: Record<string, unknown>,
  note: (path: string, reason: string) => void,
): void {
  const key = columns.find(({ name }) => name === fields['sku'])
  if (key === undefined || fields['ean'] !== undefined || share(key.values, isPublicEan) < EAN_KEYS_MIN) return
  fields['ean'] = { column: key.name, capture: EAN }
  note('fields.ean', `${JSON.stringify(key.name)}: most of its values have the check digit of EANs`)
}
