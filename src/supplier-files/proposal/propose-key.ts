import { say } from '../../../contract/remarks/remarks.ts'
import { readEan } from '../../input/ean.ts'
import { joiningGtinOf } from '../../model/gtin.ts'
import { mapYielding, openYielding } from '../../platform/turns/yielding.ts'
import { guessByName, isCalledPrice } from './column-names.ts'
import { isNamesOfArticles } from './column-traits.ts'
import { isOfDays } from './days.ts'
import { saysCurrency } from './name-currencies.ts'
import { priceKindOf } from './price-columns.ts'
import { optionsAmong } from './propose-options.ts'
import { memberLookup, memberText, unreadable } from '../rows.ts'
import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { isAmount, isDecimal, isGtin, isYesNo } from './value-kinds.ts'

// The key of a file in which no column is called like one.

/** A column that could be the key, or several joined, and what is asked of the merchant, who knows whether it is. */
export interface ProposedKey {
  columns: readonly string[]
  question: string
}

/** The share of rows with a value of their own. */
export function keyShare({ values, isList }: Column, rows: number): number {
  return isList ? 0 : new Set(values).size / Math.max(values.length < rows * 0.9 ? rows : values.length, 1)
}

/** What a column with another value in each row is, the better keys first. */
const KINDS = [
  { kind: 'code', question: 'key_code' },
  { kind: 'ean', question: 'key_ean' },
  { kind: 'other', question: 'key_other' },
  { kind: 'title', question: 'key_title' },
  { kind: 'words', question: 'key_words' },
  { kind: 'running', question: 'key_running' },
] as const

/** Numbers from 1 on, in their order. */
const isRunning = (values: readonly string[]) =>
  values.length > 2 && values.every((value, place) => Number(value) === place + 1)

