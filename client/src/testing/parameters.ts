import { MEMBERS } from '../contract-names.ts'
import { suggestedName } from './near-miss.ts'
import { quoted } from './quoted.ts'
import { Problem } from './problem.ts'

// The parameters of queries, read and refused as by the service.

/** Returned in place of a value: why the text is refused. */
class Misfit {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

export interface Parameter<T> {
  read: (text: string) => T | Misfit
  /** The value where the parameter is missing. */
  fallback: T
  /** Wrong names that mean this parameter: they are refused with its name. */
  also?: readonly string[]
  /** May be given as `ids[]=1&ids[]=2`. */
  isList?: true
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>
export type Values<P> = { [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never }

type Given = Readonly<Record<string, string | readonly string[] | undefined>>

const IDS_MAX = 200
const SLUG_LENGTH_MAX = 100
const ID = /^[1-9]\d{0,18}$/

function whole(text: string): bigint | Misfit {
  return /^-?\d+$/.test(text) ? BigInt(text) : new Misfit(`must be a whole number, not "${text.slice(0, 40)}"`)
}

/** A whole number in a range. @param max undefined: no limit; numbers above the largest safe integer are read as that */
export function integer<F extends number | undefined>(
  min: number,
  max: number | undefined,
  fallback: F,
  also: readonly string[] = [],
): Parameter<number | F> {
  return {
    fallback,
    also,
    read(text) {
      const value = whole(text)
      if (value instanceof Misfit) return value
      if (value >= min && (max === undefined || value <= max)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
      return new Misfit(`must be from ${min} to ${max ?? INT64_MAX}`)
    },
  }
}

export function clamped<F extends number | undefined>(min: number, max: number, fallback: F): Parameter<number | F> {
  return {
    fallback,
    read(text) {
      const value = whole(text)
      return value instanceof Misfit ? value : Math.min(max, Math.max(min, Number(value)))
    },
  }
}

export const flag: Parameter<boolean> = {
  fallback: false,
  read: (text) =>
    /^(?:true|false)$/.test(text) ? text === 'true' : new Misfit(`must be true or false, not "${text.slice(0, 40)}"`),
}

function choice<T extends string>(...values: readonly T[]): Parameter<T | undefined> {
  return {
    fallback: undefined,
    read: (text) => values.find((value) => value === text) ?? new Misfit(`must be one of ${values.join(', ')}`),
  }
}

const INT64_MAX = 2n ** 63n - 1n
/** Members of answers that have the start of the next page: a client that sends one back under this name is refused. */
const NEXT_AFTER_ID = ['next_after_id', 'next_after', 'cursor']
const pageStart = integer(0, undefined, undefined, NEXT_AFTER_ID)
const store: Parameter<string | undefined> = {
  fallback: undefined,
  read: (text) => text,
  also: ['store_slug', 'store_id'],
}

const ids: Parameter<number[] | undefined> = {
  fallback: undefined,
  also: ['product_ids', 'product_id'],
  isList: true,
  read(text) {
    const parts = text.split(',')
    if (parts.length > IDS_MAX) return new Misfit(`holds ${parts.length} ids; at most ${IDS_MAX} are read at once`)
    const refused = parts.find((part) => !ID.test(part))
    if (refused !== undefined)
      return new Misfit(`must be product ids separated by commas; "${refused.slice(0, 40)}" is not a product id`)
    return [...new Set(parts.map(Number))].filter(Number.isSafeInteger)
  },
}

const slug: Parameter<string[] | undefined> = {
  fallback: undefined,
  also: ['slugs', 'handle', 'handles'],
  isList: true,
  read(text) {
    const parts = text.split(',')
    if (parts.length > IDS_MAX) return new Misfit(`holds ${parts.length} slugs; at most ${IDS_MAX} are read at once`)
    if (parts.includes('')) return new Misfit('must be slugs separated by commas')
    // texts that cannot be slugs find nothing
    return [...new Set(parts.map((part) => part.normalize('NFC').toLowerCase()))].filter(
      (part) => part.length <= SLUG_LENGTH_MAX && !part.includes('\0'),
    )
  },
}

const sku: Parameter<string | undefined> = {
  fallback: undefined,
  read: (text) =>
    text.length >= 1 && text.length <= 200 && !text.includes('\0')
      ? text
      : new Misfit('must have 1 to 200 characters, none of them NUL'),
}

export const ean: Parameter<string | undefined> = {
  fallback: undefined,
  read(text) {
    const trimmed = text.trim()
    if (!/^\d(?:[\d\s-]*\d)?$/.test(trimmed))
      return new Misfit(`must be an EAN of digits, blanks and dashes, not ${quoted(text)}`)
    const digits = trimmed.replace(/[\s-]/g, '')
    return digits.length > 14 ? new Misfit(`must have at most 14 digits, not ${quoted(text)}`) : digits
  },
}

/** The members of products that `fields` names, and `id`, in the order of the product. */
const fields: Parameter<ReadonlySet<string> | undefined> = {
  fallback: undefined,
  isList: true,
  read(text) {
    const known: readonly string[] = MEMBERS.product
    const named = new Set(text.split(','))
    const unknown = [...named].filter((name) => !known.includes(name))
    if (unknown.length === 0) return new Set(known.filter((name) => named.has(name) || name === 'id'))
    const list = known.join(', ')
    const shown = unknown.map((name) => `"${name.slice(0, 40)}"`).slice(0, 3)
    return new Misfit(
      text === ''
        ? `must name members, separated by commas: ${list}`
        : `names unknown members: ${shown.join(', ')}; known are ${list}`,
    )
  },
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** Unix seconds of an RFC 3339 time; null: the text is no such time. */
export function secondOf(text: string): number | null {
  // a `+` that was not percent-encoded arrives as a blank
  const given = text.replace(/ (?=\d\d:\d\d$)/, '+')
  const [, year, month, day, hour, minute, second] = RFC3339.exec(given) ?? []
  if (second === undefined) return null
  // Date.parse would turn a day or hour that does not exist into a later one
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const local = Date.parse(`${written}Z`)
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 19) !== written) return null
  const at = Date.parse(given.toUpperCase())
  const isKnown = at >= Date.parse('0001-01-01T00:00:00Z') && at < Date.parse('+010000-01-01T00:00:00Z')
  return isKnown ? Math.floor(at / 1_000) : null
}

/** Unix seconds, or the word `now`. */
const since: Parameter<number | 'now' | undefined> = {
  fallback: undefined,
  also: ['next_since', 'cursor'],
  read(text) {
    if (text === 'now') return text
    return (
      secondOf(text) ??
      new Misfit(`must be a timestamp with offset such as 2026-11-20T10:00:00+00:00, not "${text.slice(0, 60)}"`)
    )
  },
}

const perPage = clamped(1, 200, 50)
const page = integer(1, undefined, 1)
const locales = choice('all')
const half = choice('content', 'price')

/** The parameters of each route. */
export const QUERIES = {
  products: { store, per_page: perPage, page, ids, after_id: pageStart, sku, ean, slug, fields, locales },
  product: { store, fields, locales },
  prices: { store, per_page: perPage, page, ids, after_id: pageStart, sku, ean, slug },
  pricesOfOne: { store },
  none: {},
  groups: { store, per_page: perPage, after_id: pageStart },
  group: { store, per_page: perPage, page, fields },
  categories: { store },
  changes: {
    store,
    since,
    since_id: integer(0, undefined, undefined, ['next_id']),
    limit: integer(1, 1_000, undefined),
    per_page: clamped(1, 1_000, undefined),
    wait: integer(0, 25, 0),
    expand: choice('products'),
    fields,
  },
  export: { store, fields, locales },
  digest: {
    store,
    half,
    after_block: integer(0, undefined, undefined, ['next_after_block', 'next_after', 'cursor']),
    limit: integer(1, 5_000, 1_000),
  },
  tags: { store, half, after_id: integer(0, undefined, 0, NEXT_AFTER_ID), limit: integer(1, 2_048, 1_024) },
} as const satisfies Readonly<Record<string, Parameters>>

const atMostOneOf =
  (...names: readonly string[]) =>
  (given: Given): Readonly<Record<string, string>> => {
    const [first, second] = names.filter((name) => given[name] !== undefined)
    return second === undefined ? {} : { [second]: `cannot be combined with ${first}` }
  }

/** `page` may be combined with `sku` and `ean` only, because many products may have the same one. */
function oneWayToChoose(given: Given): Readonly<Record<string, string>> {
  const ways = ['ids', 'sku', 'ean', 'slug', 'after_id']
  return atMostOneOf(...(given['sku'] === undefined && given['ean'] === undefined ? ['page', ...ways] : ways))(given)
}

/** By route: the faults of parameters that exclude or need each other, by the parameter's name. */
export const CONFLICTS: Readonly<Record<string, (given: Given) => Readonly<Record<string, string>>>> = {
  products: oneWayToChoose,
  prices: oneWayToChoose,
  changes({ since: from, since_id: id, limit, per_page: size, expand }) {
    const twice: Record<string, string> =
      limit !== undefined && size !== undefined
        ? { per_page: 'is the same as limit: send one of the two' }
        : expand !== undefined && Number(limit) > IDS_MAX
          ? { limit: `must be at most ${IDS_MAX} with expand` }
          : {}
    if (id === undefined || (typeof id === 'string' && /^0+$/.test(id))) return twice
    if (from === 'now') return { ...twice, since_id: 'cannot be combined with since=now' }
    return from === undefined ? { ...twice, since_id: 'is the second half of a cursor: send since with it' } : twice
  },
}

/**
 * Reads the parameters of a query.
 * @param isClosed whether every unknown name is refused, not only one that resembles a known name
 * @throws Problem invalid-parameters
 */
export function readQuery<P extends Parameters>(
  search: URLSearchParams,
  parameters: P,
  conflicts: (given: Given) => Readonly<Record<string, string>> = () => ({}),
  isClosed = false,
): Values<P> {
  const given = givenIn(search, parameters)
  const faults = new Map<string, string>()
  const values: Record<string, unknown> = {}
  for (const [name, { read, fallback }] of Object.entries(parameters)) {
    const text = given[name]
    const value =
      text === undefined ? fallback : typeof text === 'string' ? read(text) : new Misfit('is given more than once')
    if (value instanceof Misfit) faults.set(name, value.reason)
    else values[name] = value
  }
  for (const [name, reason] of Object.entries(conflicts(given))) if (!faults.has(name)) faults.set(name, reason)
  const known = Object.fromEntries(Object.entries(parameters).map(([name, { also = [] }]) => [name, also]))
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(parameters, name)) continue
    if (isClosed) {
      faults.set(name.slice(0, 80), 'is unknown')
      continue
    }
    const meant = suggestedName(name, known)
    if (meant !== null) faults.set(name.slice(0, 80), `is unknown; did you mean "${meant}"?`)
  }
  if (faults.size === 0) return values as Values<P>
  const list = Array.from(faults, ([name, reason]) => ({ name, reason }))
  const detail = list.map((fault) => `${fault.name} ${fault.reason}`).join('; ')
  throw new Problem('invalid-parameters', detail, { faults: list })
}

/** Texts by name. A parameter that is given several times has a list of texts, or, where it takes a list, all values joined by commas. */
function givenIn(search: URLSearchParams, parameters: Parameters): Given {
  const given: Record<string, string | readonly string[]> = {}
  for (const [key, text] of search) {
    const name = key.replace(/\[\d{0,9}\]$/, '')
    const isList = parameters[name]?.isList === true
    const known = given[isList ? name : key]
    if (isList) given[name] = known === undefined ? text : `${String(known)},${text}`
    else given[key] = known === undefined ? text : [...(typeof known === 'string' ? [known] : known), text]
  }
  return given
}
