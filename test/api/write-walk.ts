import { isNameField, valuesOf } from '../../contract/product-fields.ts'
import { visible } from '../../src/model/blank.ts'
import { valuesOfName } from '../harness/field-values.ts'
import type { Schema } from './strict-document.ts'

// Random values for account resources, by the document's schemas and the names of members; for write-fuzz.full.pg.test.ts.

export type Json = Record<string, unknown>
export interface World {
  ids: Record<string, number[]>
  keys: Record<string, string[]>
  offers: { supplier: string; sku: string; product_id: number }[]
}

/** A pseudo-random generator (Mulberry32): the same seed gives the same walk. */
export class Dice {
  #state: number
  constructor(seed: number) {
    this.#state = seed
  }
  next(): number {
    let t = (this.#state = (this.#state + 0x6d2b79f5) | 0)
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  below(n: number): number {
    return Math.floor(this.next() * n)
  }
  chance(p: number): boolean {
    return this.next() < p
  }
  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}

const TEXTS = [
  'Hammer',
  'hammer',
  'A/B',
  'Tools/Hand tools',
  'Łódź ½" 🔨',
  'x'.repeat(190),
  ' spaced ',
  'a.b',
  'O\'Neil \\ "q"',
  '%2F',
  '<p>x</p>',
  '=1+1',
  'tab\there',
  '__proto__',
  'ﬁ',
  'é',
  'e\u0301',
  '0',
  'null',
  '\u200b',
]
export const LOCALES = ['en', 'de', 'pl-PL', 'pl', 'fr', 'pt-BR', 'zh-Hant-TW', 'EN', 'de-at', 'en-GB']
const CURRENCIES = ['EUR', 'PLN', 'USD', 'CHF', 'JPY', 'KWD', 'SEK']
export const AMOUNTS = ['0', '1', '10', '12.50', '0.01', '99.99', 7.25, 3, '0.000001', '1000000', '007.10', '-0']
export const BAD: readonly unknown[] = [
  null,
  5,
  -1,
  1.5,
  true,
  false,
  '',
  ' ',
  'x',
  [],
  {},
  [null],
  { a: { b: 1 } },
  ['x', 5],
  '\0',
  '\ud800',
  'x'.repeat(2_500),
  '999999999999999.999999999999',
  '-999999999999999',
  '1e5',
  2 ** 31,
  2 ** 53,
  -(2 ** 31),
  1e300,
  '9'.repeat(40),
  '2026-02-30',
  'QQQ',
  'not a locale',
  { '': 'x' },
  { '*': 'x' },
  { nowhere: true },
  { __proto__x: null },
  [0],
  [999_999_999],
]
const EXTREME = ['999999999999.999999', '999999999.9999', '-99.9999', '0.000000000001', '99.9999', '100000']
export const eanOf = (n: number) => {
  const body = String(590_000_000_000 + n)
  return (
    body +
    String((10 - ([...body].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0) % 10)) % 10)
  )
}
const MAPS: Readonly<Record<string, (dice: Dice, world: World) => string>> = {
  listings: (dice, world) => dice.one(world.keys['stores'] ?? []),
  exclusions: (dice, world) => dice.one(['*', ...(world.keys['stores'] ?? [])]),
  rounding: (dice) => dice.one(CURRENCIES),
  attributes: (dice, world) => dice.one(['size', 'colour', 'constructor', ...(world.keys['attributes'] ?? [])]),
  options: (dice) => dice.one(TEXTS),
  place: (dice) => dice.one(['*', ...LOCALES]),
  locale: (dice) => dice.one(LOCALES),
}

/** A value for a member, by its schema and name; valid more often than not. */
export function valueOf(dice: Dice, world: World, name: string, schema: Schema): unknown {
  if (name === 'quantity') return dice.one([0, 1, 3, 5, 17, 2_147_483_647, -3, 1_000, 1.9, '12', '>10', '10+', 'many'])
  if (schema.anyOf !== undefined) {
    const full = schema.anyOf.filter((option) => option.type !== 'null')
    return full.length < schema.anyOf.length && dice.chance(0.15)
      ? null
      : full.every((option) => option.const !== undefined)
        ? dice.one(full).const
        : valueOf(dice, world, name, full[0]!)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.type === 'boolean') return dice.chance(name === 'is_active' || name === 'is_listed' ? 0.8 : 0.5)
  if (schema.type === 'integer') {
    const known = /^(store|group|product|supplier)_ids?$/.exec(name)?.[1]
    if (known !== undefined) return dice.chance(0.02) ? 999_999 : dice.one(world.ids[`${known}s`] ?? [1])
    return /quantity|buffer/.test(name)
      ? dice.one([0, 1, 3, 5, 17, 2_147_483_647, -3, 1_000])
      : dice.one([0, 1, 2, 5, 100, 1_000])
  }
  if (schema.type === 'array') {
    const list = Array.from({ length: Math.max(schema.minItems ?? 0, dice.below(4)) }, () =>
      valueOf(dice, world, name, schema.items!),
    )
    return name === 'product_ids' || name.endsWith('_ids') || name === 'eans' ? [...new Set(list)] : list
  }
  if (schema.type === 'object') {
    const [entry] = Object.values(schema.patternProperties ?? {})
    if (entry !== undefined) {
      const inner = name === 'options' ? 'labels' : name === 'attributes' ? 'place' : name
      const keyOf = MAPS[name] ?? MAPS['locale']!
      return Object.fromEntries(
        Array.from({ length: dice.below(3) }, () => [keyOf(dice, world), valueOf(dice, world, inner, entry)]),
      )
    }
    const members = Object.entries(schema.properties ?? {}).filter(
      // members that the service assigns are refused unless unchanged: rarely drawn, or most requests would fail for that alone
      ([member, { readOnly }]) =>
        schema.required?.includes(member) === true || dice.chance(readOnly === true ? 0.02 : 0.3),
    )
    return Object.fromEntries(members.map(([member, one]) => [member, valueOf(dice, world, member, one)]))
  }
  if (schema.pattern?.startsWith(String.raw`^-?\d+`) === true)
    return dice.chance(0.05)
      ? dice.one(EXTREME)
      : name === 'rate'
        ? dice.one(['4.2875', '0.5', 2, '162.535'])
        : name === 'percent'
          ? dice.one(['7', '25.5', 19, '0'])
          : name === 'ending'
            ? dice.one(['0', '0.09', 0])
            : name === 'step'
              ? dice.one(['1', '0.1', 5])
              : dice.one(AMOUNTS)
  const texts: readonly [RegExp, () => string][] = [
    [/^locale$/, () => dice.one(LOCALES)],
    [/^currency$/, () => dice.one(CURRENCIES)],
    [/^time_zone$/, () => dice.one(['UTC', 'Europe/Berlin', 'Pacific/Kiritimati'])],
    [/^(slug|code)$/, () => `k${dice.below(400)}`],
    [/^valid_from$/, () => `2026-0${1 + dice.below(9)}-01`],
    [/^valid_to$/, () => `2026-1${dice.below(3)}-28`],
    [/^eans?$/, () => (dice.chance(0.8) ? eanOf(dice.below(25)) : String(dice.below(10 ** 9)))],
    [/^images$/, () => `https://img.example/${dice.below(9)}.jpg`],
    [/^link_template$/, () => 'https://shop.example/{sku}?id={id}'],
    [
      /^sku_pattern$/,
      () => dice.one(['{id}', '{supplier_code|upper}-{supplier_sku}', '{manufacturer|ascii|alnum|first:3}-{ean}']),
    ],
    [/^store$/, () => dice.one(world.keys['stores'] ?? [])],
    [/^(supplier)$/, () => dice.one(world.keys['suppliers'] ?? [])],
    [
      /^field$/,
      () => dice.one(['title', 'description', 'manufacturer', 'category', 'images', 'attributes', 'ean', 'sku']),
    ],
    [/^sku$/, () => `A${dice.below(60)}`],
    [/^key$/, () => dice.one(['size', 'colour', 'a/b', '__proto__', `a${dice.below(30)}`])],
    [
      /^(path|categories|category|supplier_paths)$/,
      () => dice.one(['Tools', 'Tools/Hand tools', 'tools/x', 'A/B/C', `C${dice.below(50)}`]),
    ],
    [/^condition$/, () => dice.one(['new', 'used', 'refurbished', 'damaged'])],
    // in their stored form; test/input/doors has other spellings
    [/^country_of_origin$/, () => dice.one(['DE', 'PL', 'CN'])],
    [/^hs_code$/, () => dice.one(['82011000', '847130'])],
    [/^weight$/, () => dice.one(['0.35', '12', '0.000001'])],
    [/^(tax_country|cost_tax_country|country)$/, () => dice.one(['DE', 'PL', 'FR'])],
    [/^price$/, () => dice.one(['9.99', '12', '100'])],
    [/^(cost_tax|list_price_tax)$/, () => dice.one(['none', 'DE', 'PL'])],
    [/^tax_class$/, () => dice.one(['standard', 'k1', 'VAT 7'])],
    [/^sale_begins_on$/, () => dice.one(['2026-11-01', '2026-11-20'])],
    [/^sale_ends_on$/, () => dice.one(['2026-11-20', '2999-12-31'])],
    [/^(list|sale)_price$/, () => dice.one(['129.9', '0.01', '1000 PLN'])],
    [/^(net_content|unit_price_reference)$/, () => dice.one(['750 ml', '6 x 0.33 l', '100 g'])],
    [/^(length|width|height)$/, () => dice.one(['30', '20.5', '999999.999999'])],
    [/^(manufacturers?|names)$/, () => dice.one(['Acme', 'ACME', 'Łódź', 'Tools'])],
  ]
  const text = texts.find(([form]) => form.test(name))?.[1]()
  if (text !== undefined) return text
  // a field that is not named above and does not accept any text
  return dice.one(isNameField(name) && valuesOf(name) !== 'text' ? valuesOfName(name) : TEXTS)
}

/** Makes most bodies satisfy rules between members that no schema expresses. */
export function agree(dice: Dice, world: World, id: string, path: string, body: Json): void {
  if (/PricingRule/.test(id) && ('action' in body || id.startsWith('create'))) {
    delete body[body['action'] === 'fixed' ? 'percent' : 'fixed_price']
    if (body['action'] === 'fixed') body['fixed_price'] = '9.99'
    else body['percent'] = dice.one(['0', '10', 33.3333, '-5', '99.9999'])
  }
  for (const name of ['cost_min', 'floor_margin_percent'])
    if (body[name] !== undefined && dice.chance(0.8)) body[name] = '5'
  if (body['cost_below'] !== undefined) body['cost_below'] = '50'
  if (/ExclusionRule/.test(id)) {
    const kind = typeof body['kind'] === 'string' ? body['kind'] : 'x'
    for (const [name, form] of [
      ['names', /manu|cat/],
      ['supplier_ids', /supplier/],
      ['amount', /price_|margin/],
      ['currency', /price_(a|b)/],
    ] as const)
      if (!form.test(kind)) delete body[name]
    if (/manu|cat/.test(kind)) body['names'] = ['Acme']
    if (kind === 'supplier') body['supplier_ids'] = [dice.one(world.ids['suppliers'] ?? [])]
    if (/_above|_below/.test(kind)) body['amount'] = '12'
  }
  if (/TaxClass/.test(id)) {
    if ('key' in body) body['key'] = `k${dice.below(30)}`
    if (Array.isArray(body['rates'])) body['rates'] = body['rates'].slice(0, 1)
    if (Array.isArray(body['codes'])) body['codes'] = dice.chance(0.5) ? [] : [`c${dice.below(200)}`]
  }
  if (id.endsWith('PriceList')) {
    if ('key' in body) body['key'] = `k${dice.below(30)}`
    if (body['valid_to'] !== undefined && body['valid_to'] !== null) body['valid_to'] = '2030-01-01'
    if ('currency' in body) body['currency'] = 'EUR'
    delete body['store_ids']
  }
  if (Array.isArray(body['entries']))
    body['entries'] = [{ product_id: dice.one(world.ids['products'] ?? []), price: dice.one(['9.99', '12', null]) }]
  if (/Store|Group/.test(id) && body['prices_include_tax'] === true && dice.chance(0.8))
    delete body['prices_include_tax']
  // a tax class of the drawn name rarely exists
  if (/Categor/.test(id) && dice.chance(0.8)) delete body['tax_class']
  if (id === 'splitProduct') {
    const productId = Number(/\d+/.exec(path.slice(12))?.[0])
    const own = world.offers.filter((offer) => offer.product_id === productId)
    if (own.length > 0) body['offers'] = own.slice(0, 1).map(({ supplier, sku }) => ({ supplier, sku }))
  }
  if (id === 'putSupplier' || id === 'patchStore')
    for (const name of ['is_active', 'is_default']) if (dice.chance(0.8)) delete body[name]
}

/**
 * The canonical form of a value, to compare a request with the later read: texts without invisible characters at their ends,
 * amounts by value, locales in lower case, maps without null entries, quantities as numbers, a group without empty options.
 */
export const canonical = (value: unknown, name = ''): unknown => {
  // the service returns them in the order of a product's members
  if (Array.isArray(value) && name === 'additional_members') return [...new Set(value as string[])].sort()
  // an empty list of cost tiers is stored as null
  if (Array.isArray(value) && name === 'cost_tiers' && value.length === 0) return null
  if (Array.isArray(value)) return (name === 'images' ? [...new Set(value)] : value).map((entry) => canonical(entry))
  if (name === 'quantity' && (typeof value === 'number' || typeof value === 'string'))
    return Math.max(0, Math.floor(Number(`${value}`.replace(/[>+]/, ''))))
  if (typeof value === 'string' && name === 'locale') return value.toLowerCase()
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .map(([name, entry]) => [(visible(name) ?? name).toLowerCase(), canonical(entry)] as const)
      .filter(([name, entry]) => entry !== null && !(name === 'options' && Array.isArray(entry) && entry.length === 0))
    return entries.length === 0 ? null : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)))
    return String(value)
      .replace(/^(-?)0+(?=\d)/, '$1')
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '')
      .replace(/^-0$/, '0')
  return typeof value === 'string' ? visible(value) : value
}
export const merged = (old: unknown, patch: unknown): unknown => {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const base = new Map<string, unknown>(
    typeof old === 'object' && old !== null && !Array.isArray(old) ? Object.entries(old) : [],
  )
  for (const [name, value] of Object.entries(patch)) {
    const at = [...base.keys()].find((other) => other.toLowerCase() === (visible(name) ?? name).toLowerCase()) ?? name
    if (value === null) base.delete(at)
    else base.set(at, merged(base.get(at), value))
  }
  return Object.fromEntries(base)
}
export const same = (a: unknown, b: unknown, name = '') =>
  JSON.stringify(canonical(a, name)) === JSON.stringify(canonical(b, name))
