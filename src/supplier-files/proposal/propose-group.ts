import { say } from '../../../contract/remarks/remarks.ts'
import type { Condition, Grouping } from '../mapping/mapping.ts'
import { columnOf, isTitle, placesOf, simplified, Table, type Places } from './group-table.ts'
import { GROUP_ID, isMaybeOfVersions, isOfVersions } from './group-numbers.ts'
import { optionColumnsOf, packedIn, type Options } from './propose-options.ts'
import { numberOfModels, numberOfTitles } from './same-titles.ts'
import type { SampleRows } from './sample-columns.ts'
import { isYesNo } from './value-kinds.ts'
import { must } from '../../platform/must.ts'

// Finds products on several rows: variants that name the row of their product, rows that share a handle, and rows that continue the
// one above.

type Note = (path: string, reason: string) => void
type Ask = (question: string) => void

/**
 * Proposes how rows are brought together if products are on several rows. Adds the group and its options to `fields`.
 * @returns undefined if each row is an offer of its own; `fields` may have a group nevertheless
 */
export function proposeGroup(
  rows: SampleRows,
  fields: Record<string, unknown>,
  used: Set<string>,
  note: Note,
  ask: Ask,
): Grouping | undefined {
  const places = placesOf(fields)
  if (places === undefined || rows.length < 2) return undefined
  const table = new Table(rows)
  const options = packedIn(optionColumnsOf(table.names), (name) => table.values(name))
  const before = fields['group_key']
  const parents = underParents(table, places, fields, used, options, note, ask)
  // if a column names the product of each version, no other way is tried
  if (parents !== undefined || fields['group_key'] !== before) return parents
  const together =
    underHandles(table, places, fields, used, options, note) ??
    below(table, places, fields, used, options, note, ask) ??
    underTitles(table, places, fields, used, options, note)
  if (together === undefined && fields['group_key'] === undefined)
    bySomeGroups(table, places, fields, used, options, note)
  return together
}

/**
 * Whether a column is called like the number of a group or a model, but its groups do not look like versions: then it is an
 * attribute.
 */
const isOfMerchandise = (
  name: string,
  table: Table,
  { titles }: Places,
  fields: Readonly<Record<string, unknown>>,
  options: Options,
): boolean =>
  isMaybeOfVersions(name) &&
  !isOfVersions({
    name,
    names: table.names,
    values: (one) => table.values(one),
    titles,
    options,
    category: columnOf(fields['category']),
  })

/** Sets the group by a column of group numbers that only articles with versions have. */
function bySomeGroups(
  table: Table,
  places: Places,
  fields: Record<string, unknown>,
  used: Set<string>,
  options: Options,
  note: Note,
): void {
  const name = table.names.find((one) => !places.own.has(one) && GROUP_ID.test(simplified(one)))
  const values = name === undefined ? [] : table.values(name).filter((value) => value !== '')
  if (name === undefined || new Set(values).size === values.length) return
  if (isOfMerchandise(name, table, places, fields, options)) return
  used.add(name)
  setGroup(fields, name, options)
  note('fields.group_key', `${JSON.stringify(name)}: rows that have the same are versions of one article`)
}

/** Whether a value means that a row has no product. */
const isNone = (value: string) => value === '' || value === '0'

const PARENT =
  /^(?!(?:ist|is|has)\w*$).*(?:parent|vaterartikel|vatersku|mastersku|masterartikel|hauptartikel|genitore|rodzic|nadrzędn)/u

