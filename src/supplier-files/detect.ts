import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { openYielding } from '../platform/yielding.ts'
import { openContent } from './content.ts'
import { formatOfText } from './format.ts'
import { headerAmong, knownNames } from './header-line.ts'
import { parseMapping, type Mapping } from './mapping.ts'
import { peekBytes, peekText } from './peek.ts'
import { PRESETS } from './presets.ts'
import { sellingPriceReason, type PriceColumn } from './price-columns.ts'
import { decimalOf, languageOf, priceColumnsOf, proposeFields } from './propose-fields.ts'
import { Reading } from './reading.ts'
import { listPathOf, recordPathOf } from './record-path.ts'
import { textAt } from './sample-columns.ts'
import { defaultLimits, unreadable, type RawRow, type Warn } from './rows.ts'
import { readText } from './text.ts'
import { wooMapping, wooNames } from './woocommerce-columns.ts'
import { sheetNames } from './xlsx/parse.ts'
import type { Utf8Evidence } from './utf8-evidence.ts'

/** A mapping that is proposed for a file, with a reason for each of its lines. */
export interface Proposal {
  /** The name of a ready mapping, for `--mapping`; null where the columns are those of no known system. */
  preset: string | null
  mapping: Mapping
  /** `path` is a member of the mapping (`fields.cost`, `decimal`); '' is about the file as a whole. */
  reasons: { path: string; reason: string }[]
  /** Columns of prices whose names say whether they are what the merchant pays, or what the shop sells at. */
  prices: PriceColumn[]
  form: ProposedForm
}

/** How a file is written. */
export interface ProposedForm {
  format: string
  /** Null for a workbook. */
  encoding: string | null
  /** Null where no separator was found. */
  delimiter: string | null
  /** The line with the names of the columns; null where the format has none. */
  headerLine: number | null
  /** How many rows were looked at. */
  rows: number
}

const SAMPLE_ROWS = 300
const SAMPLE_BYTES = 8_388_608
const HEAD_CHARACTERS = 1_048_576

/**
 * Proposes how a file is to be read, by its first rows.
 * @throws ShelfwireError `source-unreadable` for a file that cannot be read whatever the mapping
 */
