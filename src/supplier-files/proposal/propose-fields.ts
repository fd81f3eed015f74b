import { setImmediate } from 'node:timers/promises'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { stateOf, UNLIMITED_PIECES } from '../availability.ts'
import { proposeOtherKey, proposeUnnamedKey } from './choose-key.ts'
import { guessByName } from './column-names.ts'
import { askAboutDealerRates, isPaidRate } from './dealer-rates.ts'
import {
  askAboutAlternatives,
  askAboutFewCosts,
  askAboutFlags,
  askAboutGroupPrices,
  askAboutLower,
  askAboutPurchases,
  askAboutTwoPurchases,
  askAboutWholeRates,
  askAboutZeros,
} from './doubtful-amounts.ts'
import { askAboutManyPieces, askAboutMeasuredPrices, askAboutMeasures } from './doubtful-units.ts'
import type { Ask, Draft, Note } from './draft.ts'
import type { Condition, Grouping } from '../mapping/mapping.ts'
import { namedListsOf } from './named-lists.ts'
import { candidates, FIT_MIN, NAMED_FIT_MIN } from './field-candidates.ts'
import { costShare, isCostOrOnRequest } from './field-values.ts'
import { isDealerRate, priceKindOf, type PriceColumn } from './price-columns.ts'
import { refinePacks } from './packs.ts'
import { proposeByNames } from './propose-by-names.ts'
import { proposeByValues } from './propose-by-values.ts'
import { openSign, refineCost } from './propose-cost.ts'
import { askAboutUnreadCurrency, proposeCurrencyBeside, proposeCurrencyOfNames } from './propose-currency.ts'
import { mostFrequent, proposedDecimal } from './propose-decimal.ts'
import type { ArticleList } from './propose-each.ts'
import { proposeGroup } from './propose-group.ts'
import { optionPairs } from './propose-options.ts'
import { proposeListPrice } from './propose-list-price.ts'
import { proposeFirstOfTiers, proposeTiers, tierQuantities } from './propose-tiers.ts'
import { firstSummed, proposeStockOfLocations, refineStock } from './propose-stock.ts'
import { proposeRowsOfPlaces } from './stock-rows.ts'
import { splitArticles, doubtfulHeadings, skipOf, skipOfProducts, skipOfSums } from './propose-skip.ts'
import { eanOfKey } from './propose-key.ts'
import { proposePublicPrice } from './public-prices.ts'
import { skipOfKinds } from './rows-of-kinds.ts'
import { columnsOf, type Column, type SampleRows } from './sample-columns.ts'
import { completeByRecord, isSharedByVersions, shareOfRecord } from './share-of-record.ts'
import { proposePriceBefore, proposeSalePrice, salePriceOf } from './sale-prices.ts'
import { localeOf } from './text-language.ts'
import { plainTitles } from './title-html.ts'
import { askAboutUnitPrices } from './unit-price.ts'
import { must } from '../../platform/must.ts'

const ATTRIBUTES_MAX = 100

/** The proposal for a sample of rows. `decimal`: the decimal sign of its prices. */
export interface ProposedFields {
  fields: Record<string, unknown>
  decimal: '.' | ',' | undefined
  /** How many pieces `unlimited` counts as; undefined if the quantities have no such word. */
  availability: { unlimited: number } | undefined
  locale: string
  /** The columns of prices whose names show their kind. */
  prices: PriceColumn[]
  /** How the rows of one product are brought together; undefined if each row is an offer. */
  group: Grouping | undefined
  /** The conditions for rows that are no articles, such as headings. */
  skip: Condition[] | undefined
  /** Articles that a record lists may have a cost or a quantity of their own, but the record's is proposed. */
  isDoubtful: boolean
  columns: readonly Column[]
}

/**
 * The columns of prices whose names show their kind. A column of purchase prices is left out if it has a cost in fewer than
 * FIT_MIN of the rows that the fullest column of prices has.
 */
export async function priceColumnsOf(rows: SampleRows): Promise<PriceColumn[]> {
  return pricesAmong(columnsOf(rows), rows)
}

async function pricesAmong(columns: readonly Column[], rows: SampleRows): Promise<PriceColumn[]> {
  const shares = await mapYielding(columns, ({ values }) => costShare(values))
  const amounts = columns.filter((_, place) => must(shares[place]) >= NAMED_FIT_MIN)
  const isPriced = ({ name }: Column) =>
    priceKindOf(name) !== undefined || guessByName(name).some(({ field }) => field === 'cost')
  // a list may have several amounts per row
  const priced = await mapYielding(amounts, (column) =>
    isPriced(column) ? Math.min(column.values.length, rows.length) : 0,
  )
  const most = Math.max(0, ...priced)
  return amounts.flatMap((column) => {
    const { name, values } = column
    const price = priceKindOf(name)
    if (price === undefined || (isDealerRate(name) && !isPaidRate(column, columns, rows))) return []
    const filled = values.filter(isCostOrOnRequest).length
    return price.kind === 'purchase' && filled < most * FIT_MIN ? [] : [{ column: name, ...price }]
  })
}

/**
 * Proposes the fields of an offer by the names and values of the columns, with a reason for each (`tell`) and a question for
 * each doubt (`ask`). The order of the steps matters: each sees the fields and the used columns of those before it.
 * @throws ShelfwireError `source-unreadable` if no column can be the key of the articles
 */
