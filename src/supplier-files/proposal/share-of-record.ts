import { fieldOfArticle, guessByName } from './column-names.ts'
import { isCostOrOnRequest } from './field-values.ts'
import type { Condition } from '../mapping/mapping.ts'
import { priceKindOf } from './price-columns.ts'
import type { ArticleList } from './propose-each.ts'
import { firstSummed } from './propose-stock.ts'
import { memberLookup, memberText } from '../rows.ts'
import { columnsOf, share, type Column, type SampleRows } from './sample-columns.ts'

// Decides which fields of listed articles are their own, and which they take from their record.

type Note = (path: string, reason: string) => void

/** The fields that each version has of its own if it states them. */
const OF_VERSIONS: readonly string[] = ['sku', 'ean', 'cost', 'currency', 'quantity']
/** A difference above those between two known names, and below that between a known name and a part of one. */
const NEARER = 0.5

/**
 * The amount that is added to the score of a column for a field: an article has a key and a cost of its own, and shares its title with other
 * versions, but not with other articles of a group.
 */
export function nearness(column: string, field: string, list: ArticleList | undefined): number {
  if (list === undefined) return 0
  const isOwn = column.startsWith(`${list.path}.`)
  if (!isOwn && !list.isOfVersions && field === 'title') return -Infinity
  if (isOwn === (!list.isOfVersions || OF_VERSIONS.includes(field))) return NEARER * (isOfNext(column, list) ? 1.2 : 1)
  return 0
}

/** Whether a column belongs to the innermost record: with records within records, the product precedes its category. */
const isOfNext = (column: string, { prefix }: ArticleList) => prefix !== '' && column.startsWith(prefix)

const ONLY = 'Default Title'
const OPTION =
  /(?:^|\.)(?:option\d|colou?r|size|farbe|größe|kolor|rozmiar|couleur|taille|talla|colore|taglia|kleur|maat)$/iu
