import { NAME_FIELDS, TEXT_FIELDS } from '../../contract-names.ts'
import { isMirrorName } from '../../verify/report-mirror-check.ts'

// Checks the types in bodies of writes, with the messages of the service (test/client/fake-writes.full.pg.test.ts compares both). The meaning of a value,
// such as an EAN or a currency, is not checked.

export interface Fault {
  name: string
  reason: string
}

/** Checks a value. @returns its faults; none where it fits */
export type Shape = (value: unknown, path: string) => Fault[]

const MUST = {
  string: 'must be a string',
  flag: 'must be true or false',
  list: 'must be a list',
  object: 'must be an object',
  whole: 'must be a whole number',
  decimal: 'must be a decimal such as "12.50"',
  quantity: 'must be a quantity such as 12, ">10" or "10+"',
  id: 'must be an ID: a whole number above 0',
  byLocale: 'must be an object of locale and string',
} as const

/** The end of a message about a value that broke a rule: `, not VALUE`; empty for lists, objects and null. */
export function actualValueSuffix(value: unknown): string {
  if (typeof value === 'string') return `, not ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`
  return typeof value === 'number' || typeof value === 'boolean' ? `, not ${value}` : ''
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string'
const isWhole = (value: unknown) => Number.isSafeInteger(value)

const leaf =
  (words: string, fits: (value: unknown) => boolean): Shape =>
  (value, path) =>
    fits(value) ? [] : [{ name: path || 'body', reason: words + actualValueSuffix(value) }]

const below = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

const listOf =
  (shape: Shape, words: string = MUST.list): Shape =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((one, i) => shape(one, below(path, String(i))))
      : leaf(words, () => false)(value, path)

const mapOf =
  (shape: Shape, words: string = MUST.object): Shape =>
  (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, one]) => shape(one, below(path, name)))
      : leaf(words, () => false)(value, path)

/** @param isAlternative the object is one of several possible forms: where members are missing, `words` is the fault, not their names */
function members(
  known: Readonly<Record<string, Shape>>,
  {
    required = [],
    words = MUST.object,
    isAlternative = false,
  }: { required?: string[]; words?: string; isAlternative?: boolean } = {},
): Shape {
  return (value, path) => {
    if (!isObject(value)) return leaf(words, () => false)(value, path)
    const missing = required.filter((name) => value[name] === undefined)
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(known, name))
    const within = [
      ...unknown.map((name) => ({ name: below(path, name), reason: 'is not a known member' })),
      ...Object.entries(known).flatMap(([name, shape]) =>
        Object.hasOwn(value, name) ? shape(value[name], below(path, name)) : [],
      ),
    ]
    if (!isAlternative || missing.length === 0)
      return [...missing.map((name) => ({ name: below(path, name), reason: 'is required' })), ...within]
    return within.length > 0 ? within : [{ name: path, reason: words }]
  }
}

const orNull =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? [] : shape(value, path)

const text = leaf(MUST.string, isText)
const id = leaf(MUST.id, (value) => isWhole(value) && Number(value) > 0)
const decimal = leaf(
  MUST.decimal,
  (value) => typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)),
)
const quantity = leaf(
  MUST.quantity,
  (value) => typeof value === 'number' || (typeof value === 'string' && /^(>=? *)?-?\d+(\.\d+)?( *\+)?$/.test(value)),
)
const byLocale = orNull(mapOf(orNull(text), MUST.byLocale))
const eachOf = (names: readonly string[], shape: Shape) => Object.fromEntries(names.map((name) => [name, shape]))

const wholeUpTo = (most: number, words: string) =>
  leaf(words, (value) => isWhole(value) && Number(value) >= 0 && Number(value) <= most)
/** The report of a mirror. */
export const MIRROR_CHECK = members(
  {
    store: text,
    mirror: leaf(
      'must be a name of 1 to 100 characters, without control characters or halves of surrogate pairs, and with no blanks around it',
      (value) => typeof value === 'string' && isMirrorName(value),
    ),
    since: text,
    since_id: wholeUpTo(Number.MAX_SAFE_INTEGER, 'must be a whole number, 0 or more'),
    differing: wholeUpTo(1_000_000_000, 'must be a whole number from 0 to 1000000000'),
  },
  { required: ['mirror', 'since', 'since_id', 'differing'] },
)

