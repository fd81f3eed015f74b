import { OptionReader, type ConnectorOptions } from '@shelfwire/client/shop'

// What the shop's vendure-config says of this plugin.

/** What the shop may keep for itself: it is set when a product is made, and left alone from then on. */
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

/** What `ShelfwirePlugin.init` takes. */
export interface PluginOptions {
  /** The address of the service. */
  url: string
  /** A connector's token is enough. */
  token: string
  /** The first one that has a product of a language gives its texts, and the first of a channel and a currency its prices. */
  stores: readonly (string | { store: string; channel?: string; stockLocation?: string })[]
  /** By the names of Shelfwire's customer groups: what the shop calls them, or null for one that the shop does not have. */
  customerGroups?: Readonly<Record<string, string | null>>
  /** By the keys of Shelfwire's tax classes: the name or ID of the shop's tax category. */
  taxCategories?: Readonly<Record<string, string>>
  shopOwns?: readonly Ownable[]
  webhookSecrets?: readonly string[] | undefined
  /** What the shop is called where the account is told whether it is equal; `Vendure` unless set. */
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
