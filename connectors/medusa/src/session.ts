import { openAccount, rowNamed, ShopTarget, warnOnce, type ShopSession } from '@shelfwire/client/shop'
import type { SoldStore, Terms } from './article/terms.ts'
import type { Container } from './medusa-shop.ts'
import { optionsOf, type Options } from './options.ts'
import { Categories } from './shop/categories.ts'
import { MedusaKeeper } from './shop/keeper.ts'
import { PriceLists } from './shop/lists.ts'
import { TaxOfCurrencies } from './shop/tax.ts'

/** Shared by all sessions of the process, of which one is opened each minute, so that a warning is logged once. */
let warn: ReturnType<typeof warnOnce> | undefined

/** Reads the options, the account and the shop. @throws Error where the options name something that the service or the shop does not have; ShelfwireError */
export async function openSession(shop: Container): Promise<ShopSession> {
  const options = optionsOf(shop.resolve('shelfwire').options)
  const stores = options.stores.map(({ store }) => store)
  const kept = shop.resolve('__pg_connection__')
  warn ??= warnOnce(shop.resolve('logger'))
  const { shelf, stores: known, active, publicGroupId } = await openAccount(options, stores, { kept, warn })
  const currencies = new Map([...known].map(([slug, { currency }]) => [slug, currency]))
  await warnOfCurrencies(
    shop,
    stores.flatMap((store) => currencies.get(store) ?? []),
  )
  const tax = await TaxOfCurrencies.open(shop)
  const terms: Terms = {
    stores: await soldStores(shop, options),
    publicGroupId,
    hasTax: tax.hasTax,
    leftOutGroups: new Set([...options.customerGroups].flatMap(([name, id]) => (id === null ? [name] : []))),
  }
  const deciding = new Map<string | undefined, string>()
  for (const store of stores.toReversed()) deciding.set(currencies.get(store), store)
  const [profile] = await shop.resolve('fulfillment').listShippingProfiles({ type: 'default' }, { take: 1 })
  const keeper = new MedusaKeeper(shop, {
    terms,
    tax,
    shopOwns: options.shopOwns,
    categories: new Categories(shop, {
      read: () => shelf.categories({ store: active[0] }),
      isNaming: active[0] === stores[0],
    }),
    lists: new PriceLists(shop, options.customerGroups),
    decidingStores: new Set(deciding.values()),
    shippingProfileId: profile?.id ?? null,
  })
  const target = new ShopTarget(kept, keeper, stores, shop.resolve('logger'))
  return { shelf, keeper, target, stores: active, name: options.name }
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
    salesChannelId: rowNamed(channels, salesChannel, defaultChannel, {
      what: 'sales channel',
      option: 'salesChannel',
      store,
      connector: '@shelfwire/medusa',
    }).id,
    stockLocationId: rowNamed(locations, stockLocation, onlyLocation, {
      what: 'stock location',
      option: 'stockLocation',
      store,
      connector: '@shelfwire/medusa',
    }).id,
  }))
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
