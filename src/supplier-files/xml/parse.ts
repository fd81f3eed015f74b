import { SaxesParser } from 'saxes'
import { ShelfwireError } from '../../platform/errors.ts'
import { CategoryTree } from '../category-tree.ts'
import type { CategorySettings } from '../mapping/mapping.ts'
import { memberLookup, UNFINISHED_ROWS, unreadable, type RawRow, type ReadLimits, type Row } from '../rows.ts'
import { BareAmpersands } from './bare-ampersands.ts'
import { ENTITIES } from './entities.ts'
import { elementText, listOf, localName, memberOf } from './names.ts'

/** The names of the elements from the root to an element, both included. */
export type ElementPath = readonly string[]

/** An element that is a record. `value`: its text, or an object of its members as in parseXml. */
export interface XmlRecord {
  path: ElementPath
  line: number
  /** Null for a record that is too long. */
  value: unknown
}

/**
 * Parses an XML document into rows: the elements at the path `items` (`catalog.products.product`, where `*` is any name), or without a
 * path the children of the root. A row has a member for each child, a list where one is repeated, `@name` for each attribute, and `#text`
 * for the text of an element that has other members. Names are as in the file, with their prefixes. Entities that the document declares
 * are never expanded. With `categories`, a row also has the path of its category as `#category`. Yields the rows of one chunk at a time.
 * @throws ShelfwireError `source-unreadable` for a document that is not well-formed, cut off, or has no element at the path
 */
export async function* parseXml(
  text: AsyncIterable<string>,
  options: { items: string | undefined; categories?: CategorySettings | undefined; limits: ReadLimits },
): AsyncGenerator<RawRow[]> {
  const { items, limits } = options
  const categories =
    options.categories === undefined ? undefined : { ...options.categories, idsOf: memberLookup(options.categories.of) }
  const path = items?.split('.') ?? ['*', '*']
  const isArticle = isAtPath(path)
  const isCategory = categories === undefined ? () => false : isAtPath(categories.items.split('.'))
  const tree = new CategoryTree(limits.importCatalogGroupsBytesMax)
  let count = 0
  for await (const records of parseRecords(text, (at) => isArticle(at) || isCategory(at), limits)) {
    const rows: RawRow[] = []
    for (const record of records) {
      if (categories === undefined) rows.push(rowOf(record, limits.importRowBytesMax))
      else if (isArticle(record.path))
        rows.push(withCategory(rowOf(record, limits.importRowBytesMax), tree, categories.idsOf))
      else takeCategory(tree, record.value, categories)
    }
    count += rows.length
    if (rows.length > 0) yield rows
  }
  if (count === 0)
    throw unreadable(
      `line 1: there is no element at ${JSON.stringify(path.join('.'))}: give the path of the products with "items" in the mapping`,
    )
}

/** Returns a function that tells whether an element is at this path of a mapping, in which `*` is any name. */
export const isAtPath = (path: readonly string[]) => (at: ElementPath) =>
  at.length === path.length && path.every((name, i) => name === '*' || name === at[i])

/** Keeps a category, which is a record without a row. One that is too long is left out. */
export function takeCategory(
  tree: CategoryTree,
  value: unknown,
  { id, name, parent }: Pick<CategorySettings, 'id' | 'name' | 'parent'>,
): void {
  const text = (member: string) => elementText(member === '#text' ? value : memberOf(value, member))
  tree.take(text(id), { name: text(name), parent: parent === undefined ? '' : text(parent), isRoot: false })
}

/** The member of a row with the path of its category. */
export const CATEGORY_MEMBER = '#category'

/** A row with the path of the first of its categories that the file has. Without any category before it, the row has no such member. */
function withCategory(raw: RawRow, tree: CategoryTree, idsOf: (row: Row) => unknown): RawRow {
  if (!('row' in raw) || tree.size === 0) return raw
  const ids = listOf(idsOf(raw.row)).map(elementText)
  const known = ids.find((id) => tree.has(id))
  return {
    line: raw.line,
    row: {
      ...(raw.row as Readonly<Record<string, unknown>>),
      [CATEGORY_MEMBER]: known === undefined ? '' : tree.path(known),
    },
  }
}

/** The row of a record; a record that is only text has it as the member `#text`. */
export function rowOf({ line, value }: XmlRecord, rowBytesMax: number): RawRow {
  if (value === null) return { line, fault: `is longer than ${rowBytesMax} bytes` }
  return { line, row: typeof value === 'object' ? (value as Record<string, unknown>) : { '#text': value } }
}

