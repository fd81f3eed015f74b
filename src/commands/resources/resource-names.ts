import { describeMember, EXCLUSION_KINDS } from '../../../contract/exclusion-kinds.ts'
import { deleteRule } from '../../catalog/settings/rules/pricing-rules.ts'
import type { Written } from '../../catalog/stale/written.ts'
import type { Tx } from '../../db/sql.ts'
import type { TierBy } from '../../../contract/tiers.ts'
import type { RoundingInput } from '../../resolve/inputs.ts'
import { ShelfwireError } from '../../platform/errors.ts'

// Commands of account resources are derived from their declarations in the contract (resources.ts). This file has the exceptions: names and texts
// that were public before commands were derived, and must not change.

/** The members of a resource, by their names in the API. */
export type Members = Record<string, unknown>
/** Options as commander passes them, in camel case. */
export type Options = Readonly<Record<string, unknown>>

/** The flags of an option, two spaces, and its help text. */
type OptionNames = string
/** The flags for true and for false. A creation has only the one that differs from the default (`atCreation`), possibly with another text. */
export interface FlagNames {
  on?: OptionNames
  off?: OptionNames
  atCreation?: 'on' | 'off'
  textAtCreation?: string
}

export type Verb = 'create' | 'list' | 'show' | 'edit' | 'delete'

export interface ResourceNames {
  /** The name of the command; by default the noun of the resource. */
  name?: string
  description?: string
  /** All by default. */
  verbs?: readonly Verb[]
  /** The word for one row in results and texts; by default the noun. */
  called?: string
  /** The same in the result of its creation. */
  calledWhenMade?: string
  /** The member that contains all rows in the result of `list`; by default the path. */
  member?: string
  listing?: string
  /** The columns of a row in a list. */
  columns?: (row: Members) => readonly unknown[]
  /** Members whose options are not the derived ones; null: set by `more`, or not at all. */
  options?: Readonly<Record<string, OptionNames | FlagNames | null>>
  /** The value of a left-out option at creation, if help mentions it. */
  defaults?: Readonly<Record<string, string>>
  /** Options that set several members together. */
  more?: { options: readonly OptionNames[]; read(options: Options, row: Members | null): Members }
  /** Deletes a row, where the messages differ from the derived ones. */
  remove?: (tx: Tx, accountId: number, id: number) => Promise<Written>
}

const activity = ({ is_active: isActive }: Members) => (isActive === true ? 'active' : 'inactive')
const state = (row: Members) => (row['is_default'] === true ? 'default' : activity(row))
const valuesOf = (row: Members, ...names: string[]) => names.map((name) => row[name])