/** Names of the ids of a record, the best first, at the end of a path. */
const NAMES_OF_RECORDS = [
  /(?:^|\.)[#@]?id$/i,
  /(?:^|\.)@?product_?id$/i,
  /(?:^|\.)@?handle$/i,
  /(?:^|\.)@?slug$/i,
  /(?:^|\.)@?(?:master|parent|model|style|product)_?(?:code|sku|no|number|ref)$/i,
]
/** Words for ids of what a record belongs to. */
const OF_ANOTHER = /supplier|vendor|brand|manufact|maker|categ|parent|group|store|shop|tax/i
/** Whether a column is the key of a record by its name, of the kind by which people order. */
const isKey = ({ name }: Column) => fieldOfArticle(name) === 'sku' && !/id$/i.test(name) && !OF_ANOTHER.test(name)

/**
 * Adds to the fields what the articles of a record share: the group of versions, or the category.
 * @param rows one row per article, as `each` makes them
 */
export function shareOfRecord(
  rows: SampleRows,
  list: ArticleList,
  fields: Record<string, unknown>,
  used: Set<string>,
  note: Note,
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
  const own = columns.filter((column) => isOwn(column) && !used.has(column.name))
  const called = own.find(({ name }) => fieldOfArticle(name) === 'title')
  const options = own.filter(({ name, values }) => OPTION.test(name) && values.length > 0).slice(0, 3)
  const naming = called === undefined ? options : [called]
  if (title !== undefined && naming.length > 0 && !title.startsWith(`${list.path}.`))
    fields['title'] = {
      join: [title, { join: naming.map(({ name }) => ({ column: name, values: { [ONLY]: '' } })), with: ' / ' }],
      with: ' - ',
    }
  for (const column of naming) used.add(column.name)
  // a value that several records share identifies no group, and neither does one nested within the record, such as its brand or category
  const naturally = ofRecord.filter(
    ({ name }) => list.distinct.includes(name) && !OF_ANOTHER.test(name) && isOfRecord(name, list.path),
  )
  const by =
    NAMES_OF_RECORDS.map((pattern) => naturally.find(({ name }) => pattern.test(name))).find(
      (column) => column !== undefined,
    ) ?? naturally.find(isKey)
  if (by === undefined) return
  const single = [called, ...options].find((column) => column?.values.includes(ONLY) === true)
  fields['group_key'] =
    single === undefined
      ? by.name
      : { when: { column: single.name, notIn: ['', ONLY] }, use: by.name, else: { constant: '' } }
  if (title !== undefined) fields['group_title'] = title
  if (options.length > 0)
    fields['group_options'] = options.map(({ name }) => ({ key: name.split('.').at(-1) ?? name, column: name }))
  for (const column of [by, ...options]) used.add(column.name)
  note('fields.group_key', `${JSON.stringify(by.name)}: articles that one record lists are versions of one product`)
}

/** The path around a member: `node.` for `node.id`. */
const parentOf = (name: string) => name.slice(0, name.lastIndexOf('.') + 1)
/** Whether a column belongs to the records with the list or around them, and not to something else within them. */
const isOfRecord = (name: string, path: string) => parentOf(path).startsWith(parentOf(name))

/** The share of amounts from which a column may be one of costs. */
const AMOUNTS_MIN = 0.5

/**
 * Whether each version would get a value that applies to all versions of the record together: its stock, or its cost although the elements may have
 * their own.
 */
export function isSharedByVersions(
  rows: SampleRows,
  { path }: ArticleList,
  fields: Readonly<Record<string, unknown>>,
): boolean {
  const isOwn = (name: string) => name.startsWith(`${path}.`)
  const { cost } = fields
  const quantity = firstSummed(fields['quantity'])
  if (typeof quantity === 'string' && !isOwn(quantity)) return true
  if (typeof cost !== 'string' || isOwn(cost)) return false
  return columnsOf(rows).some(
    ({ name, values }) =>
      isOwn(name) &&
      guessByName(name).some(({ field }) => field === 'cost') &&
      share(values, isCostOrOnRequest) >= AMOUNTS_MIN,
  )
}

/**
 * Completes the fields: an article without a cost takes that of its record, and a record without the list becomes an article by its own columns.
 * @param fields as proposed for the elements
 * @returns the conditions for rows to leave out: records without the list that are headings and no articles
 */
export function completeByRecord(
  rows: SampleRows,
  list: ArticleList,
  fields: Record<string, unknown>,
  used: Set<string>,
  note: Note,
): Condition[] {
  const { path } = list
  const columns = columnsOf(rows).filter(({ isList }) => !isList)
  const ofRecord = columns.filter(({ name }) => !name.startsWith(`${path}.`) && isOfRecord(name, path))
  const ownName = (name: string) => name.slice(path.length + 1).replace(/^node\./, '')
  const isOwn = (source: unknown): source is string => typeof source === 'string' && source.startsWith(`${path}.`)
  const namesake = (source: string) => columns.find(({ name }) => name === parentOf(path) + ownName(source))
  const isWithout: Condition = { column: path, empty: true }
  const cost = fields['cost']
  if (isOwn(cost)) {
    const kind = JSON.stringify(priceKindOf(cost))
    const same =
      namesake(cost) ??
      ofRecord.find(({ name }) => fieldOfArticle(name) === 'cost' && JSON.stringify(priceKindOf(name)) === kind)
    if (same !== undefined) {
      fields['cost'] = { first: [cost, same.name] }
      used.add(same.name)
      note('fields.cost', `what has no cost of its own has that of its record, ${JSON.stringify(same.name)}`)
    }
  }
  const sku = fields['sku']
  const key = isOwn(sku) ? (namesake(sku) ?? ofRecord.find(isKey)) : undefined
  if (key === undefined) {
    const without = rows.filter((row) => isNothing(memberLookup(path)(row)))
    if (without.length === 0) return []
    const isOfArticle = ({ name }: Column) => ['cost', 'quantity', 'ean'].includes(fieldOfArticle(name) ?? '')
    return columnsOf(without).some(isOfArticle) ? [] : [isWithout]
  }
  fields['sku'] = { when: isWithout, use: key.name, else: sku }
  used.add(key.name)
  note('fields.sku', `a record without the list is one article, by ${JSON.stringify(key.name)}`)
  for (const field of ['ean', 'quantity', 'list_price']) {
    const source = fields[field]
    if (!isOwn(source)) continue
    const same = namesake(source) ?? ofRecord.find(({ name }) => fieldOfArticle(name) === field)
    if (same === undefined) continue
    fields[field] = { when: isWithout, use: same.name, else: source }
    used.add(same.name)
  }
  const group = fields['group_key']
  if (group !== undefined) fields['group_key'] = { when: isWithout, use: { constant: '' }, else: group }
  return []
}

const isNothing = (value: unknown) => (Array.isArray(value) ? value.length === 0 : memberText(value) === '')
