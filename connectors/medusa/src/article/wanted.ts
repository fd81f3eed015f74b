import type { Product } from '@shelfwire/client'
import { distinct, handleOf, isHandle, stockByLocation, variantsOf, type Article } from '@shelfwire/client/shop'
import type { Terms } from './terms.ts'
import { wantedPrices, type WantedPrice } from './prices.ts'

// The product that the shop should have for an article.

export interface Wanted {
  key: string
  title: string
  /** Set when the product is made. Later only `keptHandle` is written, where it is not null. */
  handle: string
  keptHandle: string | null
  description: string | null
  status: 'published' | 'draft'
  /** URLs. */
  pictures: string[]
  /** Shelfwire's IDs. */
  categories: number[]
  salesChannels: string[]
  options: { title: string; values: string[] }[]
  variants: WantedVariant[]
}

export interface WantedVariant {
  /** The ID of Shelfwire's product. */
  source: number
  title: string
  sku: string | null
  ean: string | null
  rank: number
  /** In grams. */
  weight: number | null
  hsCode: string | null
  /** ISO 3166, in lower case. */
  originCountry: string | null
  options: Record<string, string>
  pictures: string[]
  prices: WantedPrice[]
  /** By stock location. */
  stock: Map<string, number>
}

/** @returns null where no store lists the article */
export function wantedOf(article: Article, terms: Terms): Wanted | null {
  const ordered = variantsOf(article)
  const leading = ordered[0]?.first
  if (leading === undefined) return null
  const firsts = ordered.map(({ first }) => first)
  const labels = distinct(firsts.flatMap(({ group }) => group?.options.map(({ label }) => label) ?? []))
  // Medusa has no variants without an option
  const titles = labels.length === 0 ? ['Version'] : labels
  const slug = leading.group === undefined && isHandle(leading.slug) ? leading.slug : null
  const selling = distinct(article.listings.filter(({ product }) => !product.excluded).map(({ store }) => store))
  const locations = terms.stores.map(({ store, stockLocationId }) => ({ store, location: stockLocationId }))
  const { key } = article
  return {
    key,
    title: leading.group?.title ?? leading.title ?? key,
    handle: slug ?? handleOf(leading.group?.title ?? leading.title, key),
    keptHandle: slug,
    description: leading.description,
    status: selling.length > 0 ? 'published' : 'draft',
    pictures: distinct(firsts.flatMap(({ images }) => images)),
    categories: distinct(firsts.flatMap(({ categories }) => categories?.map(({ id }) => id) ?? [])),
    salesChannels: distinct(
      terms.stores.flatMap(({ store, salesChannelId }) => (selling.includes(store) ? [salesChannelId] : [])),
    ),
    options: titles.map((title) => ({ title, values: distinct(firsts.map((each) => valueOf(each, title))) })),
    variants: ordered.map(({ first, listings }, rank) => ({
      source: first.id,
      title: first.title ?? String(first.id),
      sku: first.sku,
      ean: first.ean,
      rank,
      weight: first.weight === undefined ? null : Math.round(Number(first.weight) * 1_000),
      hsCode: first.hs_code ?? null,
      originCountry: first.country_of_origin?.toLowerCase() ?? null,
      options: Object.fromEntries(titles.map((title) => [title, valueOf(first, title)])),
      pictures: first.images,
      prices: wantedPrices(listings, terms),
      // a store that excludes the variant has a stock of 0: Medusa cannot leave a single variant out of a channel
      stock: stockByLocation(listings, locations),
    })),
  }
}

const valueOf = ({ id, group }: Product, title: string): string =>
  group?.options.find(({ label }) => label === title)?.value ?? String(id)
