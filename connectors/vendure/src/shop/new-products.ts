import { In, IsNull } from 'typeorm'
import {
  Asset,
  ChannelService,
  ConfigService,
  DefaultProductVariantPriceUpdateStrategy,
  Product,
  ProductAsset,
  ProductOption,
  ProductOptionGroup,
  ProductOptionGroupTranslation,
  ProductOptionTranslation,
  ProductTranslation,
  ProductVariant,
  ProductVariantAsset,
  ProductVariantPrice,
  ProductVariantTranslation,
  StockAdjustment,
  StockLevel,
  StockLocation,
  TransactionalConnection,
  type RequestContext,
} from '@vendure/core'
import { distinct } from '@shelfwire/client/shop'
import type { WantedPrice } from '../article/prices.ts'
import type { SoldStore } from '../article/terms.ts'
import type { Wanted, WantedVariant } from '../article/wanted.ts'
import type { Shop } from '../vendure-shop.ts'
import { NewRows } from './new-rows.ts'
import { assetsOf, type Known } from './planned.ts'
import type { Id, IdRow, NameRow } from './rows.ts'

// Makes new products together: with one statement for all rows of a kind, where Vendure's services use hundreds for each product.
// new-product-events.ts publishes their events. docs/decisions/217-new-products-are-written-together.md says why.

/** How many variants are written in one transaction. */
const VARIANTS = 250

interface TextRow extends IdRow {
  languageCode: string
  slug: string
}

interface LocationRow extends IdRow {
  channels: IdRow[]
}

/** Prices and stock movements that were written with the variants, for the events about them. */
export interface MadeBeside {
  prices: object[]
  movements: object[]
}

/** A variant that is being made. */
interface Making {
  variant: WantedVariant
  productId: Id
  optionIds: Id[]
  assetIds: Id[]
}

export class NewProducts {
  readonly #shop: Shop
  readonly #defaultChannel: { id: Id; currency: string }
  readonly #locations: readonly LocationRow[]

  private constructor(shop: Shop, defaultChannel: { id: Id; currency: string }, locations: readonly LocationRow[]) {
    this.#shop = shop
    this.#defaultChannel = defaultChannel
    this.#locations = locations
  }

  /** @returns null where the shop may derive further prices from one, as with a strategy of its own: then only the shop's services may make products */
  static async open(shop: Shop, ctx: RequestContext, stores: readonly SoldStore[]): Promise<NewProducts | null> {
    const { productVariantPriceUpdateStrategy: strategy } = shop.get(ConfigService).catalogOptions
    if (strategy.constructor !== DefaultProductVariantPriceUpdateStrategy) return null
    const { items } = await shop.get(ChannelService).findAll(ctx, { take: 1_000 })
    const currencies = new Map(items.map(({ id, defaultCurrencyCode }) => [String(id), defaultCurrencyCode]))
    // Vendure also makes a price in the default currency of each channel, so a store in another currency would need a second one
    if (stores.some(({ channel, currency }) => currencies.get(String(channel.id)) !== currency)) return null
    const { id, defaultCurrencyCode } = await shop.get(ChannelService).getDefaultChannel()
    const locations = await shop
      .get(TransactionalConnection)
      .getRepository<LocationRow>(ctx, StockLocation)
      .find({ relations: { channels: true } })
    return new NewProducts(shop, { id, currency: defaultCurrencyCode }, locations)
  }

  /** The products that can be written together, in parts of one transaction each. The others are left to the shop's services, which choose a free slug, for example. */
  async parts(ctx: RequestContext, wanted: readonly Wanted[]): Promise<Wanted[][]> {
    const slugs = distinct(wanted.flatMap(({ texts }) => texts.map(({ slug }) => slug)))
    const taken = new Set(await this.#taken(ctx, slugs))
    const parts: Wanted[][] = []
    let variants = VARIANTS
    for (const each of wanted) {
      const own = distinct(each.texts.map(({ slug }) => slug))
      if (own.some((slug) => taken.has(slug) || slug.includes('--')) || !areVariantsPlain(each)) continue
      for (const slug of own) taken.add(slug)
      variants += each.variants.length
      if (variants > VARIANTS) {
        parts.push([])
        variants = each.variants.length
      }
      parts.at(-1)?.push(each)
    }
    return parts
  }

  async #taken(ctx: RequestContext, slugs: readonly string[]): Promise<string[]> {
    const rows = await this.#shop
      .get(TransactionalConnection)
      .getRepository<TextRow>(ctx, ProductTranslation)
      .find({ where: { slug: In(slugs), base: { deletedAt: IsNull() } } })
    return rows.map(({ slug }) => slug)
  }

