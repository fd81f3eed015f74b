import { say } from '../../../contract/remarks/remarks.ts'
import { ARTICLE, guessByName, isCalledPrice } from './column-names.ts'
import { costShare } from './field-values.ts'
import { isBelow, isLowerPrice, isMostlyLower, OTHER_AMOUNTS } from './lower-prices.ts'
import { priceKindOf, sellingPriceReason, type PriceColumn } from './price-columns.ts'
import { optionColumnsOf } from './propose-options.ts'
import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { isCost, isDecimal } from './value-kinds.ts'

// Proposes titles and costs, and in tables without column names quantities, by the values of columns if no column is
// called like one, with a question.

const TITLE_CHARACTERS = { min: 4, max: 150 }
/** The least share of values that must be of the kind that a column is taken for. */
const MOST = 0.8
const average = (values: readonly string[]) => values.reduce((sum, value) => sum + value.length, 0) / values.length

const isTitle = (value: string) => /\p{L}{3}/u.test(value) && !/^https?:|^<|@|\.\w{3,4}$/i.test(value)

function isListOfTitles({ values, isList }: Column): boolean {
  if (isList || values.length === 0 || share(values, isTitle) < MOST) return false
  const length = average(values)
  if (length < TITLE_CHARACTERS.min || length > TITLE_CHARACTERS.max) return false
  // words of one kind, such as units and categories, would repeat
  return new Set(values).size >= values.length * MOST && share(values, (value) => /\s/.test(value)) >= 0.3
}

/** Names of columns with the names of articles: `Name of medicine`, `Nom du médicament`. */
const NAME_OF =
  /^(?:names?|title|nom|nombre|nome|nazwa|bezeichnung) (?:(?:of(?: the)?|du|de la|de|del|della|do|da|des|der) |de l['\u2019]|dell['\u2019])(?!.*(?:supplier|vendor|customer|client|person|company|shop|store|brand|category|owner|fournisseur|proveedor|fornitore|marque|marca|hersteller|lieferant))\p{L}+$|^(?:medicine|drug|goods|part|article|material|service|model|design|book|album|plant|wine|beer|drink|whisky|game|toy|fabric|paint|tool|tyre|tire|bike|phone|laptop|shoe|dish|food|cheese|tea|coffee|perfume) ?(?:name|title)s?$/iu
const isTitleName = (name: string) => ARTICLE.test(name) || NAME_OF.test(name)

/** Whether the descriptions of most articles begin with the texts of a column: then these are the titles. */
function beginsTexts(column: Column, description: Column, rows: SampleRows): boolean {
  const begun = rows.filter((row) => {
    const [title, text] = [textAt(row, column.name), textAt(row, description.name)]
    return title !== '' && text.length > title.length && text.toLowerCase().startsWith(title.toLowerCase())
  })
  return begun.length >= rows.length * MOST
}

/** Whether some values have several words, as names do and numbers do not. */
const isWords = ({ values }: Column) => share(values, (value) => /\p{L}{3}\S*\s/u.test(value)) >= 0.3

const MODEL = /^model/iu
/** If a short description is on average this many times as long as a model, the description is the title. */
const LONGER = 1.3

/** The least share of values with letters in a column that is called like an article. */
const NAMED_TITLE_MIN = 0.8

const isNamedTitle = ({ name, values, isList }: Column) =>
  !isList &&
  isTitleName(name.replaceAll('_', ' ').trim()) &&
  values.length > 0 &&
  share(values, (value) => /\p{L}{2}/u.test(value) && !/^https?:/i.test(value)) >= NAMED_TITLE_MIN

/** A column with at most this many different amounts, in at least this many rows, has rates. */
const RATES_MAX = 3
const RATE_ROWS_MIN = 20

interface Asked {
  note: (path: string, reason: string) => void
  ask: (question: string, field?: string) => void
}

