import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import { fieldOfArticle } from './column-names.ts'
import { isCostOrOnRequest } from './field-values.ts'
import { priceKindOf } from './price-columns.ts'
import { isGtin } from './value-kinds.ts'
import { columnsOf, share, type Column, type SampleRows } from './sample-columns.ts'

// Finds lists of articles within records: versions within their products, and articles within their groups. A wrong one would make articles of prices
// or places, so a list is taken for one of articles only if its name and its members say so (docs/decisions/231-a-record-may-list-its-articles.md).

/** A list of articles in records. */
export interface ArticleList {
  /** The value of `each` for this list. */
  path: string
  /** Whether its elements are versions of the record, rather than articles that it groups. */
  isOfVersions: boolean
  /** The prefix of the columns of the records with the list, if these are elements of a list themselves: `products.`. */
  prefix: string
  /** Columns of the records with the list that have a different value in each of them. */
  distinct: readonly string[]
}

const DEPTH_MAX = 6
/** How many elements of the lists at one path, paths of lists, and columns of elements are examined. Articles have fewer columns. */
const ELEMENTS_MAX = 1_000
const LISTS_MAX = 50
const COLUMNS_MAX = 500

interface List {
  elements: Record<string, unknown>[]
  /** The greatest number of elements in a record. */
  most: number
}

/** Names of lists without articles of their own: of related articles, prices, stock, packs, parts, offers of others, and of the lines of orders. */
const NO_ARTICLES =
  /relat|similar|cross|up_?sell|accessor|bundle|component|compon|recommend|associat|histor|review|zubeh|ähnlich|powiąz|pri[cx]|preis|prez|preço|cen[ay]|prijs|tier|staffel|discount|rabat|special|promo|campaign|aktion|stock|inventor|bestand|lager|warehouse|magaz|sklad|depot|almac|locat|place|branch|filial|store|level|pack|unit|carton|karton|opakow|batch|charge|lot|parts?$|teile|kits?$|sets?$|set_|stücklist|content|option|supplier|vendor|seller|merchant|dealer|lieferant|dostawc|fourniss|proveed|order|line|cart|basket|position|invoice|delivery|ship|tax|image|media|file|categor/iu
/** Names of lists of versions, and below of articles in a group. Only whole names, because a part of a name is less certain. */
const VERSIONS =
  /^(?:product|produkt|article|artikel)?_?(?:variants?|varianten?|variations?|variationen|wariant(?:y|ów)?|variantes?|variant[iy]|variazion[ie]|variaci[oó]n(?:es)?|varianti|versions?|versionen|versiones|versioni|wersje|children|skus?|sizes?|größen?|rozmiary?|tailles?|tallas?|colou?rs?|farben?|kolory?)$/iu
const ARTICLES =
  /^(?:articles?|artikel|articol[io]|articulos?|artículos?|artigos?|artykuły?|products?|produkte?|produkty?|produkter|prodott[io]|productos?|produtos?|produits?|items?|goods|towary?|товары?|товар)$/iu
/** Members that show that an element is no article: the quantity or day from which it applies, a customer group, a place, or a pack. */
const NO_ARTICLE_MEMBER =
  /^(?:from|to|min|max|from_?qty|qty_?from|to_?qty|(?:min|max)_?(?:qty|quantity)|quantity_?(?:start|end|from|to|min|max)|(?:from|to|min|max)_?quantity|ab_?menge|menge_?ab|von|bis|customer_?group.*|kundengruppe.*|price_?(?:list|group).*|(?:valid|date|gültig)_?(?:from|to|until|start|end|ab|bis|von)|(?:starts?|ends?|begins?)_?(?:at|on|date)|batch.*|lot|charge|mhd|expir.*|best_?before|(?:warehouse|location|depot|store|branch|filiale|lager|lagerort|standort|magazyn|sklad|place|site|seller|merchant|supplier|lieferant)_?(?:id|name|code|no|number|nr)?|(?:units?|pieces)_?per_?.*|pack(?:aging)?_?(?:unit|size|qty|quantity)|unit|einheit|jednostka)$/iu
/** Names of members of orders. Orders list articles, too, but no assortment. */
const OF_ORDERS = /(?:^|[._@])(?:customer|buyer|order|billing|invoice|kunde|bestell|zamówien|klient)/iu
/** Names of members that show a sale, in records whose list is called like one of articles: amounts for all of them together. */
const OF_SALES = /(?:^|[._@])(?:total|sum|subtotal|paid|payment|summe|gesamt|suma|razem|amount)/iu