export async function detectMapping(bytes: AsyncIterable<Uint8Array>, warn: Warn = () => {}): Promise<Proposal> {
  const { head } = await peekBytes(bytes, SAMPLE_BYTES)
  const reasons: Proposal['reasons'] = []
  const note = (path: string, reason: string) => void reasons.push({ path, reason })
  const stated = await wronglyStatedEncoding(head)
  const own = stated === undefined ? {} : { encoding: 'utf-8' }
  const settings = { ...(await documentOf(head, own.encoding)), ...own }
  const sheet = await sheetOf(settings, head, note, warn)
  const before = await linesBeforeHeader({ ...settings, ...sheet }, head)
  const reading = new Reading({ ...settings, ...sheet, ...before, fields: ANY_KEY }, defaultLimits, warn)
  const { rows, fault } = await sampleOf(reading, head)
  const { format, columns, delimiter, encoding } = reading.form
  if (format === undefined || rows.length === 0)
    throw unreadable(
      `the file has no rows from which a mapping could be proposed${fault === undefined ? '' : `; ${fault}`}`,
    )
  note('', `${format}, by its content; ${rows.length} rows were looked at`)
  if (before.skipLines !== undefined) note('', `the names of its columns are in line ${before.skipLines + 1}`)
  const form: ProposedForm = {
    format,
    encoding: format === 'xlsx' ? null : (encoding ?? 'utf-8'),
    delimiter: columns === undefined || format === 'xlsx' ? null : delimiter,
    headerLine: columns === undefined ? null : (before.skipLines ?? 0) + 1,
    rows: rows.length,
  }
  if (stated !== undefined)
    note('encoding', `its bytes are UTF-8, although it says that it is ${stated}: its texts would come out wrong`)
  const preset = presetOf(format, columns ?? (format === 'xml' ? membersAmong(rows) : []), settings.items)
  if (preset !== undefined) {
    const notes = await presetNotes(preset, head)
    if ('notes' in notes) {
      reasons.push(...notes.notes)
      const { prices, cost } = await presetCost(preset, rows, note)
      const sign = presetDecimal(preset, rows, note)
      const priced = withCost(preset.mapping, cost)
      const mapping = { ...withKey(priced, preset.name, rows, note, warn), ...own, ...sign }
      return { preset: preset.name, mapping, reasons, prices, form }
    }
    note('', `it is like what ${preset.title} writes, but not all of it is there: ${notes.fault}`)
  }
  if (format === 'csv') note('delimiter', `${JSON.stringify(delimiter)} cuts its lines equally`)
  if (encoding !== undefined) note('encoding', 'its texts are words in this encoding')
  if (settings.items !== undefined) note('items', 'the first list of records in the file')
  const draft = {
    format,
    ...(format === 'csv' ? { delimiter } : {}),
    ...(encoding === undefined ? {} : { encoding }),
    ...settings,
    ...sheet,
  }
  const woo = format === 'csv' && columns !== undefined ? wooNames(columns, rows) : undefined
  if (woo !== undefined) {
    note('', 'its columns are those of a WooCommerce export, in their order and in another language')
    const { decimal, locale } = languageOf([woo.price, woo.salePrice], rows, note)
    const mapping = { ...wooMapping(woo, locale, decimal), ...draft }
    await noteTrial(mapping, head, note)
    const prices = [woo.price, woo.salePrice].map((column): PriceColumn => ({
      column,
      kind: 'selling',
      vat: 'unknown',
    }))
    note('fields.cost', `${JSON.stringify(woo.price)}: ${sellingPriceReason({ kind: 'selling', vat: 'unknown' })}`)
    return { preset: null, mapping, reasons, prices, form }
  }
  const { fields, decimal, availability, locale, prices, group, skip } = await proposeFields(rows, note, warn)
  const settled = {
    ...(decimal === undefined ? {} : { decimal }),
    ...(availability === undefined ? {} : { availability }),
    ...(group === undefined ? {} : { group }),
    ...(skip === undefined ? {} : { skip }),
  }
  const mapping = parseMapping({ ...draft, ...settled, locale, fields })
  await noteTrial(mapping, head, note)
  return { preset: null, mapping, reasons, prices, form }
}

const ANY_KEY = { sku: { constant: '-' } }
const HEADER_SEARCH_ROWS = 20

/** So many sheets of a workbook are looked into, and so many names of columns make one a table. */
const SHEETS_MAX = 6
const KNOWN_NAMES_MIN = 3

/** The sheet of a workbook that has the articles, where it is not the first; the merchant is asked where others have tables. */
async function sheetOf(
  settings: Partial<Mapping>,
  head: Buffer,
  note: (path: string, reason: string) => void,
  ask: Warn,
): Promise<{ sheet?: string }> {
  if (settings.format !== undefined) return {}
  const names = await sheetsOf(head)
  if (names.length < 2) return {}
  const shown = (list: readonly string[]) => list.map((name) => JSON.stringify(name.slice(0, 100))).join(', ')
  const known: { name: string; count: number }[] = []
  for (const name of names.slice(0, SHEETS_MAX)) {
    const counts = (await firstRecords(name, head)).map(({ cells }) => knownNames(cells))
    known.push({ name, count: Math.max(0, ...counts) })
    // a first sheet with a table is it, as in a run without "sheet"
    if (known.length === 1 && Math.max(0, ...counts) >= KNOWN_NAMES_MIN) break
  }
  const [best] = known.toSorted((a, b) => b.count - a.count)
  if (best === undefined) return {}
  const others = names.filter((name) => name !== best.name)
  note(
    best.name === names[0] ? '' : 'sheet',
    `${shown([best.name])} is read; the other sheets are ${shown(others.slice(0, SHEETS_MAX))}`,
  )
  if (best.name === names[0]) return {}
  ask(
    `the articles are read from the sheet ${shown([best.name])}, and not from the first, ${shown(names.slice(0, 1))}: is that right?`,
  )
  return { sheet: best.name }
}

async function sheetsOf(head: Buffer): Promise<string[]> {
  try {
    const content = await openContent(once(head), undefined, defaultLimits)
    return content.isWorkbook ? await sheetNames(content.bytes, defaultLimits) : []
  } catch {
    // the reading says what is wrong
    return []
  }
}