/** Fills the fields of the title and the cost if no column name shows them. */
export function proposeByValues(
  columns: readonly Column[],
  rows: SampleRows,
  prices: readonly PriceColumn[],
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: Asked,
): void {
  const has = (field: string) => Object.keys(fields).some((name) => name === field || name.startsWith(`${field}.`))
  const take = (field: string, { name }: Column, reason: string) => {
    fields[field] = name
    used.add(name)
    note(`fields.${field}`, `${JSON.stringify(name)}: ${reason}`)
  }
  if (!has('title')) {
    const options = new Set(optionColumnsOf(columns.map(({ name }) => name)).values)
    const titles = columns.filter(
      (column) => !options.has(column.name) && isListOfTitles(column) && column.values.length * 2 >= rows.length,
    )
    const described = Object.keys(fields).find((field) => /^description(?:\.|$)/.test(field)) ?? 'description'
    const description = columns.find(({ name }) => name === fields[described])
    const short = description !== undefined && average(description.values) <= TITLE_CHARACTERS.max
    const isMarkup = description?.values.some((value) => /<\/?[a-z]+>/i.test(value)) === true
    const isShort = description !== undefined && short && !isMarkup
    // beside a short description, `Model` is the article number, unless it has words
    const named = columns.find(
      (column) =>
        !options.has(column.name) &&
        isNamedTitle(column) &&
        !(isShort && column.name === fields['sku'] && !isListOfTitles(column)) &&
        // nor is a model the title if the description is longer
        !(
          isShort &&
          MODEL.test(column.name) &&
          share(column.values, (value) => /\s/.test(value)) < MOST &&
          average(column.values) * LONGER < average(description.values)
        ),
    )
    const begun =
      description === undefined
        ? undefined
        : titles.find((column) => !used.has(column.name) && beginsTexts(column, description, rows))
    const found =
      named ??
      begun ??
      titles.find(({ name }) => !used.has(name)) ??
      titles.find(({ name }) => name === fields['sku']) ??
      mostWords(columns, used, options) ??
      // failing that, the key is the title if it has only words
      columns.find(
        ({ name, values }) =>
          name === fields['sku'] &&
          !guessByName(name).some(({ field }) => field === 'sku') &&
          share(values, (value) => /\p{L}/u.test(value)) === 1 &&
          share(values, (value) => /\d/.test(value)) < MOST,
      )
    if (isShort && named === undefined && begun === undefined) {
      delete fields[described]
      take(
        described.replace('description', 'title'),
        description,
        'its texts are short, and no other column is called like a title',
      )
      const longer = columns.find(
        (column) =>
          !column.isList &&
          !used.has(column.name) &&
          guessByName(column.name).some(({ field, score }) => field === 'description' && score >= 2) &&
          column.values.length > 0 &&
          average(column.values) > average(description.values),
      )
      if (longer !== undefined)
        take(described, longer, 'it is called so, and its texts are longer than those of the title')
      const model = columns.find(
        (column) => !column.isList && !options.has(column.name) && isTitleName(column.name) && isWords(column),
      )
      if (model !== undefined && model.name !== fields['sku'])
        ask(say('title_beside', { column: description.name, other: model.name }), 'title')
    } else if (found !== undefined) {
      const first = firstOfNumbered(found, columns, used)
      take('title', first, 'no column is called like a title, and its values are texts that differ')
      ask(say('title_by_values', { column: first.name }), 'title')
    } else ask(say('no_title', {}), 'title')
  }
  if (!has('cost')) proposeCost(columns, rows, prices, take, has, used, ask)
  if (!has('quantity')) proposeQuantity(columns, take, used, ask)
  if (!has('quantity')) ask(say('no_quantity', {}), 'quantity')
}

