import { MUST } from '../../../contract/values.ts'
import { tooMany } from '../../input/list.ts'
import { readKey, readOptionalText } from '../../input/text.ts'
import { quoted } from '../../input/verdict.ts'
import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import type { OfferAttribute } from '../../model/offer.ts'
import { compileCell, compileList, type ReadCell } from './cells.ts'
import type { AttributeSource, PackedSource, ParallelSource } from '../mapping/mapping.ts'
import { attributeNumber, type DecimalSign } from '../numbers.ts'
import { unpack } from './packed.ts'
import { compilePattern } from '../mapping/pattern.ts'
import { countWork } from '../row-work.ts'
import { memberLookup, textOf, type Lookup, type Row } from '../rows.ts'

/** Up to this many attributes are searched one by one for a key; for more, a set of the keys is kept. */
const LOOKED_THROUGH_MAX = 16

/** Collects the attributes of a row. Most rows have a few, for which creating a map would take longer than everything else. */
class Found {
  /** In the order in which they were found; each key occurs once. */
  readonly attributes: OfferAttribute[] = []
  #keys: Set<string> | undefined
  /** Keys whose values cannot be read; undefined in most rows. */
  unreadable: Set<string> | undefined
  /** A fault may concern any key. */
  isAnyUnreadable = false