const KEYS: readonly string[] = ['sku', 'ean']
const ID = /(?:^|\.)(?:[#@]?id|.*_id|.*Id|uuid)$/
const OPTION =
  /^(?:option\d|colou?r|size|farbe|größe|kolor|rozmiar|couleur|taille|talla|colore|taglia|kleur|maat|velikost|barva|(?:colou?r|size)_(?:name|code|description|group|label|textile))$/iu
/** The share of elements with a key of their own from which a list is one of articles. Some may lack it. */
const KEYED_MIN = 0.6
const PRICED_MIN = 0.8
const OWN_TITLES_MIN = 0.9

/**
 * The list in the records whose elements are the articles: it has such a name, a record has several elements with keys of their own, and these have a
 * cost or, as versions, a quantity or EANs.
 * @returns undefined if each record is an article, or if that is uncertain
 */
export async function articleListOf(rows: SampleRows): Promise<ArticleList | undefined> {
  const lists = await listsOf(rows)
  const found: string[] = []
  const said = new Map<SampleRows, Said>()
  const saidBy = (records: SampleRows): Said => {
    const known = said.get(records) ?? readSaid(records)
    said.set(records, known)
    return known
  }
  const yielding = openYielding()
  for (const [path, list] of lists) {
    if (list.most > 1 && !NO_ARTICLES.test(path) && isOfArticles(path, list, enclosing(path, rows, lists), saidBy))
      found.push(path)
    const pause = yielding()
    if (pause !== null) await pause
  }
  const [best] = found.toSorted((a, b) => b.length - a.length)
  // uncertain if two lists are beside each other; if one is within the other, the inner one has what can be ordered
  if (best === undefined || found.some((path) => path !== best && !best.startsWith(`${path}.`))) return undefined
  return listAt(best, rows, lists)
}

/** Describes the list at a path that is known to be one of articles. */
export async function articleListAt(path: string, rows: SampleRows): Promise<ArticleList> {
  return listAt(path, rows, await listsOf(rows))
}

function listAt(path: string, rows: SampleRows, lists: ReadonlyMap<string, List>): ArticleList {
  const elements = lists.get(path)?.elements ?? []
  const isOfVersions = VERSIONS.test(nameOf(path)) || !hasOwnTitles(columnsOf(elements), elements.length)
  const { prefix, records } = enclosing(path, rows, lists).at(-1) ?? { prefix: '', records: rows }
  const distinct = columnsOf(records)
    .filter(({ isList, values }) => !isList && values.length === records.length && allDiffer(values))
    .map(({ name }) => prefix + name)
  return { path, isOfVersions, prefix, distinct }
}

/** The name of a list. In GraphQL, lists are within `edges` and `node`. */
const nameOf = (path: string) => path.split('.').findLast((name) => !/^(?:edges|nodes?)$/.test(name)) ?? path
/** The name of a member of an element; in GraphQL it is within `node`. */
const ownName = (name: string) => name.replace(/^node\./, '')
const isOwnMember = ({ name }: Column) => !ownName(name).includes('.')
const allDiffer = (values: readonly string[]) => new Set(values).size === values.length

interface Level {
  /** The prefix of these records' columns in the rows. */
  prefix: string
  records: SampleRows
}

/** The records that contain a list, from the outermost: those of the file, and the elements of the lists around it. */
function enclosing(path: string, rows: SampleRows, lists: ReadonlyMap<string, List>): Level[] {
  const outer = [...lists].filter(([name]) => path.startsWith(`${name}.`)).toSorted(([a], [b]) => a.length - b.length)
  return [
    { prefix: '', records: rows },
    ...outer.map(([name, { elements }]) => ({ prefix: `${name}.`, records: elements })),
  ]
}

async function listsOf(rows: SampleRows): Promise<Map<string, List>> {
  const lists = new Map<string, List>()
  const search: Search = { lists, counts: new Map(), left: LIMITS.detectValuesMax }
  const yielding = openYielding()
  for (const row of rows) {
    search.counts.clear()
    collect(row, '', 0, search)
    for (const [path, count] of search.counts) {
      const list = lists.get(path)
      if (list !== undefined) list.most = Math.max(list.most, count)
    }
    const pause = yielding()
    if (pause !== null) await pause
  }
  return lists
}

interface Search {
  lists: Map<string, List>
  /** The number of elements at each path in the current row. */
  counts: Map<string, number>
  /** How many more values may be read. */
  left: number
}

function collect(value: unknown, path: string, depth: number, search: Search): void {
  if (depth > DEPTH_MAX || typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) {
    const members = Object.entries(value)
    search.left -= members.length
    for (const [name, member] of members.slice(0, LIMITS.importColumnsMax))
      if (typeof member === 'object' && !name.includes('.'))
        collect(member, path === '' ? name : `${path}.${name}`, depth + 1, search)
    return
  }
  const elements = (value as unknown[]).filter(
    (one): one is Record<string, unknown> => typeof one === 'object' && one !== null && !Array.isArray(one),
  )
  if (elements.length === 0 || path === '') return
  const known = search.lists.get(path)
  if (known === undefined && search.lists.size >= LISTS_MAX) return
  const list = known ?? { elements: [], most: 0 }
  search.lists.set(path, list)
  search.counts.set(path, (search.counts.get(path) ?? 0) + elements.length)
  for (const element of elements) {
    if (list.elements.length >= ELEMENTS_MAX || search.left < 0) return
    list.elements.push(element)
    collect(element, path, depth + 1, search)
  }
}

const saysMoreThanNothing = (value: string) => isCostOrOnRequest(value) && /[1-9]/.test(value)
const isKeyByName = ({ name }: Column) => KEYS.includes(fieldOfArticle(name) ?? '') && !ID.test(name)
const isPrice = ({ name }: Column) => fieldOfArticle(name) === 'cost' || priceKindOf(name) !== undefined
const hasOwnTitles = (columns: readonly Column[], count: number) =>
  columns.some(
    ({ name, values }) =>
      ['title', 'description'].includes(fieldOfArticle(name) ?? '') && new Set(values).size >= count * OWN_TITLES_MIN,
  )

/** What the names of the records' own columns show. */
interface Said {
  hasKey: boolean
  hasCost: boolean
  hasQuantity: boolean
  isSale: boolean
  /** Also true if there are too many columns to examine. */
  isOrder: boolean
}

function readSaid(records: SampleRows): Said {
  const columns = columnsOf(records).filter(({ isList }) => !isList)
  const isTooMuch = columns.length > COLUMNS_MAX
  const looked = isTooMuch ? [] : columns
  return {
    hasKey: looked.some(isKeyByName),
    hasCost: looked.some(isPrice),
    hasQuantity: looked.some(({ name }) => fieldOfArticle(name) === 'quantity'),
    isSale: looked.some(({ name }) => OF_SALES.test(name)),
    isOrder: isTooMuch || looked.some(({ name }) => OF_ORDERS.test(name)),
  }
}

function isOfArticles(
  path: string,
  { elements }: List,
  levels: readonly Level[],
  saidBy: (records: SampleRows) => Said,
): boolean {
  const isOfVersions = VERSIONS.test(nameOf(path))
  if (!isOfVersions && !ARTICLES.test(nameOf(path))) return false
  // lists within elements have their own paths
  const columns = columnsOf(elements).filter(({ isList }) => !isList)
  if (columns.length > COLUMNS_MAX) return false
  const own = columns.filter(isOwnMember)
  if (own.some(({ name }) => NO_ARTICLE_MEMBER.test(ownName(name).replace(/^@/, '')))) return false
  const isKey = ({ values }: Column, min: number) => allDiffer(values) && values.length >= elements.length * min
  const hasKey = own.some((column) => isKeyByName(column) && isKey(column, KEYED_MIN))
  const hasId = own.some((column) => ID.test(column.name) && isKey(column, 1))
  if (!hasKey && !hasId) return false
  const isFilled = ({ values }: Column) => values.length >= elements.length * KEYED_MIN
  const prices = columns.filter((column) => isPrice(column) && isFilled(column))
  const hasCost = prices.some(({ values }) => share(values, saysMoreThanNothing) >= PRICED_MIN)
  // a price of 0 or with a sign is a surcharge on that of the record
  if ((prices.length > 0 && !hasCost) || prices.some(({ values }) => values.some((value) => /^[+-]/.test(value))))
    return false
  const hasQuantity = columns.some(
    (column) =>
      fieldOfArticle(column.name) === 'quantity' &&
      isFilled(column) &&
      share(column.values, isCostOrOnRequest) >= PRICED_MIN,
  )
  const differs = own.some(
    ({ name, values }) =>
      values.length > 0 && (OPTION.test(ownName(name)) || fieldOfArticle(ownName(name)) === 'title'),
  )
  const all = levels.map((level) => saidBy(level.records))
  if (all.some(({ isOrder }) => isOrder)) return false
  const recordHasKey = all.some((said) => said.hasKey)
  const recordHasCost = all.some((said) => said.hasCost)
  if (!isOfVersions)
    return (
      hasKey &&
      hasCost &&
      hasOwnTitles(own, elements.length) &&
      !recordHasKey &&
      !recordHasCost &&
      !all.some((said) => said.hasQuantity || said.isSale)
    )
  if (!hasKey) return hasCost && differs && !recordHasKey && !recordHasCost
  if (hasCost) return true
  // a record with a price may be an article itself, if only by its id; then versions need a number of their own, not only an EAN
  const hasNumber = own.some((column) => fieldOfArticle(column.name) === 'sku' && isKeyByName(column))
  const hasEans = own.some(
    (column) =>
      fieldOfArticle(ownName(column.name)) === 'ean' &&
      isFilled(column) &&
      allDiffer(column.values) &&
      column.values.every(isGtin),
  )
  return (
    (hasQuantity || (hasEans && !recordHasCost)) &&
    differs &&
    !(recordHasKey && recordHasCost) &&
    (hasNumber || !recordHasCost)
  )
}
