import type { TProperties, TSchema } from 'typebox'
import type { Route } from '../../contract/route.ts'

/** A JSON body that an attacker sends. */
export interface BodyShape {
  name: string
  type: string
  text: () => string
}

const SIZE_MAX = 8_388_608
const json = 'application/json'
const times = (count: number, text: (i: number) => string, between = ',') =>
  Array.from({ length: count }, (_, i) => text(i)).join(between)

const names = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => `Ñame ${i} `.padEnd(length, 'Ab'))
const paths = (count: number, levels: number) =>
  Array.from({ length: count }, (_, i) => `${i} ${' / x'.repeat(levels)}`)

/** The largest valid bodies, by the path of the collection. */
const VALID_RULES: Readonly<Record<string, readonly { name: string; value: () => unknown }[]>> = {
  '/v1/account/pricing-rules': [
    { name: 'a rule of 10,000 manufacturers', value: () => ({ ...RULE, manufacturers: names(10_000, 90) }) },
    { name: 'a rule of 10,000 categories', value: () => ({ ...RULE, categories: paths(10_000, 20) }) },
    { name: 'a rule of categories of 250 levels', value: () => ({ ...RULE, categories: paths(900, 240) }) },
    {
      name: 'a rule of 10,000 products',
      value: () => ({ ...RULE, product_ids: names(10_000, 1).map((_, i) => i + 1) }),
    },
  ],
  '/v1/account/exclusion-rules': [
    {
      name: 'an exclusion of 10,000 names',
      value: () => ({ name: 'R', kind: 'manufacturer', names: names(10_000, 90) }),
    },
    {
      name: 'an exclusion of 10,000 categories',
      value: () => ({ name: 'R', kind: 'category', names: paths(10_000, 20) }),
    },
  ],
  '/v1/account/assortment-rules': [
    {
      name: 'an assortment of 10,000 manufacturers and categories',
      value: () => ({
        name: 'R',
        store_id: 1,
        is_listed: true,
        manufacturers: names(10_000, 40),
        categories: paths(10_000, 5),
      }),
    },
  ],
}

/** Changes of rules that the panel previews, or saves as an order. */
const PREVIEWED: readonly { name: string; value: () => unknown }[] = [
  ...Object.entries(VALID_RULES).flatMap(([path, rules]) =>
    rules.map(({ name, value }) => ({
      name,
      value: () => ({ resource: path.split('/').at(-1), action: 'create', body: value() }),
    })),
  ),
  ...['pricing-rules', 'exclusion-rules', 'assortment-rules'].map((resource) => ({
    name: `an order of 80,000 ${resource}`,
    value: () => ({ resource, action: 'reorder', order: Array.from({ length: 80_000 }, (_, i) => i + 1) }),
  })),
]
const OF_PANEL = '/panel/api/accounts/{account_id}'

const VALID: typeof VALID_RULES = {
  ...VALID_RULES,
  [`${OF_PANEL}/previews`]: PREVIEWED,
  [`${OF_PANEL}/preview-operations`]: PREVIEWED,
  [`${OF_PANEL}/products/bulk`]: [
    {
      name: 'every filter, and a long exclusion',
      value: () => ({
        selection: { filter: { search: 'x '.repeat(100_000) } },
        exclusion: { store: null, reason: 'x'.repeat(100_000) },
      }),
    },
  ],
  '/v1/account/attributes': [
    {
      name: 'a definition with 45,000 languages that are none',
      value: () => ({ key: 'k', options: byOption((i, j) => `germ${letters(i)}${letters(j)}`) }),
    },
    {
      name: 'a definition with 45,000 locales',
      value: () => ({ key: 'k', options: byOption((i, j) => `${letters(i)}-Latn-${letters(j)}`) }),
    },
  ],
  '/v1/account/categories': [
    { name: 'a category of 1,000 paths', value: () => ({ path: 'A', supplier_paths: paths(1_000, 200) }) },
  ],
  '/v1/account/bulk/offers': [
    {
      name: '1,000 offers of many values',
      value: () => ({
        rows: names(1_000, 8).map((sku) => ({
          supplier: 'acme',
          sku,
          cost: '1',
          quantity: 1,
          attributes: names(100, 12).map((key) => ({ key, value: 'x'.repeat(20) })),
          images: names(20, 10).map((name) => `https://example.com/${encodeURIComponent(name)}`),
        })),
      }),
    },
  ],
}
const letters = (i: number) => String.fromCharCode(97 + (Math.floor(i / 26) % 26), 97 + (i % 26))
/** 4,500 options with ten texts each. */
const byOption = (locale: (option: number, i: number) => string) =>
  Object.fromEntries(
    Array.from({ length: 4_500 }, (_, option) => [
      `v${option}`,
      Object.fromEntries(Array.from({ length: 10 }, (_, i) => [locale(option, i + option * 10), 'x'])),
    ]),
  )