/** By the path of the resource; null: it has hand-written commands. */
export const RESOURCE_NAMES: Readonly<Record<string, ResourceNames | null>> = {
  stores: {
    listing: 'list the stores, the default one first',
    columns: (row) => [...valuesOf(row, 'id', 'slug', 'locale', 'currency'), state(row), row['name']],
    options: {
      slug: '--slug <slug>  its name in the API; cannot be changed',
      name: '--name <name>  display name',
      locale: '--locale <tag>  content language (BCP 47)',
      currency: '--currency <code>  currency of its prices (ISO 4217)',
      is_active: {
        on: '--active  activate it again',
        off: '--no-active  deactivate it: it cannot be read and is not updated',
        atCreation: 'off',
      },
      is_default: { on: '--default  make it the store that is read when a request names none' },
      tax_country: '--tax-country <code>  country whose tax its prices name (ISO 3166-1); empty: none',
      prices_include_tax: {
        on: '--with-tax  show prices with tax',
        off: '--without-tax  show prices without tax',
        atCreation: 'on',
      },
      lists_by_default: {
        on: '--lists-everything  list all products except those unlisted by assortment rules or manually',
        off: '--lists-nothing  list only products that are listed by assortment rules or manually',
        atCreation: 'off',
        textAtCreation: 'list only products that are listed by assortment rules or manually, instead of all',
      },
    },
  },
  groups: {
    name: 'group',
    called: 'group',
    columns: (row) => [row['id'], row['is_default'] === true ? 'default' : '', row['name']],
    options: {
      tax_country: '--tax-country <code>  country whose tax its prices name (ISO 3166-1); empty: that of the store',
      prices_include_tax: null,
    },
    more: {
      options: ['--prices <kind>  with-tax or without-tax; as-store: as the store shows them'],
      read: ({ prices }) => (prices === undefined ? {} : { prices_include_tax: pricesKind(prices as string) }),
    },
  },
  // `rate set` sets several at once
  rates: {
    name: 'rate',
    verbs: ['list', 'show', 'delete'],
    columns({ currency, rate, status }) {
      const { day, held_rate: held } = status as { day: string | null; held_rate: string | null }
      return [currency, rate, ...(day === null ? [] : [`ecb ${day}`]), ...(held === null ? [] : [`held ${held}`])]
    },
  },
  'tax-classes': {
    name: 'tax-class',
    called: 'tax class',
    calledWhenMade: 'tax class',
    columns: (row) => [row['key'], row['is_default'] === true ? 'default' : '', row['name']],
  },
  'price-lists': {
    name: 'price-list',
    called: 'price list',
    calledWhenMade: 'price list',
    columns: (row) => [...valuesOf(row, 'key', 'currency', 'priority'), activity(row), row['name']],
  },
  attributes: { name: 'attribute' },
  'variant-groups': {
    name: 'variant-group',
    description: 'groups of variants that were made by hand',
    called: 'variant group',
    calledWhenMade: 'variant group',
    listing: 'list the groups of variants that were made by hand',
    columns: ({ id, title, products }) => [id, (products as unknown[]).length, JSON.stringify(title)],
  },
  suppliers: {
    columns: (row) => [...valuesOf(row, 'id', 'code', 'currency', 'priority'), activity(row), row['name']],
    options: {
      code: '--code <code>  short name, used by import --supplier',
      name: '--name <name>  display name',
      currency: '--currency <code>  currency of its costs (ISO 4217)',
      priority: '--priority <number>  lower is preferred',
      safety_buffer: '--safety-buffer <pieces>  subtracted from every reported quantity',
      is_active: {
        on: '--active  use its offers again',
        off: '--no-active  do not use its offers; its texts are used if no other supplier has any',
        atCreation: 'off',
      },
      cost_tax_country:
        '--cost-tax-country <code>  country whose tax is in its costs (ISO 3166-1); empty: costs are without tax',
      list_price_tax:
        '--list-price-tax <code>  country whose tax is in its list prices (ISO 3166-1), or none; empty: as they are stated',
      ...Object.fromEntries(
        [
          'zeroed-share-max <share>  hold an import that sets more than this share of the stock to 0 (0.5)',
          'refused-share-max <share>  hold a file with more than this share of its rows refused (0.25)',
          'prices-lost-share-max <share>  hold one that leaves more than this share of the costs empty (0.5)',
          'prices-zero-share-max <share>  hold one that sets more than this share of the costs to 0 (0.05)',
          'prices-jump-share-max <share>  hold one that moves more than this share of the costs by the factor (0.2)',
          'prices-jump-factor <factor>  a cost must rise or fall by more than this to count (3)',
          'emptied-share-max <share>  hold one that empties more than this share of titles, pictures, EANs or stock (0.5)',
          'swapped-share-max <share>  hold one that swaps more than this share of costs and quantities (0.2)',
          'silent-days-max <days>  report a finding after this many days without an import; empty: never',
        ].map((names) => [names.slice(0, names.indexOf(' ')).replaceAll('-', '_'), `--${names}`]),
      ),
    },
    defaults: { priority: '100', safety_buffer: '0' },
  },
  'suppliers/{code}/sources': null,
  // see `supplier order` in catalog.ts
  'source-orders': null,
  'pricing-rules': {
    name: 'rule',
    called: 'rule',
    calledWhenMade: 'rule',
    member: 'rules',
    columns: (row) => [...valuesOf(row, 'id', 'priority'), state(row), row['name']],
    remove: deleteRule,
    options: {
      priority: '--priority <number>  lower is tried first',
      action: null,
      percent: null,
      fixed_price: null,
      rounding: null,
      tiers: null,
      tiers_above_price: {
        on: '--tiers-above-price  tiers need not be below the price',
        off: '--no-tiers-above-price  tiers at or above the price are left out',
        atCreation: 'on',
      },
      tiers_from_supplier: {
        on: '--tiers-from-supplier  make tiers from those of the supplier’s cost',
        off: '--no-tiers-from-supplier  do not make tiers from those of the supplier’s cost',
        atCreation: 'on',
      },
      list_price_percent:
        '--list-price <percent>  list price as a percentage added to the cost, for products without a stated one',
      addition: '--add <amount>  added to the price; may be negative',
      floor_margin_percent: '--floor-margin <percent>  lowest margin',
      floor_profit: '--floor-profit <amount>  lowest difference between price and cost',
      floor_price: '--floor-price <amount>  lowest price',
      ceiling_price: '--ceiling-price <amount>  highest price; a floor above it takes precedence',
      currency: '--currency <code>  currency of these amounts (default: the account’s)',
    },
    more: {
      options: [
        '--markup <percent>  percent added to the cost',
        '--margin <percent>  profit as a percentage of the price',
        '--fixed-price <amount>  a fixed price; 0 gives the product away',
        '--round <currency=step...>  CURRENCY=STEP[+ENDING][:up|down|nearest]: EUR=1+0.99:up rounds up to the next .99, CHF=0.05 to the nearest 0.05',
        '--tier <quantity=price...>  prices from a quantity on: 10=-5% is 5 percent off, 50=-1.50 an amount off, 100=12.99 the price; empty: none',
      ],
      read: (options, row) => ({ ...actionOf(options), ...roundingOf(options, row), ...tiersOf(options) }),
    },
  },
  'exclusion-rules': {
    name: 'exclusion',
    description: 'rules that exclude products from stores',
    called: 'rule',
    member: 'rules',
    columns: (row) => [...valuesOf(row, 'id', 'priority'), activity(row), ...valuesOf(row, 'kind', 'name')],
    options: {
      kind: `--kind <kind>  ${EXCLUSION_KINDS.join(', ')}`,
      reason: '--reason <text>  reason shown to clients (default: the kind)',
      priority: '--priority <number>  lower is tried first',
      store_ids: '--store <slug...>  only these stores',
      names: `--value <name...>  ${describeMember('names')}`,
      supplier_ids: `--supplier <code...>  ${describeMember('supplier_ids')}`,
      amount: `--amount <number>  ${describeMember('amount')}`,
      currency: '--currency <code>  currency of an amount that is a price (default: the account’s)',
    },
    defaults: { priority: '100' },
  },
  'assortment-rules': {
    name: 'assortment',
    description: 'rules that list products in a store or unlist them',
    called: 'rule',
    member: 'rules',
    columns: (row) => [
      ...valuesOf(row, 'id', 'store_id', 'priority'),
      row['is_listed'] === true ? 'lists' : 'unlists',
      row['name'],
    ],
    options: {
      store_id: '--store <slug>  store',
      is_listed: {
        on: '--list  list matching products',
        off: '--unlist  unlist matching products instead of listing them',
        atCreation: 'off',
      },
      priority: '--priority <number>  lower is tried first',
    },
    defaults: { priority: '100' },
  },
  channels: { name: 'channel' },
}

