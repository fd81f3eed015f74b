import { isNameField, TEXT_FIELDS, valuesOf, type MappedField } from '../../../contract/product-fields.ts'
import { say } from '../../../contract/remarks/remarks.ts'
import { must } from '../../platform/must.ts'
import { isMeasure, unitOf, type MeasureKind } from '../conversion/measures.ts'
import { isNoCost } from '../no-value.ts'
import type { NameGuess } from './column-names.ts'
import { isSwitch } from './column-traits.ts'
import type { Ask, Draft, Guessed } from './draft.ts'
import { FIT_MIN } from './field-candidates.ts'
import { isOfSigns, VALUES } from './field-values.ts'
import { sellingPriceReason, type PriceColumn } from './price-columns.ts'
import { categorySource, levelsBelow, rowsBelowCategory } from './propose-category.ts'
import { currencySource } from './propose-currency.ts'
import { sumOfPlaces } from './propose-stock.ts'
import { share, type Column } from './sample-columns.ts'

const SOURCES_OF_FIELD_MAX = 100
/** The reason for a key that some rows lack or repeat; replaced if another key is found for these. */
export const REFUSED_WITHOUT_KEY = 'rows in which it is empty or repeated are refused'

/**
 * Fills each field with the column that is the best guess for it. @param guessed the best first
 * @returns the languages of the column names that were used, and the currency in the name of the column of costs
 */
export function proposeByNames(
  draft: Draft,
  guessed: readonly Guessed[],
): { languages: (readonly string[])[]; currency: string | undefined } {
  const { columns, prices, fields, used, note, ask } = draft
  const languages: (readonly string[])[] = []
  let currency: string | undefined
  for (const { column, guess, fit } of guessed) {
    if (used.has(column.name) || guess.field === 'list_price') continue
    const isMany = guess.field === 'images' || guess.field === 'ean'
    const name = guess.locale === undefined ? guess.field : `${guess.field}.${guess.locale}`
    if (fields[name] !== undefined && !isMany) continue
    // a text whose name states its language is not mixed with one whose language is assumed
    if (isText(guess.field) && isOtherForm(guess, fields)) continue
    // beyond this number the columns are no plausible proposal
    if (Array.isArray(fields[name]) && fields[name].length >= SOURCES_OF_FIELD_MAX) continue
    used.add(column.name)
    const summed = guess.field === 'quantity' ? sumOfPlaces(column, columns) : undefined
    const source = summed ?? sourceOf(column, guess.field)
    fields[name] = isMany && fields[name] !== undefined ? [fields[name], source].flat() : source
    if (guess.languages.length > 0) languages.push(guess.languages)
    if (guess.currency !== undefined) currency = guess.currency
    const isGappy = guess.field === 'sku' && fit < 1
    const words = isGappy ? REFUSED_WITHOUT_KEY : wordsOf(column, guess.field)
    note(
      `fields.${name}`,
      `${JSON.stringify(column.name)}: ${guess.score > 0 ? 'it is called so, and ' : ''}${words}${guess.field === 'cost' ? aboutCost(column.name, prices) : ''}`,
    )
    if (summed === undefined) askAboutOthers(column, guess.field, ask)
    else note('fields.quantity', 'what the list has of each place is added up')
    if (guess.field === 'quantity' && isSwitch(column))
      ask(say('quantity_yes_or_no', { column: column.name }), 'quantity')
  }
  proposeLowerCategories(draft)
  const images = guessed.filter(({ guess, column }) => guess.field === 'images' && used.has(column.name))
  if (fields['images'] !== undefined) fields['images'] = inOrderOfPictures(fields['images'], images)
  return { languages, currency }
}

/** Adds further columns of categories, each of which subdivides the one before. */
function proposeLowerCategories({ columns, rows, fields, used, note, ask }: Draft): void {
  const category = columns.find(({ name }) => name === fields['category'])
  if (category === undefined) return
  const without = rowsBelowCategory(category.name, rows)
  if (without > 0) ask(say('category_with_gaps', { rows: rows.length, without, column: category.name }), 'category')
  const free = columns.filter(({ name }) => !used.has(name))
  const lower = levelsBelow(category, free, rows)
  if (lower.length === 0) return
  fields['category'] = { join: [category, ...lower].map(({ name }) => name), with: '/' }
  for (const { name } of lower) used.add(name)
  note(
    'fields.category',
    `${lower.map(({ name }) => JSON.stringify(name)).join(', ')}: the groups within those of ${JSON.stringify(category.name)}`,
  )
}

