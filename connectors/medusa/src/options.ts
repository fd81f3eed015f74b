import { OptionReader, type ConnectorOptions } from '@shelfwire/client/shop'

// What the shop's medusa-config says of this plugin.

/** What the shop may keep for itself: it is set when a product is made, and left alone from then on. */
const OWNABLE = [
  'title',
  'handle',
  'description',
  'status',
  'pictures',
  'categories',
  'sales_channels',
  'variant_titles',
  'customs',
  'prices',
  'stock',
] as const
export type Ownable = (typeof OWNABLE)[number]

/** A store of Shelfwire and where the shop sells it. */
export interface StoreOption {
  /** Slug. */
  store: string
  /** ID or name; the shop's default one unless set. */
  salesChannel: string | null
  /** ID or name; the shop's only one unless set. */
  stockLocation: string | null
}

export interface Options extends ConnectorOptions {
  /** The first one that has a product gives its texts, and the first of a currency its prices. */
  stores: StoreOption[]
  /** By the names of Shelfwire's customer groups: the ID of Medusa's, or null for one that the shop does not have. */
  customerGroups: Map<string, string | null>
  shopOwns: ReadonlySet<Ownable>
}

/** What Medusa adds to the options of every module. */
const OF_MEDUSA = ['database', 'providers']
const KNOWN = ['url', 'token', 'stores', 'customerGroups', 'shopOwns', 'webhookSecrets', 'name']

const read = new OptionReader('@shelfwire/medusa', 'medusa-config')

/** @throws OptionsError */
export function optionsOf(raw: unknown): Options {
  const all = read.members(raw, 'the options')
  const of = Object.fromEntries(Object.entries(all).filter(([name]) => !OF_MEDUSA.includes(name)))
  read.only(of, KNOWN, 'the options')
  return {
    ...read.connection(of, 'Medusa'),
    stores: read.stores(of, ['salesChannel', 'stockLocation']),
    customerGroups: read.names(of, 'customerGroups'),
    shopOwns: read.oneOf(of, 'shopOwns', OWNABLE),
  }
}
