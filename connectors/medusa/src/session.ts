import { Shelfwire } from '@shelfwire/client'
import type { SoldStore, Terms } from './article/article.ts'
import type { Container, NamedRow } from './medusa-shop.ts'
import { optionsOf, type Options } from './options.ts'
import { Categories } from './shop/categories.ts'
import { Keeper } from './shop/keeper.ts'
import { PriceLists } from './shop/lists.ts'
import { TaxOfCurrencies } from './shop/tax.ts'
import { ShopTarget } from './target.ts'

/** What works together while the shop is brought up to date or compared. */
export interface Session {
  options: Options
  shelf: Shelfwire
  keeper: Keeper
  target: ShopTarget
  /** Slugs, in the order of the options. */
  stores: string[]
}

/** @throws Error where the options name what the service or the shop does not have; ShelfwireError */
export async function openSession(shop: Container): Promise<Session> {
  const options = optionsOf(shop.resolve('shelfwire').options)
  const shelf = new Shelfwire({ url: options.url, token: options.token })
  const stores = options.stores.map(({ store }) => store)
  const currencies = new Map((await shelf.stores()).map(({ slug, currency }) => [slug, currency]))
  const unknown = stores.find((store) => !currencies.has(store))
  if (unknown !== undefined)
    throw new Error(`Shelfwire has no active store ${unknown}; it has ${[...currencies.keys()].join(', ')}`)
  const groups = await shelf.customerGroups()
  const publicGroup = groups.find(({ is_default: isDefault }) => isDefault)
  if (publicGroup === undefined) throw new Error('Shelfwire has no default customer group')
  await warnOfCurrencies(
    shop,
    stores.flatMap((store) => currencies.get(store) ?? []),
  )
  const tax = await TaxOfCurrencies.open(shop)
  const terms: Terms = {
    stores: await soldStores(shop, options),
    publicGroupId: publicGroup.id,
    hasTax: tax.hasTax,
    leftOutGroups: new Set([...options.customerGroups].flatMap(([name, id]) => (id === null ? [name] : []))),
  }
  const deciding = new Map<string | undefined, string>()
  for (const store of stores.toReversed()) deciding.set(currencies.get(store), store)
  const [profile] = await shop.resolve('fulfillment').listShippingProfiles({ type: 'default' }, { take: 1 })
  const keeper = new Keeper(shop, {
    terms,
    tax,
    shopOwns: options.shopOwns,
    categories: new Categories(shop, () => shelf.categories({ store: stores[0] })),
    lists: new PriceLists(shop, options.customerGroups),
    decidingStores: new Set(deciding.values()),
    shippingProfileId: profile?.id ?? null,
  })
  const target = new ShopTarget(shop.resolve('__pg_connection__'), keeper, stores, shop.resolve('logger'))
  return { options, shelf, keeper, target, stores }
}

async function soldStores(shop: Container, { stores }: Options): Promise<SoldStore[]> {
  const all = { take: null, select: ['id', 'name'] }
  const channels = await shop.resolve('sales_channel').listSalesChannels({}, all)
  const locations = await shop.resolve('stock_location').listStockLocations({}, all)
  const [settings] = await shop.resolve('store').listStores({}, { take: 1 })
  const defaultChannel = channels.find(({ id }) => id === settings?.default_sales_channel_id)
  const onlyLocation = locations.length === 1 ? locations[0] : undefined
  return stores.map(({ store, salesChannel, stockLocation }) => ({
    store,
    salesChannelId: named(channels, salesChannel, defaultChannel, 'sales channel', 'salesChannel', store),
    stockLocationId: named(locations, stockLocation, onlyLocation, 'stock location', 'stockLocation', store),
  }))
}

/** The row of an ID or a name. */
function named(
  rows: readonly NamedRow[],
  asked: string | null,
  otherwise: NamedRow | undefined,
  what: string,
  option: string,
  store: string,
): string {
  const row = asked === null ? otherwise : rows.find(({ id, name }) => id === asked || name === asked)
  if (row !== undefined) return row.id
  const have = rows.map(({ id, name }) => `${name} (${id})`).join(', ')
  throw new Error(
    asked === null
      ? `say the \`${option}\` of the store ${store} in the options of @shelfwire/medusa: the shop has ${have === '' ? `no ${what} yet` : have}`
      : `the shop has no ${what} ${asked}; it has ${have === '' ? 'none' : have}`,
  )
}

async function warnOfCurrencies(shop: Container, currencies: readonly string[]): Promise<void> {
  const [settings] = await shop.resolve('store').listStores({}, { take: 1, relations: ['supported_currencies'] })
  const supported = new Set(settings?.supported_currencies.map(({ currency_code: code }) => code))
  const missing = currencies.filter((currency) => !supported.has(currency.toLowerCase()))
  if (missing.length > 0)
    shop
      .resolve('logger')
      .warn(`Shelfwire: the shop does not sell in ${missing.join(', ')} yet: add it in its settings, under Store`)
}