  /** Writes products within the transaction of a context. The caller compares them with the plan and writes what still differs. */
  async make(ctx: RequestContext, wanted: readonly Wanted[], known: Known): Promise<MadeBeside> {
    const rows = new NewRows(this.#shop, ctx)
    const ids = await rows.insert(
      Product,
      wanted.map((each) => ({
        enabled: each.enabled,
        featuredAsset: reference(assetsOf(each.pictures, known)[0]),
        customFields: { shelfwireKey: each.key },
      })),
    )
    const products = wanted.flatMap((each, i) => {
      const id = ids[i]
      return id === undefined ? [] : [{ id, wanted: each, channelIds: this.#channelsOf(each.variants) }]
    })
    await rows.insert(
      ProductTranslation,
      products.flatMap(({ id, wanted: { texts } }) =>
        texts.map(({ languageCode, name, slug, description }) => ({
          languageCode,
          name,
          slug,
          description,
          base: { id },
        })),
      ),
    )
    await rows.link(
      Product,
      'channels',
      products.map(({ id, channelIds }) => [id, channelIds]),
    )
    await rows.link(
      Product,
      'facetValues',
      products.map(({ id, wanted: { categories } }) => [
        id,
        distinct(categories.flatMap((category) => known.categories.get(String(category)) ?? [])),
      ]),
    )
    const pictures = products.map((each) => ({ ...each, assetIds: assetsOf(each.wanted.pictures, known) }))
    await rows.insert(
      ProductAsset,
      pictures.flatMap(({ id, assetIds }) =>
        assetIds.map((assetId, position) => ({ assetId, productId: id, position })),
      ),
    )
    // a picture of two products is linked twice, which `link` ignores
    await rows.link(
      Asset,
      'channels',
      pictures.flatMap(({ assetIds, channelIds }) => assetIds.map((id) => [id, channelIds] as const)),
    )
    const optionIds = await this.#makeOptions(rows, products)
    return this.#makeVariants(
      rows,
      products.flatMap(({ id, wanted: { variants } }) =>
        variants.map((variant) => ({
          variant,
          productId: id,
          optionIds: Object.entries(variant.options).flatMap(
            ([group, value]) => optionIds.get(optionKey(id, group, value)) ?? [],
          ),
          assetIds: variants.length === 1 ? [] : assetsOf(variant.pictures, known),
        })),
      ),
    )
  }

  /** Makes option groups and options. @returns the ids of the options by `optionKey` */
  async #makeOptions(
    rows: NewRows,
    products: readonly { id: Id; wanted: Wanted; channelIds: Id[] }[],
  ): Promise<Map<string, Id>> {
    const groups = products.flatMap(({ id: productId, wanted: { optionGroups }, channelIds }) =>
      optionGroups.map((group) => ({ productId, group, channelIds })),
    )
    const groupIds = await rows.insert(
      ProductOptionGroup,
      groups.map(({ group: { code } }) => ({ code })),
    )
    const made = groups.flatMap((each, i) => {
      const id = groupIds[i]
      return id === undefined ? [] : [{ ...each, id }]
    })
    await rows.name(
      ProductOptionGroupTranslation,
      made.map(({ id, group: { names } }) => [id, names]),
    )
    await rows.link(
      ProductOptionGroup,
      'channels',
      made.map(({ id, channelIds }) => [id, channelIds]),
    )
    await rows.link(
      Product,
      'optionGroups',
      made.map(({ id, productId }) => [productId, [id]]),
    )
    const options = made.flatMap(({ id: groupId, productId, group, channelIds }) =>
      group.options.map((option) => ({ groupId, productId, group, option, channelIds })),
    )
    const optionIds = await rows.insert(
      ProductOption,
      options.map(({ groupId, option: { code } }) => ({ code, group: { id: groupId } })),
    )
    const known = new Map<string, Id>()
    const named: [Id, readonly NameRow[]][] = []
    const shown: [Id, readonly Id[]][] = []
    for (const [i, { productId, group, option, channelIds }] of options.entries()) {
      const id = optionIds[i]
      if (id === undefined) continue
      known.set(optionKey(productId, group.code, option.code), id)
      named.push([id, option.names])
      shown.push([id, channelIds])
    }
    await rows.name(ProductOptionTranslation, named)
    await rows.link(ProductOption, 'channels', shown)
    return known
  }

  async #makeVariants(rows: NewRows, making: readonly Making[]): Promise<MadeBeside> {
    const ids = await rows.insert(
      ProductVariant,
      making.map(({ variant, productId, assetIds }) => ({
        enabled: variant.enabled,
        sku: variant.sku,
        trackInventory: 'TRUE',
        product: { id: productId },
        taxCategory: { id: variant.taxCategoryId },
        featuredAsset: reference(assetIds[0]),
        customFields: variant.fields,
      })),
    )
    const made = making.flatMap((each, i) => {
      const id = ids[i]
      return id === undefined ? [] : [{ ...each, id, channelIds: this.#channelsOf([each.variant]) }]
    })
    await rows.name(
      ProductVariantTranslation,
      made.map(({ id, variant: { names } }) => [id, names]),
    )
    await rows.link(
      ProductVariant,
      'channels',
      made.map(({ id, channelIds }) => [id, channelIds]),
    )
    await rows.link(
      ProductVariant,
      'options',
      made.map(({ id, optionIds }) => [id, optionIds]),
    )
    await rows.insert(
      ProductVariantAsset,
      made.flatMap(({ id, assetIds }) =>
        assetIds.map((assetId, position) => ({ assetId, productVariantId: id, position })),
      ),
    )
    const prices = made.flatMap(({ id, variant }) => this.#pricesOf(variant).map((price) => priceOf(id, price)))
    await rows.insert(ProductVariantPrice, prices)
    return { prices, movements: await this.#makeStock(rows, made) }
  }

  /** The prices of a variant, and one in the default channel, which every variant has even where it is not sold there. */
  #pricesOf({ prices }: WantedVariant): WantedPrice[] {
    const { id: channelId, currency } = this.#defaultChannel
    const isOfDefault = prices.some(
      (price) => String(price.channelId) === String(channelId) && price.currency === currency,
    )
    return isOfDefault ? prices : [{ channelId, currency, amount: prices[0]?.amount ?? 0 }, ...prices]
  }

  /** Makes a stock level for each variant at each location of its channels, and a movement where it is not 0. @returns the movements */
  async #makeStock(
    rows: NewRows,
    made: readonly { id: Id; variant: WantedVariant; channelIds: Id[] }[],
  ): Promise<object[]> {
    const levels = made.flatMap(({ id, variant: { stock }, channelIds }) => {
      const seen = new Set(channelIds.map(String))
      const others = this.#locations.filter(({ channels }) => channels.some((channel) => seen.has(String(channel.id))))
      const amounts = new Map<string, { location: Id; amount: number }>()
      for (const { id: location } of others) amounts.set(String(location), { location, amount: 0 })
      for (const [location, amount] of stock) amounts.set(String(location), { location, amount })
      return [...amounts.values()].map((each) => ({ ...each, variantId: id }))
    })
    await rows.insert(
      StockLevel,
      levels.map(({ variantId, location, amount }) => ({
        productVariant: { id: variantId },
        stockLocation: { id: location },
        stockOnHand: amount,
        stockAllocated: 0,
      })),
    )
    const movements = levels
      .filter(({ amount }) => amount !== 0)
      .map(
        ({ variantId, location, amount }) =>
          new StockAdjustment({
            quantity: amount,
            productVariant: { id: variantId },
            stockLocation: { id: location },
          }),
      )
    await rows.insert(StockAdjustment, movements)
    return movements
  }

  /** The channels of the variants, and the default one. */
  #channelsOf(variants: readonly WantedVariant[]): Id[] {
    const ids = new Map<string, Id>([[String(this.#defaultChannel.id), this.#defaultChannel.id]])
    for (const id of variants.flatMap(({ channels }) => channels)) ids.set(String(id), id)
    return [...ids.values()]
  }
}

const optionKey = (product: Id, group: string, option: string): string => JSON.stringify([product, group, option])

const priceOf = (variantId: Id, { channelId, currency, amount }: WantedPrice) =>
  new ProductVariantPrice({
    channelId,
    currencyCode: currency,
    price: amount,
    variant: new ProductVariant({ id: variantId }),
  })

const reference = (id: Id | undefined): IdRow | null => (id === undefined ? null : { id })

/** Whether a product has few enough variants for one transaction, and no two with the same options, which the shop's services would refuse. */
function areVariantsPlain({ variants }: Wanted): boolean {
  const options = variants.map((variant) =>
    JSON.stringify(Object.entries(variant.options).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
  return variants.length <= VARIANTS && new Set(options).size === options.length
}
