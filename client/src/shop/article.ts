import type { Product } from '../answers.ts'

// The parts of a shop's product, the same for every kind of shop.

/** What becomes one product of the shop: a group of variants, or a product that is in none. */
export interface Article {
  key: string
  /** One entry per product and store that lists it, in the order of the stores in the options. */
  listings: Listing[]
}

export interface Listing {
  store: string
  product: Product
}

/** The key of the article that a product belongs to; a shop keeps it with its own product. */
export const articleOf = ({ id, group }: Product): string =>
  group === undefined ? `product:${id}` : `group:${group.id}`

/** Whether a text is a key of `articleOf`. */
export const isArticleKey = (text: string): boolean => /^(?:group|product):\d+$/.test(text)

export const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** A variant of an article: the product as its first store lists it, and as each store does. */
export interface Variant {
  first: Product
  listings: Listing[]
}

/** The products of an article as variants, in their order. */
export function variantsOf({ listings }: Article): Variant[] {
  const products = new Map<number, Listing[]>()
  for (const listing of listings)
    products.set(listing.product.id, [...(products.get(listing.product.id) ?? []), listing])
  return [...products.values()]
    .flatMap((of) => (of[0] === undefined ? [] : [{ first: of[0].product, listings: of }]))
    .sort((a, b) => (a.first.group?.position ?? 0) - (b.first.group?.position ?? 0) || a.first.id - b.first.id)
}

/** Whether a slug has only lower-case Latin letters, digits and hyphens: the shops accept nothing else. */
export const isHandle = (slug: string | undefined): slug is string => slug !== undefined && /^[a-z\d-]+$/.test(slug)

/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const WRITTEN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** A slug from the first eight words of the title, in plain Latin letters, and the key, which makes it unique. */
export function handleOf(title: string | null, key: string): string {
  const words = (title ?? '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => WRITTEN[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z\d]+/g)
  return [...(words ?? []).slice(0, 8), ...key.split(':')].join('-')
}

/** The stock of a product at each location: that of the first store there which sells it, or 0. @param stores in the order of the options */
export function stockByLocation<Location extends string | number>(
  listings: readonly Listing[],
  stores: readonly { store: string; location: Location }[],
): Map<Location, number> {
  const stock = new Map<Location, number>(stores.map(({ location }) => [location, 0]))
  const left = new Set(stock.keys())
  for (const { store, product } of listings) {
    const location = stores.find((each) => each.store === store)?.location
    if (product.excluded || location === undefined || !left.delete(location)) continue
    stock.set(location, product.stock)
  }
  return stock
}

/** Converts an amount to one with tax (`tax` is true) or without, by the price's own rate. Unchanged where it is unknown whether either includes tax. */
export function amountWith(
  tax: boolean | undefined,
  { tax_included: isIncluded, tax_rate: rate = 0 }: { tax_included?: boolean; tax_rate?: number },
  amount: number,
): number {
  if (isIncluded === undefined || tax === undefined || isIncluded === tax) return amount
  const factor = 1 + rate / 100
  return Number((tax ? amount * factor : amount / factor).toFixed(4))
}
