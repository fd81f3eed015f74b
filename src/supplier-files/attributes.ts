import { MUST } from '../../contract/values.ts'
import { tooMany } from '../input/list.ts'
import { readKey, readOptionalText } from '../input/text.ts'
import { quoted } from '../input/verdict.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { OfferAttribute } from '../model/offer.ts'
import { compileCell } from './cells.ts'
import type { AttributeSource } from './mapping.ts'
import { unpack } from './packed.ts'
import type { Lookup, Row } from './rows.ts'

/** Adds what one source of the mapping gives; tells whether the row has that source at all. */
type AddAttributes = (row: Row, found: Map<string, string>, faults: Fault[]) => boolean

/** Reads all attributes of a row in mapping order, the first of a key wins; undefined where the row has none of the sources. */
export function compileAttributes(
  sources: readonly AttributeSource[],
  lookup: Lookup,
): (row: Row, faults: Fault[]) => OfferAttribute[] | undefined {
  const adders = sources.map((source) => compileSource(source, lookup))
  return (row, faults) => {
    const found = new Map<string, string>()
    let present = false
    for (const add of adders) if (add(row, found, faults)) present = true
    if (!present) return undefined
    if (found.size > LIMITS.attributesPerProductMax) {
      faults.push({
        name: 'attributes',
        reason: tooMany(found.size, LIMITS.attributesPerProductMax),
      })
    }
    return Array.from(found, ([key, value]) => ({ key, value }))
  }
}

function compileSource(source: AttributeSource, lookup: Lookup): AddAttributes {
  if ('packed' in source) return compilePacked(source, lookup)
  if ('object' in source) return compileObject(source, lookup)
  const { key, ...rest } = source
  const read = compileCell(rest, { name: `attributes.${key}`, lookup, point: '.' })
  return (row, found, faults) => {
    const value = read(row, faults)
    if (value === undefined) return false
    if (value !== '' && !found.has(key)) addValue(key, value, found, faults)
    return true
  }
}

function compilePacked(source: Extract<AttributeSource, { packed: string }>, lookup: Lookup): AddAttributes {
  const read = compileCell(source.packed, { name: `attributes.${source.packed}`, lookup, point: '.' })
  const wanted = compileFilter(source)
  return (row, found, faults) => {
    const text = read(row, faults)
    if (text === undefined) return false
    const pairs = text === '' ? [] : unpack(text, source)
    if (pairs === undefined) {
      faults.push({
        name: `attributes.${source.packed}`,
        reason: `${quoted(text)} does not start with a key and ${JSON.stringify(source.assign)}`,
      })
      return true
    }
    for (const [key, value] of pairs) if (wanted(key)) add(key, value, found, faults)
    return true
  }
}

function compileObject(source: Extract<AttributeSource, { object: string }>, lookup: Lookup): AddAttributes {
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
      if (!wanted(key)) continue
      if (typeof value === 'string') add(key.trim(), value.trim(), found, faults)
      else if (typeof value === 'number' || typeof value === 'boolean') add(key.trim(), String(value), found, faults)
    }
    return true
  }
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

/** For keys out of the file; those out of the mapping are checked with it. */
function add(key: string, value: string, found: Map<string, string>, faults: Fault[]): void {
  if (value === '' || found.has(key)) return
  const verdict = readKey(key, LIMITS.attributeKeyLengthMax)
  if ('value' in verdict) addValue(key, value, found, faults)
  else faults.push({ name: 'attributes', reason: `a key ${verdict.reason}` })
}

/** An empty value is no attribute. */
function addValue(key: string, value: string, found: Map<string, string>, faults: Fault[]): void {
  const verdict = readOptionalText(value, LIMITS.attributeValueLengthMax)
  if ('reason' in verdict) faults.push({ name: `attributes.${key}`, reason: verdict.reason })
  else if (verdict.value !== null) found.set(key, verdict.value)
}