/** Rows that name the row of their product, or a product that has no row. */
function underParents(
  table: Table,
  { key, cost, quantity, own }: Places,
  fields: Record<string, unknown>,
  used: Set<string>,
  options: Options,
  note: Note,
  ask: Ask,
): Grouping | undefined {
  const keys = table.values(key)
  const known = new Set(keys.filter((value) => value !== ''))
  const named = table.names.filter((name) => name !== key && PARENT.test(simplified(name)))
  const filled = (name: string) => table.values(name).filter((value) => !isNone(value))
  const parent = named.find((name) => filled(name).length > 0 && filled(name).every((value) => known.has(value)))
  if (parent === undefined) {
    const family = named.find((name) => {
      const values = filled(name)
      return (
        new Set(values).size < values.length &&
        !values.every(isYesNo) &&
        !values.some((value) => /^(?:parent|child)$/i.test(value))
      )
    })
    if (family === undefined) return undefined
    used.add(family)
    setGroup(fields, family, options)
    if (table.values(family).includes('0'))
      fields['group_key'] = {
        when: { column: family, notIn: ['', '0'] },
        use: fields['group_key'],
        else: { constant: '' },
      }
    note('fields.group_key', `${JSON.stringify(family)}: rows that have the same are versions of one article`)
    return undefined
  }
  const parents = new Set(filled(parent))
  const isParent = keys.map((value) => parents.has(value))
  const placeOf = new Map(keys.map((value, row) => [value, row]))
  const children = table.values(parent).flatMap((value, row) => (isNone(value) ? [] : [row]))
  const inherit = table.names.filter(
    (name) =>
      !own.has(name) &&
      name !== parent &&
      children.some((row) => {
        const of = placeOf.get(table.at(row, parent))
        return of !== undefined && table.at(row, name) === '' && table.at(of, name) !== ''
      }),
  )
  const offers =
    notOf(table, isParent, [cost, quantity]) ??
    // the versions may be beyond the sample, so only versions in it must not have the word
    flagOf(table, isParent, (isFlagged, row) => !isFlagged || isNone(table.at(row, parent)))
  used.add(parent)
  setGroup(fields, parent, options)
  note(
    'group',
    `${JSON.stringify(parent)} names the row of the product: its ${children.length} versions take from it what they leave empty`,
  )
  if (offers === undefined) ask(say('products_as_articles', { rows: parents.size, parent }))
  return {
    by: key,
    parent,
    anywhere: true,
    ...(inherit.length > 0 ? { inherit } : {}),
    ...(offers === undefined ? {} : { offers }),
  }
}

const FLAG = /typ|item|kind|parent|vater|tracking|relationship|^art$/u
const PRODUCT_OF_OTHERS = /^(?:parent|variable|configurable|variant|variants|master|vater|main|1|y|yes|ja|true)$/i

/** A condition that all rows meet except those of products that are not sold themselves; undefined if there is none. */
function notOf(
  table: Table,
  isProduct: readonly boolean[],
  amounts: readonly (string | undefined)[],
): Condition | undefined {
  for (const column of amounts) {
    if (column === undefined) continue
    const values = table.values(column)
    if (values.every((value, row) => (value === '') === isProduct[row])) return { column, notIn: [''] }
  }
  return flagOf(table, isProduct, (isFlagged, row) => isFlagged === isProduct[row])
}

/**
 * A condition by a word such as `variable`, which a column has for all products that are not sold themselves.
 * @param mayBe whether a row may have the word (`isFlagged`), or lack it
 */
function flagOf(
  table: Table,
  isProduct: readonly boolean[],
  mayBe: (isFlagged: boolean, row: number) => boolean,
): Condition | undefined {
  for (const column of table.names) {
    if (!FLAG.test(simplified(column))) continue
    const values = table.values(column)
    const flags = new Set(values.filter((_, row) => isProduct[row]))
    const [flag] = flags
    if (flags.size !== 1 || flag === undefined || !PRODUCT_OF_OTHERS.test(flag)) continue
    if (values.every((value, row) => mayBe(value === flag, row))) return { column, notIn: [flag] }
  }
  return undefined
}

const HANDLE =
  /handle(?:id)?$|^itemgroupid$|^groupid$|groupsku$|variantgroup|variantengruppe|^style(?:code|id|no|number)$|^model(?:code|id|no|number)?$|^productid$|^product$|^grouped?key$/

/** Groups rows that share a handle or the number of their product. */
function underHandles(
  table: Table,
  places: Places,
  fields: Record<string, unknown>,
  used: Set<string>,
  options: Options,
  note: Note,
): Grouping | undefined {
  const keys = table.values(places.key)
  const handle = table.names.find((name) => {
    if (places.own.has(name) || places.titles.includes(name) || !HANDLE.test(simplified(name))) return false
    const values = table.values(name)
    const keyed = values.filter((value, row) => value !== '' && keys[row] !== '')
    if (new Set(keyed).size === keyed.length || values.includes('')) return false
    return !isOfMerchandise(name, table, places, fields, options)
  })
  return handle === undefined ? undefined : underNumber(handle, table, places, fields, used, options, note)
}

