import { LIMITS } from '../platform/limits.ts'
import { fieldOfArticle } from './column-names.ts'
import { saysCost } from './field-values.ts'
import { columnsOf, share, type Column, type SampleRows } from './sample-columns.ts'

// Articles that are listed within records: versions within their products, and articles within their groups.

/** A list of articles in records. */
export interface ArticleList {
  /** As `each` of a mapping has it. */
  path: string
  /** Whether its elements are versions of the record, rather than articles that it groups. */
  isOfVersions: boolean
}

const DEPTH_MAX = 6
/** Elements of the lists of one path that are looked at, and paths of lists. */
const ELEMENTS_MAX = 1_000
const LISTS_MAX = 50

interface List {
  elements: Record<string, unknown>[]
  /** How many a record has, at most. */
  most: number
}

/** Lists of what else there is to an article. */
const OTHER_ARTICLES =
  /relat|similar|cross|upsell|up_sell|accessor|bundle|component|recommend|associat|history|reviews?|zubeh|ähnlich|powiąz/iu
const VERSIONS = /varia|version|option|children|skus?$|edges|offers|sizes|colou?rs|models|combination/i
const TITLES: readonly string[] = ['title', 'description']
const KEYS: readonly string[] = ['sku', 'ean']
const ID = /(?:^|\.)(?:#?id|.*_id|.*Id|uuid)$/
/** The share of elements with a key of their own from which a list is one of articles: some lack it. */
const KEYED_MIN = 0.6
const PRICED_MIN = 0.8
const OWN_TITLES_MIN = 0.9

/**
 * The list of the records in which the articles are: one of which several elements in one record have keys of their own, and what they cost or how many
 * there are.
 * @returns undefined where each record is an article
 */
export function articleListOf(rows: SampleRows): ArticleList | undefined {
  const lists = new Map<string, List>()
  for (const row of rows) {
    const counts = new Map<string, number>()
    collect(row, '', 0, lists, counts)
    for (const [path, count] of counts) {
      const list = lists.get(path)
      if (list !== undefined) list.most = Math.max(list.most, count)
    }
  }
  const found = [...lists].filter(([path, list]) => list.most > 1 && !OTHER_ARTICLES.test(path) && isOfArticles(list))
  // the innermost one has what can be ordered
  const [best] = found.toSorted(([a], [b]) => b.split('.').length - a.split('.').length)
  if (best === undefined) return undefined
  const [path, { elements }] = best
  const hasOwnTitles = columnsOf(elements).some(
    ({ name, values }) =>
      TITLES.includes(fieldOfArticle(name) ?? '') && new Set(values).size >= elements.length * OWN_TITLES_MIN,
  )
  return { path, isOfVersions: VERSIONS.test(path) || !hasOwnTitles }
}

function collect(
  value: unknown,
  path: string,
  depth: number,
  lists: Map<string, List>,
  counts: Map<string, number>,
): void {
  if (depth > DEPTH_MAX || typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) {
    for (const [name, member] of Object.entries(value).slice(0, LIMITS.importColumnsMax))
      if (typeof member === 'object' && !name.includes('.'))
        collect(member, path === '' ? name : `${path}.${name}`, depth + 1, lists, counts)
    return
  }
  const elements = (value as unknown[]).filter(
    (one): one is Record<string, unknown> => typeof one === 'object' && one !== null && !Array.isArray(one),
  )
  if (elements.length === 0 || path === '') return
  const known = lists.get(path)
  if (known === undefined && lists.size >= LISTS_MAX) return
  const list = known ?? { elements: [], most: 0 }
  lists.set(path, list)
  counts.set(path, (counts.get(path) ?? 0) + elements.length)
  for (const element of elements) {
    if (list.elements.length >= ELEMENTS_MAX) return
    list.elements.push(element)
    collect(element, path, depth + 1, lists, counts)
  }
}

function isOfArticles({ elements }: List): boolean {
  // an element that is a list itself has its own path
  const columns = columnsOf(elements).filter(({ isList }) => !isList)
  const isKey = ({ values }: Column, isSure: boolean) =>
    new Set(values).size === values.length && values.length >= elements.length * (isSure ? KEYED_MIN : 1)
  const hasKey = columns.some((column) =>
    KEYS.includes(fieldOfArticle(column.name) ?? '') && !ID.test(column.name)
      ? isKey(column, true)
      : ID.test(column.name) && isKey(column, false),
  )
  if (!hasKey) return false
  return columns.some(({ name, values }) => {
    const field = fieldOfArticle(name)
    return (
      (field === 'cost' || field === 'quantity') &&
      values.length >= elements.length * KEYED_MIN &&
      share(values, saysCost) >= PRICED_MIN
    )
  })
}

/** The fields that each version has of its own, where it states them. */
const OF_VERSIONS: readonly string[] = ['sku', 'ean', 'cost', 'quantity']
/** More than between two names that are known, less than between a known one and a part of one. */
const NEARER = 0.5

/**
 * What is added to the score of a column's name for a field: an article has its own key and cost, and shares its title with other versions, but not with
 * the other articles of a group.
 */
export function nearness(column: string, field: string, list: ArticleList | undefined): number {
  if (list === undefined) return 0
  const isOwn = column.startsWith(`${list.path}.`)
  if (!isOwn && !list.isOfVersions && field === 'title') return -Infinity
  return isOwn === (!list.isOfVersions || OF_VERSIONS.includes(field)) ? NEARER : 0
}

const ONLY = 'Default Title'
const OPTION =
  /(?:^|\.)(?:option\d|colou?r|size|farbe|größe|kolor|rozmiar|couleur|taille|talla|colore|taglia|kleur|maat)$/iu

/**
 * Adds to the fields what the articles of one record share: the group of versions, or the category.
 * @param rows one row for each article, as `each` makes them
 */
export function shareOfRecord(
  rows: SampleRows,
  list: ArticleList,
  fields: Record<string, unknown>,
  used: Set<string>,
  note: (path: string, reason: string) => void,
): void {
  const columns = columnsOf(rows).filter(({ isList }) => !isList)
  const isOwn = ({ name }: Column) => name.startsWith(`${list.path}.`)
  const ofRecord = columns.filter((column) => !isOwn(column) && column.values.length === rows.length)
  if (!list.isOfVersions) {
    const heading = ofRecord.find(({ name }) => fieldOfArticle(name) === 'title')
    if (heading === undefined || fields['category'] !== undefined) return
    fields['category'] = heading.name
    used.add(heading.name)
    note('fields.category', `${JSON.stringify(heading.name)} is that of the records in which the articles are listed`)
    return
  }
  const title = typeof fields['title'] === 'string' ? fields['title'] : undefined
  const by =
    ofRecord.find(({ name }) => ID.test(name) || name === 'handle' || name === 'slug') ??
    ofRecord.find(({ name }) => KEYS.includes(fieldOfArticle(name) ?? '')) ??
    ofRecord.find(({ name }) => name === title)
  if (by === undefined) return
  const own = columns.filter((column) => isOwn(column) && !used.has(column.name))
  const called = own.find(({ name }) => fieldOfArticle(name) === 'title')
  const options = own.filter(({ name, values }) => OPTION.test(name) && values.length > 0).slice(0, 3)
  const single = [called, ...options].find((column) => column?.values.includes(ONLY) === true)
  fields['group_key'] =
    single === undefined
      ? by.name
      : { when: { column: single.name, notIn: ['', ONLY] }, use: by.name, else: { constant: '' } }
  if (title !== undefined) fields['group_title'] = title
  if (options.length > 0)
    fields['group_options'] = options.map(({ name }) => ({ key: name.split('.').at(-1) ?? name, column: name }))
  const naming = called === undefined ? options : [called]
  if (title !== undefined && naming.length > 0 && !title.startsWith(`${list.path}.`))
    fields['title'] = {
      join: [title, { join: naming.map(({ name }) => ({ column: name, values: { [ONLY]: '' } })), with: ' / ' }],
      with: ' - ',
    }
  for (const column of [by, ...naming, ...options]) used.add(column.name)
  note('fields.group_key', `${JSON.stringify(by.name)}: articles that one record lists are versions of one product`)
}
