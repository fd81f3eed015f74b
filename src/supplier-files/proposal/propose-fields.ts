import { say } from '../../../contract/remarks/remarks.ts'
import { setImmediate } from 'node:timers/promises'
import { isNameField, TEXT_FIELDS, valuesOf, type MappedField } from '../../../contract/product-fields.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { stateOf, UNLIMITED_PIECES } from '../availability.ts'
import { currencyOfName, guessByName, type NameGuess } from './column-names.ts'
import { isSwitch } from './column-traits.ts'
import { askAboutDealerRates, isPaidRate } from './dealer-rates.ts'
import {
  askAboutAlternatives,
  askAboutFewCosts,
  askAboutFlags,
  askAboutGroupPrices,
  askAboutLower,
  askAboutPurchases,
  askAboutTwoPurchases,
  askAboutZeros,
} from './doubtful-amounts.ts'
import { isNoCost } from '../no-value.ts'
import { OTHER_AMOUNTS } from './lower-prices.ts'
import { isMeasure, unitOf, type MeasureKind } from '../conversion/measures.ts'
import type { Condition, Grouping } from '../mapping/mapping.ts'
import { namedListsOf } from './named-lists.ts'
import { attributeNumber, NumberEvidence } from '../numbers.ts'
import { candidates, FIT_MIN, NAMED_FIT_MIN } from './field-candidates.ts'
import { costShare, isOfSigns, saysCost, VALUES } from './field-values.ts'
import { isDealerRate, priceKindOf, sellingPriceReason, type PriceColumn } from './price-columns.ts'
import { refinePacks } from './packs.ts'
import { proposeByValues } from './propose-by-values.ts'
import { categorySource, levelsBelow, rowsBelowCategory } from './propose-category.ts'
import { openSign, refineCost } from './propose-cost.ts'
import { currencyBeside, currencySource } from './propose-currency.ts'
import type { ArticleList } from './propose-each.ts'
import { proposeGroup } from './propose-group.ts'
import { proposeListPrice } from './propose-list-price.ts'
import { proposeFirstOfTiers, proposeTiers, tierQuantities } from './propose-tiers.ts'
import { firstSummed, proposeStockOfLocations, refineStock, sumOfPlaces } from './propose-stock.ts'
import { proposeRowsOfPlaces } from './stock-rows.ts'
import { articlesAmong, doubtfulHeadings, skipOf, skipOfProducts, skipOfSums } from './propose-skip.ts'
import { eanOfKey, idOfRepeated, keyAmong, keyOfGappy } from './propose-key.ts'
import { proposePublicPrice } from './public-prices.ts'
import { skipOfKinds } from './rows-of-kinds.ts'
import { columnsOf, share, type Column, type SampleRows } from './sample-columns.ts'
import { completeByRecord, isOfAllTogether, shareOfRecord } from './share-of-record.ts'
import { priceBeforeOf, proposeSalePrice, salePriceOf } from './sale-prices.ts'
import { localeOf } from './text-language.ts'
import { askAboutUnitPrices } from './unit-price.ts'
import { must } from '../../platform/must.ts'

const ATTRIBUTES_MAX = 100

const SOURCES_OF_FIELD_MAX = 100
type Note = (path: string, reason: string) => void
/** Asks the merchant about what the file does not show for certain, and of which field: a warning of the answer. */
type Ask = (question: string, field?: string) => void

/** What a sample of rows shows: the fields, the decimal sign of its prices, and the language of its columns. */
export interface ProposedFields {
  fields: Record<string, unknown>
  decimal: '.' | ',' | undefined
  /** How many pieces a word such as `unlimited` counts as, where the quantities have one. */
  availability: { unlimited: number } | undefined
  locale: string
  /** The columns of prices whose names say what they are. */
  prices: PriceColumn[]
  /** How rows of one product are brought together, where it is on several. */
  group: Grouping | undefined
  /** Rows that are headings between the articles. */
  skip: Condition[] | undefined
  /** Articles that a record lists may have a cost or a quantity of their own, beside the one of the record that is proposed. */
  isDoubtful: boolean
}

/**
 * The columns of prices whose names say what they are. A column of purchase prices that is empty or 0 in most rows
 * with any price is left out.
 */
export async function priceColumnsOf(rows: SampleRows): Promise<PriceColumn[]> {
  return pricesAmong(columnsOf(rows), rows)
}