/** A table may begin with a title, an address or a date: the number of lines before the names of its columns. */
async function linesBeforeHeader(settings: Partial<Mapping>, head: Buffer): Promise<{ skipLines?: number }> {
  if (settings.format !== undefined) return {}
  const line = headerAmong(await firstRecords(settings.sheet, head))
  return line === undefined || line <= 1 ? {} : { skipLines: line - 1 }
}

interface FileRecord {
  line: number
  cells: readonly unknown[]
}

/** The first records of a table, whatever they are. */
async function firstRecords(sheet: string | undefined, head: Buffer): Promise<FileRecord[]> {
  const reading = new Reading(
    { header: false, ...(sheet === undefined ? {} : { sheet }), fields: ANY_KEY },
    defaultLimits,
    () => {},
  )
  const records: FileRecord[] = []
  let looked = 0
  try {
    for await (const page of reading.rows(once(head))) {
      for (const raw of page) {
        const cells = 'row' in raw ? raw.row : 'fault' in raw ? raw.cells : undefined
        if (Array.isArray(cells)) records.push({ line: raw.line, cells: cells as unknown[] })
      }
      looked += page.length
      if (records.length >= HEADER_SEARCH_ROWS || looked >= SAMPLE_ROWS) break
    }
  } catch {
    // the error of the reading with a header is reported
  }
  return records.slice(0, HEADER_SEARCH_ROWS)
}

/** A remark on a ready mapping, or why it cannot read a table that has only some of its columns. */
async function presetNotes(
  { name, title, mapping }: Preset,
  head: Buffer,
): Promise<{ notes: Proposal['reasons'] } | { fault: string }> {
  const notes: Proposal['reasons'] = []
  const note = (path: string, reason: string) => void notes.push({ path, reason })
  note('', `it has what ${title} writes: use --mapping ${name}`)
  const needsBase = PRESETS[name]?.requires.includes('imageBaseUrl') === true
  if (needsBase) note('', 'its pictures have relative addresses: give their beginning with --image-base-url')
  try {
    await noteTrial(needsBase ? { ...mapping, imageBaseUrl: 'https://shop.example' } : mapping, head, note)
  } catch (error) {
    // a format of its own has no other mapping
    if (!(error instanceof ShelfwireError) || isOwnFormat(mapping.format)) throw error
    return { fault: error.message }
  }
  return { notes }
}

const withCost = (mapping: Mapping, cost: string | undefined): Mapping =>
  cost === undefined ? mapping : { ...mapping, fields: { ...mapping.fields, cost } }

/** Shops use one SKU for all versions of a product: then the options are a part of the key. */
function withKey(
  mapping: Mapping,
  preset: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  note: (path: string, reason: string) => void,
  ask: Warn,
): Mapping {
  const { key, options } = PRESETS[preset]?.repeatedKey ?? {}
  if (key === undefined || options === undefined) return mapping
  const keys = rows.map((row) => textAt(row, key)).filter((text) => text !== '')
  const repeated = keys.length - new Set(keys).size
  if (repeated === 0) return mapping
  const words = `${repeated} of ${keys.length} rows have the ${JSON.stringify(key)} of another one`
  note('fields.sku', `${words}: the options are a part of the key`)
  ask(`${words}, and are recognized by their options as well: is that right?`)
  const withOptions = { join: [key, ...options], with: '/' }
  const others = typeof mapping.fields.sku === 'object' && 'first' in mapping.fields.sku ? mapping.fields.sku.first : []
  const sku = {
    first: [{ when: { column: key, notIn: [''] }, use: withOptions, else: { constant: '' } }, ...others.slice(1)],
  }
  return { ...mapping, fields: { ...mapping.fields, sku } }
}

/** Where the prices of a file show another decimal sign than the ready mapping has: the shop's country writes them so. */
function presetDecimal(
  { name, mapping }: Preset,
  rows: readonly Readonly<Record<string, unknown>>[],
  note: (path: string, reason: string) => void,
): { decimal?: '.' | ',' } {
  if (mapping.format === 'bmecat') return {}
  const isPrice = new Set(PRESETS[name]?.sellingPrices)
  const columns = Object.keys(rows[0] ?? {}).filter((column) => isPrice.has(column) || isPrice.has(feedName(column)))
  const { decimal } = decimalOf(columns, rows, () => {})
  if (decimal === undefined || decimal === (mapping.decimal ?? '.')) return {}
  decimalOf(columns, rows, note)
  return { decimal }
}

