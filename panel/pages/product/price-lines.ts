import type { CatalogStore, StoreProduct } from '../../api/catalog.ts'
import type { Why } from './data.ts'

/** What a shopper of one customer group reads in one store, and how it came to be. */
export interface PriceLine {
  /** Of store and group. */
  key: string
  store: CatalogStore
  /** The customer group's name. */
  group: string
  /** As the store reads it; undefined: it has no price. */
  read: StoreProduct['prices'][number] | undefined
  /** How it is made; undefined: it is not known yet, or no rule was tried. */
  made: Why['prices'][number] | undefined
  why: Why | undefined
  /** Why the store does not export the product; null: it does. */
  exclusion: string | null
}

/** A line for each store that lists the product and each customer group, in their order. */
export function priceLines(
  stores: readonly CatalogStore[],
  products: readonly (StoreProduct | null)[],
  whys: readonly (Why | undefined)[],
): PriceLine[] {
  return stores.flatMap((store, i) => {
    const product = products[i] ?? null
    const why = whys[i]
    if (product === null) return []
    // a product without a price has none in its payload; why it has none is shown all the same
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
