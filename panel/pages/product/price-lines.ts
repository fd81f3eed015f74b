import type { CatalogStore, StoreProduct } from '../../api/catalog.ts'
import type { ProductExplanation } from './data.ts'

/** The price of one customer group in one store, and how it is made. */
export interface PriceLine {
  /** Store and group. */
  key: string
  store: CatalogStore
  /** The customer group's name. */
  group: string
  /** The price in the payload; undefined: it has none. */
  read: StoreProduct['prices'][number] | undefined
  /** The explanation of the price; undefined: not read yet, or no rule was tried. */
  made: ProductExplanation['prices'][number] | undefined
  why: ProductExplanation | undefined
  /** Why the product is excluded from the store; null: it is not. */
  exclusion: string | null
}

/** A line for each store that lists the product and each customer group, in their order. */
export function priceLines(
  stores: readonly CatalogStore[],
  products: readonly (StoreProduct | null)[],
  whys: readonly (ProductExplanation | undefined)[],
): PriceLine[] {
  return stores.flatMap((store, i) => {
    const product = products[i] ?? null
    const why = whys[i]
    if (product === null) return []
    // a product without a price has none in its payload, but its explanation has the reason
    const groups = new Set([
      ...product.prices.map(({ customer_group: group }) => group),
      ...(why?.prices ?? []).map(({ group }) => group),
    ])
    return [...groups].map((group) => ({
      key: `${store.slug} ${group}`,
      store,
      group,
      read: product.prices.find((price) => price.customer_group === group),
      made: why?.prices.find((price) => price.group === group),
      why,
      exclusion: product.excluded ? (product.exclusion_reason ?? '') : null,
    }))
  })
}
