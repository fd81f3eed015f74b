import { gtinOf } from '../model/gtin.ts'
import { readCurrency } from '../input/currency.ts'
import { compileAvailability } from './availability.ts'
import { guessByName, type NameGuess } from './column-names.ts'
import { parseMapping, type Mapping } from './mapping.ts'
import { attributeNumber, NumberEvidence, readMoney, readPieces } from './numbers.ts'
import { peekBytes, peekText } from './peek.ts'
import { openContent } from './content.ts'
import { PRESETS } from './presets.ts'
import { Reading } from './reading.ts'
import { listPathOf, recordPathOf } from './record-path.ts'
import { defaultLimits, memberText, unreadable, type Warn } from './rows.ts'
import { readText } from './text.ts'
import { formatOfText } from './format.ts'

/** A mapping that is proposed for a file, with a reason for each of its lines. */
export interface Proposal {
  /** The name of a ready mapping, for `--mapping`; null where the columns are those of no known system. */
  preset: string | null
  mapping: Mapping
  /** `path` is a member of the mapping (`fields.cost`, `decimal`); '' is about the file as a whole. */
  reasons: { path: string; reason: string }[]
}

const SAMPLE_ROWS = 300
const SAMPLE_BYTES = 8_388_608
const ATTRIBUTES_MAX = 100
/** Of the rows, how many have a key of their own in a column that is called like one: lists repeat articles, and end with sums. */
const NAMED_KEY_SHARE = 0.6
const HEAD_CHARACTERS = 1_048_576

/** A column or path of the sample, with its values. */
interface Column {
  name: string
  values: string[]
  isList: boolean
}

/**
 * Proposes how a file is to be read, by its first rows.
 * @throws ShelfwireError `source-unreadable` for a file that cannot be read whatever the mapping
 */
export async function detectMapping(bytes: AsyncIterable<Uint8Array>, warn: Warn = () => {}): Promise<Proposal> {
  const { head } = await peekBytes(bytes, SAMPLE_BYTES)
  const reasons: Proposal['reasons'] = []
  const note = (path: string, reason: string) => void reasons.push({ path, reason })
  const settings = await documentOf(head)
  const reading = new Reading({ ...settings, fields: { sku: { constant: '-' } } }, defaultLimits, warn)
  const rows = await sampleOf(reading, head)
  const { format, columns, delimiter, encoding } = reading.form
  if (format === undefined || rows.length === 0)
    throw unreadable('the file has no rows from which a mapping could be proposed')
  note('', `${format}, by its content; ${rows.length} rows were looked at`)
  const preset = presetOf(format, columns ?? [])
  if (preset !== undefined) {
    note('', `it has what ${preset.title} writes: use --mapping ${preset.name}`)
    return { preset: preset.name, mapping: preset.mapping, reasons }
  }
  if (format === 'csv') note('delimiter', `${JSON.stringify(delimiter)} cuts its lines equally`)
  if (encoding !== undefined) note('encoding', 'its texts are words in this encoding')
  if (settings.items !== undefined) note('items', 'the first list of records in the file')
  const sample = columnsOf(rows)
  const draft: Record<string, unknown> = {
    format,
    ...(format === 'csv' ? { delimiter } : {}),
    ...(encoding === undefined ? {} : { encoding }),
    ...settings,
  }
  const { fields, languages } = propose(sample, draft, note)
  const locale = mostFrequent(languages) ?? 'en'
  note(
    'locale',
    languages.length > 0
      ? 'the language of the column names; correct it if texts are in another'
      : 'assumed: nothing shows the language',
  )
  const mapping = parseMapping({ ...draft, locale, fields })
  return { preset: null, mapping, reasons }
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

async function sampleOf(reading: Reading, head: Buffer): Promise<Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = []
  try {
    for await (const page of reading.rows(once(head))) {
      for (const raw of page) if ('row' in raw) rows.push(reading.membersOf(raw.row))
      if (rows.length >= SAMPLE_ROWS) break
    }
  } catch (error) {
    // the sample ends somewhere within a large file
    if (rows.length === 0 || head.length < SAMPLE_BYTES) throw error
  }
  return rows.slice(0, SAMPLE_ROWS)
}