/**
 * Parses the elements for which `isRecord` holds, in the order of the document; records do not contain each other.
 * @param isLocal whether names in paths and records are without their namespace prefixes
 */
export async function* parseRecords(
  text: AsyncIterable<string>,
  isRecord: (path: ElementPath) => boolean,
  limits: ReadLimits,
  isLocal = false,
): AsyncGenerator<XmlRecord[]> {
  const reader = new XmlReader(isRecord, limits, isLocal)
  for await (const piece of text) {
    const records = reader.take(piece)
    if (records.length > 0) yield records
  }
  reader.end()
}

/** An element whose end tag has not been read yet, with its content so far. */
interface OpenElement {
  name: string
  hasPrefix: boolean
  members: Record<string, unknown> | undefined
  /** Members whose names had a prefix. */
  prefixed: Set<string> | undefined
  text: string
  /** How many different names its attributes and children have so far. */
  names: number
}

class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: false })
  readonly #isRecord: (path: ElementPath) => boolean
  readonly #limits: ReadLimits
  readonly #isLocal: boolean
  readonly #path: string[] = []
  /** The open elements of the current record, outermost first. */
  readonly #open: OpenElement[] = []
  #records: XmlRecord[] = []
  #recordLine = 0
  #recordStart = 0
  /** How many elements and attributes the current record has so far. */
  #values = 0
  #attributes = 0
  /** Where the last tag, text or comment ended. A construct without an end grows in memory, so its length is limited. */
  #lastEvent = 0
  readonly #ampersands = new BareAmpersands()

  constructor(isRecord: (path: ElementPath) => boolean, limits: ReadLimits, isLocal: boolean) {
    this.#isRecord = isRecord
    this.#limits = limits
    this.#isLocal = isLocal
    const parser = this.#parser
    parser.ENTITIES = ENTITIES
    parser.on('error', (error) => {
      throw unreadable(
        `line ${parser.line}: not well-formed XML: ${error.message.replace(/^\d+:\d+: /, '').replace('entity.', 'entity. A bare "&" is written "&amp;".')}`,
        error,
      )
    })
    // with one more handler, V8 keeps the parser's fields in a dictionary, and reading takes 1.8 times as long (measured)
    parser.on('attribute', ({ value }) => this.#attribute(value))
    parser.on('opentag', ({ name, attributes }) => this.#opened(name, attributes))
    parser.on('closetag', () => this.#closed())
    parser.on('text', (part) => this.#text(part))
    parser.on('cdata', (part) => this.#text(part))
    parser.on('comment', () => (this.#lastEvent = parser.position))
  }

  take(piece: string): XmlRecord[] {
    this.#records = []
    // blank lines before the declaration are a common error, and harmless
    const text = this.#ampersands.take(this.#parser.position === 0 ? piece.trimStart() : piece)
    if (text === '') return []
    this.#write(text)
    const max = this.#limits.importRowBytesMax * UNFINISHED_ROWS
    const from = this.#open.length > 0 ? this.#recordStart : this.#lastEvent
    if (this.#parser.position - from > max)
      throw unreadable(
        `line ${this.#parser.line}: no element ends within ${max} bytes: the file is damaged, or the path of the products is wrong`,
      )
    return this.#records
  }

  #write(text: string): void {
    try {
      this.#parser.write(text)
    } catch (error) {
      throw this.#refusal(error)
    }
  }

  end(): void {
    this.#write(this.#ampersands.rest())
    try {
      this.#parser.close()
    } catch (error) {
      if (this.#path.length > 0 || this.#parser.position === 0)
        throw unreadable(
          `line ${this.#parser.line}: the file is cut off: <${this.#path.at(-1) ?? ''}> is not closed; fetch it again`,
          error,
        )
      throw this.#refusal(error)
    }
  }

  #opened(stated: string, attributes: Record<string, string>): void {
    this.#lastEvent = this.#parser.position
    const names = this.#attributes
    this.#attributes = 0
    const name = this.#isLocal ? localName(stated) : stated
    this.#path.push(name)
    const { importDepthMax } = this.#limits
    if (this.#path.length > importDepthMax)
      throw unreadable(`line ${this.#parser.line}: elements are nested more than ${importDepthMax} deep`)
    if (this.#open.length === 0) {
      if (!this.#isRecord(this.#path)) return
      this.#values = 0
      this.#recordLine = this.#parser.line
      this.#recordStart = this.#parser.position
    }
    let members: Record<string, unknown> | undefined
    for (const attribute in attributes) {
      members ??= emptyMembers()
      members[`@${this.#isLocal ? localName(attribute) : attribute}`] = attributes[attribute]
    }
    this.#count(1 + names)
    this.#open.push({ name, hasPrefix: name.length < stated.length, members, prefixed: undefined, text: '', names })
  }

  #closed(): void {
    this.#lastEvent = this.#parser.position
    const element = this.#open.pop()
    if (element !== undefined) {
      const value = valueOf(element)
      const parent = this.#open.at(-1)
      if (parent === undefined) this.#record(value)
      else {
        addMember(parent, element, value)
        if (parent.names > this.#limits.importColumnsMax)
          throw unreadable(
            `line ${this.#parser.line}: <${parent.name}> has more than ${this.#limits.importColumnsMax} different members`,
          )
      }
    }
    this.#path.pop()
  }

  #record(value: unknown): void {
    const length = this.#parser.position - this.#recordStart
    this.#records.push({
      path: [...this.#path],
      line: this.#recordLine,
      value: length > this.#limits.importRowBytesMax ? null : value,
    })
  }

  #text(part: string): void {
    this.#lastEvent = this.#parser.position
    const element = this.#open.at(-1)
    if (element === undefined) return
    element.text += part
    if (element.text.length > this.#limits.importCellCharactersMax) throw this.#tooLong(`<${element.name}>`)
  }

  #attribute(value: string): void {
    const { importColumnsMax, importCellCharactersMax } = this.#limits
    if (++this.#attributes > importColumnsMax)
      throw unreadable(`line ${this.#parser.line}: an element has more than ${importColumnsMax} attributes`)
    if (value.length > importCellCharactersMax) throw this.#tooLong('an attribute')
  }

  /** Counts elements and attributes of the current record. @throws ShelfwireError `source-unreadable` beyond the limit */
  #count(values: number): void {
    this.#values += values
    const { importRowValuesMax } = this.#limits
    if (this.#values > importRowValuesMax)
      throw unreadable(
        `line ${this.#recordLine}: the record that starts here has more than ${importRowValuesMax} elements and attributes: is the path of the products wrong?`,
      )
  }

  #tooLong(what: string): Error {
    const { importCellCharactersMax } = this.#limits
    return unreadable(`line ${this.#parser.line}: ${what} is longer than ${importCellCharactersMax} characters`)
  }

  #refusal(error: unknown): Error {
    if (error instanceof ShelfwireError) return error
    return unreadable(
      `line ${this.#parser.line}: not well-formed XML: ${error instanceof Error ? error.message : String(error)}`,
      error,
    )
  }
}

/**
 * Creates objects that inherit nothing, because an element may be called `__proto__`. A constructor makes them faster than
 * `Object.create(null)` does.
 */
const Members = function Members() {} as unknown as new () => Record<string, unknown>
Members.prototype = Object.create(null)
const emptyMembers = () => new Members()

/** A CDATA section that was escaped like text; its content is meant. */
const ESCAPED_CDATA = /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/

function valueOf({ members, text: stated }: OpenElement): unknown {
  const text = stated.includes('<![CDATA[') ? (ESCAPED_CDATA.exec(stated)?.[1] ?? stated) : stated
  if (members === undefined) return text
  if (text.trim() !== '') members['#text'] = text.trim()
  return members
}

/** Adds a member. Of two elements with the same local name, the one with a prefix counts: in RSS, `g:title` and not `title`. */
function addMember(parent: OpenElement, { name, hasPrefix }: OpenElement, value: unknown): void {
  const members = (parent.members ??= emptyMembers())
  const before = members[name]
  if (hasPrefix) {
    const isFirst = parent.prefixed?.has(name) !== true
    if (isFirst) (parent.prefixed ??= new Set()).add(name)
    if (isFirst && before !== undefined) {
      members[name] = value
      return
    }
  } else if (parent.prefixed?.has(name) === true) return
  if (before === undefined) {
    members[name] = value
    parent.names++
  } else if (Array.isArray(before)) before.push(value)
  else members[name] = [before, value]
}
