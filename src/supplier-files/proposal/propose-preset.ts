import { say } from '../../../contract/remarks/remarks.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { Preset } from '../presets/preset-parts.ts'
import { PRESETS } from '../presets/presets.ts'
import { sellingPriceReason, type PriceColumn } from './price-columns.ts'
import { askAboutInactive } from './inactive-rows.ts'
import { askAboutListsLeftOut } from './lists-left-out.ts'
import { decimalOf } from './propose-decimal.ts'
import { priceColumnsOf } from './propose-fields.ts'
import type { Warn } from '../rows.ts'
import { columnsOf, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { isPlainlyEnglish, languageByOwnLetters, languagesOfTexts } from './text-language.ts'
import { plainTitles } from './title-html.ts'
import { noteTrial, type CostCounts } from './trial.ts'

// Finds the ready mapping for a file, and adapts it to the file where necessary.

interface Reason {
  path: string
  reason: string
}

/** A ready mapping that may be the one for a file. */
export interface KnownForm {
  name: string
  title: string
  mapping: Mapping
}

/** Formats with a ready mapping of their own, whose files are recognized by the format alone. */
const isOwnFormat = (format: string | undefined) => format === 'google' || format === 'bmecat' || format === 'cif'

/** The names of all members of the first records. */
export const memberNamesOf = (rows: SampleRows): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))]

/**
 * The `items` of the ready mapping whose texts (`holds`) a document begins with, whatever else is repeated in it; undefined if
 * there is none.
 */
export const knownItems = (head: string): string | undefined =>
  Object.values<Preset>(PRESETS).find(({ holds }) => holds?.every((text) => head.includes(text)) === true)?.mapping
    .items

/**
 * The ready mapping for a file; undefined if there is none.
 * @param names its columns, or the members of its records
 * @param items the path of the records of a document, which may be deeper than in the ready mapping
 */
export function presetOf(format: string, names: readonly string[], items: string | undefined): KnownForm | undefined {
  const has = new Set(names)
  const asFeed = new Set(names.map(feedName))
  for (const [name, { mapping, signs, oneOf, title }] of Object.entries<Preset>(PRESETS)) {
    const own = name === 'google' ? asFeed : has
    const isKnown =
      (mapping.format === 'xml') === (format === 'xml') &&
      signs.length > 0 &&
      signs.every((sign) => own.has(sign)) &&
      (oneOf === undefined || oneOf.some((sign) => own.has(sign)))
    if (!isKnown && !(isOwnFormat(format) && mapping.format === format)) continue
    const isElsewhere = format === 'xml' && items !== undefined && items !== mapping.items
    return { name, title, mapping: isElsewhere ? { ...mapping, items } : mapping }
  }
  return undefined
}

/** Notes about a ready mapping, or the reason why it cannot read a table that has only some of its columns. */
export async function presetNotes(
  { name, title, mapping }: KnownForm,
  head: Buffer,
): Promise<{ notes: Reason[]; costs: CostCounts } | { fault: string }> {
  const notes: Reason[] = []
  const note = (path: string, reason: string) => void notes.push({ path, reason })
  note('', `it has what ${title} writes: use --mapping ${name}`)
  const needsBase = PRESETS[name]?.requires.includes('imageBaseUrl') === true
  if (needsBase) note('', 'its pictures have relative addresses: give their beginning with --image-base-url')
  try {
    const tried = needsBase ? { ...mapping, imageBaseUrl: 'https://shop.example' } : mapping
    return { notes, costs: await noteTrial(tried, head, note) }
  } catch (error) {
    // there is no other mapping for a format of its own
    if (!(error instanceof ShelfwireError) || isOwnFormat(mapping.format)) throw error
    return { fault: error.message }
  }
}

/** The mapping with another column for the cost, if there is one. */
export const withCost = (mapping: Mapping, cost: string | undefined): Mapping =>
  cost === undefined ? mapping : { ...mapping, fields: { ...mapping.fields, cost } }

/** Adds the options to the key if a shop uses one SKU for all versions of a product, with the question for the merchant. */
export function withKey(
  mapping: Mapping,
  preset: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): { mapping: Mapping; reason?: string; question?: string } {
  const { key, options } = PRESETS[preset]?.repeatedKey ?? {}
  if (key === undefined || options === undefined) return { mapping }
  const keys = rows.map((row) => textAt(row, key)).filter((text) => text !== '')
  const repeated = keys.length - new Set(keys).size
  if (repeated === 0) return { mapping }
  const withOptions = { join: [key, ...options], with: '/' }
  const others = typeof mapping.fields.sku === 'object' && 'first' in mapping.fields.sku ? mapping.fields.sku.first : []
  const sku = {
    first: [{ when: { column: key, notIn: [''] }, use: withOptions, else: { constant: '' } }, ...others.slice(1)],
  }
  return {
    mapping: { ...mapping, fields: { ...mapping.fields, sku } },
    reason: `${repeated} of ${keys.length} rows have the ${JSON.stringify(key)} of another one: the options are a part of the key`,
    question: say('key_with_options', { repeated, rows: keys.length, key }),
  }
}

/**
 * The decimal sign of a file's prices if it differs from that of the ready mapping, as it does in some countries; empty
 * otherwise.
 */
export function presetDecimal(
  { name, mapping }: KnownForm,
  rows: readonly Readonly<Record<string, unknown>>[],
  note: (path: string, reason: string) => void,
): { decimal?: '.' | ',' } {
  if (mapping.format === 'bmecat' || mapping.format === 'cif') return {}
  const isPrice = new Set(PRESETS[name]?.sellingPrices)
  const columns = Object.keys(rows[0] ?? {}).filter((column) => isPrice.has(column) || isPrice.has(feedName(column)))
  const { decimal } = decimalOf(columns, rows, () => {})
  if (decimal === undefined || decimal === (mapping.decimal ?? '.')) return {}
  decimalOf(columns, rows, note)
  return { decimal }
}