const RULE = { name: 'R', action: 'markup', percent: '1' }

/**
 * Bodies for a route: generic ones, and bodies in which each of its members is large.
 * @param bytesMax the size limit of a body whose route declares none
 */
export function bodyShapes(route: Route, bytesMax = 1_048_576): BodyShape[] {
  const { body } = route
  if (body === undefined) return []
  const size = Math.min((body.bytesMax ?? bytesMax) - 1_000, SIZE_MAX)
  const own = membersOf(body.schema)
  const members = (value: (share: number) => string) => {
    const text = value(Math.floor(size / Math.max(own.length, 1)) - 100)
    return `{${own.map((name) => `${JSON.stringify(name)}:${text}`).join(',')}}`
  }
  const shape = (name: string, text: () => string, type = json): BodyShape => ({ name, type, text })
  return [
    shape('300,000 keys', () => `{${times(Math.min(300_000, Math.floor(size / 16)), (i) => `"k${i}":${i}`)}}`),
    shape('one key many times', () => `{${times(Math.floor(size / 8), () => '"k":1')}}`),
    shape('100,000 brackets', () => '['.repeat(Math.min(100_000, size))),
    shape('100,000 objects in each other', () => {
      const levels = Math.min(100_000, Math.floor(size / 6) - 1)
      return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    }),
    shape('a number of many digits', () => '9'.repeat(size)),
    shape('a text', () => JSON.stringify('x'.repeat(size - 2))),
    shape('a text of escapes', () => `"${'\\u00e4'.repeat(Math.floor(size / 6) - 1)}"`),
    shape('blanks', () => ' '.repeat(size)),
    shape('a text that does not end', () => `{"a":"${'x'.repeat(size - 10)}`),
    shape('a list of numbers', () => `[${times(Math.floor(size / 2) - 2, () => '1')}]`),
    shape('a list of empty objects', () => `[${times(Math.floor(size / 3) - 2, () => '{}')}]`),
    shape('long texts in each member', () => members((share) => JSON.stringify('x'.repeat(share)))),
    shape('blanks in each member', () => members((share) => JSON.stringify(' '.repeat(share)))),
    shape('marks in each member', () => members((share) => JSON.stringify('e\u0301'.repeat(Math.floor(share / 3))))),
    shape('digits in each member', () => members((share) => JSON.stringify('1'.repeat(share)))),
    shape('a number in each member', () => members((share) => '1'.repeat(share))),
    shape('lists of texts in each member', () =>
      members((share) => `[${times(Math.floor(share / 10), (i) => `"${i}"`)}]`),
    ),
    shape('lists of numbers in each member', () =>
      members((share) => `[${times(Math.floor(share / 8), (i) => String(i))}]`),
    ),
    shape('lists of objects in each member', () =>
      members((share) => `[${times(Math.floor(share / 20), (i) => `{"k":"${i}"}`)}]`),
    ),
    shape('objects of many members in each member', () =>
      members((share) => `{${times(Math.floor(share / 16), (i) => `"k${i}":"v"`)}}`),
    ),
    shape('locales in each member', () =>
      members(
        (share) => `{${times(Math.floor(share / 40), (i) => `"x${i.toString(36)}":{"title":"t","description":"d"}`)}}`,
      ),
    ),
    ...[0, 1, 2, 3].map((variant) =>
      shape(`members as declared, as large as they may be (${variant})`, () =>
        JSON.stringify(largest(body.schema, size, variant)),
      ),
    ),
    ...(VALID[route.path.replace(/\/\{id\}$/, '')] ?? []).map(({ name, value }) =>
      shape(name, () => JSON.stringify(value())),
    ),
    ...(body.line === undefined
      ? []
      : [
          shape('lines of nothing', () => '\n'.repeat(size), 'application/x-ndjson'),
          shape('lines of empty objects', () => '{}\n'.repeat(Math.floor(size / 3)), 'application/x-ndjson'),
          shape('a line that does not end', () => `{"sku":"${'x'.repeat(size - 20)}`, 'application/x-ndjson'),
          shape(
            'lines of brackets',
            () => `${'['.repeat(1_000)}\n`.repeat(Math.floor(size / 1_001)),
            'application/x-ndjson',
          ),
        ]),
  ]
}