/** Names of the main picture, and of further ones. */
const MAIN_PICTURE = /^(?:main|primary|cover|base|first|haupt|ana|principal|główne|glowne|hlavní|hlavni)/iu
const FURTHER_PICTURE = /^(?:additional|extra|more|other|gallery|weitere|zusatz|dodatkow|ek|diğer|diger|further)/iu
const pictureRank = (name: string) => (MAIN_PICTURE.test(name) ? 0 : FURTHER_PICTURE.test(name) ? 2 : 1)

/** The sources of pictures: the main one first, because lists show it, and further ones last. */
function inOrderOfPictures(sources: unknown, guessed: readonly { column: Column }[]): unknown {
  if (!Array.isArray(sources) || sources.length !== guessed.length) return sources
  const ranked = (sources as unknown[]).map((source, i) => ({
    source,
    rank: pictureRank(must(guessed[i]).column.name),
  }))
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ source }) => source)
}

const isText = (field: MappedField) => (TEXT_FIELDS as readonly string[]).includes(field)
/** Whether the text is already mapped in the other form: `title` if there is `title.de`, or the reverse. */
const isOtherForm = ({ field, locale }: NameGuess, fields: Readonly<Record<string, unknown>>) =>
  locale === undefined ? Object.keys(fields).some((name) => name.startsWith(`${field}.`)) : fields[field] !== undefined

/** The reason by the values of a column: what they are, and an example of those that are not. */
function wordsOf(column: Column, field: MappedField): string {
  const { words, isOne } = VALUES[field]
  // a translation reads the signs
  const isRead = isOne === undefined || (field === 'quantity' && isOfSigns(column.values))
  const other = isRead ? undefined : column.values.find((value) => !isOne(value))
  const none = field === 'cost' && other === undefined ? column.values.find(isNoCost) : undefined
  if (none !== undefined) return `${words}, or say as ${JSON.stringify(none)} does that no cost is known`
  return other === undefined
    ? words
    : `most of ${words}; rows with others, such as ${JSON.stringify(other.slice(0, 60))}, are refused`
}

/** What the reason adds about a column of costs. */
function aboutCost(column: string, prices: readonly PriceColumn[]): string {
  const price = prices.find((one) => one.column === column)
  return price?.kind === 'selling' ? `. But ${sellingPriceReason(price)}` : ''
}

function measureOf(field: MappedField): MeasureKind | undefined {
  if (field === 'dimensions') return 'length'
  const values = isNameField(field) ? valuesOf(field) : 'text'
  return isMeasure(values) ? values : undefined
}

/** Asks about a list with several prices, stocks or keys per article, of which the mapping takes one. */
function askAboutOthers({ name, isList, most, values }: Column, field: MappedField, ask: Ask): void {
  if (!isList || most < 2 || new Set(values).size < 2) return
  if (field === 'sku') ask(say('articles_left_out', { articles: most, column: name }), field)
  if (field !== 'cost' && field !== 'quantity') return
  ask(say(field === 'cost' ? 'cost_first_of' : 'quantity_first_of', { most, column: name }), field)
}

function sourceOf(column: Column, field: MappedField): unknown {
  // the unit is in the name of the column, and not in its values
  const kind = measureOf(field)
  const unit = kind === undefined ? undefined : unitOf(column.name, kind)
  if (kind !== undefined && unit !== undefined && !column.values.some((value) => unitOf(value, kind) !== undefined))
    return { column: column.name, ...(column.isList ? { take: 0 } : {}), suffix: ` ${unit}` }
  if (field === 'category') return categorySource(column)
  if (field === 'currency') return currencySource(column)
  if (field === 'quantity' && isOfSigns(column.values))
    return { column: column.name, values: { '+': 'in stock', '-': 'out of stock' } }
  if (field !== 'images') return column.isList && field !== 'ean' ? { column: column.name, take: 0 } : column.name
  if (share(column.values, (value) => /^\["https?:.*"\]$/.test(value)) >= FIT_MIN)
    return {
      column: column.name,
      split: '","',
      replace: [
        ['["', ''],
        ['"]', ''],
        ['\\/', '/'],
      ],
    }
  const sign = BETWEEN_PICTURES.find(
    (one) => share(column.values, (value) => value.includes(`${one}http`) || value.includes(`${one}/`)) > 0.1,
  )
  if (sign === undefined) return column.name
  // `{a.jpg,b.jpg}` is an array of PostgreSQL
  const isInBraces = share(column.values, (value) => /^\{.*\}$/.test(value)) >= FIT_MIN
  const replace = isInBraces ? { replace: BRACES.map((pair) => [...pair]) } : {}
  return { column: column.name, split: sign.trim() || sign, ...replace }
}
/** Signs between the addresses of several pictures in one cell. */
const BETWEEN_PICTURES = [', ', ',', '| ', '|', '; ', ';', '\n'] as const
const BRACES = [
  ['{', ''],
  ['}', ''],
] as const
