import { say } from '../../../contract/remarks/remarks.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { must } from '../../platform/must.ts'
import { applyEarlierChoices, articleListChosenBefore, type KnownMapping } from './chosen-before.ts'
import { fieldOfArticle } from './column-names.ts'
import { openContent } from '../content.ts'
import { documentOf, wronglyStatedEncoding } from './document-form.ts'
import { askAboutTriedZeros, askAboutZeros } from './doubtful-amounts.ts'
import { hasNoHeader, hasShortRows, findHeaderLine, knownNames, upperHeader } from './header-line.ts'
import { askAboutInactive } from './inactive-rows.ts'
import { parseMapping, type CategorySettings, type Mapping } from '../mapping/mapping.ts'
import { peekBytes } from '../peek.ts'
import { sellingPriceReason, type PriceColumn } from './price-columns.ts'
import { categoriesBefore } from './propose-categories.ts'
import { articleListAt, articleListOf, type ArticleList } from './propose-each.ts'
import { languageOf } from './propose-decimal.ts'
import { proposeFields } from './propose-fields.ts'
import {
  askAboutRows,
  costColumnOf,
  mappedColumns,
  memberNamesOf,
  presetCost,
  presetDecimal,
  presetLocale,
  presetNotes,
  presetOf,
  withCost,
  withKey,
  withPlainTitles,
} from './propose-preset.ts'
import { Reading } from '../reading.ts'
import { defaultLimits, memberLookup, memberText, unreadable, type Warn } from '../rows.ts'
import { columnsOf, type SampleRows } from './sample-columns.ts'
import { sideBySideTables } from '../side-by-side.ts'
import { uniqueNames } from '../table/header.ts'
import { readText } from '../text.ts'
import { isFullyImportable, noteTrial, streamOf, sampleOf, SAMPLE_BYTES, SAMPLE_ROWS } from './trial.ts'
import { wooMapping, wooNames } from './woocommerce-columns.ts'
import { CATEGORY_MEMBER } from '../xml/parse.ts'
import { oldSheetNames } from '../xlsx/old-workbook.ts'
import { sheetNames } from '../xlsx/parse.ts'

/** A mapping that is proposed for a file, with a reason for each of its lines. */
export interface Proposal {
  /** The name of a ready mapping, for `--mapping`; null if the file is not from a known system. */
  preset: string | null
  mapping: Mapping
  /** `path` is a member of the mapping (`fields.cost`, `decimal`); '' is about the file as a whole. */
  reasons: { path: string; reason: string }[]
  /** Columns of prices whose names show whether the merchant pays them or the shop sells at them. */
  prices: PriceColumn[]
  form: ProposedForm
}

/** The detected form of a file. */
export interface ProposedForm {
  format: string
  /** Null for a workbook. */
  encoding: string | null
  /** Null for a workbook, and for formats whose rows are objects. */
  delimiter: string | null
  /** The line with the names of the columns; null if the format or the file has none. */
  headerLine: number | null
  /** How many rows the proposal is based on. */
  rows: number
}

/**
 * Proposes a mapping for a file by its first rows.
 * @param warn receives warnings, and the questions that the merchant should answer
 * @param known mappings that the account uses: the sources chosen there for columns that this file has are proposed again
 * @throws ShelfwireError `source-unreadable` for a file that no mapping can read
 */
