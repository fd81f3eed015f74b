import { OptionReader, type ConnectorOptions } from '@shelfwire/client/shop'

// The options of this plugin in the shop's medusa-config.

/** Members that the shop may own: they are set when a product is made, and left alone from then on. */
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
  /** In the order of precedence: the first store that has a product gives its texts, and the first one in a currency its prices. */
  stores: StoreOption[]
  /** Names of Shelfwire's customer groups -> IDs of Medusa's; null: the group's prices are not written. */
  customerGroups: Map<string, string | null>
  shopOwns: ReadonlySet<Ownable>
}

/** Members that Medusa adds to the options of every module. */
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
