import type { Product } from '@shelfwire/client'
import {
  distinct,
  handleOf,
  isHandle,
  stockByLocation,
  variantsOf,
  type Article,
  type Listing,
} from '@shelfwire/client/shop'
import type { Id, NameRow, VariantFields } from '../shop/rows.ts'
import { publicPrice, wantedPrices, type WantedPrice } from './prices.ts'
import type { Terms } from './terms.ts'

// The product that the shop should have for an article.

export interface Wanted {
  key: string
  enabled: boolean
  texts: WantedText[]
  /** URLs. */
  pictures: string[]
  /** Shelfwire's IDs. */
  categories: number[]
  optionGroups: WantedOptionGroup[]
  variants: WantedVariant[]
}

export interface WantedText extends NameRow {
  description: string
  /** Set when the product is made. Later only `keptSlug` is written, where it is not null. */
  slug: string
  keptSlug: string | null
}

export interface WantedOptionGroup {
  code: string
  names: NameRow[]
  options: { code: string; names: NameRow[] }[]
}

export interface WantedVariant {
  /** The ID of Shelfwire's product. */
  source: number
  enabled: boolean
  sku: string
  names: NameRow[]
  /** The code of each option group -> the code of the option. */
  options: Record<string, string>
  pictures: string[]
  taxCategoryId: Id
  fields: VariantFields
  /** The channels in which it is sold, without the default one, which has every variant. */
  channels: Id[]
  prices: WantedPrice[]
  /** By stock location. */
  stock: Map<Id, number>
}

/** The code of the option group of an article whose variants state no options. */
const VERSION = 'version'

/** @returns null where no store lists the article */
export function wantedOf(article: Article, terms: Terms): Wanted | null {
  const ordered = variantsOf(article)
  const leading = ordered[0]
  if (leading === undefined) return null
  const firsts = ordered.map(({ first }) => first)
  const keys = distinct(firsts.flatMap(({ group }) => group?.options.map(({ key }) => key) ?? []))
  // a single variant needs no option
  const codes = keys.length === 0 && ordered.length > 1 ? [VERSION] : keys
  const variants = ordered.map(({ first, listings }) => variantOf(first, listings, codes, terms))
  return {
    key: article.key,
    enabled: variants.some(({ enabled }) => enabled),
    texts: byLanguage(leading.listings, terms, ({ product }) => textOf(product, article.key)),
    pictures: distinct(firsts.flatMap(({ images }) => images)),
    categories: distinct(firsts.flatMap(({ categories }) => categories?.map(({ id }) => id) ?? [])),
    optionGroups: codes.map((code) => ({
      code,
      names: byLanguage(
        ordered.flatMap(({ listings }) => listings),
        terms,
        ({ product }) => ({ name: optionOf(product, code)?.label ?? 'Version' }),
      ),
      options: distinct(firsts.map((first) => valueOf(first, code))).map((value) => ({
        code: value,
        names: byLanguage(
          ordered.filter(({ first }) => valueOf(first, code) === value).flatMap(({ listings }) => listings),
          terms,
          ({ product }) => ({ name: valueOf(product, code) }),
        ),
      })),
    })),
    variants,
  }
}

function variantOf(
  first: Product,
  listings: readonly Listing[],
  codes: readonly string[],
  terms: Terms,
): WantedVariant {
  const selling = new Set(
    // a variant without a price cannot be shown in a channel
    listings
      .filter((each) => !each.product.excluded && publicPrice(each, terms) !== undefined)
      .map(({ store }) => store),
  )
  const { prices, details, groupDetails } = wantedPrices(listings, terms)
  const channels = distinct(
    terms.stores.flatMap(({ store, channel }) => (selling.has(store) && !channel.isDefault ? [channel.id] : [])),
  )
  const defaults = new Set(terms.stores.flatMap(({ channel }) => (channel.isDefault ? [channel.id] : [])))
  const taxClass = listings.map((each) => publicPrice(each, terms)?.tax_class).find((each) => each !== undefined)
  return {
    source: first.id,
    enabled: selling.size > 0,
    sku: first.sku ?? String(first.id),
    names: byLanguage(listings, terms, ({ product }) => ({ name: product.title ?? String(product.id) })),
    options: Object.fromEntries(codes.map((code) => [code, valueOf(first, code)])),
    pictures: first.images,
    taxCategoryId: terms.taxCategoryOf(taxClass),
    fields: {
      shelfwireId: first.id,
      shelfwireEan: first.ean,
      shelfwireWeight: first.weight === undefined ? null : Math.round(Number(first.weight) * 1_000),
      shelfwireHsCode: first.hs_code ?? null,
      shelfwireOrigin: first.country_of_origin ?? null,
      shelfwirePrices: details,
      shelfwireGroupPrices: groupDetails,
    },
    channels,
    // Vendure removes the price in a channel together with the variant
    prices: prices.filter(({ channelId }) => channels.includes(channelId) || defaults.has(channelId)),
    stock: stockByLocation(
      listings,
      terms.stores.map(({ store, stockLocationId }) => ({ store, location: stockLocationId })),
    ),
  }
}

/** The values of the first store in each language that lists the variant. @param say the value of a listing */
function byLanguage<T>(
  listings: readonly Listing[],
  terms: Terms,
  say: (listing: Listing) => T,
): (T & { languageCode: string })[] {
  const said = new Map<string, T & { languageCode: string }>()
  for (const { store, language } of terms.stores) {
    const listing = listings.find((each) => each.store === store)
    if (listing !== undefined && !said.has(language)) said.set(language, { languageCode: language, ...say(listing) })
  }
  return [...said.values()]
}

function textOf(product: Product, key: string): Omit<WantedText, 'languageCode'> {
  const title = product.group?.title ?? product.title
  const keptSlug = product.group === undefined && isHandle(product.slug) ? product.slug : null
  return {
    name: title ?? key,
    description: product.description ?? '',
    slug: keptSlug ?? handleOf(title, key),
    keptSlug,
  }
}

const optionOf = ({ group }: Product, code: string) => group?.options.find(({ key }) => key === code)

const valueOf = (product: Product, code: string): string => optionOf(product, code)?.value ?? String(product.id)
