import type Type from 'typebox'
import type { Reading } from '../../contract/parameters.ts'
import type { Parameters, Route } from '../../contract/route.ts'
import { readEan } from '../input/ean.ts'
import { ShelfwireError, type Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { parseTimestamp } from '../platform/time/timestamp.ts'
import { nearMisses } from './near-miss.ts'
import { must } from '../platform/must.ts'

// Reads parameters of path and query as their route declares them. Readers are built once, when a route is
// registered; a request costs one object, and a look-up for each declared parameter.

/** Query parameters as sent; a repeated one is a list. */
type Given = Readonly<Record<string, string | readonly string[] | undefined>>
type Values = Record<string, unknown>

/** The part of a parameter's schema that decides how its text is read. */
interface Readable {
  type?: string
  enum?: readonly (string | number)[]
  items?: { enum?: readonly string[] }
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  'x-must'?: string
  'x-read'?: Reading
  'x-bounds'?: readonly [min: number, max: number]
  'x-also'?: readonly string[]
  'x-always'?: readonly string[]
  '~optional'?: true
}

/** The reason why a text is refused, in place of its value. */
class Misfit {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const ID = /^[1-9]\d{0,18}$/
const INT64_MAX = 2n ** 63n - 1n

/** The declared names, each with its aliases. */
export function namesOf(query: Parameters): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(query).map(([name, schema]) => [name, (schema as Readable)['x-also'] ?? []]))
}

/**
 * Reads the query of a route. Numbers are plain decimal digits: `1e3`, `0x10`, `+1` and ` 1` are refused, although
 * JavaScript would convert them.
 * @throws Error when the declaration cannot be read.
 */
export function queryReader({ query, isQueryClosed, conflicts }: Route): (raw: unknown) => Values {
  const parameters = Object.entries(query).map(([name, schema]) => {
    const { default: fallback, '~optional': isOptional } = schema as Readable
    if (isOptional !== true && fallback === undefined)
      throw new Error(`the query parameter ${name} is neither optional nor has it a default`)
    // the default of an optional parameter is documentation only: handlers must see whether the parameter was given
    return { name, read: textReader(name, schema), fallback: isOptional === true ? undefined : fallback }
  })
  const lists = Object.entries(query).flatMap(([name, schema]) =>
    ['ids', 'members', 'slugs'].includes((schema as Readable)['x-read'] ?? '') ? [name] : [],
  )
  const meantBy = nearMisses(namesOf(query))
  return (raw) => {
    const given = lists.length === 0 ? (raw as Given) : withJoinedLists(raw as Given, lists)
    const values: Values = {}
    let faults: Fault[] | null = null
    for (const { name, read, fallback } of parameters) {
      const text = given[name]
      if (text === undefined) {
        values[name] = fallback
        continue
      }
      // of several values it is unknown which one is meant
      const value = typeof text === 'string' ? read(text) : new Misfit('is given more than once')
      if (value instanceof Misfit) (faults ??= []).push({ name, reason: value.reason })
      else values[name] = value
    }
    if (conflicts !== undefined) faults = withFaults(faults, conflicts(given))
    for (const name in given) {
      if (Object.hasOwn(query, name)) continue
      // a closed query refuses every unknown name: on a write a misspelled `dryrun=true` must not be ignored
      const reason = isQueryClosed ? 'is unknown' : misspelled(meantBy(name))
      if (reason !== null) (faults ??= []).push({ name: name.slice(0, 80), reason })
    }
    if (faults !== null) throw invalid(faults)
    return values
  }
}

/** A misspelled parameter must not be ignored: `id[]=1` would answer the first page, and a client would delete all other products. */
function misspelled(meant: string | null): string | null {
  return meant === null ? null : `is unknown; did you mean "${meant}"?`
}

