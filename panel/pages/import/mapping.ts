import { isByLocale, MAPPED_ALTS, MAPPED_FIELDS, MAPPED_GROUP_FIELDS } from '../../../contract/product-fields.ts'
import { isObject } from '../../resources/is-object.ts'

// A mapping as JSON, and how the form reads and changes it. Members that the form does not show are kept.

export type Doc = Readonly<Record<string, unknown>>
/** The source of a value: the name of a column, or an object of one of several kinds. */
export type Source = string | Doc
export type SourceKind = 'column' | 'constant' | 'join' | 'first' | 'when' | 'calc' | 'sum' | 'tiers'

/** Whether a field of a mapping is a text with a language in its name, such as `title.pl`. */
export function isLocalText(field: string): boolean {
  const at = field.indexOf('.')
  return at > 0 && isByLocale(field.slice(0, at))
}
/** The fields of the variant group. */
export const VARIANT_FIELDS = [...MAPPED_GROUP_FIELDS, 'group_options'] as const
const SHOWN_FIELDS: readonly string[] = [...MAPPED_FIELDS, MAPPED_ALTS, ...VARIANT_FIELDS, 'attributes']
export const isMany = (field: string) => field === 'ean' || field === 'images' || field === MAPPED_ALTS

/** Settings on which the names of the columns depend. */
const FILE_SETTINGS = [
  'format',
  'delimiter',
  'quote',
  'encoding',
  'header',
  'skipLines',
  'headerLines',
  'shortRows',
  'file',
  'sheet',
  'table',
  'items',
  'categories',
  'each',
]

export const fieldsOf = (doc: Doc): Doc => (isObject(doc['fields']) ? doc['fields'] : {})

/** The document with a member set, or removed if the value is undefined. */
export function withMember(doc: Doc, name: string, value: unknown): Doc {
  if (value !== undefined) return { ...doc, [name]: value }
  const { [name]: _, ...rest } = doc
  return rest
}

/**
 * The mapping with another source of a field. Removing a field of a ready mapping sets it to null. A column that becomes a field is
 * removed from the proposed attributes with its own name, because stores would read a supplier's cost as an attribute.
 */
export function withField(doc: Doc, field: string, source: unknown): Doc {
  const left = source === undefined && doc['preset'] !== undefined ? null : source
  const changed = { ...doc, fields: withMember(fieldsOf(doc), field, left) }
  const column = field === 'attributes' ? undefined : columnOf(source)
  const attributes = fieldsOf(doc)['attributes']
  if (column === undefined || !Array.isArray(attributes)) return changed
  const kept = attributes.filter((one) => !isObject(one) || one['key'] !== column || one['column'] !== column)
  return kept.length === attributes.length
    ? changed
    : withField(changed, 'attributes', kept.length === 0 ? undefined : kept)
}

/** Whether a source, or one of several, is just this column. */
const isOf = (source: unknown, column: string): boolean =>
  Array.isArray(source) ? source.some((one) => columnOf(one) === column) : columnOf(source) === column

/** The field that is just this column, for the form's view by column; the first of several. */
export const fieldOfColumn = (doc: Doc, column: string): string | undefined =>
  Object.keys(fieldsOf(doc)).find((field) => isOf(fieldsOf(doc)[field], column))

/**
 * The mapping in which a column is used for another field than before. A field of several values adds the column; any other field is now taken
 * from it alone.
 * @param field undefined: the column is not used
 */
export function withColumnAs(doc: Doc, column: string, field: string | undefined): Doc {
  const before = fieldOfColumn(doc, column)
  if (before === field) return doc
  const left = before === undefined ? doc : withoutColumn(doc, before, column)
  if (field === undefined) return left
  const source = fieldsOf(left)[field] ?? undefined
  if (field === 'attributes') return withField(left, field, [...listOf(source), { key: column, column }])
  return withField(
    left,
    field,
    isMany(field) && source !== undefined ? [...listOf(source), column] : withColumn(source, column),
  )
}

const listOf = (source: unknown): unknown[] => (source === undefined ? [] : Array.isArray(source) ? source : [source])

function withoutColumn(doc: Doc, field: string, column: string): Doc {
  const kept = listOf(fieldsOf(doc)[field]).filter((one) => columnOf(one) !== column)
  return withField(doc, field, kept.length === 0 ? undefined : kept)
}

/**
 * A mapping that reads the file in the same way, whatever its columns are.
 * @param headerLine the detected line of column names
 */
export function columnsMapping(doc: Doc, headerLine: number | null = null): Doc {
  const settings = FILE_SETTINGS.flatMap((name) => (doc[name] === undefined ? [] : [[name, doc[name]] as const]))
  const found = headerLine === null || headerLine < 2 ? {} : { skipLines: headerLine - 1 }
  return { ...found, ...Object.fromEntries(settings), fields: { sku: { constant: '-' } } }
}

export function kindOf(source: unknown): SourceKind | 'other' {
  if (typeof source === 'string') return 'column'
  if (!isObject(source)) return 'other'
  const kinds: readonly SourceKind[] = ['column', 'constant', 'join', 'first', 'when', 'calc', 'sum', 'tiers']
  return kinds.find((kind) => kind in source) ?? 'other'
}