export async function proposeFields(
  sample: SampleRows,
  tell: Note,
  ask: Ask = () => {},
  list?: ArticleList,
): Promise<ProposedFields> {
  // each of these steps reads all values of wide rows, so other work gets its turn between them
  const parts = splitArticles(sample)
  const rows = parts.articles
  await setImmediate()
  const lists = namedListsOf(rows)
  await setImmediate()
  const all = columnsOf(rows)
  await setImmediate()
  const columns = all.filter(({ name }) => !lists.some(({ list }) => name.startsWith(`${list}.`)))
  const prices = await pricesAmong(columns, rows)
  const fields: Record<string, unknown> = {}
  const used = new Set([...lists.map(({ list }) => list), ...(await tierQuantities(columns))])
  const reasons: Draft['reasons'] = []
  const note: Note = (path, reason) => void reasons.push([path, reason])
  const draft: Draft = { columns, rows, prices, fields, used, reasons, note, ask }
  const guessed = await candidates(columns, prices, rows, list)
  const { languages, currency } = proposeByNames(draft, guessed)
  if (fields['sku'] === undefined) await proposeUnnamedKey(draft)
  eanOfKey(columns, fields, note)
  proposeCurrencyOfNames(draft, guessed, currency)
  askAboutFlags(columns, fields['quantity'], ask)
  await refineStock(columns, rows, fields, used, { note, ask })
  proposeStockOfLocations(columns, fields, used, { note, ask })
  await proposeFirstOfTiers(columns, rows, fields, used, { note, ask })
  proposeByValues(columns, rows, prices, fields, used, { note, ask })
  proposeCurrencyBeside(draft)
  const sale = salePriceOf(columns, rows, fields['cost'], prices, used)
  if (sale !== undefined) used.add(sale.name)
  proposeListPrice(guessed, prices, currency, fields, used, note)
  if (sale === undefined) {
    proposePriceBefore(draft)
    proposePublicPrice(draft)
  }
  askAboutCosts(draft, list)
  if (list !== undefined) shareOfRecord(rows, list, fields, used, note)
  const { group, skip } = proposeRows(draft, sample, parts, list)
  proposeOtherKey(draft, { isGrouped: group !== undefined, isBroughtTogether: group?.offers !== undefined, list })
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
  refinePacks(draft)
  askAboutMeasures(draft)
  askAboutManyPieces(draft)
  askAboutMeasuredPrices(draft)
  askAboutUnreadCurrency(draft)
  refineCost(columns, rows, fields, used, { note, ask })
  const isDoubtful = list !== undefined && isSharedByVersions(rows, list, fields)
  const headings = list === undefined ? [] : completeByRecord(rows, list, fields, used, note)
  proposeSalePrice(sale, fields, used, { note, ask })
  const skipped = headings.length === 0 ? skip : [...(skip ?? []), ...headings]
  proposeAttributes(draft, lists)
  Object.assign(fields, plainTitles(columns, fields, ask))
  for (const [path, reason] of reasons) tell(path, reason)
  return { fields, decimal, availability, locale: locale ?? 'en', prices, group, skip: skipped, isDoubtful, columns }
}

function askAboutCosts({ columns, rows, prices, fields, used, ask }: Draft, list: ArticleList | undefined): void {
  const { cost } = fields
  askAboutZeros(columns, rows, cost, ask)
  if (list === undefined) askAboutFewCosts(columns, rows.length, cost, ask)
  askAboutPurchases(columns, prices, cost, used, ask)
  askAboutTwoPurchases(columns, prices, cost, ask)
  askAboutUnitPrices(columns, cost, used, ask)
  askAboutDealerRates(columns, rows, cost, ask)
  askAboutWholeRates(columns, rows, cost, ask)
}

/** Proposes which rows belong to one product, and which are no articles. */
function proposeRows(
  { columns, rows, fields, used, note, ask }: Draft,
  sample: SampleRows,
  parts: ReturnType<typeof splitArticles>,
  list: ArticleList | undefined,
): Pick<ProposedFields, 'group' | 'skip'> {
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
  return { group, skip }
}

/** Proposes the columns that no field reads as attributes. */
function proposeAttributes({ columns, fields, used, note }: Draft, lists: ReturnType<typeof namedListsOf>): void {
  const pairs = optionPairs(columns)
  const attributes = columns
    .filter(({ name, values }) => !used.has(name) && values.length > 0 && !name.includes('@xmlns'))
    .filter(({ name }) => pairs?.isOf(name) !== true)
    .filter(({ isList, values }) => !isList && values.every((value) => value.length <= 500))
    .slice(0, ATTRIBUTES_MAX)
    .map(({ name }) => ({ key: name.slice(0, 100), column: name }))
  const named = [...lists.map(({ list }) => list), ...(pairs === undefined ? [] : [pairs.source.pairs])]
  if (named.length + attributes.length > 0) {
    fields['attributes'] = [...lists, ...(pairs === undefined ? [] : [pairs.source]), ...attributes]
    const said =
      named.length === 0 ? '' : `names with values in ${named.map((name) => JSON.stringify(name)).join(', ')}; `
    note(
      'fields.attributes',
      `${said}${attributes.length} columns that are nothing else: leave out what shops need not show`,
    )
  }
}

/** The texts of the columns that are read for titles and descriptions. */
function textsOf(columns: readonly Column[], fields: Readonly<Record<string, unknown>>): string[] {
  const names = [fields['title'], fields['description']].map((source) =>
    typeof source === 'object' && source !== null && 'column' in source ? source.column : source,
  )
  return columns.filter(({ name }) => names.includes(name)).flatMap(({ values }) => values)
}

function proposedAvailability(columns: readonly Column[], quantity: unknown, note: Note) {
  const values = columns.find(({ name }) => name === quantity)?.values ?? []
  const word = values.find((value) => stateOf(value) === 'unlimited')
  if (word === undefined) return undefined
  note('availability', `${JSON.stringify(word)} counts as ${UNLIMITED_PIECES} pieces: say how many your shop may sell`)
  return { unlimited: UNLIMITED_PIECES }
}