/** Groups rows with the same title and the same number, which differ by their options. */
function underTitles(
  table: Table,
  places: Places,
  fields: Record<string, unknown>,
  used: Set<string>,
  options: Options,
  note: Note,
): Grouping | undefined {
  const [title] = places.titles
  if (title === undefined || options.sources.length === 0) return undefined
  const names = table.names.filter((name) => !places.own.has(name))
  const valuesOf = (name: string) => table.values(name)
  const number =
    numberOfTitles(names, valuesOf, table.values(title)) ??
    numberOfModels(names, valuesOf, table.values(title), options.values)
  return number === undefined ? undefined : underNumber(number, table, places, fields, used, options, note)
}

function underNumber(
  handle: string,
  table: Table,
  places: Places,
  fields: Record<string, unknown>,
  used: Set<string>,
  options: Options,
  note: Note,
): Grouping {
  const values = table.values(handle)
  const groups = Map.groupBy(values.keys(), (row) => must(values[row]))
  const isApart = values.some((value, row) => row > 0 && value !== values[row - 1] && values.indexOf(value) < row)
  used.add(handle)
  return together(table, places, fields, options, note, {
    by: handle,
    groups: [...groups.values()],
    how: `rows of one product have the same ${JSON.stringify(handle)}`,
    more: isApart ? { anywhere: true } : {},
  })
}

/** Groups rows without a title with the row above that has one. */
function below(
  table: Table,
  places: Places,
  fields: Record<string, unknown>,
  used: Set<string>,
  options: Options,
  note: Note,
  ask: Ask,
): Grouping | undefined {
  const [title] = places.titles
  if (title === undefined) return undefined
  const titles = table.values(title)
  const keys = table.values(places.key)
  const amounts = [places.cost, places.quantity].flatMap((name) => (name === undefined ? [] : [table.values(name)]))
  const isVersion = titles.map(
    (value, row) => value === '' && keys[row] !== '' && amounts.some((column) => column[row] !== ''),
  )
  if (titles[0] === '' || !isVersion.includes(true)) return undefined
  // a few rows without a title merely lack it, in a table without options, or with a size that any article has
  const versions = isVersion.filter(Boolean).length
  if ((options.sources.length === 0 || options.isLoose) && versions < titles.length * VERSIONS_MIN) return undefined
  const isHead = (name: string) => {
    const values = table.values(name)
    return (
      !places.own.has(name) &&
      values.every((value, row) => (value === '') === (titles[row] === '')) &&
      new Set(values.filter((value) => value !== '')).size === values.filter((value) => value !== '').length
    )
  }
  const shared = table.names.find((name) => !places.own.has(name) && isOfTitles(table.values(name), titles))
  if (shared !== undefined) {
    used.add(shared)
    return together(table, places, fields, options, note, {
      by: shared,
      groups: [...Map.groupBy(keys.keys(), (row) => table.at(row, shared)).values()],
      how: `rows of one title have the same ${JSON.stringify(shared)}, and those without a title that of a row with one`,
      more: {},
    })
  }
  const heads = table.names.filter(isHead)
  const by = heads.find((name) => /(?:^|\W|_)(?:id|slug|handle)(?:$|\W|_)|ProductId/i.test(name)) ?? heads[0] ?? title
  const groups: number[][] = []
  for (const [row, value] of titles.entries()) {
    if (value === '') groups.at(-1)?.push(row)
    else groups.push([row])
  }
  used.add(by)
  if (!groups.every((rows) => isToldApart(table, rows, options.values)))
    ask(say('rows_without_title', { rows: versions, column: title }))
  return together(table, places, fields, options, note, {
    by,
    groups,
    how: 'rows without a title belong to the product above them',
    more: { continues: true },
  })
}

/** Whether options say how the rows of a product differ. */
const isToldApart = (table: Table, rows: readonly number[], options: readonly string[]) =>
  new Set(rows.map((row) => JSON.stringify(options.map((name) => table.at(row, name))))).size === rows.length

/** The least share of rows without a title from which they are versions, if no column shows how they differ. */
const VERSIONS_MIN = 0.05

/**
 * Whether a column has one value for each title: the same in consecutive rows of a title, and a different one for each other title.
 */