/** The column of a source that is one column, with or without steps. */
export function columnOf(source: unknown): string | undefined {
  if (typeof source === 'string') return source
  return isObject(source) && typeof source['column'] === 'string' ? source['column'] : undefined
}

/** The same source with another column; its steps are kept. */
export const withColumn = (source: unknown, column: string): Source =>
  isObject(source) && 'column' in source ? { ...source, column } : column

/** All columns that a part of a mapping names. */
export function columnsIn(value: unknown, isSource = true): string[] {
  if (typeof value === 'string') return isSource ? [value] : []
  if (Array.isArray(value)) return value.flatMap((member) => columnsIn(member, isSource))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (['column', 'packed', 'object', 'list', 'tiers', 'names', 'values'].includes(name))
      return typeof member === 'string' ? [member] : []
    if (name === 'of' && isObject(member)) return Object.values(member).flatMap((one) => columnsIn(one))
    // several sources, or the name of a list
    if (name === 'sum') return columnsIn(member)
    return ['join', 'first', 'when', 'use', 'else', 'where'].includes(name) ? columnsIn(member, name !== 'when') : []
  })
}

/**
 * Whether a part of a mapping reads a column: by its name, as a member of a group that it reads, or as one of numbered
 * columns.
 */
export function reads(part: unknown, column: string): boolean {
  if (Array.isArray(part)) return part.some((member) => reads(member, column))
  if (isObject(part) && ['pairs', 'value', 'unit'].some((name) => isNumbered(part[name], column))) return true
  const isGroup = isObject(part) && ('list' in part || 'object' in part)
  return columnsIn(part).some((name) => name === column || (isGroup && column.startsWith(`${name}.`)))
}

/** "Option1 Name" matches "Option{n} Name". */
function isNumbered(template: unknown, column: string): boolean {
  if (typeof template !== 'string' || !template.includes('{n}')) return false
  const [before = '', after = ''] = template.split('{n}')
  const number = column.slice(before.length, column.length - after.length)
  return column.startsWith(before) && column.endsWith(after) && /^\d+$/.test(number)
}

/** A source of another kind, with the column of the given one. */
export function asKind(source: unknown, kind: SourceKind): Source {
  const [column = ''] = columnsIn(source)
  switch (kind) {
    case 'column':
      return column
    case 'constant':
      return { constant: '' }
    case 'join':
      return { join: [column], with: ' ' }
    case 'first':
      return { first: [column] }
    case 'when':
      return { when: { column, empty: false }, use: column }
    case 'calc':
      return { calc: 'a', of: { a: column } }
    case 'sum':
      return { sum: [column] }
    case 'tiers':
    default:
      return { tiers: column, price: 'price' }
  }
}

/** Settings and fields of a mapping that the form does not show. */
export function settingsNotShown(doc: Doc): string[] {
  const shown = [
    ...FILE_SETTINGS,
    'decimal',
    'locale',
    'imageBaseUrl',
    'fields',
    'skip',
    'group',
    'availability',
    '$schema',
    'preset',
  ]
  const fields = Object.keys(fieldsOf(doc)).filter((name) => !SHOWN_FIELDS.includes(name) && !isLocalText(name))
  return [...Object.keys(doc).filter((name) => !shown.includes(name)), ...fields.map((name) => `fields.${name}`)]
}

export interface Fault {
  name: string
  reason: string
}

/** Faults of a member of the mapping, and of its parts. */
export const faultsAt = (faults: readonly Fault[], path: string): Fault[] =>
  faults.filter(({ name }) => name === path || name.startsWith(`${path}.`))

/** The line, from 1, at which a member begins in formatted JSON, by its dotted path. Names may contain dots. */
export function lineOf(doc: Doc, path: string): number {
  const lines = JSON.stringify(doc, null, 2).split('\n')
  let line = 0
  let value: unknown = doc
  let rest = path
  let depth = 1
  while (rest !== '') {
    if (typeof value !== 'object' || value === null) break
    const names = Object.keys(value)
    const name = names
      .filter((one) => rest === one || rest.startsWith(`${one}.`))
      .sort((a, b) => b.length - a.length)[0]
    if (name === undefined) break
    const indent = ' '.repeat(2 * depth)
    const own = Array.isArray(value)
      ? -1
      : lines.findIndex((text, i) => i > line && text.startsWith(`${indent}${JSON.stringify(name)}:`))
    if (Array.isArray(value)) {
      // list entries have no names: counts the entries that begin at this depth
      let left = Number(name)
      let at = line
      while (at + 1 < lines.length) {
        at++
        const text = lines[at] ?? ''
        if (text.startsWith(indent) && !/^[ \]}]/.test(text.slice(indent.length)) && left-- === 0) break
      }
      line = at
    } else if (own === -1) break
    else line = own
    value = (value as Record<string, unknown>)[name]
    rest = rest.slice(name.length + 1)
    depth++
  }
  return line + 1
}