async function pricesAmong(columns: readonly Column[], rows: SampleRows): Promise<PriceColumn[]> {
  const shares = await mapYielding(columns, ({ values }) => costShare(values))
  const amounts = columns.filter((_, place) => must(shares[place]) >= NAMED_FIT_MIN)
  const isPriced = ({ name }: Column) =>
    priceKindOf(name) !== undefined || guessByName(name).some(({ field }) => field === 'cost')
  // a list has several amounts for a row
  const priced = await mapYielding(amounts, (column) =>
    isPriced(column) ? Math.min(column.values.length, rows.length) : 0,
  )
  const most = Math.max(0, ...priced)
  return amounts.flatMap((column) => {
    const { name, values } = column
    const price = priceKindOf(name)
    if (price === undefined || (isDealerRate(name) && !isPaidRate(column, columns, rows))) return []
    const filled = values.filter(saysCost).length
    return price.kind === 'purchase' && filled < most * FIT_MIN ? [] : [{ column: name, ...price }]
  })
}

/**
 * Proposes the fields of an offer by the names and values of the columns, with a reason for each. What is doubtful is asked.
 * @throws ShelfwireError `source-unreadable` when nothing could be the key of the articles
 */
export async function proposeFields(
  sample: SampleRows,
  tell: Note,
  ask: Ask = () => {},
  list?: ArticleList,
): Promise<ProposedFields> {
  const reasons: [path: string, reason: string][] = []
  const note: Note = (path, reason) => void reasons.push([path, reason])
  // each of these looks at all values of wide rows: others get their turn between them
  const parts = articlesAmong(sample)
  const rows = parts.articles
  await setImmediate()
  const lists = namedListsOf(rows)
  await setImmediate()
  const all = columnsOf(rows)
  await setImmediate()
  const columns = all.filter(({ name }) => !lists.some(({ list }) => name.startsWith(`${list}.`)))
  const prices = await pricesAmong(columns, rows)
  const fields: Record<string, unknown> = {}
  const languages: (readonly string[])[] = []
  const used = new Set([...lists.map(({ list }) => list), ...(await tierQuantities(columns))])
  let currency: string | undefined
  const guessed = await candidates(columns, prices, rows, list)
  for (const { column, guess, fit } of guessed) {
    if (used.has(column.name) || guess.field === 'list_price') continue
    const isMany = guess.field === 'images' || guess.field === 'ean'
    const name = guess.locale === undefined ? guess.field : `${guess.field}.${guess.locale}`
    if (fields[name] !== undefined && !isMany) continue
    // a text in a language that the name says is none beside one of which the language is assumed
    if (isText(guess.field) && isOtherForm(guess, fields)) continue
    // more columns of one field are no proposal
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
  const category = columns.find(({ name }) => name === fields['category'])
  const without = category === undefined ? 0 : rowsBelowCategory(category.name, rows)
  if (category !== undefined && without > 0)
    ask(say('category_with_gaps', { rows: rows.length, without, column: category.name }), 'category')
  const free = columns.filter(({ name }) => !used.has(name))
  const lower = category === undefined ? [] : levelsBelow(category, free, rows)
  if (category !== undefined && lower.length > 0) {
    fields['category'] = { join: [category, ...lower].map(({ name }) => name), with: '/' }
    for (const { name } of lower) used.add(name)
    note(
      'fields.category',
      `${lower.map(({ name }) => JSON.stringify(name)).join(', ')}: the groups within those of ${JSON.stringify(category.name)}`,
    )
  }
  const images = guessed.filter(({ guess, column }) => guess.field === 'images' && used.has(column.name))
  fields['images'] = inOrderOfPictures(fields['images'], images)
  if (fields['images'] === undefined) delete fields['images']
  if (fields['sku'] === undefined) {
    const { columns: keys, question } = await keyAmong(
      columns.filter(({ name }) => name !== fields['cost'] && name !== fields['quantity'] && !OTHER_AMOUNTS.test(name)),
      rows,
    )
    const shown = keys.map((column) => JSON.stringify(column)).join(' and ')
    fields['sku'] = keys.length === 1 ? keys[0] : { join: keys, with: '/' }
    for (const key of keys) used.add(key)
    note(
      'fields.sku',
      keys.length === 1
        ? `${shown}: the first column with another value in each row; check that it stays the same from file to file`
        : `${shown}: together they have another value in each row; check that they stay the same from file to file`,
    )
    ask(question, 'sku')
  }
  eanOfKey(columns, fields, note)
  const others = guessed.filter(
    ({ guess }) => guess.field === 'cost' && guess.currency !== undefined && guess.currency !== currency,
  )
  if (currency !== undefined && others[0] !== undefined)
    ask(
      say('cost_in_currencies', {
        currency,
        cost: JSON.stringify(fields['cost']),
        others: others.flatMap(({ guess }) => guess.currency ?? []),
      }),
      'cost',
    )
  if (currency !== undefined && fields['currency'] === undefined) {
    fields['currency'] = { constant: currency }
    note('fields.currency', `the name of the column of costs says ${currency}`)
  }
  askAboutFlags(columns, fields['quantity'], ask)
  await refineStock(columns, rows, fields, used, { note, ask })
  proposeStockOfLocations(columns, fields, used, { note, ask })
  await proposeFirstOfTiers(columns, rows, fields, used, { note, ask })
  proposeByValues(columns, rows, prices, fields, used, { note, ask })
  const beside = currencyBeside(columns, fields)
  if (beside !== undefined) {
    fields['currency'] = currencySource(beside)
    used.add(beside.name)
    note('fields.currency', `${JSON.stringify(beside.name)}: it is called like the currency of the costs`)
  }
  const said = typeof fields['cost'] === 'string' ? currencyOfName(fields['cost']) : undefined
  if (said !== undefined && fields['currency'] === undefined) {
    fields['currency'] = { constant: said }
    note('fields.currency', `the name of the column of costs says ${said}`)
  }
  const sale = salePriceOf(columns, rows, fields['cost'], prices, used)
  if (sale !== undefined) used.add(sale.name)
  proposeListPrice(guessed, prices, currency, fields, used, note)
  const before = sale === undefined ? priceBeforeOf(columns, rows, fields['cost'], used) : undefined
  if (before !== undefined && fields['list_price'] === undefined) {
    fields['list_price'] = before.name
    used.add(before.name)
    note(
      'fields.list_price',
      `${JSON.stringify(before.name)}: it is called like the price before, and is above the other one`,
    )
  }
  if (sale === undefined) proposePublicPrice(columns, rows, fields, used, { note, ask })
  askAboutZeros(columns, fields['cost'], ask)
  if (list === undefined) askAboutFewCosts(columns, rows.length, fields['cost'], ask)
  askAboutPurchases(columns, prices, fields['cost'], used, ask)
  askAboutTwoPurchases(columns, prices, fields['cost'], ask)
  askAboutUnitPrices(columns, fields['cost'], used, ask)
  askAboutDealerRates(columns, rows, fields['cost'], ask)
  if (list !== undefined) shareOfRecord(rows, list, fields, used, note)
  const grouped = list === undefined ? proposeGroup(rows, fields, used, note, ask) : undefined
  const group = proposeRowsOfPlaces(columns, rows, fields, grouped, used, { note, ask })
  const sums = group === undefined ? skipOfSums(rows, fields) : undefined
  if (sums !== undefined) ask(sums.question)
  const products = group === undefined && sums === undefined ? skipOfProducts(rows) : undefined
  if (products !== undefined) ask(products.question)
  const kinds =
    group === undefined && sums === undefined && products === undefined ? skipOfKinds(rows, fields['cost']) : undefined
  if (kinds !== undefined) ask(kinds.question)
  const skip = sums?.skip ?? products?.skip ?? kinds?.skip ?? skipOf(parts, fields, note)
  const ofArticles = kinds === undefined ? sample : sample.filter((row) => !kinds.isOther(row))
  const doubtful = group === undefined ? doubtfulHeadings(ofArticles, fields['cost'], skip) : undefined
  if (doubtful !== undefined) ask(doubtful)
  // of rows that are brought together, those without a key may be parts
  const gappy = group?.offers === undefined ? keyOfGappy(rows, fields, group !== undefined) : undefined
  if (gappy !== undefined) {
    fields['sku'] = gappy.source
    for (const reason of reasons)
      if (reason[0] === 'fields.sku')
        reason[1] = reason[1].replace(REFUSED_WITHOUT_KEY, `where it is empty, articles are recognized by ${gappy.by}`)
    ask(gappy.question, 'sku')
  }
  const other =
    group === undefined && gappy === undefined && list === undefined ? idOfRepeated(rows, fields) : undefined
  if (other !== undefined) {
    fields['sku'] = other.id
    used.add(other.id)
    for (const reason of reasons)
      if (reason[0] === 'fields.sku') reason[1] = `${JSON.stringify(other.id)}: each row has another value`
    ask(other.question, 'sku')
  }
  const locale = localeOf(textsOf(columns, fields), mostFrequent(languages), note, ask)
  const decimal =
    proposedDecimal(columns, fields['cost'], note) ??
    proposedDecimal(columns, firstSummed(fields['quantity']), note) ??
    openSign(columns, fields, locale, { note, ask })
  await proposeTiers(columns, rows, fields, used, { note, ask })
  askAboutGroupPrices(columns, fields['cost'], used, ask)
  askAboutAlternatives(columns, fields['cost'], used, ask)
  askAboutLower(columns, rows, fields['cost'], used, ask)
  const availability = proposedAvailability(columns, firstSummed(fields['quantity']), note)
  refinePacks(columns, rows, fields, used, { note, ask })
  refineCost(columns, rows, fields, used, { note, ask })
  const isDoubtful = list !== undefined && isOfAllTogether(rows, list, fields)
  const headings = list === undefined ? [] : completeByRecord(rows, list, fields, used, note)
  proposeSalePrice(sale, fields, used, { note, ask })
  const skipped = headings.length === 0 ? skip : [...(skip ?? []), ...headings]
  const attributes = columns
    .filter(({ name, values }) => !used.has(name) && values.length > 0 && !name.includes('@xmlns'))
    .filter(({ isList, values }) => !isList && values.every((value) => value.length <= 500))
    .slice(0, ATTRIBUTES_MAX)
    .map(({ name }) => ({ key: name.slice(0, 100), column: name }))
  if (lists.length + attributes.length > 0) {
    fields['attributes'] = [...lists, ...attributes]
    const named =
      lists.length === 0 ? '' : `names with values in ${lists.map(({ list }) => JSON.stringify(list)).join(', ')}; `
    note(
      'fields.attributes',
      `${named}${attributes.length} columns that are nothing else: leave out what shops need not show`,
    )
  }
  for (const [path, reason] of reasons) tell(path, reason)
  return { fields, decimal, availability, locale: locale ?? 'en', prices, group, skip: skipped, isDoubtful }
}

/** Names of the picture that is shown first, and of those behind it. */
const MAIN_PICTURE = /^(?:main|primary|cover|base|first|haupt|ana|principal|główne|glowne|hlavní|hlavni)/iu
const FURTHER_PICTURE = /^(?:additional|extra|more|other|gallery|weitere|zusatz|dodatkow|ek|diğer|diger|further)/iu
const pictureRank = (name: string) => (MAIN_PICTURE.test(name) ? 0 : FURTHER_PICTURE.test(name) ? 2 : 1)

/** The sources of pictures with the main one first, which is shown in lists, and further ones last. */
function inOrderOfPictures(sources: unknown, guessed: readonly { column: Column }[]): unknown {
  if (!Array.isArray(sources) || sources.length !== guessed.length) return sources
  const ranked = (sources as unknown[]).map((source, i) => ({
    source,
    rank: pictureRank(must(guessed[i]).column.name),
  }))
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ source }) => source)
}