function presetOf(
  format: string,
  columns: readonly string[],
): { name: string; title: string; mapping: Mapping } | undefined {
  const has = new Set(columns)
  const asFeed = new Set(columns.map((column) => column.toLowerCase().replaceAll(' ', '_')))
  for (const [name, { mapping, signs, title }] of Object.entries(PRESETS)) {
    const isOwnFormat = mapping.format === format && format !== 'csv'
    const names = name === 'google' ? asFeed : has
    if (isOwnFormat || (signs.length > 0 && signs.every((sign) => names.has(sign)))) return { name, title, mapping }
  }
  return undefined
}

/** The columns of the rows, and the paths of members within members. */
function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): Column[] {
  const columns = new Map<string, Column>()
  const add = (name: string, value: unknown, depth: number, isInList = false) => {
    if (Array.isArray(value) && value.some((member) => typeof member === 'object' && member !== null)) {
      for (const member of value.slice(0, 20)) add(name, member, depth, true)
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < 4) {
      for (const [key, member] of Object.entries(value))
        add(key === '#text' ? name : `${name}.${key}`, member, depth + 1, isInList)
    } else {
      const column = columns.get(name) ?? { name, values: [], isList: false }
      columns.set(name, column)
      if (isInList || Array.isArray(value)) column.isList = true
      for (const text of [value].flat().map(memberText)) if (text !== '') column.values.push(text)
    }
  }
  for (const row of rows) for (const [name, value] of Object.entries(row)) add(name, value, 0)
  return [...columns.values()]
}

const countWord = compileAvailability()
const share = (values: readonly string[], test: (value: string) => boolean) =>
  values.length === 0 ? 0 : values.filter(test).length / values.length
const isAmount = (value: string) => 'value' in readMoney(value, '.') || 'value' in readMoney(value, ',')

/** What the values of a column must be like for a field, and how that is said. */
const VALUES: Readonly<Record<string, { fits: (column: Column, rows: number) => number; words: string }>> = {
  sku: {
    fits: ({ values }, rows) => new Set(values).size / Math.max(values.length < rows * 0.9 ? rows : values.length, 1),
    words: 'each row has another value',
  },
  ean: {
    fits: ({ values }) => share(values, (value) => gtinOf(value) !== null),
    words: 'its values have the check digit of EANs',
  },
  cost: { fits: ({ values }) => share(values, isAmount), words: 'its values are amounts' },
  currency: {
    fits: ({ values }) => share(values, (value) => 'value' in readCurrency(value)),
    words: 'its values are currency codes',
  },
  quantity: {
    fits: ({ values }) => share(values, (value) => 'value' in readPieces(value, '.', countWord)),
    words: 'its values are quantities or words about availability',
  },
  images: {
    fits: ({ values }) => share(values, (value) => /^https?:\/\/|\.(?:jpe?g|png|webp|gif)\b/i.test(value)),
    words: 'its values are addresses of pictures',
  },
  title: { fits: ({ values }) => share(values, (value) => /\p{L}/u.test(value)), words: 'its values are texts' },
  description: { fits: ({ values }) => share(values, (value) => /\p{L}/u.test(value)), words: 'its values are texts' },
  manufacturer: {
    fits: ({ values }) => share(values, (value) => /\p{L}|\d/u.test(value)),
    words: 'its values are names',
  },
  category: { fits: ({ values }) => share(values, (value) => /\p{L}|\d/u.test(value)), words: 'its values are names' },
}

type Note = (path: string, reason: string) => void

