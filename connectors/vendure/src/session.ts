import {
  ChannelService,
  ConfigService,
  LanguageCode,
  StockLocationService,
  TaxCategoryService,
  type RequestContext,
} from '@vendure/core'
import {
  madeOf,
  noteMade,
  openAccount,
  rowNamed,
  ShopTarget,
  type OpenedAccount,
  type ShopSession,
} from '@shelfwire/client/shop'
import type { SoldStore, Terms } from './article/terms.ts'
import type { Options } from './options.ts'
import { Categories } from './shop/categories.ts'
import { warnOfCurrencies } from './shop/currencies.ts'
import { VendureKeeper } from './shop/keeper.ts'
import { NewProducts } from './shop/new-products.ts'
import { Pictures } from './shop/pictures.ts'
import type { ChannelRow } from './shop/rows.ts'
import { logger, type Shop } from './vendure-shop.ts'

const CONNECTOR = '@shelfwire/vendure'
/** The kind under which channels are noted in which a store is or was sold. */
const CHANNEL = 'channel'
const ALL = { take: 1_000 }

/**
 * Reads the account and the shop.
 * @param warn logs a text once, not at each run
 * @throws Error where the options name something that the service or the shop does not have; ShelfwireError
 */
export async function openSession(shop: Shop, options: Options, warn: (text: string) => void): Promise<ShopSession> {
  shop.requirePostgres()
  const slugs = options.stores.map(({ store }) => store)
  const account = await openAccount(options, slugs, { kept: shop.db, warn })
  const ctx = await shop.context()
  const stores = await soldStores(shop, ctx, options, account.stores, warn)
  const { precision = 2 } = shop.get(ConfigService).entityOptions.moneyStrategy
  const terms: Terms = {
    stores,
    publicGroupId: account.publicGroupId,
    customerGroups: options.customerGroups,
    moneyFactor: 10 ** precision,
    taxCategoryOf: await taxCategories(shop, ctx, options, warn),
  }
  const { shelf, active } = account
  const named = stores.filter(({ store }) => active.includes(store))
  const languages = new Map(named.toReversed().map(({ language, store }) => [language, store]))
  const keeper = new VendureKeeper(shop, ctx, {
    terms,
    shopOwns: options.shopOwns,
    categories: new Categories(shop, ctx, {
      lists: [...languages]
        .toSorted(([, a], [, b]) => slugs.indexOf(a) - slugs.indexOf(b))
        .map(([language, store]) => ({ language, read: () => shelf.categories({ store }) })),
      channelIds: stores.filter(({ channel }) => !channel.isDefault).map(({ channel }) => channel.id),
      hasCollections: options.hasCollections,
    }),
    pictures: new Pictures(shop, ctx, warn),
    channels: await ownChannels(shop, stores),
    newProducts: await NewProducts.open(shop, ctx, stores),
    warn,
  })
  return { shelf, keeper, target: new ShopTarget(shop.db, keeper, slugs, logger), stores: active, name: options.name }
}

async function soldStores(
  shop: Shop,
  ctx: RequestContext,
  options: Options,
  account: OpenedAccount['stores'],
  warn: (text: string) => void,
): Promise<SoldStore[]> {
  const { items: channels } = await shop.get(ChannelService).findAll(ctx, ALL)
  const defaultChannel = await shop.get(ChannelService).getDefaultChannel()
  const { items: locations } = await shop.get(StockLocationService).findAll(ctx, ALL)
  const defaultLocation = await shop.get(StockLocationService).defaultStockLocation(ctx)
  const sold = options.stores.map(({ store, channel: asked, stockLocation }) => {
    const { locale, currency } = account.get(store) ?? { locale: '', currency: '' }
    const named = (rows: readonly ChannelRow[]) => rows.map((row) => ({ ...row, name: row.code }))
    const of = { store, connector: CONNECTOR }
    const { id } = rowNamed(named(channels), asked, named([defaultChannel])[0], {
      ...of,
      what: 'channel',
      option: 'channel',
    })
    const channel = channels.find((each) => each.id === id) ?? defaultChannel
    checkChannel(channel, store, currency)
    return {
      store,
      language: languageOf(locale, channel),
      currency,
      channel: {
        id,
        code: channel.code,
        hasTax: channel.pricesIncludeTax,
        isDefault: String(id) === String(defaultChannel.id),
      },
      stockLocationId: rowNamed(locations, stockLocation, defaultLocation, {
        ...of,
        what: 'stock location',
        option: 'stockLocation',
      }).id,
    }
  })
  warnOfCurrencies(sold, channels, warn)
  return sold
}

/** @throws Error where Vendure would refuse prices, or could not show them */
function checkChannel({ code, availableCurrencyCodes, defaultTaxZone }: ChannelRow, store: string, currency: string) {
  if (!availableCurrencyCodes.includes(currency))
    throw new Error(
      `the store ${store} sells in ${currency}, and its channel ${code} in ${availableCurrencyCodes.join(', ')}: add the currency in the shop's settings, under Channels`,
    )
  if (defaultTaxZone === null)
    throw new Error(`the channel ${code} has no default tax zone: set one in the shop's settings, under Channels`)
}

/** The shop's code for the language of a locale: with the country only where the channel has it so. @throws Error for a language unknown to Vendure */
function languageOf(locale: string, { availableLanguageCodes }: ChannelRow): string {
  const whole = locale.replaceAll('-', '_')
  if (availableLanguageCodes.includes(whole)) return whole
  const [language = ''] = whole.split('_')
  if (!(language in LanguageCode)) throw new Error(`Vendure does not know the language of the locale ${locale}`)
  return language
}

async function taxCategories(
  shop: Shop,
  ctx: RequestContext,
  options: Options,
  warn: (text: string) => void,
): Promise<Terms['taxCategoryOf']> {
  const { items } = await shop.get(TaxCategoryService).findAll(ctx)
  const otherwise = items.find(({ isDefault }) => isDefault) ?? items[0]
  if (otherwise === undefined) throw new Error("the shop has no tax category yet: make one in the shop's settings")
  return (taxClass) => {
    if (taxClass === undefined) return otherwise.id
    const asked = options.taxCategories.get(taxClass) ?? taxClass
    const there = items.find(({ id, name }) => String(id) === asked || name.toLowerCase() === asked.toLowerCase())
    if (there === undefined)
      warn(
        `Shelfwire: the shop has no tax category ${asked}, so that products of the tax class ${taxClass} are in ${otherwise.name}: say which one in the option taxCategories`,
      )
    return (there ?? otherwise).id
  }
}

/** The ids, as texts, of channels in which stores are sold, and of those in which stores were sold that the options no longer name. */
async function ownChannels(shop: Shop, stores: readonly SoldStore[]): Promise<Set<string>> {
  const own = stores.filter(({ channel }) => !channel.isDefault).map(({ channel }) => String(channel.id))
  const noted = await madeOf(shop.db, CHANNEL)
  for (const id of own) if (!noted.has(id)) await noteMade(shop.db, CHANNEL, id, id)
  return new Set([...noted.keys(), ...own])
}