/** The file of a picture, or of a data sheet. */
const isFile = (value: string) => /\.(?:jpe?g|png|webp|gif|avif|svg|pdf)(?:[?#].*)?$/i.test(value)
/** An address, or such a file. */
const isAddress = (value: string) => /^https?:/i.test(value) || isFile(value)
/** Longer addresses are no keys. */
const ADDRESS_LENGTH_MAX = 200

/** Whether a column has the pages of articles, which feeds without numbers have. */
const isPages = ({ values }: Column) =>
  values.length > 0 &&
  values.every((value) => /^https?:/i.test(value) && !isFile(value) && value.length <= ADDRESS_LENGTH_MAX)

/** A year may differ in the few rows of a short list. */
const YEAR = /^(?:19|20)\d\d$/

const GROWING_MIN = 5
const SHORT_NUMBER = /^\d{1,4}$/
const grows = (values: readonly string[]) =>
  values.every((value, place) => place === 0 || Number(value) > Number(values[place - 1]))

/** What many articles have in common, or what changes from file to file. */
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

/** What is numbered. */
const NUMBERED = /^(?:n[ro°º]|nro|num|nummer|number|code|cod|id)(?![a-z])/iu

function kindOf(column: Column): (typeof KINDS)[number]['kind'] | undefined {
  const { name, values } = column
  // an amount of each row may differ in all of them; in a table without names a number is a price or a stock rather than a key beside words
  if (
    SUM.test(name.trim()) ||
    (/^\d{1,4}$/.test(name) && share(values, (value) => SHORT_NUMBER.test(value)) === 1 && !grows(values))
  )
    return undefined
  const fields = guessByName(name)
    .filter(({ score }) => score >= 2)
    .map(({ field }) => field)
  if (share(values, isYesNo) > 0.9 || share(values, isAddress) > 0.5) return undefined
  if (isOfDays(column)) return undefined
  // `Nro.Inventario` has numbers of things rather than pieces
  const isOfAmounts = share(values, isAmount) >= 0.5
  const isNoKey = (field: string) => NO_KEYS.has(field) && (isOfAmounts || (field !== 'cost' && field !== 'quantity'))
  if (fields.some(isNoKey) || priceKindOf(name) !== undefined) return undefined
  const isPrice = guessByName(name).some(({ field }) => field === 'cost') || isCalledPrice(name) || saysCurrency(name)
  // `Наличие на складе 2, шт` has the stock of a place, which may differ in a few rows
  const isStock = guessByName(name).some(({ field }) => field === 'quantity') && !NUMBERED.test(name)
  if (share(values, isAmount) === 1 && (isPrice || isStock)) return undefined
  if (fields.includes('ean') || share(values, isGtin) > 0.8) return 'ean'
  if (fields.some((field) => field === 'title' || field === 'description')) return 'title'
  if (isNamesOfArticles(column)) return 'title'
  if (share(values, isDecimal) > 0.3) return undefined
  if (isRunning(values)) return 'running'
  if (share(values, (value) => YEAR.test(value)) > 0.8) return undefined
  // in a few rows short numbers may grow by chance
  if (values.length < GROWING_MIN && share(values, (value) => SHORT_NUMBER.test(value)) === 1) return 'running'
  // pieces and places are short numbers in no order; running numbers of articles grow
  if (share(values, (value) => SHORT_NUMBER.test(value)) > 0.8 && !grows(values)) return 'other'
  // what has no digits is a word, such as a colour, or a remark
  if (share(values, (value) => /\d/.test(value)) < 0.5) return 'words'
  if (share(values, (value) => /\s/.test(value) || value.length > 40) > 0.3) return 'other'
  return 'code'
}

/**
 * The best column for the key where none is called like one.
 * @throws ShelfwireError `source-unreadable` naming the column that comes nearest
 */
export async function keyAmong(columns: readonly Column[], sample: SampleRows): Promise<ProposedKey> {
  const rows = sample.length
  const fits = await mapYielding(
    columns.filter(({ isList }) => !isList),
    (column) => ({ column, fit: keyShare(column, rows) }),
  )
  const names = columns.map(({ name }) => name)
  const unique = await mapYielding(
    fits.filter(({ fit }) => fit === 1),
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
  // rows that lack a number, or have it twice, are no reason to recognize articles by their colour
  const isNumber = nearly !== undefined && ['code', 'ean'].includes(kindOf(nearly.column) ?? '')
  // a number that a few rows repeat is better than a key with a title in it, which is corrected at times
  const almostUnique = ordered.filter(({ fit }) => fit >= ALMOST)
  const almost =
    almostUnique.find(({ column }) => kindOf(column) === 'code') ??
    almostUnique.find(({ column }) => kindOf(column) === 'ean')
  if (almost !== undefined) return keyOfMost(almost.column, rows)
  // what has no title is no article
  const page = hasTitle(columns) ? unique.find(({ column }) => isPages(column)) : undefined
  if (page !== undefined) {
    const columns = [page.column.name]
    return { columns, question: say('key_other', { columns }) }
  }
  const joined = (await joinedKey(columns, sample)) ?? (isNumber ? undefined : await joinedKey(columns, sample, true))
  if (joined !== undefined) return { columns: joined, question: say('key_joined', { columns: joined }) }
  if (nearly !== undefined) return keyOfMost(nearly.column, rows)
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

const hasTitle = (columns: readonly Column[]): boolean =>
  columns.some(({ name }) => guessByName(name).some(({ field, score }) => field === 'title' && score >= 2))

/** The share of rows with a value of their own from which a column is better than no key, and from which a number is better than several columns. */
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

/** Whether a column has the numbers of what another one has the names of, such as `ingredient_id` beside `ingredient_name`. */
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
/** Of tables with more columns the first ones are looked at. */
const LOOKED_AT_MAX = 100

const canBeKey = (column: Column) =>
  !column.isList && column.values.length > 0 && !/date|expir|datum/i.test(column.name) && !isOfDays(column)

/** What versions and makers of one thing are distinguished by, where nothing else does it. */
function isDistinction({ name, values }: Column, kind: string, options: ReadonlySet<string>): boolean {
  const isNamed = guessByName(name).some(({ field, score }) => field === 'manufacturer' && score >= 2)
  return (kind === 'words' || isNamed || options.has(name)) && share(values, isYesNo) < 0.9
}

/** Columns that have another value in each row together: those that distinguish most rows first. */
async function joinedKey(
  columns: readonly Column[],
  sample: SampleRows,
  isWide = false,
): Promise<string[] | undefined> {
  const options = new Set(isWide ? optionsAmong(columns.map(({ name }) => name)).values : [])
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
 * How many articles without a key there are at least, and their shares from which another column is the key of these, and above which the column is
 * none. A single one is a row that is no article: packaging, a deposit.
 */
const GAPS = { rows: 2, min: 0.03, max: 0.5 }

/**
 * The number by which a system knows its rows, where the key of articles is that of another one in several of them, which are refused. Rows of
 * one product or of one place are another thing.
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
/** The share of rows with the key of another one from which they are not an oversight. */
const REPEATED_MIN = 0.01

const namesAmong = (rows: SampleRows) => [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, LOOKED_AT_MAX)
/** A key of a system's own, as `variant_id` is. */
const isWeakKey = (name: string) =>
  guessByName(name).some(({ field, score }) => field === 'sku' && score >= 1.5 && score < 2.5)

/**
 * The key of articles of which some have none in the column that is called so, although they have a price and a title of their own: these are
 * recognized by another key that all rows have, or by their title.
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
  // what a system knows the row by is better than what people call it
  const ids = namesAmong(rows).filter((name) => {
    if (name === sku || !isWeakKey(name)) return false
    const values = rows.map(read(name))
    if (values.some((value) => value === '') || new Set(values).size < values.length) return false
    // an id that is the number of another article, here or further down in the file, would be the key of both
    const idIn = read(name)
    const numbers = new Set(rows.map(keyIn).filter((key) => key !== ''))
    const alike = new Set([...numbers].filter((key) => /^\d+$/.test(key)).map((key) => key.length))
    return without.map(idIn).every((value) => !numbers.has(value) && !(/^\d+$/.test(value) && alike.has(value.length)))
  })
  // that of a product may be repeated as soon as one has several versions
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
  // keys themselves differ
  const keys = priced.map((row) => keyIn(row)).filter((key) => key !== '')
  if (!isOwn || new Set(keys).size < keys.length * 0.97) return undefined
  return {
    source: { when: { column: sku, empty: true }, use: title, else: sku },
    by: 'their title',
    question: say('key_with_gaps', { ...gaps, instead: title }),
  }
}

/** The share of keys that are EANs where articles are recognized by them, and what reads those. */
const EAN_KEYS_MIN = 0.6
const EAN = '^\\D?(\\d{8}|\\d{12,14})$'

/** An EAN that identifies an article everywhere: others are of a shop's own. */
const isPublicEan = (value: string): boolean => {
  const ean = readEan(value)
  return 'value' in ean && joiningGtinOf(ean.value) !== null
}

/** Reads the EANs from a key that has them, as the `Code` of a cash register, where no other column has any. */
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