export async function detectMapping(
  bytes: AsyncIterable<Uint8Array>,
  warn: Warn = () => {},
  known: readonly KnownMapping[] = [],
): Promise<Proposal> {
  const { head } = await peekBytes(bytes, SAMPLE_BYTES)
  const reasons: Proposal['reasons'] = []
  const note = (path: string, reason: string) => void reasons.push({ path, reason })
  const stated = await wronglyStatedEncoding(head)
  const own = stated === undefined ? {} : { encoding: 'utf-8' }
  const document = await documentOf(head, own.encoding)
  const settings = { ...document.settings, ...own }
  const sheet = await sheetOf(settings, head, note, warn)
  const before = await linesBeforeHeader({ ...settings, ...sheet }, head)
  const read = { ...settings, ...sheet, ...before }
  const reading = new Reading({ ...read, fields: ANY_KEY }, defaultLimits, warn)
  const { raws, rows, fault } = await sampleOf(reading, head)
  const { format, columns, delimiter, encoding } = reading.form
  if (format === undefined || rows.length === 0)
    throw unreadable(
      `the file has no rows from which a mapping could be proposed${fault === undefined ? '' : `; ${fault}`}`,
    )
  note('', `${format}, by its content; ${rows.length} rows were looked at`)
  if (before.header === false) warn(say('no_header', {}))
  if (before.headerLines !== undefined) {
    note('headerLines', 'two lines name its columns, one above the other')
    warn(say('header_of_two_lines', { line: (before.skipLines ?? 0) + 1 }))
  }
  if (before.shortRows === true) warn(say('short_rows', {}))
  if (before.skipLines !== undefined) note('', `the names of its columns are in line ${before.skipLines + 1}`)
  const form: ProposedForm = {
    format,
    encoding: format === 'xlsx' ? null : (encoding ?? 'utf-8'),
    delimiter: columns === undefined || format === 'xlsx' ? null : delimiter,
    headerLine: columns === undefined || before.header === false ? null : (before.skipLines ?? 0) + 1,
    rows: rows.length,
  }
  if (stated !== undefined)
    note('encoding', `its bytes are UTF-8, although it says that it is ${stated}: its texts would come out wrong`)
  const choose = (mapping: Mapping, isReady: boolean, shown: SampleRows = rows) =>
    applyEarlierChoices(mapping, known, hasColumn(columns !== undefined, shown), isReady, reasons)
  const system = presetOf(format, columns ?? (format === 'xml' ? memberNamesOf(rows) : []), settings.items)
  const isShort = system?.mapping.format === 'csv' && before.shortRows === true
  const preset = isShort ? { ...system, mapping: { ...system.mapping, shortRows: true } } : system
  if (preset !== undefined) {
    const keyed = withKey(preset.mapping, preset.name, rows)
    const notes = await presetNotes({ ...preset, mapping: keyed.mapping }, head)
    if ('notes' in notes) {
      reasons.push(...notes.notes)
      const { prices, cost } = await presetCost(preset, rows, note)
      const sign = presetDecimal(preset, rows, note)
      if (keyed.reason !== undefined) note('fields.sku', keyed.reason)
      if (keyed.question !== undefined) warn(keyed.question)
      const proposed = {
        ...withCost(keyed.mapping, cost),
        ...own,
        ...sign,
        ...presetLocale(preset, rows, note, warn),
      }
      const shown = mappedColumns(proposed, rows)
      const { mapping } = choose(withPlainTitles(proposed, shown, warn), true)
      if (cost === undefined)
        askAboutTriedZeros(notes.costs, prices[0]?.column ?? costColumnOf(mapping.fields.cost), warn)
      else askAboutZeros(columnsOf(rows), rows, cost, warn)
      askAboutRows(mapping, shown, rows, warn)
      return { preset: preset.name, mapping, reasons, prices, form }
    }
    note('', `it is like what ${preset.title} writes, but not all of it is there: ${notes.fault}`)
  }
  if (format === 'csv') note('delimiter', `${JSON.stringify(delimiter)} cuts its lines equally`)
  if (encoding !== undefined) note('encoding', 'its texts are words in this encoding')
  const categories =
    format === 'xml' && settings.items !== undefined
      ? await categoriesBefore(head, own.encoding, settings.items, rows)
      : undefined
  const { passedOver, alike } = document
  // the table of the categories is no list of articles
  if (passedOver !== undefined && passedOver !== categories?.items) {
    note('items', 'members of these records are called like the fields of articles')
    warn(say('articles_elsewhere', { items: must(settings.items), passed_over: passedOver }))
  } else if (settings.items !== undefined) note('items', 'the first list of records in the file')
  if (alike !== undefined) warn(say('lists_alike', { items: must(settings.items), others: alike }))
  const beside = columns === undefined ? undefined : sideBySideTables(columns)
  if (beside !== undefined) warn(say('tables_side_by_side', { tables: beside.length }))
  const draft: Partial<Mapping> = {
    format,
    ...(format === 'csv' ? { delimiter } : {}),
    ...(encoding === undefined ? {} : { encoding }),
    ...settings,
    ...sheet,
    ...(before.header === undefined ? {} : { header: before.header }),
    // with two lines of names, the import does not search for the upper one, so its position is stated
    ...(before.headerLines === undefined ? {} : { skipLines: before.skipLines ?? 0, headerLines: before.headerLines }),
    ...(before.shortRows === undefined ? {} : { shortRows: before.shortRows }),
    ...(beside === undefined ? {} : { table: 'all' as const }),
  }
  const woo = format === 'csv' && columns !== undefined ? wooNames(columns, rows) : undefined
  if (woo !== undefined) {
    note('', 'its columns are those of a WooCommerce export, in their order and in another language')
    const { decimal, locale } = languageOf([woo.price, woo.salePrice], rows, note)
    note('fields.cost', `${JSON.stringify(woo.price)}: ${sellingPriceReason({ kind: 'selling', vat: 'unknown' })}`)
    const { mapping } = choose(
      withPlainTitles({ ...wooMapping(woo, locale, decimal), ...draft }, columnsOf(rows), warn),
      true,
    )
    askAboutTriedZeros(await noteTrial(mapping, head, note), woo.price, warn)
    const prices = [woo.price, woo.salePrice].map((column): PriceColumn => ({
      column,
      kind: 'selling',
      vat: 'unknown',
    }))
    return { preset: null, mapping, reasons, prices, form }
  }
  const attempt = (list?: ArticleList) =>
    tryFields({ draft, head, known, rows, list, columns, beside, categories, names: reading.names })
  const chosen = columns === undefined ? articleListChosenBefore(known, hasColumn(false, rows, categories)) : null
  const found = chosen === undefined ? await articleListOf(rows) : undefined
  const listed = found === undefined ? undefined : await certainly(() => attempt(found), head)
  const { mapping, notes, questions, prices } =
    listed ??
    (await attempt(chosen === null || chosen === undefined ? undefined : await articleListAt(chosen.each, rows)))
  if (listed !== undefined) {
    note('each', 'its elements have keys and amounts of their own')
    warn(say('each_is_article', { list: must(mapping.each) }))
  } else if (found !== undefined) warn(say('record_is_article', { list: found.path }))
  else if (chosen !== null && chosen !== undefined)
    note('each', `chosen before in the mapping of ${JSON.stringify(chosen.supplier)}`)
  reasons.push(...notes)
  for (const question of questions) warn(question)
  await noteTrial(mapping, head, note, { reading, settings: read, raws })
  return { preset: null, mapping, reasons, prices, form }
}