function propose(
  columns: readonly Column[],
  draft: Record<string, unknown>,
  note: Note,
): { fields: Record<string, unknown>; languages: string[] } {
  const rows = Math.max(...columns.map(({ values }) => values.length), 1)
  const found = candidates(columns, rows)
  const fields: Record<string, unknown> = {}
  const languages: string[] = []
  const used = new Set<string>()
  for (const { column, guess, fit } of found) {
    if (used.has(column.name)) continue
    const isMany = guess.field === 'images' || guess.field === 'ean'
    if (fields[guess.field] !== undefined && !isMany) continue
    used.add(column.name)
    const source = sourceOf(column, guess.field)
    fields[guess.field] = isMany && fields[guess.field] !== undefined ? [fields[guess.field], source].flat() : source
    if (guess.languages.length === 1) languages.push(...guess.languages)
    const isGappy = guess.field === 'sku' && fit < 1
    const words = isGappy ? 'rows in which it is empty or repeated are refused' : VALUES[guess.field]?.words
    note(
      `fields.${guess.field}`,
      `${JSON.stringify(column.name)}: ${guess.score > 0 ? 'it is called so' : 'no other column is'}, and ${words}`,
    )
  }
  if (fields['sku'] === undefined) {
    const key = columns.find((column) => (VALUES['sku']?.fits(column, rows) ?? 0) === 1)
    if (key === undefined)
      throw unreadable('no column has another value in each row: nothing could be the key of the articles')
    fields['sku'] = key.name
    used.add(key.name)
    note(
      'fields.sku',
      `${JSON.stringify(key.name)}: the first column with another value in each row; check that it stays the same from file to file`,
    )
  }
  proposeDecimal(columns, fields['cost'], draft, note)
  const rest = columns
    .filter(({ name, values }) => !used.has(name) && values.length > 0 && !name.includes('@xmlns'))
    .slice(0, ATTRIBUTES_MAX)
  const attributes = rest.filter(({ isList, values }) => !isList && values.every((value) => value.length <= 500))
  if (attributes.length > 0) {
    fields['attributes'] = attributes.map(({ name }) => ({ key: name.slice(0, 100), column: name }))
    note('fields.attributes', `${attributes.length} columns that are nothing else: leave out what shops need not show`)
  }
  return { fields, languages }
}

/** What each column may be, the best first. */
function candidates(columns: readonly Column[], rows: number): { column: Column; guess: NameGuess; fit: number }[] {
  return columns
    .flatMap((column) =>
      guessByName(column.name).map((guess) => ({ column, guess, fit: VALUES[guess.field]?.fits(column, rows) ?? 0 })),
    )
    .filter(({ fit, guess }) => fit >= (guess.field !== 'sku' ? 0.8 : guess.score > 0 ? NAMED_KEY_SHARE : 1))
    .toSorted((a, b) => b.guess.score - a.guess.score || b.fit - a.fit)
}

function sourceOf(column: Column, field: string): unknown {
  if (field !== 'images') return column.isList && field !== 'ean' ? { column: column.name, take: 0 } : column.name
  const sign = [', ', ',', '|', ';'].find(
    (one) => share(column.values, (value) => value.includes(`${one}http`) || value.includes(`${one}/`)) > 0.1,
  )
  return sign === undefined ? column.name : { column: column.name, split: sign.trim() }
}

function proposeDecimal(columns: readonly Column[], cost: unknown, draft: Record<string, unknown>, note: Note): void {
  const numbers = new NumberEvidence()
  const priced = columns.find(({ name }) => name === cost)?.values ?? []
  for (const value of priced) numbers.note(value)
  const sign = numbers.sign()
  if (sign === undefined) return
  draft['decimal'] = sign
  const example = priced.find((value) => attributeNumber(value, sign) !== value || value.includes(sign)) ?? ''
  note('decimal', `numbers such as ${JSON.stringify(example)} have ${JSON.stringify(sign)} for decimals`)
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}
