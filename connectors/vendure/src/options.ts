import { OptionReader, type ConnectorOptions } from '@shelfwire/client/shop'

// The options of this plugin in the shop's vendure-config.

/** Members that the shop may own: they are set when a product is made, and left alone from then on. */
const OWNABLE = [
  'name',
  'slug',
  'description',
  'enabled',
  'pictures',
  'categories',
  'channels',
  'variant_names',
  'customs',
  'tax_categories',
  'prices',
  'stock',
] as const
export type Ownable = (typeof OWNABLE)[number]

/** A store of Shelfwire and where the shop sells it. */
export interface StoreOption {
  /** Slug. */
  store: string
  /** ID or code; the shop's default one unless set. */
  channel: string | null
  /** ID or name; the shop's default one unless set. */
  stockLocation: string | null
}

/** The argument of `ShelfwirePlugin.init`. */
export interface PluginOptions {
  /** The address of the service. */
  url: string
  /** A connector token is enough. */
  token: string
  /** In the order of precedence: the first store in a language that has a product gives its texts, and the first in a channel and currency its prices. */
  stores: readonly (string | { store: string; channel?: string; stockLocation?: string })[]
  /** Names of Shelfwire's customer groups -> the shop's; null: the group's prices are not written. */
  customerGroups?: Readonly<Record<string, string | null>>
  /** Keys of Shelfwire's tax classes -> the name or ID of the shop's tax category. */
  taxCategories?: Readonly<Record<string, string>>
  shopOwns?: readonly Ownable[]
  webhookSecrets?: readonly string[] | undefined
  /** The shop's name in the panel, where the account sees whether the shop is equal to its stores; `Vendure` unless set. */
  name?: string
  /** Whether categories become collections as well as facet values; true unless set. */
  collections?: boolean
  /** Which of the shop's processes does the work: `worker` unless set. */
  runIn?: 'worker' | 'server'
}

export interface Options extends ConnectorOptions {
  stores: StoreOption[]
  customerGroups: Map<string, string | null>
  taxCategories: Map<string, string | null>
  shopOwns: ReadonlySet<Ownable>
  hasCollections: boolean
  runIn: 'worker' | 'server'
}

const KNOWN = [
  'url',
  'token',
  'stores',
  'customerGroups',
  'taxCategories',
  'shopOwns',
  'webhookSecrets',
  'name',
  'collections',
  'runIn',
]

const read = new OptionReader('@shelfwire/vendure', 'vendure-config')

/** @throws OptionsError */
export function optionsOf(raw: unknown): Options {
  const of = read.members(raw, 'the options')
  read.only(of, KNOWN, 'the options')
  const { collections = true, runIn = 'worker' } = of
  if (typeof collections !== 'boolean') throw read.error('`collections` must be true or false')
  if (runIn !== 'worker' && runIn !== 'server') throw read.error('`runIn` must be `worker` or `server`')
  return {
    ...read.connection(of, 'Vendure'),
    stores: read.stores(of, ['channel', 'stockLocation']),
    customerGroups: read.names(of, 'customerGroups'),
    taxCategories: read.names(of, 'taxCategories'),
    shopOwns: read.oneOf(of, 'shopOwns', OWNABLE),
    hasCollections: collections,
    runIn,
  }
}