const REFUSED_WITHOUT_KEY = 'rows in which it is empty or repeated are refused'

/** The texts of the columns that are read for titles and descriptions. */
function textsOf(columns: readonly Column[], fields: Readonly<Record<string, unknown>>): string[] {
  const names = [fields['title'], fields['description']].map((source) =>
    typeof source === 'object' && source !== null && 'column' in source ? source.column : source,
  )
  return columns.filter(({ name }) => names.includes(name)).flatMap(({ values }) => values)
}

const isText = (field: MappedField) => (TEXT_FIELDS as readonly string[]).includes(field)
/** Whether the text is there in the other form: as `title` beside `title.de`, or the other way round. */
const isOtherForm = ({ field, locale }: NameGuess, fields: Readonly<Record<string, unknown>>) =>
  locale === undefined ? Object.keys(fields).some((name) => name.startsWith(`${field}.`)) : fields[field] !== undefined

/** What the values of a column are, and which of them are not. */
function wordsOf(column: Column, field: MappedField): string {
  const { words, isOne } = VALUES[field]
  const other = isOne === undefined ? undefined : column.values.find((value) => !isOne(value))
  const none = field === 'cost' && other === undefined ? column.values.find(isNoCost) : undefined
  if (none !== undefined) return `${words}, or say as ${JSON.stringify(none)} does that no cost is known`
  return other === undefined
    ? words
    : `most of ${words}; rows with others, such as ${JSON.stringify(other.slice(0, 60))}, are refused`
}