function proposeCost(
  columns: readonly Column[],
  rows: SampleRows,
  prices: readonly PriceColumn[],
  take: (field: string, column: Column, reason: string) => void,
  has: (field: string) => boolean,
  used: ReadonlySet<string>,
  ask: Asked['ask'],
): void {
  const amounts = columns.filter(
    ({ name, values, isList }) =>
      !isList &&
      !used.has(name) &&
      !OTHER_AMOUNTS.test(name) &&
      values.length > 0 &&
      share(values, isCost) >= MOST &&
      (share(values, isDecimal) >= 0.5 || MONEY.test(name) || (columns.length === 2 && isUnnamed({ name }))) &&
      // tax rates have few different values
      new Set(values).size > (values.length < RATE_ROWS_MIN ? 1 : RATES_MAX),
  )
  const called = columns.filter(
    ({ name, values, isList }) =>
      !isList &&
      !used.has(name) &&
      isCalledPrice(name) &&
      priceKindOf(name) === undefined &&
      !OTHER_AMOUNTS.test(name) &&
      costShare(values) >= MOST,
  )
  // a total is not the price of one piece
  const single = called.filter(({ name }) => !TOTAL.test(name))
  if (single.length > 0) called.splice(0, Infinity, ...single)
  // a price that few articles have is not the cost
  const most = Math.max(0, ...called.map(({ values }) => values.length))
  const filled = called.filter(({ values }) => values.length * 2 > most)
  called.splice(0, Infinity, ...filled)
  const [price] = called
  if (price !== undefined && called.length === 1) {
    take('cost', price, 'a word of its name is one for a price, and its values are amounts')
    const others = [...amounts.map(({ name }) => name), ...prices.map(({ column }) => column)]
    const beside = [...new Set(others)].filter((name) => name !== price.name && !used.has(name))
    ask(
      beside.length === 0
        ? say('cost_by_word', { column: price.name })
        : say('cost_by_word_among', { column: price.name, others: beside }),
      'cost',
    )
    return
  }
  // a selling price, preferably without VAT
  const [selling] = prices
    .filter(({ column }) => !used.has(column))
    .toSorted((a, b) => Number(b.vat === 'excluded') - Number(a.vat === 'excluded'))
  const sold = columns.find(({ name }) => name === selling?.column)
  if (selling !== undefined && sold !== undefined && !has('cost')) {
    const isRecommended = guessByName(sold.name).some(({ field, score }) => field === 'list_price' && score >= 2)
    const paid = columns.filter(
      (one) =>
        isRecommended &&
        one !== sold &&
        !used.has(one.name) &&
        isFreePrice(one, prices) &&
        isMostlyLower(one, sold, rows),
    )
    if (paid[0] !== undefined && paid.length === 1) {
      take(
        'cost',
        paid[0],
        `its amounts are mostly below those of ${JSON.stringify(sold.name)}, which somebody recommends to ask for`,
      )
      ask(say('cost_below_recommended', { column: paid[0].name, recommended: sold.name }), 'cost')
      return
    }
    take(
      'cost',
      sold,
      `its values are amounts, and no column is called like a cost. But ${sellingPriceReason(selling)}`,
    )
    const lower = columns.find(
      (one) => one !== sold && !used.has(one.name) && isFreePrice(one, prices) && isLowerPrice(one, sold),
    )
    if (lower !== undefined) ask(say('cost_probably_selling', { column: sold.name, lower: lower.name }), 'cost')
    return
  }
  const [found, other] = amounts
  if (found !== undefined && other !== undefined && amounts.length === 2 && amounts.every(isUnnamed)) {
    const lower = [found, other].find((one) => isBelow(one, one === found ? other : found))
    if (lower !== undefined) {
      const higher = lower === found ? other : found
      take('cost', lower, 'it is the lower one of two columns of amounts')
      ask(say('cost_lower_of_two', { column: lower.name, higher: higher.name }), 'cost')
      return
    }
  }
  if (found !== undefined && amounts.length === 1 && guessByName(found.name).length === 0) {
    take('cost', found, 'no column is called like a cost, and it is the only one with amounts')
    if (priceKindOf(found.name) === undefined) ask(say('cost_by_values', { column: found.name }), 'cost')
  } else ask(say('no_cost', {}), 'cost')
}