/**
 * A shop's export has what the shop sells at, and sometimes what it pays: then that is the cost.
 * @returns the column to read in place of that of the ready mapping; undefined: none
 */
async function presetCost(
  { name }: Preset,
  rows: readonly Readonly<Record<string, unknown>>[],
  note: (path: string, reason: string) => void,
): Promise<{ prices: PriceColumn[]; cost: string | undefined }> {
  const { sellingPrices = [], vat = 'unknown' } = PRESETS[name] ?? {}
  const names = new Set(membersAmong(rows).flatMap((column) => [column, feedName(column)]))
  const known = sellingPrices.filter((column) => names.has(column))
  const selling = known.map((column): PriceColumn => ({ column, kind: 'selling', vat }))
  if (selling.length === 0) return { prices: [], cost: undefined }
  const purchase = (await priceColumnsOf(rows))
    .filter(({ kind }) => kind === 'purchase')
    .map((price) => (name === 'google' ? { ...price, column: feedName(price.column) } : price))
  const [own] = purchase
  const shown = JSON.stringify(own?.column)
  note(
    'fields.cost',
    own === undefined
      ? `${known.map((column) => JSON.stringify(column)).join(' or ')}: ${sellingPriceReason({ kind: 'selling', vat })}`
      : `${shown}: it is what the shop pays; the ready mapping alone reads what it sells at: begin a mapping with {"preset": "${name}", "fields": {"cost": ${shown}}}`,
  )
  return { prices: [...purchase, ...selling], cost: own?.column }
}

/** A column of a Google feed as its mapping names it. */
const feedName = (column: string) => column.toLowerCase().replace(/^g:/, '').replaceAll(' ', '_')

/** Tries the mapping on the sample, and says what would be refused. */
async function noteTrial(mapping: Mapping, head: Buffer, note: (path: string, reason: string) => void): Promise<void> {
  const trial = new Reading(mapping, defaultLimits, () => {})
  const { raws } = await sampleOf(trial, head)
  type Counted = Map<string, { rows: number; first: string }>
  const refusals: Counted = new Map()
  const dropped: Counted = new Map()
  const count = (counted: Counted, name: string, reason: string) => {
    const known = counted.get(name)
    if (known === undefined) counted.set(name, { rows: 1, first: reason })
    else known.rows++
  }
  const refuse = (name: string, reason: string) => count(refusals, name, reason)
  const seen = new Set<string>()
  let offers = 0
  const yielding = openYielding()
  for (const raw of raws) {
    const read = trial.convert(raw)
    const pause = yielding()
    if (pause !== null) await pause
    if ('offer' in read) {
      offers++
      if (seen.has(read.offer.sku)) refuse('its sku', 'is that of an earlier row: make the key of columns that differ')
      seen.add(read.offer.sku)
      const byName = new Map((read.dropped ?? []).map(({ name, reason }) => [name, reason]))
      for (const [name, reason] of byName) count(dropped, name, reason)
    } else if ('faults' in read) {
      const byName = new Map(read.faults.map(({ name, reason }) => [name, reason]))
      for (const [name, reason] of byName) refuse(name, reason)
    }
  }
  note('', `of the first ${raws.length} rows it makes ${offers} offers`)
  for (const [name, { rows, first }] of refusals)
    note('', `${rows} ${rows === 1 ? 'row' : 'rows'} would be refused: ${name} ${first}`)
  for (const [name, { rows, first }] of dropped)
    note(
      '',
      `${rows} ${rows === 1 ? 'row' : 'rows'} would be imported without a value that cannot be read: ${name} ${first}`,
    )
}

