import type { Container, Level, PriceRow } from '../medusa-shop.ts'

// The shop's products for articles, read by Medusa's own queries.

export interface FoundProduct {
  id: string
  /** The key of the article. */
  external_id: string
  title: string
  handle: string
  description: string | null
  status: string
  thumbnail: string | null
  images: { id: string; url: string; rank: number; variants?: { id: string }[] }[]
  categories: { id: string }[]
  sales_channels: { id: string }[]
  options: { id: string; title: string; values: { id: string; value: string }[] }[]
  variants: FoundVariant[]
}

export interface FoundVariant {
  id: string
  title: string
  sku: string | null
  ean: string | null
  variant_rank: number | null
  weight: number | null
  hs_code: string | null
  origin_country: string | null
  manage_inventory: boolean
  metadata: { shelfwire_id?: number } | null
  options: { value: string; option: { title: string } }[]
  inventory_items: { inventory_item_id: string; inventory?: { location_levels?: Level[] } }[]
  price_set?: { id: string } | null
  /** Added here from the pricing module. */
  prices: PriceRow[]
}

const FIELDS = [
  'id',
  'external_id',
  'title',
  'handle',
  'description',
  'status',
  'thumbnail',
  'images.id',
  'images.url',
  'images.rank',
  'images.variants.id',
  'categories.id',
  'sales_channels.id',
  'options.id',
  'options.title',
  'options.values.id',
  'options.values.value',
  'variants.id',
  'variants.title',
  'variants.sku',
  'variants.ean',
  'variants.variant_rank',
  'variants.weight',
  'variants.hs_code',
  'variants.origin_country',
  'variants.manage_inventory',
  'variants.metadata',
  'variants.options.value',
  'variants.options.option.title',
  'variants.inventory_items.inventory_item_id',
  'variants.inventory_items.inventory.location_levels.inventory_item_id',
  'variants.inventory_items.inventory.location_levels.location_id',
  'variants.inventory_items.inventory.location_levels.stocked_quantity',
  'variants.price_set.id',
]

/** The shop's products of some articles, by the key of the article. */
export async function foundOf(shop: Container, articles: readonly string[]): Promise<Map<string, FoundProduct>> {
  const { data } = await shop
    .resolve('query')
    .graph({ entity: 'product', fields: FIELDS, filters: { external_id: articles } })
  const products = data as FoundProduct[]
  const sets = products.flatMap(({ variants }) => variants.flatMap(({ price_set: set }) => set?.id ?? []))
  const prices = new Map<string, PriceRow[]>()
  if (sets.length > 0)
    for (const price of await shop
      .resolve('pricing')
      .listPrices({ price_set_id: sets }, { take: null, order: { id: 'ASC' } }))
      prices.set(price.price_set_id, [...(prices.get(price.price_set_id) ?? []), price])
  for (const { variants, images } of products) {
    images.sort((a, b) => a.rank - b.rank)
    for (const variant of variants) variant.prices = prices.get(variant.price_set?.id ?? '') ?? []
  }
  return new Map(products.map((product) => [product.external_id, product]))
}

/** Only the variants of a product, which are read in a fraction of the time of a whole product. */
export interface FoundVariants {
  id: string
  external_id: string
  variants: Pick<FoundVariant, 'id' | 'metadata'>[]
}

export async function foundVariantsOf(shop: Container, articles: readonly string[]): Promise<FoundVariants[]> {
  const fields = ['id', 'external_id', 'variants.id', 'variants.metadata']
  const { data } = await shop.resolve('query').graph({ entity: 'product', fields, filters: { external_id: articles } })
  return data as FoundVariants[]
}

const PAGE = 1_000

/** The external ids of all products of the shop, whoever made them, by product ID ascending; null: a product has none. */
export async function* externalIdPages(shop: Container): AsyncGenerator<(string | null)[]> {
  for (let skip = 0; ; skip += PAGE) {
    const pagination = { skip, take: PAGE, order: { id: 'ASC' } }
    const { data } = await shop.resolve('query').graph({ entity: 'product', fields: ['id', 'external_id'], pagination })
    const page = (data as { external_id: string | null }[]).map(({ external_id: external }) => external)
    yield page
    if (page.length < PAGE) return
  }
}