interface Attempt {
  /** The settings that were decided before the fields. */
  draft: Partial<Mapping>
  head: Buffer
  known: readonly KnownMapping[]
  rows: SampleRows
  list: ArticleList | undefined
  columns: readonly string[] | undefined
  beside: readonly (readonly number[])[] | undefined
  categories: CategorySettings | undefined
  names: readonly string[]
}

interface Attempted {
  mapping: Mapping
  notes: Proposal['reasons']
  questions: string[]
  prices: PriceColumn[]
  isDoubtful: boolean
}

/** Proposes a mapping as if the articles were the elements of `list` or, without one, as if each row was an article. */
async function tryFields({
  head,
  known,
  rows,
  list,
  columns,
  beside,
  categories,
  names,
  ...rest
}: Attempt): Promise<Attempted> {
  const draft = list === undefined ? rest.draft : { ...rest.draft, each: list.path }
  const articles =
    beside !== undefined
      ? belowEachOther(rows, beside, columns ?? [], names)
      : list === undefined
        ? rows
        : (await sampleOf(new Reading({ ...draft, fields: ANY_KEY }, defaultLimits, () => {}), head)).rows
  const notes: Proposal['reasons'] = []
  const asked: { question: string; field: string | undefined }[] = []
  const {
    fields,
    decimal,
    availability,
    locale,
    prices,
    group,
    skip,
    isDoubtful,
    columns: shown,
  } = await proposeFields(
    articles,
    (path, reason) => void notes.push({ path, reason }),
    (question, field) => void asked.push({ question, field }),
    list,
  )
  const isTree = categories !== undefined && list === undefined && fields['category'] === undefined
  if (isTree) {
    fields['category'] = CATEGORY_MEMBER
    const attributes = (fields['attributes'] ?? []) as readonly { column?: string }[]
    const others = attributes.filter(({ column }) => column !== categories.of)
    if (others.length > 0) fields['attributes'] = others
    else delete fields['attributes']
    notes.push({
      path: 'fields.category',
      reason: `${JSON.stringify(categories.of)} has the ids of the categories at ${JSON.stringify(categories.items)}: their names are read`,
    })
  }
  const settled = {
    ...(isTree ? { categories } : {}),
    ...(decimal === undefined ? {} : { decimal }),
    ...(availability === undefined ? {} : { availability }),
    ...(group === undefined ? {} : { group }),
    ...(skip === undefined ? {} : { skip }),
  }
  const { mapping, isChosen } = applyEarlierChoices(
    parseMapping({ ...draft, ...settled, locale, fields }),
    known,
    hasColumn(columns !== undefined, articles, categories),
    false,
    notes,
  )
  // a field that the account chose before needs no question
  const questions = asked.flatMap(({ question, field }) => (field === undefined || !isChosen(field) ? [question] : []))
  askAboutInactive(shown, articles.length, mapping, (question) => void questions.push(question))
  return { mapping, notes, questions, prices, isDoubtful }
}