function isOfTitles(values: readonly string[], titles: readonly string[]): boolean {
  const titleOf = new Map<string, string>()
  for (const [row, value] of values.entries()) {
    if (value === '') return false
    const isNext = row === 0 || values[row - 1] !== value
    const [title, known] = [titles[row] ?? '', titleOf.get(value)]
    // a value that is repeated further down, or whose first row has no title, does not identify a product
    if (isNext ? known !== undefined || title === '' : title !== '' && title !== known) return false
    if (isNext) titleOf.set(value, title)
  }
  // with a single title, any constant column would pass
  return titleOf.size > 1 && new Set(titleOf.values()).size === titleOf.size
}

interface Rows {
  by: string
  groups: readonly (readonly number[])[]
  how: string
  more: Partial<Grouping>
}

/** Makes the grouping of rows with the same product, and finds the columns that they take from it. */
function together(
  table: Table,
  { key, titles, own }: Places,
  fields: Record<string, unknown>,
  options: Options,
  note: Note,
  { by, groups, how, more }: Rows,
): Grouping {
  const several = groups.filter((rows) => rows.length > 1)
  const inherit = table.names.filter(
    (name) =>
      !own.has(name) &&
      !options.values.includes(name) &&
      (name !== by || more.continues === true) &&
      several.some(
        ([first = 0, ...rest]) => table.at(first, name) !== '' && rest.some((row) => table.at(row, name) === ''),
      ),
  )
  const keys = table.values(key)
  const hasKeys = (rows: readonly number[]) => rows.some((row) => keys[row] !== '')
  const isLeftOut = several.some((rows) => hasKeys(rows) && rows.some((row) => keys[row] === ''))
  const isProduct = keys.map(() => false)
  for (const [first = 0] of several) isProduct[first] = true
  const flagged = notOf(table, isProduct, [])
  const offers: Condition[] = [
    ...(isLeftOut ? [{ column: key, notIn: [''] }] : []),
    ...(flagged === undefined ? [] : [flagged]),
  ]
  const pictures = [fields['images']].flat().flatMap((source) => columnOf(source) ?? [])
  const collect = isLeftOut
    ? pictures.filter((name) =>
        several.some((rows) => rows.some((row) => keys[row] === '' && table.at(row, name) !== '')),
      )
    : []
  const untitled =
    titles.length === 0
      ? 0
      : table.values(titles[0] ?? '').filter((value, row) => value === '' && keys[row] !== '').length
  setGroup(fields, by, options)
  const isSame = titles.some((title) =>
    several.some((rows) => {
      const own = rows.filter((row) => keys[row] !== '').map((row) => table.at(row, title))
      return own.length > 1 && new Set(own.filter((value) => value !== '')).size < own.length
    }),
  )
  if (isSame) nameVersions(fields, options)
  if (fields['group_title'] === undefined && fields['title'] !== undefined && titles[0] !== undefined)
    fields['group_title'] = titles[0]
  note('group', `${how}${untitled === 0 ? '' : `: ${untitled} of ${keys.length} rows would have no title without it`}`)
  const kept = inherit.filter((name) => !collect.includes(name))
  return {
    by,
    ...more,
    ...(kept.length > 0 ? { inherit: kept } : {}),
    ...(collect.length > 0 ? { collect } : {}),
    ...(offers.length > 1 ? { offers } : offers[0] === undefined ? {} : { offers: offers[0] }),
  }
}

/** The option value of the only version of a product. */
const ONLY = 'Default Title'

function setGroup(fields: Record<string, unknown>, by: string, options: Options): void {
  // a version may have only a later one of the options
  fields['group_key'] =
    options.values.length === 0 || options.isLoose
      ? by
      : options.values.reduceRight<unknown>(
          (other, option) => ({ when: { column: option, notIn: ['', ONLY] }, use: by, else: other }),
          { constant: '' },
        )
  if (options.sources.length > 0) fields['group_options'] = options.sources
}

/** Adds the option values to titles that versions share. */
function nameVersions(fields: Record<string, unknown>, { values, isLoose, packed }: Options): void {
  if (values.length === 0) return
  const spelled =
    packed === undefined
      ? {}
      : {
          replace: [
            [packed.assign, ' '],
            [packed.pair, ', '],
          ],
        }
  const parts = values.map((column) => (isLoose ? column : { column, ...spelled, values: { [ONLY]: '' } }))
  for (const field of Object.keys(fields).filter(isTitle))
    fields[field] = { join: [fields[field], { join: parts, with: ' / ' }], with: ' - ' }
}