/** The remark on a column that costs are read from. */
function aboutCost(column: string, prices: readonly PriceColumn[]): string {
  const price = prices.find((one) => one.column === column)
  return price?.kind === 'selling' ? `. But ${sellingPriceReason(price)}` : ''
}

function measureOf(field: MappedField): MeasureKind | undefined {
  if (field === 'dimensions') return 'length'
  const values = isNameField(field) ? valuesOf(field) : 'text'
  return isMeasure(values) ? values : undefined
}

/** Of several prices or stocks of an article a mapping takes one. */
function askAboutOthers({ name, isList, most, values }: Column, field: MappedField, ask: Ask): void {
  if (!isList || most < 2 || new Set(values).size < 2) return
  if (field === 'sku') ask(say('articles_left_out', { articles: most, column: name }), field)
  if (field !== 'cost' && field !== 'quantity') return
  ask(say(field === 'cost' ? 'cost_first_of' : 'quantity_first_of', { most, column: name }), field)
}

function sourceOf(column: Column, field: MappedField): unknown {
  // a unit of the column's name that the values do not have themselves
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
  const sign = [', ', ',', '|', ';'].find(
    (one) => share(column.values, (value) => value.includes(`${one}http`) || value.includes(`${one}/`)) > 0.1,
  )
  if (sign === undefined) return column.name
  // `{a.jpg,b.jpg}` is a list of PostgreSQL
  const isInBraces = share(column.values, (value) => /^\{.*\}$/.test(value)) >= FIT_MIN
  const replace = isInBraces ? { replace: BRACES.map((pair) => [...pair]) } : {}
  return { column: column.name, split: sign.trim(), ...replace }
}
const BRACES = [
  ['{', ''],
  ['}', ''],
] as const