/**
 * An attempt with a list, if all of the first rows can be imported by it. Undefined otherwise: then each record is taken for an article, and the
 * merchant is asked.
 */
async function certainly(attempt: () => Promise<Attempted>, head: Buffer): Promise<Attempted | undefined> {
  try {
    const attempted = await attempt()
    return !attempted.isDoubtful && (await isFullyImportable(attempted.mapping, head)) ? attempted : undefined
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    return undefined
  }
}

/** The rows of tables side by side, one table after the other, with the column names of the first. */
function belowEachOther(
  rows: SampleRows,
  tables: readonly (readonly number[])[],
  columns: readonly string[],
  names: readonly string[],
): SampleRows {
  const own = uniqueNames(tables[0]?.map((place) => columns[place] ?? '') ?? [])
  return tables.flatMap((places) =>
    rows
      .map((row) => Object.fromEntries(own.map((name, i) => [name, row[names[places[i] ?? -1] ?? '']])))
      .filter((row) => Object.values(row).some((value) => value !== '' && value !== null && value !== undefined)),
  )
}

/** How many records are searched for a path. */
const RECORDS_LOOKED_AT = 50

/** Returns a function that tells whether the file has a column or path. */
function hasColumn(isTable: boolean, rows: SampleRows, categories?: CategorySettings): (column: string) => boolean {
  const members = new Set([...memberNamesOf(rows), ...(categories === undefined ? [] : [CATEGORY_MEMBER])])
  const records = rows.slice(0, RECORDS_LOOKED_AT)
  return (column) => {
    if (members.has(column)) return true
    const read = memberLookup(column)
    return !isTable && records.some((row) => read(row) !== undefined)
  }
}

const ANY_KEY = { sku: { constant: '-' } }
const HEADER_SEARCH_ROWS = 20

/** How many sheets of a workbook are examined, and how many known column names make a sheet a table. */
const SHEETS_MAX = 6
const KNOWN_NAMES_MIN = 3

/**
 * The sheet of a workbook with the articles, if it is not the first. The merchant is asked if another sheet is chosen, or if other sheets are
 * nearly alike.
 */
async function sheetOf(
  settings: Partial<Mapping>,
  head: Buffer,
  note: (path: string, reason: string) => void,
  ask: Warn,
): Promise<{ sheet?: string }> {
  if (settings.format !== undefined) return {}
  const names = await sheetsOf(head)
  if (names.length < 2) return {}
  const cut = (name: string) => name.slice(0, 100)
  const shown = (list: readonly string[]) => list.map((name) => JSON.stringify(cut(name))).join(', ')
  const known: { name: string; count: number; header: string; ofArticles: number }[] = []
  for (const name of names.slice(0, SHEETS_MAX)) {
    const records = (await firstRecords(name, head)).slice(0, HEADER_SEARCH_ROWS)
    const counts = records.map(({ cells }) => knownNames(cells))
    const count = Math.max(0, ...counts)
    // a sheet with nothing below its column names has no articles
    const at = counts.indexOf(count)
    const header = at === -1 || records.length < at + 2 ? '' : JSON.stringify(records[at]?.cells)
    known.push({ name, count, header, ofArticles: at === -1 ? 0 : fieldsOfArticles(must(records[at]).cells) })
  }
  const [sheet] = known
  // a first sheet with a table is chosen, as an import without "sheet" does; one of categories is not, if another one has keys and prices
  const ofFirst = sheet === undefined || sheet.count >= KNOWN_NAMES_MIN ? 0 : sheet.ofArticles
  const articles =
    sheet?.ofArticles === ofFirst && ofFirst < 2 ? known.find(({ ofArticles }) => ofArticles >= ofFirst + 2) : undefined
  const widest = known.toSorted((a, b) => b.count - a.count)[0]
  const isTable =
    sheet !== undefined &&
    (sheet.count >= KNOWN_NAMES_MIN || (sheet.count === KNOWN_NAMES_MIN - 1 && sheet.ofArticles > 0))
  const best = articles ?? (isTable ? sheet : widest)
  if (best === undefined) return {}
  const alike = known.filter(
    ({ name, count, header }) => name !== best.name && count > 0 && areNearlyAlike(header, best.header),
  )
  if (alike.length > 0) ask(say('sheets_alike', { sheets: alike.map(({ name }) => cut(name)), sheet: cut(best.name) }))
  const others = names.filter((name) => name !== best.name)
  note(
    best.name === names[0] ? '' : 'sheet',
    `${shown([best.name])} is read; the other sheets are ${shown(others.slice(0, SHEETS_MAX))}`,
  )
  if (best.name === names[0]) return {}
  ask(say('sheet_chosen', { sheet: cut(best.name), first: cut(must(names[0])) }))
  return { sheet: best.name }
}