/** The encoding that a file states although its bytes are UTF-8, which proposing it would spoil. */
async function wronglyStatedEncoding(head: Buffer): Promise<string | undefined> {
  try {
    const content = await openContent(once(head), undefined, defaultLimits)
    if (content.isWorkbook) return undefined
    let evidence: Utf8Evidence | undefined
    const onEvidence = (found: Utf8Evidence) => void (evidence = found)
    const text = readText(content.bytes, undefined, Infinity, undefined, undefined, onEvidence)
    for await (const _piece of text) if (evidence === undefined) return undefined
    const misread = evidence?.misread()
    return misread?.broken === 0 ? misread.encoding : undefined
  } catch {
    // the reading says what is wrong
    return undefined
  }
}

/** Where the records of a document are; empty for tables, lines and lists. */
async function documentOf(head: Buffer, encoding: string | undefined): Promise<Partial<Mapping>> {
  const content = await openContent(once(head), undefined, defaultLimits)
  if (content.isWorkbook) return {}
  try {
    const text = await peekText(readText(content.bytes, encoding, Infinity), HEAD_CHARACTERS)
    const kind = formatOfText(text.head)
    if (kind === 'xml') return { format: kind, ...itemsAt(await recordPathOf(text.head)) }
    // an object in one line may be one row, or a document with a list in it
    const isOneLine = kind === 'ndjson' && !text.head.trim().includes('\n')
    const path = kind === 'json' || isOneLine ? await listPathOf(text.head) : undefined
    return path === undefined ? {} : { format: 'json', items: path }
  } catch {
    // the reading says what is wrong
    return {}
  }
}

const itemsAt = (items: string | undefined) => (items === undefined ? {} : { items })

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve()
  yield bytes
}

interface Sample {
  raws: RawRow[]
  rows: Readonly<Record<string, unknown>>[]
  /** What is wrong with the first row that cannot be read. */
  fault: string | undefined
}

async function sampleOf(reading: Reading, head: Buffer): Promise<Sample> {
  const raws: RawRow[] = []
  try {
    for await (const page of reading.rows(once(head))) {
      raws.push(...page)
      if (raws.length >= SAMPLE_ROWS) break
    }
  } catch (error) {
    // the sample ends somewhere within a large file
    if (raws.length === 0 || head.length < SAMPLE_BYTES) throw error
  }
  const first = raws.find((raw) => 'fault' in raw)
  const rows: Sample['rows'][number][] = []
  let values = 0
  const yielding = openYielding()
  for (const raw of raws.slice(0, SAMPLE_ROWS)) {
    // of wide tables fewer rows show what their columns are
    if (!('row' in raw) || (rows.length > 0 && values > LIMITS.detectValuesMax)) continue
    if (reading.isRemark(raw.row)) continue
    const members = reading.membersOf(raw.row)
    rows.push(members)
    values += countValues(members)
    const pause = yielding()
    if (pause !== null) await pause
  }
  return {
    raws: raws.slice(0, SAMPLE_ROWS),
    rows,
    fault: first === undefined ? undefined : `line ${first.line} ${first.fault}`,
  }
}

/** How many values there are in a value. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) count += countValues(member)
  return count
}

/** A ready mapping that a file may be for. */
interface Preset {
  name: string
  title: string
  mapping: Mapping
}

/** Formats whose files need no signs. */
const isOwnFormat = (format: string | undefined) => format === 'google' || format === 'bmecat'

/** What the first records of a document have. */
const membersAmong = (rows: readonly Readonly<Record<string, unknown>>[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
]

/**
 * The ready mapping that a file is for.
 * @param names its columns, or what its records have
 * @param items where the records of a document are, which may be deeper than usual
 */
function presetOf(format: string, names: readonly string[], items: string | undefined): Preset | undefined {
  const has = new Set(names)
  const asFeed = new Set(names.map(feedName))
  for (const [name, { mapping, signs, title }] of Object.entries(PRESETS)) {
    const own = name === 'google' ? asFeed : has
    const isKnown =
      (mapping.format === 'xml') === (format === 'xml') && signs.length > 0 && signs.every((sign) => own.has(sign))
    if (!isKnown && !(isOwnFormat(format) && mapping.format === format)) continue
    const isElsewhere = format === 'xml' && items !== undefined && items !== mapping.items
    return { name, title, mapping: isElsewhere ? { ...mapping, items } : mapping }
  }
  return undefined
}
