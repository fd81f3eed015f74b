// What the shop's medusa-config says of this plugin.

/** What the shop may keep for itself: it is set when a product is made, and left alone from then on. */
export const OWNABLE = [
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

export interface Options {
  url: string
  token: string
  /** The first one that has a product gives its texts, and the first of a currency its prices. */
  stores: StoreOption[]
  /** By the names of Shelfwire's customer groups: the ID of Medusa's, or null for one that the shop does not have. */
  customerGroups: Map<string, string | null>
  shopOwns: ReadonlySet<Ownable>
  webhookSecrets: string[]
}

/** Options that cannot be worked with; the message says which and why. */
class OptionsError extends Error {
  override readonly name = 'OptionsError'

  constructor(text: string) {
    super(`@shelfwire/medusa: ${text}: see the plugin's options in medusa-config`)
  }
}

type Members = Readonly<Record<string, unknown>>

/** What Medusa adds to the options of every module. */
const OF_MEDUSA = ['database', 'providers']
const KNOWN = ['url', 'token', 'stores', 'customerGroups', 'shopOwns', 'webhookSecrets']

/** @throws OptionsError */
export function optionsOf(raw: unknown): Options {
  const of = membersOf(raw, 'the options')
  const unknown = Object.keys(of).find((name) => !KNOWN.includes(name) && !OF_MEDUSA.includes(name))
  if (unknown !== undefined) throw new OptionsError(`\`${unknown}\` is none of ${KNOWN.join(', ')}`)
  const stores = listOf(of, 'stores').map(storeOf)
  if (stores.length === 0) throw new OptionsError('`stores` must name a store')
  if (new Set(stores.map(({ store }) => store)).size < stores.length)
    throw new OptionsError('`stores` names a store twice')
  const url = textOf(of, 'url')
  if (!URL.canParse(url)) throw new OptionsError('`url` must be the address of the service, with https://')
  return {
    url,
    token: textOf(of, 'token'),
    stores,
    customerGroups: groupsOf(of['customerGroups'] ?? {}),
    shopOwns: new Set(listOf(of, 'shopOwns').map(ownableOf)),
    webhookSecrets: listOf(of, 'webhookSecrets').map((secret) => {
      if (typeof secret !== 'string' || secret === '') throw new OptionsError('`webhookSecrets` must be texts')
      return secret
    }),
  }
}

function storeOf(raw: unknown): StoreOption {
  if (typeof raw === 'string' && raw !== '') return { store: raw, salesChannel: null, stockLocation: null }
  const of = membersOf(raw, 'an entry of `stores`')
  const unknown = Object.keys(of).find((name) => !['store', 'salesChannel', 'stockLocation'].includes(name))
  if (unknown !== undefined) throw new OptionsError(`\`${unknown}\` is no member of an entry of \`stores\``)
  const optional = (name: string) => (of[name] === undefined || of[name] === null ? null : textOf(of, name))
  return {
    store: textOf(of, 'store'),
    salesChannel: optional('salesChannel'),
    stockLocation: optional('stockLocation'),
  }
}

function groupsOf(raw: unknown): Options['customerGroups'] {
  const entries = Object.entries(membersOf(raw, '`customerGroups`'))
  return new Map(
    entries.map(([name, id]) => {
      if (id !== null && (typeof id !== 'string' || id === ''))
        throw new OptionsError(`\`customerGroups\` must say the ID of Medusa's group for ${name}, or null`)
      return [name, id]
    }),
  )
}

function ownableOf(raw: unknown): Ownable {
  const field = OWNABLE.find((name) => name === raw)
  if (field === undefined)
    throw new OptionsError(`\`shopOwns\` has ${JSON.stringify(raw)}, which is none of ${OWNABLE.join(', ')}`)
  return field
}

function membersOf(raw: unknown, what: string): Members {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new OptionsError(`${what} must be an object`)
  return raw as Members
}

function listOf(of: Members, name: string): readonly unknown[] {
  const value = of[name] ?? []
  if (!Array.isArray(value)) throw new OptionsError(`\`${name}\` must be a list`)
  return value
}

function textOf(of: Members, name: string): string {
  const value = of[name]
  if (typeof value !== 'string' || value === '') throw new OptionsError(`\`${name}\` is missing`)
  return value
}