/** The share of common column names from which two sheets may both have articles. */
const ALIKE_SHARE = 0.6

function areNearlyAlike(one: string, other: string): boolean {
  if (one === '' || other === '') return one === other
  const [names, others] = [one, other].map(
    (header) => new Set((JSON.parse(header) as unknown[]).map(memberText).filter((name) => name !== '')),
  ) as [Set<string>, Set<string>]
  const both = [...names].filter((name) => others.has(name)).length
  return both >= Math.max(2, Math.max(names.size, others.size) * ALIKE_SHARE)
}

/** How many of the key, the EAN, the cost and the quantity are among the names of the columns. */
const fieldsOfArticles = (cells: readonly unknown[]): number =>
  new Set(cells.map((cell) => fieldOfArticle(memberText(cell))).filter((field) => OF_AN_ARTICLE.includes(field ?? '')))
    .size
const OF_AN_ARTICLE: readonly string[] = ['sku', 'ean', 'cost', 'quantity']

async function sheetsOf(head: Buffer): Promise<string[]> {
  try {
    const content = await openContent(streamOf(head), undefined, defaultLimits)
    if (content.isHtmlTable) return []
    if (content.isOldWorkbook) return await oldSheetNames(readText(content.bytes, undefined, Infinity), defaultLimits)
    return content.isWorkbook ? await sheetNames(content.bytes, defaultLimits) : []
  } catch {
    // the reading says what is wrong
    return []
  }
}

/** The header settings of a table, which may begin with a title, an address or a date: where the names of its columns are. */
async function linesBeforeHeader(settings: Partial<Mapping>, head: Buffer): Promise<HeaderSettings> {
  if (settings.format !== undefined) return {}
  const all = await firstRecords(settings.sheet, head)
  const records = all.slice(0, HEADER_SEARCH_ROWS)
  if (hasNoHeader(records)) return { header: false }
  const named = findHeaderLine(records)
  if (named === undefined) return {}
  const upper = upperHeader(records, named)
  const line = upper ?? named
  const { isWorkbook } = await openContent(streamOf(head), undefined, defaultLimits)
  const isShort = !isWorkbook && hasShortRows(all.filter((record) => record.line >= named))
  return {
    ...(line <= 1 ? {} : { skipLines: line - 1 }),
    ...(upper === undefined ? {} : { headerLines: 2 }),
    ...(isShort ? { shortRows: true } : {}),
  }
}

type HeaderSettings = Pick<Mapping, 'skipLines' | 'header' | 'headerLines' | 'shortRows'>

interface FileRecord {
  line: number
  cells: readonly unknown[]
}

/** The first records of a table, read without a header. */
async function firstRecords(sheet: string | undefined, head: Buffer): Promise<FileRecord[]> {
  const reading = new Reading(
    { header: false, ...(sheet === undefined ? {} : { sheet }), fields: ANY_KEY },
    defaultLimits,
    () => {},
  )
  const records: FileRecord[] = []
  let looked = 0
  try {
    for await (const page of reading.rows(streamOf(head))) {
      for (const raw of page) {
        const cells = 'row' in raw ? raw.row : 'fault' in raw ? raw.cells : undefined
        if (Array.isArray(cells)) records.push({ line: raw.line, cells: cells as unknown[] })
      }
      looked += page.length
      if (looked >= SAMPLE_ROWS) break
    }
  } catch {
    // the error of the reading with a header is reported
  }
  return records
}