  has(key: string): boolean {
    const { attributes } = this
    if (attributes.length > LOOKED_THROUGH_MAX)
      return (this.#keys ??= new Set(attributes.map((attribute) => attribute.key))).has(key)
    for (const attribute of attributes) if (attribute.key === key) return true
    return false
  }

  /** Adds an attribute whose key has not been added yet. */
  add(key: string, value: string): void {
    this.attributes.push({ key, value })
    this.#keys?.add(key)
  }
}

/** Adds the attributes of one source of the mapping. @returns whether the row has the source at all */
type AddAttributes = (row: Row, found: Found, faults: Fault[]) => boolean

/**
 * The attributes of a row. `unreadable`: the keys whose values cannot be read; `all`: any key that was not found may be one of
 * them.
 */
export interface ReadAttributes {
  attributes: OfferAttribute[]
  unreadable?: readonly string[] | 'all'
}

/**
 * Reads all attributes of a row in the order of the mapping; the first value of a key counts. Undefined if the row has none of
 * the sources.
 */
export function compileAttributes(
  sources: readonly AttributeSource[],
  lookup: Lookup,
  sign: DecimalSign,
): (row: Row, faults: Fault[]) => ReadAttributes | undefined {
  const adders = sources.map((source) => compileSource(source, lookup, sign))
  const max = LIMITS.attributesPerProductMax
  return (row, faults) => {
    const found = new Found()
    let hasSource = false
    for (const add of adders) if (add(row, found, faults)) hasSource = true
    if (!hasSource) return undefined
    const count = found.attributes.length
    const attributes = count > max ? found.attributes.slice(0, max) : found.attributes
    if (count > max) faults.push({ name: 'attributes', reason: `${tooMany(count, max)}; the first ${max} are taken` })
    if (found.isAnyUnreadable) return { attributes, unreadable: 'all' }
    if (found.unreadable === undefined) return { attributes }
    const unreadable = [...found.unreadable].filter((key) => !found.has(key))
    return unreadable.length === 0 ? { attributes } : { attributes, unreadable }
  }
}

/** Wraps a source with keys from the file. If it has more faults than unreadable keys, a fault may concern any key. */
function trackingFaults(add: AddAttributes): AddAttributes {
  return (row, found, faults) => {
    const before = faults.length
    const known = found.unreadable?.size ?? 0
    const hasSource = add(row, found, faults)
    if (faults.length - before > (found.unreadable?.size ?? 0) - known) found.isAnyUnreadable = true
    return hasSource
  }
}

function compileSource(source: AttributeSource, lookup: Lookup, sign: DecimalSign): AddAttributes {
  if ('packed' in source) return trackingFaults(compilePacked(source, lookup, sign))
  if ('object' in source) return trackingFaults(compileObject(source, lookup, sign))
  if ('list' in source) return trackingFaults(compileNamed(source, lookup, sign))
  if ('pairs' in source) return trackingFaults(compilePairs(source, lookup, sign))
  if ('names' in source) return trackingFaults(compileParallel(source, lookup, sign))
  const { key, ...rest } = source
  // "number": false keeps a text unchanged, even if it looks like a number
  const isText = 'column' in rest && rest.number === false
  const written = isText ? '.' : sign
  const read = compileCell(rest, { name: `attributes.${key}`, lookup, sign, written })
  return (row, found, faults) => {
    const before = faults.length
    const value = read(row, faults)
    if (faults.length > before) {
      noteUnreadable(found, key)
      return true
    }
    if (value === undefined) return false
    if (value !== '' && !found.has(key)) addValue(key, isText ? value : attributeNumber(value, sign), found, faults)
    return true
  }
}

function compilePacked(source: PackedSource, lookup: Lookup, sign: DecimalSign): AddAttributes {
  const name = `attributes.${source.packed}`
  const column = { column: source.packed, optional: source.optional === true }
  const read = compileCell(column, { name, lookup, sign, written: sign })
  const pattern = source.capture === undefined ? undefined : compilePattern(source.capture)
  const wanted = compileFilter(source)
  return (row, found, faults) => {
    const text = read(row, faults)
    if (text === undefined) return false
    countWork(text.length)
    const pairs = text === '' ? [] : unpack(text, source)
    if (pairs === undefined) {
      faults.push({ name, reason: `${quoted(text)} does not start with a key and ${JSON.stringify(source.assign)}` })
      return true
    }
    const values = pattern === undefined ? pairs : pairs.map(([key, value]) => [key, pattern.capture(value)] as const)
    addAll(values, source.with, wanted, sign, found, faults)
    return true
  }
}

function compileObject(
  source: Extract<AttributeSource, { object: string }>,
  lookup: Lookup,
  sign: DecimalSign,
): AddAttributes {
  const get = lookup(source.object)
  const wanted = compileFilter(source)
  return (row, found, faults) => {
    const object = get(row)
    if (object === undefined) return false
    if (object === null) return true
    if (typeof object !== 'object' || Array.isArray(object)) {
      faults.push({ name: `attributes.${source.object}`, reason: MUST.object })
      return true
    }
    for (const [key, value] of Object.entries(object)) {
      countWork(1)
      if (!wanted(key)) continue
      const text: unknown = textOf(value) ?? value
      if (typeof text === 'string') add(key.trim(), attributeNumber(text.trim(), sign), found, faults)
      else if (typeof text === 'number' || typeof text === 'boolean') add(key.trim(), String(text), found, faults)
    }
    return true
  }
}

/**
 * Reads a list of objects with a name, a value and perhaps a unit, as in `[{"name": "Weight", "value": "2", "unit": "kg"}]`.
 */
function compileNamed(
  source: Extract<AttributeSource, { list: string }>,
  lookup: Lookup,
  sign: DecimalSign,
): AddAttributes {
  const get = lookup(source.list)
  const inner = { name: `attributes.${source.list}`, lookup: memberLookup, sign, written: sign }
  const name = compileCell(source.name, inner)
  const values = compileList(source.value, inner)
  const unit = source.unit === undefined ? undefined : compileCell(source.unit, inner)
  const wanted = compileFilter(source)
  return (row, found, faults) => {
    const list = get(row)
    if (list === undefined) return false
    const pairs: [string, string][] = []
    for (const member of Array.isArray(list) ? (list as unknown[]) : [list]) {
      countWork(1)
      if (typeof member !== 'object' || member === null) continue
      const key = name(member as Row, faults) ?? ''
      const suffix = unit?.(member as Row, faults) ?? ''
      for (const value of values(member as Row, faults) ?? [])
        if (key !== '') pairs.push([key, withUnit(value, suffix)])
    }
    addAll(pairs, source.with, wanted, sign, found, faults)
    return true
  }
}

const withUnit = (value: string, unit: string) => (value === '' || unit === '' ? value : `${value} ${unit}`)

/** The highest number of a pair of columns in a table. */
const PAIRS_MAX = 500

/** Reads numbered pairs of columns such as `Attribute 1 name` and `Attribute 1 value`, as many as the table has. */
function compilePairs(
  source: Extract<AttributeSource, { pairs: string }>,
  lookup: Lookup,
  sign: DecimalSign,
): AddAttributes {
  const columns = lookup.columns === undefined ? undefined : new Set(lookup.columns)
  const wanted = compileFilter(source)
  const numbered = (template: string, n: number) => template.replaceAll('{n}', String(n))
  const readers: { name: ReadCell; value: ReadCell; unit: ReadCell | undefined }[] = []
  for (let n = 0; n <= PAIRS_MAX; n++) {
    const [name, value] = [numbered(source.pairs, n), numbered(source.value, n)]
    if (columns === undefined ? n > PAIRS_OF_MEMBERS_MAX : !columns.has(name) || !columns.has(value)) continue
    const read = (column: string) => compileCell(column, { name: `attributes.${column}`, lookup, sign, written: sign })
    const unit = source.unit === undefined ? undefined : numbered(source.unit, n)
    const hasUnit = unit !== undefined && (columns === undefined || columns.has(unit))
    readers.push({ name: read(name), value: read(value), unit: hasUnit ? read(unit) : undefined })
  }
  return (row, found, faults) => {
    let hasSource = false
    for (const { name, value, unit } of readers) {
      const key = name(row, faults)
      if (key === undefined) continue
      hasSource = true
      const text = withUnit(value(row, faults) ?? '', unit?.(row, faults) ?? '')
      if (key !== '' && wanted(key)) add(key, attributeNumber(text, sign), found, faults)
    }
    return hasSource
  }
}

/** The highest number in formats whose rows are objects, because they have no list of columns to look into. */
const PAIRS_OF_MEMBERS_MAX = 50

/** Reads keys in one cell and their values in another, both in the same order. */
function compileParallel(source: ParallelSource, lookup: Lookup, sign: DecimalSign): AddAttributes {
  const { between, cut } = source
  const read = (column: string) =>
    compileCell(
      { column, optional: source.optional === true },
      { name: `attributes.${column}`, lookup, sign, written: sign },
    )
  const [names, values] = [read(source.names), read(source.values)]
  const wanted = compileFilter(source)
  const until = (text: string, at: number) => (at < 0 ? text : text.slice(0, at)).trim()
  return (row, found, faults) => {
    const [keys, texts] = [names(row, faults), values(row, faults)]
    if (keys === undefined || texts === undefined) return false
    countWork(keys.length + texts.length)
    if (keys === '' || texts === '') return true
    const [named, stated] = [keys.split(between), texts.split(between)]
    if (named.length !== stated.length) {
      faults.push({
        name: `attributes.${source.values}`,
        reason: `${quoted(texts)} has ${stated.length} values, but ${quoted(keys)} ${named.length} names`,
      })
      return true
    }
    const pairs = named.map((name, i): [string, string] => {
      const text = must(stated[i])
      return [
        until(name, cut === undefined ? -1 : name.indexOf(cut)),
        until(text, cut === undefined ? -1 : text.lastIndexOf(cut)),
      ]
    })
    addAll(
      pairs.filter(([key]) => key !== ''),
      undefined,
      wanted,
      sign,
      found,
      faults,
    )
    return true
  }
}

/** Adds the pairs of one source; different values of a repeated key are joined. */
function addAll(
  pairs: readonly (readonly [string, string])[],
  between: string | undefined,
  wanted: (key: string) => boolean,
  sign: DecimalSign,
  found: Found,
  faults: Fault[],
): void {
  // a set only for repeated keys, which are rare
  const own = new Map<string, string | Set<string>>()
  for (const [key, text] of pairs) {
    if (!wanted(key) || text === '') continue
    const values = own.get(key)
    const value = attributeNumber(text, sign)
    if (values === undefined) own.set(key, value)
    else if (typeof values !== 'string') values.add(value)
    else if (values !== value) own.set(key, new Set([values, value]))
  }
  for (const [key, values] of own)
    add(key, typeof values === 'string' ? values : [...values].join(between ?? ', '), found, faults)
}

function compileFilter({
  only,
  except,
}: {
  only?: readonly string[]
  except?: readonly string[]
}): (key: string) => boolean {
  const kept = only === undefined ? undefined : new Set(only)
  const left = new Set(except)
  return (key) => (kept === undefined || kept.has(key)) && !left.has(key)
}

/** Adds an attribute with a key from the file, which is checked here; keys from the mapping were checked with it. */
function add(key: string, value: string, found: Found, faults: Fault[]): void {
  if (value === '' || found.has(key)) return
  const verdict = readKey(key, LIMITS.attributeKeyLengthMax)
  if ('value' in verdict) addValue(key, value, found, faults)
  else faults.push({ name: 'attributes', reason: `a key ${verdict.reason}` })
}

/** Adds an attribute unless its value is empty or cannot be read. */
function addValue(key: string, value: string, found: Found, faults: Fault[]): void {
  const verdict = readOptionalText(value, LIMITS.attributeValueLengthMax)
  if ('reason' in verdict) {
    noteUnreadable(found, key)
    faults.push({ name: `attributes.${key}`, reason: verdict.reason })
  } else if (verdict.value !== null) found.add(key, verdict.value)
}

function noteUnreadable(found: Found, key: string): void {
  ;(found.unreadable ??= new Set()).add(key)
}