/** Joins `ids[]=1&ids[]=2`, `ids[0]=1&ids[1]=2` and `ids=1&ids=2` to `ids=1,2`. */
function withJoinedLists(given: Given, lists: readonly string[]): Given {
  if (isPlain(given)) return given
  let joined: Record<string, string | readonly string[] | undefined> | null = null
  for (const name of lists) {
    const keys = Object.keys(given).filter((key) => key === name || isElement(key, name))
    if (keys.length === 0 || (keys.length === 1 && typeof given[name] === 'string')) continue
    joined ??= { ...given }
    for (const key of keys) delete joined[key]
    joined[name] = keys.flatMap((key) => given[key]).join(',')
  }
  return joined ?? given
}

/** Whether each name is given once and without brackets, as in most requests: nothing has to be joined. */
function isPlain(given: Given): boolean {
  for (const name in given) if (typeof given[name] !== 'string' || name.endsWith(']')) return false
  return true
}

const isElement = (key: string, name: string) =>
  key.startsWith(`${name}[`) && /^\[\d{0,9}\]$/.test(key.slice(name.length))

/** Adds faults of parameters that have none yet, so that each parameter has one. */
function withFaults(faults: Fault[] | null, more: Readonly<Record<string, string>>): Fault[] | null {
  const known = faults ?? []
  for (const [name, reason] of Object.entries(more))
    if (!known.some((fault) => fault.name === name)) known.push({ name, reason })
  return known.length === 0 ? null : known
}

function invalid(faults: readonly Fault[]): ShelfwireError {
  const detail = faults.map((fault) => `${fault.name} ${fault.reason}`).join('; ')
  return new ShelfwireError('invalid-parameters', detail, { faults })
}

/** Reads the text of one parameter. @returns its value, or a Misfit. */
function textReader(name: string, schema: Type.TSchema): (text: string) => unknown {
  const { type, enum: values, minimum, maximum, 'x-read': reading, 'x-bounds': bounds = [0, 0] } = schema as Readable
  if (reading === 'clamped') return (text) => clamped(text, bounds)
  if (reading === 'ids') return (text) => ids(text, bounds[1])
  if (reading === 'slugs') return (text) => slugs(text, bounds[1])
  if (reading === 'members') return membersReader(schema)
  if (reading === 'moment') return moment
  if (reading === 'ean') return ean
  if (values !== undefined) return choice(values)
  if (type === 'integer') {
    if (minimum === undefined) throw new Error(`the parameter ${name} has no minimum`)
    return (text) => integer(text, minimum, maximum)
  }
  if (type === 'boolean') return flag
  if (type === 'string') return stringReader(schema)
  throw new Error(`the parameter ${name} is of a type that is not read from text`)
}

/** One of some values, each with one spelling. */
function choice(values: readonly (string | number)[]): (text: string) => unknown {
  const known = new Map(values.map((value) => [String(value), value]))
  const misfit = new Misfit(`must be one of ${values.join(', ')}`)
  return (text) => known.get(text) ?? misfit
}

/** Lengths are in UTF-16 code units, as everywhere in this service. */
function stringReader(schema: Type.TSchema): (text: string) => unknown {
  const { minLength = 0, maxLength = Infinity, pattern, 'x-must': must = 'is not well formed' } = schema as Readable
  if (minLength === 0 && maxLength === Infinity && pattern === undefined) return (text) => text
  const form = pattern === undefined ? null : new RegExp(pattern, 'u')
  const misfit = new Misfit(must)
  return (text) =>
    text.length >= minLength && text.length <= maxLength && (form === null || form.test(text)) ? text : misfit
}

function ean(text: string): string | Misfit {
  const verdict = readEan(text)
  return 'value' in verdict ? verdict.value : new Misfit(verdict.reason)
}

/** A whole number of any length, so that a huge one is clamped or out of bounds like any other. */
function whole(text: string): bigint | Misfit {
  return /^-?\d+$/.test(text) ? BigInt(text) : new Misfit(`must be a whole number, not "${text.slice(0, 40)}"`)
}