function proposedDecimal(columns: readonly Column[], cost: unknown, note: Note): '.' | ',' | undefined {
  const numbers = new NumberEvidence()
  const priced = columns.find(({ name }) => name === cost)?.values ?? []
  for (const value of priced) numbers.note(value)
  const sign = numbers.sign()
  if (sign === undefined) return undefined
  const example = priced.find((value) => attributeNumber(value, sign) !== value || value.includes(sign)) ?? ''
  note('decimal', `numbers such as ${JSON.stringify(example)} have ${JSON.stringify(sign)} for decimals`)
  return sign
}

/** The decimal sign of columns of prices, by the first of them that shows one. */
export function decimalOf(prices: readonly string[], rows: SampleRows, note: Note): { decimal: '.' | ',' | undefined } {
  const columns = columnsOf(rows)
  const place = prices.findIndex((price) => proposedDecimal(columns, price, () => {}) !== undefined)
  return { decimal: proposedDecimal(columns, prices[place], note) }
}

/** The decimal sign of columns of prices, and the language of the names of all columns, of a table whose columns are known. */
export function languageOf(
  prices: readonly string[],
  rows: SampleRows,
  note: Note,
): { decimal: '.' | ',' | undefined; locale: string } {
  const languages = columnsOf(rows).map(({ name }) => guessByName(name)[0]?.languages ?? [])
  note('locale', 'the language of the column names; correct it if texts are in another')
  return { ...decimalOf(prices, rows, note), locale: mostFrequent(languages) ?? 'en' }
}

function proposedAvailability(columns: readonly Column[], quantity: unknown, note: Note) {
  const values = columns.find(({ name }) => name === quantity)?.values ?? []
  const word = values.find((value) => stateOf(value) === 'unlimited')
  if (word === undefined) return undefined
  note('availability', `${JSON.stringify(word)} counts as ${UNLIMITED_PIECES} pieces: say how many your shop may sell`)
  return { unlimited: UNLIMITED_PIECES }
}

/** The language that most names are in; of one that several share, each has a part. */
function mostFrequent(names: readonly (readonly string[])[]): string | undefined {
  const counts = new Map<string, number>()
  for (const languages of names)
    for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1 / languages.length)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}