/** The language of a file's texts if it differs from that of the ready mapping, which no column states; empty otherwise. */
export function presetLocale(
  { mapping }: KnownForm,
  rows: SampleRows,
  note: (path: string, reason: string) => void,
  ask: Warn,
): { locale?: string } {
  if (mapping.format === 'bmecat' || mapping.format === 'cif') return {}
  const sources: unknown[] = [mapping.fields.title, mapping.fields.description]
  const names = new Set(sources.flatMap(columnsOfText))
  const texts = rows.flatMap((row) =>
    Object.keys(row).flatMap((name) => (names.has(name) || names.has(feedName(name)) ? textAt(row, name) : [])),
  )
  const words = languagesOfTexts(texts)
  const own =
    words.length > 0 ? undefined : (languageByOwnLetters(texts) ?? (isPlainlyEnglish(texts) ? 'en' : undefined))
  const shown = own === undefined ? words : [own]
  const [first] = shown
  if (first === undefined || shown.some((language) => language === mapping.locale)) return {}
  note('locale', 'the language of the texts, by their letters or frequent words')
  if (shown.length > 1) ask(say('near_languages', { languages: shown, language: first }))
  return { locale: first }
}

/** The columns from which a text is read; for a joined text, only those of its first part. */
function columnsOfText(source: unknown): string[] {
  if (typeof source === 'string') return [source]
  if (typeof source !== 'object' || source === null) return []
  if ('column' in source) return columnsOfText(source.column)
  if ('first' in source && Array.isArray(source.first)) return source.first.flatMap(columnsOfText)
  return 'join' in source && Array.isArray(source.join) ? columnsOfText(source.join[0]) : []
}

/**
 * An export of a shop has the prices at which it sells. If it also has what the shop pays, that is the cost.
 * @returns `cost`: the column to read instead of the ready mapping's; undefined if the mapping's is kept
 */
export async function presetCost(
  { name, mapping }: KnownForm,
  rows: readonly Readonly<Record<string, unknown>>[],
  note: (path: string, reason: string) => void,
): Promise<{ prices: PriceColumn[]; cost: string | undefined }> {
  const { sellingPrices = [], vat = 'unknown' } = PRESETS[name] ?? {}
  const names = new Set(memberNamesOf(rows).flatMap((column) => [column, feedName(column)]))
  const known = sellingPrices.filter((column) => names.has(column))
  const selling = known.map((column): PriceColumn => ({ column, kind: 'selling', vat }))
  if (selling.length === 0) return { prices: [], cost: undefined }
  const purchase = (await priceColumnsOf(articlesOf(mapping, rows)))
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

/**
 * Asks about rows that other rows name as their product, if the ready mapping cannot know whether these are sold themselves.
 */
function askAboutProducts({ group }: Mapping, rows: SampleRows, ask: Warn): void {
  const { by, parent, offers } = group ?? {}
  if (typeof by !== 'string' || parent === undefined || offers !== undefined) return
  const named = new Set(rows.map((row) => textAt(row, parent)).filter((text) => text !== ''))
  const products = rows.filter((row) => named.has(textAt(row, by))).length
  if (products > 0) ask(say('products_of_ready_mapping', { rows: products, parent }))
}

/** Asks about rows and lists of which a ready mapping makes too many articles, or too few. */
export function askAboutRows(mapping: Mapping, columns: readonly Column[], rows: SampleRows, ask: Warn): void {
  askAboutInactive(columns, rows.length, mapping, ask)
  askAboutProducts(mapping, rows, ask)
  askAboutListsLeftOut(mapping, rows, ask)
}

/** The columns of a sample by the names that the mapping has for them. */
export function mappedColumns({ format }: Mapping, rows: SampleRows): Column[] {
  const columns = columnsOf(rows)
  return format === 'google' ? columns.map((column) => ({ ...column, name: feedName(column.name) })) : columns
}

/** The mapping with titles that are read without HTML. */
export function withPlainTitles(mapping: Mapping, columns: readonly Column[], ask: Warn): Mapping {
  return { ...mapping, fields: { ...mapping.fields, ...plainTitles(columns, { ...mapping.fields }, ask) } }
}

/** The column that a ready mapping reads the cost from, or the first of several. */
export function costColumnOf(source: unknown): string | undefined {
  if (typeof source === 'string') return source
  if (typeof source !== 'object' || source === null) return undefined
  const { column, price, use, first, of } = source as Readonly<Record<string, unknown>>
  const inside = [use, ...(Array.isArray(first) ? (first as unknown[]) : []), ...Object.values(of ?? {})]
  const own = [column, price].find((name) => typeof name === 'string')
  if (own !== undefined) return own
  return inside.map(costColumnOf).find((name) => name !== undefined)
}

/** The rows without those that others name as their product: these often have no prices. */
function articlesOf({ group }: Mapping, rows: SampleRows): SampleRows {
  const { by, parent } = group ?? {}
  if (typeof by !== 'string' || parent === undefined) return rows
  const products = new Set(rows.map((row) => textAt(row, parent)))
  const articles = rows.filter((row) => !products.has(textAt(row, by)))
  return articles.length > 0 ? articles : rows
}

/** The name of a Google feed's column in its mapping. */
const feedName = (column: string) => column.toLowerCase().replace(/^g:/, '').replaceAll(' ', '_')