/** A whole number within bounds. Without `max`, numbers above the largest safe integer become that. */
function integer(text: string, min: number, max: number | undefined): number | Misfit {
  const value = whole(text)
  if (value instanceof Misfit) return value
  // larger numbers are never assigned, so they need not be told apart
  if (value >= min && (max === undefined || value <= max)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
  return new Misfit(`must be from ${min} to ${max ?? INT64_MAX}`)
}

function clamped(text: string, [min, max]: readonly [number, number]): number | Misfit {
  const value = whole(text)
  return value instanceof Misfit ? value : Math.min(max, Math.max(min, Number(value)))
}

function flag(text: string): boolean | Misfit {
  return text === 'true' || text === 'false'
    ? text === 'true'
    : new Misfit(`must be true or false, not "${text.slice(0, 40)}"`)
}

function moment(text: string): Date | 'now' | Misfit {
  if (text === 'now') return text
  return (
    parseTimestamp(text) ??
    new Misfit(`must be a timestamp with offset such as 2026-11-20T10:00:00+00:00, not "${text.slice(0, 60)}"`)
  )
}

function ids(text: string, max: number): number[] | Misfit {
  const parts = text.split(',')
  if (parts.length > max) return new Misfit(`holds ${parts.length} ids; at most ${max} are read at once`)
  const refused = parts.find((part) => !ID.test(part))
  if (refused !== undefined)
    return new Misfit(`must be product ids separated by commas; "${refused.slice(0, 40)}" is not a product id`)
  // larger ids are never assigned, so they match no product
  return [...new Set(parts.map(Number))].filter(Number.isSafeInteger)
}

/** A text that cannot be a slug matches nothing and is no error: shops pass on what visitors type. */
function slugs(text: string, max: number): string[] | Misfit {
  const parts = text.split(',')
  if (parts.length > max) return new Misfit(`holds ${parts.length} slugs; at most ${max} are read at once`)
  if (parts.includes('')) return new Misfit('must be slugs separated by commas')
  return [...new Set(parts.map((part) => part.normalize('NFC').toLowerCase()))].filter(
    (part) => part.length <= LIMITS.slugLengthMax && !part.includes('\0'),
  )
}

/** Names separated by commas, as a set in the order of the schema: the same choice gives the same set, in whatever order it is written. */
function membersReader(schema: Type.TSchema): (text: string) => unknown {
  const { items, 'x-always': always = [] } = schema as Readable
  const known = must(items?.enum)
  const list = known.join(', ')
  return (text) => {
    const named = new Set(text.split(','))
    const unknown = [...named].filter((name) => !known.includes(name))
    if (unknown.length === 0) return new Set(known.filter((name) => named.has(name) || always.includes(name)))
    const shown = unknown.map((name) => `"${name.slice(0, 40)}"`).slice(0, 3)
    return new Misfit(
      text === ''
        ? `must name members, separated by commas: ${list}`
        : `names unknown members: ${shown.join(', ')}; known are ${list}`,
    )
  }
}

/**
 * Reads the parameters of a route's path: texts unchanged, and ids as numbers. An id that cannot exist becomes 0, which no look-up
 * finds. @throws ShelfwireError the route's `unknown`, if it has one, instead of that 0.
 */
export function pathReader({ params, unknown }: Route): (raw: unknown) => Values {
  const parameters = Object.entries(params).map(
    ([name, schema]) => [name, (schema as Readable).type === 'integer'] as const,
  )
  return (raw) => {
    const texts = raw as Readonly<Record<string, string>>
    const values: Values = {}
    for (const [name, isId] of parameters) {
      const text = must(texts[name])
      const value = isId ? pathId(text) : text
      if (value === 0 && unknown !== undefined) throw new ShelfwireError(unknown.code, unknown.detail)
      values[name] = value
    }
    return values
  }
}

function pathId(text: string): number {
  const id = ID.test(text) ? Number(text) : 0
  return Number.isSafeInteger(id) ? id : 0
}