/** Whether the name of a column does not show what its amounts are. */
const isFreePrice = ({ name }: Column, prices: readonly PriceColumn[]) =>
  !prices.some(({ column }) => column === name) && guessByName(name).length === 0

const TOTAL = /total|(?<!\p{L})(?:gesamt|suma|summe|somme|importe|tutar|razem|сумма|сума|всего)/iu

/** Names that state a currency: whole numbers are amounts there, too. */
const MONEY =
  /\p{Sc}|(?<![\p{L}\p{N}])(?:eur|usd|gbp|pln|czk|chf|huf|ron|uah|rub|try|inr|zar|aed|sek|nok|dkk|грн|руб|zł|kč|lei|n\$|r\$)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])ft$/iu

/** The first of several numbered columns with lines of a text, if `found` is a later one such as `Line 2`. */
function firstOfNumbered(found: Column, columns: readonly Column[], used: ReadonlySet<string>): Column {
  const [, base, number] = /^(.*\D)(\d)$/.exec(found.name) ?? []
  if (base === undefined || Number(number) < 2) return found
  const first = columns.find(({ name }) => name === `${base}1`)
  const isText = first !== undefined && !used.has(first.name) && share(first.values, isTitle) >= MOST
  return isText ? first : found
}

/** Names of columns with words about something other than the article. */
const OTHER_WORDS =
  /handle|slug|group|parent|supplier|vendor|lieferant|dostawca|fornecedor|proveedor|fornitore|fournisseur|leverancier|customer|client|kunde|owner|propriet|seller|location|warehouse|lager|unit|einheit|status|colou?r|farbe|size|größe|country|date|note|comment|remark|поставщик|склад/i

/**
 * The column with the most different texts, if at least half of its values differ; used if no column certainly has
 * titles.
 */
function mostWords(
  columns: readonly Column[],
  used: ReadonlySet<string>,
  options: ReadonlySet<string>,
): Column | undefined {
  const texts = columns.filter(
    ({ name, values, isList }) =>
      !isList &&
      !used.has(name) &&
      !options.has(name) &&
      !OTHER_WORDS.test(name) &&
      values.length > 1 &&
      share(values, isTitle) >= MOST,
  )
  const [best] = texts.toSorted((a, b) => new Set(b.values).size - new Set(a.values).size)
  return best === undefined || new Set(best.values).size * 2 < best.values.length ? undefined : best
}

/** Whether a column has its position as a name, because the table has no column names. */
const isUnnamed = ({ name }: Pick<Column, 'name'>) => /^#?\d{1,4}$/.test(name)

const PIECES_MAX = 100_000
/** Most stocks are at most this large, unlike contents in grams and sizes in millimetres. */
const FEW = 50

/** In a table without column names, the only column of repeating whole numbers in no order is proposed as the stock. */
function proposeQuantity(
  columns: readonly Column[],
  take: (field: string, column: Column, reason: string) => void,
  used: ReadonlySet<string>,
  ask: Asked['ask'],
): void {
  const counts = columns.filter(
    (column) =>
      /^\d{1,4}$/.test(column.name) &&
      !column.isList &&
      !used.has(column.name) &&
      column.values.length > 2 &&
      column.values.every((value) => /^-?\d{1,6}$/.test(value) && Number(value) < PIECES_MAX) &&
      share(column.values, (value) => Number(value) <= FEW) >= 0.5 &&
      new Set(column.values).size > 2 &&
      new Set(column.values).size < column.values.length,
  )
  const [found] = counts
  if (found === undefined || counts.length > 1) return
  take('quantity', found, 'it is the only column of whole numbers that repeat')
  ask(say('quantity_by_values', { column: found.name }), 'quantity')
}
