import { ShelfwireError } from '../platform/errors.ts'
import { openContent } from './content.ts'
import { formatOfText } from './format.ts'
import { headerAmong } from './header-line.ts'
import { parseMapping, type Mapping } from './mapping.ts'
import { peekBytes, peekText } from './peek.ts'
import { PRESETS } from './presets.ts'
import { sellingPriceReason, type PriceColumn } from './price-columns.ts'
import { priceColumnsOf, proposeFields } from './propose-fields.ts'
import { Reading } from './reading.ts'
import { listPathOf, recordPathOf } from './record-path.ts'
import { defaultLimits, unreadable, type RawRow, type Warn } from './rows.ts'
import { readText } from './text.ts'

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
  const settings = await documentOf(head)
  const before = await linesBeforeHeader(settings, head)
  const reading = new Reading({ ...settings, ...before, fields: ANY_KEY }, defaultLimits, warn)
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
  const preset = presetOf(format, columns ?? [])
  if (preset !== undefined) {
    const notes = await presetNotes(preset, head)
    if ('notes' in notes) {
      reasons.push(...notes.notes)
      const { prices, cost } = presetCost(preset, rows, note)
      return { preset: preset.name, mapping: withCost(preset.mapping, cost), reasons, prices, form }
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
  }
  const { fields, decimal, locale, prices } = proposeFields(rows, note)
  const mapping = parseMapping({ ...draft, ...(decimal === undefined ? {} : { decimal }), locale, fields })
  await noteTrial(mapping, head, note)
  return { preset: null, mapping, reasons, prices, form }
}

const ANY_KEY = { sku: { constant: '-' } }
const HEADER_SEARCH_ROWS = 20

/** A table may begin with a title, an address or a date: the number of lines before the names of its columns. */
async function linesBeforeHeader(settings: Partial<Mapping>, head: Buffer): Promise<{ skipLines?: number }> {
  if (settings.format !== undefined) return {}
  const reading = new Reading({ header: false, fields: ANY_KEY }, defaultLimits, () => {})
  const records: { line: number; cells: readonly unknown[] }[] = []
  try {
    for await (const page of reading.rows(once(head))) {
      for (const raw of page) {
        const cells = 'row' in raw ? raw.row : 'fault' in raw ? raw.cells : undefined
        if (Array.isArray(cells)) records.push({ line: raw.line, cells: cells as unknown[] })
      }
      if (records.length >= HEADER_SEARCH_ROWS) break
    }
  } catch {
    // the reading with a header says what is wrong
  }
  const line = headerAmong(records.slice(0, HEADER_SEARCH_ROWS))
  return line === undefined || line <= 1 ? {} : { skipLines: line - 1 }
}

/** What there is to say of a ready mapping, or why it cannot read a table that has only some of its columns. */
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
    if (!(error instanceof ShelfwireError) || mapping.format !== 'csv') throw error
    return { fault: error.message }
  }
  return { notes }
}

const withCost = (mapping: Mapping, cost: string | undefined): Mapping =>
  cost === undefined ? mapping : { ...mapping, fields: { ...mapping.fields, cost } }

/**
 * A shop's export has what the shop sells at, and sometimes what it pays: then that is the cost.
 * @returns the column to read in place of that of the ready mapping; undefined: none
 */
function presetCost(
  { name }: Preset,
  rows: readonly Readonly<Record<string, unknown>>[],
  note: (path: string, reason: string) => void,
): { prices: PriceColumn[]; cost: string | undefined } {
  const { sellingPrices = [], vat = 'unknown' } = PRESETS[name] ?? {}
  const selling = sellingPrices.map((column): PriceColumn => ({ column, kind: 'selling', vat }))
  if (selling.length === 0) return { prices: [], cost: undefined }
  const purchase = priceColumnsOf(rows)
    .filter(({ kind }) => kind === 'purchase')
    .map((price) => (name === 'google' ? { ...price, column: feedName(price.column) } : price))
  const [own] = purchase
  const shown = JSON.stringify(own?.column)
  note(
    'fields.cost',
    own === undefined
      ? `${sellingPrices.map((column) => JSON.stringify(column)).join(' or ')}: ${sellingPriceReason({ kind: 'selling', vat })}`
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
  const refusals = new Map<string, { rows: number; first: string }>()
  const refuse = (name: string, reason: string) => {
    const known = refusals.get(name)
    if (known === undefined) refusals.set(name, { rows: 1, first: reason })
    else known.rows++
  }
  const seen = new Set<string>()
  let offers = 0
  for (const read of raws.map((raw) => trial.convert(raw))) {
    if ('offer' in read) {
      offers++
      if (seen.has(read.offer.sku)) refuse('its sku', 'is that of an earlier row: make the key of columns that differ')
      seen.add(read.offer.sku)
    } else if ('faults' in read) {
      const byName = new Map(read.faults.map(({ name, reason }) => [name, reason]))
      for (const [name, reason] of byName) refuse(name, reason)
    }
  }
  note('', `of the first ${raws.length} rows it makes ${offers} offers`)
  for (const [name, { rows, first }] of refusals)
    note('', `${rows} ${rows === 1 ? 'row' : 'rows'} would be refused: ${name} ${first}`)
}

/** Where the records of a document are; empty for tables, lines and lists. */
async function documentOf(head: Buffer): Promise<Partial<Mapping>> {
  const content = await openContent(once(head), undefined, defaultLimits)
  if (content.isWorkbook) return {}
  try {
    const text = await peekText(readText(content.bytes, undefined, Infinity), HEAD_CHARACTERS)
    const kind = formatOfText(text.head)
    if (kind === 'xml') return { format: kind, ...itemsAt(recordPathOf(text.head)) }
    // an object in one line may be one row, or a document with a list in it
    const isOneLine = kind === 'ndjson' && !text.head.trim().includes('\n')
    const path = kind === 'json' || isOneLine ? listPathOf(text.head) : undefined
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
  return {
    raws: raws.slice(0, SAMPLE_ROWS),
    rows: raws.flatMap((raw) => ('row' in raw ? [reading.membersOf(raw.row)] : [])).slice(0, SAMPLE_ROWS),
    fault: first === undefined ? undefined : `line ${first.line} ${first.fault}`,
  }
}

/** A ready mapping that a file may be for. */
interface Preset {
  name: string
  title: string
  mapping: Mapping
}

function presetOf(format: string, columns: readonly string[]): Preset | undefined {
  const has = new Set(columns)
  const asFeed = new Set(columns.map(feedName))
  for (const [name, { mapping, signs, title }] of Object.entries(PRESETS)) {
    const isOwnFormat = mapping.format === format && format !== 'csv'
    const names = name === 'google' ? asFeed : has
    if (isOwnFormat || (signs.length > 0 && signs.every((sign) => names.has(sign)))) return { name, title, mapping }
  }
  return undefined
}
