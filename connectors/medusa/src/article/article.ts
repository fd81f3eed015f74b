import type { Product } from '@shelfwire/client'

/** What becomes one product of the shop: a group of variants, or a product that is in none. */
export interface Article {
  key: string
  /** A product is here once for each store that lists it, in the order of the options. */
  listings: Listing[]
}

export interface Listing {
  store: string
  product: Product
}

/** The `external_id` of the shop's product. */
export const articleOf = ({ id, group }: Product): string =>
  group === undefined ? `product:${id}` : `group:${group.id}`

/** Where a store is sold, and how. */
export interface SoldStore {
  store: string
  salesChannelId: string
  stockLocationId: string
}

/** What the shop's products are made by. */
export interface Terms {
  /** In the order of the options. */
  stores: readonly SoldStore[]
  /** The ID of the customer group whose price is the public one. */
  publicGroupId: number
  /** Whether prices of a currency, in lower case, have tax in them; not there: nobody says. */
  hasTax: ReadonlyMap<string, boolean>
  /** Customer groups, by name, that the shop does not have. */
  leftOutGroups: ReadonlySet<string>
}

export const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** Listings by product: the stores that sell it come first, and among those the order of the options counts. */
export function productsOf({ listings }: Article): Map<number, Listing[]> {
  const products = new Map<number, Listing[]>()
  for (const listing of listings)
    products.set(listing.product.id, [...(products.get(listing.product.id) ?? []), listing])
  return products
}