/** The value of `--prices` for a customer group; null: as in the store. */
function pricesKind(text: string): boolean | null {
  const kinds: Readonly<Record<string, boolean | null>> = { 'with-tax': true, 'without-tax': false, 'as-store': null }
  const kind = Object.hasOwn(kinds, text) ? kinds[text] : undefined
  if (kind === undefined)
    throw new ShelfwireError('invalid-input', `--prices is with-tax, without-tax or as-store, not "${text}"`)
  return kind
}

function actionOf({ markup, margin, fixedPrice }: Options): Members {
  const given = Object.entries({ markup, margin, fixed: fixedPrice }).filter(([, value]) => value !== undefined)
  if (given.length > 1) throw new ShelfwireError('invalid-input', 'give one of --markup, --margin and --fixed-price')
  return Object.fromEntries(
    given.flatMap(([action, value]) => [
      ['action', action],
      [action === 'fixed' ? 'fixed_price' : 'percent', value],
    ]),
  )
}

/** Tiers that replace those of the rule. */
function tiersOf({ tier }: Options): Members {
  if (tier === undefined) return {}
  const given = (tier as readonly string[]).filter((text) => text.trim() !== '')
  return { tiers: given.length === 0 ? null : given.map(tierArgument) }
}

/** Splits `10=-5%`, `50=-1.50` and `100=12.99`; the numbers are validated with the rule. */
function tierArgument(text: string): { quantity: number } & Partial<Record<TierBy, string>> {
  const match = /^(\d{1,15})=(-?)([^%-]+)(%?)$/.exec(text)
  const [, quantity = '', minus = '', amount = '', percent = ''] = match ?? []
  if (match === null || (percent !== '' && minus === ''))
    throw new ShelfwireError(
      'invalid-input',
      `--tier takes a quantity and a price such as 10=-5%, 50=-1.50 or 100=12.99, not "${text}"`,
    )
  const by: TierBy = percent !== '' ? 'percent_off' : minus === '' ? 'price' : 'amount_off'
  return { quantity: Number(quantity), [by]: amount }
}

/** Roundings that replace those of the rule: a currency that is not named is not rounded. */
function roundingOf({ round }: Options, row: Members | null): Members {
  if (round === undefined) return {}
  const given = (round as readonly string[]).map(roundArgument)
  const others = Object.keys(row === null ? {} : (row['rounding'] as object)).map((currency) => [currency, null])
  return { rounding: Object.fromEntries([...others, ...given]) as Members }
}

/** Splits `EUR=1+0.99:up`; the amounts are validated with the rule. */
function roundArgument(text: string): [string, RoundingInput] {
  const match = /^([^=]*)=([^+:]*)(?:\+([^:]*))?(?::(.*))?$/.exec(text)
  if (match === null)
    throw new ShelfwireError(
      'invalid-input',
      `--round takes a currency and a step such as EUR=1+0.99:up, not "${text}"`,
    )
  const [, currency = '', step = '', ending = '0', direction = 'nearest'] = match
  return [currency, { step, ending, direction: direction as RoundingInput['direction'] }]
}