/** The rows of a bulk are checked one by one, elsewhere. */
export const BULK = members({ rows: listOf(() => []) }, { required: ['rows'] })

const STOCK = (pieces: Shape) => ({ quantity: pieces, cost: orNull(decimal), product_id: id })
export const STOCK_PUT = members(STOCK(quantity), { required: ['quantity'] })
export const STOCK_PATCH = members(STOCK(orNull(quantity)))

export const OFFER = members({
  eans: orNull(listOf(text)),
  cost: orNull(decimal),
  cost_tiers: orNull(
    listOf(
      members({ quantity: leaf(MUST.whole, isWhole), cost: decimal }, { required: ['quantity', 'cost'] }),
      'must be a list of tiers, each with a quantity and a cost',
    ),
  ),
  currency: orNull(text),
  quantity: orNull(quantity),
  texts: orNull(
    mapOf(
      orNull(members(eachOf(TEXT_FIELDS, orNull(text)), { words: `must be an object of ${TEXT_FIELDS.join(', ')}` })),
    ),
  ),
  ...eachOf(NAME_FIELDS, orNull(text)),
  attributes: orNull(listOf(members({ key: text, value: text }, { required: ['key', 'value'] }))),
  images: orNull(listOf(text)),
  image_alts: orNull(mapOf(orNull(mapOf(orNull(text), 'must be an object by URL')), 'must be an object by locale')),
  group: orNull(
    members(
      {
        key: text,
        title: byLocale,
        options: listOf(members({ key: text, label: orNull(text), value: text }, { required: ['key', 'value'] })),
        position: orNull(leaf(MUST.whole, isWhole)),
      },
      { required: ['key'], isAlternative: true },
    ),
  ),
  supplier: text,
  sku: text,
  product_id: id,
  absent_since: orNull(text),
})

const byPlace = (value: Shape) => orNull(mapOf(orNull(value)))
const PRODUCT = {
  sku: orNull(text),
  ean: orNull(text),
  ...eachOf(TEXT_FIELDS, byLocale),
  ...eachOf(NAME_FIELDS, orNull(text)),
  images: orNull(listOf(text, 'must be a list of URLs')),
  image_alts: orNull(mapOf(orNull(mapOf(orNull(text))), 'must be an object by locale')),
  attributes: orNull(
    mapOf(
      orNull(mapOf(orNull(leaf('must be a string, or false', (value) => isText(value) || value === false)))),
      'must be an object by attribute key',
    ),
  ),
  listings: byPlace(leaf(MUST.flag, (value) => typeof value === 'boolean')),
  exclusions: byPlace(text),
  slugs: byPlace(text),
}
export const PRODUCT_CREATE = members(PRODUCT)
export const PRODUCT_PATCH = members({
  ...PRODUCT,
  id,
  created_at: text,
  variant_group: members({ id: orNull(id) }, { required: ['id'] }),
})

/** Members of settings, by what they may be. */
export const SETTING = {
  text: orNull(text),
  whole: orNull(leaf(MUST.whole, Number.isInteger)),
  flag: orNull(leaf(MUST.flag, (value) => typeof value === 'boolean')),
  decimal: orNull(decimal),
  id,
  /** A member that changes by itself: it may be sent back as it was read, and its content is ignored. */
  ignored: leaf(MUST.object, isObject),
  /** Days, up to ten years. */
  days: orNull(leaf(MUST.whole, (value) => isWhole(value) && Number(value) >= 1 && Number(value) <= 3_650)),
} as const satisfies Readonly<Record<string, Shape>>

export type SettingKind = keyof typeof SETTING

/** @param echoed members that may only be sent back as they were read */
export const settingBody = (
  known: Readonly<Record<string, SettingKind>>,
  required: readonly string[],
  echoed: readonly string[] = [],
): Shape =>
  members(
    Object.fromEntries(
      Object.entries(known).map(([name, kind]) => [
        name,
        required.includes(name) || echoed.includes(name) ? notNull(SETTING[kind]) : SETTING[kind],
      ]),
    ),
    { required: [...required] },
  )

/** Refuses null with the message for any other unfit value. */
const notNull =
  (shape: Shape): Shape =>
  (value, path) =>
    shape(value === null ? [] : value, path)