/**
 * A value of a schema with about this many bytes, or as many as its limits allow.
 * @param variant selects one of the alternatives, and whether texts or lists are long
 */
function largest(schema: TSchema, bytes: number, variant: number): unknown {
  const given = schema as {
    type?: string
    const?: unknown
    enum?: readonly unknown[]
    anyOf?: readonly TSchema[]
    properties?: TProperties
    patternProperties?: TProperties
    items?: TSchema
    pattern?: string
    minimum?: number
    maxItems?: number
    maxLength?: number
  }
  if (given.const !== undefined) return given.const
  if (given.enum !== undefined) return given.enum[variant % given.enum.length]
  if (given.anyOf !== undefined) return largest(given.anyOf[variant % given.anyOf.length] as TSchema, bytes, variant)
  const entries = Object.entries(given.properties ?? {})
  switch (given.type) {
    case 'object': {
      const [record] = Object.values(given.patternProperties ?? {})
      if (record !== undefined)
        return Object.fromEntries(
          Array.from({ length: Math.floor(bytes / 40) }, (_, i) => [`k${i}`, largest(record, 20, variant)]),
        )
      const share = Math.floor(bytes / Math.max(entries.length, 1)) - 30
      return Object.fromEntries(entries.map(([name, inner]) => [name, largest(inner, share, variant)]))
    }
    case 'array': {
      const each = JSON.stringify(largest(given.items as TSchema, 100, variant) ?? null).length + 10
      const length = Math.max(1, Math.min(given.maxItems ?? Infinity, Math.floor(bytes / each)))
      return Array.from({ length }, (_, i) => {
        const item = largest(given.items as TSchema, 100, variant)
        return typeof item === 'number' ? i + 1 : typeof item === 'string' ? `${i} ${item}` : item
      })
    }
    case 'integer':
    case 'number':
      return given.minimum ?? 1
    case 'boolean':
      return variant % 2 === 0
    case 'null':
      return null
    case 'string':
      return given.pattern === undefined ? 'x'.repeat(Math.max(1, Math.min(given.maxLength ?? Infinity, bytes))) : '1'
    case undefined:
    default:
      // a schema that allows anything
      return Object.fromEntries(Array.from({ length: Math.floor(bytes / 20) }, (_, i) => [`k${i}`, ['v']]))
  }
}

/** The names of all members that a body may have, in any of its variants. */
function membersOf(schema: TSchema): string[] {
  const { properties, anyOf, oneOf, allOf, items } = schema as {
    properties?: TProperties
    anyOf?: TSchema[]
    oneOf?: TSchema[]
    allOf?: TSchema[]
    items?: TSchema
  }
  const inner = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? []), ...(items === undefined ? [] : [items])]
  return [...new Set([...Object.keys(properties ?? {}), ...inner.flatMap(membersOf)])]
}
