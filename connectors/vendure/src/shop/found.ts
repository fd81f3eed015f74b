import { In, IsNull, MoreThan, Not } from 'typeorm'
import { Asset, Product, StockLevel, TransactionalConnection, type RequestContext } from '@vendure/core'
import type { Shop } from '../vendure-shop.ts'
import type { AssetRow, Id, ProductRow, StockLevelRow } from './rows.ts'

// The shop's products for articles, read from its entities.

const RELATIONS = {
  translations: true,
  channels: true,
  featuredAsset: true,
  assets: { asset: true },
  facetValues: { channels: true },
  optionGroups: { translations: true, channels: true, options: { translations: true, channels: true } },
  variants: {
    translations: true,
    channels: true,
    options: true,
    assets: { asset: true },
    taxCategory: true,
    productVariantPrices: true,
  },
}

/**
 * The products of some articles by the key of the article, without deleted ones.
 * @param locations whose stock is read: a shop may have hundreds of others
 */
export async function foundOf(
  shop: Shop,
  ctx: RequestContext,
  keys: readonly string[],
  locations: readonly Id[],
): Promise<Map<string, ProductRow>> {
  if (keys.length === 0) return new Map()
  const products = await shop
    .get(TransactionalConnection)
    .getRepository<ProductRow>(ctx, Product)
    .find({
      where: { customFields: { shelfwireKey: In(keys) }, deletedAt: IsNull() },
      relations: RELATIONS,
      relationLoadStrategy: 'query',
      // of two with the same key, the older one is last and stays in the map
      order: { id: 'DESC' },
    })
  await addChannels(shop, ctx, products)
  await addStock(shop, ctx, products, locations)
  for (const product of products) {
    product.assets.sort((a, b) => a.position - b.position)
    product.optionGroups = product.optionGroups.filter(({ deletedAt }) => deletedAt === null)
    for (const group of product.optionGroups)
      group.options = group.options.filter(({ deletedAt }) => deletedAt === null)
    product.variants = product.variants.filter(({ deletedAt }) => deletedAt === null)
    for (const { assets } of product.variants) assets.sort((a, b) => a.position - b.position)
  }
  return new Map(products.map((product) => [product.customFields.shelfwireKey ?? '', product]))
}

/** Reads the channels of pictures, because TypeORM does not load relations below an eager relation. */
async function addChannels(shop: Shop, ctx: RequestContext, products: readonly ProductRow[]): Promise<void> {
  const pictures = products.flatMap(({ assets }) => assets)
  if (pictures.length === 0) return
  const assets = await shop
    .get(TransactionalConnection)
    .getRepository<AssetRow>(ctx, Asset)
    .find({
      where: { id: In(pictures.map(({ asset }) => asset.id)) },
      relations: { channels: true },
      loadEagerRelations: false,
    })
  const channels = new Map(assets.map((asset) => [String(asset.id), asset.channels]))
  for (const { asset } of pictures) asset.channels = channels.get(String(asset.id)) ?? []
}

/**
 * Reads stock levels in a query of their own. As a relation, TypeORM would compare each variant with the levels of all variants, once for each of its
 * own levels: 450 million times for 71 variants at 300 locations. docs/decisions/230-of-stock-what-stores-say.md says more.
 */
async function addStock(
  shop: Shop,
  ctx: RequestContext,
  products: readonly ProductRow[],
  locations: readonly Id[],
): Promise<void> {
  const variants = new Map(products.flatMap((product) => product.variants.map((row) => [String(row.id), row] as const)))
  for (const row of variants.values()) row.stockLevels = []
  if (variants.size === 0 || locations.length === 0) return
  const levels = await shop
    .get(TransactionalConnection)
    .getRepository<StockLevelRow>(ctx, StockLevel)
    .find({
      where: {
        productVariantId: In([...variants.values()].map(({ id }) => id)),
        stockLocationId: In([...locations]),
      },
      loadEagerRelations: false,
    })
  for (const level of levels) variants.get(String(level.productVariantId))?.stockLevels.push(level)
}

const PAGE = 1_000

/** The article keys of the shop's enabled products that have one, by product ID ascending. */
export async function* keyPages(shop: Shop): AsyncGenerator<(string | null)[]> {
  const products = shop.get(TransactionalConnection).getRepository<ProductRow>(await shop.context(), Product)
  for (let after: string | number | null = null; ;) {
    const page: ProductRow[] = await products.find({
      where: {
        customFields: { shelfwireKey: Not(IsNull()) },
        deletedAt: IsNull(),
        enabled: true,
        ...(after === null ? {} : { id: MoreThan(after) }),
      },
      order: { id: 'ASC' },
      take: PAGE,
      loadEagerRelations: false,
    })
    yield page.map(({ customFields }) => customFields.shelfwireKey)
    if (page.length < PAGE) return
    after = page.at(-1)?.id ?? after
  }
}
